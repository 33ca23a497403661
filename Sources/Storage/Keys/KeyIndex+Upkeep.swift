/// Merging and removing, a slice a transaction, between the transactions of submissions.
extension KeyIndex {
    /// Whether `tend` has something to do.
    var hasWork: Bool { !dead.isEmpty || !merges.isEmpty || due != nil || isCleaningDue }

    private enum Due {
        case log(Int)
        case runs([KeyRun], level: Int64)
    }

    /// Does one slice, of about `entries` entries and some pages to be removed.
    ///
    /// - Parameter isLive: whether a row is at an entry's place under its hash.
    func tend(
        entries: Int, isLive: (KeyEntry) throws(StoreError) -> Bool
    ) throws(StoreError) {
        willChange()
        if isCleaningDue { try requestCleaning() }
        try startDue()
        // The lowest level first: it fills the fastest.
        if let index = merges.indices.min(by: { merges[$0].level < merges[$1].level }) {
            var merge = merges[index]
            // Not copied while it changes: its filter may be megabytes.
            merges.remove(at: index)
            let limit = merge.isCleaning ? max(1, entries / 8) : entries
            if try merge.slice(limit, tables, isLive: isLive) {
                try finish(merge)
            } else {
                merges.append(merge)
            }
        }
        if let run = dead.first {
            // Another process may still be writing it: it then reads all anew.
            if run != removing { try announceRemoval(of: run) }
            if try tables.removeSlice(of: run, limit: tuning.slicePages) { dead.removeFirst() }
        }
    }

    private func startDue() throws(StoreError) {
        switch due {
        case nil: return
        case .log(let rows):
            let taken = logs[..<rows]
            guard let first = taken.first?.id, let last = taken.last?.id else { return }
            let count = taken.reduce(0) { $0 + $1.entries }
            merges.append(
                KeyMerge(
                    ofLog: first...last, at: 0..<count, recent.entries[..<count],
                    to: try newRun(level: 1, capacity: count), isCleaning: first <= state.cleanLog,
                    pageBytes: tuning.pageBytes))
        case .runs(let runs, let level):
            let id = try newRun(level: level, capacity: runs.reduce(0) { $0 + $1.entries })
            merges.append(
                KeyMerge(
                    of: runs, to: id, level: level, isCleaning: runs.contains { $0.id < state.cleanRun },
                    pageBytes: tuning.pageBytes))
        }
    }

    private var due: Due? {
        if !merges.contains(where: { $0.log != nil }), let first = logs.first,
            logged >= tuning.recentEntries || first.id <= state.cleanLog
        {
            return .log(logs.count)
        }
        if areRunsSettled { return nil }
        let due = dueRuns
        areRunsSettled = due == nil
        return due
    }

    private var dueRuns: Due? {
        let free = runs.filter { run in !merges.contains { $0.inputs.contains(run.id) } }
        for level in Set(free.map(\.level)).sorted() where !merges.contains(where: { $0.level == level + 1 }) {
            let same = free.filter { $0.level == level }
            if same.count >= tuning.fanIn { return .runs(Array(same.prefix(tuning.fanIn)), level: level + 1) }
        }
        if let old = free.first(where: { $0.id < state.cleanRun }), !merges.contains(where: \.isCleaning) {
            return .runs([old], level: old.level)
        }
        return nil
    }
}
