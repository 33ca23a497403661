import Foundation
import Samples
import Testing

@testable import Storage

@Suite struct SkippedTests {
    let folder = TestFolder()

    static func batch(_ records: [(path: String, code: StaticString, raw: [UInt8])]) -> SampleBatch {
        var batch = SampleBatch()
        for record in records {
            let path = batch.append(record.path.utf8), raw = batch.append(record.raw)
            batch.skipped.append(SkippedRecord(path: path, code: record.code, raw: raw))
        }
        return batch
    }

    static func batch(raws: [String]) -> SampleBatch {
        batch(raws.map { ("data.metrics[0].data[1]", "date_invalid", Array($0.utf8)) })
    }

    func counts(_ result: Result<StoreOutcome, StoreFault>) -> Int? { (try? result.get())?.skipped }

    @Test func whatWasLeftOutIsKeptOnce() throws {
        let store = try Store.open(directory: folder.path)
        defer { store.close() }
        let batch = Self.batch([
            ("data.metrics[0].data[1]", "date_invalid", Array("{\"qty\":1}".utf8)),
            ("data.ecg", "section_unknown", Array("[\"ü\"]".utf8)), ("data.metrics[0].data[2]", "date_invalid", []),
        ])
        for number in 0..<3 {
            let submission = Submission(batch, delivery: "d-\(number)", at: 1_000_000 + Int64(number), dialect: .hae)
            #expect(counts(store.write(submission)) == 3)
        }
        let columns =
            "SELECT endpoint, received_at, received_us, first_received_at, count, code, path, raw, delivery FROM skipped"
        let times = "1970-01-01T00:00:01.000002Z|1000002|1970-01-01T00:00:01Z|3"
        #expect(
            try rows(folder, "\(columns) ORDER BY path") == [
                "phone|\(times)|section_unknown|data.ecg|[\"ü\"]|d-2",
                "phone|\(times)|date_invalid|data.metrics[0].data[1]|{\"qty\":1}|d-2",
                "phone|\(times)|date_invalid|data.metrics[0].data[2]||d-2",
            ])
        var more = batch
        more.skipped.removeLast(3)
        more.skippedBeyond = 7  // past what a decoder keeps
        #expect(counts(store.write(Submission(more, endpoint: "third", dialect: .hae))) == 7)
        _ = store.write(Submission(batch, endpoint: "other", at: 5, dialect: .hae))
        #expect(
            try rows(folder, "SELECT endpoint, count(*), sum(skipped) FROM deliveries GROUP BY 1") == [
                "other|1|3", "phone|3|9", "third|1|7",
            ])
        let reader = try StoreReader(directory: folder.path)
        #expect(
            try reader.skippedCounts().map { "\($0.endpoint) \($0.code) \($0.count)" } == [
                "other date_invalid 2", "other section_unknown 1", "phone date_invalid 6", "phone section_unknown 3",
            ])
        // Purged with the endpoint, and only with it.
        _ = try Purge.run(directory: folder.path, endpoint: "phone")
        #expect(try rows(folder, "SELECT endpoint, count(*) FROM skipped GROUP BY 1") == ["other|3"])
    }

    @Test func samplesAndSkippedRecordsTogether() throws {
        let harness = try MergingHarness()
        var batch = SampleBatch(MergingHarness.members("A=1"))
        batch.window = harness.window
        let raw = batch.append("x".utf8)
        batch.skipped = [SkippedRecord(path: raw, code: "value_missing", raw: raw)]
        let outcome = try harness.store.write(Submission(batch, dialect: .hae)).get()
        #expect(outcome.stored == 1 && outcome.skipped == 1)
        // Of slices each is counted, and a fault at the end takes them along.
        let slice = batch
        for fault in [nil, StreamTests.fault] {
            var submission = harness.stream([])
            submission.content = .stream(
                SampleStream(bytes: 1) { sink in
                    for _ in 0..<3 { try sink(slice) }
                    if let fault { throw fault }
                })
            #expect(counts(harness.store.write(submission)) == (fault == nil ? 3 : nil))
            #expect(try rows(harness.folder, "SELECT count FROM skipped") == ["4"])
        }
    }

    @Test func aRequestLeavesABoundedNumber() throws {
        let store = try Store.open(directory: folder.path)
        defer { store.close() }
        let many = Self.batch(raws: (0..<1_500).map { "\($0)" })
        #expect(counts(store.write(Submission(many))) == 1_500)
        #expect(try rows(folder, "SELECT count(*) FROM skipped") == ["1000"])
        let large = String(repeating: "y", count: 60_000)
        #expect(counts(store.write(Submission(Self.batch(raws: (0..<100).map { "\($0)\(large)" })))) == 100)
        #expect(try rows(folder, "SELECT count(*) FROM skipped WHERE length(raw) > 9") == ["69"])
    }

    /// Past the bounds of an endpoint the oldest go, of that endpoint only.
    @Test func anEndpointKeepsABoundedNumber() throws {
        let store = try Store.open(directory: folder.path)
        defer { store.close() }
        _ = store.write(Submission(Self.batch(raws: ["other"]), endpoint: "other", at: 1))
        for request in 0..<12 {
            let raws = (0..<1_000).map { "\(request) \($0)" }
            _ = store.write(Submission(Self.batch(raws: raws), at: Int64(request)))
        }
        #expect(
            try rows(folder, "SELECT endpoint, count(*), min(received_us) FROM skipped GROUP BY 1") == [
                "other|1|1", "phone|10000|2",
            ])
        let large = String(repeating: "y", count: 60_000)
        for request in 12..<18 {
            _ = store.write(
                Submission(Self.batch(raws: (0..<69).map { "\(request) \($0)\(large)" }), at: Int64(request)))
        }
        #expect(
            try rows(folder, "SELECT sum(bytes) <= 16777216, min(last_at) FROM skip WHERE endpoint <> 1") == ["1|13"])
        #expect(try rows(folder, "SELECT count(*) FROM skipped WHERE endpoint = 'other'") == ["1"])
    }

    /// The raw bytes end with a whole character, wherever the decoder cut them.
    @Test(arguments: [
        ("aé", 3, "aé"), ("aé", 2, "a"), ("a€", 4, "a€"), ("a€", 3, "a"), ("a€", 2, "a"), ("😀", 4, "😀"), ("😀", 3, ""),
        ("😀", 1, ""), ("", 0, ""), ("abc", 2, "ab"),
    ])
    func aCutCharacterGoes(_ text: String, _ length: Int, _ expected: String) throws {
        let store = try Store.open(directory: folder.path)
        defer { store.close() }
        _ = store.write(Submission(Self.batch([("p", "value_missing", Array(text.utf8.prefix(length)))])))
        #expect(
            try rows(folder, "SELECT hex(raw) FROM skipped") == [
                expected.utf8.map { String(format: "%02X", $0) }.joined()
            ])
    }

    @Test(
        arguments: [
            [0x80], [0xFF], [0x80, 0x80, 0x80, 0x80, 0x80], [0xC3, 0xC3], [0], Array(repeating: 0xE2, count: 70_000),
        ] as [[UInt8]])
    func hostileBytesAreKeptOrCut(_ raw: [UInt8]) throws {
        let store = try Store.open(directory: folder.path)
        defer { store.close() }
        #expect(counts(store.write(Submission(Self.batch([("p", "value_missing", raw)])))) == 1)
        #expect(try rows(folder, "SELECT count(*), max(bytes) <= 65536 FROM skip") == ["1|1"])
    }

    @Test func prunedWithDeliveries() throws {
        var options = StoreOptions()
        options.now = { Timestamp(microseconds: 200 * 86_400_000_000) }
        var store = try Store.open(directory: folder.path, options: options)
        for day in [1, 109, 111, 199] as [Int64] {
            _ = store.write(Submission(Self.batch(raws: ["\(day)"]), at: day * 86_400_000_000))
        }
        store.close()
        store = try Store.open(directory: folder.path, options: options)
        store.close()
        #expect(try rows(folder, "SELECT raw FROM skipped ORDER BY received_us") == ["111", "199"])
        #expect(try rows(folder, "SELECT count(*) FROM deliveries") == ["2"])
    }
}

/// A database that an earlier program made.
@Suite struct MergingMigrationTests {
    @Test func schema1BecomesTheNewest() throws {
        let folder = TestFolder()
        let data = try DataFolder.prepare(folder.path)
        try data.createDatabase()
        do {
            let connection = try Connection(path: data.database, access: .readWrite, busyMilliseconds: 1_000)
            _ = try connection.text("PRAGMA journal_mode=WAL")
            for statement in Tables.version1 + Views.version1 { try connection.execute(statement) }
            for statement in [
                "INSERT INTO text VALUES (1, 'sleep_analysis', '\"sleep_analysis\"'), (2, 'core', '\"core\"')",
                "INSERT INTO person VALUES (1, 'me')", "INSERT INTO endpoint VALUES (1, 'phone')",
                "INSERT INTO device VALUES (1, 1, 'd_1')", "INSERT INTO series VALUES (1, 1, 1, NULL)",
                "INSERT INTO delivery VALUES (1, 5, 1, 'd', 'data', 'native', 2, 0, 0, 0, 0, 9, 204, NULL, 2)",
                "INSERT INTO endpoint_count VALUES (1, 2, 5)",
                "INSERT INTO sample VALUES (1, 1, 'a', 0, 2, 3, 2, NULL, 2, 0, 0, NULL, 1, 1, NULL)",
                "INSERT INTO sample VALUES (1, 2, 'b', 0, 3, 7, NULL, NULL, 1, 1, 0, NULL, 1, 1, NULL)",
                "INSERT INTO sample_key VALUES (1, 'a', 0, 1, 1), (1, 'b', 0, 1, 2)",
                "PRAGMA application_id=\(Migrations.applicationID)", "PRAGMA user_version=1",
            ] { try connection.execute(statement) }
        }
        let old = try StoreReader(directory: folder.path)
        #expect(try old.windowGuards() == [] && old.skippedCounts() == [])
        let store = try Store.open(directory: folder.path)
        defer { store.close() }
        #expect(try StoreReader(directory: folder.path).schemaVersion() == Migrations.newest)
        #expect(try rows(folder, "SELECT uuid, stage FROM sleep_stages") == ["a|core"])
        #expect(try rows(folder, "SELECT session FROM delivery") == ["-"])
        #expect(Store.text(store.write(Submission(SkippedTests.batch(raws: ["x"]), delivery: "e"))) == "0/0/0/0")
        #expect(try rows(folder, "SELECT raw FROM skipped") == ["x"])
        #expect(
            store.outcome([
                Sent(key: "a", type: "sleep_analysis", kind: .category, start: 1, end: 2, value: 3, name: "core")
            ]) == "0/0/1/0")
        try expectAccountsToBalance(folder)
    }
}
