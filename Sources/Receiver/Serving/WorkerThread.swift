import Synchronization
import Threads

/// One thread for work that may take long: bodies past 1 MiB, questions to the disk.
///
/// Its queue needs no bound of its own: who adds to it holds memory from the budget for it.
package final class WorkerThread: Sendable {
    private struct State {
        var work: [@Sendable () -> Void] = []
        var isClosed = false
    }

    private let state = Mutex(State())
    private let signal = Signal()
    private let thread = Mutex<SystemThread?>(nil)

    package init(named name: String) {
        thread.withLock { $0 = SystemThread(named: name) { [self] in runAll() } }
    }

    package func run(_ work: @escaping @Sendable () -> Void) {
        state.withLock { $0.work.append(work) }
        signal.raise()
    }

    /// Does what was added, then ends the thread.
    package func close() {
        let thread = self.thread.withLock { thread in
            defer { thread = nil }
            return thread
        }
        state.withLock { $0.isClosed = true }
        signal.raise()
        thread?.join()
    }

    private func runAll() {
        while true {
            let (work, isClosed) = state.withLock { state in
                defer { state.work = [] }
                return (state.work, state.isClosed)
            }
            for item in work { item() }
            if work.isEmpty {
                if isClosed { return }
                signal.wait()
            }
        }
    }
}
