import Glibc
import Insights
import Synchronization
import Threads

/// The thread that works days out before anybody asks: after a start, and again some while after something was stored, so
/// that the first look of the morning finds them done.
///
/// It steps a month of one type at a time, and rests between two steps as long as the last one took: deliveries and
/// questions have the other half of a processor that has only one.
final class WorkAhead: Sendable {
    /// Between two looks whether anything was stored; a question doesn't wait for it.
    private static let restMilliseconds: Int64 = 600_000
    private static let niceness: CInt = 10

    private let context: APIContext
    private let isStopping = Atomic(false)
    private let signal = Signal()
    private let thread = Mutex<SystemThread?>(nil)

    init(context: APIContext) { self.context = context }

    func start() {
        thread.withLock { thread in
            thread = SystemThread(named: "api-ahead") { [self] in
                _ = setpriority(__priority_which_t(PRIO_PROCESS.rawValue), 0, Self.niceness)
                run()
            }
        }
    }

    /// Looks now.
    func wake() { signal.raise() }

    func stop() {
        isStopping.store(true, ordering: .relaxed)
        signal.raise()
    }

    func join() { thread.join() }

    private var stops: Bool { isStopping.load(ordering: .relaxed) }

    private func run() {
        while !stops {
            // Without a token nobody can ask.
            if !context.currentSettings.tokens.isEmpty { workOut() }
            if !stops { signal.wait(milliseconds: Self.restMilliseconds) }
        }
    }

    /// Until nothing is left. A fault ends it: whoever asks next is told.
    private func workOut() {
        let lease = context.lease()
        var isSound = false
        defer { lease.end(isSound: isSound) }
        guard let model = try? lease.readModel() else { return }
        while !stops {
            let began = context.clock.monotonicMicroseconds()
            guard let isMore = try? model.workAhead() else { return }
            guard isMore, context.isCurrent(lease) else { break }
            signal.wait(milliseconds: min(1_000, (context.clock.monotonicMicroseconds() - began) / 1_000))
        }
        isSound = true
    }
}
