import Samples

/// Which of the sender's deliveries a request belongs to, in its row of `delivery`.
struct StoredSession {
    /// UTF-8.
    var name: [UInt8]
    var bodyHash: Int64?
}

/// One request while it is stored, slice by slice: its batch, or what its stream is decoded to.
struct MergingRequest {
    /// A slot that is cut by the end of a slice waits for the next one, up to this many samples.
    static let maximumCarried = 1_000
    static let maximumCarriedBytes = 1 << 20

    private var state: MergeState
    private var outcome = StoreOutcome()
    private let round: WriteBackRound?

    init(_ origin: SampleOrigin, _ submission: Submission, _ round: WriteBackRound?) {
        self.round = round
        state = MergeState(
            origin, receivedAt: submission.receivedAt.microseconds,
            deliveryName: submission.deliveryID.map { Array($0.utf8) })
    }

    /// Stores one slice.
    ///
    /// - Parameter last: whether no other slice comes, so that nothing has to wait for one.
    mutating func take(
        _ slice: SampleBatch, last: Bool, _ samples: SampleStore, _ skipped: SkippedRows
    ) throws(StoreError) {
        try skipped.store(
            slice, endpoint: state.origin.endpoint, delivery: state.origin.delivery, at: state.receivedAt, &state.skips)
        outcome.skipped += slice.skipped.count + slice.skippedBeyond
        try round?.link(slice, device: state.origin.device)
        var slice = slice
        state.isOneSlice = last && state.carried == nil && state.touched.count == 0
        if let carried = state.carried {
            state.carried = nil
            if slice.samples.first.map({ KeyBytes($0.key, in: slice) == KeyBytes(carried.samples[0].key, in: carried) })
                == true
            {
                slice.samples.insert(contentsOf: slice.adopt(carried), at: 0)
            } else {
                outcome += try samples.apply(carried, &state)
            }
        }
        if !last { state.carried = Self.takeLastSlot(of: &slice) }
        if !slice.samples.isEmpty || !slice.deletions.isEmpty || slice.extras != nil {
            outcome += try samples.apply(slice, &state)
        }
    }

    /// Stores a body while it is decoded.
    mutating func take(
        _ stream: SampleStream, _ samples: SampleStore, _ skipped: SkippedRows
    ) throws(StoreError) {
        var request = self
        try stream.forEachSlice { (slice) throws(StoreError) in try request.take(slice, last: false, samples, skipped) }
        self = request
    }

    /// Settles what only the whole request can tell.
    ///
    /// - Returns: the counts, and the sender's session and the body's hash as they are to be stored.
    mutating func finish(
        _ samples: SampleStore, _ skipped: SkippedRows
    ) throws(StoreError) -> (StoreOutcome, session: StoredSession?) {
        if let carried = state.carried {
            state.carried = nil
            outcome += try samples.apply(carried, &state)
        }
        outcome += try samples.finish(&state)
        return (outcome, state.session.map { StoredSession(name: $0, bodyHash: state.bodyHash) })
    }

    /// The slice's last slot as a batch of its own; nil when what comes last shares no slot.
    private static func takeLastSlot(of slice: inout SampleBatch) -> SampleBatch? {
        guard slice.window != nil, let last = slice.samples.last, last.merge.isSlot else { return nil }
        let key = KeyBytes(last.key, in: slice)
        let tail = slice.samples.suffix(maximumCarried + 1).reversed().prefix { KeyBytes($0.key, in: slice) == key }
        // Their bytes would be in memory twice.
        if tail.count > maximumCarried || tail.reduce(0, { $0 + Int($1.rest.count) }) > maximumCarriedBytes {
            return nil
        }
        var carried = SampleBatch()
        carried.window = slice.window
        var source = slice
        source.samples = Array(tail.reversed())
        carried.samples = carried.adopt(source)
        slice.samples.removeLast(tail.count)
        return carried
    }
}

extension MergeRule {
    /// Whether several samples may share its key.
    var isSlot: Bool {
        switch self {
        case .slot, .slotSum, .slotMean, .slotRange: true
        case .replace, .night, .sleepSegment, .workout: false
        }
    }
}

extension SampleBatch {
    /// The samples of another batch with this one's numbers and bytes.
    mutating func adopt(_ other: SampleBatch) -> [SampleRecord] {
        func text(_ index: BatchIndex, into batch: inout SampleBatch) -> BatchIndex {
            index < 0 ? -1 : batch.intern(other.text(index))
        }
        return other.samples.map { record in
            var copy = record
            let pair = other.series[Int(record.series)]
            copy.series = series(type: text(pair.type, into: &self), unit: text(pair.unit, into: &self))
            if record.source >= 0 {
                let names = other.sources[Int(record.source)]
                copy.source = source(app: text(names.app, into: &self), device: text(names.device, into: &self))
            }
            copy.valueName = text(record.valueName, into: &self)
            if case .text(let range) = record.key { copy.key = .text(append(other.bytes(range))) }
            copy.rest = record.rest.count == 0 ? .empty : append(other.bytes(record.rest))
            return copy
        }
    }
}
