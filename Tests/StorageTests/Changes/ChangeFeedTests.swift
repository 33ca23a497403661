import Foundation
import Samples
import Synchronization
import TestSupport
import Testing
import Threads

@testable import Storage

@Suite struct ChangeFeedTests {
    let folder = TestFolder()
    private static let day: Int64 = 86_400_000_000

    private static func one(_ number: Int, value: Double = 1, type: String = "pulse") -> Sent {
        Sent(key: Sent.uuid(number), type: type, start: Int64(number) * day, value: value)
    }

    /// `insert 1, delete 2`: what is told behind a cursor, and the next one; `expired`.
    private func told(
        _ feed: ChangeFeed, _ cursor: inout ChangeCursor, _ limits: ChangeLimits = ChangeLimits(),
        _ filter: ChangeFilter = ChangeFilter()
    ) throws -> String {
        guard
            case .changes(let changes, let next, let more) = try feed.read(
                since: cursor, limits: limits, filter: filter)
        else { return "expired" }
        cursor = next
        return changes.map { change in
            guard case .uuid(_, let low) = change.key else { return "\(change.operation) text" }
            return "\(change.operation) \(low & 0xFFFF)"
        }.joined(separator: ", ") + (more ? " …" : "")
    }

    @Test func inTheOrderOfCommits() throws {
        let store = try Store.open(directory: folder.path)
        defer { store.close() }
        _ = store.outcome([Self.one(9)])
        let reader = try StoreReader(directory: folder.path)
        let feed = try ChangeFeed(reader)
        var cursor = try feed.current()
        #expect(try told(feed, &cursor) == "")
        _ = store.outcome([Self.one(1), Self.one(2), Self.one(3)])
        var early = cursor
        #expect(try told(feed, &cursor) == "insert 1, insert 2, insert 3")
        _ = store.outcome([Self.one(2, value: 5), Self.one(4)])
        #expect(try told(feed, &cursor) == "update 2, insert 4")
        var moved = Self.one(3)
        moved.start = 5
        _ = store.outcome([moved], deleting: [Sent.uuid(1)])
        #expect(try told(feed, &cursor) == "delete 1, update 3")
        // Another type is another thing to whoever looks at one alone.
        _ = store.outcome([Self.one(4, type: "mass")])
        #expect(try told(feed, &cursor) == "delete 4, insert 4")
        // Repeats, tests and what a body brings and deletes at once change nothing.
        _ = store.outcome([Self.one(2, value: 5)])
        _ = store.write(Submission(nil))
        _ = store.outcome([Self.one(7)], deleting: [Sent.uuid(7)])
        #expect(try told(feed, &cursor) == "")
        // Deleted and sent again.
        _ = store.outcome([], deleting: [Sent.uuid(2)])
        _ = store.outcome([Self.one(2, value: 5)])
        #expect(try told(feed, &cursor) == "delete 2, insert 2")
        // From further back: the last change of each, deletions among them.
        #expect(try told(feed, &early) == "delete 1, update 3, delete 4, insert 4, delete 2, insert 2")
    }

    @Test func typesAndPersons() throws {
        let store = try Store.open(directory: folder.path)
        defer { store.close() }
        let feed = try ChangeFeed(StoreReader(directory: folder.path))
        let start = try feed.current()
        _ = store.write(Submission(SampleBatch([Self.one(1), Self.one(2, type: "mass")])))
        _ = store.write(Submission(SampleBatch([Self.one(3)]), person: "anna", device: "d_2"))
        _ = store.outcome([Self.one(1, type: "steps")], deleting: [Sent.uuid(2)])
        let cases: [(ChangeFilter, String)] = [
            (ChangeFilter(), "insert 3, delete 1, delete 2, insert 1"), (ChangeFilter(person: "anna"), "insert 3"),
            (ChangeFilter(person: "me", types: ["pulse"]), "delete 1"), (ChangeFilter(types: ["mass"]), "delete 2"),
            (ChangeFilter(types: ["steps"]), "insert 1"), (ChangeFilter(types: ["none"]), ""),
            (ChangeFilter(person: "nobody"), ""),
        ]
        for (filter, expected) in cases {
            var cursor = start
            let found = try told(feed, &cursor, ChangeLimits(), filter)
            #expect(found.split(separator: ", ").sorted() == expected.split(separator: ", ").sorted(), "\(filter)")
            #expect(try cursor == feed.current())
        }
    }

    /// One huge range costs many calls, none of them much, and each comes further.
    @Test func aCallLooksAtSoManyRows() throws {
        let store = try Store.open(directory: folder.path)
        defer { store.close() }
        let minute: Int64 = 60_000_000
        _ = store.outcome(
            (0..<4_000).map { Sent(key: Sent.uuid($0), type: "pulse", start: Int64($0) * minute, value: 1) })
        let feed = try ChangeFeed(StoreReader(directory: folder.path))
        var cursor = try feed.current()
        _ = store.outcome(
            [0, 1_999, 3_999].map { Sent(key: Sent.uuid($0), type: "pulse", start: Int64($0) * minute, value: 2) })
        // Three stretches apart: few rows are looked at.
        var limits = ChangeLimits()
        limits.rows = 1_000
        var near = cursor
        #expect(try told(feed, &near, limits) == "update 0, update 1999, update 3999")
        // As if they were one stretch.
        var set = TouchedSet()
        set.add(1, TouchedSet.Stretch(low: 0, high: 1 << 20, reach: 1 << 20))
        let blob = set.encoded().map {
            String($0, radix: 16).count == 1 ? "0" + String($0, radix: 16) : String($0, radix: 16)
        }
        _ = store.onWriter { writer in
            try? writer?.connection.execute("UPDATE delivery SET touched = x'\(blob.joined())' WHERE id = 2")
        }
        var found: [String] = []
        for _ in 0..<5 { found.append(try told(feed, &cursor, limits)) }
        #expect(found == ["update 0 …", " …", "update 1999 …", " …", "update 3999"])
        limits = ChangeLimits(changes: 1)
        cursor = ChangeCursor(ChangePoint(epoch: cursor.epoch, number: 1))
        found = []
        for _ in 0..<4 { found.append(try told(feed, &cursor, limits)) }
        #expect(found == ["update 0 …", "update 1999 …", "update 3999 …", ""])
    }

    /// A body of very many types: where they are is no longer told one by one.
    @Test func moreSeriesThanAreToldApart() throws {
        let store = try Store.open(directory: folder.path)
        defer { store.close() }
        _ = store.outcome([Self.one(1)])
        let feed = try ChangeFeed(StoreReader(directory: folder.path))
        var cursor = try feed.current()
        let point = try feed.reader.newestChange()
        let count = TouchedSet.maximumSeries + 50
        _ = store.outcome((1...count).map { Self.one($0, value: 2, type: "type \($0)") })
        #expect(try feed.reader.touched(since: point).ranges == .everything)
        var found: [String] = []
        var limits = ChangeLimits()
        limits.rows = 100
        for _ in 0..<100 {
            let some = try told(feed, &cursor, limits)
            found += some.replacing(" …", with: "").split(separator: ", ").map(String.init)
            if !some.hasSuffix("…") { break }
        }
        #expect(found.count == count + 1 && Set(found).count == count + 1 && found.first == "delete 1")
    }

    // MARK: Unknown changes

    @Test func afterAPurgeAllBeginAnew() throws {
        let store = try Store.open(directory: folder.path)
        defer { store.close() }
        _ = store.outcome([Self.one(1), Self.one(2)])
        _ = store.outcome([], deleting: [Sent.uuid(2)])
        _ = store.write(Submission(SampleBatch([Self.one(3)]), endpoint: "other", device: "d_2"))
        let feed = try ChangeFeed(StoreReader(directory: folder.path))
        var cursor = try feed.current()
        let point = try feed.reader.newestChange()
        #expect(try Purge.run(directory: folder.path, endpoint: "nobody") == Purge.Outcome())
        #expect(try told(feed, &cursor) == "")
        _ = try Purge.run(directory: folder.path, endpoint: "phone")
        #expect(try told(feed, &cursor) == "expired")
        #expect(try feed.reader.touched(since: point).ranges == .everything)
        // What tells of the samples is gone: keys, and places.
        #expect(try rows(folder, "SELECT count(*) FROM change_note") == ["0"])
        #expect(try rows(folder, "SELECT count(*) FROM delivery WHERE touched IS NOT NULL") == ["0"])
        // The number of a delivery that went may come again; who was behind it begins anew all the same.
        cursor = try feed.current()
        _ = store.outcome([Self.one(4)])
        #expect(try told(feed, &cursor) == "insert 4")
        let last = try feed.reader.newestChange()
        _ = try Purge.run(directory: folder.path, endpoint: "phone")
        _ = store.outcome([Self.one(5)])
        #expect(try told(feed, &cursor) == "expired")
        #expect(try feed.reader.touched(since: last).ranges == .everything)
    }

    /// A number that a purge took with its delivery is not given again: a newer change would be an old one to whoever looks.
    @Test func noNumberOfAPurgedDeliveryComesAgain() throws {
        let clock = Mutex(Timestamp(microseconds: 1_791_961_500_000_000))
        var options = StoreOptions()
        options.now = { clock.withLock { $0 } }
        let store = try Store.open(directory: folder.path, options: options)
        for number in 1...8 { _ = store.outcome([Self.one(number)]) }
        _ = store.outcome([], deleting: [Sent.uuid(2)])
        let feed = try ChangeFeed(StoreReader(directory: folder.path))
        let last = try feed.reader.newestChange()
        _ = try Purge.run(directory: folder.path, endpoint: "phone")
        #expect(try rows(folder, "SELECT count(*) FROM change_note") == ["0"])
        #expect(try rows(folder, "SELECT count(*) FROM delivery") == ["0"])
        store.close()
        // Whatever is pruned at the start of the next server.
        clock.withLock { $0 = Timestamp(microseconds: $0.microseconds + 100 * 86_400_000_000) }
        let again = try Store.open(directory: folder.path, options: options)
        defer { again.close() }
        let reader = try ChangeFeed(StoreReader(directory: folder.path))
        var cursor = try reader.current()
        let point = try reader.reader.newestChange()
        _ = again.outcome([Self.one(3)])
        #expect(try told(reader, &cursor) == "insert 3")
        let touched = try reader.reader.touched(since: point)
        #expect(touched.ranges != .everything)
        #expect(try rows(folder, "SELECT min(id) > \(last.number) FROM delivery") == ["1"])
        #expect(try reader.reader.newestChange() != point)
    }

    /// A reading that stops at what its reader may not see says no key of it in its cursor, and goes on behind it.
    @Test func aCursorTellsNoKeyOfOthers() throws {
        let store = try Store.open(directory: folder.path)
        defer { store.close() }
        var others = [Self.one(1, type: "secret"), Self.one(2, type: "secret"), Self.one(3), Self.one(4, type: "zeal")]
        others[1].key = "characteristic:blood_type"
        _ = store.outcome(others)
        let feed = try ChangeFeed(StoreReader(directory: folder.path))
        var cursor = try feed.current()
        _ = store.outcome([], deleting: others.map(\.key))
        var limits = ChangeLimits()
        limits.rows = 1
        var filter = ChangeFilter()
        filter.types = ["zeal"]
        var all = "", stops = 0
        for _ in 0..<20 {
            all += try told(feed, &cursor, limits, filter)
            guard case .note(_, _, _, let key, _) = cursor.position else { continue }
            stops += 1
            #expect(key == .last || key.bytes.last == 4)
        }
        #expect(stops > 1 && all.contains("delete 4") && !all.contains("delete 1"))
    }

    @Test func aRestoredBackupIsAnotherEpoch() throws {
        let store = try Store.open(directory: folder.path)
        _ = store.outcome([Self.one(1)])
        let cursor = try ChangeFeed(StoreReader(directory: folder.path)).current()
        store.close()
        let target = TestFolder()
        let restore = try Restore(of: folder.database, into: target.path) { _ in true }
        try restore.finish()
        let feed = try ChangeFeed(StoreReader(directory: target.path))
        guard case .expired = try feed.read(since: cursor) else {
            Issue.record("a cursor of another database")
            return
        }
        #expect(try feed.current().number == cursor.number)
    }

    @Test func whatIsOldIsForgotten() throws {
        let clock = Monitor<Int64>(1_000 * Self.day)
        var options = StoreOptions()
        options.now = { Timestamp(microseconds: clock.read { $0 }) }
        let store = try Store.open(directory: folder.path, options: options)
        defer { store.close() }
        func send(_ samples: [Sent], deleting: [String] = []) {
            let batch = SampleBatch(samples, deleting: deleting)
            #expect((try? store.write(Submission(batch, at: clock.read { $0 })).get()) != nil)
        }
        let feed = try ChangeFeed(StoreReader(directory: folder.path))
        let start = try feed.current()
        send([Self.one(1), Self.one(2)])
        let stored = try feed.current()
        send([Self.one(5)], deleting: [Sent.uuid(1)])
        let deleted = try feed.current()
        clock.withLock { $0 += 89 * Self.day }
        send([Self.one(3)])
        for cursor in [start, stored, deleted] {
            var cursor = cursor
            #expect(try told(feed, &cursor).hasSuffix("insert 3"))
        }
        clock.withLock { $0 += 2 * Self.day }
        send([Self.one(4)])
        // Behind each job there is a slice of pruning.
        for _ in 0..<10 { _ = store.onWriter { _ in 0 } }
        #expect(try rows(folder, "SELECT count(*) FROM change_note") == ["0"])
        #expect(try rows(folder, "SELECT id FROM delivery WHERE touched IS NULL") == ["2"])
        var cursors = [start, stored, deleted]
        #expect(try told(feed, &cursors[0]) == "expired")
        #expect(try told(feed, &cursors[1]) == "expired")
        #expect(try told(feed, &cursors[2]) == "insert 3, insert 4")
    }

    /// Transactions of imports have numbers too: they go with age and with a purge, and none is given twice.
    @Test func slicesOfImports() throws {
        let clock = Monitor<Int64>(1_000 * Self.day)
        var options = StoreOptions()
        options.now = { Timestamp(microseconds: clock.read { $0 }) }
        let store = try Store.open(directory: folder.path, options: options)
        defer { store.close() }
        func history(_ file: UInt8) throws -> HistoryImport {
            try HistoryImport(
                directory: folder.path, target: HistoryImport.Target(endpoint: "phone", person: "me"),
                file: ImportedFile(size: 1, digest: [file]), options: options)
        }
        func add(_ numbers: Range<Int>, to history: HistoryImport) throws {
            for number in numbers {
                var batch = SampleBatch([Self.one(number)])
                batch.extras = .imported
                try history.store(batch, dialect: .apple, device: Array("export".utf8), elements: number)
            }
        }
        let feed = try ChangeFeed(StoreReader(directory: folder.path))
        let start = try feed.current()
        let first = try history(1)
        try add(1..<5, to: first)
        let numbers = "SELECT group_concat(id) FROM (SELECT id FROM delivery_slice ORDER BY id)"
        #expect(try rows(folder, numbers) == ["2,3,4"])
        var cursor = start
        #expect(try told(feed, &cursor) == "insert 1, insert 2, insert 3, insert 4")
        #expect(cursor.number == 4)
        clock.withLock { $0 += 91 * Self.day }
        for _ in 0..<10 { _ = store.onWriter { _ in 0 } }
        #expect(try rows(folder, numbers) == ["4"])
        try add(7..<8, to: first)
        #expect(try told(feed, &cursor) == "insert 7")
        cursor = start
        #expect(try told(feed, &cursor) == "expired")
        cursor = try feed.current()
        _ = try Purge.run(directory: folder.path, endpoint: "phone", options: options)
        #expect(try rows(folder, numbers) == ["-"])
        _ = store.outcome([Self.one(9)])
        #expect(try told(feed, &cursor) == "expired")
    }

    /// A program of an earlier schema that goes on writing tells nothing of where.
    @Test func whatAnOlderProgramWroteIsUnknown() throws {
        let store = try Store.open(directory: folder.path)
        defer { store.close() }
        let feed = try ChangeFeed(StoreReader(directory: folder.path))
        var cursor = try feed.current()
        let point = try feed.reader.newestChange()
        _ = store.outcome([Self.one(1)])
        _ = store.onWriter { try? $0?.connection.execute("UPDATE delivery SET touched = NULL") }
        #expect(try told(feed, &cursor) == "expired")
        #expect(try feed.reader.touched(since: point).ranges == .everything)
        cursor = try feed.current()
        _ = store.outcome([Self.one(2)])
        #expect(try told(feed, &cursor) == "insert 2")
    }

    @Test func cursorsOfElsewhere() throws {
        let store = try Store.open(directory: folder.path)
        defer { store.close() }
        _ = store.outcome([Self.one(1)], deleting: [Sent.uuid(9)])
        let feed = try ChangeFeed(StoreReader(directory: folder.path))
        let now = try feed.current()
        let key = KeyBytes(isUUID: false, bytes: [1])
        let positions: [ChangeCursor.Position] = [
            .series(area: 7, series: 1), .series(area: 0, series: .min), .series(area: .max, series: .max),
            .row(area: 0, series: 99, start: .min, key: key, part: .min),
            .row(area: 0, series: 1, start: .max, key: key, part: .max),
            .note(isRemoval: true, device: .max, type: .max, key: key, part: .max),
            .note(isRemoval: false, device: .min, type: .min, key: key, part: .min),
        ]
        for position in positions {
            for number in [0, 1] as [Int64] {
                let cursor = ChangeCursor(epoch: now.epoch, number: number, position: position)
                if case .changes(let changes, let next, let more) = try feed.read(since: cursor) {
                    #expect(number == 1 && changes.count <= 1 && next == now && !more)
                } else {
                    #expect(number == 0)
                }
            }
        }
        for (epoch, number) in [(now.epoch &+ 1, now.number), (now.epoch, now.number + 1), (now.epoch, .max)] {
            guard case .expired = try feed.read(since: ChangeCursor(epoch: epoch, number: number)) else {
                Issue.record("\(epoch) \(number)")
                continue
            }
        }
    }

    // MARK: Wake-up

    @Test func wakesAfterWhatChangedSomething() throws {
        let count = Monitor(0)
        var options = StoreOptions()
        options.onChange = { count.withLock { $0 += 1 } }
        let store = try Store.open(directory: folder.path, options: options)
        defer { store.close() }
        let reader = try StoreReader(directory: folder.path)
        #expect(try reader.hasChanged())
        #expect(try !reader.hasChanged())
        let steps: [([Sent], [String], Int)] = [
            ([Self.one(1)], [], 1), ([Self.one(1)], [], 1), ([Self.one(1, value: 2)], [], 2), ([], [Sent.uuid(1)], 3),
            ([], [Sent.uuid(1)], 3),
        ]
        for (samples, deleted, expected) in steps {
            _ = store.outcome(samples, deleting: deleted)
            #expect(count.read { $0 } == expected)
        }
        #expect(try reader.hasChanged())
        #expect(try !reader.hasChanged())
        // Of another process: the reader sees it.
        var beside = options
        (beside.isServer, beside.onChange) = (false, nil)
        let other = try Store.open(directory: folder.path, options: beside)
        defer { other.close() }
        _ = try reader.hasChanged()
        #expect(try !reader.hasChanged())
        let feed = try ChangeFeed(reader)
        var cursor = try feed.current()
        _ = other.outcome([Self.one(8)])
        #expect(try reader.hasChanged())
        _ = store.outcome([Self.one(9)])
        _ = other.outcome([Self.one(8, value: 3)])
        #expect(try told(feed, &cursor) == "insert 9, update 8")
        #expect(count.read { $0 } == 4)
    }

    // MARK: Older files

    /// A file of each earlier schema: changes are known from the migration on.
    @Test(arguments: 1..<5) func olderSchemas(_ schema: Int) throws {
        try FileManager.default.createDirectory(atPath: folder.path, withIntermediateDirectories: true)
        _ = FileManager.default.createFile(atPath: folder.database, contents: nil)
        do {
            let path = try DataFolder(existing: folder.path).database
            let old = try Connection(path: path, access: .readWrite, busyMilliseconds: 0)
            for step in Migrations.steps[..<schema] { for statement in step { try old.execute(statement) } }
            for statement in [
                "INSERT INTO text VALUES (1, 'pulse', '\"pulse\"')", "INSERT INTO person VALUES (1, 'me')",
                "INSERT INTO endpoint VALUES (1, 'phone')", "INSERT INTO device VALUES (1, 1, 'd_1')",
                "INSERT INTO series VALUES (1, 1, 1, NULL)",
                """
                INSERT INTO delivery (id, received_at, endpoint, kind, stored, changed, repeated, deleted, skipped, bytes, status,
                  refs) VALUES (6, 0, 1, 'data', 1, 0, 0, 0, 0, 1, 204, 1)
                """,
                "INSERT INTO sample VALUES (1, 5, 'k', 0, 6, 412.0, NULL, NULL, 1, 0, 0, NULL, 1, 6, NULL)",
                "INSERT INTO sample_key VALUES (1, 'k', 0, 1, 5)", "INSERT INTO endpoint_count VALUES (1, 1, 0)",
                "PRAGMA application_id=\(Migrations.applicationID)", "PRAGMA user_version=\(schema)",
            ] { try old.execute(statement) }
        }
        let unopened = try ChangeFeed(StoreReader(directory: folder.path))
        var none = try unopened.current()
        #expect(try told(unopened, &none) == "expired")
        #expect(try unopened.reader.touched(since: ChangePoint(epoch: 0, number: 0)).ranges == .everything)
        let store = try Store.open(directory: folder.path)
        defer { store.close() }
        // The same connection sees the new schema.
        var cursor = try unopened.current()
        #expect(cursor.number == 6)
        var earlier = ChangeCursor(ChangePoint(epoch: cursor.epoch, number: 5))
        #expect(try told(unopened, &earlier) == "expired")
        _ = store.outcome([Sent(key: "k", type: "pulse", start: 5, end: 6, value: 413), Self.one(1)])
        _ = store.outcome([], deleting: ["k"])
        let point = ChangePoint(epoch: cursor.epoch, number: cursor.number)
        guard case .ranges(let ranges) = try unopened.reader.touched(since: point).ranges else {
            Issue.record("not known")
            return
        }
        #expect(Set(ranges.map(\.series)) == [1])
        #expect(try told(unopened, &cursor) == "insert 1, delete text")
    }
}
