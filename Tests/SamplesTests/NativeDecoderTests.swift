import Samples
import TestSupport
import Testing
import Wire

struct NativeDecoderTests {
    @Test(arguments: NativeVector.accepted)
    func accepted(vector: NativeVector) throws {
        let batch = try decode(vector.content).batch
        let record = try #require(batch.samples.first)
        let series = batch.series[Int(record.series)]
        let source = record.source < 0 ? nil : batch.sources[Int(record.source)]
        #expect(record.kind.name == vector.kind)
        #expect(batch.keyText(record.key) == vector.key ?? "5e1d0000000040008000000000000001")
        if let type = vector.type { #expect(batch.string(series.type) == type) }
        #expect(record.value == vector.value && record.value?.sign == vector.value?.sign)
        #expect(batch.string(record.valueName) == vector.valueName)
        #expect(batch.string(series.unit) == vector.unit)
        #expect((record.start == .none ? nil : record.start.text) == vector.start)
        #expect((record.end == .none ? nil : record.end.text) == vector.end)
        #expect(source.flatMap { batch.string($0.app) } == vector.sourceApp)
        #expect(source.flatMap { batch.string($0.device) } == vector.sourceDevice)
        #expect(record.part == vector.part ?? 0)
        #expect(record.day == vector.day)
        #expect(record.utcOffsetMinutes == vector.offset)
        #expect(Set(names(record.spelled)) == Set(vector.spelled ?? []))
        #expect(String(decoding: batch.bytes(record.rest), as: UTF8.self) == vector.rest ?? "")
    }

    private func names(_ spelled: SpelledMembers) -> [String] {
        let all: [(SpelledMembers, String)] = [
            (.start, "start"), (.end, "end"), (.value, "value"), (.unit, "unit"), (.source, "source"),
            (.valueName, "valueName"), (.partGiven, "partGiven"),
        ]
        return all.filter { spelled.contains($0.0) }.map(\.1)
    }

    @Test(arguments: NativeVector.refused)
    func refused(vector: NativeVector) throws {
        let content = vector.content, offset = try #require(vector.markOffset)
        let fault = #expect(throws: DecodeFault.self) { try decode(content) }
        #expect(fault?.code == vector.code)
        #expect(fault?.path == vector.path)
        #expect(fault?.offset == offset)
        #expect(fault?.line == 1 + content[..<offset].count { $0 == UInt8(ascii: "\n") })
        #expect(fault?.message.hasSuffix(".") == true)
    }

    // MARK: The body around the samples

    static let whole = #"""
        {"future":{"a":[1]},"v":1.0e0,"type":"sync","device":"d_zsOZ","acks":[],"more":true,
        "delivery":{"destination":"wh_1","id":"01a1-\u0041","index":0,"count":2,"sent_at":"2026-10-14T09:00:00Z","x":null},
        "samples":[{"uuid":"5E1D0000-0000-4000-8000-000000000001","type":"steps","value":412.5,"unit":"count",
         "start":"2026-10-14T07:01:00Z","end":"2026-10-14T09:01:59.25+02:00","source":{"app":"a","device":"é"},"n":{"k":[]}},
        {"uuid":"k","type":"heartbeat_series","part":0,"beats":[[0,0]],"source":{"app":"a","device":"é"}}],
        "deleted":[{"uuid":"5E1D0000-0000-4000-8000-000000000099","type":"steps","why":[]},{"uuid":"x","type":null}]}

        """#

    @Test func readsTheWhole() throws {
        let decoded = try decode(Array(Self.whole.utf8)), batch = decoded.batch
        #expect(decoded.device == Array("d_zsOZ".utf8) && decoded.deliveryID == Array("01a1-A".utf8))
        #expect(!decoded.isTest && decoded.batch.skipped.isEmpty)
        #expect(batch.samples.count == 2 && batch.sources.count == 1 && batch.series.count == 2)
        #expect(batch.deletions.map { batch.keyText($0.key) } == ["5e1d0000000040008000000000000099", "x"])
        #expect(batch.deletions.map { batch.string($0.type) } == ["steps", nil])
    }

    @Test func cutAtEveryByte() {
        let content = Array(Self.whole.utf8)
        let end = content.lastIndex(of: UInt8(ascii: "}")) ?? 0
        for cut in 0...end {
            let fault = #expect(throws: DecodeFault.self, "cut at \(cut)") { try decode(Array(content[..<cut])) }
            #expect(fault.map { ($0.offset ?? -1) <= cut } == true)
        }
    }

    /// Whatever the damage, the answer is a body or a fault with a code that is documented, at a place within the body.
    @Test func mutated() {
        var generator = SeededGenerator(seed: 4)
        let codes: Set = [
            "json_invalid", "json_too_deep", "number_invalid", "member_repeated", "member_missing", "member_invalid",
            "key_invalid", "time_invalid", "not_sync",
        ]
        let alphabet = Array("{}[]:,\"\\u0019.+-eTZ\n\u{0}aé".utf8) + [0x80, 0xFF]
        let seeds = [Array(Self.whole.utf8)] + NativeVector.accepted.map(\.content).filter { $0.count < 600 }
        for round in 0..<8_000 {
            let content = seeds[round % seeds.count].mutated(alphabet: alphabet, using: &generator)
            do throws(DecodeFault) {
                let batch = try decode(content).batch
                for record in batch.samples {
                    // What is kept is whole members.
                    let rest = "{" + String(decoding: batch.bytes(record.rest), as: UTF8.self) + "}"
                    #expect(throws: Never.self) {
                        var json = try JSONScanner(PaddedBytes(Array(rest.utf8)))
                        _ = try json.skip()
                        try json.finish()
                    }
                }
            } catch {
                #expect(codes.contains(error.code) && 0...content.count ~= error.offset ?? -1 && error.line != nil)
            }
        }
    }

    @Test(arguments: ["true", "false", "null"])
    func testDeliveries(test: String) throws {
        let sample = #"{"uuid":"k","type":"steps","value":1}"#
        let decoded = try decode(body(sample, more: #","deleted":[{"uuid":"k"}],"delivery":{"test":\#(test)}"#))
        #expect(decoded.isTest == (test == "true"))
        #expect(decoded.batch.samples.count == (decoded.isTest ? 0 : 1))
        #expect(decoded.batch.deletions.count == (decoded.isTest ? 0 : 1))
    }

    @Test func nullIsAbsentAtTheTop() throws {
        let decoded = try decode(body("", more: #","deleted":null,"delivery":null,"acks":null,"more":null,"x":null"#))
        #expect(decoded.batch.samples.isEmpty && decoded.deliveryID == nil && !decoded.isTest)
        #expect(try decode(body("", more: #","delivery":{"id":null}"#)).deliveryID == nil)
    }

    @Test(arguments: [1, 1_024])
    func deviceBytes(count: Int) throws {
        let device = String(repeating: "d", count: count)
        let content = Array(#"{"samples":[],"device":"\#(device)","type":"sync","v":1}"#.utf8)
        #expect(try decode(content).device == Array(device.utf8))
    }

    /// Depth counts from the top: a sample's members are at level 4.
    @Test func depth() throws {
        func sample(_ depth: Int) -> [UInt8] {
            let nested = String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
            return body(#"{"uuid":"k","type":"pulse","x":\#(nested)}"#)
        }
        #expect(try decode(sample(61)).batch.samples.count == 1)
        let fault = #expect(throws: DecodeFault.self) { try decode(sample(62)) }
        #expect(fault?.code == "json_too_deep" && fault?.path == "samples[0]")
    }

    // MARK: Many samples

    /// Texts, series and sources are interned, whatever order they come in.
    @Test func interns() throws {
        let samples = (0..<3_000).map { index in
            let source = #"{"app":"app\#(index % 37)","device":"device\#(index % 3)"}"#
            return
                #"{"uuid":"k\#(index)","type":"type_\#(index % 100)","value":\#(index),"unit":"u\#(index % 7)","source":\#(source)}"#
        }
        let batch = try decode(body(samples.joined(separator: ","))).batch
        #expect(batch.samples.count == 3_000 && batch.series.count == 700 && batch.sources.count == 111)
        #expect(Set(batch.texts.map { Array(batch.bytes($0)) }).count == batch.texts.count)
        #expect(batch.texts.count == 100 + 7 + 37 + 3)
        for (index, record) in batch.samples.enumerated() {
            let series = batch.series[Int(record.series)], source = batch.sources[Int(record.source)]
            #expect(batch.string(series.type) == "type_\(index % 100)" && batch.string(series.unit) == "u\(index % 7)")
            #expect(
                batch.string(source.app) == "app\(index % 37)" && batch.string(source.device) == "device\(index % 3)")
            #expect(batch.keyText(record.key) == "k\(index)" && record.value == Double(index))
        }
    }

    /// What one sample says is not there in the next.
    @Test func samplesAreApart() throws {
        let full =
            #"{"uuid":"a","type":"workout","activity":"x","duration_s":1,"start":"2026-10-14T07:01:00+02:00","part":4,"source":{"app":"a"},"value":3,"unit":"u","name":"n","date":"2026-10-13","z":1}"#
        let batch = try decode(body(full + #",{"uuid":"b","type":"steps"}"#)).batch
        let record = try #require(batch.samples.last)
        #expect(record.kind == .other && record.value == nil && record.valueName == -1 && record.source == -1)
        #expect(record.start == .none && record.end == .none && record.part == 0 && record.utcOffsetMinutes == nil)
        #expect(record.spelled == [] && record.rest == .empty && record.day == nil)
        #expect(batch.series[Int(record.series)].unit == -1)
    }

    @Test func wideSample() throws {
        let members = (0..<20_000).map { #""m\#($0)":\#($0)"# }.joined(separator: ",")
        let batch = try decode(body(#"{"uuid":"k","type":"pulse",\#(members)}"#)).batch
        #expect(batch.samples.first.map { Array(batch.bytes($0.rest)) } == Array(members.utf8))
    }
}
