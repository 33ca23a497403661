import Foundation
import Samples
import Testing

@testable import Storage

/// Bodies that are decoded while they are stored.
@Suite struct StreamTests {
    static let fault = DecodeFault(code: "json_invalid", message: "The body is not valid JSON.", offset: 12)

    static func points(_ slots: Range<Int>, value: Double = 1) -> [Sent] {
        slots.map { number in
            MergingHarness.members("A=\(value)", slot: number, start: Int64(number) * 60_000_000)[0]
        }
    }

    @Test func slicesAreOneRequest() throws {
        let harness = try MergingHarness()
        let slices = [Self.points(0..<50), Self.points(50..<100), [], Self.points(100..<101)]
        #expect(harness.send(harness.stream(slices)) == "101/0/0")
        #expect(harness.send(harness.stream(slices)) == "0/0/101")
        #expect(
            try rows(harness.folder, "SELECT stored, repeated, status FROM deliveries ORDER BY id") == [
                "101|0|204", "0|101|204",
            ])
        #expect(try rows(harness.folder, "SELECT count(DISTINCT delivery) FROM sample") == ["1"])
        try harness.expectConsistency()
    }

    /// The end of a slice may fall into a slot.
    @Test(arguments: 1..<6) func aSlotIsCutByASlice(at cut: Int) throws {
        let harness = try MergingHarness()
        let foods = MergingHarness.members("A=4 A=4 A=9 B=1 B=1", .slot, .raw)
        let body = Self.points(50..<53) + foods + Self.points(60..<62)
        let slices = stride(from: 0, to: body.count, by: cut).map { Array(body[$0..<min($0 + cut, body.count)]) }
        #expect(harness.send(harness.stream(slices)) == "10/0/0")
        #expect(try harness.slot() == "A=4 A=4 A=9 B=1 B=1")
        let before = try harness.table()
        #expect(harness.send(harness.stream(slices)) == "0/0/10")
        #expect(try harness.table() == before)
        // And what one request no longer has goes.
        #expect(harness.send(harness.stream([foods.prefix(1) + [], foods.suffix(1) + []])) == "0/4/1")
        #expect(try harness.slot() == "A=4 B=1")
        try harness.expectConsistency()
    }

    /// Members far apart in the body are united, too.
    @Test func aSlotInTwoPlacesOfABody() throws {
        let harness = try MergingHarness()
        let foods = MergingHarness.members("A=4 A=4 A=9", .slot, .raw)
        let slices = [
            foods.prefix(1) + Self.points(50..<60), Self.points(60..<70), foods.dropFirst() + Self.points(70..<80),
        ]
        for _ in 0..<3 {
            harness.send(harness.stream(slices))
            #expect(try harness.slot() == "A=4 A=4 A=9")
        }
        try harness.expectConsistency()
    }

    @Test func aCutBucketInTwoPlacesOfABody() throws {
        let harness = try MergingHarness()
        harness.window.cutsBuckets = true
        func day(_ text: String) -> [Sent] { MergingHarness.members(text, .slotSum, .day) }
        harness.send(day("Watch=4391 Phone=50"))
        harness.send(harness.stream([day("Watch=15") + Self.points(50..<51), day("Phone=60") + Self.points(51..<52)]))
        #expect(try harness.slot() == "Phone=60 Watch=4391")
        try harness.expectConsistency()
    }

    /// What the guard kept in one slice is what a later one brings: it is there once, however often the body comes.
    @Test(arguments: [
        ("Watch=4 Phone=5", "Watch=4", "Phone=5", "Phone=5 Watch=4"),
        ("Watch=4 Phone=5", "Phone=6", "Watch=7", "Phone=6 Watch=7"),
        ("Watch=4 Phone=5 Ring=1", "Watch=4", "Phone=6", "Phone=6 Ring=1 Watch=4"),
        ("Watch=4 Phone=5", "Watch=4", "Watch=3", "Phone=5 Watch=3 Watch=4"),
        ("Phone|Watch=9", "Watch=4", "Phone=5", "Phone|Watch=9"),
        // What was left out as a part of what stays is gone, so that stays beside a new source.
        ("Phone|Watch=9", "Watch=4", "Ring=2", "Phone|Watch=9 Ring=2"),
    ])
    func aPlaceThatAGuardKeptInPart(before: String, first: String, second: String, after: String) throws {
        for grain in [Grain.raw, .minute] {
            let harness = try MergingHarness()
            harness.window.cutsBuckets = true
            func members(_ text: String) -> [Sent] { MergingHarness.members(text, .slotSum, grain) }
            harness.send(members(before))
            for _ in 0..<3 {
                harness.send(
                    harness.stream([members(first) + Self.points(50..<51), members(second) + Self.points(51..<52)]))
                #expect(try harness.slot() == after, "\(grain)")
            }
            try harness.expectConsistency()
        }
    }

    /// Of two copies of a night in one body the longer one counts, in one slice or in two.
    @Test func aNightTwiceInABody() throws {
        for slices in [["1 -1 6.5 7", "1 5.2 6.5 1.2"], ["1 5.2 6.5 1.2", "1 -1 6.5 7"]] {
            let harness = try MergingHarness()
            let parts = slices.enumerated().map {
                [NightTests.night($0.element)] + Self.points(50 + $0.offset..<51 + $0.offset)
            }
            for _ in 0..<2 {
                harness.send(harness.stream(parts))
                #expect(
                    try rows(harness.folder, "SELECT value FROM samples WHERE type = 'sleep_analysis'") == ["7.0"])
            }
        }
    }

    /// A nap of the same day in an earlier slice is no other copy of the night.
    @Test func aNightIsCorrectedBehindItsNap() throws {
        let harness = try MergingHarness()
        harness.send([NightTests.night("1 -1 6.5 7")])
        harness.send(
            harness.stream([
                [NightTests.night("1 14 15 1")] + Self.points(50..<51),
                [NightTests.night("1 -1 6 6.5")] + Self.points(51..<52),
            ]))
        #expect(
            try rows(harness.folder, "SELECT value FROM samples WHERE type = 'sleep_analysis' ORDER BY value")
                == ["1.0", "6.5"])
    }

    @Test func aFaultAtTheEndLeavesNothing() throws {
        let harness = try MergingHarness()
        harness.send(Self.points(0..<10))
        let before = try harness.table()
        let reply = harness.store.write(
            harness.stream([Self.points(0..<10, value: 2), Self.points(10..<20)], fault: Self.fault))
        #expect(reply == .failure(.refused(Self.fault)))
        #expect(try harness.table() == before)
        #expect(try rows(harness.folder, "SELECT count(*) FROM deliveries") == ["1"])
        #expect(harness.store.condition.state == .ok && harness.store.condition.sentence == nil)
        try harness.expectConsistency()
        // Numbers of texts that went with it are not remembered.
        #expect(harness.send(harness.stream([Self.points(10..<20)])) == "10/0/0")
        try harness.expectConsistency()
    }

    @Test func aFaultOfTheStoreLeavesNothing() throws {
        let harness = try MergingHarness()
        _ = harness.store.onWriter { writer in writer?.connection.limitValues(toBytes: 4_000) }
        var large = Self.points(10..<11)
        large[0].rest = "\"x\":\"" + String(repeating: "y", count: 5_000) + "\""
        for fault in [nil, Self.fault] {
            let reply = harness.store.write(
                harness.stream([Self.points(0..<5), large + Self.points(11..<12), Self.points(5..<9)], fault: fault))
            #expect(reply == .failure(.failed(code: 18)))
        }
        #expect(try rows(harness.folder, "SELECT count(*) FROM samples") == ["0"])
        #expect(harness.send(harness.stream([Self.points(0..<5)])) == "5/0/0")
    }

    /// A decoder that goes on after the store failed does not make half a request of it.
    @Test func aSinkThatFailedStaysFailed() throws {
        let harness = try MergingHarness()
        _ = harness.store.onWriter { writer in writer?.connection.limitValues(toBytes: 4_000) }
        var large = Self.points(10..<11)
        large[0].rest = "\"x\":\"" + String(repeating: "y", count: 5_000) + "\""
        let slices = [large + Self.points(11..<12), Self.points(0..<5)]
        var submission = harness.stream([])
        let window = harness.window
        submission.content = .stream(
            SampleStream(bytes: 10) { sink in
                for slice in slices {
                    var batch = SampleBatch(slice)
                    batch.window = window
                    try? sink(batch)
                }
            })
        #expect(harness.store.write(submission) == .failure(.failed(code: 18)))
        #expect(try rows(harness.folder, "SELECT count(*) FROM samples") == ["0"])
    }

    struct Unreadable: Error {}

    @Test func aBodyThatCannotBeReadAgainIsAFaultOfOurs() throws {
        let harness = try MergingHarness()
        var submission = harness.stream([])
        submission.content = .stream(SampleStream(bytes: 10) { _ in throw Unreadable() })
        #expect(harness.store.write(submission) == .failure(.failed(code: 0)))
    }

    /// A stream takes no neighbour with it, and needs none.
    @Test func aStreamIsATransactionOfItsOwn() throws {
        let harness = try MergingHarness()
        let before = harness.store.counters
        let replies = WriterTests.together(
            harness.store,
            [
                Submission([WriterTests.one(1)]), Submission([WriterTests.one(2)]),
                harness.stream([Self.points(0..<5)], fault: Self.fault), harness.stream([Self.points(5..<6)]),
                Submission([WriterTests.one(3)]),
            ])
        #expect(replies == ["1/0/0/0", "1/0/0/0", "\(StoreFault.refused(Self.fault))", "1/0/0/0", "1/0/0/0"])
        #expect(harness.store.counters.transactions - before.transactions == 3)
    }

    @Test func otherDialectsMayStream() throws {
        let harness = try MergingHarness()
        var submission = harness.stream([])
        submission.content = .stream(
            SampleStream(bytes: 10) { sink in
                for number in 0..<3 {
                    try sink(SampleBatch([WriterTests.one(number)], deleting: number == 2 ? [Sent.uuid(0)] : []))
                }
            })
        #expect(Store.text(harness.store.write(submission)) == "3/0/0/1")
    }

    @Test func touchedKeysAreBounded() {
        var touched = TouchedKeys()
        for slice in 0..<200 { touched.insert((0..<8_000).map { UInt64(slice * 8_000 + $0) &* 0x9E37_79B9_7F4A_7C15 }) }
        #expect(touched.isFull && touched.count == TouchedKeys.capacity)
        #expect(touched.contains(0) && touched.contains(0x9E37_79B9_7F4A_7C15) && !touched.contains(1))
        touched.insert([1])
        #expect(!touched.contains(1))
    }

    @Test func touchedKeysAreASet() {
        var touched = TouchedKeys(), model: Set<UInt64> = []
        var number: UInt64 = 1
        for size in [1, 3, 1, 0, 100, 7, 50, 2, 1, 400] {
            let keys = (0..<size).map { _ -> UInt64 in
                number = (number &* 6_364_136_223_846_793_005 &+ 1) % 997
                return number
            }
            touched.insert(keys)
            model.formUnion(keys)
            #expect(touched.count == model.count)
        }
        #expect((0..<1_000).allSatisfy { touched.contains($0) == model.contains($0) } && !touched.isFull)
    }
}
