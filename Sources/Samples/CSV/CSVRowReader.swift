import Wire

/// Reads one CSV body front to back.
struct CSVRowReader: ~Copyable {
    private var rows: CSVReader
    /// Reads single numbers of the body.
    private var numbers: JSONScanner
    private let content: ArraySlice<UInt8>
    private var columns = CSVColumns()
    private var writer: RowWriter
    private var hasRows = false

    /// Where the header row should be is most often a body of another format.
    private static let hint = " X-Syncky-Format says that the body is CSV."

    init(_ rows: consuming CSVReader, _ numbers: consuming JSONScanner, _ content: ArraySlice<UInt8>, catalog: Catalog)
    {
        writer = RowWriter(catalog: catalog)
        self.rows = rows
        self.numbers = numbers
        self.content = content
        // A row is rarely shorter; what the guess misses costs one copy.
        writer.reserve(samples: min(8_192, content.count / 100))
    }

    mutating func takeBody() -> DecodedBody { DecodedBody(isTest: !hasRows, batch: writer.batch) }

    mutating func readBody() throws(DecodeFault) {
        try readHeader()
        while try nextRow() {
            hasRows = true
            try readRow()
            // A row's extra members have their columns' names, so that short rows can be much more than their bytes.
            guard writer.batch.arenaBytes <= Self.maximumGrowth * content.count + 65_536 else {
                throw DecodeFault(
                    code: "csv_invalid", message: "The names of the extra columns are too long for so many rows.",
                    offset: rows.offset, line: rows.line)
            }
        }
    }

    /// What a body's samples take, in times of its bytes: far more than any sender's.
    private static let maximumGrowth = 8

    private mutating func nextRow() throws(DecodeFault) -> Bool {
        do throws(CSVFault) { return try rows.next() } catch {
            let column = error.field.flatMap { $0 < columns.known.count ? columns.known[$0] : nil }
            throw DecodeFault(
                code: "csv_invalid", message: error.message + (rows.fieldCount == nil ? Self.hint : ""),
                offset: error.offset, line: error.line, path: column.map { "\($0.name)" })
        }
    }

    private mutating func readHeader() throws(DecodeFault) {
        guard try nextRow() else {
            throw DecodeFault(
                code: "csv_invalid", message: "The body has no header row." + Self.hint, offset: 0, line: 1)
        }
        var repeated: (field: CSVField, name: [UInt8])?
        for field in rows.fields {
            let name = Array(text(field))
            if !columns.add(name) && repeated == nil { repeated = (field, name) }
        }
        // First what is missing: a row of data in the header's place may well repeat itself.
        if let missing = columns.missing {
            throw DecodeFault(
                code: "column_missing",
                message: "The header row lacks a column." + Self.hint,
                offset: rows.offset, line: rows.line, path: "\(missing.name)")
        }
        if let repeated {
            let known = CSVColumn.allCases.first { repeated.name.span.equals($0.name) }
            throw DecodeFault(
                code: "column_repeated", message: "The header row names a column twice.",
                offset: repeated.field.start, line: rows.line, path: known.map { "\($0.name)" })
        }
        rows.fieldCount = rows.fields.count
    }

    // MARK: Fields

    private func field(_ column: CSVColumn) -> CSVField { rows.fields[columns.fields[column.rawValue]] }

    private func text(_ field: CSVField) -> ArraySlice<UInt8> {
        field.hasEscapes ? rows.unescaped(field)[...] : content[field.range]
    }

    private func text(_ column: CSVColumn) -> ArraySlice<UInt8> { text(field(column)) }

    private func fault(_ code: String, _ message: String, _ column: CSVColumn) -> DecodeFault {
        DecodeFault(
            code: code, message: message, offset: field(column).start, line: rows.line, path: "\(column.name)")
    }

    /// A time and whether columns and offset give its text back.
    private func time(_ column: CSVColumn) throws(DecodeFault) -> (time: ReadTime, isPlain: Bool)? {
        let field = field(column)
        guard !field.isEmpty else { return nil }
        guard !field.hasEscapes, let time = Timestamp.parse(content[field.range].span) else {
            throw fault("time_invalid", "A time is no date and time of RFC 3339.", column)
        }
        if time.isUTC { return (time, time.isPlain) }
        let isPlain = time.offsetMinutes != nil && hasPlainClock(content[field.range].span)
        return (time, isPlain)
    }

    /// The number of `value`.
    private mutating func number() throws(DecodeFault) -> JSONNumber {
        let field = field(.value)
        do throws(JSONFault) { return try numbers.number(in: field.range) } catch {
            let message = error.reason == .syntax ? "A number is not written as JSON writes one." : error.message
            throw fault("number_invalid", message, .value)
        }
    }

    /// `source` or `device` without the apostrophe that the sender's rule puts in front.
    private func unquoted(_ column: CSVColumn) -> ArraySlice<UInt8> {
        let text = text(column)
        guard text.first == UInt8(ascii: "'") else { return text }
        return switch text.dropFirst().first {
        case UInt8(ascii: "="), UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "@"), UInt8(ascii: "\t"),
            UInt8(ascii: "\r"):
            text.dropFirst()
        default: text
        }
    }

    // MARK: Rows

    private mutating func readRow() throws(DecodeFault) {
        let typeField = field(.type), name = text(.valueName)
        let isDeletion =
            name.equals("deleted") && field(.start).isEmpty && field(.end).isEmpty && field(.value).isEmpty
        var type: (index: BatchIndex, rule: TypeRule)?
        if !(isDeletion && typeField.isEmpty) {
            type = writer.type(text(typeField))
            guard type != nil else {
                throw fault(
                    "field_invalid",
                    "`type` is not a small letter and 1 to 63 small letters, digits or underscores.", .type)
            }
        }
        guard let key = writer.key(text(.uuid)) else {
            throw fault(
                "key_invalid", "`uuid` is not 1 to \(SampleKey.maximumTextBytes) bytes without NUL.", .uuid)
        }
        guard let type, !isDeletion else {
            return writer.append(DeletionRecord(key: key, type: type?.index ?? -1))
        }
        var record = writer.record(key, kind(type.rule, hasName: !name.isEmpty))
        try takeTimes(&record)
        try takeValue(type.index, name, &record)
        writer.takeSource(app: unquoted(.source), device: unquoted(.device), &record)
        try takeUserEntered()
        takeExtras()
        writer.append(record)
    }

    private func kind(_ rule: TypeRule, hasName: Bool) -> SampleKind {
        if case .kind(let kind) = rule { return kind }
        return hasName ? .category : field(.value).isEmpty ? .other : .quantity
    }

    private mutating func takeTimes(_ record: inout SampleRecord) throws(DecodeFault) {
        let start = try time(.start), end = try time(.end)
        if let start {
            record.start = start.time.timestamp
            if !start.time.isUTC { record.utcOffsetMinutes = start.time.offsetMinutes }
            if !start.isPlain {
                writer.add("start", text: text(.start))
                record.spelled.insert(.start)
            }
        }
        if let end {
            record.end = end.time.timestamp
            let offset = end.time.isUTC ? nil : end.time.offsetMinutes
            if !end.isPlain || offset != record.utcOffsetMinutes {
                writer.add("end", text: text(.end))
                record.spelled.insert(.end)
            }
        }
    }

    private mutating func takeValue(
        _ type: BatchIndex, _ name: ArraySlice<UInt8>, _ record: inout SampleRecord
    ) throws(DecodeFault) {
        let value = field(.value)
        if record.kind == .workout {
            let unit = text(.unit)
            guard unit.isEmpty || unit.equals("s") else {
                throw fault("field_invalid", "The `unit` of a workout's duration is not `s`.", .unit)
            }
            record.series = writer.workoutSeries(type)
        } else {
            record.series = writer.series(type: type, unit: text(.unit), &record)
        }
        switch record.kind {
        case .quantity:
            writer.takeNumber(try number(), json: content[value.range], member: "value", spelled: .value, &record)
        case .workout:
            if !value.isEmpty {
                writer.takeNumber(
                    try number(), json: content[value.range], member: "duration_s", spelled: .value, &record)
            }
            if !name.isEmpty { writer.takeName(name, member: "activity", spelled: .valueName, &record) }
        case .category:
            try takeNamed(name, &record)
            if value.isEmpty { record.value = writer.categoryValue(type: type, name: record.valueName) }
        case .characteristic:
            takeCharacteristicName()
            if name.isEmpty { try takeUnnamed(value, &record) } else { try takeNamed(name, &record) }
        default:
            if !value.isEmpty { writer.add("value", text: text(value)) }
            if !name.isEmpty { writer.add("value_name", text: name) }
        }
    }

    /// A value's name, with HealthKit's number where there is one.
    private mutating func takeNamed(_ name: ArraySlice<UInt8>, _ record: inout SampleRecord) throws(DecodeFault) {
        writer.takeName(name, member: "value", spelled: .value, &record)
        let value = field(.value)
        guard !value.isEmpty else { return }
        writer.takeNumber(try number(), json: content[value.range], member: "raw_value", spelled: [], &record)
    }

    /// A characteristic's value without a name: a number, or a text such as a date.
    private mutating func takeUnnamed(_ value: CSVField, _ record: inout SampleRecord) throws(DecodeFault) {
        guard !value.isEmpty else { return }
        // A date, or whatever else the phone says of it: the contract fixes no form.
        guard !value.hasEscapes, let number = try? number() else {
            return writer.takeName(text(value), member: "value", spelled: .value, &record)
        }
        writer.takeNumber(number, json: content[value.range], member: "value", spelled: .value, &record)
    }

    /// The native object names the characteristic; here its key does.
    private mutating func takeCharacteristicName() {
        let key = text(.uuid), prefix = "characteristic:".utf8
        guard key.starts(with: prefix), key.count > prefix.count else { return }
        writer.add("name", text: key.dropFirst(prefix.count))
    }

    private mutating func takeUserEntered() throws(DecodeFault) {
        let text = text(.userEntered)
        guard !text.isEmpty else { return }
        guard text.equals("true") || text.equals("false") else {
            throw fault("field_invalid", "`user_entered` is neither true nor false.", .userEntered)
        }
        writer.add("user_entered", json: text)
    }

    private mutating func takeExtras() {
        guard !columns.extras.isEmpty else { return }
        var nested: [(name: ArraySlice<UInt8>, text: ArraySlice<UInt8>)] = []
        for extra in columns.extras where !rows.fields[extra.field].isEmpty {
            let value = text(rows.fields[extra.field])
            if extra.isNested {
                nested.append((extra.name[...], value))
            } else {
                writer.add(extra.name, text: value)
            }
        }
        if !nested.isEmpty { writer.addObject("columns", texts: nested) }
    }
}

/// Whether all of an RFC 3339 time but its zone is written as the store gives it back: `T`, no leap second, a fraction of at
/// most six digits and only as many as it needs.
///
/// - Parameter text: a time that `Timestamp.parse` takes.
func hasPlainClock(_ text: Span<UInt8>) -> Bool {
    guard text[10] == UInt8(ascii: "T"), text[17] != UInt8(ascii: "6") else { return false }
    guard text[19] == UInt8(ascii: ".") else { return true }
    var at = 20
    while isDigit(text[at]) { at += 1 }
    return at <= 26 && text[at - 1] != UInt8(ascii: "0")
}
