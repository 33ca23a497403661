import CLinux
import Glibc

/// An address of one of this machine's network interfaces.
package struct InterfaceAddress: Equatable, Sendable {
    /// Such as `eth0`.
    package let interface: String
    /// Its port is 0.
    package let address: SocketAddress

    package init(interface: String, address: SocketAddress) {
        self.interface = interface
        self.address = address
    }
}

/// The addresses of the interfaces that are up, as `getifaddrs(3)` lists them; empty when it fails.
package func interfaceAddresses() -> [InterfaceAddress] {
    var list: UnsafeMutablePointer<ifaddrs>?
    guard unsafe getifaddrs(&list) == 0 else { return [] }
    defer { unsafe freeifaddrs(list) }
    var result: [InterfaceAddress] = []
    var next = unsafe list
    while let entry = unsafe next?.pointee {
        unsafe next = entry.ifa_next
        guard unsafe entry.ifa_flags & UInt32(IFF_UP) != 0, let pointer = unsafe entry.ifa_addr,
            let address = unsafe SocketAddress(copying: pointer), let name = unsafe entry.ifa_name
        else { continue }
        result.append(InterfaceAddress(interface: unsafe String(cString: name), address: address))
    }
    return result
}

/// What the system's resolver says about a name or an address literal, without repeats; empty when it knows nothing.
///
/// Asks the network and may take seconds.
package func resolve(host: String, port: UInt16) -> [SocketAddress] {
    guard !host.utf8.contains(0) else { return [] }
    var hints = unsafe addrinfo()
    unsafe hints.ai_socktype = CInt(SOCK_STREAM.rawValue)
    var list: UnsafeMutablePointer<addrinfo>?
    guard unsafe getaddrinfo(host, String(port), &hints, &list) == 0 else { return [] }
    defer { unsafe freeaddrinfo(list) }
    var result: [SocketAddress] = []
    var next = unsafe list
    while let entry = unsafe next?.pointee {
        unsafe next = entry.ai_next
        guard let pointer = unsafe entry.ai_addr, let address = unsafe SocketAddress(copying: pointer),
            !result.contains(address)
        else { continue }
        result.append(address)
    }
    return result
}

extension SocketAddress {
    /// Copies an address of the length that its family has; nil for another family than IPv4 and IPv6.
    fileprivate init?(copying pointer: UnsafeMutablePointer<sockaddr>) {
        let length =
            switch unsafe CInt(pointer.pointee.sa_family) {
            case AF_INET: MemoryLayout<sockaddr_in>.size
            case AF_INET6: MemoryLayout<sockaddr_in6>.size
            default: 0
            }
        guard length > 0 else { return nil }
        var storage = sockaddr_storage()
        unsafe withUnsafeMutableBytes(of: &storage) {
            unsafe $0.copyMemory(from: UnsafeRawBufferPointer(start: pointer, count: length))
        }
        self.init(storage)
    }
}
