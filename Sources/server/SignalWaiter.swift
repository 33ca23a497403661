import Glibc

/// Takes signals one at a time on the thread that asks, so that nothing runs inside of a signal handler.
///
/// Threads that are started later inherit the block, so that the signals reach nobody else.
struct SignalWaiter {
    private var signals = sigset_t()

    init(_ numbers: [CInt]) {
        unsafe sigemptyset(&signals)
        for number in numbers { unsafe sigaddset(&signals, number) }
        unsafe pthread_sigmask(SIG_BLOCK, &signals, nil)
    }

    /// Waits for the next one and returns its number.
    func wait() -> CInt {
        var (set, number) = (signals, CInt(0))
        while unsafe sigwait(&set, &number) != 0 {}
        return number
    }
}
