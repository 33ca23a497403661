import Foundation
import Receiver
import Samples
import Storage
import TestSupport
import Testing

/// The app's public fixtures, which lie beside the checkout or nowhere.
private enum Fixtures {
    static let root = ["../shared/data/puls", "../../shared/data/puls"]
        .map { RepositoryRoot.url.appending(path: $0).standardizedFileURL }
        .first { FileManager.default.fileExists(atPath: $0.appending(path: "catalog.json").path) }

    static func data(_ name: String) throws -> Data { try Data(contentsOf: #require(root).appending(path: name)) }

    static func lines(_ name: String) throws -> [String] {
        String(decoding: try data(name), as: UTF8.self).split(separator: "\n").map(String.init)
    }

    static func object(_ data: Data) throws -> [String: Any] {
        try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
    }
}

@Suite(.enabled(if: Fixtures.root != nil)) struct PulsPublicFixtureTests {
    private static let names = [
        "01-quantity-category", "02-workout-route-series", "03-aggregates-activity-profile", "04-legacy-header",
        "05-deletions", "06-empty-probe", "07-special-kinds", "08-activity-summary-replace",
    ]
    private static let asTheAppWritesThem = [
        "01-quantity-category": "app-shaped/", "02-workout-route-series": "derived/", "04-legacy-header": "derived/",
        "05-deletions": "derived/", "06-empty-probe": "app-shaped/",
    ]
    private static let columns = [
        "moveKcal", "moveGoalKcal", "exerciseMin", "exerciseGoalMin", "standHours", "standGoalHours", "moveMode",
        "moveTimeMin", "moveTimeGoalMin",
    ]

    @Test(arguments: [false, true]) func theCorpusInItsOrder(isAppShaped: Bool) throws {
        let server = try TestServer(isSigned: false, format: .puls)
        let phone = PulsPhone(server: server)
        for name in Self.names {
            let expected = try Fixtures.object(Fixtures.data("\(name).expected.json"))
            let folder = isAppShaped ? Self.asTheAppWritesThem[name] ?? "" : ""
            let lines = try Fixtures.lines("\(folder)\(name).ndjson")
            let answer = try phone.upload(lines)
            #expect(answer.status == expected["status"] as? Int, "\(name)")
            #expect(
                try PulsPhone.json(answer) as? [String: Int] == expected["response"] as? [String: Int],
                "\(folder)\(name): \(String(decoding: answer.body, as: UTF8.self))")
            let again = try phone.upload(lines)
            let counts = try PulsPhone.json(again) as? [String: Int]
            #expect(again.status == 200 && counts?["accepted"] == 0)
            guard let state = expected["state"] as? [String: [[String: Any]]] else { continue }
            for day in try #require(state["activitySummaries"]) { try expectDay(day, server) }
        }
    }

    /// The stored row of a day has these members; null and absent are the same.
    private func expectDay(_ day: [String: Any], _ server: TestServer) throws {
        let date = try #require(day["localDate"] as? String)
        let rows = try StoreReader(directory: server.folder.path).rows(
            "SELECT body FROM samples WHERE uuid = 'activity_summary:\(date)'")
        guard rows.count == 1, case .text(let body)? = rows[0]["body"] else {
            Issue.record("\(rows.count) rows of \(date)")
            return
        }
        let stored = try Fixtures.object(Data(body.utf8))
        for name in Self.columns {
            let value = stored[name] as? Double
            #expect(value == day[name] as? Double, "\(date) \(name): \(body)")
        }
    }

    private struct RequestCase: Decodable {
        var name: String
        var headers: [String: String?]
        var contentEncoding: String
        var lines: [String]
        var expectStatus: Int
        var expectBody: JSONFragment?
    }

    @Test func everyRequestCase() throws {
        struct File: Decodable { var cases: [RequestCase] }
        let cases = try JSONDecoder().decode(File.self, from: Fixtures.data("derived/request-cases.json")).cases
        #expect(cases.count == 61)
        var limits = Limits()
        limits.maximumWrongCredentials = 100
        let server = try TestServer(limits: limits, isSigned: false, format: .puls)
        let phone = PulsPhone(server: server)
        for one in cases {
            let isGzip = one.contentEncoding == "gzip"
            var headers: [String: String?] = ["Content-Encoding": "gzip"]
            headers.merge(one.headers) { $1 }
            let answer = try phone.upload(one.lines, headers: headers, isGzip: isGzip)
            let text = String(decoding: answer.body, as: UTF8.self)
            // A count past its bound is a size as well.
            let isSize = answer.status == 413 && one.expectStatus == 400 && one.name.contains("above")
            #expect(answer.status == one.expectStatus || isSize, "\(one.name): \(text)")
            if let body = one.expectBody {
                #expect(
                    try JSONDecoder().decode(JSONFragment.self, from: Data(answer.body)) == body, "\(one.name): \(text)"
                )
            }
        }
        let rows = try StoreReader(directory: server.folder.path).rows(
            "SELECT uuid FROM samples WHERE uuid LIKE 'C0000000-0000-4000-8000-00000000005_'")
        #expect(!rows.contains { $0["uuid"] == .text("C0000000-0000-4000-8000-000000000055") })
    }

    @Test func everyDigest() throws {
        struct File: Decodable {
            struct Sample: Decodable {
                var uuid: String
                var start: Double
            }
            struct Query: Decodable {
                var from: Int
                var to: Int
                var expect: JSONFragment
            }
            struct Pin: Decodable {
                var uuids: [String]
                var digest: String
            }
            var type: String
            var samples: [Sample]
            var queries: [Query]
            var xorPins: [Pin]
        }
        let file = try JSONDecoder().decode(File.self, from: Fixtures.data("derived/digest-vectors.json"))
        let phone = PulsPhone(server: try TestServer(isSigned: false, format: .puls))
        _ = try phone.counts(
            PulsPhone.batch(1, samples: file.samples.map { PulsPhone.sample($0.uuid, start: $0.start) }))
        for query in file.queries {
            let answer = try phone.exchange("GET", "/v1/digest?type=\(file.type)&from=\(query.from)&to=\(query.to)")
            #expect(try JSONDecoder().decode(JSONFragment.self, from: Data(answer.body)) == query.expect)
        }
        for (index, pin) in file.xorPins.enumerated() {
            let user = PulsPhone(server: phone.server, user: PulsPhone.uuid(100 + index))
            // The same one twice is stored once, and so doesn't take itself away.
            if Set(pin.uuids).count != pin.uuids.count { continue }
            _ = try user.counts(
                PulsPhone.batch(2, samples: pin.uuids.map { PulsPhone.sample($0, start: 1_718_000_000_000) }))
            let months = try user.get("/v1/digest?type=\(file.type)&from=0&to=1900000000000") as? [[String: Any]]
            #expect(months?.first?["digest"] as? String ?? String(repeating: "0", count: 32) == pin.digest)
        }
    }
}
