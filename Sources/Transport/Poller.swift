import CLinux
import Glibc

/// Waits for many descriptors at once: `epoll(7)`, level-triggered, so an event that isn't dealt with comes again.
package struct Poller: ~Copyable, Sendable {
    /// What to wait for. A hang-up is told even when the set is empty.
    package struct Interest: OptionSet, Hashable, Sendable {
        package let rawValue: UInt8
        package init(rawValue: UInt8) { self.rawValue = rawValue }
        package static let readable = Interest(rawValue: 1)
        package static let writable = Interest(rawValue: 2)
    }

    package struct Event: Equatable, Sendable {
        /// The number given when the descriptor was added.
        package var token: UInt64
        /// A read gives bytes, the end of the stream or an error.
        package var readable: Bool
        package var writable: Bool
        /// Both directions are closed, or the connection failed: nothing more can be sent.
        package var hangUp: Bool

        package init(token: UInt64, readable: Bool, writable: Bool, hangUp: Bool) {
            self.token = token
            self.readable = readable
            self.writable = writable
            self.hangUp = hangUp
        }
    }

    /// Events taken from the kernel in one call; more wait for the next.
    private static let batch = 256
    private let descriptor: FileDescriptor

    package init() throws(Errno) {
        let rawValue = linux_epoll_create()
        guard rawValue >= 0 else { throw Errno.current }
        descriptor = FileDescriptor(adopting: rawValue)
    }

    /// Watches `fd` until it is removed or closed.
    package borrowing func add(_ fd: CInt, token: UInt64, interest: Interest) throws(Errno) {
        try control(EPOLL_CTL_ADD, fd, token: token, interest: interest)
    }

    package borrowing func modify(_ fd: CInt, token: UInt64, interest: Interest) throws(Errno) {
        try control(EPOLL_CTL_MOD, fd, token: token, interest: interest)
    }

    package borrowing func remove(_ fd: CInt) throws(Errno) {
        try control(EPOLL_CTL_DEL, fd, token: 0, interest: [])
    }

    private borrowing func control(_ operation: CInt, _ fd: CInt, token: UInt64, interest: Interest) throws(Errno) {
        var event = unsafe epoll_event()
        unsafe event.data.u64 = token
        unsafe event.events =
            (interest.contains(.readable) ? EPOLLIN.rawValue : 0)
            | (interest.contains(.writable) ? EPOLLOUT.rawValue : 0)
        guard unsafe epoll_ctl(descriptor.rawValue, operation, fd, &event) == 0 else { throw Errno.current }
    }

    /// Replaces `events` by what happened within `milliseconds` (-1: waits for ever); empty after that time, and
    /// when a signal came.
    package borrowing func wait(milliseconds: Int32, into events: inout [Event]) throws(Errno) {
        events.removeAll(keepingCapacity: true)
        let rawValue = descriptor.rawValue
        let failure = unsafe withUnsafeTemporaryAllocation(of: epoll_event.self, capacity: Self.batch) {
            (ready) -> Errno? in
            let count = unsafe epoll_wait(rawValue, ready.baseAddress!, CInt(Self.batch), milliseconds)
            guard count >= 0 else { return Errno.current }
            for index in 0..<Int(count) {
                let bits = unsafe ready[index].events
                let hangUp = bits & (EPOLLHUP.rawValue | EPOLLERR.rawValue) != 0
                events.append(
                    Event(
                        token: unsafe ready[index].data.u64, readable: hangUp || bits & EPOLLIN.rawValue != 0,
                        writable: bits & EPOLLOUT.rawValue != 0, hangUp: hangUp))
            }
            return nil
        }
        if let failure, failure.rawValue != EINTR { throw failure }
    }
}
