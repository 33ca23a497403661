import Samples
import Testing

@testable import Storage

/// Sections 7 and 9.5: copies of a workout are merged by field.
@Suite struct WorkoutTests {
    let harness: MergingHarness

    init() throws { harness = try MergingHarness() }

    static func workout(
        _ rest: String, id: Int? = 1, start: Int64 = MergingHarness.seven, minutes: Int64 = 40,
        duration: Double? = 2_350.5, name: String? = "Run", app: String? = nil
    ) -> Sent {
        // With an id as HealthKit makes them, or with a key made of start and end.
        let key = id.map(Sent.uuid) ?? MergingHarness.key(Int(start / 1_000_000 % 1_000_000) * 100 + Int(minutes))
        var sent = Sent(
            key: key, type: "workout", kind: .workout, start: start, end: start + minutes * 60_000_000, value: duration,
            name: name, unit: "s", app: app)
        (sent.merge, sent.rest) = (.workout, rest)
        return sent
    }

    func rest() throws -> [String] { try rows(harness.folder, "SELECT ifnull(rest, '') FROM sample ORDER BY uuid") }

    static let heart =
        "\"heartRateData\":[{\"date\":\"2026-10-14 07:00:00 +0200\",\"Avg\":90},{\"date\":\"2026-10-14 07:01:00 +0200\",\"Avg\":95}]"

    struct Case: Sendable, CustomTestStringConvertible {
        var name: String
        var stored: String
        var sent: String
        var merged: String
        var testDescription: String { name }
        init(_ name: String, _ stored: String, _ sent: String, _ merged: String) {
            (self.name, self.stored, self.sent, self.merged) = (name, stored, sent, merged)
        }
    }

    static let cases: [Case] = [
        Case("a number past a double's range loses nothing", heart, "\"note\":1e400", "\(heart),\"note\":1e400"),
        Case(
            "so does one of many digits", "\(heart),\"n\":\(String(repeating: "9", count: 999))", "\"a\":-1e-999",
            "\(heart),\"n\":\(String(repeating: "9", count: 999)),\"a\":-1e-999"),
        Case("absent stays", "\"a\":1,\(heart)", "\"b\":2", "\"a\":1,\(heart),\"b\":2"),
        Case(
            "null, empty text, array and object keep", "\"a\":1,\"b\":\"x\",\"c\":[1],\"d\":{\"q\":1}",
            "\"a\":null,\"b\":\"\",\"c\":[ ],\"d\":{}", "\"a\":1,\"b\":\"x\",\"c\":[1],\"d\":{\"q\":1}"),
        Case(
            "empty is filled", "\"metadata\":[],\"a\":null", "\"metadata\":{\"x\":1},\"a\":2",
            "\"metadata\":{\"x\":1},\"a\":2"),
        Case(
            "numbers and objects: the new one wins", "\"distance\":{\"qty\":3,\"units\":\"mi\"},\"a\":1",
            "\"a\":2,\"distance\":{\"qty\":5,\"units\":\"km\"}", "\"distance\":{\"qty\":5,\"units\":\"km\"},\"a\":2"),
        Case("an array is not lost to a number", heart, "\"heartRateData\":3,\"a\":1", "\(heart),\"a\":1"),
        Case(
            "an array takes a number's place", "\"stepCount\":{\"qty\":5}",
            "\"stepCount\":[{\"date\":\"x\",\"qty\":5}]",
            "\"stepCount\":[{\"date\":\"x\",\"qty\":5}]"),
        Case(
            "points are united by time",
            "\"route\":[{\"timestamp\":\"2026-10-14 07:00:00 +0200\",\"lat\":1},{\"timestamp\":\"2026-10-14 07:00:02 +0200\",\"lat\":3}]",
            "\"route\":[{\"lat\":2,\"timestamp\":\"2026-10-14T05:00:01Z\"},{\"timestamp\":\"2026-10-14 05:00:02 +0000\",\"lat\":4}]",
            "\"route\":[{\"timestamp\":\"2026-10-14 07:00:00 +0200\",\"lat\":1},{\"lat\":2,\"timestamp\":\"2026-10-14T05:00:01Z\"},{\"timestamp\":\"2026-10-14 05:00:02 +0000\",\"lat\":4}]"
        ),
        Case(
            "points of two sources at one moment are two",
            "\"a\":[{\"date\":\"t\",\"qty\":1,\"source\":\"A\"},{\"date\":\"t\",\"qty\":2,\"source\":\"B\"}]",
            "\"a\":[{\"date\":\"t\",\"qty\":3,\"source\":\"B\"}]",
            "\"a\":[{\"date\":\"t\",\"qty\":1,\"source\":\"A\"},{\"date\":\"t\",\"qty\":3,\"source\":\"B\"}]"),
        Case(
            "a point without a source is one with that of its moment",
            "\"a\":[{\"date\":\"t\",\"qty\":1},{\"date\":\"u\",\"qty\":2,\"source\":\"A\"},{\"date\":\"v\",\"qty\":3}]",
            "\"a\":[{\"date\":\"t\",\"qty\":4,\"source\":\"B\"},{\"date\":\"u\",\"qty\":5}]",
            "\"a\":[{\"date\":\"t\",\"qty\":4,\"source\":\"B\"},{\"date\":\"u\",\"qty\":5},{\"date\":\"v\",\"qty\":3}]"
        ),
        Case(
            "another order of members and points is no change", "\"a\":{\"x\":1,\"y\":2},\(heart)",
            "\"heartRateData\":[{\"Avg\":95,\"date\":\"2026-10-14 07:01:00 +0200\"}],\"a\":{\"y\":2,\"x\":1.0}",
            "\"a\":{\"x\":1,\"y\":2},\(heart)"),
        Case(
            "numbers as times", "\"a\":[{\"timestamp\":1,\"v\":1}]",
            "\"a\":[{\"timestamp\":1.0,\"v\":2},{\"timestamp\":0,\"v\":3}]",
            "\"a\":[{\"timestamp\":0,\"v\":3},{\"timestamp\":1.0,\"v\":2}]"),
        Case("an array that is no series: the new one wins", "\"a\":[1,2,3]", "\"a\":[4]", "\"a\":[4]"),
        Case("names are compared without escapes", "\"caf\\u00e9\":1", "\"café\":2", "\"caf\\u00e9\":2"),
    ]

    @Test(arguments: cases) func fields(_ one: Case) throws {
        #expect(harness.send([Self.workout(one.stored)]) == "1/0/0")
        #expect(harness.send([Self.workout(one.sent)]) == (one.stored == one.merged ? "0/0/1" : "0/1/0"))
        #expect(try rest() == [one.merged])
        // Whatever comes again, there is nothing new in it.
        #expect(harness.send([Self.workout(one.sent)]) == "0/0/1")
        #expect(try rest() == [one.merged])
        try harness.expectConsistency()
    }

    @Test func columnsAreFieldsToo() throws {
        harness.send([Self.workout("", duration: 100, app: "Watch")])
        #expect(harness.send([Self.workout("\"x\":1", duration: nil, name: nil)]) == "0/1/0")
        let columns = "SELECT value, value_name, source_app, body ->> '$.x' FROM samples"
        #expect(try rows(harness.folder, columns) == ["100.0|Run|Watch|1"])
        harness.send([Self.workout("", duration: 120, name: "Outdoor Ausführen")])
        #expect(try rows(harness.folder, columns) == ["120.0|Outdoor Ausführen|Watch|1"])
        // A name that nobody knows is no other activity.
        harness.send([Self.workout("", duration: 120, name: "Run")])
        harness.send([Self.workout("", duration: 130, name: "other")])
        #expect(try rows(harness.folder, columns) == ["130.0|Run|Watch|1"])
        // A start of its own spelling comes and goes without a second member.
        var spelled = Self.workout("\"start\":\"2026-10-14 09:00:00 +0200\"")
        spelled.spelled = .start
        harness.send([spelled])
        try harness.expectConsistency()
        #expect(try rows(harness.folder, "SELECT body ->> '$.start' FROM samples") == ["2026-10-14 09:00:00 +0200"])
        harness.send([Self.workout("")])
        try harness.expectConsistency()
    }

    /// Section 7.2: a copy without an id and one with it are one workout, whichever comes first.
    @Test(arguments: [[0, 1], [1, 0], [0, 1, 0], [1, 0, 1], [1, 1, 0, 0]], [false, true])
    func aCopyWithoutIDIsUpgraded(_ order: [Int], inOneBody: Bool) throws {
        let old = Self.workout(
            "\"activeEnergy\":{\"qty\":9},\"elevation\":{\"ascent\":3},\(Self.heart)", id: nil, minutes: 39,
            duration: nil, name: "Laufen")
        let new = Self.workout(
            "\"activeEnergy\":[{\"date\":\"t\",\"qty\":1}],\"heartRateData\":[{\"date\":\"2026-10-14 07:02:00 +0200\",\"Avg\":99}]"
        )
        let copies = order.map { $0 == 0 ? old : new }
        if inOneBody { harness.send(copies) } else { for copy in copies { harness.send([copy]) } }
        let stored = try rows(harness.folder, "SELECT uuid, value, value_name, end_us - start_us FROM samples")
        #expect(stored == ["\(Sent.uuid(1))|2350.5|Run|2400000000"])
        for (path, expected) in [
            ("activeEnergy[0].qty", "1"), ("elevation.ascent", "3"), ("heartRateData[2].Avg", "99"),
            ("heartRateData[0].Avg", "90"),
        ] {
            #expect(try rows(harness.folder, "SELECT body ->> '$.\(path)' FROM samples") == [expected], "\(path)")
        }
        try harness.expectConsistency()
        let before = try harness.table()
        #expect(harness.send([old]) == "0/0/1" && harness.send([new]) == "0/0/1")
        #expect(try harness.table() == before)
    }

    @Test func otherWorkoutsStay() throws {
        harness.send([
            Self.workout("", id: nil), Self.workout("", id: nil, start: MergingHarness.seven + 1_000_000),
            Self.workout("", id: 2, start: MergingHarness.seven + 2_000_000),
            Self.workout("", id: 3, start: MergingHarness.seven + 2_000_000),
        ])
        #expect(try rows(harness.folder, "SELECT count(*) FROM samples") == ["4"])
        // Of two with the same start, the one with the same end.
        harness.send([Self.workout("\"x\":1", id: 4, start: MergingHarness.seven + 2_000_000, minutes: 7)])
        harness.send([Self.workout("\"y\":1", id: nil, start: MergingHarness.seven + 2_000_000, minutes: 7)])
        #expect(try rows(harness.folder, "SELECT body ->> '$.y' FROM samples WHERE uuid = '\(Sent.uuid(4))'") == ["1"])
        #expect(try rows(harness.folder, "SELECT count(*) FROM samples") == ["5"])
    }

    /// What is no inside of an object, which no decoder lets through, still traps nothing.
    @Test(arguments: [
        "", "\"a\"", "\"a\":", "{}", "\"a\":1,", "\"a\":1}", "\"a\":[", "\"a\":\"\u{1}\"", "\"a\":1,\"a\":2",
    ])
    func brokenRestIsNotMerged(_ broken: String) {
        let whole = Array("\"b\":[{\"date\":\"x\"}]".utf8), other = Array(broken.utf8)
        for flag in [false, true] {
            #expect(RestMerge.filled(whole, from: other, otherIsStored: flag) == whole)
            if !broken.isEmpty { #expect(RestMerge.filled(other, from: whole, otherIsStored: flag) == other) }
        }
    }

    @Test(
        arguments: [
            ("2026-10-14 09:01:03 +0200", 1_791_961_263), ("2026-10-14T07:01:03Z", 1_791_961_263),
            ("2026-10-14 07:01:03 Z", 1_791_961_263), ("2026-10-14 09:01:03+02:00", 1_791_961_263),
            ("2026-10-14 09:01:03.5 +0200", 1_791_961_263), ("2026-10-14 9:01:03 am +0200", nil), ("2026-10-14", nil),
            ("", nil), ("2026-13-14 09:01:03 +0200", nil), ("                         ", nil),
            ("+++++++++++++++++++++++++", nil),
        ] as [(String, Int64?)])
    func times(_ text: String, seconds: Int64?) {
        #expect(PointTime.instant(Array(text.utf8)).map { $0 / 1_000_000 } == seconds)
    }
}

/// What a broken or hostile sender may ask for.
@Suite struct MergingCostTests {
    @Test func manyWorkoutsInOneBody() throws {
        let harness = try MergingHarness()
        func body(_ rest: String) -> [Sent] {
            (0..<600).map { WorkoutTests.workout(rest, id: $0, start: MergingHarness.seven + Int64($0) * 1_000_000) }
        }
        #expect(harness.send(body("\"a\":1")) == "600/0/0")
        #expect(harness.send(body("\"b\":2")) == "0/600/0")
        #expect(harness.send(body("\"b\":2,\"a\":1")) == "0/0/600")
        let old = (0..<600).map {
            WorkoutTests.workout("\"c\":3", id: nil, start: MergingHarness.seven + Int64($0) * 1_000_000)
        }
        // Each stored copy is met twice: once by its own, once by the copy without an id.
        #expect(harness.send(old + body("")) == "0/600/600")
        #expect(try rows(harness.folder, "SELECT count(*), count(body ->> '$.c') FROM samples") == ["600|600"])
    }

    @Test func anObjectOfThousandsOfMembers() {
        func members(_ value: Int) -> [UInt8] {
            Array((0..<50_000).map { "\"m\($0)\":\(value)" }.joined(separator: ",").utf8)
        }
        #expect(RestMerge.filled(members(2), from: members(1), otherIsStored: true) == members(2))
    }

    @Test func nightsOfOneDayAreBounded() throws {
        let harness = try MergingHarness()
        let naps = (0..<130).map { NightTests.night("1 \($0) \(Double($0) + 0.5) 0.5") }
        for expected in ["100/0/0", "0/0/100"] { #expect(harness.send(naps) == expected) }
        #expect(try rows(harness.folder, "SELECT skipped FROM deliveries") == ["30", "30"])
        #expect(harness.send([NightTests.night("1 200 201 1")]) == "0/0/0")
        try harness.expectConsistency()
    }

    /// Nested arrays and objects down to the scanner's depth, and past it.
    @Test(arguments: [1, 60, 63, 64, 200]) func deepMembers(_ depth: Int) throws {
        let harness = try MergingHarness()
        let rest = "\"a\":" + String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
        var one = MergingHarness.members("A=1")[0]
        for (text, counts) in [(rest, "1/0/0"), (rest, "0/0/1")] {
            one.rest = text
            #expect(harness.send([one]) == counts)
        }
        #expect(
            RestMerge.filled(Array(rest.utf8), from: Array("\"b\":1".utf8), otherIsStored: true).count
                >= rest.utf8.count)
    }

    /// Samples that share no slot keep the bytes that are stored, too, when only the order of members is another.
    @Test(arguments: [MergeRule.replace, .night, .sleepSegment]) func anotherOrderOfMembers(_ rule: MergeRule) throws {
        let harness = try MergingHarness()
        var one = NightTests.night("1 0 6 6")
        one.merge = rule
        one.rest = "\"a\":1,\"b\":[{\"x\":1,\"y\":2}]"
        #expect(harness.send([one]) == "1/0/0")
        one.rest = "\"b\":[{\"y\":2,\"x\":1}],\"a\":1"
        #expect(harness.send([one]) == "0/0/1")
        one.rest = "\"b\":[{\"y\":2,\"x\":1}],\"a\":2"
        #expect(harness.send([one]) == "0/1/0")
    }
}
