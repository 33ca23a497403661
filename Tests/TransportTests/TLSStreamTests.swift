import COpenSSL
import Glibc
import TestSupport
import Testing
import Transport

private func context(_ key: TestCertificate.Key = .p256) throws -> TLSContext {
    let certificate = try (key == .p256 ? TestCertificate.shared : TestCertificate.sharedRSA).get()
    return try TLSContext(certificateFile: certificate.certificateFile, keyFile: certificate.keyFile)
}

private func offering(_ version: CInt, ciphers: String? = nil, protocols: [String] = []) -> ClientTLS {
    var tls = ClientTLS()
    tls.minimumVersion = version
    tls.maximumVersion = version
    tls.ciphers = ciphers
    tls.protocols = protocols
    return tls
}

@Test(
    arguments: [
        (TLS1_3_VERSION, nil, "TLSv1.3", "TLS_AES_256_GCM_SHA384"),
        (TLS1_2_VERSION, "ECDHE-ECDSA-AES128-GCM-SHA256", "TLSv1.2", "ECDHE-ECDSA-AES128-GCM-SHA256"),
        (TLS1_2_VERSION, "ECDHE-ECDSA-AES256-GCM-SHA384", "TLSv1.2", "ECDHE-ECDSA-AES256-GCM-SHA384"),
        (TLS1_2_VERSION, "ECDHE-ECDSA-CHACHA20-POLY1305", "TLSv1.2", "ECDHE-ECDSA-CHACHA20-POLY1305"),
        // The client's preference counts.
        (
            TLS1_2_VERSION, "ECDHE-ECDSA-CHACHA20-POLY1305:ECDHE-ECDSA-AES128-GCM-SHA256", "TLSv1.2",
            "ECDHE-ECDSA-CHACHA20-POLY1305"
        ),
    ] as [(CInt, String?, String, String)])
func tlsEcho(version: CInt, ciphers: String?, agreed: String, cipher: String) throws {
    let server = try ServerSide(tls: context())
    let client = try server.client(offering(version, ciphers: ciphers))
    #expect(client.agreement == (agreed, cipher))
    #expect(client.chosenProtocol == nil)
    try client.send("hello")
    #expect(try client.receive { $0.count >= 5 } == Array("hello".utf8))
    #expect(!client.canResume)
    client.closeWrite()
    try server.turns { server.hasEnded }
    server.outgoing = Array("bye".utf8)  // close_notify closes one direction only
    try server.turns { server.outgoing.isEmpty }
    try #require(server.stream).shutdownWrite()
    #expect(try client.receiveAll() == Array("bye".utf8))
    #expect(server.error == nil)
}

@Test(
    arguments: [
        (TLS1_1_VERSION, nil, "tlsv1 alert protocol version"),
        (TLS1_VERSION, nil, "tlsv1 alert protocol version"),
        (TLS1_2_VERSION, "ECDHE-ECDSA-AES128-SHA256:ECDHE-ECDSA-AES256-SHA", "sslv3 alert handshake failure"),
        (TLS1_2_VERSION, "ECDHE-ECDSA-AES128-CCM", "sslv3 alert handshake failure"),
        (TLS1_2_VERSION, "DHE-RSA-AES128-GCM-SHA256", "sslv3 alert handshake failure"),
        (TLS1_2_VERSION, "AES128-GCM-SHA256:AES128-SHA", "sslv3 alert handshake failure"),
    ] as [(CInt, String?, String)])
func weakTLSIsRefused(version: CInt, ciphers: String?, alert: String) throws {
    // Both kinds of key, so that a cipher isn't refused for the wrong reason.
    for key in [TestCertificate.Key.p256, .rsa2048] {
        let server = try ServerSide(tls: context(key))
        #expect(throws: ClientError.tls(alert)) { try server.client(offering(version, ciphers: ciphers)) }
        #expect(server.error != nil && !server.isReady)
    }
}

@Test func renegotiationIsRefused() throws {
    let server = try ServerSide(tls: context())
    let client = try server.client(offering(TLS1_2_VERSION))
    #expect(throws: ClientError.tls("no renegotiation")) {
        try client.renegotiate()
        _ = try client.receive()
    }
}

/// Whoever sends records without data gets a turn like everyone: one read is one record.
@Test func keyUpdatesDontKeepTheThread() throws {
    let server = try ServerSide(tls: context())
    let client = try server.client(offering(TLS1_3_VERSION))
    try client.send("hello")
    #expect(try client.receive { $0.count >= 5 } == Array("hello".utf8))
    server.reads = false
    try client.updateKeys(count: 200)
    try client.send("there")
    server.reads = true
    var turns = 0
    try server.turns {
        turns += 1
        return server.received.count >= 10
    }
    #expect(server.received == Array("hellothere".utf8))
    #expect(turns >= 200)
}

@Test func applicationProtocols() throws {
    for (offered, chosen) in [(["http/1.1"], "http/1.1"), (["h2", "http/1.1"], "http/1.1"), ([], nil)] {
        let server = try ServerSide(tls: context())
        #expect(try server.client(offering(TLS1_3_VERSION, protocols: offered)).chosenProtocol == chosen)
    }
    for offered in [["h2"], ["http/1"], ["http/1.12"], ["h2", "http/1.0"]] {
        let server = try ServerSide(tls: context())
        #expect(throws: ClientError.tls("tlsv1 alert no application protocol")) {
            try server.client(offering(TLS1_2_VERSION, protocols: offered))
        }
    }
}

@Test(arguments: [TLS1_2_VERSION, TLS1_3_VERSION]) func anEndWithoutCloseNotifyIsTruncation(version: CInt) throws {
    let server = try ServerSide(tls: context())
    let client = try server.client(offering(version))
    try client.send("half")
    client.closeWrite(cutShort: true)
    try server.turns { server.error != nil }
    #expect(server.error == .truncated)
    #expect(server.received == Array("half".utf8) && !server.hasEnded)
    try #require(server.stream).shutdownWrite()  // after an error: no SSL_shutdown, no crash
}

@Test func resetsDuringAndAfterTheHandshake() throws {
    let during = try ServerSide(tls: context())
    let client = try during.client()
    try client.send([0x16, 0x03, 0x01])
    try during.turns { during.stream != nil }
    client.reset()
    try during.turns { during.error != nil }
    #expect(during.error == .system(Errno(rawValue: ECONNRESET)))

    let after = try ServerSide(tls: context())
    let second = try after.client(ClientTLS())
    try after.turns { after.isReady }
    second.reset()
    try after.turns { after.error != nil }
    #expect(after.error == .system(Errno(rawValue: ECONNRESET)))
}

@Test func aHandshakeThatStopsIsWaitedForAndItsEndNoticed() throws {
    let server = try ServerSide(tls: context())
    let client = try server.client()
    try server.turns { server.stream != nil }
    let stream = try #require(server.stream)
    #expect(try stream.handshake() == .readable)
    try client.send([0x16, 0x03, 0x01, 0x02, 0x00])
    #expect(try stream.handshake() == .readable)
    stream.shutdownWrite()
    client.closeWrite()
    try server.turns { server.error != nil }
    #expect(server.error == .truncated)
}

@Test(arguments: [
    ("GET / HTTP/1.1\r\nHost: a\r\n\r\n", "http request"), ("\0\0\0\0\0\0\0\0\0\0\0", "wrong version number"),
])
func plainBytesOnTheTLSPort(bytes: String, reason: String) throws {
    let server = try ServerSide(tls: context())
    let client = try server.client()
    try client.send(bytes)
    try server.turns { server.error != nil }
    #expect(server.error == .tls(reason))
    #expect(server.received.isEmpty)
}

@Test func garbageInsideOfTLSIsAnError() throws {
    let server = try ServerSide(tls: context())
    let client = try server.client(offering(TLS1_2_VERSION))
    try server.turns { server.isReady }
    try client.sendUnencrypted([0x17, 0x03, 0x03, 0x00, 0x20] + [UInt8](repeating: 7, count: 32))
    try server.turns { server.error != nil }
    guard case .tls = server.error else {  // OpenSSL's word for it depends on its version
        Issue.record("\(String(describing: server.error))")
        return
    }
    #expect(server.received.isEmpty && !server.hasEnded)
}

@Test func bytesThatWaitInsideOfOpenSSL() throws {
    let server = try ServerSide(tls: context())
    server.reads = false
    let client = try server.client(ClientTLS())
    try server.turns { server.isReady }
    let stream = try #require(server.stream)
    try client.send("hello")
    try server.turns { (try? server.readOnce(stream, capacity: 2)) == true }
    #expect(stream.hasBufferedInput)
    #expect(try server.readOnce(stream, capacity: 3))
    #expect(!stream.hasBufferedInput)
    #expect(try !server.readOnce(stream, capacity: 3))
    #expect(server.received == Array("hello".utf8))
}

@Test(arguments: [TLS1_2_VERSION, TLS1_3_VERSION]) func largeAnswersArriveInPieces(version: CInt) throws {
    let server = try ServerSide(tls: context())
    let client = try server.client(offering(version))
    try server.turns { server.isReady }
    server.outgoing = (0..<(6 << 20)).map { UInt8(truncatingIfNeeded: $0 &* 31 >> 3) }
    let expected = server.outgoing
    server.turn()
    let stuck = server.outgoing.count
    #expect(stuck > 0 && server.partialWrites > 0)  // the client hasn't read yet
    server.outgoing += [1, 2, 3]  // and the buffer has moved
    #expect(try client.receive { $0.count >= expected.count + 3 } == expected + [1, 2, 3])
    #expect(server.error == nil)
}

@Test func readingGoesOnAfterShutdown() throws {
    let server = try ServerSide(tls: context())
    let client = try server.client(ClientTLS())
    try server.turns { server.isReady }
    server.echoes = false
    try #require(server.stream).shutdownWrite()
    #expect(try client.receiveAll() == [])
    try client.send("still here")
    try server.turns { server.received.count == 10 }
    #expect(server.error == nil)
}

@Test func aReloadedContextLeavesOldConnectionsAlone() throws {
    var made: TLSContext? = try context()
    let server = try ServerSide(tls: made)
    made = nil
    let client = try server.client(ClientTLS())
    server.forgetTLS()
    try client.send("hello")
    #expect(try client.receive { $0.count >= 5 } == Array("hello".utf8))
}
