import Samples
import Synchronization
import Threads

/// The writer thread: takes all that waits into one transaction, and answers after its commit.
final class WriterCore: Sendable {
    /// A class: a submission has many parts to be counted with each copy.
    final class Pending: Sendable {
        let submission: Submission
        let bytes: Int
        let reply: Store.Reply

        init(submission: Submission, bytes: Int, reply: @escaping Store.Reply) {
            self.submission = submission
            self.bytes = bytes
            self.reply = reply
        }
    }

    enum Item: Sendable {
        case submission(Pending)
        case job(@Sendable (Writer?) -> Void)
    }

    struct Queue: Sendable {
        var items: [Item] = []
        var bytes = 0
        var isClosing = false
        /// A try to write is under way because `probe` asked for it.
        var isProbing = false
    }

    /// `@unchecked Sendable`: handed from the opener to the writer thread, and after its end to the closer.
    private final class WriterSlot: @unchecked Sendable {
        var writer: Writer?
        var lastPrune: Timestamp?
        var pruneGoesOn = false
        /// The uuid index has something to be merged.
        var tendingGoesOn = true
        /// Rows that the last groups brought: what upkeep keeps pace with.
        var newRows = 0
        init(_ writer: Writer) { self.writer = writer }
    }

    let folder: DataFolder
    let options: StoreOptions
    let queue = Monitor(Queue())
    let condition = Monitor(StoreCondition())
    let counters = Monitor(StoreCounters())
    let checkpointer: Checkpointer
    private let slot: WriterSlot
    private let needsNewWriter = Atomic(false)
    /// The disk has failed since the log was last moved into the database as a whole.
    private let distrustsLog = Atomic(false)

    /// Wakes this often without work, to see whether pruning is due.
    private static let idleMilliseconds = 600_000
    private static let microsecondsADay: Int64 = 86_400_000_000

    init(_ folder: DataFolder, _ options: StoreOptions, _ writer: Writer) {
        self.folder = folder
        self.options = options
        slot = WriterSlot(writer)
        let condition = condition
        checkpointer = Checkpointer(folder, options) { error in Self.note(error, in: condition) }
    }

    // MARK: The thread

    private enum Work {
        case group([Pending])
        case job(@Sendable (Writer?) -> Void)
        case end
    }

    func run() {
        if options.isServer { pruneWhenDue() }
        while true {
            let pause = slot.pruneGoesOn || (tendsKeys && slot.tendingGoesOn) ? 0 : Self.idleMilliseconds
            switch queue.wait(milliseconds: pause, for: takeWork) {
            case .group(let group): commit(group)
            case .job(let job): job(slot.writer)
            case nil: if pause > 0 { slot.writer?.keys.rest() }
            case .end: return
            }
            if options.isServer { pruneWhenDue() }
            if tendsKeys { tendKeys() }
        }
    }

    /// Everything that waits, up to the bounds of one transaction; nil when nothing does.
    private func takeWork(_ queue: inout Queue) -> Work? {
        guard let first = queue.items.first else { return queue.isClosing ? .end : nil }
        if case .job(let job) = first {
            queue.items.removeFirst()
            return .job(job)
        }
        var group: [Pending] = [], bytes = 0
        for case .submission(let pending) in queue.items.prefix(while: \.isSubmission) {
            if !group.isEmpty && bytes + pending.bytes > options.groupBytes { break }
            if group.count == options.groupSubmissions { break }
            // A stream has a transaction of its own: it takes long, and fails late.
            if !group.isEmpty && pending.submission.isStream { break }
            group.append(pending)
            bytes += pending.bytes
            if pending.submission.isStream { break }
        }
        queue.items.removeFirst(group.count)
        return .group(group)
    }

    private func commit(_ group: [Pending]) {
        let results = attempt(group)
        for case .success(let outcome) in results { slot.newRows += outcome.stored + outcome.changed }
        // Freed before the replies: whoever is told of success may submit the next at once.
        queue.withLock { queue in
            for pending in group { queue.bytes -= pending.bytes }
        }
        if let pages = slot.writer?.meter.pages, options.isServer { checkpointer.logIs(pages: pages) }
        for (pending, result) in zip(group, results) { pending.reply(result) }
    }

    private func attempt(_ group: [Pending]) -> [Result<StoreOutcome, StoreFault>] {
        do throws(StoreError) {
            let writer = try currentWriter()
            try writer.begin(bringing: group.bytes)
            return try write(group, writer)
        } catch {
            note(error)
            counters.withLock { $0.failures += group.count }
            return group.map { _ in .failure(error.fault) }
        }
    }

    /// In the open transaction; leaves none open.
    ///
    /// A savepoint a submission costs a copy of each page that it touches, and hardly ever is one needed: so the first try
    /// has none, and a group of which something fails is done over with them.
    ///
    /// - Throws: when nothing of the group was stored.
    private func write(
        _ group: [Pending], _ writer: Writer, isGuarded: Bool = false
    ) throws(StoreError) -> [Result<StoreOutcome, StoreFault>] {
        var results: [Result<StoreOutcome, StoreFault>] = []
        var failures = 0
        do throws(StoreError) {
            if !isGuarded {
                for pending in group { results.append(.success(try writer.apply(pending.submission))) }
            } else {
                for pending in group {
                    do throws(StoreError) {
                        results.append(.success(try writer.applyGuarded(pending.submission)))
                    } catch {
                        if error.isOfAll || !writer.connection.isInTransaction { throw error }
                        failures += 1
                        note(error)
                        results.append(.failure(error.fault))
                    }
                }
            }
            try writer.commit()
            if writer.ledger.changes.takeNews() { options.onChange?() }
        } catch {
            writer.rollback()
            if group.count == 1 || error.isOfAll { throw error }
            if !isGuarded {
                try writer.begin(bringing: group.bytes)
                return try write(group, writer, isGuarded: true)
            }
            // The whole transaction is gone: each alone, so that the one at fault takes none with it.
            note(error)
            return group.flatMap { attempt([$0]) }
        }
        counters.withLock { counters in
            counters.transactions += 1
            counters.submissions += group.count - failures
            counters.failures += failures
        }
        recovered()
        return results
    }

    /// The writer, opened anew after an error that a new connection may not meet.
    private func currentWriter() throws(StoreError) -> Writer {
        if isDamaged { throw StoreError(.damaged) }
        let isStale = needsNewWriter.exchange(false, ordering: .relaxed)
        if let writer = slot.writer {
            if !writer.isCurrent(in: folder) { writer.connection.leaveLogOnClose() } else if !isStale { return writer }
        }
        slot.writer = nil
        let writer = try Writer(folder, options, create: false)
        if distrustsLog.load(ordering: .relaxed) {
            try writer.leaveLogBehind()
            distrustsLog.store(false, ordering: .relaxed)
        }
        slot.writer = writer
        return writer
    }

    // MARK: Condition

    var isDamaged: Bool { condition.read { $0.state == .damaged } }

    func note(_ error: StoreError) {
        Self.note(error, in: condition)
        switch error.reason {
        case .failed where error.isOfOneRow: break
        case .failed:
            needsNewWriter.store(true, ordering: .relaxed)
            if error.isOfDisk { distrustsLog.store(true, ordering: .relaxed) }
        case .readOnly, .missing, .tooNew, .foreign: needsNewWriter.store(true, ordering: .relaxed)
        case .rebuilding:
            slot.writer?.keys.looksAgain = true
            slot.tendingGoesOn = true
        case .full, .locked, .damaged, .refused, .givenUp: break
        }
    }

    private static func note(_ error: StoreError, in condition: Monitor<StoreCondition>) {
        if case .refused = error.reason { return }
        if error.reason == .givenUp { return }
        condition.withLock { condition in
            if condition.state != .damaged { condition = StoreCondition(error) }
        }
    }

    private func recovered() {
        let stays: [StoreCondition.State] = [.ok, .damaged, .rebuilding]
        if condition.read({ !stays.contains($0.state) }) {
            condition.withLock { if !stays.contains($0.state) { $0.state = .ok } }
        }
    }

    /// Whoever meets a damaged index makes it anew, since a server may not run.
    private var tendsKeys: Bool { options.isServer || isRebuilding }

    private var isRebuilding: Bool { condition.read { $0.state == .rebuilding } }

    func probe() -> StoreCondition {
        var now = condition.read { $0 }
        if now.state == .damaged || now.state == .rebuilding { return now }
        if now.state != .ok { tryAgain() }
        let (isWritable, freeBytes) = folder.space()
        if now.state == .ok && !isWritable { now = StoreCondition(StoreError(.readOnly)) }
        if now.state == .ok && freeBytes < options.minimumFreeBytes { now = StoreCondition(StoreError(.full)) }
        return now
    }

    private func tryAgain() {
        queue.withLock { queue in
            if queue.isProbing || queue.isClosing || !queue.items.isEmpty { return }
            queue.isProbing = true
            queue.items.append(
                .job { [self] _ in
                    do throws(StoreError) {
                        try currentWriter().tryWriting()
                        recovered()
                    } catch {
                        note(error)
                    }
                    self.queue.withLock { $0.isProbing = false }
                })
        }
    }

    // MARK: Upkeep

    /// At the start and once a day; one slice at a time, so that submissions come in between.
    private func pruneWhenDue() {
        let now = options.now()
        if !slot.pruneGoesOn, let last = slot.lastPrune {
            let passed = now.microseconds.subtractingReportingOverflow(last.microseconds)
            // A clock that was set back starts the day anew.
            if !passed.overflow && passed.partialValue >= 0 && passed.partialValue < Self.microsecondsADay { return }
        }
        slot.lastPrune = now
        slot.pruneGoesOn = false
        let age = Int64(options.deliveryDays).multipliedReportingOverflow(by: Self.microsecondsADay)
        let cutoff = now.microseconds.subtractingReportingOverflow(age.partialValue)
        if age.overflow || cutoff.overflow { return }
        do throws(StoreError) {
            let (count, isMore) = try currentWriter().pruneSlice(before: Timestamp(microseconds: cutoff.partialValue))
            slot.pruneGoesOn = isMore
            if count > 0 { counters.withLock { $0.prunedDeliveries += count } }
        } catch {
            note(error)
        }
    }

    /// One slice of the uuid index's upkeep: in proportion to what came, so that it keeps pace and no reply waits long.
    private func tendKeys() {
        guard let writer = slot.writer, !isDamaged else {
            slot.tendingGoesOn = false  // a new writer looks by itself
            return
        }
        let slice = options.keys.sliceEntries
        let entries = min(max(slice / 8, slot.newRows * 6), slice * 3)
        slot.newRows = 0
        do throws(StoreError) {
            slot.tendingGoesOn = try writer.tendKeys(entries: entries)
            if let reason = try writer.keys.rebuildReason() {
                note(StoreError(.rebuilding, detail: reason))
            } else if isRebuilding {
                condition.withLock { if $0.state == .rebuilding { $0.state = .ok } }
            }
            let longest = writer.longestUpkeepMicroseconds
            counters.withLock { counters in
                counters.upkeepSlices += 1
                counters.longestUpkeepMicroseconds = max(counters.longestUpkeepMicroseconds, longest)
            }
            checkpointer.logIs(pages: writer.meter.pages)
        } catch {
            // Tried again after the next group; the reply of that one says what is wrong.
            slot.tendingGoesOn = error.reason == .rebuilding
            note(error)
        }
    }

    /// After the threads' end: moves the log into the database, and takes the marker of an unclean stop away.
    func finish(keepsMarker: Bool) {
        defer { slot.writer = nil }
        guard options.isServer, let writer = slot.writer else { return }
        // A reader may be in the way; the log then stays, and is as good as the database.
        _ = try? writer.connection.checkpoint(.truncate)
        slot.writer = nil
        if !isDamaged && !keepsMarker { folder.removeOpenMarker() }
    }
}

extension StoreError {
    /// Whatever else is in the transaction would meet it too.
    fileprivate var isOfAll: Bool { reason == .damaged || reason == .rebuilding }
}

extension [WriterCore.Pending] {
    fileprivate var bytes: Int { reduce(0) { $0 + $1.bytes } }
}

extension WriterCore.Item {
    fileprivate var isSubmission: Bool {
        if case .submission = self { true } else { false }
    }
}

extension Submission {
    fileprivate var isStream: Bool {
        if case .stream = content { true } else { false }
    }
}
