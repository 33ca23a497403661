import Foundation
import Samples
import Testing
import Threads

@testable import Storage

@Suite struct DurabilityTests {
    let folder = TestFolder()

    /// A process that is killed leaves its files as they are, the log perhaps cut anywhere behind the last synced
    /// commit: each success that was told by then must be found in them.
    @Test func whatWasToldIsInTheLog() throws {
        var options = StoreOptions()
        options.checkpointBytes = 1 << 40  // so that the log only grows, and a copy is of one moment
        options.restartBytes = 1 << 40
        let store = try Store.open(directory: folder.path, options: options)
        defer { store.close() }
        let log = URL(fileURLWithPath: folder.database + "-wal")
        var told: [(rows: Int, logBytes: Int)] = []
        for number in 0..<40 {
            let samples = (0...number % 7).map { WriterTests.one(number * 10 + $0) }
            #expect(store.outcome(samples) == "\(samples.count)/0/0/0")
            told.append(((told.last?.rows ?? 0) + samples.count, try Data(contentsOf: log).count))
        }
        let content = try Data(contentsOf: log)
        for (index, (count, bytes)) in told.enumerated() where index % 5 == 0 {
            let next = index + 1 < told.count ? told[index + 1].logBytes : content.count
            for cut in [bytes, min(bytes + 1, next), (bytes + next) / 2] {
                let copy = TestFolder()
                try FileManager.default.createDirectory(atPath: copy.path, withIntermediateDirectories: true)
                try FileManager.default.copyItem(atPath: folder.database, toPath: copy.database)
                try content.prefix(cut).write(to: URL(fileURLWithPath: copy.database + "-wal"))
                #expect(FileManager.default.createFile(atPath: copy.path + "/unclean", contents: nil))
                let revived = try Store.open(directory: copy.path)
                let expected = cut < next || index + 1 == told.count ? count : told[index + 1].rows
                #expect(try rows(copy, "SELECT count(*) FROM samples") == ["\(expected)"], "cut at \(cut)")
                #expect(try IdentityTests.keysMatchRows(copy))
                revived.close()
                #expect(try rows(copy, "PRAGMA integrity_check") == ["ok"])
            }
        }
    }

    /// A savepoint that is rolled back after pages went to the log early has SQLite 3.40 write wrong check numbers.
    @Test func aBadSubmissionInALargeGroupBreaksNoLog() throws {
        var options = StoreOptions()
        options.checkpointBytes = 1 << 40
        options.restartBytes = 1 << 40
        let store = try Store.open(directory: folder.path, options: options)
        defer { store.close() }
        let isSet = store.onWriter { writer -> Bool in
            guard let connection = writer?.connection else { return false }
            connection.limitValues(toBytes: 30_000)
            return (try? connection.execute("PRAGMA cache_size=40; PRAGMA cache_spill=40")) != nil
        }
        #expect(isSet == true)
        let rest = "\"x\":\"" + String(repeating: "y", count: 500) + "\""
        // Places and keys are in different orders, so that moving them all comes to pages again that were written.
        func places(moved: Int64) -> [Sent] {
            (0..<900).map { number in
                var sent = WriterTests.one(number, rest: rest)
                sent.start = Int64(number * 17 % 900) * 100 + moved
                return sent
            }
        }
        var stored = 900
        #expect(store.outcome(places(moved: 0)) == "900/0/0/0")
        for round in 0..<8 {
            var submissions = (0..<3).map { Submission([WriterTests.one(10_000 + round * 3 + $0)]) }
            // Its row of `delivery`, the last that is written, is past the limit.
            submissions[1] = Submission(SampleBatch(places(moved: 1)), delivery: String(repeating: "d", count: 40_000))
            let replies = WriterTests.together(store, submissions)
            #expect(replies == ["1/0/0/0", "failed(code: 18)", "1/0/0/0"])
            stored += 2
            let copy = TestFolder()
            try FileManager.default.createDirectory(atPath: copy.path, withIntermediateDirectories: true)
            for suffix in ["", "-wal"] {
                try FileManager.default.copyItem(atPath: folder.database + suffix, toPath: copy.database + suffix)
            }
            #expect(try rows(copy, "SELECT count(*) FROM samples") == ["\(stored)"], "round \(round)")
            #expect(try rows(copy, "PRAGMA integrity_check") == ["ok"])
        }
    }

    @Test func checkpointsMoveTheLogBesideTheWriter() throws {
        var options = StoreOptions()
        options.checkpointBytes = 64 << 10
        options.restartBytes = 512 << 10
        let store = try Store.open(directory: folder.path, options: options)
        for number in 0..<60 {
            let samples = (0..<100).map { WriterTests.one(number * 100 + $0) }
            #expect(store.outcome(samples) == "100/0/0/0")
        }
        let isDone = store.core.checkpointer.state.wait(milliseconds: 10_000) { $0.done > 0 ? true : nil }
        #expect(isDone == true)
        store.close()
        #expect(store.condition == StoreCondition())
        #expect(try rows(folder, "SELECT count(*) FROM samples") == ["6000"])
        #expect(try rows(folder, "PRAGMA integrity_check") == ["ok"])
    }

    /// Passive checkpoints alone never empty the log while the writer is always ahead of them.
    @Test func theLogStartsAnewUnderLoad() throws {
        var options = StoreOptions()
        options.checkpointBytes = 128 << 10
        options.restartBytes = 1 << 20
        let store = try Store.open(directory: folder.path, options: options)
        let left = Monitor(0)
        let log = folder.database + "-wal"
        var largest = 0, number = 0
        while number < 3_000 {
            left.withLock { $0 += 1 }
            store.submit(
                Submission([WriterTests.one(number, rest: "\"x\":\"\(String(repeating: "y", count: 3_000))\"")])
            ) { _ in
                left.withLock { $0 -= 1 }
            }
            number += 1
            _ = left.wait(milliseconds: 60_000) { $0 < 8 ? true : nil }
            let size = (try? FileManager.default.attributesOfItem(atPath: log)[.size] as? Int) ?? 0
            largest = max(largest, size)
        }
        store.close()
        // Each of them writes four pages or more.
        #expect(largest < 24 << 20, "of 48 MB and more that were written")
        #expect(store.condition == StoreCondition())
        #expect(try rows(folder, "SELECT count(*) FROM samples") == ["3000"])
    }

    @Test func oldDeliveriesThatNothingRefersToGo() throws {
        let day: Int64 = 86_400_000_000
        let clock = Monitor<Int64>(1_000 * day)
        var options = StoreOptions()
        options.now = { Timestamp(microseconds: clock.read { $0 }) }
        let store = try Store.open(directory: folder.path, options: options)
        func send(_ batch: SampleBatch?, age: Int64) {
            #expect((try? store.write(Submission(batch, at: clock.read { $0 } - age * day)).get()) != nil)
        }
        let one = SampleBatch([WriterTests.one(1)])
        send(one, age: 200)  // stays: a sample refers to it
        send(SampleBatch([WriterTests.one(2)], deleting: [Sent.uuid(2)]), age: 150)  // stays: a line of deletions does
        send(one, age: 91)  // a repeat
        for _ in 0..<1_200 { store.submit(Submission(nil, at: 1)) { _ in } }
        send(nil, age: 88)
        #expect(try rows(folder, "SELECT count(*) FROM deliveries") == ["1204"])
        clock.withLock { $0 += day + 1 }
        send(nil, age: 0)
        // Slices run one after the other once nothing waits.
        let isDone = store.core.counters.wait(milliseconds: 10_000) { $0.prunedDeliveries >= 1_201 ? true : nil }
        #expect(isDone == true)
        #expect(
            try rows(folder, "SELECT stored, refs FROM delivery ORDER BY received_at") == ["1|1", "1|1", "0|0", "0|0"])
        store.close()
        clock.withLock { $0 += 5 * day }
        let again = try Store.open(directory: folder.path, options: options)
        _ = again.onWriter { _ in 0 }
        #expect(again.counters.prunedDeliveries == 1)
        again.close()
    }
}

@Suite struct ProcessTests {
    let folder = TestFolder()

    /// Two stores share the file as two processes would: own connections, own locks, own memory of the dictionaries.
    @Test func twoWritersAtOnce() throws {
        let server = try Store.open(directory: folder.path)
        var options = StoreOptions()
        options.isServer = false
        let tool = try Store.open(directory: folder.path, options: options)
        let failures = Monitor(0), left = Monitor(400)
        let answer: Store.Reply = { result in
            if case .failure = result { failures.withLock { $0 += 1 } }
            left.withLock { $0 -= 1 }
        }
        for number in 0..<200 {
            let type = "type_\(number % 17)"
            let mine = Sent(key: Sent.uuid(number), type: type, start: 1, value: 1, app: "app \(number % 5)")
            var shared = Sent(key: Sent.uuid(5_000 + number % 10), type: type, start: Int64(number), value: 2)
            server.submit(Submission(SampleBatch([mine, shared]), endpoint: "phone"), reply: answer)
            shared.value = 3
            let other = Sent(key: Sent.uuid(1_000 + number), type: type, start: 1, value: 1, app: "app \(number % 5)")
            tool.submit(Submission(SampleBatch([other, shared]), endpoint: "tool"), reply: answer)
        }
        #expect(left.wait(milliseconds: 60_000) { $0 == 0 ? true : nil } == true)
        #expect(failures.read { $0 } == 0)
        #expect(try rows(folder, "SELECT count(*) FROM samples") == ["410"])
        #expect(try IdentityTests.keysMatchRows(folder))
        try expectAccountsToBalance(folder)
        tool.close()
        server.close()
    }

    @Test func manyOpenAtOnce() throws {
        let results = Monitor<[String]>([])
        for index in 0..<6 {
            let path = folder.path
            Thread {
                var options = StoreOptions()
                options.isServer = index == 0
                do throws(StoreError) {
                    let store = try Store.open(directory: path, options: options)
                    let text = store.outcome([WriterTests.one(index)])
                    store.close()
                    results.withLock { $0.append(text) }
                } catch {
                    results.withLock { $0.append("\(error)") }
                }
            }.start()
        }
        let all = results.wait(milliseconds: 60_000) { $0.count == 6 ? $0 : nil }
        #expect(all == Array(repeating: "1/0/0/0", count: 6))
        #expect(try rows(folder, "SELECT count(*) FROM samples") == ["6"])
    }

    @Test func oneServesAndTheOtherIsToldWho() throws {
        let data = try DataFolder.prepare(folder.path)
        #expect(ServeLock.holder(of: data) == nil)
        var lock: ServeLock? = try ServeLock(data)
        #expect(lock != nil && ServeLock.holder(of: data) == getpid())
        #expect(throws: ServeLock.Failure.held(by: getpid())) { try ServeLock(data) }
        lock = nil
        #expect(ServeLock.holder(of: data) == nil)
        #expect(throws: Never.self) { try ServeLock(data) }
    }

    @Test func theTurnstileLetsOneIn() throws {
        let data = try DataFolder.prepare(folder.path)
        let first = try Turnstile(data), second = try Turnstile(data)
        #expect(first.enter(milliseconds: 10))
        #expect(!second.enter(milliseconds: 10))
        // Goes on although somebody is inside: a stopped process must not stop the server.
        second.pass(milliseconds: 10)
        first.leave()
        #expect(second.enter(milliseconds: 10))
        second.leave()
    }

    @Test func purgeTakesOneEndpointBesideARunningServer() throws {
        let server = try Store.open(directory: folder.path)
        defer { server.close() }
        func send(_ endpoint: String, _ range: Range<Int>, deleting: [String] = []) {
            let samples = range.map {
                Sent(key: Sent.uuid($0), type: "t\($0 % 3)", start: Int64($0 % 50), value: 1, name: "n")
            }
            let result = server.write(Submission(SampleBatch(samples, deleting: deleting), endpoint: endpoint))
            #expect((try? result.get()) != nil)
        }
        send("old", 0..<2_500, deleting: [Sent.uuid(7)])
        let summary = SummaryDayTests.summary(9_000, day: 3)
        _ = server.write(Submission(SampleBatch([summary, Sent(key: "text key", value: 1)]), endpoint: "old"))
        send("new", 2_500..<2_600)
        send("new", 100..<110)  // repeats: stay with the endpoint that stored them
        var changed = SampleBatch()
        for number in 0..<5 { changed.add(Sent(key: Sent.uuid(number), type: "t0", start: 1, value: 2)) }
        _ = server.write(Submission(changed, endpoint: "new"))
        let outcome = try Purge.run(directory: folder.path, endpoint: "old")
        #expect(outcome.samples == 2_496 && outcome.deletions == 1 && outcome.deliveries == 2)
        #expect(try rows(folder, "SELECT endpoint, count(*) FROM samples GROUP BY 1") == ["new|105"])
        #expect(try IdentityTests.keysMatchRows(folder))
        #expect(try rows(folder, "SELECT count(*) FROM summary_day") == ["0"])
        try expectAccountsToBalance(folder)
        let reader = try StoreReader(directory: folder.path)
        #expect(
            try reader.endpoints().map { "\($0.name) \($0.samples) \($0.lastStored == nil)" } == [
                "new 105 false", "old 0 true",
            ])
        // What the server remembers of the dictionaries is still true.
        send("old", 0..<50)
        #expect(try rows(folder, "SELECT count(*) FROM samples WHERE endpoint = 'old' AND value_name = 'n'") == ["50"])
        #expect(try Purge.run(directory: folder.path, endpoint: "nobody") == Purge.Outcome())
        #expect(throws: StoreError.self) { try Purge.run(directory: folder.path + "/absent", endpoint: "old") }
    }
}

/// Counters and reference counts agree with the rows that they count.
func expectAccountsToBalance(_ folder: TestFolder, _ comment: Comment? = nil) throws {
    let counted = try rows(folder, "SELECT endpoint, samples FROM endpoint_count WHERE samples <> 0 ORDER BY 1")
    #expect(try counted == rows(folder, "SELECT endpoint, count(*) FROM sample GROUP BY 1 ORDER BY 1"), comment)
    let wrong = """
        SELECT id, refs FROM delivery WHERE refs <> (SELECT count(*) FROM sample WHERE delivery = delivery.id)
          + (SELECT count(*) FROM deletion WHERE delivery = delivery.id)
        """
    #expect(try rows(folder, wrong) == [], comment)
    #expect(
        try rows(folder, "SELECT count(*) FROM sample WHERE delivery NOT IN (SELECT id FROM delivery)") == ["0"],
        comment)
}
