import Receiver
import Testing

/// What a flood leaves in the log.
struct ServingLogTests {
    @Test func strangersLeaveNoLineEach() throws {
        let server = try TestServer()
        let before = server.logText.count { $0 == "\n" }
        for _ in 0..<30 {
            #expect(try [401, 429].contains(server.post(server.delivery(token: "tok_wrong")).status))
            #expect(try server.exchange("GET /nowhere HTTP/1.1\r\nHost: a\r\n\r\n").status == 404)
            #expect(try server.exchange("no HTTP\r\n\r\n").status == 400)
        }
        server.stop()
        // The housekeeper counts them by address, once a minute, and at the end.
        #expect(server.logText.count { $0 == "\n" } - before <= 2, "\(server.logText)")
    }

    /// What a client names in a head is one line's one value, whatever bytes it is made of.
    @Test func aClientWritesNoLineOfItsOwn() throws {
        let server = try TestServer()
        #expect(try server.post(server.delivery(id: "a\u{1B}[2Jb status=200")).status == 400)
        #expect(try server.post(server.delivery(id: "\u{85}level=error")).status == 400)
        server.stop()
        #expect(!server.logText.contains("\u{1B}") && !server.logText.contains("level=error"))
        #expect(!server.logText.contains("status=200"))
    }
}
