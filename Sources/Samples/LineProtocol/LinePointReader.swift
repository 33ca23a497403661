import Wire

/// Reads one body in line protocol front to back.
struct LinePointReader: ~Copyable {
    /// A tag with its escapes resolved.
    private struct Tag {
        var key: ArraySlice<UInt8>
        var value: ArraySlice<UInt8>
        /// Of the key in the body.
        var offset: Int
    }

    private var points: LineProtocolReader
    /// Reads single numbers of the body.
    private var numbers: JSONScanner
    private let content: ArraySlice<UInt8>
    private let limits: JSONLimits
    private var writer: RowWriter
    private var name = NameUUID()
    private var hasPoints = false

    // The point in the making.
    private var tags: [Tag] = []
    /// By key, so that a field that is there twice counts once, in the order of first appearance.
    private var fields: [(key: ArraySlice<UInt8>, field: LineField)] = []

    init(
        _ points: consuming LineProtocolReader, _ numbers: consuming JSONScanner, _ content: ArraySlice<UInt8>,
        limits: JSONLimits, catalog: Catalog
    ) {
        writer = RowWriter(catalog: catalog)
        self.points = points
        self.numbers = numbers
        self.content = content
        self.limits = limits
        // A line is rarely shorter; what the guess misses costs one copy.
        writer.reserve(samples: min(8_192, content.count / 80))
    }

    mutating func takeBody() -> DecodedBody { DecodedBody(isTest: !hasPoints, batch: writer.batch) }

    mutating func readBody() throws(DecodeFault) {
        while try nextPoint() {
            hasPoints = true
            try takeTags()
            takeFields()
            try readPoint()
        }
    }

    private mutating func nextPoint() throws(DecodeFault) -> Bool {
        do throws(LineFault) { return try points.next() } catch {
            let code: String, path: String?
            switch error.reason {
            case .tooLong: (code, path) = ("line_too_long", nil)
            case .timestampMissing: (code, path) = ("timestamp_missing", "timestamp")
            case .timestampInvalid: (code, path) = ("time_invalid", "timestamp")
            case .numberInvalid: (code, path) = ("number_invalid", error.field.flatMap { knownName($0) })
            case .measurementMissing: (code, path) = ("line_invalid", "measurement")
            default: (code, path) = ("line_invalid", error.field.flatMap { knownName($0) })
            }
            // A first line that is none is most often a body of another format.
            let hint =
                hasPoints || code != "line_invalid" ? "" : " X-Syncky-Format says that the body is line protocol."
            throw DecodeFault(
                code: code, message: error.message + hint, offset: error.offset, line: error.line, path: path)
        }
    }

    /// The name of a field that the format has.
    private func knownName(_ key: LineToken) -> String? {
        let text = text(key)
        return LineFieldName.allCases.first { text.equals($0.name) }.map { "\($0.name)" }
    }

    // MARK: Parts of a point

    private func text(_ token: LineToken, isString: Bool = false) -> ArraySlice<UInt8> {
        token.hasEscapes
            ? points.unescaped(token, isString: isString)[...] : content[token.range]
    }

    /// Resolves the tags and sorts them by key.
    private mutating func takeTags() throws(DecodeFault) {
        tags.removeAll(keepingCapacity: true)
        for tag in points.tags {
            tags.append(Tag(key: text(tag.key), value: text(tag.value), offset: tag.key.offset))
        }
        guard tags.count > 1 else { return }
        tags.sort { $0.key.lexicographicallyPrecedes($1.key) }
        for index in tags.indices.dropFirst() where tags[index].key == tags[index - 1].key {
            throw DecodeFault(
                code: "tag_repeated", message: "A line has a tag twice.",
                offset: max(tags[index].offset, tags[index - 1].offset), line: points.line)
        }
    }

    private func tag(_ key: StaticString) -> ArraySlice<UInt8>? { tags.first { $0.key.equals(key) }?.value }

    /// Resolves the fields' keys; of a key that is there twice the last value counts.
    private mutating func takeFields() {
        fields.removeAll(keepingCapacity: true)
        // A few are compared with each other, many by a table: a line may hold thousands.
        var places: [ArraySlice<UInt8>: Int] = [:]
        let isTabled = points.fields.count > 8
        for field in points.fields {
            let key = text(field.key)
            let place = isTabled ? places[key] : fields.firstIndex { $0.key == key }
            if let place {
                fields[place].field = field
            } else {
                if isTabled { places[key] = fields.count }
                fields.append((key, field))
            }
        }
    }

    private func field(_ name: LineFieldName) -> LineField? { fields.first { $0.key.equals(name.name) }?.field }

    // MARK: Points

    private mutating func readPoint() throws(DecodeFault) {
        let measurement =
            points.measurement.hasEscapes
            ? points.unescaped(points.measurement, isMeasurement: true)[...]
            : content[points.measurement.range]
        guard let type = writer.type(measurement) else {
            throw DecodeFault(
                code: "field_invalid",
                message: "A measurement is not a small letter and 1 to 63 small letters, digits or underscores.",
                offset: points.offset, line: points.line, path: "measurement")
        }
        var record = writer.record(key(measurement), kind(type.rule))
        takeStart(&record)
        if record.kind == .workout {
            record.series = writer.workoutSeries(type.index)
            if let activity = tag("activity") {
                writer.takeName(activity, member: "activity", spelled: .valueName, &record)
            }
        } else {
            record.series = writer.series(type: type.index, unit: tag("unit"), &record)
        }
        writer.takeSource(app: tag("source"), device: tag("device"), &record)
        let taken = try takeValue(type.index, &record)
        try takeOtherFields(taken)
        takeOtherTags(isWorkout: record.kind == .workout)
        writer.append(record)
    }

    private mutating func key(_ measurement: ArraySlice<UInt8>) -> SampleKey {
        name.reset()
        name.add("influx".utf8)
        name.add(measurement)
        for tag in tags {
            name.add(tag.key)
            name.add(tag.value)
        }
        name.add(points.timestamp)
        return name.key
    }

    private func kind(_ rule: TypeRule) -> SampleKind {
        if case .kind(let kind) = rule { return kind }
        if field(.valueName)?.kind == .string { return .category }
        guard let value = field(.value) else { return .other }
        return value.isNumber ? .quantity : value.kind == .string ? .category : .other
    }

    private mutating func takeStart(_ record: inout SampleRecord) {
        let nanoseconds = points.timestamp
        record.start = Timestamp(microseconds: floorDivide(nanoseconds, 1_000).quotient)
        guard !nanoseconds.isMultiple(of: 1_000) else { return }
        let (seconds, fraction) = floorDivide(nanoseconds, 1_000_000_000)
        let digits = String(1_000_000_000 + fraction).dropFirst()
        let clock = Timestamp(microseconds: seconds * 1_000_000).text.dropLast()  // the Z
        writer.add("start", text: Array("\(clock).\(digits)Z".utf8)[...])
        record.spelled.insert(.start)
    }

    private func floorDivide(_ value: Int64, _ divisor: Int64) -> (quotient: Int64, remainder: Int64) {
        let (quotient, remainder) = value.quotientAndRemainder(dividingBy: divisor)
        return remainder < 0 ? (quotient - 1, remainder + divisor) : (quotient, remainder)
    }

    /// Takes the fields that columns hold.
    ///
    /// - Returns: those that were taken.
    private mutating func takeValue(
        _ type: BatchIndex, _ record: inout SampleRecord
    ) throws(DecodeFault) -> [LineFieldName] {
        switch record.kind {
        case .workout:
            guard let duration = field(.duration), duration.isNumber else {
                if field(.duration) != nil { record.spelled.insert(.value) }
                return []
            }
            try takeNumber(duration, .duration, member: "duration_s", spelled: .value, &record)
            return [.duration]
        case .quantity:
            guard let value = field(.value) else { return [] }
            try takeNumber(value, .value, member: "value", spelled: .value, &record)
            return [.value]
        case .category:
            guard let name = field(.valueName), name.kind == .string else {
                guard let name = field(.value) else { return [] }
                writer.takeName(text(name.value, isString: true), member: "value", spelled: .value, &record)
                record.value = writer.categoryValue(type: type, name: record.valueName)
                return [.value]
            }
            writer.takeName(text(name.value, isString: true), member: "value", spelled: .value, &record)
            guard let value = field(.value) else {
                record.value = writer.categoryValue(type: type, name: record.valueName)
                return [.valueName]
            }
            if value.isNumber {
                try takeNumber(value, .value, member: "raw_value", spelled: [], &record)
            } else {
                // The body's `value` is the name.
                writer.add("raw_value", json: try json(value))
                record.value = writer.categoryValue(type: type, name: record.valueName)
            }
            return [.value, .valueName]
        default: return []
        }
    }

    private mutating func takeNumber(
        _ field: LineField, _ name: LineFieldName, member: StaticString, spelled: SpelledMembers,
        _ record: inout SampleRecord
    ) throws(DecodeFault) {
        let (number, json) = try number(field)
        writer.takeNumber(number, json: json[...], member: member, spelled: spelled, &record)
    }

    /// A number's double and its digits as JSON writes them.
    private mutating func number(_ field: LineField) throws(DecodeFault) -> (JSONNumber, ArraySlice<UInt8>) {
        let respelled = points.respelledNumber(field)
        do throws(JSONFault) {
            if respelled.isEmpty {
                return (try numbers.number(in: field.value.range), content[field.value.range])
            }
            var scanner = JSONScanner(PaddedBytes(respelled), at: 0, limits: limits)
            return (try scanner.number(in: 0..<respelled.count), respelled[...])
        } catch {
            throw DecodeFault(
                code: "number_invalid", message: error.message, offset: field.value.offset, line: points.line,
                path: knownName(field.key))
        }
    }

    /// A field's value as JSON writes it.
    private mutating func json(_ field: LineField) throws(DecodeFault) -> ArraySlice<UInt8> {
        switch field.kind {
        case .boolean(let truth): return Array("\(truth)".utf8)[...]
        case .string:
            var quoted: [UInt8] = []
            quoted.append(quoted: text(field.value, isString: true))
            return quoted[...]
        default: return try number(field).1
        }
    }

    // MARK: The rest

    /// Members of a sample's body that come from columns, or hold what has no place at its top.
    private static let taken: [StaticString] = [
        "uuid", "type", "unit", "start", "end", "source", "part", "activity", "raw_value", "tags", "fields",
    ]

    private mutating func takeOtherFields(_ columns: [LineFieldName]) throws(DecodeFault) {
        guard fields.count > columns.count else { return }
        var nested: [(key: ArraySlice<UInt8>, json: ArraySlice<UInt8>)] = []
        for (key, field) in fields where !columns.contains(where: { key.equals($0.name) }) {
            let value = try json(field)
            if Self.taken.contains(where: { key.equals($0) }) {
                nested.append((key, value))
            } else {
                writer.add(key, json: value)
            }
        }
        if !nested.isEmpty { writer.addObject("fields", nested.map { ($0.key, $0.json) }) }
    }

    private mutating func takeOtherTags(isWorkout: Bool) {
        let others = tags.filter { tag in
            if tag.key.equals("source") || tag.key.equals("device") { return false }
            return !tag.key.equals(isWorkout ? "activity" : "unit")
        }
        guard !others.isEmpty else { return }
        writer.addObject("tags", texts: others.map { ($0.key, $0.value) })
    }
}
