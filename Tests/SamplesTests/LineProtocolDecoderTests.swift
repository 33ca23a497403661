import Samples
import TestSupport
import Testing
import Wire

struct LineProtocolDecoderTests {
    private func decode(_ content: [UInt8]) throws(DecodeFault) -> DecodedBody {
        try LineProtocolDecoder.decode(PaddedBytes(content), context: DecodeContext())
    }

    private func decode(_ text: String, lineBytes: Int = 65_536) throws(DecodeFault) -> DecodedBody {
        try LineProtocolDecoder.decode(
            PaddedBytes(Array(text.utf8)), context: DecodeContext(maximumProtocolLineBytes: lineBytes))
    }

    @Test(arguments: RowVector.influxAccepted)
    func accepted(vector: RowVector) throws { try vector.expectAccepted(try decode(vector.content)) }

    @Test(arguments: RowVector.influxRefused)
    func refused(vector: RowVector) throws {
        try vector.expectRefused(#expect(throws: DecodeFault.self) { try decode(vector.content) })
    }

    @Test func cutAndMutated() throws {
        let codes: Set = [
            "line_invalid", "timestamp_missing", "time_invalid", "number_invalid", "field_invalid", "tag_repeated",
        ]
        try expectNoTrap(
            (RowVector.influxAccepted + RowVector.influxRefused).map(\.content),
            alphabet: ", =\\\"\r\n#0-.eiutf\tvalue", rounds: 4_000, codes: codes, decode: decode)
    }

    @Test(arguments: [[0x80], [0xC0, 0xAF], [0xED, 0xA0, 0x80], [0xE2, 0x82], [0xFF]] as [[UInt8]])
    func notUTF8(bytes: [UInt8]) throws {
        let front = Array("# one\nsteps value=1 1\nsteps,unit=".utf8)
        let fault = #expect(throws: DecodeFault.self) { try decode(front + bytes + Array(" value=1 1\n".utf8)) }
        #expect(fault?.code == "line_invalid" && fault?.offset == front.count && fault?.line == 3)
    }

    /// The end of a line doesn't count, the spaces in front of its first byte neither.
    @Test(arguments: ["", "\n", "\r\n"]) func longestLine(end: String) throws {
        let line = "steps note=\"a\nb\",value=1 1"
        let count = line.utf8.count
        #expect(try decode(line + "\n  " + line + end, lineBytes: count).batch.samples.count == 2)
    }

    @Test func pastTheLongestLine() throws {
        let first = "steps value=1 1\n"
        let fault = #expect(throws: DecodeFault.self) { try decode(first + "steps value=12 1\n", lineBytes: 15) }
        #expect(fault?.code == "line_too_long" && fault?.offset == first.utf8.count && fault?.line == 2)
        #expect(try decode(first, lineBytes: 15).batch.samples.count == 1)
    }

    /// InfluxDB has one point where measurement, tags and time are the same, and so have we.
    @Test func keys() throws {
        func key(_ line: String) throws -> String {
            let batch = try decode(line).batch
            return batch.keyText(try #require(batch.samples.first).key)
        }
        let first = try key("steps,unit=count,device=a value=1 1000")
        #expect(try key("steps,device=a,unit=count value=2 1000") == first)
        #expect(try key("steps,device=\\a,unit=count value=2 1000") != first)
        let others = [
            "steps,unit=count,device=a value=1 1001", "steps,unit=count,device=a value=1 -1000",
            "distance,unit=count,device=a value=1 1000", "steps,unit=count value=1 1000",
            "steps,unit=count,device=b value=1 1000", "steps,unit=count,devic=ea value=1 1000",
            "steps,unit=count,device=a,x=y value=1 1000", "steps,unitcount=device,a=a value=1 1000",
        ]
        let keys = try Set(others.map(key))
        #expect(keys.count == others.count && !keys.contains(first))
    }

    /// A line of thousands of tags and fields, each of them twice: no step looks at all of them for each.
    @Test func wideLine() throws {
        let fields = (0..<6_000).map { "f\($0 % 3_000)=\($0)i" }.joined(separator: ",")
        let batch = try decode("steps \(fields) 1000\n", lineBytes: 1 << 20).batch
        let record = try #require(batch.samples.first)
        #expect(batch.bytes(record.rest).count { $0 == UInt8(ascii: ":") } == 3_000)
        let tags = (0..<6_000).map { "t\($0)=v" }.joined(separator: ",")
        #expect(try decode("steps,\(tags) value=1 1\n", lineBytes: 1 << 20).batch.samples.count == 1)
        let fault = #expect(throws: DecodeFault.self) {
            try decode("steps,\(tags),t7=w value=1 1\n", lineBytes: 1 << 20)
        }
        #expect(fault?.code == "tag_repeated")
    }

    @Test func pointsAreApart() throws {
        let batch = try decode("workout,activity=a,device=d,x=y duration_s=\"x\",y=1 1\nsteps a=1 1000\n").batch
        let record = try #require(batch.samples.last)
        #expect(record.kind == .other && record.value == nil && record.valueName == -1 && record.source == -1)
        #expect(record.spelled == [] && String(decoding: batch.bytes(record.rest), as: UTF8.self) == #""a":1"#)
    }

    /// More measurements with tags than are remembered, in turns: each point has what its own line says.
    @Test func alternatingHeads() throws {
        let heads = (0..<LineProtocolReader.maximumHeads * 2 + 1).map { "type_\($0 % 20),device=d\($0),unit=u value=" }
        // Forth twice, then back, so that some are still known and some are not.
        let order = Array(heads.indices) + heads.indices + heads.indices.reversed()
        let lines = order.enumerated().map { place, head in "\(heads[head])\(place) \(place)000" }
        let batch = try decode(lines.joined(separator: "\n")).batch
        #expect(batch.samples.count == order.count)
        for (place, head) in order.enumerated() {
            let sample = batch.samples[place], alone = try decode(lines[place]).batch.samples[0]
            let type = batch.text(batch.series[Int(sample.series)].type)
            #expect(String(decoding: type, as: UTF8.self) == "type_\(head % 20)")
            let device = batch.text(batch.sources[Int(sample.source)].device)
            #expect(String(decoding: device, as: UTF8.self) == "d\(head)")
            #expect(sample.value == Double(place) && sample.key == alone.key && sample.start == alone.start)
        }
    }
}
