import Glibc
import Synchronization

/// Makes SIGINT, SIGTERM and SIGHUP a question that a long command asks between two steps, so that it can take away what
/// it has half written.
enum Interrupts {
    /// - Returns: what answers true once a signal has come.
    static func watch() -> @Sendable () -> Bool {
        for number in [SIGINT, SIGTERM, SIGHUP] {
            var action = sigaction()
            // A second Ctrl-C ends the program at once; no SA_RESTART, so that a write that blocks comes back.
            action.sa_flags = CInt(bitPattern: UInt32(SA_RESETHAND))
            unsafe action.__sigaction_handler.sa_handler = { _ in
                interrupted.store(true, ordering: .relaxed)
            }
            unsafe _ = sigaction(number, &action, nil)
        }
        return { interrupted.load(ordering: .relaxed) }
    }
}

/// Lock-free, and made before a handler that sets it can run.
private let interrupted = Atomic<Bool>(false)
