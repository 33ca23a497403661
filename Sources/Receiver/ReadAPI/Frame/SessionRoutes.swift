import Insights
import Samples
import Wire

/// `/session`: how a browser signs in with a token, and out.
enum SessionRoutes {
    static let all: [APIRoute] = [
        APIRoute(.post, "/session", access: .open, formats: [.json], takesBody: true, answer: signIn),
        APIRoute(.get, "/session", access: .read, formats: [.json], answer: tell),
        APIRoute(.delete, "/session", access: .open, formats: [.json]) { request in
            .nothing(fields: [("Set-Cookie", cookie("", seconds: 0, request))])
        },
    ]

    /// The body: `{"token":"…"}`, or a form with the field `token`.
    private static func signIn(_ request: APIRequest) throws -> APIAnswer {
        let candidate = try token(request)
        let authenticator = request.context.authenticator
        guard let token = authenticator.token(candidate.utf8, among: request.context.currentSettings.tokens) else {
            throw authenticator.failure(of: request.client)
        }
        let session = authenticator.makeSession(token)
        return .nothing(fields: [("Set-Cookie", cookie(session.value, seconds: session.seconds, request))])
    }

    private static func token(_ request: APIRequest) throws(APIProblem) -> String {
        switch request.mediaType {
        case "application/json":
            var members = try request.jsonMembers()
            return try members.api { (reader) throws(ConfigurationError) in
                let token = try reader.text("token")
                try reader.finish()
                return token
            }
        case "application/x-www-form-urlencoded":
            let form = try APIQuery(request.bodyBytes[...], known: ["token"])
            guard let token = form.values["token"] else { throw APIProblem.missing("token") }
            return token
        default: throw APIProblem.mediaType(["application/json", "application/x-www-form-urlencoded"])
        }
    }

    /// `{"name","scope","person","persons","types","expires"}`: null for everybody, all types, no end. `persons` are those
    /// that `person=` takes.
    private static func tell(_ request: APIRequest) throws -> APIAnswer {
        guard let token = request.caller?.token else { throw APIProblem.notFound() }
        var persons = Set(request.context.readSetup.persons.map(\.name))
        persons.formUnion(try request.lease.storedPersons())
        if let person = token.person { persons = [person] }
        let tree = JSONTree.object([
            .init(name: "name", value: .text(token.name)), .init(name: "scope", value: .text(token.scope.rawValue)),
            .init(name: "person", value: token.person.map { .text($0) } ?? .null),
            .init(name: "persons", value: .array(persons.sorted().map { .text($0) })),
            .init(name: "types", value: token.types.map { .array($0.map { .text($0) }) } ?? .null),
            .init(
                name: "expires",
                value: token.expiresSeconds.map {
                    .text(rfc3339Text(Timestamp(microseconds: $0 * 1_000_000)))
                } ?? .null),
        ])
        return .text(tree.written())
    }

    private static func cookie(_ value: String, seconds: Int64, _ request: APIRequest) -> String {
        "\(APIAuthenticator.cookieName)=\(value); HttpOnly; SameSite=Strict; Path=/; Max-Age=\(seconds)"
            + (request.isEncrypted ? "; Secure" : "")
    }
}

extension APIRequest {
    var bodyBytes: [UInt8] { Array(body.content) }

    /// In lower case and without parameters; empty when none was given, or several.
    var mediaType: String {
        let values = fields.values("content-type")
        guard values.count == 1, let type = values[0].split(separator: UInt8(ascii: ";")).first else { return "" }
        return String(decoding: type.filter { $0 != 0x20 && $0 != 0x09 }, as: UTF8.self).lowercased()
    }

    /// The body's members: one JSON object, each member once, numbers as they are spelt.
    func jsonMembers() throws(APIProblem) -> MemberReader {
        let tree: JSONTree
        do throws(JSONTreeError) { tree = try JSONTreeParser.parse(bodyBytes, keepsNumbers: true) } catch {
            throw APIProblem(
                400, "body_invalid", "Line \(error.line), column \(error.column) of the body: \(error.message).")
        }
        do throws(ConfigurationError) { return try MemberReader(tree, path: "") } catch {
            throw APIProblem.members(error)
        }
    }
}

extension MemberReader {
    /// Reads members, with what is wrong with them as a 400.
    mutating func api<Result>(
        _ body: (inout MemberReader) throws(ConfigurationError) -> Result
    ) throws(APIProblem) -> Result {
        do throws(ConfigurationError) { return try body(&self) } catch { throw APIProblem.members(error) }
    }
}

extension APIProblem {
    static func members(_ error: ConfigurationError) -> APIProblem {
        APIProblem(400, "body_invalid", "In the body \(error.message).")
    }

    static func mediaType(_ types: [String]) -> APIProblem {
        APIProblem(415, "media_type_unsupported", "The body's Content-Type is \(types.joined(separator: " or ")).")
    }
}
