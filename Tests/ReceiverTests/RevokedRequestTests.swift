import Receiver
import Samples
import Signing
import Storage
import TestSupport
import Testing

/// A body takes its time. What the endpoints say when it is whole counts, not what they said when its head came.
struct RevokedRequestTests {
    enum Change: String, CaseIterable, Sendable {
        case removed, tokenReplaced, secretReplaced, person
        case untouched, otherAdded, tokenAdded, secretAdded

        var isRefused: Bool { [.removed, .tokenReplaced, .secretReplaced, .person].contains(self) }

        func endpoints(_ format: Dialect, isSigned: Bool) -> [String: Endpoint] {
            var endpoint = TestServer.endpoint(isSigned: isSigned, format: format)
            let token = RotatingSecret(secret: Secret(text: "tok_another"))
            let secret = RotatingSecret(secret: Secret(text: "whsec_another"))
            switch self {
            case .removed: return [:]
            case .tokenReplaced: endpoint.credentials.tokens = [token]
            case .secretReplaced: endpoint.credentials.secrets = [secret]
            case .person: endpoint.person = "anna"
            case .untouched: break
            case .otherAdded:
                var other = endpoint
                other.name = "other"
                return ["phone": endpoint, "other": other]
            case .tokenAdded: endpoint.credentials.tokens.insert(token, at: 0)
            case .secretAdded: endpoint.credentials.secrets.insert(secret, at: 0)
            }
            return ["phone": endpoint]
        }
    }

    /// Sends the head, makes the change once it was taken, and sends the body.
    private func status(_ server: TestServer, _ request: [UInt8], _ endpoints: [String: Endpoint]) throws -> Int {
        let head = try #require(request.firstRange(of: Array("\r\n\r\n".utf8))).upperBound
        let client = try server.connect()
        try client.send(Array(request[..<head]))
        #expect(try client.receiveInterim() == 100)
        server.server.service.replaceEndpoints(endpoints)
        try client.send(Array(request[head...]))
        return try client.receive().status
    }

    @Test(arguments: Change.allCases)
    func aSignedDelivery(change: Change) throws {
        let server = try TestServer()
        let request = server.delivery(headers: ["Expect: 100-continue"])
        let status = try status(server, request, change.endpoints(.native, isSigned: true))
        #expect(status == (change == .removed || change == .person ? 404 : change.isRefused ? 401 : 204))
        #expect(try server.storedCount() == (change.isRefused ? 0 : 1))
        #expect(server.eventually { server.logText.contains(change.isRefused ? "revoked" : "status=204") })
        #expect(server.logText.contains("revoked") == change.isRefused)
    }

    /// One that a worker reads from the disk.
    @Test(arguments: Change.allCases.filter { $0 != .secretReplaced && $0 != .secretAdded })
    func aLargeBody(change: Change) throws {
        var limits = Limits()
        limits.spoolPastBytes = 65_536
        let server = try TestServer(limits: limits, isSigned: false, format: .hae)
        let body = LargeBodyTests.body(points: 2_000)
        var text = String(decoding: HealthAutoExportServingTests.request(body), as: UTF8.self)
        text.replace("\r\n\r\n", with: "\r\nExpect: 100-continue\r\n\r\n", maxReplacements: 1)
        let status = try status(server, Array(text.utf8), change.endpoints(.hae, isSigned: false))
        #expect(status == (change == .removed || change == .person ? 404 : change.isRefused ? 401 : 200))
        #expect(try server.storedCount() == (change.isRefused ? 0 : 2_000))
        #expect(server.eventually { server.server.spooledBodies == 0 && server.server.bodyMemoryBytes == 0 })
    }

    /// Neither a used signature nor a body that makes no sense leaves a row under a name that is gone.
    @Test(arguments: ["{", TestServer.body()])
    func nothingIsNotedOfARemovedName(body: String) throws {
        let server = try TestServer()
        let request = server.delivery(body, headers: ["Expect: 100-continue"])
        #expect(try server.post(server.delivery(body)).status == (body == "{" ? 400 : 204))
        let count = { try StoreReader(directory: server.folder.path).rows("SELECT count(*) AS n FROM delivery") }
        let before = try count()
        #expect(try status(server, request, [:]) == 404)
        #expect(try count() == before)
    }
}
