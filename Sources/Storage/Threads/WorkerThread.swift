import Glibc

/// A thread of our own: SQLite waits for disks, and the cooperative pool has no thread to spare for that.
///
/// It takes no signals, so that the program's handlers run where the program expects them.
@safe final class WorkerThread: Sendable {
    private let thread: pthread_t

    private final class Body {
        let run: @Sendable () -> Void
        init(_ run: @escaping @Sendable () -> Void) { self.run = run }
    }

    /// - Throws: when the system gives no thread.
    init(_ body: @escaping @Sendable () -> Void) throws(StoreError) {
        var all = sigset_t(), before = sigset_t()
        unsafe _ = sigfillset(&all)
        unsafe _ = pthread_sigmask(SIG_SETMASK, &all, &before)
        var created = pthread_t()
        let context = unsafe Unmanaged.passRetained(Body(body))
        let code = unsafe pthread_create(
            &created, nil,
            { context in
                if let context = unsafe context { unsafe Unmanaged<Body>.fromOpaque(context).takeRetainedValue().run() }
                return nil
            }, context.toOpaque())
        unsafe _ = pthread_sigmask(SIG_SETMASK, &before, nil)
        guard code == 0 else {
            unsafe context.release()
            throw StoreError(.failed, detail: "no thread: \(systemMessage(code))")
        }
        thread = created
    }

    /// Waits for the end. Called once, and not by the thread itself.
    func join() { _ = pthread_join(thread, nil) }
}
