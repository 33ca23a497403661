import Glibc
import TestSupport
import Testing
import Transport

@Test func plainEcho() throws {
    let server = try ServerSide()
    let client = try server.client()
    try client.send("hello")
    #expect(try client.receive { $0.count >= 5 } == Array("hello".utf8))
    client.closeWrite()
    try server.turns { server.hasEnded }
    // The other direction is still open.
    server.outgoing = Array("bye".utf8)
    try server.turns { server.outgoing.isEmpty }
    try #require(server.stream).shutdownWrite()
    #expect(try client.receiveAll() == Array("bye".utf8))
}

@Test func plainReadsAndWritesSayWhenTheyWouldBlock() throws {
    let server = try ServerSide()
    let client = try server.client()
    try server.turns { server.isReady }
    let stream = try #require(server.stream)
    #expect(try stream.handshake() == nil)
    #expect(!stream.hasBufferedInput)
    var span = OutputSpan<UInt8>()
    #expect(try stream.read(into: &span) == .bytes(0))  // no room is no end of stream
    #expect(try stream.write([UInt8]().span) == .bytes(0))
    _ = try [UInt8](capacity: 8) { (span) throws(StreamError) in
        #expect(try stream.read(into: &span) == .wouldBlock(.readable))
    }

    // The client doesn't read: the kernel's buffers fill up.
    let piece = [UInt8](repeating: 0x61, count: 1 << 20)
    var sent = 0
    while case .bytes(let count) = try stream.write(piece.span) { sent += count }
    #expect(try stream.write(piece.span) == .wouldBlock(.writable))
    stream.shutdownWrite()
    #expect(try client.receiveAll().count == sent)
}

@Test func aReadTakesNoMoreThanThereIsRoomFor() throws {
    let server = try ServerSide()
    server.reads = false
    let client = try server.client()
    try client.send("hello")
    try server.turns { server.isReady }
    let stream = try #require(server.stream)
    server.echoes = false
    try server.turns { (try? server.readOnce(stream, capacity: 3)) == true }
    #expect(try server.readOnce(stream, capacity: 3))
    #expect(server.received == Array("hello".utf8))
}

@Test func aResetIsAnError() throws {
    let server = try ServerSide()
    let client = try server.client()
    try server.turns { server.isReady }
    client.reset()
    try server.turns { server.error != nil }
    #expect(server.error == .system(Errno(rawValue: ECONNRESET)))
    // Writing to what is gone must neither end the process nor succeed.
    let stream = try #require(server.stream)
    #expect(throws: StreamError.system(Errno(rawValue: EPIPE))) { try stream.write([1].span) }
    stream.shutdownWrite()
}

@Test func aClientThatIsGoneBeforeItIsAccepted() throws {
    let server = try ServerSide()
    let client = try server.client()
    client.reset()
    let second = try server.client()
    try server.turns { server.error != nil }
    #expect(server.error == .system(Errno(rawValue: ECONNRESET)))
    // It did not take the next one with it.
    #expect(try server.refuseWaiting())
    second.close()
}
