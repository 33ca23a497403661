import Samples
import Testing

@testable import Storage

@Suite struct IdentityTests {
    let folder = TestFolder()

    /// Each row must be found by its key, no key may have two rows, and `sample_key` must name exactly those under texts.
    static func keysMatchRows(_ folder: TestFolder, _ tuning: KeyTuning = KeyTuning()) throws -> Bool {
        let connection = try Connection(
            path: DataFolder(existing: folder.path).database, access: .readOnly, busyMilliseconds: 5_000)
        return try keysMatchRows(connection, tuning)
    }

    static func keysMatchRows(_ connection: Connection, _ tuning: KeyTuning) throws -> Bool {
        try connection.execute("BEGIN")
        defer { connection.rollback() }
        let stored = "SELECT r.device, hex(uuid), part, series, start FROM sample JOIN series AS r ON r.id = series"
        let texts = try rows(
            connection,
            "SELECT device, hex(uuid), part, series, start FROM sample_key WHERE typeof(uuid) = 'text' ORDER BY 1, 2, 3"
        )
        if try texts != rows(connection, "\(stored) WHERE typeof(uuid) = 'text' ORDER BY 1, 2, 3") { return false }
        let keys = try SampleKeys(connection, tuning)
        defer { keys.rolledBack() }
        let all = try connection.prepare(
            "SELECT r.device, uuid, part, series, start FROM sample JOIN series AS r ON r.id = series")
        var seen: Set<String> = []
        while try all.step() {
            let device = all.integer(0), part = all.integer(2)
            let place = SamplePlace(series: all.integer(3), start: all.integer(4))
            let key = KeyBytes(all, 1)
            let isFound = try key.withBound { (bound) throws(StoreError) -> Bool in
                guard try keys.find(device: device, bound, part: part) == place else { return false }
                return try keys.parts(device: device, bound).contains { $0.part == part && $0.place == place }
            }
            if !isFound || !seen.insert("\(device)|\(key.bytes)|\(key.isUUID)|\(part)").inserted { return false }
        }
        return true
    }

    @Test func newestContentOfAKeyWins() throws {
        let store = try Store.open(directory: folder.path)
        defer { store.close() }
        let first = Sent(key: Sent.uuid(1), start: 1_000_000, end: 2_000_000, value: 64, unit: "count/min", app: "a")
        var other = first
        other.value = 65
        var moved = other
        moved.start = 500_000
        var retyped = moved
        retyped.type = "pulse"
        var unitless = retyped
        unitless.unit = nil
        let second = [Sent(key: Sent.uuid(2), value: 1), Sent(key: Sent.uuid(2), value: 2)]
        let steps: [(String, [Sent], [String], String)] = [
            ("new", [first], [], "1/0/0/0"),
            ("repeat", [first], [], "0/0/1/0"),
            ("value", [other], [], "0/1/0/0"),
            ("start", [moved], [], "0/1/0/0"),
            ("type", [retyped], [], "0/1/0/0"),
            ("unit", [unitless], [], "0/1/0/0"),
            ("repeat of the last", [unitless], [], "0/0/1/0"),
            ("back", [first], [], "0/1/0/0"),
            ("twice in one body, the last is there", [other, first], [], "0/0/1/0"),
            ("twice in one body, the first is there", [first, moved], [], "0/1/0/0"),
            ("back", [moved, first], [], "0/1/0/0"),
            ("twice in one body, new", second, [], "1/0/0/0"),
            ("deleted", [], [Sent.uuid(1)], "0/0/0/1"),
            ("deleted again", [], [Sent.uuid(1)], "0/0/0/0"),
            ("never stored", [], [Sent.uuid(77), "x"], "0/0/0/0"),
            ("sent again", [first], [], "1/0/0/0"),
        ]
        for (name, samples, deleted, expected) in steps {
            #expect(store.outcome(samples, deleting: deleted) == expected, "\(name)")
            #expect(try Self.keysMatchRows(folder), "\(name)")
        }
        #expect(
            try rows(folder, "SELECT uuid, type, value, start FROM samples ORDER BY uuid") == [
                "\(Sent.uuid(1))|heart_rate|64.0|1970-01-01T00:00:01Z", "\(Sent.uuid(2))|heart_rate|2.0|-",
            ])
        #expect(
            try rows(folder, "SELECT device, uuid, type, parts, person FROM deletions") == [
                "d_1|\(Sent.uuid(1))|heart_rate|1|me"
            ])
    }

    /// Each of these alone is other content; the request it came in is not.
    @Test func everyColumnIsContent() throws {
        let store = try Store.open(directory: folder.path)
        defer { store.close() }
        let base = Sent(
            key: Sent.uuid(1), start: 1, end: 2, value: 1, name: "n", unit: "u", app: "a", hardware: "h", offset: 60,
            rest: "\"x\":1")
        let changes: [(String, (inout Sent) -> Void)] = [
            ("end", { $0.end = 3 }), ("no end", { $0.end = nil }), ("value", { $0.value = 1.5 }),
            ("no value", { $0.value = nil }), ("name", { $0.name = "m" }), ("no name", { $0.name = nil }),
            ("app", { $0.app = "b" }), ("device", { $0.hardware = nil }),
            ("no source", { ($0.app, $0.hardware) = (nil, nil) }), ("offset", { $0.offset = -60 }),
            ("no offset", { $0.offset = nil }), ("rest", { $0.rest = "\"x\":2" }), ("no rest", { $0.rest = "" }),
            ("kind", { $0.kind = .other }), ("spelled", { $0.spelled = .start }),
        ]
        _ = store.outcome([base])
        for (name, change) in changes {
            var other = base
            change(&other)
            #expect(store.outcome([other]) == "0/1/0/0", "\(name)")
            #expect(store.outcome([other]) == "0/0/1/0", "\(name)")
            #expect(store.outcome([base]) == "0/1/0/0", "\(name)")
        }
        let before = try rows(folder, "SELECT delivery, endpoint, dialect FROM sample")
        let other = Submission(SampleBatch([base]), endpoint: "other", delivery: "x", at: 5, dialect: .hae)
        #expect(Store.text(store.write(other)) == "0/0/1/0")
        #expect(try rows(folder, "SELECT delivery, endpoint, dialect FROM sample") == before)
    }

    /// Negative zero is stored as zero, and no number that is not finite is.
    @Test func oddNumbersRepeat() throws {
        let store = try Store.open(directory: folder.path)
        defer { store.close() }
        for (index, value) in [-0.0, .infinity, -.infinity, .nan, .leastNonzeroMagnitude, 1.7976931348623157e308]
            .enumerated()
        {
            let sample = Sent(key: Sent.uuid(index), start: .max, end: .min + 1, value: value)
            #expect(store.outcome([sample]) == "1/0/0/0")
            #expect(store.outcome([sample]) == "0/0/1/0")
        }
        #expect(try rows(folder, "SELECT count(*), count(value), count(json(body)) FROM samples") == ["6|3|6"])
    }

    @Test func keysAreTheirBytes() throws {
        let store = try Store.open(directory: folder.path)
        defer { store.close() }
        let composed = "caf\u{E9}", decomposed = "cafe\u{301}"
        let long = String(repeating: "k", count: 255)
        let keys = [
            composed, decomposed, "a", "A", "a\u{0}", "a\u{0}b", "ab", "abcdefgh", "abcdefghi", "abcdefghijklmnop",
            "abcdefghijklmnopq", long + "1", long + "2", "5E1D0000-0000-4000-8000-00000000000",
            "characteristic:blood_type",
            Sent.uuid(1), Sent.uuid(2),
        ]
        let samples = keys.map { Sent(key: $0, start: 1, value: 1) }
        #expect(store.outcome(samples) == "\(keys.count)/0/0/0")
        #expect(store.outcome(samples.reversed()) == "0/0/\(keys.count)/0")
        #expect(store.outcome([], deleting: ["a", Sent.uuid(1).lowercased()]) == "0/0/0/2")
        #expect(store.outcome([], deleting: keys) == "0/0/0/\(keys.count - 2)")
        #expect(try rows(folder, "SELECT count(*) FROM sample") == ["0"])
    }

    @Test func devicesAndPersonsAreApart() throws {
        let store = try Store.open(directory: folder.path)
        defer { store.close() }
        let batch = SampleBatch([Sent(key: Sent.uuid(1), start: 1, value: 1)])
        let deletion = SampleBatch([], deleting: [Sent.uuid(1)])
        for (person, device) in [
            ("me", "d_1"), ("me", "d_2"), ("you", "d_1"), ("you", "caf\u{E9}"), ("you", "cafe\u{301}"),
        ] {
            #expect(Store.text(store.write(Submission(batch, person: person, device: device))) == "1/0/0/0")
        }
        #expect(Store.text(store.write(Submission(deletion, person: "you", device: "d_1"))) == "0/0/0/1")
        #expect(try rows(folder, "SELECT count(*) FROM samples") == ["4"])
    }

    @Test func deletionTakesAllPartsAndLeavesOneLine() throws {
        let store = try Store.open(directory: folder.path)
        defer { store.close() }
        let parts = (0..<5).map {
            Sent(key: Sent.uuid(9), type: "workout_route", kind: .workoutRoute, start: 1, part: $0)
        }
        #expect(store.outcome(parts.shuffled()) == "5/0/0/0")
        let line = "SELECT type, parts, received_us FROM deletions"
        func delete(at time: Int64, type: String?) -> String {
            var batch = SampleBatch()
            batch.delete(Sent.uuid(9), type: type)
            batch.delete(Sent.uuid(9), type: "twice")
            return Store.text(store.write(Submission(batch, at: time)))
        }
        #expect(delete(at: 10, type: nil) == "0/0/0/5")
        #expect(try rows(folder, line) == ["workout_route|5|10"])
        #expect(delete(at: 20, type: "route") == "0/0/0/0")
        #expect(try rows(folder, line) == ["workout_route|5|10"])
        #expect(store.outcome([parts[3]]) == "1/0/0/0")
        #expect(try rows(folder, line) == ["workout_route|5|10"])
        #expect(delete(at: 30, type: "route") == "0/0/0/1")
        #expect(try rows(folder, line) == ["route|1|30"])
        #expect(try rows(folder, "SELECT sum(refs) FROM delivery") == ["1"])
    }

    /// A body that brings a sample and deletes it, sent again: the same state, and nothing written to samples.
    @Test func bodyThatDeletesWhatItBrings() throws {
        let store = try Store.open(directory: folder.path)
        defer { store.close() }
        let sample = Sent(key: Sent.uuid(1), start: 1, value: 1)
        let other = Sent(key: Sent.uuid(2), start: 1, value: 1)
        #expect(store.outcome([sample, other], deleting: [Sent.uuid(1)]) == "2/0/0/1")
        let lines = try rows(folder, "SELECT * FROM deletion")
        #expect(lines.count == 1)
        #expect(store.outcome([sample, other], deleting: [Sent.uuid(1)]) == "0/0/2/0")
        #expect(try rows(folder, "SELECT * FROM deletion") == lines)
        #expect(try rows(folder, "SELECT uuid FROM samples") == [Sent.uuid(2)])
    }
}

@Suite struct SummaryDayTests {
    let folder = TestFolder()

    static func summary(_ number: Int, day: Int32?, value: Double = 1, kind: SampleKind = .activitySummary) -> Sent {
        Sent(key: Sent.uuid(number), type: "activity_summary", kind: kind, rest: "\"n\":\(value),\"d\":\(day ?? -1)", )
            .with(day: day)
    }

    @Test func oneRowADay() throws {
        let store = try Store.open(directory: folder.path)
        defer { store.close() }
        let s = Self.summary
        let steps: [(String, [Sent], [String], String, [Int])] = [
            ("new", [s(1, 10, 1, .activitySummary)], [], "1/0/0/0", [1]),
            ("repeat", [s(1, 10, 1, .activitySummary)], [], "0/0/1/0", [1]),
            ("same uuid, new content", [s(1, 10, 2, .activitySummary)], [], "0/1/0/0", [1]),
            ("other uuid takes the day", [s(2, 10, 2, .activitySummary)], [], "0/1/0/0", [2]),
            ("another day", [s(1, 11, 2, .activitySummary)], [], "1/0/0/0", [1, 2]),
            ("moves to a held day", [s(1, 10, 2, .activitySummary)], [], "0/1/0/0", [1]),
            ("its former day is free", [s(2, 11, 2, .activitySummary)], [], "1/0/0/0", [1, 2]),
            (
                "two of one day: the last", [s(3, 10, 1, .activitySummary), s(4, 10, 1, .activitySummary)], [],
                "0/1/0/0", [2, 4]
            ),
            ("again", [s(3, 10, 1, .activitySummary), s(4, 10, 1, .activitySummary)], [], "0/0/1/0", [2, 4]),
            (
                "one that is replaced was stored", [s(2, 10, 9, .activitySummary), s(4, 10, 1, .activitySummary)], [],
                "0/0/1/0", [4]
            ),
            ("deleted", [], [Sent.uuid(4)], "0/0/0/1", []),
            ("the day is free again", [s(5, 10, 1, .activitySummary)], [], "1/0/0/0", [5]),
            ("becomes another kind", [s(5, 10, 1, .other)], [], "0/1/0/0", [5]),
            ("and holds no day", [s(6, 10, 1, .activitySummary)], [], "1/0/0/0", [5, 6]),
            (
                "swap of days in one body", [s(6, 12, 1, .activitySummary), s(7, 10, 1, .activitySummary)], [],
                "1/1/0/0", [5, 6, 7]
            ),
        ]
        for (name, samples, deleted, expected, left) in steps {
            #expect(store.outcome(samples, deleting: deleted) == expected, "\(name)")
            #expect(try rows(folder, "SELECT uuid FROM samples ORDER BY uuid") == left.map(Sent.uuid), "\(name)")
            #expect(try IdentityTests.keysMatchRows(folder), "\(name)")
            #expect(
                try rows(folder, "SELECT count(*) FROM summary_day")
                    == rows(folder, "SELECT count(*) FROM sample WHERE kind = 9"),
                "\(name)")
        }
        #expect(try rows(folder, "SELECT samples FROM endpoint_count") == ["3"])
        #expect(try rows(folder, "SELECT sum(refs) FROM delivery") == ["4"])
    }
}

extension Sent {
    func with(day: Int32?) -> Sent {
        var copy = self
        copy.day = day
        return copy
    }
}
