import Samples

extension Merger {
    /// One workout of the request with all that its copies say so far.
    private struct Workout {
        /// The sample that gives key, type and unit.
        var record: SampleRecord
        var key: KeyBytes
        /// Nil while the record alone says all.
        var copy: WorkoutCopy?
    }

    /// Workouts that wait to be merged, those with an id first: what else has their start is then a copy of theirs.
    struct Workouts {
        fileprivate var waiting: ArraySlice<(index: Int, key: KeyBytes)>

        init(_ indices: [Int], _ batch: SampleBatch) {
            let keyed = indices.map { (index: $0, key: KeyBytes(batch.samples[$0].key, in: batch)) }
            waiting = (keyed.filter { !$0.key.isNamed } + keyed.filter(\.key.isNamed))[...]
        }

        var isEmpty: Bool { waiting.isEmpty }
    }

    /// Merged bytes after which the workouts so far are stored before the next is read: routes are large.
    private static let maximumMergedBytes = 16 << 20
    private static let maximumTogether = 256

    /// Settles workouts of the request with their stored copies, field by field, as many as one batch may hold.
    ///
    /// A copy without the sender's id has a key made of start and end. It belongs to the copy with an id that has the same
    /// start, whichever of them came first: that one's fields win, and one row is left.
    func mergeWorkouts(
        _ pending: inout Workouts, _ batch: SampleBatch, _ ids: BatchIDs, _ window: MergeWindow, _ state: MergeState
    ) throws(StoreError) -> (batch: SampleBatch, outcome: StoreOutcome) {
        var work = Work(batch, ids, window)
        work.batch.deletions = []  // applied with the other samples
        var workouts: [Workout] = []
        var places: [KeyBytes: Int] = [:]
        while let (index, key) = pending.waiting.first {
            let mergedBytes = workouts.reduce(0) { $0 + ($1.copy?.rest.count ?? 0) }
            if workouts.count == Self.maximumTogether || mergedBytes > Self.maximumMergedBytes { break }
            pending.waiting.removeFirst()
            let record = work.batch.samples[index]
            if let place = places[key] {
                let copy = workouts[place].copy ?? copy(of: workouts[place].record, work)
                workouts[place].copy = self.copy(of: record, work).filled(from: copy, isStored: false)
                workouts[place].record.start = record.start
                continue
            }
            if key.isNamed {
                let owner = workouts.firstIndex { !$0.key.isNamed && $0.record.start == record.start }
                if let owner {
                    let copy = workouts[owner].copy ?? copy(of: workouts[owner].record, work)
                    workouts[owner].copy = copy.filled(from: self.copy(of: record, work), isStored: false)
                    try removeStored(key, &work, state)
                    continue
                }
                if let row = try twins(of: record, work, state, where: { !$0.isNamed }).first {
                    try removeStored(key, &work, state)
                    var kept = record
                    kept.key = Self.sampleKey(row.key, &work.batch)
                    let copy = try copy(of: row).filled(from: self.copy(of: record, work), isStored: false)
                    places[row.key] = workouts.count
                    workouts.append(Workout(record: kept, key: row.key, copy: copy))
                    continue
                }
            }
            var workout = Workout(record: record, key: key)
            if let row = try rows.parts(device: state.origin.device, key).first(where: { $0.part == 0 }) {
                workout.copy = copy(of: record, work).filled(from: try copy(of: row), isStored: true)
            }
            if !key.isNamed {
                for row in try twins(of: record, work, state, where: \.isNamed) {
                    let copy = workout.copy ?? copy(of: record, work)
                    workout.copy = copy.filled(from: try self.copy(of: row), isStored: false)
                    try rows.remove(row, device: state.origin.device)
                    work.outcome.changed += 1
                }
            }
            places[key] = workouts.count
            workouts.append(workout)
        }
        for workout in workouts { add(workout, &work) }
        return (work.settled, work.outcome)
    }

    private func removeStored(_ key: KeyBytes, _ work: inout Work, _ state: MergeState) throws(StoreError) {
        for row in try rows.parts(device: state.origin.device, key) {
            try rows.remove(row, device: state.origin.device)
            work.outcome.changed += 1
        }
    }

    /// Stored workouts that start when this one does, those that end when it does first.
    private func twins(
        of record: SampleRecord, _ work: Work, _ state: MergeState, where isWanted: (KeyBytes) -> Bool
    ) throws(StoreError) -> [StoredRow] {
        guard record.start != .none, let type = work.ids.text(work.batch.series[Int(record.series)].type) else {
            return []
        }
        let start = record.start.microseconds
        var found: [StoredRow] = []
        for series in try rows.series(type: type, device: state.origin.device) {
            found += try rows.rows(
                series: series, starts: start...start, rule: .workout, limit: Self.maximumNeighbours,
                where: { (row) throws(StoreError) in isWanted(row.key) && row.part == 0 })
        }
        let end = record.end == .none ? nil : record.end.microseconds
        return found.filter { $0.end == end } + found.filter { $0.end != end }
    }

    // MARK: Copies

    private func copy(of record: SampleRecord, _ work: Work) -> WorkoutCopy {
        let batch = work.batch
        func text(_ index: BatchIndex) -> [UInt8]? { index < 0 ? nil : Array(batch.text(index)) }
        let source = record.source < 0 ? nil : batch.sources[Int(record.source)]
        return WorkoutCopy(
            end: record.end == .none ? nil : record.end.microseconds, duration: record.value,
            activity: text(record.valueName), app: source.flatMap { text($0.app) },
            device: source.flatMap { text($0.device) }, utcOffset: record.utcOffsetMinutes, spelled: record.spelled,
            rest: Array(batch.bytes(record.rest)))
    }

    private func copy(of row: StoredRow) throws(StoreError) -> WorkoutCopy {
        var source: (app: [UInt8]?, device: [UInt8]?)
        if let id = row.source { source = try rows.source(id) }
        var activity: [UInt8]?
        if let id = row.valueName { activity = try rows.text(id) }
        return WorkoutCopy(
            end: row.end, duration: row.value, activity: activity, app: source.app, device: source.device,
            utcOffset: row.utcOffset.map { Int16(clamping: $0) },
            spelled: SpelledMembers(rawValue: UInt8(truncatingIfNeeded: row.spelled)), rest: row.rest)
    }

    private func add(_ workout: Workout, _ work: inout Work) {
        var record = workout.record
        if let copy = workout.copy {
            record.end = copy.end.map(Timestamp.init) ?? .none
            record.value = copy.duration
            record.valueName = copy.activity.map { work.batch.intern($0) } ?? -1
            let app = copy.app.map { work.batch.intern($0) } ?? -1
            let device = copy.device.map { work.batch.intern($0) } ?? -1
            record.source = app < 0 && device < 0 ? -1 : work.batch.source(app: app, device: device)
            record.utcOffsetMinutes = copy.utcOffset
            record.spelled = copy.spelled
            record.rest = copy.rest.isEmpty ? .empty : work.batch.append(copy.rest)
        }
        work.records.append(record)
    }

    private static func sampleKey(_ key: KeyBytes, _ batch: inout SampleBatch) -> SampleKey {
        guard key.isUUID, key.bytes.count == 16 else { return .text(batch.append(key.bytes)) }
        func half(_ bytes: ArraySlice<UInt8>) -> UInt64 { bytes.reduce(0) { $0 << 8 | UInt64($1) } }
        return .uuid(high: half(key.bytes[..<8]), low: half(key.bytes[8...]))
    }
}
