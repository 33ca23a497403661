import Demo
import Foundation
import Samples
import Storage
import TestSupport
import Testing

@testable import Receiver

/// SQL that documents and examples print, run on invented data: 35 days with commands and refusals.
@Suite struct PrintedQueryTests {
    /// 2026-11-01T00:00:00 in Berlin.
    private static let until: Int64 = 1_793_487_600
    private static let filled: Result<TestSupport.TemporaryFolder, any Error> = Result {
        let folder = try TestSupport.TemporaryFolder()
        let settings = DemoSettings(
            days: 35, seed: 1, until: Timestamp(microseconds: until * 1_000_000),
            home: try TimeZoneName.rules(of: "Europe/Berlin"), away: try TimeZoneName.rules(of: "America/New_York"))
        _ = try DemoStore.fill(directory: folder.path("data"), settings)
        return folder
    }

    private let reader: StoreReader

    init() throws { reader = try StoreReader(directory: try Self.filled.get().path("data")) }

    private static func number(_ value: SQLValue?) -> Double {
        switch value {
        case .integer(let number): Double(number)
        case .real(let number): number
        default: .nan
        }
    }

    /// Whether samples are found by a range of their key.
    private func readsRange(_ sql: String) throws -> Bool {
        try reader.rows("EXPLAIN QUERY PLAN \(sql)").contains { row in
            guard case .text(let detail) = row["detail"] else { return false }
            return detail.contains("PRIMARY KEY (series=? AND start>")
        }
    }

    // MARK: docs/sql.md

    private static func tenQuestions() throws -> [String] {
        let text = try String(contentsOf: RepositoryRoot.url.appending(path: "docs/sql.md"), encoding: .utf8)
        let section = try #require(text.components(separatedBy: "\n## Ten questions\n").last)
        return section.components(separatedBy: "```sql\n").dropFirst().map {
            // As if it were asked at the end of the data.
            $0.components(separatedBy: "```")[0].replacingOccurrences(of: "'now'", with: "\(until), 'unixepoch'")
        }
    }

    @Test func documentHasTenQuestions() throws {
        let queries = try Self.tenQuestions()
        #expect(queries.count == 10)
        for (index, query) in queries.enumerated() { #expect(query.hasPrefix("-- \(index + 1). ")) }
    }

    @Test(arguments: 0..<10) func questionOfTheDocumentIsAnswered(index: Int) throws {
        let query = try Self.tenQuestions()[index]
        let found = try reader.rows(query)
        #expect(!found.isEmpty)
        // No column that is empty throughout, but for refusals and reasons, which most rows don't have.
        let columns = found[0].keys.filter { column in found.allSatisfy { $0[column] == .null } }
        #expect(columns.isEmpty, "\(query)")
        #expect(try readsRange(query) == query.contains(" start_us >= "))
    }

    /// The first question is the rule `highest-source`, and less than the sum of all rows.
    @Test func stepsOfTheDocumentAreNoNaiveSum() throws {
        let days = try reader.rows(try Self.tenQuestions()[0])
        let naive = try reader.rows(
            "SELECT sum(value) AS steps FROM samples WHERE type = 'steps' AND start_us >= (\(Self.until) - 30 * 86400) * 1000000"
        )
        let sum = days.reduce(0) { $0 + Self.number($1["steps"]) }
        #expect(days.count >= 30 && sum > 0 && sum < Self.number(naive[0]["steps"]) * 0.9)
    }

    // MARK: examples/grafana

    private static func panels() throws -> [(title: String, sql: String)] {
        try GrafanaBoard("health-sql").panels.flatMap { panel in
            panel.targets.map { (panel.title, $0.rawQueryText ?? "") }
        }
    }

    @Test func panelsInSQLHaveRows() throws {
        let panels = try Self.panels()
        #expect(panels.count == 6)
        for (title, text) in panels {
            let sql = text.replacingOccurrences(of: "$__from", with: "\((Self.until - 30 * 86_400) * 1_000)")
                .replacingOccurrences(of: "$__to", with: "\(Self.until * 1_000)")
            #expect(!sql.contains("$"))
            let found = try reader.rows(sql)
            #expect(!found.isEmpty, "\(title)")
            if sql.contains("AS time") {
                // Seconds since 1970, in the order of time, as the plugin wants them.
                let times = found.map { Self.number($0["time"]) }
                #expect(
                    times == times.sorted()
                        && times.allSatisfy { (Double(Self.until - 31 * 86_400)...Double(Self.until)).contains($0) }
                )
            }
            #expect(try readsRange(sql) == sql.contains("start_us >="), "\(title)")
        }
    }
}

/// What is looked at of a dashboard's JSON.
struct GrafanaBoard: Decodable {
    struct Panel: Decodable {
        var id: Int
        var title: String
        var targets: [Target]
    }

    struct Target: Decodable {
        struct Parameter: Decodable {
            var key: String
            var value: String
        }

        struct Options: Decodable { var params: [Parameter] }
        struct Column: Decodable { var selector: String }

        var rawQueryText: String?
        var queryText: String?
        var url: String?
        var options: Options?
        var root: String?
        var columns: [Column]?

        private enum CodingKeys: String, CodingKey {
            case rawQueryText, queryText, url, columns
            case options = "url_options"
            case root = "root_selector"
        }
    }

    var uid: String
    var panels: [Panel]

    init(_ name: String) throws {
        let file = RepositoryRoot.url.appending(path: "examples/grafana/dashboards/\(name).json")
        self = try JSONDecoder().decode(Self.self, from: Data(contentsOf: file))
    }
}
