/// One merge under way: some runs, or the log, become one run, a slice a transaction.
///
/// What was read and written so far lives in memory; whoever finds the half-written run after a crash removes it. A row that
/// changes meanwhile has an entry elsewhere: `SampleKeys.put` writes one for each row that gets a place.
struct KeyMerge {
    /// Of the runs that go once it is done.
    let inputs: [Int64]
    /// The log that goes, by ids, and its stretch of the recent entries.
    let log: (ids: ClosedRange<Int64>, entries: Range<Int>)?
    let level: Int64
    /// Whether each entry is compared with the samples; else only those that share a hash are.
    let isCleaning: Bool
    private(set) var writer: KeyRunWriter
    private var cursors: [Cursor]
    /// The hash that each of them comes to next; empty before the first slice.
    private var heads: [UInt64] = []
    /// Past all hashes, whose lower bits are zero.
    private static let ended = UInt64.max
    private var group: [KeyEntry] = []

    private static let partBits = 5

    private struct Cursor {
        var run: Int64?
        var entries: [KeyEntry]
        var at = 0
        /// The page of the run that comes next.
        var page: Int64 = 0
        /// Entries that the run still has, by its row.
        var left = 0
        /// Of the log: parts of it that are still to be sorted, the one with the greatest hashes first.
        var parts: [[KeyEntry]] = []
    }

    init(
        of runs: [KeyRun], to id: Int64, level: Int64, isCleaning: Bool, pageBytes: Int
    ) {
        inputs = runs.map(\.id)
        log = nil
        self.level = level
        self.isCleaning = isCleaning
        writer = KeyRunWriter(id, capacity: runs.reduce(0) { $0 + $1.entries }, pageBytes: pageBytes)
        cursors = runs.map { Cursor(run: $0.id, entries: [], left: $0.entries) }
    }

    /// - Parameter entries: of the log, in any order.
    init(
        ofLog ids: ClosedRange<Int64>, at range: Range<Int>, _ entries: ArraySlice<KeyEntry>, to id: Int64,
        isCleaning: Bool, pageBytes: Int
    ) {
        inputs = []
        log = (ids, range)
        level = 1
        self.isCleaning = isCleaning
        writer = KeyRunWriter(id, capacity: entries.count, pageBytes: pageBytes)
        // Sorted a part a time, so that no slice pays for the whole.
        var parts = [[KeyEntry]](repeating: [], count: 1 << Self.partBits)
        for index in parts.indices { parts[index].reserveCapacity(entries.count >> Self.partBits + 64) }
        for entry in entries { parts[Int(entry.hash >> UInt64(64 - Self.partBits))].append(entry) }
        cursors = [Cursor(run: nil, entries: [], parts: parts.reversed())]
    }

    /// Merges about `limit` entries.
    ///
    /// - Returns: whether all is written.
    mutating func slice(
        _ limit: Int, _ tables: KeyTables, isLive: (KeyEntry) throws(StoreError) -> Bool
    ) throws(StoreError) -> Bool {
        if heads.isEmpty {
            for index in cursors.indices { heads.append(try head(index, tables)) }
        }
        for _ in 0..<limit {
            var least = 0
            for index in heads.indices where heads[index] < heads[least] { least = index }
            let hash = heads[least]
            if let last = group.last?.hash, last != hash {
                if hash < last { throw tables.damaged("the entries of a run are not in order") }
                try writeGroup(tables, isLive)
            }
            if hash == Self.ended {
                try writer.finish(tables)
                return true
            }
            group.append(cursors[least].entries[cursors[least].at])
            cursors[least].at += 1
            heads[least] = try head(least, tables)
        }
        if let last = group.last { try writer.writePieces(before: last.hash, tables) }
        return false
    }

    /// Entries of one hash: all but one of them are mostly of samples that have moved.
    private mutating func writeGroup(
        _ tables: KeyTables, _ isLive: (KeyEntry) throws(StoreError) -> Bool
    ) throws(StoreError) {
        if group.count > 1 { dropRepeats() }
        let isCompared = isCleaning || group.count > 1
        for entry in group {
            if isCompared, try !isLive(entry) { continue }
            try writer.add(entry, tables)
        }
        while !group.isEmpty { group.removeLast() }  // one, as good as always: cheaper so than `removeAll`
    }

    /// Leaves each entry of the group once, in order.
    private mutating func dropRepeats() {
        group.sort(by: KeyEntry.precedes)
        var kept = 1
        for index in 1..<group.count where group[index] != group[kept - 1] {
            group[kept] = group[index]
            kept += 1
        }
        group.removeLast(group.count - kept)
    }

    /// The hash of a cursor's next entry; `ended` when it has none.
    private mutating func head(_ index: Int, _ tables: KeyTables) throws(StoreError) -> UInt64 {
        if cursors[index].at == cursors[index].entries.count, try !refill(index, tables) { return Self.ended }
        return cursors[index].entries[cursors[index].at].hash
    }

    /// - Returns: false at the run's end.
    private mutating func refill(_ index: Int, _ tables: KeyTables) throws(StoreError) -> Bool {
        while let part = cursors[index].parts.popLast() {
            if part.isEmpty { continue }
            cursors[index].entries = BucketSort.sorted(
                part, by: { $0.hash << UInt64(Self.partBits) }, KeyEntry.precedes)
            cursors[index].at = 0
            return true
        }
        guard let run = cursors[index].run else { return false }
        cursors[index].entries.removeAll(keepingCapacity: true)
        cursors[index].at = 0
        if cursors[index].page == KeyTables.noPage {
            if cursors[index].left != 0 {
                throw tables.damaged("a run has another number of entries than its row says")
            }
            cursors[index].run = nil
            return false
        }
        cursors[index].page = try tables.page(of: run, cursors[index].page, into: &cursors[index].entries)
        cursors[index].left -= cursors[index].entries.count
        if cursors[index].entries.isEmpty { return try refill(index, tables) }
        return true
    }
}
