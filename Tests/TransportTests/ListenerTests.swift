import Glibc
import TestSupport
import Testing
import Transport

@Test func aTakenPortIsRefused() throws {
    let first = try Listener(address: #require(SocketAddress(host: "127.0.0.1", port: 0)))
    #expect(first.localAddress.port != 0 && first.localAddress.host == "127.0.0.1")
    let taken = first.localAddress
    #expect(throws: Errno(rawValue: EADDRINUSE)) { _ = try Listener(address: taken) }
}

@Test func aClosedPortCanBeTakenAgainAtOnce() throws {
    let address: SocketAddress
    do {
        let server = try ServerSide()
        address = server.listener.localAddress
        let client = try server.client()
        try server.turns { server.stream != nil }
        server.drop()  // the server closes first, so its side goes to TIME_WAIT
        #expect(try client.receiveAll() == [])
        client.close()
    }
    let again = try Listener(address: address)
    #expect(again.localAddress == address)
}

@Test func whoConnectsToAStoppedListenerIsRefused() throws {
    let listener = try Listener(address: #require(SocketAddress(host: "127.0.0.1", port: 0)))
    listener.stop()
    #expect(throws: ClientError.system(Errno(rawValue: ECONNREFUSED))) {
        _ = try LoopbackClient(port: listener.localAddress.port)
    }
}

@Test func acceptWithoutClients() throws {
    #expect(try !ServerSide().refuseWaiting())
}

@Test func oneListenerServesBothFamilies() throws {
    let server = try ServerSide(host: "::")
    try #require(server.listener.localAddress.port != 0)
    let client = try server.client()
    try client.send("a")
    #expect(try client.receive() == Array("a".utf8))
    #expect(server.peer?.host == "127.0.0.1" && server.peer?.isIPv4 == true)
    guard server.listener.localAddress.host == "::" else { return }  // no IPv6 on this machine
    server.drop()
    let client6 = try server.client(host: "::1")
    try client6.send("b")
    #expect(try client6.receive() == Array("b".utf8))
    #expect(server.peer?.host == "::1" && server.peer?.isLoopback == true)
}

@Test func anIPv6AddressServesThatAddressOnly() throws {
    guard let server = try? ServerSide(host: "::1") else { return }  // no IPv6 on this machine
    #expect(throws: ClientError.system(Errno(rawValue: ECONNREFUSED))) { try server.client(host: "127.0.0.1") }
    let client = try server.client(host: "::1")
    try client.send("b")
    #expect(try client.receive() == Array("b".utf8))
}

@Test func acceptedSocketsHaveTheirFlags() throws {
    let server = try ServerSide()
    let client = try server.client()
    try server.turns { server.stream != nil }
    let descriptor = try #require(server.stream).descriptor
    for descriptor in [descriptor, server.listener.rawValue] {
        #expect(fcntl(descriptor, F_GETFL) & O_NONBLOCK != 0)
        #expect(fcntl(descriptor, F_GETFD) & FD_CLOEXEC != 0)
    }
    var noDelay: CInt = 0
    var length = socklen_t(MemoryLayout<CInt>.size)
    #expect(getsockopt(descriptor, CInt(IPPROTO_TCP), TCP_NODELAY, &noDelay, &length) == 0 && noDelay != 0)
    client.close()
}
