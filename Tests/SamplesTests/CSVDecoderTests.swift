import Samples
import TestSupport
import Testing
import Wire

struct CSVDecoderTests {
    static let header = "type,uuid,start,end,value,unit,value_name,source,device,user_entered\r\n"

    private func decode(_ content: [UInt8]) throws(DecodeFault) -> DecodedBody {
        try CSVDecoder.decode(PaddedBytes(content), context: DecodeContext())
    }

    @Test(arguments: RowVector.csvAccepted)
    func accepted(vector: RowVector) throws { try vector.expectAccepted(try decode(vector.content)) }

    @Test(arguments: RowVector.csvRefused)
    func refused(vector: RowVector) throws {
        try vector.expectRefused(#expect(throws: DecodeFault.self) { try decode(vector.content) })
    }

    @Test func cutAndMutated() throws {
        let codes: Set = [
            "csv_invalid", "column_missing", "column_repeated", "field_invalid", "key_invalid", "number_invalid",
            "time_invalid",
        ]
        try expectNoTrap(
            (RowVector.csvAccepted + RowVector.csvRefused).map(\.content),
            alphabet: ",\"'\r\n0-.:TZ+e a=characteristic:workoutdeleted", rounds: 4_000, codes: codes, decode: decode)
    }

    @Test(
        arguments: [
            [0x80], [0xC0, 0xAF], [0xED, 0xA0, 0x80], [0xF4, 0x90, 0x80, 0x80], [0xE2, 0x82], [0xFF],
        ] as [[UInt8]])
    func notUTF8(bytes: [UInt8]) throws {
        let front = Array((Self.header + "steps,\"a\nb").utf8)
        let fault = #expect(throws: DecodeFault.self) { try decode(front + bytes + Array("\",,,,,,,,\n".utf8)) }
        #expect(fault?.code == "csv_invalid" && fault?.offset == front.count && fault?.line == 3)
    }

    /// What one row says is not there in the next.
    @Test func rowsAreApart() throws {
        let full =
            "workout,a,2026-10-14T09:01:00.50+02:00,2026-10-14T07:02:00Z,9007199254740993,s,\(String(repeating: "x", count: 1_025)),s,d,true"
        let batch = try decode(Array((Self.header + full + "\nsteps,b,,,,,,,,\n").utf8)).batch
        let record = try #require(batch.samples.last)
        #expect(record.kind == .other && record.value == nil && record.valueName == -1 && record.source == -1)
        #expect(record.start == .none && record.end == .none && record.utcOffsetMinutes == nil)
        #expect(record.spelled == [] && record.rest == .empty && batch.series[Int(record.series)].unit == -1)
    }

    @Test func interns() throws {
        let rows = (0..<3_000).map {
            "type_\($0 % 100),k\($0),,,\($0),u\($0 % 7),,app\($0 % 37),device\($0 % 3),"
        }
        let batch = try decode(Array((Self.header + rows.joined(separator: "\n")).utf8)).batch
        #expect(batch.samples.count == 3_000 && batch.series.count == 700 && batch.sources.count == 111)
        #expect(batch.texts.count == 100 + 7 + 37 + 3)
        for (index, record) in batch.samples.enumerated() {
            #expect(batch.keyText(record.key) == "k\(index)" && record.value == Double(index))
        }
    }

    /// The row of a sample and its native object make the same record, where the row says as much.
    @Test func equalsNative() throws {
        let key = "5E1D0000-0000-4000-8000-000000000001"
        let pairs = [
            (
                "steps,\(key),2026-10-14T07:01:00Z,2026-10-14T07:01:59.5Z,412.5,count,,a,b,",
                #"{"uuid":"\#(key)","type":"steps","value":412.5,"unit":"count","start":"2026-10-14T07:01:00Z","end":"2026-10-14T07:01:59.5Z","source":{"app":"a","device":"b"}}"#
            ),
            (
                "sleep_analysis,\(key),2026-10-14T07:01:00Z,,3,,asleep_core,,b,",
                #"{"uuid":"\#(key)","type":"sleep_analysis","value":"asleep_core","start":"2026-10-14T07:01:00Z","source":{"device":"b"}}"#
            ),
            (
                "workout,\(key),2026-10-14T07:01:00Z,,1870,s,running,,,",
                #"{"uuid":"\#(key)","type":"workout","activity":"running","duration_s":1870,"start":"2026-10-14T07:01:00Z"}"#
            ),
            (
                "characteristic,characteristic:blood_type,,,1,,a_positive,,,",
                #"{"uuid":"characteristic:blood_type","type":"characteristic","name":"blood_type","value":"a_positive"}"#
            ),
            (
                "characteristic,characteristic:date_of_birth,,,1984-02-29,,,,,",
                #"{"uuid":"characteristic:date_of_birth","type":"characteristic","name":"date_of_birth","value":"1984-02-29"}"#
            ),
        ]
        for (row, object) in pairs {
            let csv = try decode(Array((Self.header + row).utf8)).batch
            let native = try NativeDecoder.decode(PaddedBytes(body(object))).batch
            #expect(describe(csv) == describe(native))
        }
    }

    private func describe(_ batch: SampleBatch) -> [String] {
        batch.samples.map { record in
            let series = batch.series[Int(record.series)]
            let source = record.source < 0 ? nil : batch.sources[Int(record.source)]
            let texts = [series.type, series.unit, record.valueName, source?.app ?? -1, source?.device ?? -1]
            return
                "\(batch.keyText(record.key)) \(record.kind) \(record.start) \(record.end) \(String(describing: record.value)) "
                + "\(texts.map { batch.string($0) ?? "-" }) \(record.spelled) \(String(describing: record.utcOffsetMinutes)) "
                + String(decoding: batch.bytes(record.rest), as: UTF8.self)
        }
    }

    /// Each row that fills an extra column has its name again.
    @Test(arguments: [
        (64, 1_000, true), (2_000, 1_000, false), (100_000, 2, true), (100_000, 0, true), (20, 20_000, true),
    ])
    func namesOfExtraColumnsDontMultiplyABody(nameBytes: Int, count: Int, isTaken: Bool) throws {
        let header = "type,uuid,start,end,value,unit,value_name,source,device,user_entered,"
        let text =
            header + String(repeating: "N", count: nameBytes) + "\r\n"
            + (0..<count).map { "steps,k\($0),,,1,count,,,,,x\r\n" }.joined()
        do {
            let batch = try CSVDecoder.decode(PaddedBytes(Array(text.utf8)), context: DecodeContext()).batch
            #expect(isTaken && batch.samples.count == count)
            #expect(batch.arenaBytes <= 8 * text.utf8.count + 65_536)
        } catch {
            #expect(!isTaken && error.code == "csv_invalid" && error.line != nil)
        }
    }
}
