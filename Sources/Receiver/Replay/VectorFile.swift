import Wire

/// A file of test vectors: `test-vectors/README.md` describes each member.
///
/// A file has cases of one kind: of requests, as `webhook-requests.json`, or of signatures alone, as
/// `webhook-signatures.json`.
package struct VectorFile: Sendable {
    package var cases: [VectorCase] = []
    package var signatures: [SignatureCase] = []
    package var replies: [SignedReply] = []

    init(_ node: VectorNode) throws(VectorReplay.LoadFailure) {
        if let signatures: [SignatureCase] = try? node.value("cases") {
            self.signatures = signatures
            replies = try node.optional("replies") ?? []
        } else {
            cases = try node.value("cases")
        }
    }
}

/// A check of a request's signature.
package struct SignatureCase: VectorValue, Sendable {
    package var name: String
    var secret: String
    var clock: Int64
    var timestamp: [String]
    var signature: [String]
    var body: String?
    var bodyBase64: String?
    var expected: String
    var differenceSeconds: Int64?

    init(_ node: VectorNode) throws(VectorReplay.LoadFailure) {
        name = try node.value("name")
        secret = try node.value("secret")
        clock = try node.value("clock")
        timestamp = try node.value("timestamp")
        signature = try node.value("signature")
        body = try node.optional("body")
        bodyBase64 = try node.optional("body_base64")
        expected = try node.value("expected")
        differenceSeconds = try node.optional("difference_seconds")
    }
}

/// A reply of the receiver and its signature.
package struct SignedReply: VectorValue, Sendable {
    package var name: String
    var secret: String
    var delivery: String
    var t: Int64
    var body: String
    var signature: String

    init(_ node: VectorNode) throws(VectorReplay.LoadFailure) {
        name = try node.value("name")
        secret = try node.value("secret")
        delivery = try node.value("delivery")
        t = try node.value("t")
        body = try node.value("body")
        signature = try node.value("signature")
    }
}

/// A server entry of a phone, the requests that it sends one after another, and what must be stored in the end.
package struct VectorCase: VectorValue, Sendable {
    package struct Auth: VectorValue, Sendable {
        package var scheme: String
        package var header: String?
        package var user: String?
        package var token: String?

        init(_ node: VectorNode) throws(VectorReplay.LoadFailure) {
            scheme = try node.value("scheme")
            header = try node.optional("header")
            user = try node.optional("user")
            token = try node.optional("token")
        }
    }

    package struct Request: VectorValue, Sendable {
        package var method: String
        package var target: String
        package var headers: [String: String]
        /// Sent behind `headers`: a second field of a name.
        package var headersAgain: [String: String]?
        package var body: String?
        package var bodyBase64: String?
        /// So many spaces follow the body.
        package var bodyPadding: Int?
        /// The clock at this request, in seconds; absent: the case's.
        package var clock: Int64?
        /// Commands that the owner queues right before this request.
        package var queue: [QueuedCommand]?
        package var expect: Expectation

        init(_ node: VectorNode) throws(VectorReplay.LoadFailure) {
            method = try node.value("method")
            target = try node.value("target")
            headers = try node.value("headers")
            headersAgain = try node.optional("headers_again")
            body = try node.optional("body")
            bodyBase64 = try node.optional("body_base64")
            bodyPadding = try node.optional("body_padding")
            clock = try node.optional("clock")
            queue = try node.optional("queue")
            expect = try node.value("expect")
        }
    }

    package struct Expectation: VectorValue, Sendable {
        package var status: Int
        package var code: String?
        package var at: JSONValue?
        package var headers: [String: String]?
        package var body: String?

        init(_ node: VectorNode) throws(VectorReplay.LoadFailure) {
            status = try node.value("status")
            code = try node.optional("code")
            at = try node.optional("at")
            headers = try node.optional("headers")
            body = try node.optional("body")
        }
    }

    /// A reply of the receiver, or a request with `X-Syncky-Kind: results`, and the signature it has.
    package struct Signed: VectorValue, Sendable {
        package var delivery: String
        package var time: Int64
        package var body: String
        package var signature: String

        init(_ node: VectorNode) throws(VectorReplay.LoadFailure) {
            delivery = try node.value("delivery")
            time = try node.value("time")
            body = try node.value("body")
            signature = try node.value("signature")
        }
    }

    package var name: String
    package var label: String
    package var format: String?
    package var secret: String?
    package var auth: Auth
    package var url: String
    package var link: String?
    package var urlScheme: String?
    package var types: [String]?
    package var clock: Int64
    package var requests: [Request]
    package var expectStored: [JSONValue]?
    package var expectDeletions: [JSONValue]?
    package var expectSeriesSets: [JSONValue]?
    package var expectCommands: [JSONValue]?
    package var replies: [Signed]?
    package var results: [Signed]?

    /// NAME of the endpoint: the last part of the URL's path.
    package var endpointName: String {
        let path = url.split(separator: "?", maxSplits: 1)[0]
        return String(path.split(separator: "/").last ?? "")
    }

    init(_ node: VectorNode) throws(VectorReplay.LoadFailure) {
        name = try node.value("name")
        label = try node.value("label")
        format = try node.optional("format")
        secret = try node.optional("secret")
        auth = try node.value("auth")
        url = try node.value("url")
        link = try node.optional("link")
        urlScheme = try node.optional("url_scheme")
        types = try node.optional("types")
        clock = try node.value("clock")
        requests = try node.value("requests")
        expectStored = try node.optional("expect_stored")
        expectDeletions = try node.optional("expect_deletions")
        expectSeriesSets = try node.optional("expect_series_sets")
        expectCommands = try node.optional("expect_commands")
        replies = try node.optional("replies")
        results = try node.optional("results")
    }
}

extension VectorCase.Request {
    /// The bytes of the body; nil when the file's base64 is none.
    package var bodyBytes: [UInt8]? {
        guard var bytes = exactBytes(text: body, base64: bodyBase64) else { return nil }
        bytes.append(contentsOf: repeatElement(UInt8(ascii: " "), count: bodyPadding ?? 0))
        return bytes
    }

    /// The whole request as it goes over the wire.
    package func bytes(body: [UInt8]) -> [UInt8] {
        var head = "\(method) \(target) HTTP/1.1\r\n"
        for (name, value) in headers.sorted(by: { $0.key < $1.key }) { head += "\(name): \(value)\r\n" }
        for (name, value) in (headersAgain ?? [:]).sorted(by: { $0.key < $1.key }) { head += "\(name): \(value)\r\n" }
        if !headers.keys.contains(where: { $0.lowercased() == "host" }) { head += "Host: receiver.local\r\n" }
        return Array((head + "Content-Length: \(body.count)\r\n\r\n").utf8) + body
    }
}

/// A vector's body; nil when its base64 is none.
func exactBytes(text: String?, base64: String?) -> [UInt8]? {
    guard let base64 else { return Array((text ?? "").utf8) }
    return base64Decoded(Array(base64.utf8))
}

/// A JSON value, compared by meaning: the order of members and the spelling of numbers don't count.
package indirect enum JSONValue: VectorValue, Equatable, Sendable, CustomStringConvertible {
    case null
    case bool(Bool)
    case number(Double)
    case text(String)
    case array([JSONValue])
    case object([String: JSONValue])

    init(_ node: VectorNode) { self.init(node.tree) }

    private init(_ tree: JSONTree) {
        switch tree {
        case .null, .otherNumber: self = .null
        case .bool(let value): self = .bool(value)
        case .integer(let value): self = .number(Double(value))
        case .number(let text): self = .number(Double(text) ?? .nan)
        case .text(let text): self = .text(text)
        case .array(let values): self = .array(values.map(Self.init))
        case .object(let members):
            self = .object(Dictionary(members.map { ($0.name, Self($0.value)) }, uniquingKeysWith: { $1 }))
        }
    }

    /// nil when `text` is no JSON.
    package init?(parsing text: String) {
        guard let tree = try? JSONTree(vectors: Array(text.utf8)) else { return nil }
        self.init(tree)
    }

    package var description: String {
        switch self {
        case .null: "null"
        case .bool(let value): String(value)
        case .number(let value): String(value)
        case .text(let value): LogValue.quoted(value)
        case .array(let values): "[\(values.map(\.description).joined(separator: ","))]"
        case .object(let members):
            "{\(members.sorted { $0.key < $1.key }.map { "\(LogValue.quoted($0.key)):\($0.value)" }.joined(separator: ","))}"
        }
    }
}
