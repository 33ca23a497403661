import CLinux
import Glibc
import Synchronization

/// A thread of the operating system. Everything that may block runs on one of these, never on Swift's cooperative pool,
/// which has a thread a core and none to spare for a disk.
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
        do throws(ThreadError) { self = try Self.start(named: name, body) } catch {
            preconditionFailure("no thread could be made: \(error)")
        }
    }

    /// The same where the caller can do without the thread, or has someone to tell.
    ///
    /// - Throws: when the system gives no thread; `body` is not run then.
    package static func start(
        named name: String, _ body: @escaping @Sendable () -> Void
    ) throws(ThreadError) -> SystemThread {
        var all = sigset_t(), before = sigset_t()
        unsafe sigfillset(&all)
        unsafe pthread_sigmask(SIG_SETMASK, &all, &before)
        defer { unsafe pthread_sigmask(SIG_SETMASK, &before, nil) }
        var handle = pthread_t()
        let box = unsafe Unmanaged.passRetained(Body(name: name, run: body))
        let code = unsafe pthread_create(
            &handle, nil,
            { argument in
                let body = unsafe Unmanaged<Body>.fromOpaque(argument!).takeRetainedValue()
                unsafe linux_set_thread_name(body.name)
                body.run()
                return nil
            }, box.toOpaque())
        guard code == 0 else {
            unsafe box.release()
            throw ThreadError(code: code)
        }
        return SystemThread(handle: handle)
    }

    private init(handle: pthread_t) { self.handle = handle }

    /// Waits for the end of the thread. Call once, and not from the thread itself.
    package func join() { pthread_join(handle, nil) }
}

/// A thread that is started later than what owns it.
extension Mutex<SystemThread?> {
    /// Waits for its end, where it was started and nobody has waited for it yet.
    package func join() {
        let thread = withLock { thread in
            defer { thread = nil }
            return thread
        }
        thread?.join()
    }
}

/// Why the system gave no thread.
package struct ThreadError: Error, Equatable, CustomStringConvertible {
    /// A number as in `errno`.
    package let code: CInt

    package var description: String {
        guard let text = unsafe strerror(code) else { return "error \(code)" }
        return unsafe String(cString: text)
    }
}
