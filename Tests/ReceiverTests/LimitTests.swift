import Glibc
import Receiver
import Signing
import Testing
import Transport

/// Every limit of the table: at it, one past it, and that the next client is served.
struct LimitTests {
    private func expectServed(_ server: TestServer) throws {
        #expect(try server.exchange("GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n").status == 200)
    }

    @Test func headLimits() throws {
        let server = try TestServer()
        let line = "GET /"
        let tail = " HTTP/1.1"
        let longest = String(repeating: "a", count: 8192 - line.utf8.count - tail.utf8.count)
        #expect(try server.exchange("\(line)\(longest)\(tail)\r\nHost: a\r\n\r\n").status == 404)
        #expect(try server.exchange("\(line)\(longest)a\(tail)\r\nHost: a\r\n\r\n").status == 414)
        let fields = (1..<100).map { "X-\($0): 1\r\n" }.joined()
        #expect(try server.exchange("GET /healthz HTTP/1.1\r\nHost: a\r\n\(fields)\r\n").status == 200)
        #expect(try server.exchange("GET /healthz HTTP/1.1\r\nHost: a\r\n\(fields)Y: 1\r\n\r\n").status == 431)
        let field = "X: " + String(repeating: "a", count: 16 * 1024)
        #expect(try server.exchange("GET /healthz HTTP/1.1\r\nHost: a\r\n\(field)\r\n\r\n").status == 431)
        try expectServed(server)
    }

    @Test func aBodyPastTheLimitIs413ThatArrives() throws {
        var limits = Limits()
        limits.maximumBodyBytes = 1_000_000
        let server = try TestServer(limits: limits)
        let fits = TestServer.body([]) + String(repeating: " ", count: 1_000_000 - TestServer.body([]).utf8.count)
        #expect(try server.post(server.delivery(fits)).status == 204)
        for framing in ["Content-Length: 1000001", "Content-Length: 99999999999999999999999"] {
            let answer = try server.post(server.delivery(fits + " ", framing: framing))
            #expect(answer.status == 413 && answer.errorCode == "body_too_large")
        }
        // The whole body is sent before the answer is read: it must not be lost to a reset.
        for surplus in [1, 4_000_000] {
            let client = try server.connect()
            try client.send(server.delivery(fits + String(repeating: " ", count: surplus)))
            #expect(try client.receive().status == 413)
        }

        let chunked = try server.connect()
        try chunked.send(server.delivery(fits, framing: "Transfer-Encoding: chunked"))
        try chunked.send(Array("F4241\r\n".utf8))
        #expect(try chunked.receive().status == 413)
        #expect(try server.post(server.delivery(fits + " ", token: "tok_wrong")).status == 401, "413 is for the owner")
        try expectServed(server)
    }

    @Test func bodyMemoryOfAllClientsIsBounded() throws {
        var limits = Limits()
        limits.maximumBodyBytes = 1_000_000
        limits.maximumBodyMemoryBytes = 1_500_000
        let server = try TestServer(limits: limits)
        let body = TestServer.body([]) + String(repeating: " ", count: 900_000)
        let holder = try server.connect()
        try holder.send(Array(server.delivery(body).dropLast(1)))
        #expect(server.eventually { server.server.bodyMemoryBytes > 900_000 })
        let refused = try server.post(server.delivery(body))
        #expect(refused.status == 503 && refused.field("retry-after") != nil && refused.errorCode == "overloaded")
        try holder.send([UInt8(ascii: " ")])
        #expect(try holder.receive().status == 204)
        #expect(try server.post(server.delivery(body, id: "again")).status == 204)
        #expect(server.eventually { server.server.bodyMemoryBytes == 0 })
    }

    /// With one I/O thread, what was sent before this has been looked at when it returns: epoll reports in turn.
    private func waitForInput(_ server: TestServer) throws { try expectServed(server) }

    @Test func slowHeadersAndBodiesEndAtAnAbsoluteTime() throws {
        let server = try TestServer(ioThreads: 1)
        let request = server.delivery()
        let slowHead = try server.connect(), slowBody = try server.connect(), idle = try server.connect()
        try slowHead.send(Array(request[..<20]))
        try slowBody.send(Array(request.dropLast(1)))
        #expect(server.eventually { server.server.connectionCount == 3 })
        try waitForInput(server)
        server.clock.advance(seconds: 9.9)
        try slowHead.send(Array(request[20..<21]))  // a byte that would restart a relative timer
        try waitForInput(server)
        server.clock.advance(seconds: 0.2)
        server.server.sweep()
        #expect(try slowHead.receive().status == 408)
        server.clock.advance(seconds: 19.8)
        server.server.sweep()
        try waitForInput(server)
        server.clock.advance(seconds: 0.2)
        server.server.sweep()
        #expect(try slowBody.receive().status == 408)
        server.clock.advance(seconds: 30)
        server.server.sweep()
        #expect(try idle.receiveToEnd() == [])
        #expect(server.eventually { server.logText.contains("code=request_timeout") })
        try expectServed(server)
    }

    @Test func connectionsPerAddressAreBounded() throws {
        var limits = Limits()
        limits.maximumConnectionsPerAddress = 3
        let server = try TestServer(limits: limits)
        let held = try (0..<3).map { _ in try server.connect() }
        #expect(server.eventually { server.server.connectionCount == 3 })
        #expect(try server.connect().receiveToEnd() == [])
        try held[0].send(Array("GET /healthz HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n".utf8))
        #expect(try held[0].receive().status == 200)
        _ = try held[0].receiveToEnd()
        withExtendedLifetime(held) {}
    }

    @Test func pastAllConnectionsTheOneThatIdledLongestGoes() throws {
        var limits = Limits()
        limits.maximumConnections = 16
        let server = try TestServer(limits: limits, ioThreads: 1)
        var held: [LoopbackClient] = []
        for count in 1...16 {
            held.append(try server.connect())
            #expect(server.eventually { server.server.connectionCount == count })
            // Counted is not yet taken up: each must begin to idle before the clock goes on.
            if count < 16 {
                try waitForInput(server)
                #expect(server.eventually { server.server.connectionCount == count })
            }
            server.clock.advance(seconds: 0.001)
        }
        try expectServed(server)
        #expect(try held[0].receiveToEnd() == [])
        try held[15].send(Array("GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n".utf8))
        #expect(try held[15].receive().status == 200)
    }

    @Test func silentConnectionsGoSoonerWhenHalfAreUsed() throws {
        var limits = Limits()
        limits.maximumConnections = 16
        let server = try TestServer(limits: limits, ioThreads: 1)
        let held = try (0..<9).map { _ in try server.connect() }
        try waitForInput(server)
        server.clock.advance(seconds: 11)
        #expect(server.eventually { server.server.connectionCount < 9 })
        withExtendedLifetime(held) {}
    }

    /// Sixteen heads that never end, in a house for sixteen: the slowest makes room.
    @Test func slowHeadsKeepNobodyOut() throws {
        var limits = Limits()
        limits.maximumConnections = 16
        let server = try TestServer(limits: limits, ioThreads: 1)
        let slow = try (0..<16).map { _ in
            let client = try server.connect()
            try client.send(Array("GET /hea".utf8))
            return client
        }
        #expect(server.eventually { server.server.connectionCount == 16 })
        for _ in 0..<4 { try expectServed(server) }
        withExtendedLifetime(slow) {}
    }

    /// Nor do bodies that nobody asked for: who sends one, or lingers behind its refusal, makes room.
    @Test(
        arguments: [
            ("Content-Length: 1", 413), ("Content-Length: 1\r\nExpect: 100-continue", 413),
            ("Transfer-Encoding: chunked\r\nExpect: 100-continue", 100),
        ])
    func bodiesThatNobodyAskedForKeepNobodyOut(framing: String, status: Int) throws {
        var limits = Limits()
        limits.maximumConnections = 16
        let server = try TestServer(limits: limits, ioThreads: 1)
        let slow = try (0..<16).map { _ in
            let client = try server.connect()
            try client.send(Array("GET /readyz HTTP/1.1\r\nHost: a\r\n\(framing)\r\n\r\n".utf8))
            #expect(try (status == 100 ? client.receiveInterim() : client.receive().status) == status)
            return client
        }
        for _ in 0..<4 { try expectServed(server) }
        withExtendedLifetime(slow) {}
    }

    @Test func wrongCredentialsOfOneAddressAreCountedRightOnesNever() throws {
        let server = try TestServer()
        for _ in 0..<10 {
            let refused = try server.post(server.delivery(token: "tok_wrong"))
            #expect(refused.status == 401 && refused.field("www-authenticate") == "Bearer")
        }
        let limited = try server.post(server.delivery(token: "tok_wrong"))
        #expect(limited.status == 429 && limited.field("retry-after") != nil)
        #expect(try server.post(server.delivery()).status == 204, "the right token is never refused")
        server.clock.advance(seconds: 7)
        #expect(try server.post(server.delivery(token: "tok_wrong")).status == 401)
        #expect(try server.post(server.delivery(token: "tok_wrong")).status == 429)
    }

    @Test func behindATrustedProxyTheLastForwardedAddressCounts() throws {
        let server = try TestServer(trustedProxies: [AddressRange("127.0.0.0/8")!])
        for _ in 0..<10 {
            let headers = ["X-Forwarded-For: 203.0.113.9, 192.0.2.1"]
            #expect(try server.post(server.delivery(token: "tok_wrong", headers: headers)).status == 401)
        }
        let same = ["X-Forwarded-For: 198.51.100.77, 192.0.2.1"]
        #expect(try server.post(server.delivery(token: "tok_wrong", headers: same)).status == 429)
        let withPort = ["X-Forwarded-For: 192.0.2.1:50123"]
        #expect(try server.post(server.delivery(token: "tok_wrong", headers: withPort)).status == 429)
        for other in ["192.0.2.1, 192.0.2.2", "192.0.2.3:50123", "[2001:db8::1]:50123", "2001:db8:1::1"] {
            let headers = ["X-Forwarded-For: \(other)"]
            #expect(try server.post(server.delivery(token: "tok_wrong", headers: headers)).status == 401, "\(other)")
        }
    }
}
