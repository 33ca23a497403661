import Receiver
import Testing
import Threads
import Transport

/// What one connection may do: the rules of RFC 9112 that only show on a socket.
struct ServingTests {
    private let server: TestServer
    init() throws { server = try TestServer() }

    @Test func aliveAndReadyNeedNoCredentials() throws {
        let alive = try server.exchange("GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n")
        #expect(alive.status == 200 && alive.body == Array("ok\n".utf8))
        #expect(try server.exchange("GET /readyz HTTP/1.1\r\nHost: a\r\n\r\n").status == 200)
        #expect(alive.field("date") == "Wed, 14 Oct 2026 07:05:00 GMT")
    }

    @Test func headAnswersWithoutABody() throws {
        let client = try server.connect()
        try client.send(Array("HEAD /healthz HTTP/1.1\r\nHost: a\r\n\r\nGET /healthz HTTP/1.1\r\nHost: a\r\n\r\n".utf8))
        let head = try client.receive(isHead: true)
        #expect(head.status == 200 && head.field("content-length") == "3")
        #expect(try client.receive().body == Array("ok\n".utf8))
    }

    @Test func aRefusedHeadIsAnsweredWithoutABody() throws {
        for tail in ["\r\n", "Host: a\r\nX : 1\r\n\r\n"] {
            let client = try server.connect()
            try client.send(Array("HEAD /healthz HTTP/1.1\r\n\(tail)".utf8))
            let answer = try client.receive(isHead: true)
            #expect(answer.status == 400 && answer.field("content-length") != "0")
            #expect(try client.receiveToEnd() == [])
        }
    }

    @Test func anEmptyBodyEndsNoConnection() throws {
        let client = try server.connect()
        for _ in 0..<2 {
            try client.send(Array("GET /healthz HTTP/1.1\r\nHost: a\r\nContent-Length: 0\r\n\r\n".utf8))
            let answer = try client.receive()
            #expect(answer.status == 200 && answer.field("connection") == nil)
        }
    }

    @Test func pipelinedRequestsAreAnsweredInOrder() throws {
        let client = try server.connect()
        let first = server.delivery(id: "first"), second = server.delivery(TestServer.body([]), id: "second")
        try client.send(first + Array("GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n".utf8) + second)
        #expect(try [client.receive().status, client.receive().status, client.receive().status] == [204, 200, 204])
    }

    @Test func aDeliveryCutAtAnyByteIsTheSameDelivery() throws {
        let request = server.delivery()
        let client = try server.connect()
        for cut in 1..<request.count {
            try client.send(Array(request[..<cut]))
            try client.send(Array(request[cut...]))
            #expect(try client.receive().status == 204, "cut at \(cut)")
        }
        #expect(try server.storedCount() == 1)
    }

    @Test func chunkedBodiesWithExtensionsAndTrailersAreBodies() throws {
        let body = TestServer.body()
        var request = server.delivery(framing: "Transfer-Encoding: chunked")
        let text = Array(body.utf8)
        for start in stride(from: 0, to: text.count, by: 100) {
            let chunk = text[start..<min(start + 100, text.count)]
            request += Array("\(String(chunk.count, radix: 16));part=\"x\"\r\n".utf8) + chunk + Array("\r\n".utf8)
        }
        // Signed over the body that the chunks carry, so `delivery` must have been given the same one.
        request += Array("0\r\nX-Checksum: none\r\n\r\n".utf8)
        #expect(try server.post(request).status == 204)
        #expect(try server.storedCount() == 1)
    }

    @Test func continueIsSentBeforeTheBodyIsAwaited() throws {
        let request = server.delivery(headers: ["Expect: 100-continue"])
        let head = request.firstRange(of: Array("\r\n\r\n".utf8))!.upperBound
        let client = try server.connect()
        try client.send(Array(request[..<head]))
        #expect(try client.receiveInterim() == 100)
        try client.send(Array(request[head...]))
        #expect(try client.receive().status == 204)
    }

    @Test func aRefusalComesInsteadOfContinue() throws {
        let request = server.delivery(token: "tok_wrong", headers: ["Expect: 100-continue"])
        let head = request.firstRange(of: Array("\r\n\r\n".utf8))!.upperBound
        let client = try server.connect()
        try client.send(Array(request[..<head]))
        #expect(try client.receiveInterim() == 401)
    }

    /// No body can make up for it, so none is asked for; and nobody without a secret has 4 MiB of his kept.
    @Test func anUnsignedRequestIsRefusedInsteadOfContinued() throws {
        for headers in [
            [], ["X-Syncky-Timestamp: 1791961500"], ["X-Syncky-Signature: v1=", "X-Syncky-Signature: v1="],
        ] {
            let client = try server.connect()
            let head =
                [
                    "POST /hook/phone HTTP/1.1", "Host: a", "Authorization: Bearer \(TestServer.token)",
                    "Content-Length: 100", "Expect: 100-continue",
                ] + headers
            try client.send(Array((head.joined(separator: "\r\n") + "\r\n\r\n").utf8))
            let answer = try client.receive()
            #expect(answer.status == 401 && answer.errorCode == "signature", "\(headers)")
        }
    }

    /// It is the device of samples whose body names none.
    @Test(
        arguments: [
            ("wh_1".utf8.map(\.self), 204), (Array(repeating: 0x61, count: 1_024), 204),
            (Array(repeating: 0x61, count: 1_025), 400),
            ([0x77, 0xFF], 400), ([0xC3, 0xA9], 204), ([0xC3], 400),
        ] as [([UInt8], Int)])
    func aDestinationIsText(name: [UInt8], status: Int) throws {
        let server = try TestServer(isSigned: false)
        let body = Array(
            "type,uuid,start,end,value,unit,value_name,source,device,user_entered\r\nsteps,k,,,1,count,,,,\r\n".utf8)
        let head = [
            "POST /hook/phone HTTP/1.1", "Host: a", "Authorization: Bearer \(TestServer.token)", "X-Syncky-Format: csv",
            "X-Syncky-Delivery: d-1", "Content-Type: text/csv", "Content-Length: \(body.count)",
            "X-Syncky-Destination: ",
        ].joined(separator: "\r\n")
        let answer = try server.post(Array(head.utf8) + name + Array("\r\n\r\n".utf8) + body)
        #expect(answer.status == status && (status == 204 || answer.errorCode == "destination_invalid"))
        #expect(try server.storedCount() == (status == 204 ? 1 : 0))
    }

    @Test func http10ClosesUnlessAsked() throws {
        let client = try server.connect()
        try client.send(Array("GET /healthz HTTP/1.0\r\nConnection: keep-alive\r\n\r\n".utf8))
        let kept = try client.receive()
        #expect(kept.field("connection")?.lowercased() == "keep-alive")
        try client.send(Array("GET /healthz HTTP/1.0\r\n\r\n".utf8))
        #expect(try client.receive().field("connection") == "close")
        #expect(try client.receiveToEnd() == [])
    }

    @Test func aClientThatHalfClosesGetsItsAnswer() throws {
        let client = try server.connect()
        try client.send(server.delivery())
        client.closeWrite()
        #expect(try client.receive().status == 204)
        #expect(try client.receiveToEnd() == [])
    }

    @Test func anIncompleteRequestIsAFault() throws {
        for cut in [30, 400, 1] {
            let client = try server.connect()
            try client.send(Array(server.delivery().dropLast(cut)))
            client.closeWrite()
            let answer = try client.receive()
            #expect(answer.status == 400 && answer.errorCode == "request_incomplete", "cut \(cut)")
        }
        #expect(try server.storedCount() == 0)
    }

    @Test func absoluteTargetsWork() throws {
        let answer = try server.exchange("GET http://receiver.local/healthz HTTP/1.1\r\nHost: receiver.local\r\n\r\n")
        #expect(answer.status == 200)
    }

    @Test func whatIsNotThereIs404AndWrongMethodsAre405() throws {
        for target in [
            "/", "/hook", "/hook/", "/hook/other", "/hook/phone/", "/hook/PHONE", "/hook/../healthz", "/healthz/",
        ] {
            #expect(try server.exchange("GET \(target) HTTP/1.1\r\nHost: a\r\n\r\n").status == 404, "\(target)")
        }
        for method in ["GET", "PUT", "DELETE", "OPTIONS", "TRACE", "BREW"] {
            let answer = try server.exchange("\(method) /hook/phone HTTP/1.1\r\nHost: a\r\n\r\n")
            #expect(answer.status == 405 && answer.field("allow") == "POST" && answer.errorCode == "method_not_allowed")
        }
        #expect(try server.exchange("POST /healthz HTTP/1.1\r\nHost: a\r\n\r\n").field("allow") == "GET, HEAD")
        for line in ["OPTIONS *", "CONNECT b.example:443"] {
            let answer = try server.exchange("\(line) HTTP/1.1\r\nHost: a\r\n\r\n")
            #expect(answer.status == 405 && answer.field("allow") == "GET, HEAD, POST", "\(line)")
        }
    }

    /// A faulty request and one smuggled behind it: one answer, and the connection is closed.
    @Test(arguments: [
        "POST /hook/phone HTTP/1.1\r\nHost: a\r\nContent-Length: 0\r\nContent-Length: 0\r\n\r\n",
        "POST /hook/phone HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
        "POST /hook/phone HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n",
        "POST /hook/phone HTTP/1.1\r\nHost: a\r\nContent-Length: +4\r\n\r\n",
        "GET /healthz HTTP/1.1\nHost: a\n\n", "GET /healthz HTTP/1.1\r\nHost: a\r\n b\r\n\r\n",
        "GET /healthz HTTP/1.1\r\nHost : a\r\n\r\n", "GET /healthz HTTP/1.1\r\n\r\n",
        "GET /healthz HTTP/1.1\r\nHost: a\r\nHost: a\r\n\r\n", "GET /healthz HTTP/1.1\r\nHost: a\r\nX: \u{0}\r\n\r\n",
        "GET  /healthz HTTP/1.1\r\nHost: a\r\n\r\n", "\u{16}\u{3}\u{1}\u{2}\u{0}\u{1}\n",
    ])
    func aFramingFaultEndsTheConnection(request: String) throws {
        let client = try server.connect()
        try client.send(Array((request + "GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n").utf8))
        let answer = try client.receive()
        #expect(answer.status == 400 && answer.field("connection") == "close")
        #expect(try client.receiveToEnd() == [])
    }

    @Test func aBodyThatIsNotReadIsNeverARequest() throws {
        let smuggled = "GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n"
        for head in ["POST /nowhere", "POST /hook/phone", "PUT /hook/phone", "GET /healthz"] {
            let client = try server.connect()
            try client.send(
                Array("\(head) HTTP/1.1\r\nHost: a\r\nContent-Length: \(smuggled.utf8.count)\r\n\r\n\(smuggled)".utf8))
            _ = try client.receive()
            #expect(try client.receiveToEnd() == [], "\(head)")
        }
    }

    @Test func stoppingAnswersWhatHasArrived() throws {
        let clients = try (0..<8).map { _ in try server.connect() }
        for (index, client) in clients.enumerated() { try client.send(server.delivery(id: "drain-\(index)")) }
        server.stop()
        for client in clients { #expect(try client.receive().status == 204) }
        #expect(try server.storedCount() == 1)
    }

    /// Who sends one request after the other finds the door open for the next, and is told that it was the last.
    @Test func stoppingWaitsForTheNextRequestAndListensNoMore() throws {
        let server = try TestServer(idleAtStopMilliseconds: 500)
        let client = try server.connect()
        try client.send(server.delivery(id: "before"))
        #expect(try client.receive().status == 204)
        let stopping = SystemThread(named: "stop") { server.stop() }
        #expect(server.eventually { (try? server.connect(timeoutSeconds: 1)) == nil })
        try client.send(server.delivery(TestServer.body([TestServer.sample(2)]), id: "after"))
        let answer = try client.receive()
        #expect(answer.status == 204 && answer.field("connection") == "close")
        stopping.join()
        #expect(try server.storedCount() == 2)
    }
}

extension ClientResponse {
    /// `error.code` of the body.
    var errorCode: String? {
        guard case .text(let code)? = JSONValue(parsing: String(decoding: body, as: UTF8.self))?["error"]?["code"]
        else {
            return nil
        }
        return code
    }
}
