import TestSupport
import Testing
import Wire

@testable import Samples

struct AppleVector: Decodable, Sendable, CustomTestStringConvertible {
    struct Row: Decodable, Sendable, Equatable {
        var type: String, kind: String
        var key: String?
        var value: Double?
        var value_name: String?, unit: String?, start: String?, end: String?, app: String?, device: String?
        var offset: Int16?
        var rest: String?
    }
    var name: String, xml: String, samples: [Row]
    var skipped: [String: Int]?
    var testDescription: String { name }

    var bytes: [UInt8] {
        var bytes: [UInt8] = []
        for scalar in "<HealthData>\n\(xml)\n</HealthData>\n".unicodeScalars {
            switch scalar {
            case "§": bytes.append(0x0B)
            case "¤": bytes.append(0xFF)
            default: bytes += Array(String(scalar).utf8)
            }
        }
        return bytes
    }

    static let all = Vectors.load("apple/elements.json", as: AppleVector.self)
}

/// The rows of a text that arrives in pieces.
private func decode(
    _ pieces: [ArraySlice<UInt8>], slice: Int = 100, done: Int = 0
) throws -> (rows: [AppleVector.Row], keys: [SampleKey], decoder: AppleExportDecoder) {
    var decoder = AppleExportDecoder(sliceRecords: slice, done: done)
    var rows: [AppleVector.Row] = [], keys: [SampleKey] = []
    let sink: AppleExportDecoder.Sink = { batch, _ in
        try batch.expectWholeRests()
        for record in batch.samples {
            let series = batch.series[Int(record.series)]
            let source = record.source < 0 ? nil : batch.sources[Int(record.source)]
            var key: String?
            if case .text(let range) = record.key { key = String(decoding: batch.bytes(range), as: UTF8.self) }
            let rest = String(decoding: batch.bytes(record.rest), as: UTF8.self)
            rows.append(
                AppleVector.Row(
                    type: batch.string(series.type) ?? "", kind: record.kind.name, key: key, value: record.value,
                    value_name: batch.string(record.valueName), unit: batch.string(series.unit),
                    start: record.start == .none ? nil : record.start.text,
                    end: record.end == .none ? nil : record.end.text, app: source.flatMap { batch.string($0.app) },
                    device: source.flatMap { batch.string($0.device) }, offset: record.utcOffsetMinutes,
                    rest: rest.isEmpty ? nil : rest))
            if case .uuid = record.key { keys.append(record.key) }
        }
    }
    for piece in pieces { try decoder.feed(piece.span, sink) }
    try decoder.finish(sink)
    return (rows, keys, decoder)
}

@Suite struct AppleExportTests {
    @Test(arguments: AppleVector.all)
    func elements(vector: AppleVector) throws {
        let bytes = vector.bytes
        let whole = try decode([bytes[...]])
        #expect(whole.rows == vector.samples)
        let skipped = Dictionary(
            uniqueKeysWithValues: whole.decoder.counts.skipped.map { ("\($0.key)", $0.value) })
        #expect(skipped == vector.skipped ?? [:])
        #expect(whole.decoder.isComplete && whole.decoder.hasRoot)
        for cut in stride(from: 0, to: bytes.count, by: 13) {
            let parts = try decode([bytes[..<cut], bytes[cut...]], slice: 1)
            #expect(parts.rows == vector.samples && parts.keys == whole.keys, "in two pieces at \(cut)")
        }
        for done in 0...whole.decoder.elements {
            let rest = try decode([bytes[...]], done: done)
            #expect(rest.rows == whole.rows.suffix(rest.rows.count))
            #expect(done < whole.decoder.elements || rest.rows.isEmpty)
        }
    }

    /// What an export says of the same sample later: another address, another time of creation, another order of attributes.
    @Test func theKeyIsTheSampleAlone() throws {
        func key(_ text: String) throws -> SampleKey? {
            try decode([Array("<HealthData>\(text)".utf8)[...]]).keys.first
        }
        func record(
            _ device: String = "&lt;&lt;HKDevice: 0x1&gt;, name:Watch&gt;", start: String = "2026-10-14 07:00:00 +0000",
            value: String = "1.5", unit: String = "km", app: String = "A", more: String = ""
        ) -> String {
            """
            <Record type="HKQuantityTypeIdentifierDistanceWalkingRunning" \(more) sourceName="\(app)" device="\(device)" unit="\(unit)" \
            startDate="\(start)" endDate="\(start)" value="\(value)"/>
            """
        }
        let first = try key(record())
        #expect(first != nil)
        for same in [
            record("&lt;&lt;HKDevice: 0x2999&gt;, name:Watch&gt;"),
            record(more: "creationDate=\"2020-01-01 00:00:00 +0000\""),
            record(more: "sourceVersion=\"9\""), record(start: "2026-10-14 09:00:00 +0200"),
            record(value: "1500", unit: "m"),
            record(value: "1.50"), record() + "<Record/>",
        ] { #expect(try key(same) == first, "\(same)") }
        for other in [
            record(value: "1.6"), record(app: "B"), record(start: "2026-10-14 07:00:01 +0000"), record("iPhone"),
        ] {
            #expect(try key(other) != first, "\(other)")
        }
    }

    @Test func elementsPastTheLimitAreLeftOut() throws {
        let entries = (0..<9_000).map { "<MetadataEntry key=\"k\($0)\" value=\"v\"/>" }.joined()
        let text = """
            <HealthData><Record type="HKQuantityTypeIdentifierStepCount" startDate="2026-10-14 07:00:00 +0000" value="1">\(entries)</Record>\
            <Record type="HKQuantityTypeIdentifierStepCount" startDate="2026-10-14 07:00:00 +0000" value="2"/></HealthData>
            """
        let found = try decode([Array(text.utf8)[...]])
        #expect(found.rows.map(\.value) == [2] && found.decoder.counts.skipped[.tooLarge] == 1)
    }

    @Test("A workout keeps its source, however many others there are and whoever recorded its routes")
    func sourcesOfRoutes() throws {
        let times = #"startDate="2026-10-14 07:00:00 +0000" endDate="2026-10-14 07:10:00 +0000""#
        let workout = """
            <Workout workoutActivityType="HKWorkoutActivityTypeRunning" sourceName="w" \(times)>\
            <WorkoutRoute sourceName="r1"/><WorkoutRoute sourceName="r2"/></Workout>
            """
        for count in [0, 1, 62, 63, 64, 65, 127] {
            let records = (0..<count).map {
                #"<Record type="HKQuantityTypeIdentifierStepCount" sourceName="s\#($0)" \#(times) value="1"/>"#
            }
            let text = "<HealthData>\(records.joined())\(workout)\(records.first ?? "")</HealthData>"
            let found = try decode([Array(text.utf8)[...]])
            #expect(found.rows.filter { $0.type == "workout" }.map(\.app) == ["w"], "\(count)")
            #expect(found.rows.count == count + (count > 0 ? 2 : 1))
        }
    }

    @Test func damagedFilesNeverTrap() throws {
        let seeds = AppleVector.all.map(\.bytes)
        var generator = SeededGenerator(seed: 21)
        for round in 0..<3_000 {
            let text = seeds[round % seeds.count].mutated(
                alphabet: Array("<>\"'=/!-[]? &;#x09".utf8) + [0, 0xFF, 0x80], using: &generator)
            let whole = try decode([text[...]])
            let cut = Int.random(in: 0...text.count, using: &generator)
            let parts = try decode([text[..<cut], text[cut...]], slice: 2)
            #expect(whole.rows == parts.rows && whole.keys == parts.keys)
            var route = RouteDecoder()
            route.feed(text.span)
            _ = route.finish(nil)
        }
    }

    @Test func routesThatAreBrokenAreNone() {
        for text in [
            "", "<gpx/>", "<gpx><trkpt lat=\"91\" lon=\"0\"><time>2026-10-14T05:00:00Z</time></trkpt></gpx>",
            "<gpx><trkpt lat=\"9\" lon=\"0\"><time>noon</time></trkpt></gpx>", "<gpx><trkpt lon=\"0\"/></gpx>",
        ] {
            var decoder = RouteDecoder()
            decoder.feed(Array(text.utf8).span)
            #expect(decoder.finish(nil) == nil, "\(text)")
        }
    }
}
