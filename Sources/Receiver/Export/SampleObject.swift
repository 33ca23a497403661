import Samples
import Storage
import Wire

/// Writes a sample as one JSON object: the `body` of the view `samples`, made without SQL.
struct SampleObject {
    /// Takes what the view leaves to other columns into the object, so that a native reader finds it there: the time zone
    /// as the start's offset, a part that the store gave, the number of a category without a name.
    let isForReader: Bool
    private var time = TimeText()

    init(isForReader: Bool) { self.isForReader = isForReader }

    mutating func append(
        _ sample: borrowing StoredSample, of series: StoredSeries, _ texts: StoredTexts, to bytes: inout [UInt8]
    ) throws(StoreError) {
        let spelled = sample.spelled
        bytes.append("{\"uuid\":")
        Self.appendKey(sample, to: &bytes)
        bytes.append(",\"type\":")
        bytes += series.type.json
        try appendValue(sample, spelled, texts, to: &bytes)
        appendUnit(sample, spelled, of: series, to: &bytes)
        appendTimes(sample, spelled, to: &bytes)
        if sample.spelled.contains(.partGiven) || (isForReader && sample.part != 0) {
            bytes.append(",\"part\":")
            bytes.append(decimal: sample.part)
        }
        if let id = sample.source, !spelled.contains(.source) {
            Self.append(try texts.source(id), to: &bytes)
        }
        if !sample.rest.isEmpty {
            bytes.append(UInt8(ascii: ","))
            Self.appendOneLine(sample.rest, to: &bytes)
        }
        bytes.append(UInt8(ascii: "}"))
    }

    static func appendKey(_ sample: borrowing StoredSample, to bytes: inout [UInt8]) {
        switch sample.key {
        case .text: bytes += StoredText(sample.keyText).json
        case .uuid(let high, let low):
            bytes.append(UInt8(ascii: "\""))
            bytes.append(uuidHigh: high, low: low)
            bytes.append(UInt8(ascii: "\""))
        }
    }

    /// `activity` and `duration_s` of a workout, else `value`.
    private func appendValue(
        _ sample: borrowing StoredSample, _ spelled: SpelledMembers, _ texts: StoredTexts, to bytes: inout [UInt8]
    ) throws(StoreError) {
        if sample.kind == .workout {
            if let name = sample.valueName, !spelled.contains(.valueName) {
                bytes.append(",\"activity\":")
                bytes += try texts.text(name).json
            }
            if let value = sample.value, !spelled.contains(.value) {
                bytes.append(",\"duration_s\":")
                bytes.append(number: value)
            }
            return
        }
        guard !spelled.contains(.value) else { return }
        let isNumbered = sample.kind == .quantity || sample.kind == .characteristic
        let isNamed = sample.kind == .category || sample.kind == .characteristic
        if isNamed, let name = sample.valueName {
            bytes.append(",\"value\":")
            bytes += try texts.text(name).json
        } else if isNumbered || (isForReader && isNamed), let value = sample.value {
            bytes.append(",\"value\":")
            bytes.append(number: value)
        }
    }

    private func appendUnit(
        _ sample: borrowing StoredSample, _ spelled: SpelledMembers, of series: StoredSeries, to bytes: inout [UInt8]
    ) {
        guard let unit = series.unit, sample.kind != .workout, !spelled.contains(.unit) else { return }
        bytes.append(",\"unit\":")
        bytes += unit.json
    }

    private mutating func appendTimes(
        _ sample: borrowing StoredSample, _ spelled: SpelledMembers, to bytes: inout [UInt8]
    ) {
        if sample.start != .none, !spelled.contains(.start) {
            bytes.append(",\"start\":\"")
            time.append(sample.start, offsetMinutes: isForReader ? sample.utcOffsetMinutes : nil, to: &bytes)
            bytes.append(UInt8(ascii: "\""))
        }
        if sample.end != .none, !spelled.contains(.end) {
            bytes.append(",\"end\":\"")
            time.append(sample.end, to: &bytes)
            bytes.append(UInt8(ascii: "\""))
        }
    }

    private static func append(_ source: StoredTexts.Source, to bytes: inout [UInt8]) {
        bytes.append(",\"source\":{")
        if let app = source.app {
            bytes.append("\"app\":")
            bytes += app.json
        }
        if let device = source.device {
            bytes.append(source.app == nil ? "\"device\":" : ",\"device\":")
            bytes += device.json
        }
        bytes.append(UInt8(ascii: "}"))
    }

    /// A line break in JSON stands outside of strings, so a space says the same.
    private static func appendOneLine(_ json: [UInt8], to bytes: inout [UInt8]) {
        guard json.contains(where: { $0 == 0x0A || $0 == 0x0D }) else { return bytes.append(contentsOf: json) }
        bytes.append(contentsOf: json.lazy.map { $0 == 0x0A || $0 == 0x0D ? 0x20 : $0 })
    }
}
