import Glibc
import Samples
import Signing
import Storage
import Synchronization
import Transport

/// Replays test vectors against a real server of this build: its own store, a loopback port, the vectors' clock.
package enum VectorReplay {
    /// What went wrong in a case; empty when it passed.
    package struct Outcome: Sendable {
        package var name: String
        package var differences: [String]
        package var hasPassed: Bool { differences.isEmpty }
    }

    /// Why a file can't be replayed.
    package enum LoadFailure: Error, Equatable, Sendable {
        case unreadable
        case notJSON
        /// JSON of another kind, such as a parser's vectors; `path` leads to the first member that is not as it should be.
        case otherShape(path: String)
    }

    /// Reads a file of `webhook-requests.json`'s or `webhook-signatures.json`'s shape.
    package static func load(_ path: String) throws(LoadFailure) -> VectorFile {
        let bytes: [UInt8]
        do throws(SystemError) {
            bytes = try OpenFile(path, O_RDONLY).read(atMost: maximumFileBytes)
        } catch { throw .unreadable }
        let tree: JSONTree
        do throws(JSONTreeError) { tree = try JSONTree(vectors: bytes) } catch { throw .notJSON }
        return try VectorFile(VectorNode(tree: tree, path: ""))
    }

    private static let maximumFileBytes = 64 << 20

    /// Runs one case from an empty store.
    ///
    /// - Parameter directory: an empty folder, which holds the case's store afterwards.
    package static func run(_ vector: VectorCase, in directory: String, rejectsReplays: Bool = false) -> Outcome {
        do {
            var run = try Run(vector, in: directory, rejectsReplays: rejectsReplays)
            try run.sendAll()
            run.stop()
            try run.compareStored()
            return Outcome(name: vector.name, differences: try vector.differencesOfTexts() + run.differences)
        } catch {
            return Outcome(name: vector.name, differences: ["could not be run: \(error)"])
        }
    }
}

private struct Run {
    private let vector: VectorCase
    private let directory: String
    private let server: Server
    private let log: Log
    private let nowSeconds: SharedClock
    private(set) var differences: [String] = []

    /// The wall clock of a case; the monotonic one is real, so that deadlines mean what they say.
    private final class SharedClock: Sendable {
        let seconds: Atomic<Int64>
        init(_ start: Int64) { seconds = Atomic(start) }
        var clock: ServerClock {
            ServerClock(
                wallMicroseconds: { self.seconds.load(ordering: .relaxed) * 1_000_000 },
                monotonicMicroseconds: ServerClock.system.monotonicMicroseconds)
        }
    }

    init(_ vector: VectorCase, in directory: String, rejectsReplays: Bool) throws {
        self.vector = vector
        self.directory = directory
        nowSeconds = SharedClock(vector.clock)
        log = Log(format: .text, clock: nowSeconds.clock, write: { _ in })
        let endpoint = try vector.endpoint()
        server = try Server(
            Server.Setup(
                directory: directory, address: SocketAddress(host: "127.0.0.1", port: 0)!,
                settings: HookService.Settings(
                    endpoints: [endpoint.name: endpoint], limits: Limits(), rejectsReplays: rejectsReplays),
                ioThreads: 1, clock: nowSeconds.clock, log: log, followsConfiguration: false))
    }

    func stop() {
        server.stop()
        log.close()
    }

    mutating func sendAll() throws {
        for (index, request) in vector.requests.enumerated() {
            guard let body = request.bodyBytes else {
                differences.append("request \(index): its body_base64 is not base64")
                continue
            }
            nowSeconds.seconds.store(request.clock ?? vector.clock, ordering: .relaxed)
            try vector.queue(request.queue ?? [], in: directory, nowSeconds: request.clock ?? vector.clock)
            let client = try LoopbackClient(port: server.address.port)
            // A refused body is read for a while and then no more: the answer is there all the same.
            do throws(ClientError) { try client.send(request.bytes(body: body)) } catch {
                guard error == .system(Errno(rawValue: EPIPE)) || error == .system(Errno(rawValue: ECONNRESET)) else {
                    throw error
                }
            }
            let response = try client.receive(isHead: request.method == "HEAD")
            compare(response, request.expect, index)
        }
    }

    private mutating func compare(_ response: ClientResponse, _ expected: VectorCase.Expectation, _ index: Int) {
        let text = String(decoding: response.body, as: UTF8.self)
        func differs(_ what: String, _ expected: some CustomStringConvertible, _ got: some CustomStringConvertible) {
            differences.append("request \(index): \(what) should be \(expected) and is \(got)")
        }
        if response.status != expected.status { differs("status", expected.status, "\(response.status) \(text)") }
        if let code = expected.code {
            let error = JSONValue(parsing: text)?["error"]
            if error?["code"] != .text(code) { differs("code", code, text) }
            if let at = expected.at, error?["at"] != at { differs("at", at, text) }
        }
        for (name, value) in expected.headers ?? [:] where response.field(name.lowercased()) != value {
            differs("field \(name)", value, response.field(name.lowercased()) ?? "absent")
        }
        if let body = expected.body, body != text { differs("body", body, text) }
    }

    mutating func compareStored() throws {
        let reader = try StoreReader(directory: directory)
        if let expected = vector.expectStored {
            let rows = try reader.rows("SELECT * FROM samples ORDER BY device, uuid, part, type")
            compareRows(rows, expected, view: "samples")
        }
        if let expected = vector.expectDeletions {
            compareRows(try reader.rows("SELECT * FROM deletions ORDER BY device, uuid"), expected, view: "deletions")
        }
        if let expected = vector.expectSeriesSets {
            compareRows(
                try reader.rows("SELECT * FROM series_sets ORDER BY device, uuid"), expected, view: "series_sets")
        }
        if let expected = vector.expectCommands {
            compareRows(try reader.rows("SELECT * FROM commands"), expected, view: "commands")
        }
    }

    /// Compares the columns that the vector names; columns with JSON text by meaning.
    private mutating func compareRows(_ rows: [[String: SQLValue]], _ expected: [JSONValue], view: String) {
        if rows.count != expected.count {
            differences.append("\(view): \(expected.count) rows should be there, \(rows.count) are")
        }
        for (index, (row, wanted)) in zip(rows, expected).enumerated() {
            guard case .object(let columns) = wanted else { continue }
            for (column, value) in columns.sorted(by: { $0.key < $1.key }) {
                let got = row[column].map { JSONValue($0, isJSON: value.isContainer) }
                if got != value {
                    differences.append(
                        "\(view)[\(index)].\(column) should be \(value) and is \(got.map(\.description) ?? "no column")"
                    )
                }
            }
        }
    }
}

extension VectorCase {
    /// The server's side of the phone's entry.
    package func endpoint() throws(ConfigurationError) -> Endpoint {
        let scheme: AuthScheme
        switch auth.scheme {
        case "bearer": scheme = .bearer
        case "basic": scheme = .basic(user: auth.user ?? "")
        case "header": scheme = .header(name: (auth.header ?? "").lowercased())
        default: scheme = .none
        }
        return Endpoint(
            name: endpointName, label: label, person: "me",
            credentials: EndpointCredentials(
                scheme: scheme, tokens: auth.token.map { [RotatingSecret(secret: Secret(text: $0))] } ?? [],
                secrets: secret.map { [RotatingSecret(secret: Secret(text: $0))] } ?? []),
            format: .native, timeZone: "UTC")
    }
}

extension JSONValue {
    /// A member of an object; nil when this is none or has none of that name.
    package subscript(_ name: String) -> JSONValue? {
        if case .object(let members) = self { members[name] } else { nil }
    }

    var isContainer: Bool {
        switch self {
        case .array, .object: true
        default: false
        }
    }

    /// A column's value; with `isJSON` its text is read as JSON.
    init(_ value: SQLValue, isJSON: Bool) {
        switch value {
        case .null: self = .null
        case .integer(let number): self = .number(Double(number))
        case .real(let number): self = .number(number)
        case .text(let text): self = isJSON ? JSONValue(parsing: text) ?? .text(text) : .text(text)
        case .blob(let bytes): self = .text("blob of \(bytes.count) bytes")
        }
    }
}
