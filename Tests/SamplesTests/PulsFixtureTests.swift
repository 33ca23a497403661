import Foundation
import Samples
import TestSupport
import Testing
import Wire

/// The app's public fixtures, which lie beside the checkout or nowhere.
enum PulsFixture {
    static let folder = RepositoryRoot.url.deletingLastPathComponent().appending(path: "shared/data/puls")
    /// Worktrees lie one folder deeper.
    static let root =
        [folder, RepositoryRoot.url.appending(path: "../../shared/data/puls").standardizedFileURL]
        .first { FileManager.default.fileExists(atPath: $0.appending(path: "catalog.json").path) }
    static var exists: Bool { root != nil }
    static func url(_ path: String) -> URL { (root ?? folder).appending(path: path) }

    static let batches = ["", "app-shaped", "derived"].flatMap { part in
        let folder = part.isEmpty ? url("") : url(part)
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
        return names.filter { $0.hasSuffix(".ndjson") }.sorted().map { part.isEmpty ? $0 : "\(part)/\($0)" }
    }
}

@Suite(.enabled(if: PulsFixture.exists)) struct PulsFixtureTests {
    @Test(
        "Every fixture is read, whole and in slices, and has the lines that its header counts",
        arguments: PulsFixture.batches)
    func fixture(name: String) throws {
        let bytes = [UInt8](try Data(contentsOf: PulsFixture.url(name)))
        let batch = try decodePuls(bytes)
        try batch.expectWholeRests()
        var whole = PulsContent()
        whole.add(batch)
        #expect(try slicePuls(bytes, records: 1).content == whole)

        let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n").map { Data($0.utf8) }
        let header = try #require(try JSONSerialization.jsonObject(with: lines[0]) as? [String: Any])
        func count(_ name: String) -> Int { header[name] as? Int ?? 0 }
        #expect(whole.sampleLines == count("sampleCount"))
        #expect(whole.deletions.count == count("deletionCount"))
        #expect(whole.aggregates.count == count("aggregateCount"))
        #expect(whole.records.count - whole.sampleLines == count("activitySummaryCount") + count("profileCount"))
        // Nothing of a sample is lost: what is not null is in `rest` or told by a column.
        let columns: Set = [
            "uuid", "type", "kind", "start", "end", "value", "unit", "category", "sourceName", "device",
        ]
        for (record, line) in zip(whole.records, lines.dropFirst()).prefix(whole.sampleLines) {
            let sent = try #require(try JSONSerialization.jsonObject(with: line) as? [String: Any])
            let rest = Data("{\(record.rest ?? "")}".utf8)
            let kept = try #require(try JSONSerialization.jsonObject(with: rest) as? [String: Any])
            for (name, value) in sent where !columns.contains(name) && !(value is NSNull) {
                #expect((kept[name] as? NSObject) == (value as? NSObject), "\(name)")
            }
            #expect((sent["uuid"] as? String)?.uppercased() == record.key)
            #expect((sent["value"] as? Double) == (record.kind == "quantity" ? record.value : nil))
            #expect((sent["sourceName"] as? String) == record.app && (sent["device"] as? String) == record.device)
        }
    }

    struct RequestCase: Decodable {
        var name: String
        var headers: [String: String?]
        var contentEncoding: String
        var lines: [String]
        var expectStatus: Int
    }

    /// Those that are about the body alone; the others need a server.
    @Test func requestCases() throws {
        struct File: Decodable { var cases: [RequestCase] }
        let file = try JSONDecoder().decode(
            File.self, from: Data(contentsOf: PulsFixture.url("derived/request-cases.json")))
        let cases = file.cases.filter { $0.headers.isEmpty && $0.contentEncoding == "gzip" }
        #expect(cases.count > 40)
        for one in cases {
            let body = Array(one.lines.map { $0 + "\n" }.joined().utf8)
            var status = 200
            do throws(DecodeFault) { _ = try decodePuls(body) } catch { status = error.status }
            #expect(status == one.expectStatus, "\(one.name)")
        }
    }
}
