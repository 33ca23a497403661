import CLinux
import Glibc

/// A connection just accepted: non-blocking, closed on exec, TCP_NODELAY.
package struct AcceptedConnection: ~Copyable, Sendable {
    package let descriptor: FileDescriptor
    package let peer: SocketAddress

    package init(descriptor: consuming FileDescriptor, peer: SocketAddress) {
        self.descriptor = descriptor
        self.peer = peer
    }

    /// Gives the descriptor away; the peer's address must have been read before.
    package consuming func takeDescriptor() -> FileDescriptor { descriptor }
}

/// A listening socket, non-blocking and closed on exec.
package struct Listener: ~Copyable, Sendable {
    private let descriptor: FileDescriptor
    /// The address that is served; its port is the real one where port 0 was asked for.
    package let localAddress: SocketAddress

    package var rawValue: CInt { descriptor.rawValue }

    /// Binds and listens.
    ///
    /// `::` serves IPv4, too, and means `0.0.0.0` on a machine without IPv6.
    ///
    /// - Throws: the error of `socket(2)`, `bind(2)` or `listen(2)`, such as EADDRINUSE for a port that is taken.
    package init(address: SocketAddress, backlog: CInt = SOMAXCONN) throws(Errno) {
        let opened = try Self.openOrFallBack(address, backlog: backlog)
        let rawValue = opened.rawValue
        let filled = unsafe SocketAddress.filled { unsafe getsockname(rawValue, $0, $1) }
        guard let bound = filled.address else { throw Errno.current }
        localAddress = bound
        descriptor = opened
    }

    /// Listens no more: who connects from now on is refused at once, instead of waiting in the kernel's queue.
    package borrowing func stop() { _ = shutdown(rawValue, CInt(SHUT_RDWR)) }

    private static func openOrFallBack(_ address: SocketAddress, backlog: CInt) throws(Errno) -> FileDescriptor {
        do throws(Errno) {
            return try open(address, backlog: backlog)
        } catch {
            guard address.isAnyIPv6, [EAFNOSUPPORT, EADDRNOTAVAIL].contains(error.rawValue) else { throw error }
            return try open(.anyIPv4(port: address.port), backlog: backlog)
        }
    }

    private static func open(_ address: SocketAddress, backlog: CInt) throws(Errno) -> FileDescriptor {
        let rawValue = linux_stream_socket(address.family)
        guard rawValue >= 0 else { throw Errno.current }
        let descriptor = FileDescriptor(adopting: rawValue)
        // Without it a restart fails for a minute, while the last connections sit in TIME_WAIT.
        try setOption(rawValue, SOL_SOCKET, SO_REUSEADDR, 1)
        // Accepted sockets inherit it: what may wait in the kernel for a peer that doesn't read. An answer fits twice.
        try setOption(rawValue, SOL_SOCKET, SO_SNDBUF, 128 << 10)
        if address.family == AF_INET6 {
            try setOption(rawValue, CInt(IPPROTO_IPV6), IPV6_V6ONLY, address.isAnyIPv6 ? 0 : 1)
        }
        guard unsafe address.withSockaddr({ unsafe bind(rawValue, $0, $1) }) == 0 else { throw Errno.current }
        guard listen(rawValue, backlog) == 0 else { throw Errno.current }
        return descriptor
    }

    /// Takes one waiting connection.
    ///
    /// - Returns: nil when none is waiting.
    /// - Throws: EMFILE or ENFILE when descriptors have run out, and other faults of ours. A connection that broke
    ///   while it waited is passed over.
    package borrowing func accept() throws(Errno) -> AcceptedConnection? {
        let listening = rawValue
        while true {
            let (accepted, peer) = unsafe SocketAddress.filled { unsafe linux_accept4(listening, $0, $1) }
            if accepted >= 0 {
                let descriptor = FileDescriptor(adopting: accepted)
                guard let peer else { continue }
                // Fails only when the peer is gone already, which the first read tells.
                try? setOption(accepted, CInt(IPPROTO_TCP), TCP_NODELAY, 1)
                return AcceptedConnection(descriptor: descriptor, peer: peer)
            }
            let error = Errno.current
            switch error.rawValue {
            case EAGAIN: return nil
            // accept(2): Linux passes pending network errors of the new connection on; they end that one only.
            case EINTR, ECONNABORTED, ENETDOWN, EPROTO, ENOPROTOOPT, EHOSTDOWN, ENONET, EHOSTUNREACH, ENETUNREACH:
                continue
            default: throw error
            }
        }
    }
}

private func setOption(_ descriptor: CInt, _ level: CInt, _ name: CInt, _ value: CInt) throws(Errno) {
    var value = value
    let length = socklen_t(MemoryLayout<CInt>.size)
    guard unsafe setsockopt(descriptor, level, name, &value, length) == 0 else { throw Errno.current }
}
