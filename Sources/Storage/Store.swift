import Samples
import Threads

/// The database that samples go into: any thread submits, one thread writes.
///
/// A reply of success means: committed and synced to the disk. Everything that waits shares the next transaction, so
/// that many small submissions cost one sync; each stands or falls alone.
package final class Store: Sendable {
    package typealias Reply = @Sendable (Result<StoreOutcome, StoreFault>) -> Void

    let core: WriterCore
    private let writerThread: SystemThread
    private let checkpointThread: SystemThread?
    private let checkThread: SystemThread?
    let damageCheck = DamageCheck()
    private let closing = Monitor(Closing.open)

    private enum Closing { case open, running, done }

    /// Opens `DIR/health.db`, making folder and file owner-only when they are missing, and migrates it.
    ///
    /// - Throws: what would make the store useless: `.tooNew`, `.foreign`, `.damaged`, `.readOnly`, `.full`, `.locked`.
    package static func open(directory: String, options: StoreOptions = StoreOptions()) throws(StoreError) -> Store {
        let folder = try DataFolder.prepare(directory)
        let writer = try Writer(folder, options, create: true)
        var wasUnclean = false
        if options.isServer { wasUnclean = try folder.placeOpenMarker() }
        return try Store(WriterCore(folder, options, writer), checkFirst: wasUnclean)
    }

    private init(_ core: WriterCore, checkFirst: Bool) throws(StoreError) {
        self.core = core
        let checkpointer = core.checkpointer
        writerThread = try Self.start(named: "writer") { core.run() }
        do throws(StoreError) {
            checkpointThread =
                core.options.isServer ? try Self.start(named: "checkpoint") { checkpointer.run() } : nil
        } catch {
            core.queue.withLock { $0.isClosing = true }
            writerThread.join()
            throw error
        }
        if checkFirst {
            let damageCheck = damageCheck
            // Without a thread the check is left out: better to receive than not to.
            checkThread = try? SystemThread.start(named: "check") {
                if let damage = damageCheck.run(core.folder, busyMilliseconds: core.options.busyMilliseconds) {
                    core.note(damage)
                }
            }
        } else {
            checkThread = nil
        }
    }

    private static func start(
        named name: String, _ body: @escaping @Sendable () -> Void
    ) throws(StoreError) -> SystemThread {
        do throws(ThreadError) { return try SystemThread.start(named: name, body) } catch {
            throw StoreError(.failed, detail: "no thread: \(error)")
        }
    }

    deinit { close() }

    /// Hands a submission to the writer thread and returns at once.
    ///
    /// - Parameter reply: called exactly once: on the writer thread after the commit, or at once on this thread with
    ///   `.overloaded`, `.closed` or `.damaged`. It must not block.
    package func submit(_ submission: Submission, reply: @escaping Reply) {
        if core.isDamaged { return reply(.failure(.damaged)) }
        let refusal = core.queue.withLock { queue -> StoreFault? in
            if queue.isClosing { return .closed }
            let bytes = submission.queueBytes
            // One that is larger than the whole bound passes when nothing waits: else it never would.
            if queue.bytes + bytes > core.options.queueBytes && queue.bytes > 0 { return .overloaded }
            queue.bytes += bytes
            queue.items.append(.submission(WriterCore.Pending(submission: submission, bytes: bytes, reply: reply)))
            return nil
        }
        if let refusal { reply(.failure(refusal)) }
    }

    /// Writes what waits, moves the log into the database and closes. Blocks until that is done; later calls too.
    /// Not to be called from a reply: it waits for the thread that replies.
    package func close() {
        let isFirst = closing.withLock { closing in
            defer { if closing == .open { closing = .running } }
            return closing == .open
        }
        guard isFirst else {
            _ = closing.wait(milliseconds: .max / 2_000_000) { $0 == .done ? true : nil }
            return
        }
        damageCheck.cancel()
        core.queue.withLock { $0.isClosing = true }
        writerThread.join()
        core.checkpointer.close()
        checkpointThread?.join()
        checkThread?.join()
        // A check that was cut short is made at the next start.
        core.finish(keepsMarker: checkThread != nil && !damageCheck.isFinished)
        closing.withLock { $0 = .done }
    }

    /// How the store is, as far as the last transactions told.
    package var condition: StoreCondition { core.condition.read { $0 } }

    /// For `readyz`: `condition`, and whether the disk has room and the file may be written. Never waits.
    ///
    /// While something is wrong it also has the writer thread try again, so that the state becomes `.ok` by itself
    /// although no phone sends anything.
    package func probe() -> StoreCondition { core.probe() }

    /// What waits for the writer thread, as `Submission.queueBytes` counts it.
    package var queuedBytes: Int { core.queue.read { $0.bytes } }

    package var counters: StoreCounters {
        var counters = core.counters.read { $0 }
        counters.checkpoints = core.checkpointer.count
        return counters
    }

    /// Runs `job` between two transactions on the writer thread, and waits for it: for tests.
    func onWriter<Result: Sendable>(_ job: @escaping @Sendable (Writer?) -> Result) -> Result? {
        let slot = Monitor(Result?.none)
        let isTaken = core.queue.withLock { queue -> Bool in
            if queue.isClosing { return false }
            queue.items.append(
                .job { writer in
                    let result = job(writer)
                    slot.withLock { $0 = result }
                })
            return true
        }
        return isTaken ? slot.wait(milliseconds: 60_000) { $0 } : nil
    }
}

extension Submission {
    /// What it holds in memory, near enough for a bound.
    var queueBytes: Int {
        switch content {
        case .none: 512
        case .batch(let batch): 512 + batch.queueBytes
        case .stream(let stream): 512 + stream.bytes
        case .results(let results): results.reduce(512) { $0 + 128 + $1.json.count }
        }
    }
}

extension SampleBatch {
    fileprivate var queueBytes: Int {
        arena.count + samples.count * MemoryLayout<SampleRecord>.stride
            + deletions.count * MemoryLayout<DeletionRecord>.stride + texts.count * 16 + (extras?.queueBytes ?? 0)
    }
}
