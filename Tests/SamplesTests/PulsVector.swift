import Foundation
import Samples
import TestSupport
import Testing
import Wire

/// A case of `puls-accepted.json` or `puls-refused.json`.
struct PulsVector: Decodable, Sendable, CustomTestStringConvertible {
    var name: String
    var body: String

    // Accepted; what is absent is empty.
    var batch: Header?
    var records: [Record]?
    var deletions: [[String]]?
    var route: [RoutePoint]?
    var curve: [CurvePoint]?
    var aggregates: [Aggregate]?

    // Refused; `§` marks the offset and is taken out.
    var code: String?
    var status: Int?
    var message: String?
    var line: Int?

    struct Header: Decodable, Equatable, Sendable {
        var label: String?
        var reason: String?
        var client: String?
        var zone: String?
        var device: String?
        var exported: String?
    }

    struct Record: Decodable, Equatable, Sendable {
        var key: String
        var type: String
        var kind: String
        var value: Double?
        var value_name: String?
        var unit: String?
        var start: String?
        var end: String?
        var offset: Int16?
        var app: String?
        var device: String?
        var day: Int32?
        var spelled: [String]?
        var rest: String?
    }

    struct RoutePoint: Decodable, Equatable, Sendable {
        var workout: String
        var time: String
        var lat: Double
        var lon: Double
        var alt: Double?
        var h: Double?
        var v: Double?
        var speed: Double?
        var course: Double?
        var context: String?
    }

    struct CurvePoint: Decodable, Equatable, Sendable {
        var workout: String
        var type: String
        var unit: String?
        var time: String
        var value: Double
        var context: String?
    }

    struct Aggregate: Decodable, Equatable, Sendable {
        var type: String
        var unit: String?
        var `func`: String
        var interval: Int64
        var interval_unit: String
        var filter: String
        var start: String
        var end: String
        var value: Double?
        var contexts: String?
    }

    private struct File: Decodable { var cases: [PulsVector] }

    var testDescription: String { name }

    static let accepted = load("puls-accepted.json")
    static let refused = load("puls-refused.json")

    private static func load(_ file: String) -> [PulsVector] {
        do {
            let cases = try JSONDecoder().decode(File.self, from: RepositoryRoot.contents(of: "test-vectors/" + file))
                .cases
            guard !cases.isEmpty else { fatalError("test-vectors/\(file) has no cases") }
            return cases
        } catch {
            fatalError("test-vectors/\(file): \(error)")
        }
    }

    var content: [UInt8] { Array(body.replacing("§", with: "").utf8) }

    /// Of the mark, in bytes.
    var markOffset: Int? { body.firstRange(of: "§").map { body[..<$0.lowerBound].utf8.count } }
}

/// All that batches say, in their order, as texts and numbers: equal where two lists of batches say the same.
struct PulsContent: Equatable {
    var records: [PulsVector.Record] = []
    var deletions: [[String]] = []
    var route: [PulsVector.RoutePoint] = []
    var curve: [PulsVector.CurvePoint] = []
    var aggregates: [PulsVector.Aggregate] = []
    var header: PulsVector.Header?
    var batchID: UUIDBits?
    var sampleLines = 0

    mutating func add(_ batch: SampleBatch) {
        guard case .puls(let extras) = batch.extras else { return }
        func text(_ range: ArenaRange) -> String? {
            range.count == 0 ? nil : String(decoding: batch.bytes(range), as: UTF8.self)
        }
        records += batch.samples.map { PulsVector.Record($0, in: batch) }
        deletions += batch.deletions.map { [hyphenated($0.key), batch.string($0.type) ?? ""] }
        for point in extras.routePoints {
            route.append(
                PulsVector.RoutePoint(
                    workout: hyphenated(point.workout), time: point.time.text, lat: point.latitude,
                    lon: point.longitude, alt: point.altitude, h: point.horizontalAccuracy, v: point.verticalAccuracy,
                    speed: point.speed, course: point.course, context: text(point.context)))
        }
        for point in extras.curvePoints {
            let series = batch.series[Int(point.series)]
            curve.append(
                PulsVector.CurvePoint(
                    workout: hyphenated(point.workout), type: batch.string(series.type) ?? "",
                    unit: batch.string(series.unit), time: point.time.text, value: point.value,
                    context: text(point.context)))
        }
        for bucket in extras.aggregates {
            let series = batch.series[Int(bucket.series)]
            aggregates.append(
                PulsVector.Aggregate(
                    type: batch.string(series.type) ?? "", unit: batch.string(series.unit),
                    func: batch.string(bucket.function) ?? "", interval: bucket.intervalValue,
                    interval_unit: batch.string(bucket.intervalUnit) ?? "",
                    filter: batch.string(bucket.deviceFilter) ?? "", start: bucket.start.text, end: bucket.end.text,
                    value: bucket.value, contexts: text(bucket.contexts)))
        }
        header = PulsVector.Header(
            label: batch.string(extras.label), reason: batch.string(extras.reason),
            client: batch.string(extras.clientVersion), zone: batch.string(extras.timeZoneID),
            device: batch.string(extras.deviceID),
            exported: extras.exportedAt == .none ? nil : extras.exportedAt.text)
        batchID = extras.batchID
        sampleLines += extras.sampleLines
    }

    private func hyphenated(_ key: SampleKey) -> String {
        guard case .uuid(let high, let low) = key else { return "" }
        return hyphenated(UUIDBits(high: high, low: low))
    }

    private func hyphenated(_ bits: UUIDBits) -> String { PulsVector.hyphenated(bits) }
}

extension PulsVector {
    static func hyphenated(_ bits: UUIDBits) -> String {
        var text = [bits.high, bits.low].map { half in
            let digits = String(half, radix: 16, uppercase: true)
            return String(repeating: "0", count: 16 - digits.count) + digits
        }.joined()
        for place in [8, 13, 18, 23] { text.insert("-", at: text.index(text.startIndex, offsetBy: place)) }
        return text
    }
}

extension PulsVector.Record {
    init(_ record: SampleRecord, in batch: SampleBatch) {
        let series = batch.series[Int(record.series)]
        type = batch.string(series.type) ?? ""
        kind = record.kind.name
        switch record.key {
        case .uuid(let high, let low): key = PulsVector.hyphenated(UUIDBits(high: high, low: low))
        case .text(let range): key = String(decoding: batch.bytes(range), as: UTF8.self)
        }
        value = record.value
        value_name = batch.string(record.valueName)
        unit = batch.string(series.unit)
        start = record.start == .none ? nil : record.start.text
        end = record.end == .none ? nil : record.end.text
        offset = record.utcOffsetMinutes
        if record.source >= 0 {
            app = batch.string(batch.sources[Int(record.source)].app)
            device = batch.string(batch.sources[Int(record.source)].device)
        }
        day = record.day
        let names = record.spelled.names
        spelled = names.isEmpty ? nil : names
        rest = record.rest.count == 0 ? nil : String(decoding: batch.bytes(record.rest), as: UTF8.self)
    }
}
