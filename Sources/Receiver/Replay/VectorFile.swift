import FoundationEssentials

/// A file of test vectors: `test-vectors/README.md` describes each member.
///
/// A file has cases of one kind: of requests, as `webhook-requests.json`, or of signatures alone, as
/// `webhook-signatures.json`.
package struct VectorFile: Decodable, Sendable {
    package var cases: [VectorCase] = []
    package var signatures: [SignatureCase] = []
    package var replies: [SignedReply] = []

    private enum CodingKeys: String, CodingKey { case cases, replies }

    package init(from decoder: any Decoder) throws {
        let file = try decoder.container(keyedBy: CodingKeys.self)
        if let signatures = try? file.decode([SignatureCase].self, forKey: .cases) {
            self.signatures = signatures
            replies = try file.decodeIfPresent([SignedReply].self, forKey: .replies) ?? []
        } else {
            cases = try file.decode([VectorCase].self, forKey: .cases)
        }
    }
}

/// A check of a request's signature.
package struct SignatureCase: Decodable, Sendable {
    package var name: String
    var secret: String
    var clock: Int64
    var timestamp: [String]
    var signature: [String]
    var body: String?
    var bodyBase64: String?
    var expected: String
    var differenceSeconds: Int64?

    enum CodingKeys: String, CodingKey {
        case name, secret, clock, timestamp, signature, body, expected
        case bodyBase64 = "body_base64"
        case differenceSeconds = "difference_seconds"
    }
}

/// A reply of the receiver and its signature.
package struct SignedReply: Decodable, Sendable {
    package var name: String
    var secret: String
    var delivery: String
    var t: Int64
    var body: String
    var signature: String
}

/// A server entry of a phone, the requests that it sends one after another, and what must be stored in the end.
package struct VectorCase: Decodable, Sendable {
    package struct Auth: Decodable, Sendable {
        package var scheme: String
        package var header: String?
        package var user: String?
        package var token: String?
    }

    package struct Request: Decodable, Sendable {
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

        enum CodingKeys: String, CodingKey {
            case method, target, headers, body, clock, queue, expect
            case headersAgain = "headers_again"
            case bodyBase64 = "body_base64"
            case bodyPadding = "body_padding"
        }
    }

    package struct Expectation: Decodable, Sendable {
        package var status: Int
        package var code: String?
        package var at: JSONValue?
        package var headers: [String: String]?
        package var body: String?
    }

    /// A reply of the receiver, or a request with `X-Syncky-Kind: results`, and the signature it has.
    package struct Signed: Decodable, Sendable {
        package var delivery: String
        package var time: Int64
        package var body: String
        package var signature: String
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

    enum CodingKeys: String, CodingKey {
        case name, label, format, secret, auth, url, link, types, clock, requests, replies, results
        case urlScheme = "url_scheme"
        case expectStored = "expect_stored"
        case expectDeletions = "expect_deletions"
        case expectSeriesSets = "expect_series_sets"
        case expectCommands = "expect_commands"
    }

    /// NAME of the endpoint: the last part of the URL's path.
    package var endpointName: String {
        let path = url.split(separator: "?", maxSplits: 1)[0]
        return String(path.split(separator: "/").last ?? "")
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
    return Data(base64Encoded: base64).map { Array($0) }
}

/// A JSON value, compared by meaning: the order of members and the spelling of numbers don't count.
package indirect enum JSONValue: Decodable, Equatable, Sendable, CustomStringConvertible {
    case null
    case bool(Bool)
    case number(Double)
    case text(String)
    case array([JSONValue])
    case object([String: JSONValue])

    package init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if container.decodeNil() {
            self = .null
        } else if let value = try? container.decode(Bool.self) {
            self = .bool(value)
        } else if let value = try? container.decode(Double.self) {
            self = .number(value)
        } else if let value = try? container.decode(String.self) {
            self = .text(value)
        } else if let value = try? container.decode([JSONValue].self) {
            self = .array(value)
        } else {
            self = .object(try container.decode([String: JSONValue].self))
        }
    }

    /// nil when `text` is no JSON.
    package init?(parsing text: String) {
        guard let value = try? JSONDecoder().decode(JSONValue.self, from: Data(text.utf8)) else { return nil }
        self = value
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
