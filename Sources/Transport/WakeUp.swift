import CLinux
import Glibc

/// Ends another thread's `Poller.wait`: add `rawValue` there, readable. An `eventfd(2)`.
package final class WakeUp: Sendable {
    private let descriptor: FileDescriptor

    package var rawValue: CInt { descriptor.rawValue }

    package init() throws(Errno) {
        let rawValue = linux_eventfd()
        guard rawValue >= 0 else { throw Errno.current }
        descriptor = FileDescriptor(adopting: rawValue)
    }

    /// Any thread may call it, any number of times: they add up to one event.
    package func signal() {
        eventfd_write(rawValue, 1)  // fails only when 2^64 - 2 signals wait already
    }

    /// Takes all signals so far; the next `wait` blocks again.
    package func drain() {
        var count: eventfd_t = 0
        _ = unsafe eventfd_read(rawValue, &count)
    }
}
