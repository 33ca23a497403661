import Wire

/// Fills a batch for the dialects whose samples are rows of texts (CSV and line protocol), by the rules that the native
/// dialect has: what a column holds, what stays in `rest`, which keys and types there are.
struct RowWriter {
    private(set) var batch = SampleBatch()
    private let catalog: Catalog
    /// Members for `rest` of the sample in the making.
    private var rest: [UInt8] = []
    /// The last source that columns hold whole; most rows have the source of the one before. -1 when there was none.
    private var latestSource: BatchIndex = -1
    /// What is known of the types met so far, by index of their text.
    private var typeRules: [TypeRule] = []
    /// The last type and raw value that each value name had, by index of its text.
    private var categoryValues: [(type: BatchIndex, raw: Double?)] = []

    init(catalog: Catalog) { self.catalog = catalog }

    // MARK: Columns

    /// The index and rule of a type; nil when it is not `^[a-z][a-z0-9_]{1,63}$`.
    mutating func type(_ text: ArraySlice<UInt8>) -> (index: BatchIndex, rule: TypeRule)? {
        let index = batch.intern(text.span)
        while typeRules.count <= Int(index) { typeRules.append(.notLookedAt) }
        if typeRules[Int(index)] == .notLookedAt {
            typeRules[Int(index)] = TypeRule(text.span)
        }
        let rule = typeRules[Int(index)]
        return rule == .invalid ? nil : (index, rule)
    }

    /// A key: a uuid, or text of 1 to 256 bytes without NUL; nil for anything else.
    mutating func key(_ text: ArraySlice<UInt8>) -> SampleKey? {
        if let key = SampleKey.uuid(parsing: text.span) { return key }
        guard 1...SampleKey.maximumTextBytes ~= text.count, !text.contains(0) else { return nil }
        return .text(batch.append(text))
    }

    /// Interns a text for a column; nil when no column holds it: empty, longer than 1,024 bytes, or with a NUL.
    mutating func column(_ text: ArraySlice<UInt8>) -> BatchIndex? {
        guard 1...NativeReader.maximumTextBytes ~= text.count, !text.contains(0) else { return nil }
        return batch.intern(text.span)
    }

    /// The series of a type and the unit that the sender names, which stays in `rest` where no column holds it.
    mutating func series(type: BatchIndex, unit: ArraySlice<UInt8>?, _ record: inout SampleRecord) -> BatchIndex {
        guard let unit, !unit.isEmpty else { return batch.series(type: type, unit: -1) }
        if let latest = batch.latestSeries(type: type, unit: unit.span) { return latest }
        let index = column(unit)
        if index == nil {
            add("unit", text: unit)
            record.spelled.insert(.unit)
        }
        return batch.series(type: type, unit: index ?? -1)
    }

    /// The series of workouts: durations in seconds.
    mutating func workoutSeries(_ type: BatchIndex) -> BatchIndex {
        batch.series(type: type, unit: batch.intern("s".utf8))
    }

    /// Takes the app and device that a sample came from; empty is as good as nil.
    mutating func takeSource(app: ArraySlice<UInt8>?, device: ArraySlice<UInt8>?, _ record: inout SampleRecord) {
        let app = app ?? [], device = device ?? []
        if latestSource >= 0, case let latest = batch.sources[Int(latestSource)], batch.hasText(latest.app, app.span),
            batch.hasText(latest.device, device.span)
        {
            record.source = latestSource
            return
        }
        var isWhole = true
        func index(_ text: ArraySlice<UInt8>) -> BatchIndex {
            guard !text.isEmpty else { return -1 }
            if let index = column(text) { return index }
            isWhole = false
            return -1
        }
        let appIndex = index(app), deviceIndex = index(device)
        if appIndex >= 0 || deviceIndex >= 0 { record.source = batch.source(app: appIndex, device: deviceIndex) }
        guard !isWhole else {
            latestSource = record.source
            return
        }
        record.spelled.insert(.source)
        var members: [(name: ArraySlice<UInt8>, text: ArraySlice<UInt8>)] = []
        if !app.isEmpty { members.append((Array("app".utf8)[...], app)) }
        if !device.isEmpty { members.append((Array("device".utf8)[...], device)) }
        addObject("source", texts: members)
    }

    /// Takes the name of a category's or characteristic's value or of a workout's activity, which stays in `rest` as
    /// `member` where no column holds it.
    mutating func takeName(
        _ text: ArraySlice<UInt8>, member: StaticString, spelled: SpelledMembers, _ record: inout SampleRecord
    ) {
        if let index = column(text) {
            record.valueName = index
        } else {
            add(member, text: text)
            record.spelled.insert(spelled)
        }
    }

    /// Takes a number for the column `value`; one that no double holds exactly stays in `rest` too, as `member`.
    ///
    /// - Parameter json: the number as JSON writes it.
    mutating func takeNumber(
        _ number: JSONNumber, json: @autoclosure () -> ArraySlice<UInt8>, member: StaticString, spelled: SpelledMembers,
        _ record: inout SampleRecord
    ) {
        record.value = number.value
        guard !number.isExact else { return }
        add(member, json: json())
        record.spelled.formUnion(spelled)
    }

    /// HealthKit's number for a category's value name, looked up again only when the name came with another type.
    mutating func categoryValue(type: BatchIndex, name: BatchIndex) -> Double? {
        guard name >= 0 else { return nil }
        while categoryValues.count <= Int(name) { categoryValues.append((-1, nil)) }
        if categoryValues[Int(name)].type != type {
            let raw = catalog.categoryValue(type: batch.text(type), name: batch.text(name))
            categoryValues[Int(name)] = (type, raw)
        }
        return categoryValues[Int(name)].raw
    }

    // MARK: Records

    mutating func reserve(samples: Int) { batch.samples.reserveCapacity(samples) }

    /// A record without anything but its key, type's series to be set.
    func record(_ key: SampleKey, _ kind: SampleKind) -> SampleRecord {
        SampleRecord(
            key: key, start: .none, end: .none, value: nil, series: -1, source: -1, valueName: -1, part: 0, kind: kind,
            spelled: [], rest: .empty)
    }

    /// Adds the record with the members that were added for its `rest`.
    mutating func append(_ record: SampleRecord) {
        var record = record
        if !rest.isEmpty {
            record.rest = batch.append(rest)
            rest.removeAll(keepingCapacity: true)
        }
        batch.samples.append(record)
    }

    mutating func append(_ deletion: DeletionRecord) { batch.deletions.append(deletion) }

    // MARK: Members of `rest`

    /// Hands over the members that were added, so that the sample in the making has none.
    mutating func takeMembers() -> [UInt8] {
        defer { rest.removeAll() }
        return rest
    }

    /// Adds members that `takeMembers` gave.
    mutating func add(members: [UInt8]) {
        guard !members.isEmpty else { return }
        if !rest.isEmpty { rest.append(UInt8(ascii: ",")) }
        rest += members
    }

    /// Adds a member whose value is JSON text.
    mutating func add(_ name: StaticString, json: some Sequence<UInt8>) {
        rest.startMember(name)
        rest.append(contentsOf: json)
    }

    /// Adds a member whose value is a string.
    mutating func add(_ name: StaticString, text: ArraySlice<UInt8>) {
        rest.startMember(name)
        rest.append(quoted: text)
    }

    mutating func add(_ name: some Sequence<UInt8>, text: ArraySlice<UInt8>) {
        rest.startMember(name)
        rest.append(quoted: text)
    }

    mutating func add(_ name: some Sequence<UInt8>, json: some Sequence<UInt8>) {
        rest.startMember(name)
        rest.append(contentsOf: json)
    }

    /// Adds a member whose value is an object of the members, each of which has JSON text as its value.
    mutating func addObject(_ name: StaticString, _ members: [(name: ArraySlice<UInt8>, json: ArraySlice<UInt8>)]) {
        var object: [UInt8] = []
        for member in members {
            object.startMember(member.name)
            object.append(contentsOf: member.json)
        }
        add(name, json: [UInt8(ascii: "{")] + object + [UInt8(ascii: "}")])
    }

    /// Adds a member whose value is an object of strings.
    mutating func addObject(_ name: StaticString, texts: [(name: ArraySlice<UInt8>, text: ArraySlice<UInt8>)]) {
        addObject(
            name,
            texts.map {
                var quoted: [UInt8] = []
                quoted.append(quoted: $0.text)
                return ($0.name, quoted[...])
            })
    }
}

extension ArraySlice<UInt8> {
    /// Whether it holds the bytes of `word`, which must be ASCII.
    func equals(_ word: StaticString) -> Bool { span.equals(word) }
}

extension [UInt8] {
    /// Appends a comma where something is in front, a member's name and a colon.
    fileprivate mutating func startMember(_ name: some Sequence<UInt8>) {
        if !isEmpty { append(UInt8(ascii: ",")) }
        append(quoted: name)
        append(UInt8(ascii: ":"))
    }

    /// The same for a name that needs no escape.
    mutating func startMember(_ name: StaticString) {
        if !isEmpty { append(UInt8(ascii: ",")) }
        append(UInt8(ascii: "\""))
        unsafe append(contentsOf: UnsafeBufferPointer(start: name.utf8Start, count: name.utf8CodeUnitCount))
        append(UInt8(ascii: "\""))
        append(UInt8(ascii: ":"))
    }

    /// Appends a JSON string (RFC 8259 section 7), escaped where JSON asks for it and nowhere else.
    mutating func append(quoted text: some Sequence<UInt8>) {
        append(UInt8(ascii: "\""))
        for byte in text {
            switch byte {
            case UInt8(ascii: "\""), UInt8(ascii: "\\"): append(contentsOf: [UInt8(ascii: "\\"), byte])
            case UInt8(ascii: "\n"): append(contentsOf: "\\n".utf8)
            case UInt8(ascii: "\r"): append(contentsOf: "\\r".utf8)
            case UInt8(ascii: "\t"): append(contentsOf: "\\t".utf8)
            case 0..<0x20:
                append(contentsOf: byte < 0x10 ? "\\u000".utf8 : "\\u001".utf8)
                append(contentsOf: String(byte & 15, radix: 16).utf8)
            default: append(byte)
            }
        }
        append(UInt8(ascii: "\""))
    }
}
