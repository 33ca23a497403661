import Testing

@testable import Transport

private struct AddressCase: Sendable, CustomTestStringConvertible {
    var literal: String
    var host: String?
    var isLoopback = false
    var isIPv4 = false
    var testDescription: String { literal }
}

@Test(arguments: [
    AddressCase(literal: "127.0.0.1", host: "127.0.0.1", isLoopback: true, isIPv4: true),
    AddressCase(literal: "127.255.0.9", host: "127.255.0.9", isLoopback: true, isIPv4: true),
    AddressCase(literal: "0.0.0.0", host: "0.0.0.0", isIPv4: true),
    AddressCase(literal: "192.168.1.7", host: "192.168.1.7", isIPv4: true),
    AddressCase(literal: "255.255.255.255", host: "255.255.255.255", isIPv4: true),
    AddressCase(literal: "::", host: "::"),
    AddressCase(literal: "[::]", host: "::"),
    AddressCase(literal: "::1", host: "::1", isLoopback: true),
    AddressCase(literal: "[::1]", host: "::1", isLoopback: true),
    AddressCase(literal: "2001:DB8:0:0::7", host: "2001:db8::7"),
    AddressCase(literal: "::ffff:10.0.0.1", host: "10.0.0.1", isIPv4: true),
    AddressCase(literal: "::ffff:127.0.0.1", host: "127.0.0.1", isLoopback: true, isIPv4: true),
    AddressCase(literal: ""), AddressCase(literal: "localhost"), AddressCase(literal: "[127.0.0.1]"),
    AddressCase(literal: "127.0.0.1 "), AddressCase(literal: "127.1"), AddressCase(literal: "0x7f.0.0.1"),
    AddressCase(literal: "127.0.0.1\0x"), AddressCase(literal: "[::1"), AddressCase(literal: "::1]"),
    AddressCase(literal: "[]"), AddressCase(literal: "1:2:3"), AddressCase(literal: "256.0.0.1"),
])
private func addressLiteral(item: AddressCase) throws {
    guard let host = item.host else {
        #expect(SocketAddress(host: item.literal, port: 80) == nil)
        return
    }
    let address = try #require(SocketAddress(host: item.literal, port: 8787))
    #expect(address.host == host && address.port == 8787)
    #expect(address.isLoopback == item.isLoopback && address.isIPv4 == item.isIPv4)
    #expect(address.description == (item.isIPv4 ? "\(host):8787" : "[\(host)]:8787"))
    #expect(SocketAddress(host: host, port: 8787) == address)
    // Through the C form and back.
    let copy = address.withSockaddr { (pointer, length) -> SocketAddress? in
        SocketAddress.filled { target, capacity in
            guard length <= capacity.pointee else { return -1 }
            UnsafeMutableRawPointer(target).copyMemory(from: pointer, byteCount: Int(length))
            return 0
        }.address
    }
    #expect(copy == address)
}

@Test func limiterKeys() throws {
    let key = { (host: String, port: UInt16) in try #require(SocketAddress(host: host, port: port)).limiterKey }
    #expect(try key("10.0.0.1", 1) == key("10.0.0.1", 2))
    #expect(try key("10.0.0.1", 1) == key("::ffff:10.0.0.1", 1))
    #expect(try key("10.0.0.1", 1) != key("10.0.0.2", 1))
    #expect(try key("2001:db8::1", 1) == key("2001:db8::ffff:ffff:ffff:ffff", 1))
    #expect(try key("2001:db8::1", 1) != key("2001:db8:0:1::1", 1))
    #expect(try key("::1", 1) != key("0.0.0.0", 1))
    #expect(SocketAddress(networkBytes: [10, 0, 0, 1])?.host == "10.0.0.1")
    #expect(SocketAddress(networkBytes: Array(repeating: 0, count: 15) + [1])?.host == "::1")
    #expect(SocketAddress(networkBytes: [1, 2, 3]) == nil)
}

@Test func errnoTexts() {
    #expect("\(Errno(rawValue: 98))" == "Address already in use")
    #expect("\(Errno(rawValue: 99999))" == "Unknown error 99999")
}
