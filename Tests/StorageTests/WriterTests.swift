import Foundation
import Samples
import Testing
import Threads

@testable import Storage

@Suite struct WriterTests {
    let folder = TestFolder()

    static func one(_ number: Int, rest: String = "") -> Sent {
        Sent(key: Sent.uuid(number), start: Int64(number), value: Double(number), rest: rest)
    }

    /// Holds the writer thread still, submits, lets it go and waits for all replies.
    static func together(_ store: Store, _ submissions: [Submission]) -> [String] {
        let gate = Monitor(false)
        let replies = Monitor<[Int: String]>([:])
        let isHeld = Monitor(false)
        let holder = Thread {
            _ = store.onWriter { _ in
                isHeld.withLock { $0 = true }
                _ = gate.wait(milliseconds: 60_000) { $0 ? true : nil }
            }
        }
        holder.start()
        _ = isHeld.wait(milliseconds: 60_000) { $0 ? true : nil }
        for (index, submission) in submissions.enumerated() {
            store.submit(submission) { result in replies.withLock { $0[index] = Store.text(result) } }
        }
        gate.withLock { $0 = true }
        let all = replies.wait(milliseconds: 60_000) { $0.count == submissions.count ? $0 : nil } ?? [:]
        return submissions.indices.map { all[$0] ?? "no reply" }
    }

    @Test func whatWaitsSharesOneCommit() throws {
        var options = StoreOptions()
        options.groupSubmissions = 64
        let store = try Store.open(directory: folder.path, options: options)
        defer { store.close() }
        let before = store.counters
        let replies = Self.together(store, (0..<150).map { Submission([Self.one($0)]) })
        #expect(replies.allSatisfy { $0 == "1/0/0/0" })
        #expect(store.counters.transactions - before.transactions == 3)
        #expect(store.counters.submissions - before.submissions == 150)
        #expect(try rows(folder, "SELECT count(*), count(DISTINCT delivery) FROM sample") == ["150|150"])
    }

    @Test func aTransactionIsBoundedInBytes() throws {
        var options = StoreOptions()
        options.groupBytes = 10_000
        let store = try Store.open(directory: folder.path, options: options)
        defer { store.close() }
        let large = "\"x\":\"" + String(repeating: "y", count: 6_000) + "\""
        let replies = Self.together(store, (0..<4).map { Submission([Self.one($0, rest: large)]) })
        #expect(replies == Array(repeating: "1/0/0/0", count: 4))
        #expect(store.counters.transactions == 4)
    }

    @Test func aBadSubmissionFailsAlone() throws {
        let store = try Store.open(directory: folder.path)
        defer { store.close() }
        // Past the length limit of this connection from here on: SQLITE_TOOBIG for one row of one submission.
        _ = store.onWriter { writer in writer?.connection.limitValues(toBytes: 4_000) }
        let large = "\"x\":\"" + String(repeating: "y", count: 5_000) + "\""
        var submissions = (0..<6).map { Submission([Self.one($0), Self.one(100 + $0)]) }
        submissions[3] = Submission([Self.one(3), Self.one(103, rest: large)])
        submissions[4] = Submission(
            SampleBatch([Sent(key: "new", type: "only_here", start: 1, value: 1)]), endpoint: "fresh")
        let replies = Self.together(store, submissions)
        #expect(replies == ["2/0/0/0", "2/0/0/0", "2/0/0/0", "failed(code: 18)", "1/0/0/0", "2/0/0/0"])
        #expect(store.condition.state == .ok)
        #expect(store.condition.sentence?.contains("18") == true)
        #expect(try rows(folder, "SELECT count(*) FROM sample WHERE start IN (3, 103)") == ["0"])
        #expect(try rows(folder, "SELECT count(*) FROM samples") == ["9"])
        #expect(
            try rows(folder, "SELECT e.name, samples FROM endpoint_count JOIN endpoint e ON e.id = endpoint ORDER BY 1")
                == ["fresh|1", "phone|8"])
        #expect(try IdentityTests.keysMatchRows(folder))
        // Numbers that the failed one had looked up are not remembered wrongly.
        let again = Self.together(
            store,
            [
                Submission([Sent(key: "t", type: "brand_new", value: 1), Self.one(9, rest: large)]),
                Submission([Self.one(50)]),
            ])
        #expect(again == ["failed(code: 18)", "1/0/0/0"])
        #expect(store.outcome([Sent(key: "t", type: "brand_new", value: 1)]) == "1/0/0/0")
        #expect(try rows(folder, "SELECT count(*) FROM samples WHERE type = 'brand_new'") == ["1"])
    }

    @Test func theQueueIsBounded() throws {
        var options = StoreOptions()
        options.queueBytes = 15_000
        let store = try Store.open(directory: folder.path, options: options)
        defer { store.close() }
        let large = "\"x\":\"" + String(repeating: "y", count: 6_000) + "\""
        let replies = Self.together(store, (0..<5).map { Submission([Self.one($0, rest: large)]) })
        #expect(replies == ["1/0/0/0", "1/0/0/0", "overloaded", "overloaded", "overloaded"])
        // One that is larger than the bound passes when nothing waits, and the bytes are given back.
        let huge = "\"x\":\"" + String(repeating: "y", count: 60_000) + "\""
        for number in 10..<13 { #expect(store.outcome([Self.one(number, rest: huge)]) == "1/0/0/0") }
        #expect(store.condition.state == .ok)
    }

    @Test func closingWritesWhatWaits() throws {
        let store = try Store.open(directory: folder.path)
        let replies = Monitor<[String]>([])
        for number in 0..<500 {
            store.submit(Submission([Self.one(number)])) { result in replies.withLock { $0.append(Store.text(result)) }
            }
        }
        store.close()
        #expect(replies.read { $0 } == Array(repeating: "1/0/0/0", count: 500))
        #expect(Store.text(store.write(Submission([Self.one(1)]))) == "closed")
        store.close()
        #expect(FileManager.default.fileExists(atPath: folder.path + "/unclean") == false)
        #expect(FileManager.default.fileExists(atPath: folder.database + "-wal") == false)
        #expect(try rows(folder, "SELECT count(*) FROM samples") == ["500"])
    }

    @Test func deliveriesOfEveryKind() throws {
        let store = try Store.open(directory: folder.path)
        defer { store.close() }
        var refused = Submission(nil, delivery: "d-2", at: 2)
        (refused.kind, refused.status, refused.code, refused.dialect) = (.data, 400, "json_invalid", nil)
        for submission in [Submission(nil, delivery: "d-1", at: 1), refused, Submission(SampleBatch(), at: 3)] {
            #expect(Store.text(store.write(submission)) == "0/0/0/0")
        }
        _ = store.write(Submission(SampleBatch([Self.one(1)]), endpoint: "other", delivery: "d-4", at: 1_500_000))
        #expect(
            try rows(
                folder,
                "SELECT received_at, endpoint, delivery, kind, dialect, stored, changed, repeated, deleted, skipped, bytes, status, code FROM deliveries ORDER BY id"
            ) == [
                "1970-01-01T00:00:00.000001Z|phone|d-1|test|native|0|0|0|0|0|100|204|-",
                "1970-01-01T00:00:00.000002Z|phone|d-2|data|-|0|0|0|0|0|100|400|json_invalid",
                "1970-01-01T00:00:00.000003Z|phone|-|data|native|0|0|0|0|0|100|204|-",
                "1970-01-01T00:00:01.500000Z|other|d-4|data|native|1|0|0|0|0|100|204|-",
            ])
        let reader = try StoreReader(directory: folder.path)
        #expect(
            try reader.endpoints() == [
                .init(name: "other", samples: 1, lastStored: Timestamp(microseconds: 1_500_000)),
                .init(name: "phone", samples: 0, lastStored: nil),
            ])
        let tail = try reader.deliveries(limit: 2)
        #expect(tail.map(\.deliveryID) == ["d-4", nil] && tail[0].outcome.stored == 1)
        #expect(try reader.schemaVersion() == Migrations.newest)
    }

    @Test func endpointsCountTheirRows() throws {
        let store = try Store.open(directory: folder.path)
        defer { store.close() }
        func send(_ endpoint: String, _ value: Double, at time: Int64) {
            let samples = (0..<3).map { Sent(key: Sent.uuid($0), start: 1, value: value) }
            _ = store.write(Submission(SampleBatch(samples), endpoint: endpoint, at: time))
        }
        let reader = try StoreReader(directory: folder.path)
        func status() throws -> [String] {
            try reader.endpoints().map { "\($0.name) \($0.samples) \($0.lastStored?.microseconds ?? -1)" }
        }
        send("a", 1, at: 10)
        #expect(try status() == ["a 3 10"])
        send("b", 1, at: 20)
        #expect(try status() == ["a 3 10", "b 0 -1"])
        send("b", 2, at: 30)
        #expect(try status() == ["a 0 10", "b 3 30"])
        _ = store.write(Submission(SampleBatch([], deleting: [Sent.uuid(0)]), endpoint: "a", at: 40))
        #expect(try status() == ["a 0 10", "b 2 30"])
        #expect(try rows(folder, "SELECT refs FROM delivery ORDER BY id") == ["0", "0", "2", "1"])
    }
}
