/// Where a uuid may be: hints by hash, in memory (the newest), and in sorted runs behind Bloom filters.
///
/// A superset of the truth: each row of `sample` under a uuid has an entry, once the rows that an older program put into
/// `sample_key` are moved; an entry may be of a row that is gone. What is in memory follows the transaction: `committed`,
/// `rolledBack`, and the marks of savepoints. Other processes' changes show in `key_state.revision`.
final class KeyIndex {
    let tables: KeyTables
    let rebuild: KeyRebuild
    let tuning: KeyTuning
    private(set) var isLoaded = false
    /// The revision was compared in this transaction.
    private var isCurrent = false
    /// Runs, logs or merges changed in this transaction: a rollback has all be read anew.
    private var isChanged = false
    var state = KeyTables.State()
    private(set) var recent = RecentKeys()
    /// Entries of `recent` that rows of `key_log` hold; those behind are of this transaction.
    private(set) var logged = 0
    private(set) var logs: [(id: Int64, entries: Int)] = []
    private(set) var runs: [KeyRun] = [] { didSet { areRunsSettled = false } }
    /// Entries of this transaction whose rows go.
    private var pendingStale = 0
    /// Half-written or replaced runs that are still to be removed.
    var dead: [Int64] = []
    /// The one of them that was announced.
    private(set) var removing: Int64?
    var merges: [KeyMerge] = [] { didSet { areRunsSettled = false } }
    /// Of the runs as they are none is to be merged: found out once, and not after each transaction.
    var areRunsSettled = false
    /// Someone merges between the transactions; else runs are made when there is enough for one.
    var isTended = false
    /// In a savepoint: entries must stay where `truncate` finds them.
    private var isGuarded = false
    /// How much further the savepoint has brought the revision, on the disk too.
    private var guardedRevisions: Int64 = 0

    init(_ connection: Connection, _ tuning: KeyTuning) throws(StoreError) {
        tables = try KeyTables(connection)
        rebuild = try KeyRebuild(connection, tables, tuning)
        self.tuning = tuning
    }

    // MARK: Transactions

    /// Called first in each transaction that uses the index.
    ///
    /// - Returns: whether all was read anew.
    func prepare() throws(StoreError) -> Bool {
        if isCurrent { return false }
        if let damage = tables.damage { throw StoreError(.rebuilding, detail: damage) }
        let revision = try tables.revision()
        let isOld = !isLoaded || revision != state.revision
        if isOld { try load() }
        isCurrent = true
        return isOld
    }

    private func load() throws(StoreError) {
        unload()
        if let reason = try rebuild.reason() { throw StoreError(.rebuilding, detail: reason) }
        state = try tables.state()
        for run in try tables.runs() {
            if run.id >= state.nextRun { throw tables.damaged(Self.futureRow) }
            if run.state == .ready {
                runs.append(
                    KeyRun(id: run.id, level: run.level, entries: run.entries, filter: try tables.filter(of: run)))
            } else {
                dead.append(run.id)
            }
        }
        try tables.logs { (id, entries) in
            for entry in entries { recent.append(entry) }
            logs.append((id, entries.count))
        }
        if let last = logs.last, last.id > state.revision {
            throw tables.damaged(Self.futureRow)
        }
        logged = recent.count
        if entries != state.entries { throw tables.damaged("the uuid index has lost a run or a row of its log") }
        isLoaded = true
    }

    private static let futureRow = "the uuid index has a row with a number that is still to be given"

    /// In the log and in ready runs.
    private var entries: Int64 { Int64(runs.reduce(logged) { $0 + $1.entries }) }

    private func writeState() throws(StoreError) {
        state.entries = entries
        try tables.write(state)
    }

    /// Gives the memory back; the next use reads all anew. Not in a transaction that has used it.
    func unload() {
        isLoaded = false
        isCurrent = false
        isChanged = false
        recent = RecentKeys()
        logged = 0
        logs = []
        runs = []
        dead = []
        removing = nil
        merges = []
    }

    /// Entries of this transaction.
    private var pending: Int { recent.count - logged }

    /// A savepoint begins.
    ///
    /// - Returns: what `truncate` takes when it is rolled back.
    func mark() -> Int {
        isGuarded = true
        guardedRevisions = 0
        return pending
    }

    func release() {
        isGuarded = false
        guardedRevisions = 0
    }

    func truncate(to mark: Int) {
        isGuarded = false
        state.revision -= guardedRevisions
        guardedRevisions = 0
        recent.truncate(to: min(recent.count, logged + mark))
    }

    /// Before COMMIT: the entries of this transaction go to the disk.
    func flush() throws(StoreError) {
        if pendingStale > 0 {
            try tables.addStale(pendingStale, at: tuning.now())
            pendingStale = 0
        }
        if pending == 0 { return }
        if recent.count >= tuning.recentEntries * (isTended ? 8 : 1) { return try spill(from: 0) }
        isChanged = true
        state.revision += 1
        let id = state.revision
        try tables.addLog(id, recent.entries[logged...])
        logs.append((id, pending))
        logged = recent.count
        try writeState()
    }

    func committed() {
        isCurrent = false
        isChanged = false
    }

    func rolledBack() {
        isGuarded = false
        guardedRevisions = 0
        isCurrent = false
        pendingStale = 0
        if isChanged { return unload() }
        recent.truncate(to: logged)
    }

    // MARK: Entries

    func add(_ entry: KeyEntry) throws(StoreError) {
        if pending >= tuning.recentEntries && !isGuarded { try spill(from: logged) }
        recent.append(entry)
    }

    /// Whether this transaction has added `entry`. Only then it counts: an older one may be of a row that was gone when a
    /// merge under way looked, which then leaves it out.
    func hasPending(_ entry: KeyEntry) -> Bool { recent.contains(entry, since: logged) }

    /// `find` comes for this hash soon.
    func prefetch(_ hash: UInt64) {
        recent.prefetch(hash)
        for run in runs { run.filter.prefetch(hash) }
    }

    /// The places that `hash` has entries for.
    func find(_ hash: UInt64, found: inout [SamplePlace]) throws(StoreError) {
        recent.find(hash, found: &found)
        for run in runs where run.filter.mayContain(hash) {
            try tables.search(run.id, for: hash, found: &found)
        }
    }

    /// Makes a run of the newest entries, those of the log included when `first` is 0, in this transaction.
    private func spill(from first: Int) throws(StoreError) {
        isChanged = true
        let entries = BucketSort.sorted(recent.entries[first...], by: { $0.hash }, KeyEntry.precedes)
        var writer = KeyRunWriter(
            try newRun(level: 1, capacity: entries.count), capacity: entries.count, pageBytes: tuning.pageBytes)
        for entry in entries { try writer.add(entry, tables) }
        try writer.finish(tables)
        if first == 0, let from = logs.first?.id, let to = logs.last?.id {
            try tables.removeLogs(from...to)
            logs = []
            logged = 0
            // They may be at work on what was just removed.
            dead += merges.map(\.writer.id)
            merges = []
        }
        recent.remove(first..<recent.count)
        try publish(writer, level: 1)
        try writeState()
    }

    // MARK: Runs

    /// Takes an id and makes the row of a run that is to be written.
    func newRun(level: Int64, capacity: Int) throws(StoreError) -> Int64 {
        isChanged = true
        let id = state.nextRun
        state.nextRun += 1
        state.revision += 1  // so that nobody takes the id again
        try tables.add(
            KeyTables.Run(
                id: id, level: level, entries: capacity, blocks: KeyFilter(entries: capacity).blocks, state: .writing))
        try writeState()
        return id
    }

    private func publish(_ writer: KeyRunWriter, level: Int64) throws(StoreError) {
        state.revision += 1
        try tables.set(writer.id, .ready, entries: writer.entries)
        runs.append(KeyRun(id: writer.id, level: level, entries: writer.entries, filter: writer.filter))
    }

    /// Has a finished merge take the place of what it was made of.
    func finish(_ merge: KeyMerge) throws(StoreError) {
        isChanged = true
        try publish(merge.writer, level: merge.level)
        for run in runs where merge.inputs.contains(run.id) {
            try tables.set(run.id, .dead, entries: run.entries)
            dead.append(run.id)
        }
        runs.removeAll { merge.inputs.contains($0.id) }
        if let log = merge.log {
            try tables.removeLogs(log.ids)
            logs.removeAll { log.ids.contains($0.id) }
            logged -= log.entries.count
            recent.remove(log.entries)
        }
        try writeState()
    }

    func announceRemoval(of run: Int64) throws(StoreError) {
        removing = run
        try announce()
    }

    /// Has other processes read all anew.
    func announce() throws(StoreError) {
        isChanged = true
        state.revision += 1
        if isGuarded { guardedRevisions += 1 }
        try writeState()
    }

    // MARK: Entries of rows that are gone

    /// Counts entries whose rows go in this transaction.
    func noteStale(_ count: Int = 1) { pendingStale += count }

    /// Whether there are many of them, or old ones, and none is on its way out.
    var isCleaningDue: Bool {
        let stale = tables.stale
        if !isLoaded || stale.count == 0 || isCleaning { return false }
        if stale.count >= max(Int64(tuning.staleEntries), state.entries / 8) { return true }
        return tuning.isOld(stale)
    }

    private var isCleaning: Bool {
        runs.contains { $0.id < state.cleanRun } || logs.first.map { $0.id <= state.cleanLog } == true
    }

    /// Has every run and the log that there are now compared with the samples: entries of rows that are gone go too.
    func requestCleaning() throws(StoreError) {
        isChanged = true
        state.revision += 1
        state.cleanRun = state.nextRun
        areRunsSettled = false
        state.cleanLog = state.revision
        try writeState()
        try tables.clearStale()
        pendingStale = 0
    }

    /// A slice of upkeep begins: what fails from here on has all be read anew.
    func willChange() { isChanged = true }
}

extension KeyTuning {
    /// A clock that was set back makes all old: better too early than never.
    func isOld(_ stale: KeyTables.Stale) -> Bool {
        let age = now().subtractingReportingOverflow(stale.since)
        return age.overflow || age.partialValue < 0 || age.partialValue >= staleMicroseconds
    }
}
