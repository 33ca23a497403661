import Wire

/// What the columns of a record are to hold.
private struct RelayDraft {
    var kind: SampleKind
    var type: [UInt8]
    var unit: [UInt8]?
    var value: Double?
    var valueName: [UInt8]?
    /// Where the values begin that columns give back as they were sent.
    var held: Set<Int> = []
    /// The number is not in the type's own unit, since the sender's is none that we know.
    var isUnconverted = false

    init(_ kind: SampleKind, _ type: [UInt8]) {
        self.kind = kind
        self.type = type
    }

    mutating func hold(_ member: RelayObject.Member?) {
        if let member { held.insert(member.range.lowerBound) }
    }
}

/// The columns and `rest` of a record hold the sender's object by these rules:
///
/// - `source`, `unit`, `value`, `start` and `end` are in the columns alone where those give back what was sent, and else in
///   `rest` as well, as `relay_source` and so on. Every other member is in `rest` as it was sent.
/// - The value of a metric is the first that it has of `value`, `qty`, `sum`, `avg`, `latest`; then `max` or `min` where
///   the other is missing. In the unit that Syncky has for the type where the sender's can be converted to it; `%` counts
///   hundredths, as in the format of Health Auto Export.
/// - A record that tells a day alone is from its midnight to the next, and has `"grain":"day"`.
extension RelayReader {
    mutating func makeRecord(
        _ object: RelayObject, _ json: borrowing JSONScanner, _ section: RelaySection, name: [UInt8]?, on day: Int32
    ) {
        let own = label(of: object, json, section)
        let label = own ?? name
        var draft = draft(object, json, section, label ?? [])
        var source: BatchIndex = -1
        let named = sourceName(object, json)
        if let named {
            source = batch.source(app: batch.intern(named.text), device: -1)
            if named.isWhole { draft.hold(object[.source]) }
        }
        let began = start(of: object)
        var start: Timestamp, end: Timestamp, offset: Int16
        if let began {
            start = began.date.timestamp
            let written = began.date.isZoneAssumed ? 0 : began.date.offsetMinutes
            // A time written in UTC tells nothing of where it was.
            offset = written != 0 ? written : zone.offsetMinutes(at: start)
            let ended = self.end(of: object)
            end = ended?.date.timestamp ?? .none
            if isPlain(began.member, json) { draft.hold(began.member) }
            if let ended, isPlain(ended.member, json) { draft.hold(ended.member) }
        } else {
            let local = Int64(day) * 86_400
            offset = zone.offsetMinutes(atLocalSeconds: local)
            start = Timestamp(microseconds: (local - Int64(offset) * 60) * 1_000_000).written
            let next = zone.offsetMinutes(atLocalSeconds: local + 86_400)
            end = Timestamp(microseconds: (local + 86_400 - Int64(next) * 60) * 1_000_000).written
        }
        rest.removeAll()
        for member in object.members {
            let isCanonical = json.withBytes(of: member.spelling) { spelling in
                draft.held.contains(member.range.lowerBound) && Self.columns.contains { spelling.equals($0) }
            }
            if !isCanonical { rest.add(member.spelling, member.range, of: body, json) }
        }
        if draft.isUnconverted { rest.add("unconverted", "true") }
        if began == nil { rest.add("grain", "\"day\"") }
        // The name that its list stands under, where nothing else says it: of a metric the type does.
        let isMetric = if case .metrics = section { true } else { false }
        if own == nil, !isMetric, let name,
            !object.members.contains(where: { json.withBytes(of: $0.spelling) { $0.equals("name") } })
        {
            rest.add("name", String(decoding: HAEReader.quoted(name), as: UTF8.self))
        }
        let unit = draft.unit.map { batch.intern($0) } ?? -1
        let series = batch.series(type: batch.intern(draft.type), unit: unit)
        let key = key(section, label ?? [], named?.text ?? [], day, began?.date.timestamp)
        add(
            SampleRecord(
                key: key, start: start, end: end, value: draft.value, series: series, source: source,
                valueName: draft.valueName.map { batch.intern($0) } ?? -1, part: 0, utcOffsetMinutes: offset,
                kind: draft.kind, spelled: [], grain: began == nil ? .day : .raw, rest: batch.append(rest.bytes)),
            on: day)
    }

    /// Members that a column shows under the same name.
    private static let columns: [StaticString] = ["source", "unit", "value", "start", "end"]

    /// Section, name, source, day, start (the least number where there is none), and how many such came before.
    private mutating func key(
        _ section: RelaySection, _ label: [UInt8], _ source: [UInt8], _ day: Int32, _ start: Timestamp?
    ) -> SampleKey {
        var name = NameUUID()
        name.add("relay".utf8)
        name.add(section.keyPart)
        name.add(HAEText.fold(label))
        name.add(source)
        name.add(Int64(day))
        name.add(start?.microseconds ?? .min)
        let count = occurrences[name.key, default: 0]
        occurrences[name.key] = count + 1
        return name.key(adding: count)
    }

    // MARK: Members

    private func text(_ member: RelayObject.Member?, _ json: borrowing JSONScanner) -> [UInt8]? {
        guard let text = member?.text else { return nil }
        return json.bytes(of: text)
    }

    /// The text when a column can hold it.
    private func column(_ text: [UInt8]) -> [UInt8]? { 1...1_024 ~= text.count && !text.contains(0) ? text : nil }

    /// What the record is about: the name of its metric, symptom or medicine, its activity.
    private func label(
        of object: RelayObject, _ json: borrowing JSONScanner, _ section: RelaySection
    ) -> [UInt8]? {
        let names: [RelayName] =
            switch section {
            case .workouts: [.activity, .name, .kind]
            case .heartRateNotifications: [.kind, .name]
            default: [.name, .kind]
            }
        for name in names {
            if let text = text(object[name], json), !text.isEmpty { return text }
        }
        return nil
    }

    /// A source's name, and whether that is all that was sent.
    private func sourceName(
        _ object: RelayObject, _ json: borrowing JSONScanner
    ) -> (text: [UInt8], isWhole: Bool)? {
        guard let member = object[.source] else { return nil }
        if let text = text(member, json) { return column(text).map { ($0, true) } }
        guard member.kind == .object else { return nil }
        var scanner = JSONScanner(body, at: member.range.lowerBound, limits: context.json)
        guard let inner = try? RelayObject(&scanner), let name = text(inner[.name], json) else { return nil }
        return column(name).map { ($0, false) }
    }

    private func isPlain(_ member: RelayObject.Member, _ json: borrowing JSONScanner) -> Bool {
        guard let text = member.text else { return false }
        return json.withBytes(of: text) { Timestamp.parse($0)?.isPlain == true }
    }

    private func number(_ member: RelayObject.Member?, _ json: borrowing JSONScanner) -> Double? {
        if let number = member?.number { return number.value.isFinite ? number.value : nil }
        return text(member, json).flatMap { HAENumber.parse($0) }
    }

    // MARK: Sections

    private func draft(
        _ object: RelayObject, _ json: borrowing JSONScanner, _ section: RelaySection, _ label: [UInt8]
    ) -> RelayDraft {
        switch section {
        case .metrics: return metric(object, json, label)
        case .workouts: return workout(object, json, label)
        case .symptoms: return category(object, json, type: categoryType(label) ?? Array("symptom".utf8))
        case .cycleTracking:
            return category(object, json, type: categoryType(label) ?? Array("cycle_tracking".utf8))
        case .sleep: return category(object, json, type: Array("sleep_analysis".utf8))
        case .electrocardiograms: return RelayDraft(.other, Array("electrocardiogram".utf8))
        case .stateOfMind: return RelayDraft(.stateOfMind, Array("state_of_mind".utf8))
        case .medications: return RelayDraft(.other, Array("medication_dose_event".utf8))
        case .heartRateNotifications:
            let event = HAEWords.heartEvent(HAEText.fold(Self.words(label))) ?? "heart_rate_notification"
            var draft = RelayDraft(.category, Array("\(event)".utf8))
            draft.valueName = Array("not_applicable".utf8)
            draft.value = context.catalog.categoryValue(type: draft.type, name: "not_applicable".utf8)
            return draft
        case .other(let name):
            var draft = RelayDraft(.other, HAEText.typeName(HAEText.fold(Self.words(name))) ?? Array("other".utf8))
            if let value = number(object[.value], json) {
                draft.kind = .quantity
                draft.value = value
            }
            return draft
        }
    }

    private func metric(_ object: RelayObject, _ json: borrowing JSONScanner, _ label: [UInt8]) -> RelayDraft {
        let known = type(named: label)
        let type =
            known.map { Array($0.name.utf8) } ?? HAEText.typeName(HAEText.fold(Self.words(label)))
            ?? column(HAEText.fold(label)) ?? Array("metric".utf8)
        // A stage of sleep and the like.
        if let known, known.kind == .category, object[.value]?.kind == .string,
            number(object[.value], json) == nil
        {
            return category(object, json, type: type)
        }
        let units = text(object[.unit], json).flatMap(column) ?? []
        let measure = HAEMeasure(units: units, type: known, in: context.catalog)
        var draft = RelayDraft(.quantity, type)
        draft.unit = measure.unit
        draft.isUnconverted = !measure.isKnown
        let sent = number(of: object, json)
        draft.value = sent.flatMap { measure.value($0.number) }
        // What was converted is in `rest` with its unit.
        let isSame = (measure.unit == units || units.isEmpty) && draft.value == sent?.number
        if isSame, !units.isEmpty { draft.hold(object[.unit]) }
        if isSame, let member = sent?.member, member.number?.isExact == true { draft.hold(member) }
        return draft
    }

    /// The number that stands for a metric.
    private func number(
        of object: RelayObject, _ json: borrowing JSONScanner
    ) -> (member: RelayObject.Member, number: Double)? {
        for name in [RelayName.value, .quantity, .sum, .average, .latest] {
            if let member = object[name], let number = number(member, json) { return (member, number) }
        }
        switch (object[.minimum], object[.maximum]) {
        case (nil, let most?): return number(most, json).map { (most, $0) }
        case (let least?, nil): return number(least, json).map { (least, $0) }
        default: return nil
        }
    }

    private func workout(_ object: RelayObject, _ json: borrowing JSONScanner, _ label: [UInt8]) -> RelayDraft {
        var draft = RelayDraft(.workout, Array("workout".utf8))
        draft.unit = Array("s".utf8)
        let activity = context.catalog.activity(healthAutoExport: HAEText.fold(Self.words(label))) ?? "other"
        draft.valueName = Array(activity.utf8)
        if let seconds = number(object[.duration], json), seconds >= 0 {
            draft.value = seconds
        } else if let start = start(of: object)?.date, let end = end(of: object)?.date, start.timestamp <= end.timestamp
        {
            draft.value = Double(end.timestamp.microseconds - start.timestamp.microseconds) / 1_000_000
        }
        return draft
    }

    private func category(_ object: RelayObject, _ json: borrowing JSONScanner, type: [UInt8]) -> RelayDraft {
        var draft = RelayDraft(.category, type)
        for name in [RelayName.severity, .value] {
            guard let member = object[name] else { continue }
            if let written = text(member, json), let plain = valueName(written, type: type) {
                draft.valueName = plain
                draft.value = context.catalog.categoryValue(type: type, name: plain)
                if draft.value == nil && plain.elementsEqual("present".utf8) {
                    draft.value = context.catalog.categoryValue(type: type, name: "unspecified".utf8)
                }
                if name == .value && written == plain { draft.hold(member) }
                return draft
            }
            if let number = number(member, json) {
                draft.value = number
                if let raw = Int(exactly: number) {
                    draft.valueName = context.catalog.categoryName(type: type, raw: raw).map { Array($0.utf8) }
                }
                return draft
            }
        }
        return draft
    }

    /// HealthKit's name for a value, as far as we know it.
    private func valueName(_ written: [UInt8], type: [UInt8]) -> [UInt8]? {
        let folded = HAEText.fold(Self.words(written))
        if type.elementsEqual("sleep_analysis".utf8), let stage = HAEWords.sleepStage(folded) {
            return Array("\(stage)".utf8)
        }
        return column(HAEWords.valueAlias(folded).map { Array("\($0)".utf8) } ?? folded)
    }

    // MARK: Names

    /// By HealthKit's identifier, a name of Health Auto Export or one of ours.
    private func type(named label: [UInt8]) -> CatalogType? {
        if let known = context.catalog.type(healthKit: label) { return known }
        let folded = HAEText.fold(Self.words(label))
        return context.catalog.type(healthAutoExport: folded) ?? context.catalog.type(named: folded)
    }

    private func categoryType(_ label: [UInt8]) -> [UInt8]? {
        if let known = context.catalog.type(healthKit: label), known.kind == .category { return Array(known.name.utf8) }
        let folded = HAEText.fold(Self.words(label))
        let type = HAEWords.typeAlias(folded).map { Array("\($0)".utf8) } ?? HAEText.typeName(folded)
        guard let type, let known = context.catalog.type(named: type), known.kind == .category else { return nil }
        return Array(known.name.utf8)
    }

    /// `stepCount` as `step_Count`: a small letter and a capital have a word's end between them.
    private static func words(_ name: [UInt8]) -> [UInt8] {
        var words: [UInt8] = []
        for byte in name {
            if UInt8(ascii: "A")...UInt8(ascii: "Z") ~= byte, let last = words.last,
                UInt8(ascii: "a")...UInt8(ascii: "z") ~= last
            {
                words.append(UInt8(ascii: "_"))
            }
            words.append(byte)
        }
        return words
    }
}
