import Samples
import TestSupport
import Testing
import Wire

struct RelayTests {
    static let accepted = GuestVector.load("relay-accepted.json")
    static let refused = GuestVector.load("relay-refused.json")

    private static func decode(_ body: String, _ context: DecodeContext = GuestVector.context) throws -> DecodedBody {
        try RelayDecoder.decode(PaddedBytes(Array(body.utf8)), context: context)
    }

    private static func push(_ inner: String = "", days: String = #""2026-10-13""#) -> String {
        #"{"exportedAt":"2026-10-14T07:05:00Z","device":"d","days":[\#(days)]\#(inner)}"#
    }

    private static func extras(_ decoded: DecodedBody) -> RelayExtras? {
        if case .relay(let extras) = decoded.batch.extras { extras } else { nil }
    }

    @Test("A push becomes its days, their records, and what is kept aside", arguments: accepted)
    func taken(vector: GuestVector) throws {
        let decoded = try Self.decode(vector.body)
        #expect(decoded.isTest == vector.test)
        #expect(decoded.device.map { String(decoding: $0, as: UTF8.self) } == vector.device)
        #expect(decoded.batch.healthAutoExportSkipped == vector.skipped ?? [])
        #expect(GuestVector.hasWholeRests(decoded.batch))
        guard !decoded.isTest else {
            #expect(decoded.batch.samples.isEmpty && decoded.batch.extras == nil)
            return
        }
        let extras = try #require(Self.extras(decoded))
        #expect(extras.exportedAt.text == vector.exported_at)
        let days = extras.days.map { CivilDate(daysSince1970: $0.day).text }
        #expect(days == vector.days)
        #expect(extras.days.map(\.samples.count).reduce(0, +) == decoded.batch.samples.count)
        var records: [GuestVector.Record] = []
        for (day, text) in zip(extras.days, days) {
            records += decoded.batch.samples[day.samples].map { GuestVector.Record(day: text, $0, in: decoded.batch) }
        }
        #expect(records.count == vector.records?.count)
        for (record, expected) in zip(records, vector.records ?? []) { #expect(record == expected) }
    }

    @Test("A push is refused with its code, the byte and the path", arguments: refused)
    func refusedAsAWhole(vector: GuestVector) throws {
        let fault = try #require(throws: DecodeFault.self) {
            try RelayDecoder.decode(PaddedBytes(vector.content), context: GuestVector.context)
        }
        #expect(fault.code == vector.code && fault.path == vector.path && fault.offset == vector.markOffset, "\(fault)")
    }

    @Test("A push may be a day ahead of this server's clock, and a second more not")
    func aDayAhead() throws {
        for (time, isTaken) in [("2026-10-15T07:05:00Z", true), ("2026-10-15T07:05:01Z", false)] {
            let body = Self.push().replacing("2026-10-14T07:05:00Z", with: time)
            #expect(((try? Self.decode(body)) != nil) == isTaken)
            #expect((try? Self.decode(body, DecodeContext())) != nil, "without a clock nobody asks")
        }
    }

    @Test("A day is 25 hours long where a clock is set back")
    func clockChange() throws {
        let context = DecodeContext(zone: { _ in GuestVector.changingZone })
        let body = Self.push(
            #","metrics":[{"day":"2026-10-25","name":"step_count","sum":1}],"symptoms":[{"start":"2026-10-25T22:30:00Z","name":"x"}]"#,
            days: #""2026-10-25""#)
        let samples = try Self.decode(body, context).batch.samples
        #expect(samples[0].end.microseconds - samples[0].start.microseconds == 25 * 3_600_000_000)
        #expect(samples[1].utcOffsetMinutes == 60, "22:30 in UTC is 23:30 of the same day after the change")
    }

    @Test("A key depends on what the record is, and not on where in the push it stands")
    func keysAreStable() throws {
        let steps = #""metrics":[{"day":"2026-10-13","name":"step_count","unit":"count","source":"a","sum":1}]"#
        let mood = #""stateOfMind":[{"start":"2026-10-13T09:00:00Z","valence":0}]"#
        let first = try Self.decode(Self.push(",\(steps),\(mood)")).batch.samples.map(\.key)
        let second = try Self.decode(Self.push(",\(mood),\(steps)")).batch.samples.map(\.key)
        #expect(first == second.reversed())
        let changed = try Self.decode(Self.push(",\(steps.replacing("\"sum\":1", with: "\"sum\":2")),\(mood)"))
        #expect(changed.batch.samples.map(\.key) == first, "its number is no part of it")
        for other in ["\"source\":\"b\"", "\"source\":\"a\",\"start\":\"2026-10-13T00:00:00Z\""] {
            let moved = try Self.decode(Self.push(",\(steps.replacing("\"source\":\"a\"", with: other))"))
            #expect(moved.batch.samples[0].key != first[0])
        }
    }

    @Test("A push lists 400 days at most")
    func days() throws {
        let days = (Int32(0)..<400).map { "\"\(CivilDate(daysSince1970: 20_000 + $0).text)\"" }.joined(separator: ",")
        #expect(try Self.extras(Self.decode(Self.push(days: days)))?.days.count == 400)
    }

    @Test("A thousand values are kept aside, each up to 64 KiB, and the rest is counted")
    func keptAside() throws {
        let long = "\"" + String(repeating: "é", count: 40_000) + "\""
        let body = Self.push(",\"metrics\":[\(long),\((1...1_005).map(String.init).joined(separator: ","))]")
        let batch = try Self.decode(body).batch
        #expect(batch.skipped.count == 1_000 && batch.skippedBeyond == 6)
        let raw = batch.bytes(batch.skipped[0].raw)
        #expect(raw.count == SkippedRecord.maximumRawBytes - 1 && String(validating: raw, as: UTF8.self) != nil)
    }

    @Test func depthIsLimited() {
        for (depth, isTaken) in [(61, true), (62, false)] {
            let nested = String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
            let body = Self.push(",\"metrics\":[{\"day\":\"2026-10-13\",\"x\":\(nested)}]")
            #expect(((try? Self.decode(body)) != nil) == isTaken)
        }
    }

    @Test("Texts that no column holds stay in rest")
    func longTexts() throws {
        let long = String(repeating: "s", count: 1_025)
        for source in [long, "", "a\\u0000b"] {
            let batch = try Self.decode(
                Self.push(",\"metrics\":[{\"day\":\"2026-10-13\",\"name\":\"step_count\",\"source\":\"\(source)\"}]")
            ).batch
            #expect(batch.samples[0].source == -1)
            #expect(
                String(decoding: batch.bytes(batch.samples[0].rest), as: UTF8.self).contains(
                    "\"relay_source\":\"\(source)\""))
        }
    }

    @Test("Cut anywhere or damaged, a push is taken or refused with a place inside of it")
    func damaged() {
        let bodies = (Self.accepted + Self.refused).map(\.content).filter { $0.count < 1_000 }
        GuestVector.survives(bodies, rounds: 6_000) { body in
            let decoded = try RelayDecoder.decode(body, context: GuestVector.context)
            #expect(GuestVector.hasWholeRests(decoded.batch))
            let days = Self.extras(decoded)?.days ?? []
            #expect(days.map(\.samples.count).reduce(0, +) == decoded.batch.samples.count)
            #expect(Set(days.map(\.day)).count == days.count)
            #expect(Set(decoded.batch.samples.map(\.key)).count == decoded.batch.samples.count)
            return decoded
        }
    }
}
