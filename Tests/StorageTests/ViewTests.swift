import Foundation
import Samples
import Testing

@testable import Storage

@Suite struct ViewTests {
    let folder = TestFolder()

    static func part(
        _ number: Int, _ part: Int32, of parts: Int, count: Int, _ points: String, member: String = "beats",
        start: Int64 = 60
    )
        -> Sent
    {
        Sent(
            key: Sent.uuid(number), type: member == "beats" ? "heartbeat_series" : "workout_route",
            kind: member == "beats" ? .heartbeatSeries : .workoutRoute, start: start, part: part, spelled: .partGiven,
            rest: "\"count\":\(count),\"parts\":\(parts),\"\(member)\":\(points)")
    }

    @Test func setsAreCompleteWhenAllPartsAndPointsAreThere() throws {
        let store = try Store.open(directory: folder.path)
        defer { store.close() }
        let p = Self.part
        let query =
            "SELECT parts, present, points_present, count, complete, points FROM series_sets WHERE uuid = '\(Sent.uuid(1))'"
        let steps: [(String, [Sent], [String], [String])] = [
            ("last part first", [p(1, 2, 3, 5, "[[5,0]]", "beats", 60)], [], ["3|1|1|5|0|-"]),
            ("then the first", [p(1, 0, 3, 5, "[ [1,0] , [2, 0]]", "beats", 60)], [], ["3|2|3|5|0|-"]),
            (
                "joined in order", [p(1, 1, 3, 5, "[[3,0],[4,0]]", "beats", 61)], [],
                ["3|3|5|5|1|[[1,0],[2,0],[3,0],[4,0],[5,0]]"]
            ),
            ("a part with too few points", [p(1, 1, 3, 5, "[[3,0]]", "beats", 61)], [], ["3|3|4|5|0|-"]),
            (
                "an empty part",
                [
                    p(1, 1, 3, 3, "[]", "beats", 61), p(1, 0, 3, 3, "[[1,0],[2,0]]", "beats", 60),
                    p(1, 2, 3, 3, "[[3,0]]", "beats", 60),
                ], [],
                ["3|3|3|3|1|[[1,0],[2,0],[3,0]]"]
            ),
            ("parts that disagree", [p(1, 1, 4, 3, "[]", "beats", 61)], [], ["4|3|3|3|0|-"]),
            (
                "a part too many", [p(1, 1, 3, 3, "[]", "beats", 61), p(1, 3, 3, 3, "[]", "beats", 61)], [],
                ["3|4|3|3|0|-"]
            ),
            ("deleted", [], [Sent.uuid(1)], []),
            ("no points at all", [p(1, 0, 1, 0, "[]", "beats", 60)], [], ["1|1|0|0|1|[]"]),
        ]
        for (name, samples, deleted, expected) in steps {
            _ = store.outcome(samples, deleting: deleted)
            #expect(try rows(folder, query) == expected, "\(name)")
        }
        var odd = p(2, 0, 1, 2, "[{\"lat\":1.50,\"note\":\"a]\"},{\"lat\":2}]", "track", 60)
        odd.rest += ",\"metadata\":{\"a\":[1,2,3,4]},\"other\":[1]"
        var bare = p(3, 0, 1, 2, "[[1,0]]", "beats", 60)
        bare.rest = "\"beats\":[[1,0]]"
        var empty = bare
        (empty.key, empty.rest) = (Sent.uuid(4), "")
        _ = store.outcome([odd, bare, empty, Sent(key: "x", value: 1)])
        #expect(
            try rows(
                folder, "SELECT type, complete, points FROM series_sets WHERE uuid <> '\(Sent.uuid(1))' ORDER BY uuid")
                == [
                    "workout_route|1|[{\"lat\":1.50,\"note\":\"a]\"},{\"lat\":2}]", "heartbeat_series|1|[[1,0]]",
                    "heartbeat_series|1|[]",
                ])
    }

    @Test func workoutsAndSleepStages() throws {
        let store = try Store.open(directory: folder.path)
        defer { store.close() }
        let run = Sent(
            key: Sent.uuid(1), type: "workout", kind: .workout, start: 0, value: 60, name: "running", unit: "s",
            rest: "\"energy_kcal\":312.4,\"events\":[],\"distance_m\":5020")
        let sleep = Sent(
            key: Sent.uuid(2), type: "sleep_analysis", kind: .category, start: 0, end: 90_000_000, name: "asleep_core")
        _ = store.outcome([run, sleep])
        #expect(
            try rows(folder, "SELECT activity, duration_s, energy_kcal, distance_m FROM workouts") == [
                "running|60.0|312.4|5020"
            ])
        #expect(try rows(folder, "SELECT stage, minutes FROM sleep_stages") == ["asleep_core|1.5"])
    }

    /// The promise of `docs/sql.md`: these filters read a range of the clustered table.
    @Test(arguments: [
        "SELECT * FROM samples WHERE type = 'steps' AND start_us BETWEEN 1 AND 2",
        "SELECT sum(value) FROM samples WHERE type = 'steps' AND start_us >= 1 AND start_us < 9",
        "SELECT value FROM samples WHERE type IN ('steps', 'x') AND device = 'd' AND start_us > 5 ORDER BY start_us",
        "SELECT * FROM workouts WHERE start_us > 5",
    ])
    func timeFiltersUseTheClusteredKey(query: String) throws {
        try Store.open(directory: folder.path).close()
        let statement = try Connection(
            path: DataFolder(existing: folder.path).database, access: .readOnly, busyMilliseconds: 100
        )
        .prepare("EXPLAIN QUERY PLAN \(query)")
        var plan: [String] = []
        while try statement.step() { plan.append(statement.text(3) ?? "") }
        #expect(plan.contains { $0.contains("USING PRIMARY KEY (series=? AND start>?") }, "\(plan)")
        #expect(!plan.contains { $0.hasPrefix("SCAN") && !$0.contains("json_each") }, "\(plan)")
    }

    /// A plan can name the right index and still read from the wrong end of it: so this counts the work.
    @Test func timeFiltersReadTheirRangeOnly() throws {
        let store = try Store.open(directory: folder.path)
        defer { store.close() }
        _ = store.outcome((0..<20_000).map { Sent(key: Sent.uuid($0), type: "steps", start: Int64($0), value: 1) })
        _ = store.outcome([Sent(key: "x", type: "steps", value: 1)])
        let connection = try Connection(
            path: DataFolder(existing: folder.path).database, access: .readOnly, busyMilliseconds: 100)
        for columns in ["count(*), sum(value)", "*", "value, start", "max(length(body))"] {
            for (filter, count) in [("BETWEEN 15000 AND 15009", 10), (">= 19990", 10), ("< 10", 10), ("= 7", 1)] {
                let statement = try connection.prepare(
                    "SELECT \(columns) FROM samples WHERE type = 'steps' AND start_us \(filter)")
                var found = 0
                while try statement.step() { found += 1 }
                #expect(columns.contains("(") || found == count, "\(columns) \(filter)")
                #expect(statement.machineSteps < 5_000, "\(columns) \(filter)")
            }
        }
    }

    /// Our own connections don't trust the schema; other tools must get the same with it on or off.
    @Test(.enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/sqlite3")), arguments: ["OFF", "ON"])
    func viewsWorkInThePlainShell(trusted: String) throws {
        let store = try Store.open(directory: folder.path)
        _ = store.outcome([
            Self.part(1, 0, of: 1, count: 1, "[[1,0]]"), Sent(key: Sent.uuid(2), start: 1, value: 1, app: "a"),
        ])
        _ = store.outcome([], deleting: [Sent.uuid(2)])
        store.close()
        let views = ["samples", "deletions", "deliveries", "series_sets", "workouts", "sleep_stages"]
        let script =
            "PRAGMA trusted_schema=\(trusted);"
            + views.map { "SELECT '\($0)', count(*) FROM (SELECT * FROM \($0) LIMIT 9);" }.joined()
        let process = Process(), output = Pipe()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/sqlite3")
        process.arguments = ["-batch", folder.database, script + "SELECT points FROM series_sets;"]
        process.standardOutput = output
        process.standardError = output
        try process.run()
        let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        #expect(
            text == "samples|1\ndeletions|1\ndeliveries|2\nseries_sets|1\nworkouts|0\nsleep_stages|0\n[[1,0]]\n")
    }
}
