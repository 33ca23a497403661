import Samples

/// Settles a batch whose samples share slots with what is stored, before it is stored as any other: what is left of it
/// has a key and a part of its own each. Inside the caller's transaction.
final class Merger {
    /// Members of one slot; more are left out and counted as skipped. No second of a life has as many samples.
    static let maximumMembers = 10_000
    /// Rows that are looked at around one sample: far more than a life has, and a bound to what one request costs.
    static let maximumNeighbours = 1_000

    let rows: MergeRows

    init(_ connection: Connection, keys: SampleKeys, rows: SampleRows, ledger: Ledger) throws(StoreError) {
        self.rows = try MergeRows(connection, keys, rows, ledger)
    }

    /// A batch on its way from what was sent to what is to be stored.
    struct Work {
        var batch: SampleBatch
        var ids: BatchIDs
        var window: MergeWindow
        /// What is to be stored, in the place of the batch's own samples.
        var records: [SampleRecord] = []
        var outcome = StoreOutcome()
        /// Source sets by the batch's index of a source.
        var sourceSets: [BatchIndex: SourceSet] = [:]

        init(_ batch: SampleBatch, _ ids: BatchIDs, _ window: MergeWindow) {
            self.batch = batch
            self.ids = ids
            self.window = window
        }

        /// The batch with what is left of it.
        var settled: SampleBatch {
            var batch = batch
            batch.samples = records
            batch.window = nil
            return batch
        }

        mutating func sources(_ index: BatchIndex) -> SourceSet {
            if index < 0 { return .unknown }
            if let known = sourceSets[index] { return known }
            let source = batch.sources[Int(index)]
            let set = SourceSet(
                app: source.app < 0 ? nil : Array(batch.text(source.app)),
                device: source.device < 0 ? nil : Array(batch.text(source.device)))
            sourceSets[index] = set
            return set
        }
    }

    /// Merges one slice of a request.
    ///
    /// - Returns: what is to be stored, what was settled already, and workouts, which `mergeWorkouts` settles next.
    func merge(
        _ batch: SampleBatch, _ ids: BatchIDs, _ window: MergeWindow, _ state: inout MergeState
    ) throws(StoreError) -> (batch: SampleBatch, outcome: StoreOutcome, workouts: Workouts) {
        var work = Work(batch, ids, window)
        state.slice = BucketSort.sorted(
            batch.samples.map { KeyBytes.fingerprint($0.key, in: batch) }, by: { $0 }, <)
        if window.isPerSample { try forgetOldClaims(&state) }
        var workouts: [Int] = [], nights: [Int] = [], slots: [Int] = []
        for (index, record) in batch.samples.enumerated() {
            switch record.merge {
            case .replace: try add(record, &work, state)
            case .sleepSegment:
                note(record, &work, &state)
                try add(record, &work, state)
            case .workout: workouts.append(index)
            case .night: nights.append(index)
            case .slot, .slotSum, .slotMean, .slotRange: slots.append(index)
            }
        }
        try mergeSlots(Self.groups(slots, batch), &work, &state)
        for group in Self.groups(nights, batch) { try mergeNights(group.indices, &work, &state) }
        state.touched.insert(state.slice)
        state.slice = []
        return (work.settled, work.outcome, Workouts(workouts, batch))
    }

    /// Takes a sample over; where the stored one says the same in another order of members, in that one's bytes.
    func add(_ record: SampleRecord, _ work: inout Work, _ state: MergeState) throws(StoreError) {
        var record = record
        if record.rest.count > 0,
            let row = try rows.part(
                device: state.origin.device, KeyBytes(record.key, in: work.batch), Int64(record.part))
        {
            let rest = Array(work.batch.bytes(record.rest))
            if row.rest != rest && row.spelled & 0xFF == Int64(record.spelled.rawValue)
                && CanonicalJSON.whole(rest: row.rest) == CanonicalJSON.whole(rest: rest)
            {
                record.rest = work.batch.append(row.rest)
            }
        }
        work.records.append(record)
    }

    /// After the last slice: what only the whole request can tell.
    func finish(_ state: inout MergeState) throws(StoreError) -> StoreOutcome {
        var outcome = StoreOutcome()
        try removeUncoveredSegments(&state, &outcome)
        if state.guarded > 0 {
            outcome.guarded = state.guarded
            try rows.noteGuard(endpoint: state.origin.endpoint, count: state.guarded, at: state.receivedAt)
        }
        return outcome
    }

    /// Samples with the same key; their indices are in the order of the request.
    typealias KeyGroup = (key: StoredKey, indices: ArraySlice<Int>)

    /// The samples of each key, in the order of keys.
    private static func groups(_ indices: [Int], _ batch: SampleBatch) -> [KeyGroup] {
        let arena = batch.arena
        let entries = BatchPlan.sorted(
            indices.map { BatchPlan.Entry(key: StoredKey(batch.samples[$0].key, in: arena), part: 0, index: $0) }, arena
        )
        let order = entries.map(\.index)
        var groups: [KeyGroup] = []
        groups.reserveCapacity(entries.count)
        var start = 0
        for position in entries.indices {
            let next = position + 1, key = entries[position].key
            if next < entries.count, key.compare(entries[next].key, in: arena) == 0 { continue }
            groups.append((key, order[start..<next]))
            start = next
        }
        return groups
    }

    // MARK: Segments of sleep

    private func note(_ record: SampleRecord, _ work: inout Work, _ state: inout MergeState) {
        guard !work.window.isPerSample, record.start != .none, record.end != .none, record.start <= record.end,
            let type = work.ids.text(work.batch.series[Int(record.series)].type)
        else { return }
        state.cover(
            type: type, work.sources(record.source), record.start.microseconds...record.end.microseconds)
    }

    /// Stored segments inside of what the request's segments of the same source cover, and not among them, are gone from
    /// Apple Health.
    private func removeUncoveredSegments(
        _ state: inout MergeState, _ outcome: inout StoreOutcome
    ) throws(StoreError) {
        // With keys that were not noted this can't be told.
        if state.touched.isFull { return }
        for (type, spans) in state.spans {
            guard let first = spans.values.map(\.lowerBound).min(), let last = spans.values.map(\.upperBound).max()
            else {
                continue
            }
            for series in try rows.series(type: type, device: state.origin.device) {
                let gone = try rows.rows(series: series, starts: first...last, rule: .sleepSegment, limit: .max) {
                    (row) throws(StoreError) in
                    guard let span = spans[try state.sources(row.source, rows)], let end = row.end else { return false }
                    return span.contains(row.place.start) && end <= span.upperBound
                        && !state.touched.contains(row.key.fingerprint)
                }
                for row in gone {
                    try rows.remove(row, device: state.origin.device)
                    outcome.changed += 1
                }
            }
        }
    }
}
