import Samples
import TestSupport
import Testing
import Wire

struct StepsTests {
    static let accepted = GuestVector.load("steps-accepted.json")
    static let refused = GuestVector.load("steps-refused.json")

    private static func decode(_ body: [UInt8], _ context: DecodeContext = GuestVector.context) throws -> DecodedBody {
        try StepsDecoder.decode(PaddedBytes(body), context: context)
    }

    @Test("Each date becomes one sample", arguments: accepted)
    func taken(vector: GuestVector) throws {
        let decoded = try Self.decode(vector.content)
        let records = decoded.batch.samples.map { GuestVector.Record(day: nil, $0, in: decoded.batch) }
        #expect(records == vector.records)
        #expect(!decoded.isTest && decoded.device == nil)
        #expect(GuestVector.hasWholeRests(decoded.batch))
    }

    @Test("A body is refused with its code, the byte and the entry", arguments: refused)
    func refusedAsAWhole(vector: GuestVector) throws {
        let fault = try #require(throws: DecodeFault.self) { try Self.decode(vector.content) }
        #expect(fault.code == vector.code && fault.path == vector.path && fault.offset == vector.markOffset, "\(fault)")
    }

    @Test("A day is 25 hours long where a clock is set back, and 23 where it is set forward")
    func clockChange() throws {
        let zone = GuestVector.changingZone
        let context = DecodeContext(offsetMinutes: { zone.offsetMinutes(atLocalSeconds: $0) })
        let body =
            #"{"days":[{"date":"2026-10-25","steps":1},{"date":"2027-03-28","steps":2},{"date":"2027-03-29","steps":3}]}"#
        let samples = try Self.decode(Array(body.utf8), context).batch.samples
        let hours = samples.map { ($0.end.microseconds - $0.start.microseconds) / 3_600_000_000 }
        #expect(hours == [25, 23, 24])
        #expect(samples[0].start.text == "2026-10-24T22:00:00Z" && samples[0].utcOffsetMinutes == 120)
    }

    @Test("The key of a date is the same in every zone")
    func keyOfADate() throws {
        let body = Array(#"{"days":[{"date":"2026-10-14","steps":1}]}"#.utf8)
        for offset in [Int16(-720), 0, 840] {
            let batch = try Self.decode(body, DecodeContext(offsetMinutes: { _ in offset })).batch
            guard case .text(let key) = batch.samples[0].key else { Issue.record("no text"); continue }
            #expect(batch.bytes(key).elementsEqual("steps:2026-10-14".utf8))
        }
    }

    @Test("The first and the last date that can be written are days like others")
    func farDates() throws {
        let body = #"{"days":[{"date":"0000-01-01","steps":1},{"date":"9999-12-31","steps":2}]}"#
        for offset in [-720, 0, 840] as [Int16] {
            let batch = try Self.decode(Array(body.utf8), DecodeContext(offsetMinutes: { _ in offset })).batch
            #expect(batch.samples.count == 2)
            // As times that every reader takes.
            let first = "0000-01-01T00:00:00Z", last = "9999-12-31T23:59:59.999999Z"
            for sample in batch.samples {
                #expect(sample.start >= Timestamp.parse(Array(first.utf8).span)!.timestamp)
                #expect(sample.end <= Timestamp.parse(Array(last.utf8).span)!.timestamp)
                #expect(sample.start <= sample.end)
            }
        }
    }

    @Test func depthIsLimited() {
        for (depth, isTaken) in [(61, true), (62, false)] {
            let nested = String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
            let body = #"{"days":[{"date":"2026-10-14","steps":1,"x":\#(nested)}]}"#
            #expect(((try? Self.decode(Array(body.utf8))) != nil) == isTaken)
        }
    }

    @Test("Cut anywhere or damaged, a body is taken or refused with a place inside of it")
    func damaged() {
        GuestVector.survives((Self.accepted + Self.refused).map(\.content), rounds: 4_000) { body in
            let decoded = try StepsDecoder.decode(body, context: GuestVector.context)
            #expect(GuestVector.hasWholeRests(decoded.batch))
            return decoded
        }
    }
}
