import Foundation
import Samples
import TestSupport
import Testing
import Wire

@Suite struct HealthAutoExportTests {
    typealias Vector = HealthAutoExportVector

    @Test("Every accepted body becomes its records, and what is left out is told", arguments: Vector.accepted)
    func accepted(vector: Vector) throws {
        let decoded = try HealthAutoExportDecoder.decode(PaddedBytes(vector.content), context: vector.context)
        let records = decoded.batch.healthAutoExportRecords, expected = vector.records ?? []
        #expect(records.count == expected.count)
        for (record, expected) in zip(records, expected) { #expect(record == expected) }
        #expect(decoded.batch.healthAutoExportSkipped == vector.skipped ?? [])
        #expect(decoded.isTest == (vector.test ?? false))
        for sample in decoded.batch.samples {
            let rest = Data(Array("{".utf8) + decoded.batch.bytes(sample.rest) + Array("}".utf8))
            #expect(throws: Never.self) { try JSONSerialization.jsonObject(with: rest) }
        }
    }

    @Test("A body is refused with its code, the byte and the path", arguments: Vector.refused)
    func refused(vector: Vector) throws {
        let fault = try #require(throws: DecodeFault.self) {
            try HealthAutoExportDecoder.decode(PaddedBytes(vector.content), context: vector.context)
        }
        #expect(fault.code == vector.code)
        #expect(fault.path == vector.path)
        #expect(fault.offset == vector.markOffset)
        let streamed = #expect(throws: DecodeFault.self) {
            try HealthAutoExportDecoder.decode(PaddedBytes(vector.content), context: vector.context) { _ in }
        }
        #expect(streamed == fault)
    }

    /// No unit is so long, and each point that isn't converted would have it again.
    @Test(arguments: [64, 65, 1_024])
    func aLongUnitIsCut(bytes: Int) throws {
        let point = #"{"date":"2026-10-14 09:01:03 +0200","qty":"1"}"#
        let points = [String](repeating: point, count: 500).joined(separator: ",")
        let units = String(repeating: #"\u0001"#, count: bytes)
        let body = Array(#"{"data":{"metrics":[{"name":"x_y","units":"\#(units)","data":[\#(points)]}]}}"#.utf8)
        let batch = try HealthAutoExportDecoder.decode(PaddedBytes(body), context: DecodeContext()).batch
        #expect(batch.samples.count == 500)
        let rest = String(decoding: batch.bytes(batch.samples[0].rest), as: UTF8.self)
        #expect(rest.contains(#""units":"\#(String(repeating: #"\u0001"#, count: 64))""#))
        #expect(batch.arenaBytes < 12 * body.count)
    }

    /// However many spellings of a name come, no two members become one.
    @Test(arguments: ["avg", "Avg", "AVG"], ["Avg", "avg", "aVG"])
    func twoSpellingsOfAName(first: String, second: String) throws {
        guard first != second else { return }
        for units in ["lb", "kg", "furlong"] {
            let body = #"""
                {"data":{"metrics":[{"name":"weight_body_mass","units":"\#(units)","data":[{"date":"2026-10-14 09:01:03 +0200",
                "\#(first)":100,"\#(second)":101,"source":"x"}]}]}}
                """#
            let batch = try HealthAutoExportDecoder.decode(PaddedBytes(Array(body.utf8)), context: DecodeContext())
                .batch
            for sample in batch.samples {
                let rest = Array("{".utf8) + batch.bytes(sample.rest) + Array("}".utf8)
                var json = try JSONScanner(PaddedBytes(rest))
                #expect(throws: Never.self) { try json.skip() }
            }
        }
    }
}
