import Samples

/// PulsHealth's batches in the writer's transaction.
final class PulsStore {
    fileprivate let samples: SampleStore
    fileprivate let rows: PulsRows
    fileprivate let dictionaries: Dictionaries

    init(_ connection: Connection, _ samples: SampleStore, _ dictionaries: Dictionaries) throws(StoreError) {
        self.samples = samples
        self.dictionaries = dictionaries
        rows = try PulsRows(connection, dictionaries)
    }

    /// After a rollback.
    func forget() { rows.forget() }

    /// Applies one request, whose body came in one piece.
    func store(_ batch: SampleBatch, _ origin: SampleOrigin, _ submission: Submission) throws(StoreError)
        -> StoreOutcome
    {
        var request = PulsRequest(self, origin, submission)
        try request.take(batch)
        return try request.finish()
    }

    /// Applies one request while its body is decoded.
    func store(
        _ stream: SampleStream, _ origin: SampleOrigin, _ submission: Submission
    ) throws(StoreError) -> StoreOutcome {
        var request = PulsRequest(self, origin, submission)
        try stream.forEachSlice { (slice) throws(StoreError) in try request.take(slice) }
        return try request.finish()
    }
}

/// One batch of PulsHealth while it is stored, slice by slice. Source: specs/puls-v1, sections 5 and 6.
///
/// What it remembers is bounded by the contract: 100,000 lines of each sort in a batch.
private struct PulsRequest {
    private struct Deletion {
        var uuid: UUIDBits
        var type: [UInt8]?
    }

    private let store: PulsStore
    private let origin: SampleOrigin
    private let receivedAt: Int64
    private let wake: PulsWake
    private var outcome = StoreOutcome()
    private var counts = PulsOutcome()
    /// nil before the first slice.
    private var isReplay: Bool?
    private var seen: Set<UUIDBits> = []
    private var days: Set<[UInt8]> = []
    private var buckets: Set<AggregateKey> = []
    /// They apply after all else.
    private var deletions: [Deletion] = []

    init(_ store: PulsStore, _ origin: SampleOrigin, _ submission: Submission) {
        self.store = store
        self.origin = origin
        receivedAt = submission.receivedAt.microseconds
        wake = submission.wake ?? PulsWake()
    }

    mutating func take(_ slice: SampleBatch) throws(StoreError) {
        guard case .puls(let extras)? = slice.extras else {
            throw StoreError(.failed, detail: "a batch without what this sender's batches have")
        }
        if isReplay == nil {
            isReplay = try store.rows.knows(batch: extras.batchID, device: origin.device)
            if isReplay == false { try store.rows.add(extras, of: slice, wake, origin, at: receivedAt) }
        }
        if isReplay == true {
            counts.duplicates += slice.samples.count { $0.key.isUUID }
            return
        }
        for deletion in slice.deletions {
            guard case .uuid(let high, let low) = deletion.key else { continue }
            deletions.append(
                Deletion(
                    uuid: UUIDBits(high: high, low: low),
                    type: deletion.type < 0 ? nil : Array(slice.text(deletion.type))))
        }
        try takeSamples(slice)
        try takePoints(extras, slice)
        try takeAggregates(extras, slice)
    }

    private mutating func takeSamples(_ slice: SampleBatch) throws(StoreError) {
        var batch = slice
        batch.deletions = []
        let (lines, kept) = try store.samples.keepNew(&batch, from: origin, seen: &seen)
        for record in batch.samples where record.kind == .activitySummary {
            if case .text(let range) = record.key, days.insert(Array(batch.bytes(range))).inserted {
                counts.activitySummaries += 1
            }
        }
        if !batch.samples.isEmpty { outcome += try store.samples.apply(batch, from: origin) }
        counts.accepted += kept
        counts.duplicates += lines - kept
        outcome.repeated += lines - kept
    }

    private mutating func takePoints(_ extras: PulsExtras, _ slice: SampleBatch) throws(StoreError) {
        for point in extras.routePoints where try store.rows.add(point, of: slice, origin) { counts.routePoints += 1 }
        if extras.curvePoints.isEmpty { return }
        var texts = TextNumbers(slice, store.dictionaries)
        for point in extras.curvePoints {
            let series = slice.series[Int(point.series)]
            let type = try texts.number(series.type), unit = try texts.optional(series.unit)
            if try store.rows.add(point, type: type, unit: unit, of: slice, origin) { counts.seriesPoints += 1 }
        }
    }

    private mutating func takeAggregates(_ extras: PulsExtras, _ slice: SampleBatch) throws(StoreError) {
        if extras.aggregates.isEmpty { return }
        var texts = TextNumbers(slice, store.dictionaries)
        for record in extras.aggregates {
            let series = slice.series[Int(record.series)]
            let key = AggregateKey(
                type: try texts.number(series.type), function: try texts.number(record.function),
                intervalUnit: try texts.number(record.intervalUnit), intervalValue: record.intervalValue,
                deviceFilter: try texts.number(record.deviceFilter), start: record.start.microseconds)
            let unit = try texts.optional(series.unit)
            try store.rows.put(key, record, unit: unit, of: slice, origin, at: receivedAt)
            if buckets.insert(key).inserted { counts.aggregates += 1 }
        }
    }

    /// Applies the deletions.
    ///
    /// - Returns: the counts: of a batch that was known its sample lines alone, as repeats.
    mutating func finish() throws(StoreError) -> StoreOutcome {
        if isReplay == nil { throw StoreError(.failed, detail: "a body without a batch") }
        if isReplay == true { outcome.repeated = counts.duplicates }
        for deletion in deletions {
            counts.deleted += try store.samples.delete(deletion.uuid, type: deletion.type, from: origin)
            try store.rows.removePoints(ofWorkout: deletion.uuid, device: origin.device)
        }
        outcome.deleted = counts.deleted
        outcome.puls = counts
        return outcome
    }
}

extension SampleKey {
    fileprivate var isUUID: Bool {
        if case .uuid = self { true } else { false }
    }
}

/// A batch's texts as numbers of the dictionaries, each looked up once.
private struct TextNumbers {
    private let batch: SampleBatch
    private let dictionaries: Dictionaries
    private var known: [Int64]

    init(_ batch: SampleBatch, _ dictionaries: Dictionaries) {
        self.batch = batch
        self.dictionaries = dictionaries
        known = Array(repeating: 0, count: batch.texts.count)
    }

    mutating func number(_ index: BatchIndex) throws(StoreError) -> Int64 {
        if known[Int(index)] == 0 { known[Int(index)] = try dictionaries.text(Array(batch.text(index))) }
        return known[Int(index)]
    }

    mutating func optional(_ index: BatchIndex) throws(StoreError) -> Int64? { index < 0 ? nil : try number(index) }
}
