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
}
