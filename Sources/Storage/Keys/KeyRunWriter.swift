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
    private let pageBytes: Int
    private(set) var filter: KeyFilter
    private var page: [UInt8] = []
    /// Hashes of the page's first and last entry.
    private var first: UInt64 = 0, last: UInt64 = 0
    private var isFirstPage = true
    private var pieces = 0
    private(set) var entries = 0

    /// - Parameter capacity: entries that come at most: what the filter is made for.
    init(_ id: Int64, capacity: Int, pageBytes: Int) {
        self.id = id
        self.pageBytes = pageBytes
        filter = KeyFilter(entries: capacity)
    }

    mutating func add(_ new: KeyEntry, _ tables: KeyTables) throws(StoreError) {
        // Pages are told apart by their first hash, so those of one hash stay together.
        if page.count + KeyPage.entryBytes > pageBytes && !page.isEmpty && last != new.hash
            && page.count + KeyPage.encode([new]).count > pageBytes
        {
            try writePage(tables, next: KeyTables.pageNumber(new.hash))
        }
        if page.isEmpty { first = new.hash }
        last = new.hash
        KeyPage.append(new, to: &page)
        filter.insert(new.hash)
        entries += 1
    }

    /// - Parameter next: the number of the page behind it, so that a missing one shows.
    private mutating func writePage(_ tables: KeyTables, next: Int64) throws(StoreError) {
        if page.isEmpty { return }
        let number = isFirstPage ? 0 : KeyTables.pageNumber(first)
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
