/// The statements on the tables of the uuid index.
final class KeyTables {
    struct State: Equatable {
        var seed: UInt64 = 0
        var revision: Int64 = 0
        var nextRun: Int64 = 0
        var cleanRun: Int64 = 0
        var cleanLog: Int64 = 0
        /// Entries of the log and of ready runs together.
        var entries: Int64 = 0
    }

    /// Entries whose rows are known to be gone, and when the first of them went.
    struct Stale: Equatable {
        var count: Int64 = 0
        var since: Int64 = 0
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
    /// What the last page of a run says of the one behind it.
    static let noPage: Int64 = 1 << pageBits
    private static let runs: Int64 = 1 << 22

    private let connection: Connection
    /// What a row was that can't be as this program wrote it, since the connection was opened or `damage` last cleared.
    var damage: String?
    /// Read with the rows of the first call in a transaction.
    private(set) var stale = Stale()
    /// Of the hashes and check numbers.
    private(set) var seed: UInt64 = 0
    private let readState, readRevision, writeState, countStale, resetStale, insertLog, removeLog, readLog: Statement
    private let readRuns, insertRun, updateRun, removeRun: Statement
    private let insertPage, findPage, nextPage, insertPiece, readPieces, countPieces: Statement
    private let removePages, removePieces: Statement
    private var page: [UInt8] = []

    init(_ connection: Connection) throws(StoreError) {
        self.connection = connection
        readState = try connection.prepare(
            "SELECT seed, revision, next_run, clean_run, clean_log, entries FROM key_state WHERE id = 1")
        readRevision = try connection.prepare("SELECT revision, stale, stale_since FROM key_state WHERE id = 1")
        writeState = try connection.prepare(
            """
            UPDATE key_state SET revision = ?1, next_run = ?2, clean_run = ?3, clean_log = ?4, entries = ?5 WHERE id = 1
            """)
        countStale = try connection.prepare(
            "UPDATE key_state SET stale_since = iif(stale > 0, stale_since, ?2), stale = stale + ?1 WHERE id = 1")
        resetStale = try connection.prepare("UPDATE key_state SET stale = 0 WHERE id = 1")
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
            "SELECT id, entries FROM key_page WHERE id BETWEEN ?1 AND ?2 ORDER BY id DESC LIMIT 1")
        nextPage = try connection.prepare(
            "SELECT id, entries FROM key_page WHERE id = ?1")
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

    /// - Returns: what to throw: the index is rebuilt then.
    func damaged(_ what: String) -> StoreError {
        damage = what
        return StoreError(.rebuilding, detail: what)
    }

    func state() throws(StoreError) -> State {
        guard try readState.step() else { throw damaged("key_state has no row") }
        defer { readState.reset() }
        guard (0..<Int64.max / 2).contains(readState.integer(1)), (1..<Self.runs).contains(readState.integer(2)),
            (0...1 << 40).contains(readState.integer(5)), (0...readState.integer(2)).contains(readState.integer(3)),
            (0...readState.integer(1)).contains(readState.integer(4))
        else { throw damaged("key_state has numbers that no program wrote") }
        seed = UInt64(bitPattern: readState.integer(0))
        return State(
            seed: seed, revision: readState.integer(1), nextRun: readState.integer(2), cleanRun: readState.integer(3),
            cleanLog: readState.integer(4), entries: readState.integer(5))
    }

    func revision() throws(StoreError) -> Int64 {
        guard try readRevision.step() else { throw damaged("key_state has no row") }
        defer { readRevision.reset() }
        stale = Stale(count: max(0, readRevision.integer(1)), since: readRevision.integer(2))
        return readRevision.integer(0)
    }

    func write(_ state: State) throws(StoreError) {
        // Far above what any life needs; a page's id has no room for more.
        guard state.nextRun < Self.runs else { throw damaged("the uuid index has no number left") }
        writeState.bind(1, state.revision)
        writeState.bind(2, state.nextRun)
        writeState.bind(3, state.cleanRun)
        writeState.bind(4, state.cleanLog)
        writeState.bind(5, state.entries)
        try writeState.run()
    }

    /// Counts entries whose rows go. No change of the revision: nobody has to read anything anew for it.
    func addStale(_ count: Int, at now: Int64) throws(StoreError) {
        countStale.bind(1, count)
        countStale.bind(2, now)
        try countStale.run()
        if stale.count == 0 { stale.since = now }
        stale.count += Int64(count)
    }

    func clearStale() throws(StoreError) {
        stale = Stale()
        try resetStale.run()
    }

    func addLog(_ id: Int64, _ entries: ArraySlice<KeyEntry>) throws(StoreError) {
        var bytes = KeyPage.encode(entries)
        KeySeal.close(&bytes, id: id, seed: seed)
        insertLog.bind(1, id)
        insertLog.bind(2, blob: bytes)
        try insertLog.run()
    }

    func removeLogs(_ ids: ClosedRange<Int64>) throws(StoreError) {
        removeLog.bind(1, ids.lowerBound)
        removeLog.bind(2, ids.upperBound)
        try removeLog.run()
    }

    /// - Parameter body: takes an id and its entries.
    func logs(_ body: (Int64, [KeyEntry]) -> Void) throws(StoreError) {
        defer { readLog.reset() }
        var entries: [KeyEntry] = []
        while try readLog.step() {
            var bytes = readLog.bytes(1)
            entries.removeAll(keepingCapacity: true)
            guard KeySeal.open(&bytes, id: readLog.integer(0), seed: seed), KeyPage.decode(bytes, into: &entries) else {
                throw damaged("a row of key_log is not what was written")
            }
            body(readLog.integer(0), entries)
        }
    }

    // MARK: Runs

    func runs() throws(StoreError) -> [Run] {
        var found: [Run] = []
        while try readRuns.step() {
            guard let state = Run.State(rawValue: readRuns.integer(4)), (1...1 << 30).contains(readRuns.integer(3)),
                (0..<Self.runs).contains(readRuns.integer(0)), (1...64).contains(readRuns.integer(1)),
                // A filter has 16 bits an entry, and blocks of 512 bits.
                (0...readRuns.integer(3) * 32).contains(readRuns.integer(2))
            else {
                readRuns.reset()
                throw damaged("a row of key_run has numbers that no program wrote")
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

    func addPage(_ run: Int64, number: Int64, next: Int64, _ entries: [UInt8]) throws(StoreError) {
        let id = Self.first(run) + number
        var bytes = entries
        KeySeal.append(UInt64(next), to: &bytes)
        KeySeal.close(&bytes, id: id, seed: seed)
        insertPage.bind(1, id)
        insertPage.bind(2, blob: bytes)
        try insertPage.run()
    }

    /// Leaves the entries of the page that `statement` stands on in `page`.
    ///
    /// - Returns: the numbers of this page and of the one behind it.
    private func takePage(_ statement: Statement, of run: Int64) throws(StoreError) -> (number: Int64, next: Int64) {
        page.removeAll(keepingCapacity: true)
        statement.append(1, to: &page)
        let id = statement.integer(0)
        guard KeySeal.open(&page, id: id, seed: seed), page.count >= 8 else {
            throw damaged("a page of the uuid index is not what was written")
        }
        let next = KeySeal.load(page, page.count - 8)
        page.removeLast(8)
        return (id - Self.first(run), Int64(clamping: next))
    }

    /// The places that a run has for `hash`.
    func search(_ run: Int64, for hash: UInt64, found: inout [SamplePlace]) throws(StoreError) {
        findPage.bind(1, Self.first(run))
        findPage.bind(2, Self.first(run) + Self.pageNumber(hash))
        guard try findPage.step() else { throw damaged("a page of the uuid index is missing") }
        defer { findPage.reset() }
        if try takePage(findPage, of: run).next <= Self.pageNumber(hash) {
            throw damaged("a page of the uuid index is missing")
        }
        if !KeyPage.search(page, for: hash, found: &found) { throw damaged("a page of the uuid index is cut") }
    }

    /// Reads a page of a run.
    ///
    /// - Parameter number: of the page, as the one before it says.
    /// - Returns: the number of the next one; `noPage` for none.
    func page(of run: Int64, _ number: Int64, into entries: inout [KeyEntry]) throws(StoreError) -> Int64 {
        nextPage.bind(1, Self.first(run) + number)
        guard try nextPage.step() else { throw damaged("a page of the uuid index is missing") }
        defer { nextPage.reset() }
        let (_, next) = try takePage(nextPage, of: run)
        guard next > number, next <= Self.noPage, KeyPage.decode(page, into: &entries) else {
            throw damaged("a page of the uuid index is cut")
        }
        return next
    }

    func addPiece(_ run: Int64, _ index: Int, of filter: KeyFilter) throws(StoreError) {
        let id = Self.first(run) + Int64(index)
        var bytes = filter.piece(index)
        KeySeal.close(&bytes, id: id, seed: seed)
        insertPiece.bind(1, id)
        insertPiece.bind(2, blob: bytes)
        try insertPiece.run()
    }

    func filter(of run: Run) throws(StoreError) -> KeyFilter {
        // Before there is memory for what may be a number that no program wrote.
        countPieces.bind(1, Self.first(run.id))
        countPieces.bind(2, Self.last(run.id))
        _ = try countPieces.step()
        let rows = Int(countPieces.integer(0))
        countPieces.reset()
        if rows != KeyFilter.pieces(ofBlocks: run.blocks) { throw damaged(Self.filterDamage) }
        var filter = KeyFilter(blocks: run.blocks)
        var count = 0
        readPieces.bind(1, Self.first(run.id))
        readPieces.bind(2, Self.last(run.id))
        defer { readPieces.reset() }
        while try readPieces.step() {
            page.removeAll(keepingCapacity: true)
            readPieces.append(1, to: &page)
            let id = readPieces.integer(0)
            guard id - Self.first(run.id) == Int64(count), KeySeal.open(&page, id: id, seed: seed),
                filter.set(count, page)
            else { break }
            count += 1
        }
        if count != filter.pieces { throw damaged(Self.filterDamage) }
        return filter
    }

    private static let filterDamage = "a filter of the uuid index is not what was written"
}
