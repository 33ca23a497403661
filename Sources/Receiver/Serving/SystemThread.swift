import CLinux
import Glibc

/// A thread of the operating system. Everything that may block runs on one of these, never on Swift's cooperative pool.
package struct SystemThread: Sendable {
    private let handle: pthread_t

    private final class Body: Sendable {
        let name: String
        let run: @Sendable () -> Void
        init(name: String, run: @escaping @Sendable () -> Void) {
            self.name = name
            self.run = run
        }
    }

    /// Starts `body` on a new thread with all signals blocked, so that they reach the thread that waits for them.
    ///
    /// - Parameter name: shown by `ps -T`; the kernel keeps 15 bytes.
    package init(named name: String, _ body: @escaping @Sendable () -> Void) {
        var all = sigset_t(), before = sigset_t()
        unsafe sigfillset(&all)
        unsafe pthread_sigmask(SIG_SETMASK, &all, &before)
        defer { unsafe pthread_sigmask(SIG_SETMASK, &before, nil) }
        var handle = pthread_t()
        let box = unsafe Unmanaged.passRetained(Body(name: name, run: body)).toOpaque()
        let status = unsafe pthread_create(
            &handle, nil,
            { argument in
                let body = unsafe Unmanaged<Body>.fromOpaque(argument!).takeRetainedValue()
                unsafe linux_set_thread_name(body.name)
                body.run()
                return nil
            }, box)
        precondition(status == 0, "no thread could be made")
        self.handle = handle
    }

    /// Waits for the end of the thread. Call once.
    package func join() { pthread_join(handle, nil) }
}
