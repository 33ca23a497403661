import Receiver
import Samples
import Signing
import Storage
import Synchronization
import TestSupport
import Testing
import Transport

/// Commands and results over sockets. (Answers with fixed bytes and signatures are cases of `webhook-exchanges.json`.)
@Suite struct WriteBackTests {
    static let oldSecret = "whsec_BBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBB"

    private func queue(_ text: String = "0.125", id: String? = nil, on server: TestServer) throws {
        let draft = CommandDraft(
            id: id, type: "dietary_water", value: .number(Double(text) ?? 0, text: text), unit: "L",
            start: Timestamp(microseconds: 1_791_961_200_000_000))
        _ = try CommandQueue(directory: server.folder.path).add(
            draft, endpoint: "phone", now: Timestamp(microseconds: server.clock.wallSeconds * 1_000_000))
    }

    private func commands(_ server: TestServer) throws -> [CommandRow] {
        try StoreReader(directory: server.folder.path).commands(endpoint: "phone")
    }

    /// A signed request that carries `body` as results.
    private func results(_ body: String, id: String = "r-1", on server: TestServer) -> [UInt8] {
        let time = server.clock.wallSeconds, bytes = Array(body.utf8)
        let signature = requestSignature(secret: Secret(text: TestServer.secret), timestamp: "\(time)", body: bytes)
        let head = [
            "POST /hook/phone HTTP/1.1", "Host: receiver.local", "Content-Type: application/json",
            "X-Syncky-Kind: results", "X-Syncky-Delivery: \(id)", "X-Syncky-Timestamp: \(time)",
            "X-Syncky-Signature: \(signature)", "Authorization: Bearer \(TestServer.token)",
            "Content-Length: \(bytes.count)",
        ]
        return Array((head.joined(separator: "\r\n") + "\r\n\r\n").utf8) + bytes
    }

    /// What the reply's signature must be: that of a request whose timestamp were `delivery.t`.
    private func expected(_ body: [UInt8], delivery: String, t: Int64, secret: String) -> String {
        "t=\(t)," + requestSignature(secret: Secret(text: secret), timestamp: "\(delivery).\(t)", body: body)
    }

    @Test func aReplyIsSignedWithTheSecretOfItsRequest() throws {
        let server = try TestServer()
        var endpoint = TestServer.endpoint()
        // As after `rotate`: the phone has the old secret still.
        endpoint.credentials.secrets = [
            RotatingSecret(secret: Secret(text: Self.oldSecret)),
            RotatingSecret(secret: Secret(text: TestServer.secret)),
        ]
        server.server.service.replaceEndpoints(["phone": endpoint])
        try queue(on: server)
        let answer = try server.post(server.delivery(id: "d-1"))
        #expect(answer.status == 200)
        #expect(answer.field("content-type") == "application/json")
        let t = server.clock.wallSeconds
        #expect(
            answer.field("x-syncky-signature")
                == expected(answer.body, delivery: "d-1", t: t, secret: TestServer.secret))
    }

    @Test func anUnsignedEndpointsReplyHasNoSignature() throws {
        let server = try TestServer(isSigned: false)
        try queue(on: server)
        let answer = try server.post(server.delivery())
        #expect(answer.status == 200 && answer.field("x-syncky-signature") == nil)
        #expect(String(decoding: answer.body, as: UTF8.self).hasPrefix(#"{"v":1,"type":"commands","commands":[{"#))
    }

    @Test func aReplyKeepsToItsLimit() throws {
        var limits = Limits()
        limits.maximumReplyBytes = 1_024
        let server = try TestServer(limits: limits)
        for number in 1...20 { try queue("\(number)", on: server) }
        for round in 1...4 {
            let answer = try server.post(server.delivery(TestServer.body([TestServer.sample(round)])))
            #expect(answer.status == 200 && answer.body.count <= 1_024 && answer.body.count > 800)
        }
        #expect(try commands(server).allSatisfy { 1...2 ~= $0.sent })
    }

    @Test func aReplyThatNobodyReadsIsSentAgain() throws {
        let server = try TestServer()
        try queue(on: server)
        // Out of sight, so closed, without a look at the answer.
        do { try server.connect().send(server.delivery()) }
        #expect(try server.eventually { try commands(server).first?.sent == 1 })
        server.clock.advance(seconds: 30)
        #expect(try server.post(server.delivery()).status == 200)
        #expect(try commands(server).first?.sent == 2)
    }

    @Test func aUsedSignatureBringsNoCommands() throws {
        for rejects in [false, true] {
            let server = try TestServer(rejectsReplays: rejects)
            let request = server.delivery()
            #expect(try server.post(request).status == 204)
            try queue(on: server)
            let again = try server.post(request)
            #expect(again.status == (rejects ? 401 : 204))
            #expect(try commands(server).first?.sent == 0)
        }
    }

    @Test func resultsAreDurableLoggedAndListed() throws {
        let server = try TestServer()
        try queue("0.4711", id: "water", on: server)
        #expect(try server.post(server.delivery()).status == 200)
        let body =
            #"{"v":1,"type":"results","results":[{"command_id":"water","version":1,"status":"rejected","reason":"healthkit_denied"},{"command_id":"c_9","version":1,"status":"applied"}]}"#
        let answer = try server.post(results(body, on: server))
        #expect(answer.status == 204 && answer.body.isEmpty)
        let row = try #require(try commands(server).first)
        #expect(row.state == .rejected && row.reason == "healthkit_denied")
        #expect(
            try StoreReader(directory: server.folder.path).rows(
                "SELECT delivery, kind, dialect, status, code, stored FROM deliveries ORDER BY id DESC LIMIT 1")
                == [
                    [
                        "delivery": .text("r-1"), "kind": .text("results"), "dialect": .null, "status": .integer(204),
                        "code": .null, "stored": .integer(0),
                    ]
                ])
        server.stop()
        let log = server.logText
        #expect(log.contains("status=200") && log.contains("commands=1"))
        #expect(log.contains("kind=results applied=0 rejected=1 late=0 repeated=0 unknown=1"))
        // What is in a command, or in a result, is nobody's but the owner's.
        for secret in ["0.4711", "dietary_water", "healthkit_denied"] { #expect(!log.contains(secret)) }
    }

    @Test func aRefusedResultsRequestLeavesItsRow() throws {
        let server = try TestServer()
        #expect(try server.post(results(#"{"v":1}"#, on: server)).status == 400)
        #expect(
            try StoreReader(directory: server.folder.path).rows("SELECT kind, dialect, status, code FROM deliveries")
                == [
                    [
                        "kind": .text("results"), "dialect": .null, "status": .integer(400),
                        "code": .text("member_missing"),
                    ]
                ])
    }

    @Test func aRepeatedResultsRequestIsTakenOnce() throws {
        let server = try TestServer()
        try queue(on: server)
        let request = results(
            #"{"v":1,"type":"results","results":[{"command_id":"c_1","version":1,"status":"applied"}]}"#, on: server)
        for _ in 0..<3 { #expect(try server.post(request).status == 204) }
        #expect(try commands(server).first?.state == .applied)
        #expect(try StoreReader(directory: server.folder.path).resultCounts(endpoint: "phone").repeated == 0)
    }

    @Test func manyAtOnceCountEachReply() throws {
        let server = try TestServer()
        for number in 1...5 { try queue("\(number)", on: server) }
        let clients = try (0..<12).map { _ in try server.connect() }
        for (number, client) in clients.enumerated() {
            try client.send(server.delivery(TestServer.body([TestServer.sample(number)]), id: "d-\(number)"))
        }
        let t = server.clock.wallSeconds
        for (number, client) in clients.enumerated() {
            let answer = try client.receive()
            #expect(answer.status == 200)
            #expect(
                answer.field("x-syncky-signature")
                    == expected(answer.body, delivery: "d-\(number)", t: t, secret: TestServer.secret))
        }
        #expect(try commands(server).map(\.sent) == Array(repeating: 12, count: 5))
    }
}
