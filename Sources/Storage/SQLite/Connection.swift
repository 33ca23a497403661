import CSQLite
import Glibc

/// One connection to `health.db`, set up as this project uses SQLite. Used by one thread at a time (`NOMUTEX`).
///
/// The C handle never leaves this folder. Source of the settings: sqlite.org/security.html, sqlite.org/pragma.html.
@safe package final class Connection {
    package enum Access { case readWrite, readOnly }

    private let handle: OpaquePointer

    /// Opens a file that exists.
    ///
    /// - Parameters:
    ///   - path: without symbolic links: they are refused in any part of it.
    ///   - joinsLogWrites: whether `commitSynced` writes to the log at once what SQLite writes in pieces.
    /// - Throws: `.readOnly` when it can't be opened, or only for reading though `readWrite` was asked.
    package init(
        path: String, access: Access, busyMilliseconds: Int, joinsLogWrites: Bool = false
    ) throws(StoreError) {
        _ = Self.isMemoryUncounted
        var opened: OpaquePointer?
        let mode = access == .readWrite ? SQLITE_OPEN_READWRITE : SQLITE_OPEN_READONLY
        let flags = mode | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_NOFOLLOW | SQLITE_OPEN_EXRESCODE
        let code = unsafe sqlite3_open_v2(path, &opened, flags, joinsLogWrites ? LogFile.layerName : nil)
        guard let connection = unsafe opened else { throw StoreError(code: SQLITE_NOMEM, detail: "out of memory") }
        unsafe handle = connection
        guard code == SQLITE_OK else { throw failure(code) }
        // SQLite opens a file that it may not write for reading, and says so only here.
        if unsafe sqlite3_db_readonly(handle, "main") == 1 && access == .readWrite {
            throw StoreError(code: SQLITE_READONLY, detail: "the file may not be written")
        }
        unsafe sqlite3_busy_timeout(handle, Int32(clamping: busyMilliseconds))
        for (option, on) in Self.switches { unsafe _ = csqlite_config_flag(handle, option, on) }
        for (limit, value) in Self.limits { unsafe _ = sqlite3_limit(handle, limit, value) }
        for pragma in Self.pragmas { try execute("PRAGMA \(pragma)") }
        if access == .readOnly { try execute("PRAGMA query_only=ON") }
    }

    deinit { unsafe _ = sqlite3_close_v2(handle) }

    /// Nobody asks how much memory SQLite has, and counting takes a lock for each piece: dozens a transaction.
    private static let isMemoryUncounted = csqlite_count_no_memory() == SQLITE_OK

    private static let switches: [(Int32, Int32)] = [
        (SQLITE_DBCONFIG_DEFENSIVE, 1), (SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0), (SQLITE_DBCONFIG_ENABLE_TRIGGER, 0),
        (SQLITE_DBCONFIG_ENABLE_LOAD_EXTENSION, 0), (SQLITE_DBCONFIG_DQS_DML, 0), (SQLITE_DBCONFIG_DQS_DDL, 0),
    ]

    /// Far above what our own statements need, far below SQLite's defaults.
    private static let limits: [(Int32, Int32)] = [
        (SQLITE_LIMIT_LENGTH, 128 << 20),  // bytes of one row: a route comes in one sample
        (SQLITE_LIMIT_SQL_LENGTH, 100_000), (SQLITE_LIMIT_COLUMN, 100), (SQLITE_LIMIT_EXPR_DEPTH, 300),
        (SQLITE_LIMIT_COMPOUND_SELECT, 10), (SQLITE_LIMIT_FUNCTION_ARG, 20), (SQLITE_LIMIT_ATTACHED, 0),
        (SQLITE_LIMIT_LIKE_PATTERN_LENGTH, 100), (SQLITE_LIMIT_VARIABLE_NUMBER, 100),
        (SQLITE_LIMIT_TRIGGER_DEPTH, 1), (SQLITE_LIMIT_WORKER_THREADS, 0),
    ]

    private static let pragmas = [
        "synchronous=FULL", "foreign_keys=ON", "trusted_schema=OFF", "cell_size_check=ON", "mmap_size=0",
        "secure_delete=ON", "journal_size_limit=67108864", "temp_store=MEMORY", "cache_size=-16384",
    ]

    // MARK: Statements

    /// Runs SQL of ours that takes no value and whose rows nobody needs.
    package func execute(_ sql: String) throws(StoreError) {
        let code = unsafe sqlite3_exec(handle, sql, nil, nil, nil)
        if code != SQLITE_OK { throw failure(code) }
    }

    /// Prepares one statement that is kept.
    package func prepare(_ sql: String) throws(StoreError) -> Statement {
        var prepared: OpaquePointer?
        let code = unsafe sqlite3_prepare_v3(handle, sql, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &prepared, nil)
        guard code == SQLITE_OK, let statement = unsafe prepared else { throw failure(code) }
        return unsafe Statement(adopting: statement, of: self)
    }

    /// The first column of the first row as an integer; nil when there is no row or it is NULL.
    package func integer(_ sql: String) throws(StoreError) -> Int64? {
        let statement = try prepare(sql)
        guard try statement.step() else { return nil }
        return statement.isNull(0) ? nil : statement.integer(0)
    }

    /// The first column of the first row as text; nil when there is no row or it is NULL.
    package func text(_ sql: String) throws(StoreError) -> String? {
        let statement = try prepare(sql)
        guard try statement.step() else { return nil }
        return statement.text(0)
    }

    /// Rows that the last INSERT, UPDATE or DELETE touched.
    package var changes: Int { unsafe Int(sqlite3_changes(handle)) }
    package var lastInsertedID: Int64 { unsafe sqlite3_last_insert_rowid(handle) }
    /// False also after an error that made SQLite roll the whole transaction back.
    package var isInTransaction: Bool { unsafe sqlite3_get_autocommit(handle) == 0 }

    /// Runs COMMIT, prepared, with few writes to the log. Only with `synchronous=FULL`.
    func commitSynced(_ statement: Statement) throws(StoreError) {
        try gatheringLog(isCommit: true) { () throws(StoreError) in try statement.run() }
    }

    /// Runs `body` with small writes to the log made large ones. A transaction that it leaves open must be rolled back.
    func gatheringLog(isCommit: Bool = false, _ body: () throws(StoreError) -> Void) throws(StoreError) {
        let log = unsafe LogFile.begin(handle)
        defer { if let log = unsafe log { unsafe LogFile.end(log) } }
        try body()
        // Better no process than one that answers for what it has not written.
        if isCommit, let log = unsafe log { unsafe precondition(LogFile.isWritten(log), "a commit without a sync") }
    }

    /// Pages of transactions, since this connection was opened, that were written before COMMIT because the cache was full.
    var spilledPages: Int {
        var count: Int32 = 0, highest: Int32 = 0
        unsafe _ = sqlite3_db_status(handle, SQLITE_DBSTATUS_CACHE_SPILL, &count, &highest, 0)
        return Int(count)
    }

    /// Rolls back what is open; never fails, since there is nothing left to do about it.
    package func rollback() {
        if isInTransaction { unsafe _ = sqlite3_exec(handle, "ROLLBACK", nil, nil, nil) }
    }

    /// Makes the statement that runs fail with `SQLITE_INTERRUPT`. The only call that another thread may make.
    package func interrupt() { unsafe sqlite3_interrupt(handle) }

    /// Lowers the bound of one value and one row, in bytes.
    func limitValues(toBytes bytes: Int) {
        unsafe _ = sqlite3_limit(handle, SQLITE_LIMIT_LENGTH, Int32(clamping: bytes))
    }

    // MARK: Copies

    /// Runs statements that `watcher` can stop: they then fail with `SQLITE_INTERRUPT`.
    func watched<Result>(
        by watcher: CopyWatcher, _ body: () throws(StoreError) -> Result
    ) throws(StoreError) -> Result {
        let instructions: Int32 = 20_000  // a millisecond or less
        unsafe sqlite3_progress_handler(
            handle, instructions,
            { context -> Int32 in
                guard let context = unsafe context else { return 0 }
                return unsafe Unmanaged<CopyWatcher>.fromOpaque(context).takeUnretainedValue().goesOn() ? 0 : 1
            }, Unmanaged.passUnretained(watcher).toOpaque())
        defer {
            unsafe sqlite3_progress_handler(handle, 0, nil, nil)
            withExtendedLifetime(watcher) {}
        }
        return try body()
    }

    /// Writes the database as one new file, as it is at one moment: `VACUUM INTO`.
    ///
    /// - Parameter path: an empty file, or none, in a folder without symbolic links in its path.
    func copy(into path: String) throws(StoreError) {
        // VACUUM attaches the new file, and counts as a write, though not to this one.
        unsafe _ = sqlite3_limit(handle, SQLITE_LIMIT_ATTACHED, 1)
        defer { unsafe _ = sqlite3_limit(handle, SQLITE_LIMIT_ATTACHED, 0) }
        try execute("PRAGMA query_only=OFF")
        let statement = try prepare("VACUUM INTO ?1")
        statement.bind(1, text: path)
        try statement.run()
    }

    /// Whether this connection sees the database as it was at one moment, and has begun to.
    var hasSnapshot: Bool { unsafe sqlite3_txn_state(handle, "main") != SQLITE_TXN_NONE }

    // MARK: Write-ahead log

    enum CheckpointMode { case passive, restart, truncate }

    /// - Returns: pages in the log, and how many of them are in the database file now.
    func checkpoint(_ mode: CheckpointMode) throws(StoreError) -> (logPages: Int, donePages: Int) {
        var log: Int32 = 0, done: Int32 = 0
        let value =
            switch mode {
            case .passive: SQLITE_CHECKPOINT_PASSIVE
            case .restart: SQLITE_CHECKPOINT_RESTART
            case .truncate: SQLITE_CHECKPOINT_TRUNCATE
            }
        let code = unsafe sqlite3_wal_checkpoint_v2(handle, "main", value, &log, &done)
        if code != SQLITE_OK { throw failure(code) }
        return (Int(log), Int(done))
    }

    /// Has the closing of this connection leave the log alone: it would be deleted by name, and the name may belong to
    /// another file's log by now.
    package func leaveLogOnClose() { unsafe _ = csqlite_config_flag(handle, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1) }

    /// Has `meter` told the log's length after each commit, and turns SQLite's own checkpoints off on this connection.
    ///
    /// - Parameter meter: must outlive this connection.
    func report(logTo meter: LogMeter) {
        let context = unsafe Unmanaged.passUnretained(meter).toOpaque()
        unsafe _ = sqlite3_wal_hook(
            handle,
            { (context, _, _, pages) -> Int32 in
                if let context = unsafe context {
                    unsafe Unmanaged<LogMeter>.fromOpaque(context).takeUnretainedValue().pages = Int(pages)
                }
                return SQLITE_OK
            }, context)
    }

    // MARK: Errors

    /// The error that `code` stands for, in SQLite's words.
    func failure(_ code: Int32) -> StoreError {
        let extended = code & 0xFF == code ? unsafe sqlite3_extended_errcode(handle) : code
        let text = unsafe sqlite3_errmsg(handle)
        return StoreError(
            code: extended & 0xFF == code & 0xFF ? extended : code,
            systemError: unsafe sqlite3_system_errno(handle),
            detail: unsafe text.map { unsafe String(cString: $0) } ?? "")
    }
}

/// How long the write-ahead log was after the last commit; written and read on the connection's own thread.
final class LogMeter {
    var pages = 0
}

/// Is asked every millisecond or so while statements run, on their thread; false stops them.
final class CopyWatcher {
    let goesOn: () -> Bool
    init(_ goesOn: @escaping () -> Bool) { self.goesOn = goesOn }
}

/// The linked library's version, such as `3.40.1`.
package var sqliteVersion: String { unsafe String(cString: sqlite3_libversion()) }
