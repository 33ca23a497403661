import CLinux
import Glibc

/// An IPv4 or IPv6 address and a port. An IPv4-mapped IPv6 address is kept as the IPv4 address it means.
package struct SocketAddress: Hashable, Sendable, CustomStringConvertible {
    /// The address as a number, most significant byte first; an IPv4 address in the mapped form `::ffff:a.b.c.d`.
    private let address: UInt128
    /// The interface of a link-local IPv6 address, else 0.
    private let scope: UInt32
    package let port: UInt16

    private static let mappedPrefix: UInt128 = 0xFFFF_0000_0000

    package static func anyIPv4(port: UInt16) -> SocketAddress {
        SocketAddress(address: mappedPrefix, scope: 0, port: port)
    }

    private init(address: UInt128, scope: UInt32, port: UInt16) {
        self.address = address
        self.scope = scope
        self.port = port
    }

    /// Reads an address literal, never a name: `127.0.0.1`, `::`, `[::1]`.
    package init?(host: String, port: UInt16) {
        var literal = Substring(host)
        if literal.first == "[" {
            guard literal.last == "]", literal.contains(":") else { return nil }
            literal = literal.dropFirst().dropLast()
        }
        guard !literal.utf8.contains(0) else { return nil }  // C would read the part before it
        let text = String(literal)
        var ipv4 = in_addr()
        var ipv6 = in6_addr()
        if unsafe inet_pton(AF_INET, text, &ipv4) == 1 {
            self.init(ipv4: ipv4, port: port)
        } else if unsafe inet_pton(AF_INET6, text, &ipv6) == 1 {
            self.init(ipv6: ipv6, scope: 0, port: port)
        } else {
            return nil
        }
    }

    /// The 4 or 16 bytes of a certificate's IP address; nil for another number of bytes.
    init?(networkBytes bytes: [UInt8]) {
        guard bytes.count == 4 || bytes.count == 16 else { return nil }
        let number = bytes.reduce(UInt128(0)) { $0 << 8 | UInt128($1) }
        self.init(address: bytes.count == 4 ? Self.mappedPrefix | number : number, scope: 0, port: 0)
    }

    private init(ipv4: in_addr, port: UInt16) {
        self.init(address: Self.mappedPrefix | UInt128(UInt32(bigEndian: ipv4.s_addr)), scope: 0, port: port)
    }

    private init(ipv6: in6_addr, scope: UInt32, port: UInt16) {
        let number = unsafe unsafeBitCast(ipv6, to: UInt128.self)
        self.init(address: UInt128(bigEndian: number), scope: scope, port: port)
    }

    /// What the kernel filled in; nil for another family.
    init?(_ storage: sockaddr_storage) {
        switch CInt(storage.ss_family) {
        case AF_INET:
            let ipv4 = unsafe withUnsafeBytes(of: storage) { unsafe $0.load(as: sockaddr_in.self) }
            self.init(ipv4: ipv4.sin_addr, port: UInt16(bigEndian: ipv4.sin_port))
        case AF_INET6:
            let ipv6 = unsafe withUnsafeBytes(of: storage) { unsafe $0.load(as: sockaddr_in6.self) }
            self.init(ipv6: ipv6.sin6_addr, scope: ipv6.sin6_scope_id, port: UInt16(bigEndian: ipv6.sin6_port))
        default: return nil
        }
    }

    package var isIPv4: Bool { address >> 32 == Self.mappedPrefix >> 32 }

    /// `::`, which a listener serves for IPv4, too.
    var isAnyIPv6: Bool { address == 0 }

    package var isLoopback: Bool { isIPv4 ? (address >> 24) & 0xFF == 127 : address == 1 }

    /// The address without a port or brackets, such as `192.168.1.7` or `fe80::1`.
    package var host: String {
        var text = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN))
        let capacity = socklen_t(text.count)
        if isIPv4 {
            var ipv4 = in_addr(s_addr: UInt32(truncatingIfNeeded: address).bigEndian)
            _ = unsafe inet_ntop(AF_INET, &ipv4, &text, capacity)
        } else {
            var ipv6 = ipv6Address
            _ = unsafe inet_ntop(AF_INET6, &ipv6, &text, capacity)
        }
        return String(decoding: text.lazy.map { UInt8(bitPattern: $0) }.prefix { $0 != 0 }, as: UTF8.self)
    }

    /// Host and port as in a URL: `127.0.0.1:80`, `[::1]:80`.
    package var description: String { isIPv4 ? "\(host):\(port)" : "[\(host)]:\(port)" }

    /// What counts as one sender: an IPv4 address, or the /64 of an IPv6 address, since one household holds a /64.
    package var limiterKey: UInt128 { isIPv4 ? address : address & ~UInt128(UInt64.max) }

    var family: CInt { isIPv4 ? AF_INET : AF_INET6 }

    private var ipv6Address: in6_addr { unsafe unsafeBitCast(address.bigEndian, to: in6_addr.self) }

    /// Lends the C form for one call.
    func withSockaddr<Result>(_ body: (UnsafePointer<sockaddr>, socklen_t) -> Result) -> Result {
        if isIPv4 {
            var ipv4 = sockaddr_in()
            ipv4.sin_family = sa_family_t(AF_INET)
            ipv4.sin_port = port.bigEndian
            ipv4.sin_addr.s_addr = UInt32(truncatingIfNeeded: address).bigEndian
            return unsafe withUnsafeBytes(of: &ipv4) {
                unsafe body($0.baseAddress!.assumingMemoryBound(to: sockaddr.self), socklen_t($0.count))
            }
        }
        var ipv6 = sockaddr_in6()
        ipv6.sin6_family = sa_family_t(AF_INET6)
        ipv6.sin6_port = port.bigEndian
        ipv6.sin6_addr = ipv6Address
        ipv6.sin6_scope_id = scope
        return unsafe withUnsafeBytes(of: &ipv6) {
            unsafe body($0.baseAddress!.assumingMemoryBound(to: sockaddr.self), socklen_t($0.count))
        }
    }

    /// The address that one of `getsockname(2)`, `accept4(2)` fills in; the number is what the call returned.
    static func filled(
        by call: (UnsafeMutablePointer<sockaddr>, UnsafeMutablePointer<socklen_t>) -> CInt
    ) -> (result: CInt, address: SocketAddress?) {
        var storage = sockaddr_storage()
        var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
        let result = unsafe withUnsafeMutableBytes(of: &storage) {
            unsafe call($0.baseAddress!.assumingMemoryBound(to: sockaddr.self), &length)
        }
        return (result, result < 0 ? nil : SocketAddress(storage))
    }
}
