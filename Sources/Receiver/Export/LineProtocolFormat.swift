import Samples
package import Storage
import Wire

/// The guide's line protocol, section 4: quantities, categories and workouts.
package struct LineProtocolFormat: ExportFormat {
    private var seriesID: Int64?
    private var measurement: [UInt8] = []
    /// `,unit=…`, or nothing.
    private var unitTag: [UInt8] = []
    /// `,device=…,source=…` by the source's number.
    private var sources: [Int64: [UInt8]] = [:]
    private var omission: Omission?

    package init() {}

    package mutating func append(
        _ sample: borrowing StoredSample, of series: StoredSeries, _ texts: StoredTexts, to page: inout ExportPage
    ) throws(StoreError) -> Omission? {
        if seriesID != series.id { enter(series) }
        if let omission { return omission }
        guard sample.kind == .quantity || sample.kind == .category || sample.kind == .workout else {
            return .kind(sample.kind.name)
        }
        let rest = sample.rest.isEmpty ? nil : RestMembers(sample.rest)
        guard sample.start != .none, let time = Self.nanoseconds(sample, rest) else { return .time }
        let before = page.bytes.count
        page.bytes += measurement
        if sample.kind == .workout { try appendActivity(sample, texts, rest, to: &page.bytes) }
        if let id = sample.source { page.bytes += try source(id, texts) }
        if sample.kind != .workout { page.bytes += unitTag }
        page.bytes.append(UInt8(ascii: " "))
        let fields = page.bytes.count
        try appendFields(sample, texts, rest, to: &page.bytes)
        guard page.bytes.count > fields else {
            page.bytes.removeSubrange(before...)
            return .value
        }
        page.bytes.append(UInt8(ascii: " "))
        page.bytes.append(decimal: time)
        page.bytes.append(0x0A)
        page.endRecord()
        return nil
    }

    private mutating func enter(_ series: StoredSeries) {
        seriesID = series.id
        measurement.removeAll(keepingCapacity: true)
        LineProtocolWriter.append(measurement: series.type.bytes.span, to: &measurement)
        // A line that starts with # is a comment.
        omission = measurement.isEmpty || measurement[0] == UInt8(ascii: "#") ? .type : nil
        unitTag = series.unit.map { Self.tag("unit", $0.bytes) } ?? []
    }

    private mutating func source(_ id: Int64, _ texts: StoredTexts) throws(StoreError) -> [UInt8] {
        if let known = sources[id] { return known }
        let source = try texts.source(id)
        let tags = Self.tag("device", source.device?.bytes ?? []) + Self.tag("source", source.app?.bytes ?? [])
        if sources.count >= 1_024 { sources.removeAll(keepingCapacity: true) }
        sources[id] = tags
        return tags
    }

    private static func tag(_ name: StaticString, _ value: [UInt8]) -> [UInt8] {
        if LineProtocolWriter.isEmpty(tag: value.span) { return [] }
        var tag: [UInt8] = [UInt8(ascii: ",")]
        tag.append(name)
        tag.append(UInt8(ascii: "="))
        LineProtocolWriter.append(tag: value.span, to: &tag)
        return tag
    }

    // MARK: Of one sample

    private func appendActivity(
        _ sample: borrowing StoredSample, _ texts: StoredTexts, _ rest: RestMembers?, to bytes: inout [UInt8]
    ) throws(StoreError) {
        if sample.spelled.contains(.valueName) {
            bytes += Self.tag("activity", rest?.text("activity") ?? [])
        } else if let name = sample.valueName {
            bytes += Self.tag("activity", try texts.text(name).bytes)
        }
    }

    private func appendFields(
        _ sample: borrowing StoredSample, _ texts: StoredTexts, _ rest: RestMembers?, to bytes: inout [UInt8]
    ) throws(StoreError) {
        let start = bytes.count
        func begin(_ name: StaticString, in bytes: inout [UInt8]) {
            if bytes.count > start { bytes.append(UInt8(ascii: ",")) }
            bytes.append(name)
            bytes.append(UInt8(ascii: "="))
        }
        if let value = sample.value {
            begin(sample.kind == .workout ? "duration_s" : "value", in: &bytes)
            bytes.append(number: value)
        }
        switch sample.kind {
        case .category:
            var name: [UInt8]?
            if sample.spelled.contains(.value) {
                name = rest?.text("value")
            } else if let id = sample.valueName {
                name = try texts.text(id).bytes
            }
            if let name {
                begin("value_name", in: &bytes)
                LineProtocolWriter.append(string: name.span, to: &bytes)
            }
        case .workout:
            if let energy = rest?.number("energy_kcal") {
                begin("energy_kcal", in: &bytes)
                bytes += energy
            }
            if let distance = rest?.number("distance_m") {
                begin("distance_m", in: &bytes)
                bytes += distance
            }
        default: break
        }
    }

    /// The start, with what the sender wrote behind its microseconds; nil where 64 bits don't reach.
    private static func nanoseconds(_ sample: borrowing StoredSample, _ rest: RestMembers?) -> Int64? {
        let (time, overflow) = sample.start.microseconds.multipliedReportingOverflow(by: 1_000)
        if overflow { return nil }
        guard sample.spelled.contains(.start), let text = rest?.text("start"),
            let point = text.firstIndex(of: UInt8(ascii: "."))
        else { return time }
        // The seventh to the ninth digit behind the point.
        let fraction = text[(point + 1)...].prefix(while: isDigit)
        var finer: Int64 = 0
        for digit in fraction.dropFirst(6).prefix(3) { finer = finer * 10 + Int64(digit - UInt8(ascii: "0")) }
        for _ in max(6, min(fraction.count, 9))..<9 { finer *= 10 }
        let (sum, isTooLate) = time.addingReportingOverflow(finer)
        return isTooLate ? nil : sum
    }
}
