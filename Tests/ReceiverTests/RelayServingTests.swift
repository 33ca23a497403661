import Foundation
import Receiver
import Samples
import Signing
import Storage
import TestSupport
import Testing

/// Health Relay's pushes over real HTTP. Source: specs, relay.
struct RelayServingTests {
    static let bearer = "Authorization: Bearer \(TestServer.token)"

    static func request(
        _ body: String, method: String = "POST", path: String = "/hook/phone", headers: [String] = [bearer],
        framing: String? = nil
    ) -> [UInt8] {
        var head = ["\(method) \(path) HTTP/1.1", "Host: receiver.local", "Content-Type: application/json"] + headers
        head.append(framing ?? "Content-Length: \(body.utf8.count)")
        return Array((head.joined(separator: "\r\n") + "\r\n\r\n" + (framing == nil ? body : "")).utf8)
    }

    /// - Parameter steps: sums of a day by source.
    static func push(_ days: [String: [String: Int]], at exported: String = "2026-10-14T07:05:00Z") -> String {
        let records = days.sorted { $0.key < $1.key }.flatMap { day, steps in
            steps.sorted { $0.key < $1.key }.map {
                #"{"day":"\#(day)","name":"step_count","unit":"count","source":"\#($0.key)","sum":\#($0.value)}"#
            }
        }
        let listed = days.keys.sorted().map { "\"\($0)\"" }.joined(separator: ",")
        return
            #"{"schema":1,"exportedAt":"\#(exported)","device":{"id":"relay-1","name":"Phone"},"days":[\#(listed)],"metrics":["#
            + records.joined(separator: ",") + "]}"
    }

    private func server(_ scheme: AuthScheme = .bearer, isSigned: Bool = false, limits: Limits = Limits()) throws
        -> TestServer
    {
        try TestServer(limits: limits, scheme: scheme, isSigned: isSigned, format: .relay)
    }

    private func message(_ answer: ClientResponse) throws -> String {
        #expect(answer.field("content-type") == "application/json")
        let json = try #require(try JSONSerialization.jsonObject(with: Data(answer.body)) as? [String: Any])
        return try #require(json["message"] as? String)
    }

    private func stored(_ server: TestServer) throws -> [String] {
        try StoreReader(directory: server.folder.path).rows(
            "SELECT substr(start, 1, 10) || ' ' || source_app || ' ' || CAST(value AS INTEGER) AS line FROM samples ORDER BY start, source_app"
        ).compactMap { if case .text(let line)? = $0["line"] { line } else { nil } }
    }

    @Test("A day sent twice, an older push after a newer one, and an emptied day end right")
    func aDaysLife() throws {
        let server = try server()
        let first = Self.push(["2026-10-13": ["Phone": 4100, "Watch": 4391], "2026-10-14": ["Watch": 12]])
        #expect(try message(server.post(Self.request(first))) == "Stored 3, changed 0, removed 0, known before 0.")
        #expect(try message(server.post(Self.request(first))) == "Stored 0, changed 0, removed 0, known before 3.")
        let newer = Self.push(["2026-10-13": ["Watch": 4400]], at: "2026-10-14T09:00:00Z")
        #expect(try message(server.post(Self.request(newer))) == "Stored 0, changed 1, removed 1, known before 0.")
        #expect(
            try message(server.post(Self.request(first)))
                == "Stored 0, changed 0, removed 0, known before 1. Days left as a newer push has them: 1.")
        #expect(try stored(server) == ["2026-10-13 Watch 4400", "2026-10-14 Watch 12"])
        let emptied = Self.push(["2026-10-13": [:]], at: "2026-10-14T10:00:00Z")
        #expect(try message(server.post(Self.request(emptied))) == "Stored 0, changed 0, removed 1, known before 0.")
        #expect(try message(server.post(Self.request(newer))).hasSuffix("newer push has them: 1."))
        #expect(try stored(server) == ["2026-10-14 Watch 12"])
    }

    @Test("The view tells a day's row in full")
    func viewOfADay() throws {
        let server = try server()
        _ = try server.post(Self.request(Self.push(["2026-10-13": ["Watch": 4391]])))
        let row = try #require(
            try StoreReader(directory: server.folder.path).rows(
                "SELECT device, type, kind, dialect, value, unit, start, \"end\", person, endpoint, body FROM samples"
            ).first)
        #expect(row["device"] == .text("relay-1") && row["type"] == .text("steps") && row["kind"] == .text("quantity"))
        #expect(row["dialect"] == .text("relay") && row["value"] == .real(4391) && row["unit"] == .text("count"))
        #expect(row["start"] == .text("2026-10-13T00:00:00Z") && row["end"] == .text("2026-10-14T00:00:00Z"))
        guard case .text(let body)? = row["body"] else { Issue.record("no body"); return }
        let json = try #require(try JSONSerialization.jsonObject(with: Data(body.utf8)) as? [String: Any])
        #expect(
            json["name"] as? String == "step_count" && json["sum"] as? Int == 4391 && json["grain"] as? String == "day")
    }

    @Test("Test stores nothing and is told so")
    func theTestButton() throws {
        let server = try server()
        let answer = try server.post(
            Self.request(
                #"{"schema":1,"exportedAt":"2026-10-14T07:05:00Z","device":{"id":"relay-1"},"days":[],"metrics":[]}"#))
        #expect(try answer.status == 200 && message(answer) == "The test arrived. There was nothing to store.")
        let other = #"{"device":"relay-1","app":{"version":"1"},"metrics":[]}"#
        #expect(try server.post(Self.request(other)).status == 200)
        #expect(try server.storedCount() == 0)
        let rows = try StoreReader(directory: server.folder.path).rows("SELECT kind, dialect FROM deliveries")
        #expect(rows == Array(repeating: ["kind": .text("test"), "dialect": .text("relay")], count: 2))
    }

    @Test("Every answer has a message: 400 names the place, 401 is for credentials alone")
    func messages() throws {
        let server = try server(limits: Self.limits { $0.maximumWrongCredentials = 3 })
        let outside = Self.push(["2026-10-13": ["Watch": 1]]).replacing(
            #""days":["2026-10-13"]"#, with: #""days":["2026-10-12"]"#)
        let cases: [(body: String, code: String, message: String)] = [
            ("", "json_invalid", "The body ends before its JSON value does. (line 1, byte 0)"),
            ("[]", "envelope_invalid", "The body is no JSON object. (line 1, byte 0)"),
            (outside, "day_not_listed", "A record's day is not among `days`. (metrics[0].day, line 1, byte 129)"),
            (
                Self.push(["2026-10-13": [:]], at: "2026-10-16T07:05:00Z"), "exported_ahead",
                "`exportedAt` is more than a day ahead of this server's clock. (exportedAt, line 1, byte 25)"
            ),
        ]
        for (body, code, text) in cases {
            let answer = try server.post(Self.request(body))
            #expect(try answer.status == 400 && answer.errorCode == code && message(answer) == text, "\(body)")
        }
        for status in [401, 401, 401, 429] {
            let answer = try server.post(Self.request("{}", headers: ["Authorization: Bearer wrong"]))
            #expect(try answer.status == status && !message(answer).isEmpty)
            #expect(status == 401 || answer.field("retry-after") != nil)
        }
        #expect(
            try server.post(Self.request(Self.push(["2026-10-13": [:]]))).status == 200, "the right token never waits")
        for (method, path, status) in [("PUT", "/hook/phone", 405), ("POST", "/hook/phone/x", 404)] {
            let answer = try server.post(Self.request("{}", method: method, path: path))
            #expect(try answer.status == status && !message(answer).isEmpty)
        }
        let packed = try server.post(Self.request("{}", headers: [Self.bearer, "Content-Encoding: gzip"]))
        #expect(try packed.status == 415 && !message(packed).isEmpty)
        #expect(try server.storedCount() == 0)
    }

    static func limits(_ change: (inout Limits) -> Void) -> Limits {
        var limits = Limits()
        change(&limits)
        return limits
    }

    @Test("A body of 4 MiB is taken, one byte more is a 413 with a message")
    func size() throws {
        let server = try server()
        let limit = Limits().maximumBodyBytes
        #expect(limit == 4 << 20)
        let push = Self.push(["2026-10-13": ["Watch": 1]])
        let full = push + String(repeating: " ", count: limit - push.utf8.count)
        #expect(try server.post(Self.request(full)).status == 200)
        let answer = try server.post(Self.request("", framing: "Content-Length: \(limit + 1)"))
        #expect(try answer.status == 413 && !message(answer).isEmpty)
    }

    @Test("A fault of ours is a 503 with a message, never a 400 or a 401")
    func faultOfOurs() throws {
        let server = try server()
        for name in try FileManager.default.contentsOfDirectory(atPath: server.folder.path)
        where name.hasPrefix("health.db") {
            try FileManager.default.removeItem(atPath: "\(server.folder.path)/\(name)")
        }
        let answer = try server.post(Self.request(Self.push(["2026-10-13": ["Watch": 1]])))
        #expect(try answer.status == 503 && !message(answer).isEmpty)
        #expect(answer.field("retry-after") != nil)
    }

    @Test("A push that comes too slowly is a 503, which the app repeats, and not a 408")
    func tooSlow() throws {
        let server = try server()
        let client = try server.connect()
        try client.send(Array(Self.request(Self.push(["2026-10-13": ["Watch": 1]])).dropLast(1)))
        #expect(server.eventually { server.server.bodyMemoryBytes > 0 })
        server.clock.advance(seconds: 40)
        server.server.sweep()
        let answer = try client.receive()
        #expect(try answer.status == 503 && !message(answer).isEmpty)
        #expect(answer.field("retry-after") != nil)
        #expect(try stored(server) == [])
    }

    @Test("The zone that the device names has its days")
    func zoneOfTheDevice() throws {
        let server = try server()
        for zone in ["Europe/Berlin", "Mars/Base", "../../etc/passwd"] {
            let push = Self.push(["2026-10-13": ["Watch": 1]], at: "2026-10-14T07:05:00Z").replacing(
                #""name":"Phone""#, with: #""timeZone":"\#(zone)""#)
            #expect(try server.post(Self.request(push)).status == 200)
            let start = zone == "Europe/Berlin" ? "2026-10-12 Watch 1" : "2026-10-13 Watch 1"
            #expect(try stored(server) == [start])
        }
    }

    @Test("Syncky's own requests are taken at the same endpoint")
    func syncky() throws {
        let server = try server()
        #expect(try server.post(server.delivery()).status == 204)
    }

    @Test("An endpoint that asks for signatures says that this sender can't sign")
    func signed() throws {
        let answer = try server(isSigned: true).post(Self.request(Self.push(["2026-10-13": [:]])))
        #expect(try answer.status == 401 && message(answer).contains("--format relay"))
    }
}
