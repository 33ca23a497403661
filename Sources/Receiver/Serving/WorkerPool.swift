import Glibc
import Synchronization
import Threads

/// Threads for work that may take long, away from the I/O threads: first come, first served.
///
/// The queue needs no bound of its own: who adds to it holds memory from the budget, or a file of the spool, for it.
package final class WorkerPool: Sendable {
    private struct State: Sendable {
        var work: [@Sendable () -> Void] = []
        var isClosed = false
    }

    private let state = Monitor(State())
    private let threads = Mutex<[SystemThread]>([])

    /// - Parameters:
    ///   - name: of the threads, with a number behind it.
    ///   - count: how many pieces of work are done at once.
    ///   - niceness: of the threads, where the system allows it: a processor that another thread of ours asks
    ///     for goes to that one first.
    package init(named name: String, threads count: Int, niceness: CInt = 0) {
        let started = (0..<count).map { index in
            SystemThread(named: "\(name)-\(index)") { [self] in
                // Of Linux's priorities each thread has its own; 0 is the one that calls.
                if niceness > 0 { _ = setpriority(__priority_which_t(PRIO_PROCESS.rawValue), 0, niceness) }
                runAll()
            }
        }
        threads.withLock { $0 = started }
    }

    package func run(_ work: @escaping @Sendable () -> Void) { state.withLock { $0.work.append(work) } }

    /// Does what was added, then ends the threads.
    package func close() {
        let threads = self.threads.withLock { threads in
            defer { threads = [] }
            return threads
        }
        state.withLock { $0.isClosed = true }
        for thread in threads { thread.join() }
    }

    private enum Turn { case work(@Sendable () -> Void), end }

    private func runAll() {
        while true {
            let turn = state.wait(milliseconds: 600_000) { state -> Turn? in
                if !state.work.isEmpty { return .work(state.work.removeFirst()) }
                return state.isClosed ? .end : nil
            }
            switch turn {
            case .work(let work)?: work()
            case .end?: return
            case nil: break
            }
        }
    }
}
