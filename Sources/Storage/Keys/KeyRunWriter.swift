/// A run of the uuid index in memory: its filter. Its pages stay on the disk.
struct KeyRun {
    var id: Int64
    var level: Int64
    var entries: Int
    var filter: KeyFilter
}

/// Writes sorted entries as pages of a run, and pieces of its filter as soon as nothing can change them.
struct KeyRunWriter {
    let id: Int64
    private let pageEntries: Int
    private(set) var filter: KeyFilter
    private var page: [KeyEntry] = []
    private var isFirstPage = true
    private var pieces = 0
    private(set) var entries = 0

    /// - Parameter capacity: entries that come at most: what the filter is made for.
    init(_ id: Int64, capacity: Int, pageEntries: Int) {
        self.id = id
        self.pageEntries = pageEntries
        filter = KeyFilter(entries: capacity)
    }

    mutating func add(_ entry: KeyEntry, _ tables: KeyTables) throws(StoreError) {
        // Pages are told apart by their first hash, so those with the same number of a page stay together.
        if page.count >= pageEntries, let last = page.last,
            KeyTables.pageNumber(last.hash) != KeyTables.pageNumber(entry.hash)
        {
            try writePage(tables, next: KeyTables.pageNumber(entry.hash))
        }
        page.append(entry)
        filter.insert(entry.hash)
        entries += 1
    }

    /// - Parameter next: the number of the page behind it, so that a missing one shows.
    private mutating func writePage(_ tables: KeyTables, next: Int64) throws(StoreError) {
        guard let first = page.first else { return }
        let number = isFirstPage ? 0 : KeyTables.pageNumber(first.hash)
        try tables.addPage(id, number: number, next: next, page)
        isFirstPage = false
        page.removeAll(keepingCapacity: true)
    }

    /// Writes what of the filter is done: all that comes has at least this hash.
    mutating func writePieces(before hash: UInt64, _ tables: KeyTables) throws(StoreError) {
        let finished = filter.finishedPieces(before: hash)
        while pieces < finished {
            try tables.addPiece(id, pieces, of: filter)
            pieces += 1
        }
    }

    /// Writes the rest.
    mutating func finish(_ tables: KeyTables) throws(StoreError) {
        // Every run has a page, so that a missing one is damage.
        if isFirstPage && page.isEmpty { try tables.addPage(id, number: 0, next: KeyTables.noPage, []) }
        try writePage(tables, next: KeyTables.noPage)
        while pieces < filter.pieces {
            try tables.addPiece(id, pieces, of: filter)
            pieces += 1
        }
    }
}
