/// The statements on the tables of the uuid index.
final class KeyTables {
    struct State: Equatable {
        var seed: UInt64 = 0
        var revision: Int64 = 0
        var nextRun: Int64 = 0
        var cleanRun: Int64 = 0
        var cleanLog: Int64 = 0
    }

    /// A row of `key_run`.
    struct Run {
        enum State: Int64 { case writing = 0, ready, dead }
        var id: Int64
        var level: Int64
        var entries: Int
        var blocks: Int
        var state: State
    }

    /// Bits of a page's id that tell pages of one run apart.
    static let pageBits: Int64 = 40
    private static let runs: Int64 = 1 << 22

    private let connection: Connection
    private let readState, readRevision, writeState, insertLog, removeLog, readLog: Statement
    private let readRuns, insertRun, updateRun, removeRun: Statement
    private let insertPage, findPage, nextPage, insertPiece, readPieces, countPieces: Statement
    private let removePages, removePieces: Statement
    private var page: [UInt8] = []

    init(_ connection: Connection) throws(StoreError) {
        self.connection = connection
        readState = try connection.prepare(
            "SELECT seed, revision, next_run, clean_run, clean_log FROM key_state WHERE id = 1")
        readRevision = try connection.prepare("SELECT revision FROM key_state WHERE id = 1")
        writeState = try connection.prepare(
            "UPDATE key_state SET revision = ?1, next_run = ?2, clean_run = ?3, clean_log = ?4 WHERE id = 1")
        insertLog = try connection.prepare("INSERT INTO key_log (id, entries) VALUES (?1, ?2)")
        removeLog = try connection.prepare("DELETE FROM key_log WHERE id BETWEEN ?1 AND ?2")
        readLog = try connection.prepare("SELECT id, entries FROM key_log ORDER BY id")
        readRuns = try connection.prepare("SELECT id, level, entries, blocks, state FROM key_run ORDER BY id")
        insertRun = try connection.prepare(
            "INSERT INTO key_run (id, level, entries, blocks, state) VALUES (?1, ?2, ?3, ?4, ?5)")
        updateRun = try connection.prepare("UPDATE key_run SET state = ?2, entries = ?3 WHERE id = ?1")
        removeRun = try connection.prepare("DELETE FROM key_run WHERE id = ?1")
        insertPage = try connection.prepare("INSERT INTO key_page (id, entries) VALUES (?1, ?2)")
        findPage = try connection.prepare(
            "SELECT entries FROM key_page WHERE id BETWEEN ?1 AND ?2 ORDER BY id DESC LIMIT 1")
        nextPage = try connection.prepare(
            "SELECT id, entries FROM key_page WHERE id BETWEEN ?1 AND ?2 ORDER BY id LIMIT 1")
        insertPiece = try connection.prepare("INSERT INTO key_filter (id, blocks) VALUES (?1, ?2)")
        readPieces = try connection.prepare("SELECT id, blocks FROM key_filter WHERE id BETWEEN ?1 AND ?2 ORDER BY id")
        countPieces = try connection.prepare("SELECT count(*) FROM key_filter WHERE id BETWEEN ?1 AND ?2")
        removePages = try connection.prepare(
            "DELETE FROM key_page WHERE id IN (SELECT id FROM key_page WHERE id BETWEEN ?1 AND ?2 LIMIT ?3)")
        removePieces = try connection.prepare(
            "DELETE FROM key_filter WHERE id IN (SELECT id FROM key_filter WHERE id BETWEEN ?1 AND ?2 LIMIT ?3)")
    }

    private static func first(_ run: Int64) -> Int64 { run << pageBits }
    private static func last(_ run: Int64) -> Int64 { run << pageBits | (1 << pageBits - 1) }
    static func pageNumber(_ hash: UInt64) -> Int64 { Int64(hash >> 24) }

    // MARK: State and log

    func state() throws(StoreError) -> State {
        guard try readState.step() else { throw StoreError(.damaged, detail: "key_state has no row") }
        defer { readState.reset() }
        guard (0..<Int64.max / 2).contains(readState.integer(1)), (1..<Self.runs).contains(readState.integer(2)) else {
            throw StoreError(.damaged, detail: "key_state has numbers that no program wrote")
        }
        return State(
            seed: UInt64(bitPattern: readState.integer(0)), revision: readState.integer(1),
            nextRun: readState.integer(2), cleanRun: readState.integer(3), cleanLog: readState.integer(4))
    }

    func revision() throws(StoreError) -> Int64 {
        guard try readRevision.step() else { throw StoreError(.damaged, detail: "key_state has no row") }
        defer { readRevision.reset() }
        return readRevision.integer(0)
    }

    func write(_ state: State) throws(StoreError) {
        // Far above what any life needs; a page's id has no room for more.
        guard state.nextRun < Self.runs else { throw StoreError(.failed, detail: "the uuid index has no number left") }
        writeState.bind(1, state.revision)
        writeState.bind(2, state.nextRun)
        writeState.bind(3, state.cleanRun)
        writeState.bind(4, state.cleanLog)
        try writeState.run()
    }

    func addLog(_ id: Int64, _ entries: ArraySlice<KeyEntry>) throws(StoreError) {
        insertLog.bind(1, id)
        insertLog.bind(2, blob: KeyPage.encode(entries))
        try insertLog.run()
    }

    func removeLogs(_ ids: ClosedRange<Int64>) throws(StoreError) {
        removeLog.bind(1, ids.lowerBound)
        removeLog.bind(2, ids.upperBound)
        try removeLog.run()
    }

    func logs(_ body: (Int64, [UInt8]) throws(StoreError) -> Void) throws(StoreError) {
        defer { readLog.reset() }
        while try readLog.step() { try body(readLog.integer(0), readLog.bytes(1)) }
    }

    // MARK: Runs

    func runs() throws(StoreError) -> [Run] {
        var found: [Run] = []
        while try readRuns.step() {
            guard let state = Run.State(rawValue: readRuns.integer(4)), (1...1 << 30).contains(readRuns.integer(3)),
                (0..<Self.runs).contains(readRuns.integer(0)), (0...1 << 40).contains(readRuns.integer(2))
            else {
                readRuns.reset()
                throw StoreError(.damaged, detail: "a row of key_run has numbers that no program wrote")
            }
            found.append(
                Run(
                    id: readRuns.integer(0), level: readRuns.integer(1), entries: Int(readRuns.integer(2)),
                    blocks: Int(readRuns.integer(3)), state: state))
        }
        return found
    }

    func add(_ run: Run) throws(StoreError) {
        insertRun.bind(1, run.id)
        insertRun.bind(2, run.level)
        insertRun.bind(3, run.entries)
        insertRun.bind(4, run.blocks)
        insertRun.bind(5, run.state.rawValue)
        try insertRun.run()
    }

    func set(_ run: Int64, _ state: Run.State, entries: Int) throws(StoreError) {
        updateRun.bind(1, run)
        updateRun.bind(2, state.rawValue)
        updateRun.bind(3, entries)
        try updateRun.run()
    }

    /// Takes up to `limit` pages and as many pieces of a filter away.
    ///
    /// - Returns: whether nothing of the run is left.
    func removeSlice(of run: Int64, limit: Int) throws(StoreError) -> Bool {
        for statement in [removePages, removePieces] {
            statement.bind(1, Self.first(run))
            statement.bind(2, Self.last(run))
            statement.bind(3, limit)
            try statement.run()
            if connection.changes == limit { return false }
        }
        removeRun.bind(1, run)
        try removeRun.run()
        return true
    }

    // MARK: Pages and filters

    func addPage(_ run: Int64, number: Int64, _ entries: [KeyEntry]) throws(StoreError) {
        insertPage.bind(1, Self.first(run) + number)
        insertPage.bind(2, blob: KeyPage.encode(entries))
        try insertPage.run()
    }

    /// The places that a run has for `hash`.
    func search(_ run: Int64, for hash: UInt64, found: inout [SamplePlace]) throws(StoreError) {
        findPage.bind(1, Self.first(run))
        findPage.bind(2, Self.first(run) + Self.pageNumber(hash))
        guard try findPage.step() else { throw StoreError(.damaged, detail: "a page of the uuid index is missing") }
        defer { findPage.reset() }
        page.removeAll(keepingCapacity: true)
        findPage.append(0, to: &page)
        try KeyPage.search(page, for: hash, found: &found)
    }

    /// The page after `number`.
    ///
    /// - Returns: its number; nil when there is none.
    func page(
        of run: Int64, after number: Int64, into entries: inout [KeyEntry]
    ) throws(StoreError) -> Int64? {
        nextPage.bind(1, Self.first(run) + number + 1)
        nextPage.bind(2, Self.last(run))
        guard try nextPage.step() else { return nil }
        defer { nextPage.reset() }
        page.removeAll(keepingCapacity: true)
        nextPage.append(1, to: &page)
        try KeyPage.decode(page, into: &entries)
        return nextPage.integer(0) - Self.first(run)
    }

    func addPiece(_ run: Int64, _ index: Int, of filter: KeyFilter) throws(StoreError) {
        insertPiece.bind(1, Self.first(run) + Int64(index))
        insertPiece.bind(2, blob: filter.piece(index))
        try insertPiece.run()
    }

    func filter(of run: Run) throws(StoreError) -> KeyFilter {
        // Before there is memory for what may be a number that no program wrote.
        countPieces.bind(1, Self.first(run.id))
        countPieces.bind(2, Self.last(run.id))
        _ = try countPieces.step()
        let rows = Int(countPieces.integer(0))
        countPieces.reset()
        if rows != KeyFilter.pieces(ofBlocks: run.blocks) { throw Self.filterDamage }
        var filter = KeyFilter(blocks: run.blocks)
        var count = 0
        readPieces.bind(1, Self.first(run.id))
        readPieces.bind(2, Self.last(run.id))
        defer { readPieces.reset() }
        while try readPieces.step() {
            page.removeAll(keepingCapacity: true)
            readPieces.append(1, to: &page)
            guard readPieces.integer(0) - Self.first(run.id) == Int64(count), filter.set(count, page) else { break }
            count += 1
        }
        if count != filter.pieces { throw Self.filterDamage }
        return filter
    }

    private static let filterDamage = StoreError(.damaged, detail: "a filter of the uuid index is not whole")
}
