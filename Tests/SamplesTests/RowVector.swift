import Samples
import TestSupport
import Testing
import Wire

/// A case of the files of bodies in CSV and in line protocol.
struct RowVector: Decodable, Sendable, CustomTestStringConvertible {
    var name: String
    var body: String

    // Refused: the code, line and path; `§` marks the offset and is taken out.
    var code: String?
    var line: Int?
    var path: String?

    // Accepted: what the first record must have; absent means none, of `key` and `type` also: not looked at.
    var isTest: Bool?
    /// How many there are; absent: one.
    var samples: Int?
    /// Type and key of each deletion.
    var deletions: [[String?]]?
    var kind: String?
    var type: String?
    var key: String?
    var value: Double?
    var valueName: String?
    var unit: String?
    var start: String?
    var end: String?
    var sourceApp: String?
    var sourceDevice: String?
    var offset: Int16?
    var spelled: [String]?
    var rest: String?

    var testDescription: String { name }

    static let csvAccepted = Vectors.load("csv-accepted.json", as: RowVector.self)
    static let csvRefused = Vectors.load("csv-refused.json", as: RowVector.self)
    static let influxAccepted = Vectors.load("influx-accepted.json", as: RowVector.self)
    static let influxRefused = Vectors.load("influx-refused.json", as: RowVector.self)

    /// Looked for in bytes: a mark next to a line end or a combining mark is no character of its own.
    private var mark: Int? {
        let bytes = Array(body.utf8)
        return bytes.indices.dropLast().first { bytes[$0] == 0xC2 && bytes[$0 + 1] == 0xA7 }
    }

    var content: [UInt8] {
        var bytes = Array(body.utf8)
        if code != nil, let mark { bytes.removeSubrange(mark..<mark + 2) }
        return bytes
    }

    func expectAccepted(_ decoded: DecodedBody) throws {
        let batch = decoded.batch
        #expect(decoded.isTest == (isTest ?? false))
        #expect(decoded.device == nil && decoded.deliveryID == nil && batch.skipped.isEmpty)
        #expect(batch.samples.count == samples ?? 1)
        let deleted = batch.deletions.map { [batch.string($0.type), batch.keyText($0.key)] }
        #expect(deleted == (deletions ?? []).map { [$0[0], $0[1].map(plainKey)] })
        guard let record = batch.samples.first else { return }
        let series = batch.series[Int(record.series)]
        let source = record.source < 0 ? nil : batch.sources[Int(record.source)]
        #expect(record.kind.name == kind)
        if let key { #expect(batch.keyText(record.key) == plainKey(key)) }
        if let type { #expect(batch.string(series.type) == type) }
        #expect(record.value == value && record.value?.sign == value?.sign)
        #expect(batch.string(record.valueName) == valueName)
        #expect(batch.string(series.unit) == unit)
        #expect((record.start == .none ? nil : record.start.text) == start)
        #expect((record.end == .none ? nil : record.end.text) == end)
        #expect(source.flatMap { batch.string($0.app) } == sourceApp)
        #expect(source.flatMap { batch.string($0.device) } == sourceDevice)
        #expect(record.utcOffsetMinutes == offset)
        #expect(Set(record.spelled.names) == Set(spelled ?? []))
        #expect(String(decoding: batch.bytes(record.rest), as: UTF8.self) == rest ?? "")
        #expect(record.part == 0 && record.day == nil && record.merge == .replace && record.grain == .raw)
        try batch.expectWholeRests()
    }

    /// As `keyText` has it: a uuid without hyphens, in small letters.
    private func plainKey(_ key: String) -> String {
        SampleKey.uuid(parsing: Array(key.utf8).span) == nil ? key : key.lowercased().replacing("-", with: "")
    }

    func expectRefused(_ fault: DecodeFault?) throws {
        #expect(fault?.code == code)
        #expect(fault?.path == path)
        #expect(fault?.offset == mark)
        #expect(fault?.line == line)
        #expect(fault?.message.hasSuffix(".") == true)
    }
}

extension SpelledMembers {
    var names: [String] {
        let all: [(SpelledMembers, String)] = [
            (.start, "start"), (.end, "end"), (.value, "value"), (.unit, "unit"), (.source, "source"),
            (.valueName, "valueName"), (.partGiven, "partGiven"),
        ]
        return all.filter { contains($0.0) }.map(\.1)
    }
}

extension SampleBatch {
    /// What is kept in `rest` is whole members, none of them twice.
    func expectWholeRests() throws {
        for record in samples {
            var json = try JSONScanner(PaddedBytes(Array("{".utf8) + bytes(record.rest) + Array("}".utf8)))
            _ = try json.skip()
            try json.finish()
        }
    }
}

/// Decodes in turn each body cut at every byte, and bodies with small damages: what comes out is a body or a fault with a
/// code of the list, at a place within the body.
func expectNoTrap(
    _ seeds: [[UInt8]], alphabet: String, rounds: Int, codes: Set<String>,
    decode: ([UInt8]) throws(DecodeFault) -> DecodedBody
) throws {
    func check(_ content: [UInt8]) throws {
        let batch: SampleBatch
        do throws(DecodeFault) { batch = try decode(content).batch } catch {
            #expect(codes.contains(error.code), "\(error)")
            #expect(0...content.count ~= error.offset ?? -1 && (error.line ?? 0) >= 1)
            return
        }
        try batch.expectWholeRests()
    }
    for seed in seeds where seed.count < 600 {
        for cut in seed.indices { try check(Array(seed[..<cut])) }
    }
    var generator = SeededGenerator(seed: 7)
    let bytes = Array(alphabet.utf8) + [0x80, 0xC3, 0xFF, 0]
    let short = seeds.filter { $0.count < 600 }
    for round in 0..<rounds {
        try check(short[round % short.count].mutated(alphabet: bytes, using: &generator))
    }
}
