import Samples
import Testing

@testable import Storage

/// Section 7 of the contract, on the store alone.
@Suite struct PulsQueryTests {
    let harness: PulsHarness
    init() throws { harness = try PulsHarness() }

    private static let june: Int64 = 1_717_200_000_000_000, july: Int64 = 1_719_792_000_000_000

    private static func key(_ high: UInt64, _ low: UInt64) -> String {
        let text = [high, low].map { half in
            let digits = String(half, radix: 16)
            return String(repeating: "0", count: 16 - digits.count) + digits
        }.joined()
        let digits = Array(text)
        return [0..<8, 8..<12, 12..<16, 16..<20, 20..<32].map { String(digits[$0]) }.joined(separator: "-")
    }

    @Test func monthsAreFoldedByUTC() throws {
        harness.send(
            PulsSent(
                1,
                [
                    Sent(key: Self.key(0xF0, 0x0F), start: Self.june, value: 1),
                    Sent(key: Self.key(0x0F, 0xFF), start: Self.july - 1, value: 1),
                    Sent(key: Self.key(1, 2), start: Self.july, value: 1, unit: "other unit"),
                    Sent(key: Self.key(3, 4), start: Self.july, value: 1, unit: "count/min"),
                    Sent(key: Self.key(7, 7), type: "steps", start: Self.june, value: 1),
                ]))
        #expect(try harness.months() == ["1717200000000 2 ff-f0", "1719792000000 2 2-6"])
        #expect(
            try harness.months(from: Self.june + 1, to: Self.july) == ["1717200000000 1 f-ff"],
            "the window is the month's first instant all the same")
        #expect(try harness.months(from: Self.july + 1, to: .max).isEmpty)
        #expect(try harness.months("nobody").isEmpty)
        #expect(
            try harness.queries().months(ofTypes: [Array("x".utf8)], from: .init(microseconds: 0), to: .none).isEmpty)
    }

    @Test func monthsBeforeTheEpochAndAtItsEnds() throws {
        let december1969: Int64 = -2_678_400_000_000
        harness.send(
            PulsSent(
                1,
                [
                    Sent(key: Sent.uuid(1), start: -1, value: 1),
                    Sent(key: Sent.uuid(2), start: december1969, value: 1),
                    Sent(key: Sent.uuid(3), start: december1969 - 1, value: 1),
                    Sent(key: Sent.uuid(4), start: -62_135_596_800_000_000, value: 1),
                    Sent(key: Sent.uuid(5), start: 253_402_300_799_999_999, value: 1),
                    Sent(key: Sent.uuid(6), start: .max, value: 1),
                ]))
        #expect(
            try harness.months().map { $0.split(separator: " ").prefix(2).joined(separator: " ") } == [
                "-62135596800000 1", "-5270400000 1", "-2678400000 2", "253399622400000 1",
            ])
    }

    @Test func uuidsAreCountedFirst() throws {
        harness.send(PulsSent(1, (1...5).map { Sent(key: Sent.uuid($0), start: Int64($0), value: 1) }))
        var found: [UInt64] = []
        var counted = 0
        func ask(_ from: Int64, _ to: Int64, goesOn: Bool = true) throws {
            (found, counted) = ([], 0)
            try harness.queries().forEachUUID(
                ofTypes: [Array("heart_rate".utf8)], from: Timestamp(microseconds: from),
                to: Timestamp(microseconds: to)
            ) {
                counted = $0
                return goesOn
            } _: {
                found.append($0.low & 0xFF)
            }
        }
        try ask(2, 5)
        #expect(found == [2, 3, 4] && counted == 3)
        try ask(0, 99, goesOn: false)
        #expect(found.isEmpty && counted == 5)
    }

    @Test func countsOfTypesAndLabels() throws {
        harness.send(
            PulsSent(
                1, [Sent(key: Sent.uuid(1), start: 10, value: 1), Sent(key: Sent.uuid(2), start: 30, value: 1)],
                rows: [
                    PulsSent.ring("1970-01-01", 0), PulsSent.ring("1970-01-02", 1),
                    Sent(key: "profile", type: "profile", kind: .other),
                ], buckets: [.init(value: 1)]), at: 5)
        harness.send(PulsSent(2), at: 9)
        var probe = PulsSent(3)
        probe.label = "probe"
        harness.send(probe, at: 7)
        harness.send(probe, person: "me/u", at: 8)
        let counts = try harness.queries().typeCounts().map {
            "\(String(decoding: $0.type, as: UTF8.self)) \($0.rows) \($0.earliest.microseconds) \($0.latest.microseconds)"
        }
        #expect(counts.sorted() == ["activity_summary 2 0 0", "heart_rate 2 10 30"])
        let labels = try harness.queries().labelCounts().map {
            "\(String(decoding: $0.label, as: UTF8.self)) \($0.batches) \($0.lastReceived.microseconds)"
        }
        #expect(labels.sorted() == ["HKQuantityTypeIdentifierHeartRate 2 9", "probe 1 7"])
        #expect(try harness.queries("me/u").typeCounts().isEmpty)
        #expect(try harness.queries("nobody").labelCounts().isEmpty)
    }
}
