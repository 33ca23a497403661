import Glibc
import Samples

/// The one connection that writes, with its statements and what it remembers. Used by the writer thread alone.
final class Writer {
    let connection: Connection
    let meter = LogMeter()
    private let turnstile: Turnstile
    let dictionaries: Dictionaries
    let ledger: Ledger
    let samples: SampleStore
    let keys: SampleKeys
    /// The longest slice of `tendKeys`, the wait for the lock left out.
    private(set) var longestUpkeepMicroseconds: Int64 = 0
    /// Whether a commit waits for the disk.
    private var isSynchronous = true
    private var isCacheLarge = true
    /// In a row.
    private var smallGroups = 0
    /// `connection.spilledPages` when the transaction began.
    private var spilledAtBegin = 0
    private let writeBack: WriteBack
    private let skipped: SkippedRows
    private let puls: PulsStore
    private let changeState: ChangeState
    private let beginStatement, commitStatement, savepoint, release: Statement
    private let busyMilliseconds: Int
    /// Which file this connection has open.
    private let identity: (device: UInt64, inode: UInt64)?

    /// Opens the database and brings its schema up to date.
    ///
    /// - Parameter create: whether a missing file is made.
    init(_ folder: DataFolder, _ options: StoreOptions, create: Bool) throws(StoreError) {
        let turnstile = try Turnstile(folder)
        if create { try folder.createDatabase() }
        identity = folder.databaseIdentity()
        if identity == nil { throw StoreError(.missing) }
        busyMilliseconds = options.busyMilliseconds
        let connection = try Connection(
            path: folder.database, access: .readWrite, busyMilliseconds: busyMilliseconds, joinsLogWrites: true)
        // Turning the log on needs the file alone, and SQLite doesn't always wait for that by itself.
        guard turnstile.enter(milliseconds: busyMilliseconds) else {
            throw StoreError(.locked, detail: "another process is at the turnstile")
        }
        defer { turnstile.leave() }
        try Migrations.run(on: connection)
        self.connection = connection
        self.turnstile = turnstile
        if options.isServer { connection.report(logTo: meter) }
        dictionaries = try Dictionaries(connection)
        ledger = try Ledger(connection)
        var tuning = options.keys
        tuning.now = { [now = options.now] in now().microseconds }
        samples = try SampleStore(connection, dictionaries: dictionaries, ledger: ledger, tuning: tuning)
        keys = samples.keys
        keys.index.isTended = options.isServer
        writeBack = try WriteBack(connection, keys: keys)
        skipped = try SkippedRows(connection)
        puls = try PulsStore(connection, samples, dictionaries)
        beginStatement = try connection.prepare("BEGIN IMMEDIATE")
        commitStatement = try connection.prepare("COMMIT")
        savepoint = try connection.prepare("SAVEPOINT submission")
        release = try connection.prepare("RELEASE submission")
        changeState = try ChangeState(connection)
    }

    deinit { connection.rollback() }

    /// Whether the path still names the file that is open: a database restored over it must not be written past.
    func isCurrent(in folder: DataFolder) -> Bool {
        guard let now = folder.databaseIdentity(), let identity else { return false }
        return now == identity
    }

    /// After an error of the disk nobody knows how much of the log is on it: what upkeep has written without waiting for the disk,
    /// and what a sync that failed was to write, counts as written from then on. So all of it goes into the database, and that
    /// is synced, before anything is acknowledged again.
    ///
    /// - Throws: `.locked` while a reader is in the way.
    func leaveLogBehind() throws(StoreError) {
        let (logPages, donePages) = try connection.checkpoint(.passive)
        if donePages < logPages {
            throw StoreError(.locked, detail: "a reader holds the write-ahead log after an error of the disk")
        }
    }

    // MARK: Transactions

    /// - Parameter bytes: what the transaction brings, as `Submission.queueBytes` counts it.
    func begin(bringing bytes: Int = 0) throws(StoreError) {
        try fitCache(to: bytes)
        turnstile.pass(milliseconds: busyMilliseconds)
        try synchronize(true)
        try beginStatement.run()
        spilledAtBegin = connection.spilledPages
    }

    /// At nearly each COMMIT SQLite goes through all of its page cache, which is a tenth of the time of a small transaction; a
    /// large one needs the room.
    private func fitCache(to bytes: Int) throws(StoreError) {
        smallGroups = bytes < Self.largeGroupBytes ? smallGroups + 1 : 0
        let isLarge = smallGroups < Self.smallGroupsInARow
        if isLarge == isCacheLarge { return }
        try connection.execute("PRAGMA cache_size=-\(isLarge ? 16_384 : 2_048)")
        isCacheLarge = isLarge
    }

    private static let largeGroupBytes = 256 << 10
    private static let smallGroupsInARow = 16

    func commit() throws(StoreError) {
        do throws(StoreError) {
            try keys.flush()
            if isSynchronous { try connection.commitSynced(commitStatement) } else { try commitStatement.run() }
            keys.committed()
            ledger.forget()
        } catch {
            rollback()
            throw error
        }
    }

    func rollback() {
        connection.rollback()
        keys.rolledBack()
        forget()
    }

    /// What was remembered of a transaction that is no more.
    private func forget() {
        dictionaries.forget()
        ledger.forget()
        samples.forget()
        writeBack.forget()
        puls.forget()
    }

    /// Applies one submission of several in the open transaction: when it fails the others are untouched, unless the
    /// whole transaction is gone (`connection.isInTransaction`).
    func applyGuarded(_ submission: Submission) throws(StoreError) -> StoreOutcome {
        try savepoint.run()
        let mark = keys.mark()
        do throws(StoreError) {
            let outcome = try apply(submission)
            try release.run()
            keys.release()
            return outcome
        } catch {
            forget()
            keys.truncate(to: mark)
            // After pages went to the log early, ROLLBACK TO has SQLite 3.40 commit with check numbers that are wrong: who
            // reads the log after a crash finds its end there. Without a savepoint, each submission alone, there is no such thing.
            if connection.spilledPages != spilledAtBegin { connection.rollback() }
            if connection.isInTransaction {
                do throws(StoreError) {
                    try connection.execute("ROLLBACK TO submission")
                    try connection.execute("RELEASE submission")
                } catch {
                    connection.rollback()
                }
            }
            throw error
        }
    }

    /// Applies one submission in the open transaction; on an error the caller rolls back.
    func apply(_ submission: Submission) throws(StoreError) -> StoreOutcome {
        let endpoint = try dictionaries.endpoint(submission.endpoint)
        let delivery = try ledger.open()
        var outcome = StoreOutcome()
        var session: StoredSession?
        let round = try writeBack.round(for: submission, endpoint: endpoint)
        if case .results(let results) = submission.content {
            outcome.results = try writeBack.take(results, endpoint: endpoint, at: submission.receivedAt)
        } else if !submission.content.isEmpty {
            let device = try dictionaries.device(person: submission.person, name: submission.device)
            let origin = SampleOrigin(
                device: device, endpoint: endpoint, delivery: delivery,
                dialect: (submission.dialect ?? .native).code)
            switch submission.content {
            case .none, .results: break
            case .batch(let batch):
                if submission.dialect == .puls {
                    outcome = try puls.store(batch, origin, submission)
                } else if batch.window == nil && !batch.hasSkipped {
                    outcome = try samples.apply(batch, from: origin)
                    try round?.link(batch, device: device)
                } else {
                    var request = MergingRequest(origin, submission, round)
                    try request.take(batch, last: true, samples, skipped)
                    (outcome, session) = try request.finish(samples, skipped)
                }
            case .stream(let stream) where submission.dialect == .puls:
                outcome = try puls.store(stream, origin, submission)
            case .stream(let stream):
                var request = MergingRequest(origin, submission, round)
                try request.take(stream, samples, skipped)
                (outcome, session) = try request.finish(samples, skipped)
            }
        }
        if let round {
            (outcome.commandsSent, outcome.commandsMessage) = try round.message()
        }
        try ledger.close(delivery: delivery, endpoint: endpoint, submission, outcome, session: session)
        return outcome
    }

    // MARK: Upkeep

    /// Removes some of the deliveries that nothing refers to, and of the notes of changes, that came before `cutoff`.
    ///
    /// - Returns: how many deliveries, and whether there may be more to do.
    func pruneSlice(before cutoff: Timestamp) throws(StoreError) -> (deliveries: Int, isMore: Bool) {
        try begin()
        do throws(StoreError) {
            let result = try changeState.prune(before: cutoff.microseconds)
            try skipped.prune(before: cutoff.microseconds)
            try commit()
            return result
        } catch {
            rollback()
            throw error
        }
    }

    /// One slice of the uuid index's upkeep, in a transaction that waits for no disk: what of it is lost is done again.
    ///
    /// - Parameter isGuest: a server may be at the same: SQLite's own wait for its lock would lose against one that never pauses.
    /// - Returns: whether there is more to do.
    func tendKeys(entries: Int, isGuest: Bool = false) throws(StoreError) -> Bool {
        guard try keys.hasWork() else { return false }
        if isGuest && !turnstile.enter(milliseconds: busyMilliseconds) {
            throw StoreError(.locked, detail: "another process is at the turnstile")
        }
        defer { if isGuest { turnstile.leave() } }
        if !isGuest { turnstile.pass(milliseconds: busyMilliseconds) }
        try synchronize(false)
        do throws(StoreError) {
            try beginStatement.run()
            let start = Self.microseconds()
            try keys.tend(entries: entries)
            try commit()
            longestUpkeepMicroseconds = max(longestUpkeepMicroseconds, Self.microseconds() - start)
        } catch {
            rollback()
            throw error
        }
        return try keys.hasWork()
    }

    /// Has the uuid index whole where it is to be made anew, as after an update. A server that runs may do slices of it too: how
    /// far it is stands in the file.
    func finishRebuild(entries: Int) throws(StoreError) {
        keys.looksAgain = true
        while try keys.rebuildReason() != nil { _ = try tendKeys(entries: entries, isGuest: true) }
    }

    /// Does what upkeep there is, for a command that made some while no server runs. Stops when one begins.
    func tendKeysAlone(in folder: DataFolder, entries: Int) throws(StoreError) {
        keys.looksAgain = true
        while ServeLock.holder(of: folder) == nil, try tendKeys(entries: entries, isGuest: true) {}
    }

    private static func microseconds() -> Int64 {
        var time = timespec()
        unsafe _ = clock_gettime(CLOCK_MONOTONIC, &time)
        return Int64(time.tv_sec) * 1_000_000 + Int64(time.tv_nsec) / 1_000
    }

    private func synchronize(_ waits: Bool) throws(StoreError) {
        if isSynchronous == waits { return }
        try connection.execute(waits ? "PRAGMA synchronous=FULL" : "PRAGMA synchronous=NORMAL")
        isSynchronous = waits
    }

    /// Runs `body` in a transaction of its own while holding the turnstile: for a process that writes now and then.
    func alone<Result>(_ body: () throws(StoreError) -> Result) throws(StoreError) -> Result {
        guard turnstile.enter(milliseconds: busyMilliseconds) else {
            throw StoreError(.locked, detail: "another process is at the turnstile")
        }
        defer { turnstile.leave() }
        do throws(StoreError) {
            try synchronize(true)
            try beginStatement.run()
            let result = try body()
            try commit()
            return result
        } catch {
            rollback()
            throw error
        }
    }

    /// A transaction that writes a little and leaves nothing: shows whether the database can be written.
    func tryWriting() throws(StoreError) {
        try begin()
        do throws(StoreError) {
            // What is there, not what this program knows: a newer one may have been here meanwhile.
            let version = Int(try connection.integer("PRAGMA user_version") ?? 0)
            if version > Migrations.newest {
                throw StoreError(.tooNew(found: version, known: Migrations.newest))
            }
            try connection.execute("PRAGMA user_version=\(version)")
            try commit()
        } catch {
            rollback()
            throw error
        }
    }
}

extension Submission.Content {
    fileprivate var isEmpty: Bool {
        switch self {
        case .none: true
        case .batch(let batch):
            batch.samples.isEmpty && batch.deletions.isEmpty && !batch.hasSkipped && !batch.hasMore
        case .stream, .results: false
        }
    }
}

extension SampleBatch {
    fileprivate var hasSkipped: Bool { !skipped.isEmpty || skippedBeyond > 0 }

    /// Whether it says something even without a sample.
    fileprivate var hasMore: Bool {
        switch extras {
        case .relay, .puls: true
        case .steps, .imported, nil: false
        }
    }
}
