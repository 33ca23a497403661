import Samples

extension Merger {
    /// No night is longer, nor do two that overlap begin further apart; microseconds.
    private static let reach: Int64 = 48 * 3_600_000_000
    /// Nights and naps of one day; more are left out and counted as skipped.
    static let maximumNights = 100

    /// Settles the nights of one key: a night meets the stored one that it overlaps, whatever key that has; a nap of the
    /// same day stays beside it.
    ///
    /// - Parameter indices: samples with the same key, in the order of the request.
    func mergeNights(_ indices: ArraySlice<Int>, _ work: inout Work, _ state: inout MergeState) throws(StoreError) {
        let key = KeyBytes(work.batch.samples[indices[indices.startIndex]].key, in: work.batch)
        let stored = try rows.parts(device: state.origin.device, key)
        let storedNights = stored.map(Self.night)
        // Of what the request itself has twice the longer one counts.
        var sent: [(index: Int, night: Night)] = []
        for index in indices {
            let night = night(work.batch.samples[index], work)
            if let twin = sent.firstIndex(where: { $0.night.isSame(as: night) }) {
                if !night.isCut(of: sent[twin].night) { sent[twin] = (index, night) }
            } else if sent.count < Self.maximumNights {
                sent.append((index, night))
            } else {
                work.outcome.skipped += 1
            }
        }
        var gone: [Bool] = stored.map { _ in false }
        var arrivals: [Int] = []
        for (index, night) in sent {
            var met: [(row: StoredRow, night: Night)] = []
            for (position, old) in storedNights.enumerated() where !gone[position] && old.isSame(as: night) {
                met.append((stored[position], old))
            }
            let isKnown = !met.isEmpty
            if !isKnown { met = try overlapped(by: night, work.batch.samples[index], work, state) }
            if work.window.cutsBuckets && met.contains(where: { night.isCut(of: $0.night) }) {
                state.guarded += 1
                continue
            }
            // As of two in one slice: the longer one counts.
            if met.contains(where: {
                state.broughtNight($0.row.key.fingerprint, part: $0.row.part) && night.isCut(of: $0.night)
            }) {
                continue
            }
            if met.isEmpty && stored.count + arrivals.count >= Self.maximumNights {
                work.outcome.skipped += 1
                continue
            }
            arrivals.append(index)
            for (row, _) in met {
                if isKnown {
                    if let position = stored.firstIndex(where: { $0.part == row.part }) { gone[position] = true }
                } else {
                    try rows.remove(row, device: state.origin.device)
                    work.outcome.changed += 1
                }
            }
        }
        try place(arrivals, stored, gone, &work, &state)
    }

    /// In the order of their beginnings; a night that takes a stored one's place takes its part.
    private func place(
        _ arrivals: [Int], _ stored: [StoredRow], _ gone: [Bool], _ work: inout Work, _ state: inout MergeState
    ) throws(StoreError) {
        var parts = stored.indices.filter { gone[$0] }.map { stored[$0].part }[...]
        let taken = Set(stored.map(\.part))
        var next: Int64 = 0
        let order = arrivals.sorted { work.batch.samples[$0].start < work.batch.samples[$1].start }
        for index in order {
            var record = work.batch.samples[index]
            if let part = parts.popFirst() {
                record.part = Int32(clamping: part)
            } else {
                while taken.contains(next) { next += 1 }
                record.part = Int32(clamping: next)
                next += 1
            }
            state.noteNight(KeyBytes(record.key, in: work.batch).fingerprint, part: Int64(record.part))
            try add(record, &work, state)
        }
        for part in parts {
            guard let row = stored.first(where: { $0.part == part }) else { continue }
            try rows.remove(row, device: state.origin.device)
            work.outcome.changed += 1
        }
    }

    /// Stored nights of the device under other keys than this request's.
    private func overlapped(
        by night: Night, _ record: SampleRecord, _ work: Work, _ state: MergeState
    ) throws(StoreError) -> [(row: StoredRow, night: Night)] {
        guard let start = night.start, let end = night.end, start <= end,
            let type = work.ids.text(work.batch.series[Int(record.series)].type)
        else { return [] }
        let from = start.subtractingReportingOverflow(Self.reach), last = start.addingReportingOverflow(Self.reach)
        if from.overflow || last.overflow { return [] }
        var found: [(row: StoredRow, night: Night)] = []
        for series in try rows.series(type: type, device: state.origin.device) {
            let starts = from.partialValue...max(from.partialValue, min(end, last.partialValue))
            for row in try rows.rows(
                series: series, starts: starts, rule: .night, limit: Self.maximumNeighbours,
                where: { (row) throws(StoreError) in
                    let other = Self.night(row)
                    return other.end != nil && night.isSame(as: other) && !state.isOfThisRequest(row.key.fingerprint)
                })
            {
                found.append((row, Self.night(row)))
            }
        }
        return found
    }

    private static func night(_ row: StoredRow) -> Night {
        Night(
            start: row.place.start == .min ? nil : row.place.start, end: row.end, value: row.value,
            series: row.place.series)
    }

    private func night(_ record: SampleRecord, _ work: Work) -> Night {
        Night(
            start: record.start == .none ? nil : record.start.microseconds,
            end: record.end == .none ? nil : record.end.microseconds,
            value: record.value.flatMap { $0.isFinite ? $0 : nil }, series: work.ids.place(of: record).series)
    }
}
