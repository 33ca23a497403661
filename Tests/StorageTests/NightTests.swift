import Samples
import Testing

@testable import Storage

/// Sections 5.4, 8.2 and 9.2: nights in one record, and segments of sleep.
@Suite struct NightTests {
    static let hour = MergingHarness.hour
    static let midnight = MergingHarness.seven - 7 * hour

    /// A night as `key start end length [source]`, hours since midnight and hours.
    static func night(_ text: String) -> Sent {
        let pieces = text.split(separator: " ").map(String.init)
        func time(_ piece: String) -> Int64 { midnight + Int64((Double(piece) ?? 0) * Double(hour)) }
        var sent = Sent(
            key: MergingHarness.key(Int(pieces[0]) ?? 0), type: "sleep_analysis", start: time(pieces[1]),
            end: time(pieces[2]), value: Double(pieces[3]), unit: "hr")
        (sent.merge, sent.grain, sent.app) = (.night, .day, pieces.count > 4 ? pieces[4] : "W")
        return sent
    }

    struct Case: Sendable, CustomTestStringConvertible {
        var name: String
        var cuts = false
        /// What is sent, the counts, and `key.part start end value` of what is stored then.
        var steps: [([String], String, [String])]
        var testDescription: String { name }
    }

    static let cases: [Case] = [
        Case(
            name: "a night is corrected, a nap of the same day stays",
            steps: [
                (["1 -1 6.5 7"], "1/0/0", ["1.0 -1.0 6.5 7.0"]),
                (["1 14 14.5 0.5"], "1/0/0", ["1.0 -1.0 6.5 7.0", "1.1 14.0 14.5 0.5"]),
                (["1 -1 7 7.5"], "0/1/0", ["1.0 -1.0 7.0 7.5", "1.1 14.0 14.5 0.5"]),
                (["1 14 14.5 0.4", "1 -1 7 7.5"], "0/1/1", ["1.0 -1.0 7.0 7.5", "1.1 14.0 14.5 0.4"]),
                (["1 -1 7 6"], "0/1/0", ["1.0 -1.0 7.0 6.0", "1.1 14.0 14.5 0.4"]),
            ]),
        Case(
            name: "another key, the same night",
            steps: [
                (["1 -1 6.5 7"], "1/0/0", ["1.0 -1.0 6.5 7.0"]),
                (["2 -0.5 6.5 6.8 W|P"], "1/1/0", ["2.0 -0.5 6.5 6.8"]),
                (["3 10 11 1"], "1/0/0", ["2.0 -0.5 6.5 6.8", "3.0 10.0 11.0 1.0"]),
                (["4 3.5 13.5 8"], "1/1/0", ["2.0 -0.5 6.5 6.8", "4.0 3.5 13.5 8.0"]),
            ]),
        Case(
            name: "two sources' nights in one request are two",
            steps: [
                (["1 -1 6.5 7", "2 -1 6 6.5 Ring"], "2/0/0", ["1.0 -1.0 6.5 7.0", "2.0 -1.0 6.0 6.5"]),
                (["2 -1 6 6.5 Ring", "1 -1 6.5 7"], "0/0/2", ["1.0 -1.0 6.5 7.0", "2.0 -1.0 6.0 6.5"]),
            ]),
        Case(
            name: "a 5.7 hour night is not replaced by its last 1.2 hours", cuts: true,
            steps: [
                (["1 0.5 6.5 5.7"], "1/0/0", ["1.0 0.5 6.5 5.7"]), (["1 5.2 6.5 1.2"], "0/0/0 !1", ["1.0 0.5 6.5 5.7"]),
                (["9 5.2 6.5 1.2 W|P"], "0/0/0 !1", ["1.0 0.5 6.5 5.7"]),
                (["1 0.5 6.5 5.7"], "0/0/1", ["1.0 0.5 6.5 5.7"]),
                (["1 1 6.5 5.7"], "0/0/0 !1", ["1.0 0.5 6.5 5.7"]), (["1 0.5 6.6 5.9"], "0/1/0", ["1.0 0.5 6.6 5.9"]),
                (["9 0.4 6.6 6 W|P"], "1/1/0", ["9.0 0.4 6.6 6.0"]),
            ]),
        Case(
            name: "with a whole window the shorter one counts",
            steps: [
                (["1 0.5 6.5 5.7"], "1/0/0", ["1.0 0.5 6.5 5.7"]), (["1 5.2 6.5 1.2"], "0/1/0", ["1.0 5.2 6.5 1.2"]),
            ]),
        Case(
            name: "less than half of the shorter one is no overlap",
            steps: [
                (["1 0 4 4"], "1/0/0", ["1.0 0.0 4.0 4.0"]),
                (["2 3 5 2"], "1/0/0", ["1.0 0.0 4.0 4.0", "2.0 3.0 5.0 2.0"]),
                (["3 3.9 5.2 1"], "1/1/0", ["1.0 0.0 4.0 4.0", "3.0 3.9 5.2 1.0"]),
            ]),
        Case(
            name: "of a night that one request has twice the longer one counts",
            steps: [(["1 0 4 4", "1 1 4 3", "1 0 4 4"], "1/0/0", ["1.0 0.0 4.0 4.0"])]),
    ]

    func stored(_ harness: MergingHarness) throws -> [String] {
        try rows(
            harness.folder,
            """
            SELECT CAST(substr(uuid, -2) AS INTEGER) || '.' || part || ' ' || ((start_us - \(Self.midnight)) / 36000000 / 100.0) || ' '
              || ((end_us - \(Self.midnight)) / 36000000 / 100.0) || ' ' || value FROM samples WHERE value_name IS NULL
            ORDER BY uuid, part
            """)
    }

    @Test(arguments: cases) func nights(_ one: Case) throws {
        let harness = try MergingHarness()
        harness.window.cutsBuckets = one.cuts
        for (index, (sent, counts, left)) in one.steps.enumerated() {
            let nights = sent.map(Self.night)
            #expect(harness.send(nights) == counts, "step \(index)")
            #expect(try stored(harness) == left, "step \(index)")
            try harness.expectConsistency("step \(index)")
            if counts.contains("!") || Set(sent).count < sent.count || sent.count > 2 { continue }
            let before = try harness.table()
            #expect(harness.send(nights) == "0/0/\(sent.count)", "step \(index)")
            #expect(try harness.table() == before, "step \(index)")
        }
    }

    /// A segment as `stage start end [source]`, hours since midnight.
    static func segment(_ text: String) -> Sent {
        let pieces = text.split(separator: " ").map(String.init)
        func time(_ piece: String) -> Int64 { midnight + Int64((Double(piece) ?? 0) * Double(hour)) }
        let source = pieces.count > 3 ? pieces[3] : "W"
        var hash = Fingerprint.of(Array("\(source.split(separator: "|").sorted())\(pieces[..<3])".utf8))
        hash &= 0xFF_FFFF_FFFF
        var sent = Sent(
            key: MergingHarness.key(Int(hash)), type: "sleep_analysis", kind: .category, start: time(pieces[1]),
            end: time(pieces[2]), name: pieces[0])
        (sent.merge, sent.app) = (.sleepSegment, source)
        return sent
    }

    @Test(arguments: [false, true]) func segmentsInsideOfWhatTheRequestCovers(inSlices: Bool) throws {
        let harness = try MergingHarness()
        func send(_ texts: [String]) -> String {
            let segments = texts.map(Self.segment)
            return inSlices ? harness.send(harness.stream(segments.map { [$0] })) : harness.send(segments)
        }
        func left() throws -> [String] {
            try rows(
                harness.folder,
                """
                SELECT stage || ' ' || ((start_us - \(Self.midnight)) / \(Self.hour)) || ' ' || source_app FROM sleep_stages
                ORDER BY start_us, source_app
                """)
        }
        harness.send([Self.night("1 0 6 6")])
        let first = ["Core 0 1", "Deep 1 2", "Core 2 3", "REM 3 4", "Asleep 0 5 P", "Core 9 10"]
        #expect(send(first) == "6/0/0")
        #expect(send(first) == "0/0/6")
        // The watch thinks again about what it covers; what another source says, and later sleep, stays.
        #expect(send(["Core 0 1", "Core 1 2", "REM 3 4"]) == "1/2/2")
        #expect(try left() == ["Asleep 0 P", "Core 0 W", "Core 1 W", "REM 3 W", "Core 9 W"])
        #expect(send(["Deep 2 3"]) == "1/0/0")
        // The night beside them is no stage.
        #expect(try rows(harness.folder, "SELECT count(*) FROM samples WHERE value_name IS NULL") == ["1"])
        try harness.expectConsistency()
        // Single samples of Apple Health say nothing about what is between them.
        harness.window.isPerSample = true
        #expect(send(["Core 0 0.5", "Core 9 10"]) == "1/0/1")
        #expect(try left().count == 7)
    }
}
