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

    /// What a measurement and its tags say, which is the same for all points that have them.
    private struct Head {
        var type: BatchIndex
        var rule: TypeRule
        /// With what the head alone tells.
        var record: SampleRecord
        /// All of the key but the timestamp.
        var name: NameUUID
        /// Members for `rest`: those between the start and the value, and the tags that have no place elsewhere.
        var members: [UInt8]
        var otherTags: [UInt8]
    }

    /// The key of a field.
    private enum FieldName: Hashable {
        case known(LineFieldName)
        case other(ArraySlice<UInt8>)
    }

    private var points: LineProtocolReader
    /// Reads single numbers of the body.
    private var numbers: JSONScanner
    private let content: ArraySlice<UInt8>
    private let limits: JSONLimits
    private var writer: RowWriter
    private let name = NameUUID()
    private var hasPoints = false
    /// By the number that the reader gives them.
    private var heads: [Head] = []

    /// Of the point in the making, by key, so that a field that is there twice counts once, in the order of first
    /// appearance.
    private var fields: [(name: FieldName, field: LineField)] = []

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
            if points.isNewHead { try readHead() }
            takeFields()
            try readPoint(heads[points.head])
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
        guard case .known(let name) = fieldName(key) else { return nil }
        return "\(name.name)"
    }

    // MARK: Parts of a point

    private func text(_ token: LineToken, isString: Bool = false) -> ArraySlice<UInt8> {
        token.hasEscapes
            ? points.unescaped(token, isString: isString)[...] : content[token.range]
    }

    private func fieldName(_ key: LineToken) -> FieldName {
        let text = text(key)
        if let known = LineFieldName(text.span) { return .known(known) }
        return .other(text)
    }

    /// The tags with their escapes resolved, sorted by key.
    private func readTags() throws(DecodeFault) -> [Tag] {
        var tags = points.tags.map { Tag(key: text($0.key), value: text($0.value), offset: $0.key.offset) }
        tags.sort { $0.key.lexicographicallyPrecedes($1.key) }
        for index in tags.indices.dropFirst() where tags[index].key == tags[index - 1].key {
            throw DecodeFault(
                code: "tag_repeated", message: "A line has a tag twice.",
                offset: max(tags[index].offset, tags[index - 1].offset), line: points.line)
        }
        return tags
    }

    /// Resolves the fields' keys; of a key that is there twice the last value counts.
    private mutating func takeFields() {
        fields.removeAll(keepingCapacity: true)
        // A few are compared with each other, many by a table: a line may hold thousands.
        var places: [FieldName: Int] = [:]
        let isTabled = points.fields.count > 8
        for field in points.fields {
            let name = fieldName(field.key)
            let place = isTabled ? places[name] : fields.firstIndex { $0.name == name }
            if let place {
                fields[place].field = field
            } else {
                if isTabled { places[name] = fields.count }
                fields.append((name, field))
            }
        }
    }

    private func field(_ name: LineFieldName) -> LineField? { fields.first { $0.name == .known(name) }?.field }

    // MARK: Points

    /// Reads the head that the point has into its place.
    private mutating func readHead() throws(DecodeFault) {
        let tags = try readTags()
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
        func tag(_ key: StaticString) -> ArraySlice<UInt8>? { tags.first { $0.key.equals(key) }?.value }
        let isWorkout = type.rule == .kind(.workout)
        var record = writer.record(.uuid(high: 0, low: 0), .other)
        if isWorkout {
            record.series = writer.workoutSeries(type.index)
            if let activity = tag("activity") {
                writer.takeName(activity, member: "activity", spelled: .valueName, &record)
            }
        } else {
            record.series = writer.series(type: type.index, unit: tag("unit"), &record)
        }
        writer.takeSource(app: tag("source"), device: tag("device"), &record)
        let members = writer.takeMembers()
        takeOtherTags(tags, isWorkout: isWorkout)
        let head = Head(
            type: type.index, rule: type.rule, record: record, name: name(measurement, tags), members: members,
            otherTags: writer.takeMembers())
        if points.head < heads.count { heads[points.head] = head } else { heads.append(head) }
    }

    private func name(_ measurement: ArraySlice<UInt8>, _ tags: [Tag]) -> NameUUID {
        var name = name
        name.add("influx".utf8)
        name.add(measurement)
        for tag in tags {
            name.add(tag.key)
            name.add(tag.value)
        }
        return name
    }

    private mutating func readPoint(_ head: borrowing Head) throws(DecodeFault) {
        var record = head.record
        record.key = head.name.key(adding: points.timestamp)
        record.kind = kind(head.rule)
        takeStart(&record)
        writer.add(members: head.members)
        let taken = try takeValue(head.type, &record)
        try takeOtherFields(taken)
        writer.add(members: head.otherTags)
        writer.append(record)
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
    ) throws(DecodeFault) -> LineFieldNames {
        switch record.kind {
        case .workout:
            guard let duration = field(.duration), duration.isNumber else {
                if field(.duration) != nil { record.spelled.insert(.value) }
                return []
            }
            try takeNumber(duration, .duration, member: "duration_s", spelled: .value, &record)
            return LineFieldNames(.duration)
        case .quantity:
            guard let value = field(.value) else { return [] }
            try takeNumber(value, .value, member: "value", spelled: .value, &record)
            return LineFieldNames(.value)
        case .category:
            guard let name = field(.valueName), name.kind == .string else {
                guard let name = field(.value) else { return [] }
                writer.takeName(text(name.value, isString: true), member: "value", spelled: .value, &record)
                record.value = writer.categoryValue(type: type, name: record.valueName)
                return LineFieldNames(.value)
            }
            writer.takeName(text(name.value, isString: true), member: "value", spelled: .value, &record)
            guard let value = field(.value) else {
                record.value = writer.categoryValue(type: type, name: record.valueName)
                return LineFieldNames(.valueName)
            }
            if value.isNumber {
                try takeNumber(value, .value, member: "raw_value", spelled: [], &record)
            } else {
                // The body's `value` is the name.
                writer.add("raw_value", json: try json(value))
                record.value = writer.categoryValue(type: type, name: record.valueName)
            }
            return [LineFieldNames(.value), LineFieldNames(.valueName)]
        default: return []
        }
    }

    private mutating func takeNumber(
        _ field: LineField, _ name: LineFieldName, member: StaticString, spelled: SpelledMembers,
        _ record: inout SampleRecord
    ) throws(DecodeFault) {
        let (number, respelled) = try number(field)
        writer.takeNumber(
            number, json: respelled.isEmpty ? content[field.value.range] : respelled[...], member: member,
            spelled: spelled, &record)
    }

    /// A number's double, and its digits as JSON writes them where that is not as they stand.
    private mutating func number(_ field: LineField) throws(DecodeFault) -> (JSONNumber, respelled: [UInt8]) {
        let respelled = points.respelledNumber(field)
        do throws(JSONFault) {
            if respelled.isEmpty { return (try numbers.number(in: field.value.range), []) }
            var scanner = JSONScanner(PaddedBytes(respelled), at: 0, limits: limits)
            return (try scanner.number(in: 0..<respelled.count), respelled)
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
        default:
            let respelled = try number(field).respelled
            return respelled.isEmpty ? content[field.value.range] : respelled[...]
        }
    }

    // MARK: The rest

    /// Members of a sample's body that come from columns, or hold what has no place at its top.
    private static let taken: [StaticString] = [
        "uuid", "type", "unit", "start", "end", "source", "part", "activity", "raw_value", "tags", "fields",
    ]

    private mutating func takeOtherFields(_ columns: LineFieldNames) throws(DecodeFault) {
        guard fields.count > columns.count else { return }
        var nested: [(name: ArraySlice<UInt8>, json: ArraySlice<UInt8>)] = []
        for (name, field) in fields {
            switch name {
            case .known(let known) where columns.contains(LineFieldNames(known)): continue
            case .known(let known): writer.add(known.name, json: try json(field))
            case .other(let key):
                let value = try json(field)
                if Self.taken.contains(where: { key.equals($0) }) {
                    nested.append((key, value))
                } else {
                    writer.add(key, json: value)
                }
            }
        }
        if !nested.isEmpty { writer.addObject("fields", nested) }
    }

    private mutating func takeOtherTags(_ tags: [Tag], isWorkout: Bool) {
        let others = tags.filter { tag in
            if tag.key.equals("source") || tag.key.equals("device") { return false }
            return !tag.key.equals(isWorkout ? "activity" : "unit")
        }
        guard !others.isEmpty else { return }
        writer.addObject("tags", texts: others.map { ($0.key, $0.value) })
    }
}
