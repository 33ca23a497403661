import Insights
import Receiver
import Samples
import Signing
import TestSupport
import Transport

/// A receiver with an API on a port of its own: what the tests of tokens, sessions and routes ask.
final class TestAPI: Sendable {
    /// Invented; each is `sat_` and 43 characters, as real ones are.
    static func secret(_ name: String) -> String {
        "sat_" + String((name + String(repeating: "x", count: 43)).prefix(43))
    }

    static func token(
        _ name: String, _ scope: APIGrant.Scope = .read, person: String? = "me", types: [String]? = nil,
        expires: Int64? = nil
    ) -> APIToken {
        APIToken(
            name: name, scope: scope, person: person, types: types, hash: APIToken.hash(of: secret(name).utf8),
            createdSeconds: 1_791_000_000, expiresSeconds: expires)
    }

    static let tokens = [
        token("reader"), token("writer", .write), token("all", .write, person: nil), token("other", person: "kim"),
        token("stepper", .write, types: ["steps"]), token("gone", expires: 1_791_961_500),
        token("soon", expires: 1_791_961_600),
    ]

    let server: TestServer
    var port: UInt16 { server.server.apiAddress!.port }

    init(
        tokens: [APIToken] = TestAPI.tokens, routes: [APIRoute] = APIRoutes.all, limits: Limits = Limits(),
        persons: [String] = [], trustedProxies: [AddressRange] = [], showsValues: Bool = false
    ) throws {
        let others = persons.map { person in
            var endpoint = TestServer.endpoint()
            (endpoint.name, endpoint.person, endpoint.timeZone) = ("of-\(person)", person, "Europe/Berlin")
            return endpoint
        }
        server = try TestServer(limits: limits, trustedProxies: trustedProxies, others: others) {
            directory, endpoints in
            var configuration = Configuration()
            configuration.endpoints = endpoints
            configuration.api.tokens = tokens
            return Server.API(
                address: SocketAddress(host: "127.0.0.1", port: 0)!, isRequired: true,
                settings: APIContext.Settings(configuration, directory: directory, catalog: .builtIn),
                showsValues: showsValues, routes: routes)
        }
    }

    /// - Parameter token: a name of `tokens`.
    static func request(
        _ method: String, _ target: String, token: String?, headers: [String], body: [UInt8]?
    ) -> [UInt8] {
        var head = ["\(method) \(target) HTTP/1.1", "Host: api.local:8788"]
        if let token { head.append("Authorization: Bearer \(secret(token))") }
        if let body { head.append("Content-Length: \(body.count)") }
        return Array((head + headers).joined(separator: "\r\n").utf8) + Array("\r\n\r\n".utf8) + (body ?? [])
    }

    func ask(
        _ target: String, method: String = "GET", token: String? = "reader", headers: [String] = [],
        body: String? = nil
    ) throws -> ClientResponse {
        try ask(target, method: method, token: token, headers: headers, bytes: body.map { Array($0.utf8) })
    }

    func ask(
        _ target: String, method: String = "GET", token: String? = "reader", headers: [String] = [], bytes: [UInt8]?
    ) throws -> ClientResponse {
        let client = try Receiver.LoopbackClient(port: port, timeoutSeconds: 30)
        try client.send(Self.request(method, target, token: token, headers: headers, body: bytes))
        return try client.receive(isHead: method == "HEAD")
    }

    func post(
        _ json: String, to target: String = "/api/v1/commands", token: String? = "writer", headers: [String] = []
    ) throws -> ClientResponse {
        try ask(target, method: "POST", token: token, headers: ["Content-Type: application/json"] + headers, body: json)
    }

    /// A connection that goes on: for streams.
    func open(_ target: String, token: String = "reader", headers: [String] = []) throws -> TestSupport.LoopbackClient {
        let client = try TestSupport.LoopbackClient(port: port)
        try client.send(Self.request("GET", target, token: token, headers: headers, body: nil))
        return client
    }

    /// The cookie of a new session, as a browser sends it back.
    func signIn(_ name: String = "writer") throws -> String {
        let answer = try post(#"{"token":"\#(Self.secret(name))"}"#, to: "/session", token: nil)
        guard answer.status == 204, let cookie = answer.field("set-cookie")?.split(separator: ";").first else {
            throw ClientError.invalid
        }
        return String(cookie)
    }
}

extension ClientResponse {
    var text: String { String(decoding: body, as: UTF8.self) }

    /// Of a problem; nil when it is none.
    var code: String? {
        guard field("content-type") == "application/problem+json" else { return nil }
        return text.split(separator: "\"code\":\"").dropFirst().first?.split(separator: "\"").first.map(String.init)
    }

    var parameter: String? {
        text.split(separator: "\"parameter\":\"").dropFirst().first?.split(separator: "\"").first.map(String.init)
    }
}
