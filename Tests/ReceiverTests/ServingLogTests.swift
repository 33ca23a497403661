import Receiver
import Signing
import Synchronization
import Testing
import Transport

@testable import Receiver

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

    /// Where no token is asked for, anybody is a stranger until the signature is right.
    @Test func strangersLeaveNoLineEachWhereNoTokenIsAskedFor() throws {
        let server = try TestServer(scheme: .none)
        let before = server.logText.count { $0 == "\n" }
        for _ in 0..<10 {
            #expect(try server.post(server.delivery(token: nil)).status == 204)
            let unsigned = "POST /hook/phone HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\n\r\n{}"
            #expect(try [401, 429].contains(server.exchange(unsigned).status))
            let wrong = unsigned.replacing(
                "\r\n\r\n",
                with: "\r\nX-Syncky-Timestamp: \(server.clock.wallSeconds)\r\nX-Syncky-Signature: v1="
                    + String(repeating: "a", count: 64) + "\r\n\r\n")
            #expect(try [401, 429].contains(server.exchange(wrong).status))
            #expect(try server.exchange(unsigned.replacing(": 2", with: ": 99999999999")).status == 413)
        }
        server.stop()
        #expect(server.logText.count { $0 == "\n" } - before <= 12, "\(server.logText)")
    }

    /// A host of IPv6 has a network of addresses to itself.
    @Test func strangersOfOneNetworkAreOneLine() throws {
        let lines = Mutex("")
        let log = Log(format: .text, clock: FakeClock().serverClock) { line in lines.withLock { $0 += line } }
        let strangers = StrangerCount()
        for host in 1...50 { strangers.count(try #require(SocketAddress(host: "2001:db8::\(host)", port: 1))) }
        strangers.count(try #require(SocketAddress(host: "2001:db8:0:1::1", port: 1)))
        strangers.count(try #require(SocketAddress(host: "192.0.2.1", port: 1)))
        strangers.count(try #require(SocketAddress(host: "192.0.2.2", port: 1)))
        strangers.flush(to: log)
        log.close()
        let text = lines.withLock { $0 }
        #expect(text.count { $0 == "\n" } == 4)
        #expect(text.contains("address=2001:db8::1 requests=50"), "\(text)")
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
