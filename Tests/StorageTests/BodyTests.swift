import Foundation
import Samples
import Testing

@testable import Storage

@Suite struct BodyTests {
    let folder = TestFolder()

    struct Case {
        var name: String, sample: Sent, body: String
        init(_ name: String, _ sample: Sent, _ body: String) {
            (self.name, self.sample, self.body) = (name, sample, body)
        }
    }

    static let id = "5E1D0000-0000-4000-8000-000000000001"
    static let all: SpelledMembers = [.start, .end, .value, .unit, .source, .valueName]
    static let cases = [
        Case(
            "quantity",
            Sent(
                key: id, type: "steps", start: 1_791_961_260_000_000, end: 1_791_961_319_500_000, value: 412,
                unit: "count",
                app: "com.apple.Health", hardware: "Apple Watch", rest: "\"metadata\": {\"a\":[1, 2]}"),
            """
            {"uuid":"\(id)","type":"steps","value":412,"unit":"count","start":"2026-10-14T07:01:00Z",\
            "end":"2026-10-14T07:01:59.5Z","source":{"app":"com.apple.Health","device":"Apple Watch"},\
            "metadata": {"a":[1, 2]}}
            """),
        Case("nothing", Sent(key: id, type: "x"), "{\"uuid\":\"\(id)\",\"type\":\"x\"}"),
        Case(
            "category", Sent(key: id, type: "c", kind: .category, value: 3, name: "asleep_core", hardware: "w"),
            "{\"uuid\":\"\(id)\",\"type\":\"c\",\"value\":\"asleep_core\",\"source\":{\"device\":\"w\"}}"),
        Case(
            "workout",
            Sent(
                key: id, type: "workout", kind: .workout, start: 0, value: 1870.5, name: "running", unit: "s", app: "a"),
            """
            {"uuid":"\(id)","type":"workout","activity":"running","duration_s":1870.5,\
            "start":"1970-01-01T00:00:00Z","source":{"app":"a"}}
            """),
        Case(
            "characteristic by name",
            Sent(
                key: "characteristic:blood_type", type: "characteristic", kind: .characteristic, value: 1,
                name: "a_positive"),
            "{\"uuid\":\"characteristic:blood_type\",\"type\":\"characteristic\",\"value\":\"a_positive\"}"),
        Case(
            "characteristic by number",
            Sent(key: "characteristic:x", type: "characteristic", kind: .characteristic, value: 1),
            "{\"uuid\":\"characteristic:x\",\"type\":\"characteristic\",\"value\":1}"),
        Case(
            "part 0 that was written",
            Sent(key: id, type: "r", kind: .heartbeatSeries, spelled: .partGiven, rest: "\"parts\":1"),
            "{\"uuid\":\"\(id)\",\"type\":\"r\",\"part\":0,\"parts\":1}"),
        Case(
            "all spelled by the sender",
            Sent(
                key: id, type: "steps", start: 1, end: 2, value: 1, name: "n", unit: "u", app: "a", spelled: all,
                rest: "\"value\":1.0e0"),
            "{\"uuid\":\"\(id)\",\"type\":\"steps\",\"value\":1.0e0}"),
        Case(
            "workout, all spelled",
            Sent(
                key: id, type: "workout", kind: .workout, start: 1, value: 1, name: "n", unit: "s", app: "a",
                spelled: all, rest: "\"x\":0"),
            "{\"uuid\":\"\(id)\",\"type\":\"workout\",\"x\":0}"),
        Case(
            "other kind", Sent(key: id, type: "o", kind: .audiogram, value: 5, name: "n", unit: "dB"),
            "{\"uuid\":\"\(id)\",\"type\":\"o\",\"unit\":\"dB\"}"),
        Case(
            "texts that JSON escapes",
            Sent(
                key: "k\"\\\u{1}\u{0}é", type: "t\n", kind: .category, name: "\u{1F}\r\t/", unit: "\u{7F}\u{2028}",
                app: "\"", hardware: ""),
            """
            {"uuid":"k\\"\\\\\\u0001\\u0000é","type":"t\\n","value":"\\u001f\\r\\t/","unit":"\u{7F}\u{2028}",\
            "source":{"app":"\\"","device":""}}
            """),
    ]

    @Test func bodyIsRebuilt() throws {
        let store = try Store.open(directory: folder.path)
        for test in Self.cases {
            _ = store.outcome([], deleting: Self.cases.map(\.sample.key))
            #expect(store.outcome([test.sample]) == "1/0/0/0", "\(test.name)")
            #expect(try rows(folder, "SELECT body FROM samples") == [test.body], "\(test.name)")
            #expect(try JSONSerialization.jsonObject(with: Data(test.body.utf8)) is [String: Any], "\(test.name)")
        }
        store.close()
    }

    @Test func everyDoubleReadsBack() throws {
        let seed = UInt64.random(in: .min ... .max)
        var random = SeededGenerator(seed: seed)
        // The last one is a value that SQLite 3.40's quote() prints as its neighbour.
        var values: [Double] = [
            412, 0.1, 312.4, 1e15, 1e16, 1e22, 999_999_999_999_999, 123_456_789_012_345_680, .leastNonzeroMagnitude,
            2.2250738585072014e-308,
            1.7976931348623157e308, -1, -0.5, 0.30000000000000004, 371.47355520623603, -6.011433706125889e-296,
        ]
        while values.count < 3_000 {
            let value: Double =
                switch values.count % 4 {
                case 0: Double(bitPattern: random.next())
                case 1: Double.random(in: 0..<1000, using: &random)
                case 2: (Double.random(in: 0..<1e6, using: &random) * 1000).rounded() / 1000
                default: Double(Int.random(in: -1_000_000...1_000_000, using: &random))
                }
            if value.isFinite { values.append(value) }
        }
        let store = try Store.open(directory: folder.path)
        defer { store.close() }
        let samples = values.enumerated().map {
            Sent(key: Sent.uuid($0.offset), type: "x", start: Int64($0.offset), value: $0.element)
        }
        #expect(store.outcome(samples) == "\(values.count)/0/0/0")
        #expect(store.outcome(samples) == "0/0/\(values.count)/0")
        let bodies = try rows(folder, "SELECT body FROM samples ORDER BY start_us")
        for (body, value) in zip(bodies, values) {
            let text = body.split(separator: "\"value\":")[1].prefix { $0 != "," && $0 != "}" }
            let isNumber = text.wholeMatch(of: #/-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?/#) != nil
            #expect(isNumber && Double(text) == value, "\(text) for \(value), seed \(seed)")
        }
    }

    @Test(arguments: [
        (0, "1970-01-01T00:00:00Z"), (1, "1970-01-01T00:00:00.000001Z"), (-1, "1969-12-31T23:59:59.999999Z"),
        (-1_000_000, "1969-12-31T23:59:59Z"), (-1_000_001, "1969-12-31T23:59:58.999999Z"),
        (1_500_000, "1970-01-01T00:00:01.500000Z"), (951_782_400_000_000, "2000-02-29T00:00:00Z"),
        (4_107_542_399_999_999, "2100-02-28T23:59:59.999999Z"), (-2_208_988_800_000_000, "1900-01-01T00:00:00Z"),
        (-62_167_219_200_000_000, "0000-01-01T00:00:00Z"), (253_402_300_799_999_999, "9999-12-31T23:59:59.999999Z"),
    ])
    func timesAsText(microseconds: Int64, text: String) throws {
        let store = try Store.open(directory: folder.path)
        defer { store.close() }
        #expect(store.outcome([Sent(key: Sent.uuid(1), start: microseconds, end: microseconds, value: 1)]) == "1/0/0/0")
        #expect(
            try rows(
                folder, "SELECT start, \"end\", start_us, end_us, start_epoch * 1000000 - start_us < 1000 FROM samples")
                == [
                    "\(text)|\(text)|\(microseconds)|\(microseconds)|1"
                ])
        let shortest = text.replacing(/(\.[0-9]*?)0+Z/) { "\($0.1)Z" }
        let body = try rows(folder, "SELECT body FROM samples")[0]
        #expect(body.contains("\"start\":\"\(shortest)\",\"end\":\"\(shortest)\""))
    }

    @Test func columnsOfSamples() throws {
        let store = try Store.open(directory: folder.path)
        defer { store.close() }
        let sample = Sent(
            key: "5e1d0000-0000-4000-8000-00000000000a", type: "steps", start: 5_000_000, end: 6_250_000, value: 1.5,
            name: "n",
            unit: "count", app: "app", hardware: "watch", offset: 120)
        _ = store.write(
            Submission(
                SampleBatch([sample]), endpoint: "phone", person: "me", device: "d_1", at: 7_000_000, dialect: .csv))
        _ = store.outcome([Sent(key: "k", type: "characteristic", kind: .characteristic)])
        let columns = """
            device, uuid, part, type, kind, dialect, value, value_name, unit, start, "end", start_us, end_us, start_epoch,
            end_epoch, utc_offset, source_app, source_device, person, endpoint, received_at
            """
        #expect(
            try rows(folder, "SELECT \(columns) FROM samples ORDER BY type DESC") == [
                "d_1|5E1D0000-0000-4000-8000-00000000000A|0|steps|quantity|csv|1.5|n|count|1970-01-01T00:00:05Z|"
                    + "1970-01-01T00:00:06.250000Z|5000000|6250000|5.0|6.25|120|app|watch|me|phone|1970-01-01T00:00:07Z",
                "d_1|k|0|characteristic|characteristic|native|-|-|-|-|-|-|-|-|-|-|-|-|me|phone|2026-10-14T07:05:00Z",
            ])
        #expect(try rows(folder, "SELECT count(*) FROM samples WHERE start_us < 1") == ["0"])
    }
}

/// SplitMix64: a test that fails prints its seed and can be run again.
struct SeededGenerator: RandomNumberGenerator {
    private var state: UInt64
    init(seed: UInt64) { state = seed }
    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var z = state
        z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
        z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
        return z ^ (z >> 31)
    }
}
