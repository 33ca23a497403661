import Samples
import Testing

@testable import Storage

/// Sections 8.2 and 9 of the Health Auto Export contract, a rule a case.
@Suite struct SlotTests {
    struct Step: Sendable {
        var sent: String
        /// stored/changed/repeated !guarded
        var counts: String
        var stored: String
        /// Hours since the request before.
        var hours: Int64 = 1

        init(_ sent: String, _ counts: String, _ stored: String, hours: Int64 = 1) {
            (self.sent, self.counts, self.stored, self.hours) = (sent, counts, stored, hours)
        }
    }

    struct Case: Sendable, CustomTestStringConvertible {
        var name: String
        var rule = MergeRule.slotSum
        var grain = Grain.minute
        var cuts = false
        var steps: [Step]
        var testDescription: String { name }
    }

    static let identity: [Case] = [
        Case(
            name: "five foods in one minute, sent twice, in another order",
            rule: .slot, grain: .raw,
            steps: [
                Step("Food=4 Food=21.5 Food=4", "3/0/0", "Food=4 Food=4 Food=21.5"),
                Step("Food=4 Food=21.5 Food=4", "0/0/3", "Food=4 Food=4 Food=21.5"),
                Step("Food=21.5 Food=4 Food=4", "0/0/3", "Food=4 Food=4 Food=21.5"),
            ]),
        Case(
            name: "a second contributor changes the source and adds nothing",
            steps: [
                Step("Watch=100", "1/0/0", "Watch=100"),
                Step("Watch|Phone=130", "0/1/0", "Watch|Phone=130"),
                Step("Phone|Watch=130", "0/1/0", "Phone|Watch=130"),
            ]),
        Case(
            name: "no source is a source of its own",
            steps: [
                Step("=5", "1/0/0", "=5"), Step("=6", "0/1/0", "=6"), Step("Watch=6", "0/1/0", "Watch=6"),
            ]),
        Case(
            name: "a watch reading hides no manual entry of the same moment",
            rule: .slotMean, grain: .raw,
            steps: [
                Step("Watch=61 Hand=58", "2/0/0", "Hand=58 Watch=61"),
                Step("Watch=61 Hand=58", "0/0/2", "Hand=58 Watch=61"),
            ]),
        Case(
            name: "an edited value takes the place of the old one, and may return",
            steps: [Step("A=1", "1/0/0", "A=1"), Step("A=2", "0/1/0", "A=2"), Step("A=1", "0/1/0", "A=1")]),
        Case(
            name: "each source by itself: the whole set is in the body",
            steps: [
                Step("Watch=100 Phone=50", "2/0/0", "Phone=50 Watch=100"),
                Step("Phone=60 Watch=100", "0/1/1", "Phone=60 Watch=100"),
                Step("Watch=100", "0/2/0", "Watch=100"),
            ]),
        Case(
            name: "two of one source",
            rule: .slotMean, grain: .second,
            steps: [
                Step("A=1 A=2", "2/0/0", "A=1 A=2"), Step("A=2", "0/2/0", "A=2"), Step("A=3 A=2", "1/0/1", "A=2 A=3"),
            ]),
    ]

    static let corrections: [Case] = [
        Case(
            name: "late samples: the last delivery wins, also when the total shrinks", grain: .day,
            steps: [
                Step("W=4391", "1/0/0", "W=4391"), Step("W=5000", "0/1/0", "W=5000"), Step("W=15", "0/1/0", "W=15"),
            ]),
        Case(
            name: "4,391 steps are not replaced by 15", grain: .day, cuts: true,
            steps: [
                Step("W=4391", "1/0/0", "W=4391"), Step("W=15", "0/0/0 !1", "W=4391"),
                Step("W=15", "0/0/0 !1", "W=4391"),
                Step("W=4391", "0/0/1", "W=4391"), Step("W=4500", "0/1/0", "W=4500"),
            ]),
        Case(
            name: "sum of an hour keeps the larger", grain: .hour, cuts: true,
            steps: [Step("W=10", "1/0/0", "W=10"), Step("W=9", "0/0/0 !1", "W=10"), Step("W=11", "0/1/0", "W=11")]),
        Case(
            name: "a sum of a minute is replaced", grain: .minute, cuts: true,
            steps: [Step("W=10", "1/0/0", "W=10"), Step("W=9", "0/1/0", "W=9")]),
        Case(
            name: "a raw sum is replaced", grain: .raw, cuts: true,
            steps: [Step("W=10", "1/0/0", "W=10"), Step("W=9", "0/1/0", "W=9")]),
        Case(
            name: "a part of a bucket from fewer sources", grain: .day, cuts: true,
            steps: [
                Step("Watch|Phone=4391", "1/0/0", "Watch|Phone=4391"), Step("Watch=15", "0/0/0 !1", "Watch|Phone=4391"),
                Step("Tablet=20", "0/0/0 !1", "Watch|Phone=4391"), Step("Watch=5000", "0/1/0", "Watch=5000"),
                Step("Watch|Phone=20", "0/0/0 !1", "Watch=5000"),
            ]),
        Case(
            name: "fewer sources and none new: united", grain: .minute, cuts: true,
            steps: [
                Step("Watch=100 Phone=50", "2/0/0", "Phone=50 Watch=100"),
                Step("Watch=120", "0/1/0 !1", "Phone=50 Watch=120"),
                Step("Phone=1", "0/1/0 !1", "Phone=1 Watch=120"),
                Step("Phone=1 Watch=120", "0/0/2", "Phone=1 Watch=120"),
                Step("Tablet=7", "0/2/0", "Tablet=7"),
            ]),
        Case(
            name: "fewer sources and none new, of an hour", grain: .hour, cuts: true,
            steps: [
                Step("Watch=100 Phone=50", "2/0/0", "Phone=50 Watch=100"),
                Step("Watch=20", "0/0/0 !1", "Phone=50 Watch=100"), Step("Watch=200", "0/1/0 !1", "Phone=50 Watch=200"),
            ]),
        Case(
            name: "a joined source's part is not added to it", grain: .minute, cuts: true,
            steps: [
                Step("Watch|Phone=100", "1/0/0", "Watch|Phone=100"), Step("Watch=60", "0/0/0 !1", "Watch|Phone=100"),
                Step("Watch=110", "0/1/0", "Watch=110"),
            ]),
        Case(
            name: "fewer sources with a whole window: replaced", grain: .hour,
            steps: [Step("Watch=100 Phone=50", "2/0/0", "Phone=50 Watch=100"), Step("Watch=20", "0/2/0", "Watch=20")]),
        Case(
            name: "Min and Max widen, Avg stays", rule: .slotRange, grain: .hour, cuts: true,
            steps: [
                Step("W=61.5@58..66", "1/0/0", "W=61.5@58..66"), Step("W=60@59..63", "0/0/0 !1", "W=61.5@58..66"),
                Step("W=70@60..90", "0/1/0 !1", "W=61.5@58..90"), Step("W=50@44..52", "0/1/0 !1", "W=61.5@44..90"),
                Step("W=50@44..52", "0/0/0 !1", "W=61.5@44..90"), Step("W=62@40..95", "0/1/0", "W=62@40..95"),
                Step("W=62@40..95", "0/0/1", "W=62@40..95"),
            ]),
        Case(
            name: "Min and Max of a whole window are replaced", rule: .slotRange, grain: .day,
            steps: [Step("W=61@58..66", "1/0/0", "W=61@58..66"), Step("W=60@59..63", "0/1/0", "W=60@59..63")]),
        Case(
            name: "a mean stays that came after the bucket's end", rule: .slotMean, grain: .hour, cuts: true,
            steps: [
                Step("W=61", "1/0/0", "W=61"), Step("W=70", "0/0/0 !1", "W=61", hours: 2),
                Step("W=71", "0/1/0", "W=71", hours: 23),
            ]),
    ]

    @Test(arguments: identity + corrections) func slots(_ one: Case) throws {
        let harness = try MergingHarness()
        harness.window.cutsBuckets = one.cuts
        for (index, step) in one.steps.enumerated() {
            harness.now += step.hours * MergingHarness.hour
            let sent = MergingHarness.members(step.sent, one.rule, one.grain)
            #expect(harness.send(sent) == step.counts, "step \(index)")
            #expect(try harness.slot() == step.stored, "step \(index)")
            try harness.expectConsistency("step \(index)")
            // The same bytes again, whenever they come.
            if step.counts.contains("!") { continue }
            let before = try harness.table()
            #expect(harness.send(sent).hasPrefix("0/0/\(sent.count)"), "step \(index)")
            #expect(try harness.table() == before, "step \(index)")
        }
    }

    @Test func fiveFoodsInOneMinuteAre29AndAHalf() throws {
        let harness = try MergingHarness()
        for _ in 0..<2 {
            harness.send(MergingHarness.members("Food=4 Food=21.5 Food=4", .slot, .raw))
            #expect(try rows(harness.folder, "SELECT sum(value), count(*) FROM samples") == ["29.5|3"])
        }
    }

    /// A mean goes to whoever can have seen more of the bucket; both of these come before its end.
    @Test(arguments: [
        (10, 40, true), (40, 55, false), (30, 59, false), (29, 60, true), (29, 90, true), (59, 90, false),
        (60, 90, false),
        (70, 90, false), (-5, 3, true),
    ])
    func meanOfABucketThatIsNotOver(storedMinutes: Int64, sentMinutes: Int64, isTaken: Bool) {
        let minute: Int64 = 60_000_000
        let times = SlotDecision.Times(
            bucketStart: 0, bucketEnd: 60 * minute, storedAt: storedMinutes * minute, sentAt: sentMinutes * minute)
        #expect(SlotDecision.meanIsTaken(times) == isTaken)
    }

    @Test(arguments: [Int64.min, -1, 0, 1, .max], [Int64.min, 0, .max])
    func noTimeOverflows(_ one: Int64, _ other: Int64) {
        for (start, end) in [(one, other), (other, one), (.min, .max)] {
            _ = SlotDecision.meanIsTaken(.init(bucketStart: start, bucketEnd: end, storedAt: one, sentAt: other))
            let night = Night(start: start, end: end, value: 1, series: 1)
            _ = night.isSame(as: Night(start: one, end: other, value: 2, series: 1))
        }
    }

    /// Equal bytes are not needed: an object's members come in another order from run to run.
    @Test func anotherOrderOfMembersIsNoChange() throws {
        let harness = try MergingHarness()
        var one = MergingHarness.members("A=1")[0]
        one.rest = "\"a\":{\"x\":1,\"y\":[1,2]},\"b\":\"\\/\\u0041\""
        #expect(harness.send([one]) == "1/0/0")
        let stored = try harness.table()
        one.rest = "\"b\":\"/A\", \"a\" : {\"y\":[1.0, 2],\"x\":1}"
        #expect(harness.send([one]) == "0/0/1")
        #expect(try harness.table() == stored)
        one.rest = "\"b\":\"/A\",\"a\":{\"y\":[2,1],\"x\":1}"
        #expect(harness.send([one]) == "0/1/0")
    }

    /// Section 9.7: the zone told first was nearest to where the person was; a day's slot moves.
    @Test(arguments: Grain.allCases) func travel(_ grain: Grain) throws {
        let harness = try MergingHarness()
        var one = MergingHarness.members("A=1", .slotSum, grain)[0]
        one.offset = 120
        #expect(harness.send([one]) == "1/0/0")
        one.offset = -240
        let isKept = grain.rawValue <= Grain.hour.rawValue
        if !isKept { one.start = MergingHarness.seven - 6 * MergingHarness.hour }
        #expect(harness.send([one]) == (isKept ? "0/0/1" : "0/1/0"))
        one.value = 2
        #expect(harness.send([one]) == "0/1/0")
        let stored = "\(isKept ? 120 : -240)|\(one.start ?? 0)|2.0"
        #expect(try rows(harness.folder, "SELECT utc_offset, start_us, value FROM samples") == [stored])
        try harness.expectConsistency()
    }

    /// Section 9.7: hours cut in a zone with half an hour in its offset.
    @Test func hoursOfAnotherCutReplaceThoseThatTheyOverlap() throws {
        let harness = try MergingHarness()
        let hour = MergingHarness.hour, seven = MergingHarness.seven
        func hours(_ from: Int64, _ numbers: Range<Int>, _ source: String, grain: Grain = .hour) -> [Sent] {
            numbers.map { number in
                MergingHarness.members(
                    "\(source)=\(number)", .slotSum, grain, slot: Int((from + Int64(number) * hour) & 0xFF_FFFF_FFFF),
                    start: from + Int64(number) * hour)[0]
            }
        }
        harness.send(hours(seven, 0..<4, "A"))
        harness.send(hours(seven + 5, 0..<1, "B"))  // another source
        harness.send(hours(seven + 7, 0..<1, "A", grain: .minute))  // another grain
        var other = hours(seven + 9, 0..<1, "A")[0]
        other.type = "other"
        harness.send([other])
        // 8:30 and 9:30 overlap 8, 9 and 10 o'clock.
        #expect(harness.send(hours(seven + 90 * 60_000_000, 0..<2, "A")) == "2/3/0")
        let left = try rows(
            harness.folder,
            "SELECT (start_us - \(seven)) / 60000000, source_app FROM samples ORDER BY start_us, type, source_app")
        #expect(left == ["0|A", "0|B", "0|A", "0|A", "90|A", "150|A"])
        #expect(harness.send(hours(seven + 90 * 60_000_000, 0..<2, "A")) == "0/0/2")
        try harness.expectConsistency()
        // And back.
        #expect(harness.send(hours(seven, 1..<4, "A")) == "3/2/0")
    }

    /// A unit is no part of what a sample is: the row moves to the other series.
    @Test func aUnitMayChange() throws {
        let harness = try MergingHarness()
        harness.window.cutsBuckets = true
        var one = MergingHarness.members("A=100", .slotSum, .day)[0]
        harness.send([one])
        (one.unit, one.value) = ("kJ", 5)
        #expect(harness.send([one]) == "0/1/0")  // not less: another unit
        #expect(harness.send([one]) == "0/0/1")
        #expect(try rows(harness.folder, "SELECT unit, value FROM samples") == ["kJ|5.0"])
        try harness.expectConsistency()
    }

    /// Min and Max are in the unit of the value, whatever was sent: how the sender wrote one goes when it does.
    @Test func rangesSentInAnotherUnitWiden() throws {
        let harness = try MergingHarness()
        harness.window.cutsBuckets = true
        var one = MergingHarness.members("W=37@36..38", .slotRange, .day)[0]
        let own = "\"hae_Min\":96.8,\"hae_Avg\":98.6,\"hae_Max\":100.4,\"units\":\"degF\""
        one.rest = "\"Min\":36,\"Max\":38,\(own)"
        harness.send([one])
        (one.value, one.rest) = (35.5, "\"Min\":35,\"Max\":36")
        #expect(harness.send([one]) == "0/1/0 !1")
        #expect(try harness.slot() == "W=37@35..38")
        let left = "\"Min\":35,\"Max\":38,\"hae_Avg\":98.6,\"hae_Max\":100.4,\"units\":\"degF\""
        #expect(try rows(harness.folder, "SELECT rest FROM sample") == [left])
        #expect(harness.send([one]) == "0/0/0 !1")
        (one.value, one.rest) = (39, "\"hae_Max\":104,\"units\":\"degF\",\"Max\":40")
        #expect(harness.send([one]) == "0/1/0 !1")
        #expect(try harness.slot() == "W=37@35..40")
        try harness.expectConsistency()
    }

    @Test func grainsAreSlotsOfTheirOwn() throws {
        let harness = try MergingHarness()
        for (slot, grain) in Grain.allCases.enumerated() {
            #expect(harness.send(MergingHarness.members("A=\(slot)", .slotSum, grain, slot: slot)) == "1/0/0")
        }
        #expect(try rows(harness.folder, "SELECT count(*) FROM samples") == ["8"])
    }

    @Test func theGuardIsRemembered() throws {
        let harness = try MergingHarness()
        harness.window.cutsBuckets = true
        let reader = try StoreReader(directory: harness.folder.path)
        harness.send(MergingHarness.members("W=10", .slotSum, .day))
        #expect(try reader.windowGuards() == [])
        let first = harness.now
        harness.send(MergingHarness.members("W=1", .slotSum, .day))
        harness.now += 5
        harness.send(MergingHarness.members("W=2", .slotSum, .day))
        #expect(
            try reader.windowGuards() == [
                .init(
                    endpoint: "phone", count: 2, firstAt: Timestamp(microseconds: first),
                    lastAt: Timestamp(microseconds: first + 5))
            ])
    }

    /// A slot takes a bounded number of members: hostile or broken senders get the rest counted, not stored.
    @Test func aSlotIsBounded() throws {
        let harness = try MergingHarness()
        let many = (0..<Merger.maximumMembers + 5).map { number in
            Sent(key: MergingHarness.key(1), type: "m", start: 1, value: Double(number), merge: .slot)
        }
        guard case .success(let outcome) = harness.store.write(harness.submission(many)) else {
            throw StoreError(.failed)
        }
        #expect(outcome.stored == Merger.maximumMembers && outcome.skipped == 5)
        #expect(try rows(harness.folder, "SELECT skipped FROM deliveries") == ["5"])
    }
}
