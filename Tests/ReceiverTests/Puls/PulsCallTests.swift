import Foundation
import Receiver
import Samples
import Storage
import TestSupport
import Testing

/// A step of `puls-calls.json`.
struct PulsStep: Decodable, Sendable {
    var method: String
    var path: String
    var headers: [String: String?]
    var encoding: String?
    var lines: [String]?
    var status: Int
    var body: JSONFragment?
}

/// Any JSON, as bytes that compare.
struct JSONFragment: Decodable, Sendable, Equatable {
    enum Value: Equatable, Sendable {
        case null
        case bool(Bool)
        case number(Double)
        case text(String)
        case array([JSONFragment])
        case object([String: JSONFragment])
    }
    var value: Value

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        value =
            if container.decodeNil() {
                .null
            } else if let value = try? container.decode(Bool.self) {
                .bool(value)
            } else if let value = try? container.decode(Double.self) {
                .number(value)
            } else if let value = try? container.decode(String.self) {
                .text(value)
            } else if let value = try? container.decode([JSONFragment].self) {
                .array(value)
            } else {
                .object(try container.decode([String: JSONFragment].self))
            }
    }
}

struct PulsCase: Decodable, Sendable, CustomTestStringConvertible {
    var name: String
    var bound_user: String?
    var steps: [PulsStep]
    var testDescription: String { name }

    struct File: Decodable { var cases: [PulsCase] }
    static let all = try! JSONDecoder().decode(
        File.self, from: RepositoryRoot.contents(of: "test-vectors/" + "puls-calls.json")
    ).cases
}

/// The contract over HTTP: sections 2, 6, 7 and 9.
@Suite struct PulsCallTests {
    @Test(arguments: PulsCase.all) func callsAndAnswers(vector: PulsCase) throws {
        let server = try TestServer(isSigned: false, format: .puls, boundUser: vector.bound_user)
        let phone = PulsPhone(server: server, user: vector.bound_user ?? PulsPhone.standardUser)
        for (index, step) in vector.steps.enumerated() {
            let answer =
                if let lines = step.lines {
                    try phone.upload(lines, headers: step.headers, isGzip: step.encoding == "gzip")
                } else {
                    try phone.exchange(step.method, step.path, headers: step.headers)
                }
            let text = String(decoding: answer.body, as: UTF8.self)
            #expect(answer.status == step.status, "step \(index): \(text)")
            if step.method == "HEAD" { continue }
            #expect(answer.field("content-type") == "application/json")
            if let body = step.body {
                #expect(
                    try JSONDecoder().decode(JSONFragment.self, from: Data(answer.body)) == body,
                    "step \(index): \(text)")
            }
            if answer.status >= 400 {
                let object = try #require(try PulsPhone.json(answer) as? [String: Any])
                #expect(object["error"] is String && object.count == (object["supportedVersions"] == nil ? 1 : 2))
            }
        }
    }

    private func server(limits: Limits = Limits()) throws -> TestServer {
        try TestServer(limits: limits, isSigned: false, format: .puls)
    }

    @Test func theVersionBodyIsExact() throws {
        let answer = try PulsPhone(server: server()).upload(["{}"], headers: ["X-Puls-Protocol": "2"])
        #expect(
            String(decoding: answer.body, as: UTF8.self)
                == #"{"error":"unsupported protocol version","supportedVersions":[1]}"#)
    }

    @Test func capabilitiesAreTrue() throws {
        let answer = try #require(try PulsPhone(server: server()).get("/v1/capabilities") as? [String: Any])
        #expect(answer["protocolVersions"] as? [Int] == [1] && answer["version"] as? String == Version.number)
        #expect(
            answer["features"] as? [String] == [
                "batches", "stats", "digest", "uuids", "aggregates", "activitySummaries", "routes", "series", "profile",
            ])
    }

    @Test func wrongTokensAreLimitedAndARightOneNever() throws {
        var limits = Limits()
        limits.maximumWrongCredentials = 3
        let phone = PulsPhone(server: try server(limits: limits))
        let wrong: [String: String?] = ["Authorization": "Bearer wrong"]
        for _ in 0..<3 { #expect(try phone.exchange("GET", "/v1/stats", headers: wrong).status == 401) }
        let answer = try phone.exchange("GET", "/v1/stats", headers: wrong)
        #expect(answer.status == 429 && Int(answer.field("retry-after") ?? "") ?? 0 >= 1)
        #expect(String(decoding: answer.body, as: UTF8.self) == #"{"error":"too many failed authentications"}"#)
        #expect(try phone.counts(PulsPhone.batch(1, samples: [])).isEmpty)
        #expect(try phone.exchange("GET", "/healthz", headers: ["Authorization": nil]).status == 200)
    }

    @Test func sizesAre413() throws {
        var limits = Limits()
        limits.maximumLargeBodyBytes = 1_000_000
        let phone = PulsPhone(server: try server(limits: limits))
        let long = PulsPhone.batch(1, samples: []) + [String(repeating: " ", count: 1_000_001)]
        let told = try phone.exchange("POST", "/v1/batches", headers: ["Content-Length": "1000001"], body: [])
        for answer in [try phone.upload(long), told] {
            let object = try #require(try PulsPhone.json(answer) as? [String: Any])
            #expect(answer.status == 413 && object["error"] is String)
        }
    }

    /// Bodies past the spool's bound are decoded in slices, within the transaction.
    @Test func aLargeBatchIsStoredInSlices() throws {
        var limits = Limits()
        limits.spoolPastBytes = 65_536
        let server = try server(limits: limits)
        let phone = PulsPhone(server: server)
        let samples = (0..<20_000).map { PulsPhone.sample(PulsPhone.uuid($0), start: 1_754_000_000_000 + Double($0)) }
        let lines = PulsPhone.batch(1, samples: samples, deletions: [PulsPhone.deletion(PulsPhone.uuid(3))])
        for isGzip in [true, false] {
            let bad = try phone.upload(lines.dropLast() + ["{}"], isGzip: isGzip)
            #expect(bad.status == 400)
            #expect(try phone.upload(lines, headers: ["X-Wake-ID": "x"], isGzip: isGzip).status == 400)
        }
        #expect(try server.storedCount() == 0)
        #expect(try phone.counts(lines) == ["accepted": 20_000, "deleted": 1])
        #expect(try phone.counts(lines) == ["duplicates": 20_000])
        let answer = try #require(
            try phone.get("/v1/uuids?type=\(PulsPhone.heartRate)&from=1754000000000&to=1754000020000")
                as? [String: [String]])
        #expect(answer["uuids"]?.count == 19_999)
        #expect(server.eventually { server.server.spooledBodies == 0 && server.server.bodyMemoryBytes == 0 })
    }

    @Test func nothingOfAPersonIsLogged() throws {
        let server = try server()
        let phone = PulsPhone(server: server)
        _ = try phone.upload(
            PulsPhone.batch(1, samples: [PulsPhone.sample(PulsPhone.uuid(1), start: 1_754_000_000_000)]),
            headers: ["X-Wake-Trigger": "my trigger"])
        _ = try phone.get("/v1/digest?type=MyOwnType&from=1&to=2")
        #expect(server.eventually { server.logText.contains("question") && server.logText.contains("request") })
        for word in ["trigger", "MyOwnType", "7E57", "HeartRate", TestServer.token, "1754000"] {
            #expect(!server.logText.contains(word), "\(word)")
        }
    }

    @Test func theWakeIsKeptWithTheBatch() throws {
        let server = try server()
        _ = try PulsPhone(server: server).upload(
            PulsPhone.batch(1, samples: []),
            headers: ["X-Wake-ID": PulsPhone.uuid(5), "X-Wake-Trigger": "somethingNew"])
        let rows = try StoreReader(directory: server.folder.path).rows(
            "SELECT hex(wake) AS w, wake_trigger FROM puls_batch")
        #expect(rows == [["w": .text("7E570000000040008000000000000005"), "wake_trigger": .text("somethingNew")]])
    }

    /// A 4xx would stop the app until its owner does something.
    @Test func whatMayPassIs503() throws {
        let server = try server()
        let phone = PulsPhone(server: server)
        for name in ["health.db", "health.db-wal", "health.db-shm"] {
            try? FileManager.default.removeItem(atPath: "\(server.folder.path)/\(name)")
        }
        for answer in [
            try phone.upload(PulsPhone.batch(1, samples: [])), try phone.exchange("GET", "/v1/stats"),
        ] {
            let object = try #require(try PulsPhone.json(answer) as? [String: Any])
            #expect(answer.status == 503 && answer.field("retry-after") != nil && object["error"] is String)
        }
        let health = try phone.exchange("GET", "/healthz", headers: ["Authorization": nil])
        #expect(health.status == 503 && String(decoding: health.body, as: UTF8.self) == #"{"ok":false,"db":false}"#)
        #expect(try phone.exchange("GET", "/v1/stats", headers: ["Authorization": nil]).status == 401)
    }

    /// The app repeats after 429 and 5xx alone, and a 408 would be a 4xx.
    @Test func aBatchThatComesTooSlowlyIs503() throws {
        let server = try server()
        let client = try server.connect()
        let head = [
            "POST /hook/phone/v1/batches HTTP/1.1", "Host: receiver.local", "Authorization: Bearer \(TestServer.token)",
            "Content-Length: 1000",
        ]
        try client.send(Array((head.joined(separator: "\r\n") + "\r\n\r\n{").utf8))
        #expect(server.eventually { server.server.bodyMemoryBytes > 0 })
        server.clock.advance(seconds: 40)
        server.server.sweep()
        let answer = try client.receive()
        let object = try #require(try PulsPhone.json(answer) as? [String: Any])
        #expect(answer.status == 503 && answer.field("retry-after") != nil && object["error"] is String)
    }

    @Test func severalConnectionsAtOnce() async throws {
        let server = try server()
        let total = try await withThrowingTaskGroup(of: Int.self) { group in
            for number in 0..<8 {
                group.addTask {
                    // Overlapping by half with the next one's.
                    let samples = (0..<100).map { index in
                        PulsPhone.sample(PulsPhone.uuid(number * 50 + index), start: 1_754_000_000_000)
                    }
                    return try PulsPhone(server: server).counts(PulsPhone.batch(number, samples: samples))["accepted"]
                        ?? 0
                }
            }
            return try await group.reduce(0, +)
        }
        #expect(total == 450)
        #expect(try server.storedCount() == 450)
    }

    // MARK: Apart from each other

    @Test func endpointsAndUsersAreApart() throws {
        var other = TestServer.endpoint(isSigned: false, format: .puls)
        (other.name, other.person) = ("anna", "anna")
        var same = TestServer.endpoint(isSigned: false, format: .puls)
        same.name = "ipad"
        let server = try TestServer(isSigned: false, format: .puls, others: [other, same])
        let lines = PulsPhone.batch(1, samples: [PulsPhone.sample(PulsPhone.uuid(1), start: 1_754_000_000_000)])
        let user = "0B7C2D11-5A3E-4F60-9A41-6D2F8E7C9B01"
        let mine = PulsPhone(server: server), theirs = PulsPhone(server: server, endpoint: "anna")
        let guest = PulsPhone(server: server, user: user), unnamed = PulsPhone(server: server, user: nil)
        for phone in [mine, theirs, guest] { #expect(try phone.counts(lines) == ["accepted": 1]) }
        // Another device of the same person is the same dataset; and so is nobody's name.
        #expect(try PulsPhone(server: server, endpoint: "ipad").counts(lines) == ["duplicates": 1])
        #expect(try unnamed.counts(lines) == ["duplicates": 1])
        let deletion = PulsPhone.batch(2, samples: [], deletions: [PulsPhone.deletion(PulsPhone.uuid(1))])
        #expect(try guest.counts(deletion) == ["deleted": 1])
        let digest = "/v1/digest?type=\(PulsPhone.heartRate)&from=0&to=1900000000000"
        for (phone, months) in [(mine, 1), (theirs, 1), (guest, 0)] {
            let answer = try phone.get(digest) as? [Any]
            #expect(answer?.count == months)
        }
        let persons = try StoreReader(directory: server.folder.path).rows("SELECT name FROM person ORDER BY name")
        #expect(persons.map { $0["name"] } == [.text("anna"), .text("me"), .text("me/\(user.lowercased())")])
        // A question makes nobody.
        let stats = try PulsPhone(server: server, user: PulsPhone.uuid(9)).get("/v1/stats") as? [Any]
        #expect(stats?.isEmpty == true)
        #expect(try StoreReader(directory: server.folder.path).rows("SELECT name FROM person").count == 3)
    }

    @Test func synckysOwnRequestsComeToTheEndpointItself() throws {
        let server = try server()
        let answer = try server.post(server.delivery())
        #expect(answer.status == 204)
        #expect(try PulsPhone(server: server).exchange("GET", "").status == 200, "the page for a person")
    }

    @Test("the device of PulsHealth's samples is that app's alone")
    func theDeviceIsKept() throws {
        let server = try server()
        let other = TestServer.body().replacing("d_invented", with: "PulsHealth")
        for request in [
            server.delivery(other), server.delivery(headers: ["X-Syncky-Destination: PulsHealth"]),
        ] {
            let answer = try server.post(request)
            #expect(answer.status == 400)
            #expect(String(decoding: answer.body, as: UTF8.self).contains("device_kept"))
        }
        #expect(try StoreReader(directory: server.folder.path).rows("SELECT uuid FROM samples").isEmpty)
        #expect(try server.post(server.delivery(TestServer.body().replacing("d_invented", with: "puls"))).status == 204)
    }

    // MARK: As the app does it

    /// What the app does to find out whether all is here. Source: section 8.4.
    private func reconcile(_ phone: PulsPhone, _ own: [String: Double], batch: Int) throws -> (sent: Int, deleted: Int)
    {
        let range = "type=\(PulsPhone.heartRate)&from=1748736000000&to=1756684800000"
        let answer = try #require(try phone.get("/v1/digest?\(range)") as? [[String: Any]])
        var theirs: [Int: (rows: Int, digest: String)] = [:]
        for month in answer {
            theirs[try #require(month["window"] as? Int)] = (
                try #require(month["rows"] as? Int), try #require(month["digest"] as? String)
            )
        }
        var result = (sent: 0, deleted: 0)
        let months = [1_748_736_000_000, 1_751_328_000_000, 1_754_006_400_000, 1_756_684_800_000]
        for (from, to) in zip(months, months.dropFirst()) {
            let mine = own.filter { Int($0.value.rounded(.down)) >= from && Int($0.value.rounded(.down)) < to }
            var digest = [UInt8](repeating: 0, count: 16)
            for uuid in mine.keys {
                let digits = Array(uuid.filter { $0 != "-" })
                for place in 0..<16 {
                    digest[place] ^= UInt8(String(digits[2 * place...2 * place + 1]), radix: 16) ?? 0
                }
            }
            let text = digest.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
            if theirs[from].map({ $0.rows == mine.count && $0.digest == text }) ?? mine.isEmpty { continue }
            let listed = try #require(
                try phone.get("/v1/uuids?type=\(PulsPhone.heartRate)&from=\(from)&to=\(to)") as? [String: [String]])
            let known = Set(try #require(listed["uuids"]).map { $0.uppercased() })
            let missing = mine.filter { !known.contains($0.key) }
            let extra = known.subtracting(mine.keys)
            _ = try phone.counts(
                PulsPhone.batch(
                    batch + from / 1_000_000_000,
                    samples: missing.map { PulsPhone.sample($0.key, start: $0.value) },
                    deletions: extra.map(PulsPhone.deletion)))
            result.sent += missing.count
            result.deleted += extra.count
        }
        return result
    }

    @Test func aPhoneReconcilesAMonth() throws {
        let phone = PulsPhone(server: try server())
        // A whole month of fractional moments, some of them at its edges.
        var own: [String: Double] = [:]
        for number in 0..<400 {
            own[PulsPhone.uuid(number)] = 1_751_328_000_000 + Double(number) * 6_697_000.25
        }
        own[PulsPhone.uuid(900)] = 1_751_327_999_999.75
        own[PulsPhone.uuid(901)] = 1_754_006_399_999.875
        own[PulsPhone.uuid(902)] = 1_754_006_400_000
        let sent = own.sorted { $0.key < $1.key }.filter {
            $0.key != PulsPhone.uuid(7) && $0.key != PulsPhone.uuid(901)
        }
        let extra = [
            PulsPhone.sample(PulsPhone.uuid(5_000), start: 1_752_000_000_000),
            PulsPhone.sample(PulsPhone.uuid(5_001), start: 1_754_006_400_000),
        ]
        #expect(
            try phone.counts(
                PulsPhone.batch(1, samples: sent.map { PulsPhone.sample($0.key, start: $0.value) } + extra))
                == ["accepted": sent.count + 2])
        #expect(try reconcile(phone, own, batch: 100) == (sent: 2, deleted: 2))
        #expect(try reconcile(phone, own, batch: 200) == (sent: 0, deleted: 0))
        // Deleted and back again: nothing stands in its way.
        own[PulsPhone.uuid(3)] = nil
        #expect(try reconcile(phone, own, batch: 300) == (sent: 0, deleted: 1))
        own[PulsPhone.uuid(3)] = 1_751_328_000_001
        #expect(try reconcile(phone, own, batch: 400) == (sent: 1, deleted: 0))
        #expect(try reconcile(phone, own, batch: 500) == (sent: 0, deleted: 0))
    }
}
