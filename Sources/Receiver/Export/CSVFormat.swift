import Samples
package import Storage
import Wire

/// The guide's CSV, section 4: quantities, categories, workouts and characteristics.
package struct CSVFormat: ExportFormat {
    package static let header = Array(
        "type,uuid,start,end,value,unit,value_name,source,device,user_entered\r\n".utf8)

    private var time = TimeText()
    private var seriesID: Int64?
    /// The series' first field and its comma; its unit.
    private var typeField: [UInt8] = []
    private var unitField: [UInt8] = []
    private var isTypeRight = false
    /// `,source,device,` by the source's number.
    private var sources: [Int64: [UInt8]] = [:]

    package init() {}

    package var head: [UInt8] { Self.header }

    package mutating func append(
        _ sample: borrowing StoredSample, of series: StoredSeries, _ texts: StoredTexts, to page: inout ExportPage
    ) throws(StoreError) -> Omission? {
        if seriesID != series.id { enter(series) }
        if !isTypeRight { return .type }
        // Most samples have no other members, and then nothing has to be looked up.
        let rest = sample.rest.isEmpty ? nil : RestMembers(sample.rest)
        let fields: Fields
        switch try Fields.of(sample, texts, rest) {
        case .left(let reason): return reason
        case .fields(let found): fields = found
        }
        page.bytes += typeField
        appendKey(sample, to: &page.bytes)
        page.bytes.append(comma)
        appendTime(
            sample.start, spelled: sample.spelled.contains(.start) ? rest?.text("start") ?? [] : nil, sample,
            to: &page.bytes)
        page.bytes.append(comma)
        appendTime(
            sample.end, spelled: sample.spelled.contains(.end) ? rest?.text("end") ?? [] : nil, sample, to: &page.bytes)
        page.bytes.append(comma)
        if let written = fields.writtenValue {
            page.bytes += written
        } else if let value = fields.value {
            page.bytes.append(number: value)
        }
        page.bytes.append(comma)
        if sample.spelled.contains(.unit), let unit = rest?.text("unit") {
            CSVWriter.append(field: unit.span, to: &page.bytes)
        } else {
            page.bytes += unitField
        }
        page.bytes.append(comma)
        CSVWriter.append(field: fields.name.span, to: &page.bytes)
        if let id = sample.source {
            page.bytes += try source(id, texts)
        } else {
            page.bytes.append(",,,")
        }
        if let userEntered = Self.userEntered(sample, rest) { page.bytes.append(userEntered) }
        page.bytes += CSVWriter.lineEnd
        page.endRecord()
        return nil
    }

    // MARK: Fields

    private let comma = UInt8(ascii: ",")

    private mutating func enter(_ series: StoredSeries) {
        seriesID = series.id
        isTypeRight = isTypeName(series.type.bytes)
        typeField.removeAll(keepingCapacity: true)
        CSVWriter.append(field: series.type.bytes.span, to: &typeField)
        typeField.append(comma)
        unitField.removeAll(keepingCapacity: true)
        if let unit = series.unit { CSVWriter.append(field: unit.bytes.span, to: &unitField) }
    }

    /// CSV knows no parts: where the store told several samples of one key apart by them, all but the first have a uuid
    /// made of key and part.
    private func appendKey(_ sample: borrowing StoredSample, to bytes: inout [UInt8]) {
        switch sample.key {
        case .uuid(var high, var low):
            if sample.part != 0 {
                var name = NameUUID()
                name.add(Int64(bitPattern: high))
                name.add(Int64(bitPattern: low))
                name.add(sample.part)
                if case .uuid(let newHigh, let newLow) = name.key { (high, low) = (newHigh, newLow) }
            }
            bytes.append(uuidHigh: high, low: low)
        case .text:
            guard sample.part != 0 else { return CSVWriter.append(field: sample.keyText.span, to: &bytes) }
            var name = NameUUID()
            name.add(sample.keyText)
            name.add(sample.part)
            if case .uuid(let high, let low) = name.key { bytes.append(uuidHigh: high, low: low) }
        }
    }

    private mutating func appendTime(
        _ moment: Timestamp, spelled: [UInt8]?, _ sample: borrowing StoredSample, to bytes: inout [UInt8]
    ) {
        if let spelled { return CSVWriter.append(field: spelled.span, to: &bytes) }
        if moment != .none { time.append(moment, offsetMinutes: sample.utcOffsetMinutes, to: &bytes) }
    }

    private mutating func source(_ id: Int64, _ texts: StoredTexts) throws(StoreError) -> [UInt8] {
        if let known = sources[id] { return known }
        let source = try texts.source(id)
        var fields: [UInt8] = [comma]
        if let app = source.app { CSVWriter.append(field: app.bytes.span, formulaQuoted: true, to: &fields) }
        fields.append(comma)
        if let device = source.device { CSVWriter.append(field: device.bytes.span, formulaQuoted: true, to: &fields) }
        fields.append(comma)
        if sources.count >= 1_024 { sources.removeAll(keepingCapacity: true) }
        sources[id] = fields
        return fields
    }

    /// What the phone said, else HealthKit's own mark; nil for an empty field.
    private static func userEntered(_ sample: borrowing StoredSample, _ rest: RestMembers?) -> StaticString? {
        if sample.kind == .characteristic { return nil }
        let said = rest?.raw("user_entered") ?? rest?.raw("HKWasUserEntered", in: "metadata")
        guard let said else { return sample.dialect == .csv ? nil : "false" }
        return said.elementsEqual("true".utf8) || said.elementsEqual("1".utf8) || said.elementsEqual("\"true\"".utf8)
            ? "true" : "false"
    }
}

/// `value` and `value_name` of a record.
private struct Fields {
    enum Found {
        case fields(Fields)
        case left(Omission)
    }

    var value: Double?
    /// In place of `value`: the sender's own spelling, or a date.
    var writtenValue: [UInt8]?
    var name: [UInt8] = []

    static func of(
        _ sample: borrowing StoredSample, _ texts: StoredTexts, _ rest: RestMembers?
    ) throws(StoreError) -> Found {
        var fields = Fields()
        let isSpelled = sample.spelled.contains(.value)
        switch sample.kind {
        case .quantity:
            fields.value = sample.value
            if isSpelled { fields.writtenValue = rest?.number("value") }
        case .category:
            fields.value = sample.value
            fields.writtenValue = rest?.number("raw_value")
            if isSpelled {
                fields.name = rest?.text("value") ?? []
            } else if let name = sample.valueName {
                fields.name = try texts.text(name).bytes
            }
        case .workout:
            fields.value = sample.value
            if isSpelled { fields.writtenValue = rest?.number("duration_s") }
            if sample.spelled.contains(.valueName) {
                fields.name = rest?.text("activity") ?? []
            } else if let name = sample.valueName {
                fields.name = try texts.text(name).bytes
            }
        case .characteristic:
            try fields.takeCharacteristic(sample, texts, rest)
        default: return .left(.kind(sample.kind.name))
        }
        let hasValue = fields.value != nil || fields.writtenValue != nil
        if !hasValue, sample.kind == .quantity || fields.name.isEmpty { return .left(.value) }
        // Type, key and this name alone are a deletion.
        if !hasValue, sample.start == .none, fields.name.elementsEqual("deleted".utf8) { return .left(.deletion) }
        return .fields(fields)
    }

    /// A name with its number, a number alone, or a date, which stands where numbers do.
    private mutating func takeCharacteristic(
        _ sample: borrowing StoredSample, _ texts: StoredTexts, _ rest: RestMembers?
    ) throws(StoreError) {
        value = sample.value
        writtenValue = rest?.number("raw_value")
        if sample.spelled.contains(.value) {
            writtenValue = rest?.number("value") ?? writtenValue
            name = rest?.text("value") ?? []
        } else if let id = sample.valueName {
            let text = try texts.text(id).bytes
            if value == nil, CivilDate.parse(text.span) != nil { writtenValue = text } else { name = text }
        }
    }
}
