import Receiver
import Storage
import TestSupport
import Testing

/// The same bytes again: at once, afterwards, and after a refusal. What a file of vectors can't say, as it sends one
/// request after another.
struct RepeatedRequestTests {
    /// The statuses of `request` sent over `count` connections at once, sorted.
    private func together(_ request: [UInt8], _ count: Int, at server: TestServer) throws -> [Int] {
        let clients = try (0..<count).map { _ in try server.connect() }
        for client in clients { try client.send(Array(request.dropLast())) }
        for client in clients { try client.send([request[request.count - 1]]) }
        return try clients.map { try $0.receive().status }.sorted()
    }

    private func rows(_ server: TestServer) throws -> [[String: SQLValue]] {
        try StoreReader(directory: server.folder.path).rows(
            "SELECT delivery, status, code, stored FROM deliveries ORDER BY id")
    }

    @Test func ofSeveralAtOnceOneIsStored() throws {
        let server = try TestServer()
        for round in 1...20 {
            let request = server.delivery(TestServer.body([TestServer.sample(round)]))
            #expect(try together(request, 8, at: server) == Array(repeating: 204, count: 8))
            let last = try rows(server).suffix(8)
            #expect(last.map { $0["code"] } == [.null] + Array(repeating: .text("replayed"), count: 7))
        }
        #expect(try server.storedCount() == 20)
    }

    @Test func ofSeveralAtOnceOneIsTakenWhenRepeatsAreRejected() throws {
        let server = try TestServer(rejectsReplays: true)
        for round in 1...20 {
            let request = server.delivery(TestServer.body([TestServer.sample(round)]))
            #expect(try together(request, 8, at: server) == [204] + Array(repeating: 401, count: 7))
        }
        #expect(try server.storedCount() == 20)
    }

    @Test func severalRefusedAtOnceAreEachRefusedForWhatTheyAre() throws {
        let server = try TestServer(rejectsReplays: true)
        #expect(try together(server.delivery("{"), 8, at: server) == Array(repeating: 400, count: 8))
    }

    @Test func aRepeatLeavesARowUnderItsOwnName() throws {
        let server = try TestServer()
        #expect(try server.post(server.delivery(id: "first")).status == 204)
        #expect(try server.post(server.delivery(id: "second")).status == 204)
        let row: [String: SQLValue] = [
            "delivery": .text("second"), "status": .integer(204), "code": .text("replayed"), "stored": .integer(0),
        ]
        #expect(try rows(server).last == row)
        server.stop()
        #expect(server.logText.contains("delivery=second bytes="))
    }

    @Test(
        "The same bytes in the same second are of another request at another endpoint, which may have the same secret")
    func twoDestinationsOfOnePhone() throws {
        var other = TestServer.endpoint()
        other.name = "second"
        let server = try TestServer(rejectsReplays: true, others: [other])
        for path in ["/hook/phone", "/hook/second"] {
            #expect(try server.post(server.delivery(path: path)).status == 204)
            #expect(try server.post(server.delivery(path: path)).status == 401)
        }
        #expect(
            try rows(server).filter { $0["stored"] == .integer(1) }.count == 1, "a uuid of one device is one sample")
    }

    @Test func aRefusedRequestIsLoggedUnderItsName() throws {
        let server = try TestServer()
        #expect(try server.post(server.delivery("{", id: "broken")).status == 400)
        #expect(try server.post(server.delivery(id: "late", timestamp: 1)).status == 401)
        #expect(try server.post(server.delivery(id: "packed", headers: ["Content-Encoding: gzip"])).status == 415)
        server.stop()
        for name in ["broken", "late", "packed"] { #expect(server.logText.contains("delivery=\(name) ")) }
    }
}
