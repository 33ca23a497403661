import Foundation
import Samples
import TestSupport
import Testing
import Wire

/// A case of `hae-accepted.json` or `hae-refused.json`: a body with what its sender says in headers.
struct HealthAutoExportVector: Decodable, Sendable, CustomTestStringConvertible {
    var name: String
    var body: String
    var aggregation: String?
    var period: String?

    // Accepted.
    var test: Bool?
    var records: [Record]?
    var skipped: [Skipped]?

    // Refused: the code and path; `§` marks the offset and is taken out.
    var code: String?
    var path: String?

    struct Record: Decodable, Equatable, Sendable {
        var type: String
        var kind: String
        var key: String
        var value: Double?
        var value_name: String?
        var unit: String?
        var start: String?
        var end: String?
        var offset: Int16?
        var source: String?
        var grain: String
        var merge: String?
        var spelled: [String]?
        var rest: String
    }

    struct Skipped: Decodable, Equatable, Sendable {
        var path: String
        var code: String
    }

    private struct File: Decodable { var cases: [HealthAutoExportVector] }

    var testDescription: String { name }

    static let accepted = load("hae-accepted.json")
    static let refused = load("hae-refused.json")

    private static func load(_ file: String) -> [HealthAutoExportVector] {
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

    /// The endpoint's zone is an hour east of UTC.
    var context: DecodeContext {
        DecodeContext(automation: Automation(aggregation: aggregation, period: period), offsetMinutes: { _ in 60 })
    }
}

extension HealthAutoExportVector.Record {
    init(_ record: SampleRecord, in batch: SampleBatch) {
        let series = batch.series[Int(record.series)]
        type = batch.string(series.type) ?? ""
        kind = "\(record.kind)"
        let text = batch.keyText(record.key).uppercased()
        key = text.count == 32 ? Self.hyphenated(text) : text
        value = record.value
        value_name = batch.string(record.valueName)
        unit = batch.string(series.unit)
        start = record.start == .none ? nil : record.start.text
        end = record.end == .none ? nil : record.end.text
        offset = record.utcOffsetMinutes
        source = record.source < 0 ? nil : batch.string(batch.sources[Int(record.source)].app)
        grain = "\(record.grain)"
        merge = "\(record.merge)"
        let names: [(SpelledMembers, String)] = [
            (.end, "end"), (.source, "source"), (.start, "start"), (.unit, "unit"), (.value, "value"),
        ]
        let spelled = names.filter { record.spelled.contains($0.0) }.map(\.1)
        self.spelled = spelled.isEmpty ? nil : spelled
        rest = "{" + String(decoding: batch.bytes(record.rest), as: UTF8.self) + "}"
    }

    private static func hyphenated(_ digits: String) -> String {
        var text = digits
        for place in [8, 13, 18, 23] { text.insert("-", at: text.index(text.startIndex, offsetBy: place)) }
        return text
    }
}

extension SampleBatch {
    var healthAutoExportRecords: [HealthAutoExportVector.Record] {
        samples.map { HealthAutoExportVector.Record($0, in: self) }
    }

    var healthAutoExportSkipped: [HealthAutoExportVector.Skipped] {
        skipped.map {
            HealthAutoExportVector.Skipped(path: String(decoding: bytes($0.path), as: UTF8.self), code: "\($0.code)")
        }
    }
}
