import Foundation
import TestSupport
import Testing
import Wire

@testable import Samples

/// A case of `relay-accepted.json`, `steps-accepted.json` or the refused ones beside them.
struct GuestVector: Decodable, Sendable, CustomTestStringConvertible {
    var name: String
    var body: String

    // Accepted.
    var records: [Record]?
    var test: Bool?
    var device: String?
    var exported_at: String?
    var days: [String]?
    var skipped: [HealthAutoExportVector.Skipped]?

    // Refused: the code and path; `§` marks the offset and is taken out.
    var code: String?
    var path: String?

    /// A record, and of a push the day that it belongs to.
    struct Record: Decodable, Equatable, Sendable {
        var day: String?
        var record: HealthAutoExportVector.Record

        private enum CodingKeys: String, CodingKey { case day }

        init(day: String?, _ record: SampleRecord, in batch: SampleBatch) {
            self.day = day
            self.record = HealthAutoExportVector.Record(record, in: batch)
        }

        init(from decoder: any Decoder) throws {
            record = try HealthAutoExportVector.Record(from: decoder)
            day = try decoder.container(keyedBy: CodingKeys.self).decodeIfPresent(String.self, forKey: .day)
        }
    }

    private struct File: Decodable { var cases: [GuestVector] }

    var testDescription: String { name }
    var content: [UInt8] { Array(body.replacing("§", with: "").utf8) }
    /// Of the mark, in bytes.
    var markOffset: Int? { body.firstRange(of: "§").map { body[..<$0.lowerBound].utf8.count } }

    static func load(_ file: String) -> [GuestVector] {
        do {
            let cases = try JSONDecoder().decode(File.self, from: RepositoryRoot.contents(of: "test-vectors/" + file))
                .cases
            guard !cases.isEmpty else { fatalError("test-vectors/\(file) has no cases") }
            return cases
        } catch {
            fatalError("test-vectors/\(file): \(error)")
        }
    }

    /// 2026-10-14T07:05:00Z, an hour east of UTC; "Invented/East" is nine.
    static let context = DecodeContext(
        offsetMinutes: { _ in 60 }, now: Timestamp(microseconds: 1_791_961_500_000_000),
        zone: { name in
            switch name.map({ String(decoding: $0, as: UTF8.self) }) {
            case nil: ZoneRules(changes: [], firstOffset: 3_600, footer: nil)
            case "Invented/East": ZoneRules(changes: [], firstOffset: 32_400, footer: nil)
            default: nil
            }
        })

    /// A clock that went from two hours east of UTC to one at 2026-10-25T01:00:00Z, and to two on 2027-03-28.
    static let changingZone = ZoneRules(
        changes: [
            ZoneRules.Change(
                at: 1_792_890_000, localStart: ZoneRules.localStart(1_792_890_000, before: 7_200, after: 3_600),
                offset: 3_600),
            ZoneRules.Change(
                at: 1_806_195_600, localStart: ZoneRules.localStart(1_806_195_600, before: 3_600, after: 7_200),
                offset: 7_200),
        ], firstOffset: 7_200, footer: nil)

    /// Whatever is done to a body: it is taken or refused with a place inside of it, and never anything else.
    static func survives(_ bodies: [[UInt8]], rounds: Int, _ decode: (PaddedBytes) throws -> DecodedBody) {
        func check(_ bytes: [UInt8]) {
            do { _ = try decode(PaddedBytes(bytes)) } catch let fault as DecodeFault {
                #expect(fault.offset.map { 0...bytes.count ~= $0 } == true, "\(String(decoding: bytes, as: UTF8.self))")
            } catch { Issue.record("\(error)") }
        }
        var generator = SeededGenerator(seed: 20_261_014)
        let alphabet = Array("{}[]\":,0129-+.eE\\untrfalse \u{0}".utf8) + [0x80, 0xFF]
        for body in bodies { for count in 0...body.count { check(Array(body[..<count])) } }
        for round in 0..<rounds {
            check(bodies[round % bodies.count].mutated(alphabet: alphabet, using: &generator))
        }
    }

    /// Whether each `rest` is the inside of a JSON object without a member twice.
    static func hasWholeRests(_ batch: SampleBatch) -> Bool {
        batch.samples.allSatisfy { sample in
            var json = JSONScanner(PaddedBytes(Array("{".utf8) + batch.bytes(sample.rest) + Array("}".utf8)), at: 0)
            return (try? json.skip()) != nil && (try? json.finish()) != nil
        }
    }
}
