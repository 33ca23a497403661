import Wire

extension HAEReader {
    /// A record of the section that is read, from `start` (or `date`) to `end`, without key and value.
    private func record(
        _ kind: SampleKind, _ type: [UInt8], from names: [HAEName] = [.start, .startDate, .date]
    ) throws(HAESkip) -> (record: HAERecord, start: HAEDate) {
        var found: (date: HAEDate, name: HAEName)?
        for name in names where found == nil { found = try readDate(firstOf: name) }
        guard let (start, from) = found else { throw .dateMissing }
        let end = try readDate(firstOf: .end, .endDate)
        var record = HAERecord(
            kind: kind, type: type, unit: nil, key: .uuid(high: 0, low: 0), end: .none, merge: .replace)
        try setInterval(&record, start: start, from: from, end: end?.date, to: end?.name ?? .end)
        return (record, start)
    }

    /// The folded text of a member; nil when it is no text or empty.
    private func folded(_ name: HAEName) -> [UInt8]? {
        guard let member = object[name], member.kind == .string else { return nil }
        let text = HAEText.fold(json.bytes(of: member.text))
        return text.isEmpty ? nil : text
    }

    // MARK: State of mind

    mutating func takeStateOfMind() throws(HAESkip) {
        var (record, start) = try record(.stateOfMind, Array("state_of_mind".utf8))
        let kind = folded(.kind) ?? []
        setID(&record, type: "state_of_mind") { key in
            key.add(start.seconds)
            key.add(kind)
        }
        // Some versions name the class of slightly unpleasant wrongly, so it comes from the number.
        if let valence = HAENumber(object[.valence], in: json).value, -1...1 ~= valence {
            record.extra.add(.valenceClassification, Self.valenceClass(valence))
        }
        pending.append(record)
    }

    /// HealthKit's seven classes, a seventh of the half range on each side of neutral and two of them for the others.
    private static func valenceClass(_ valence: Double) -> StaticString {
        switch valence {
        case ..<(-5.0 / 7): "very_unpleasant"
        case ..<(-3.0 / 7): "unpleasant"
        case ..<(-1.0 / 7): "slightly_unpleasant"
        case ...(1.0 / 7): "neutral"
        case ..<(3.0 / 7): "slightly_pleasant"
        case ..<(5.0 / 7): "pleasant"
        default: "very_pleasant"
        }
    }

    // MARK: Symptoms and the cycle

    mutating func takeSymptom() throws(HAESkip) {
        guard let name = folded(.name) else { throw HAESkip("name_missing") }
        let type = categoryType(name) ?? Array("symptom".utf8)
        var (record, start) = try record(.category, type)
        setCategory(&record, folded(.severity))
        setNamedKey(&record, "symptom", name, start)
        pending.append(record)
    }

    /// An entry, or a whole day in one object.
    mutating func takeCycle() throws(HAESkip) {
        let days: [(HAEName, String)] = [
            (.menstrualFlow, "menstrual_flow"), (.cervicalMucusQuality, "cervical_mucus_quality"),
            (.ovulationTestResult, "ovulation_test_result"),
        ]
        guard let name = folded(.name) else {
            let present = days.filter { folded($0.0) != nil }
            guard !present.isEmpty else { throw HAESkip("name_missing") }
            for (member, type) in present {
                var (record, start) = try record(.category, Array(type.utf8), from: [.date, .start, .startDate])
                setCategory(&record, folded(member))
                record.dropped += days.map(\.0).filter { $0 != member }
                setNamedKey(&record, "cycle", Array(type.utf8), start)
                pending.append(record)
            }
            return
        }
        if HAENumber(object[.value], in: json).value != nil { return try takeCycleNumber(name) }
        var (record, start) = try record(.category, categoryType(name) ?? Array("cycle_tracking".utf8))
        setCategory(&record, folded(.value))
        if object[.value] != nil {
            // The column has it when the words are the same.
            let isHeld = object[.value].map { json.bytes(of: $0.text) == record.valueName } == true
            if isHeld { record.dropped.append(.value) }
        }
        setNamedKey(&record, "cycle", name, start)
        pending.append(record)
    }

    /// A number with a name, such as a temperature.
    private mutating func takeCycleNumber(_ name: [UInt8]) throws(HAESkip) {
        let type = HAEWords.typeAlias(name).map { Array("\($0)".utf8) } ?? HAEText.typeName(name)
        let known = type.flatMap { context.catalog.type(named: $0) }
        var (record, start) = try record(.quantity, type ?? Array("cycle_tracking".utf8))
        let metric = HAEMetric(type: record.type, known: known, units: [], in: context.catalog)
        _ = try setValue(&record, metric, .value)
        if known?.kind == .category {
            record.kind = .category
            record.unit = nil
        }
        setNamedKey(&record, "cycle", name, start)
        pending.append(record)
    }

    /// The type of a category by its folded English name.
    private func categoryType(_ name: [UInt8]) -> [UInt8]? {
        let type = HAEWords.typeAlias(name).map { Array("\($0)".utf8) } ?? HAEText.typeName(name)
        guard let type, let known = context.catalog.type(named: type), known.kind == .category else { return nil }
        return type
    }

    /// Fills in a category's name and HealthKit's number for it.
    private func setCategory(_ record: inout HAERecord, _ text: [UInt8]?) {
        guard let text, let plain = column(HAEWords.valueAlias(text).map { Array("\($0)".utf8) } ?? text) else {
            return
        }
        record.valueName = plain
        record.value = context.catalog.categoryValue(type: record.type, name: plain)
        // Where there is no grade for it, present is what HealthKit calls unspecified.
        if record.value == nil && plain.elementsEqual("present".utf8) {
            record.value = context.catalog.categoryValue(type: record.type, name: "unspecified".utf8)
        }
    }

    private mutating func setNamedKey(
        _ record: inout HAERecord, _ section: StaticString, _ name: [UInt8], _ start: HAEDate
    ) {
        let source = HAEText.sourceSet(sourceName() ?? []), end = record.end == .none ? start.timestamp : record.end
        record.key = key("\(section)".utf8) { key in
            key.add(name)
            key.add(start.timestamp.microseconds)
            key.add(end.microseconds)
            key.add(source)
        }
    }

    // MARK: The heart

    mutating func takeElectrocardiogram() throws(HAESkip) {
        let type = Array("electrocardiogram".utf8)
        var (record, start) = try record(.other, type)
        record.key = key(type) { $0.add(start.seconds) }
        pending.append(record)
    }

    mutating func takeHeartNotification() throws(HAESkip) {
        let type = heartEvent()
        var (record, start) = try record(.category, Array("\(type)".utf8))
        let value = Array("not_applicable".utf8)
        record.value = context.catalog.categoryValue(type: record.type, name: value)
        record.valueName = value
        record.key = key(record.type) { $0.add(start.seconds) }
        pending.append(record)
    }

    /// By its name; without one a notification without a threshold is of the rhythm, and else the mean rate tells.
    private mutating func heartEvent() -> StaticString {
        if let name = folded(.heartNotification), let event = HAEWords.heartEvent(name) { return event }
        var threshold = HAENumber(object[.threshold], in: json).value
        if let member = object[.threshold], member.kind == .object {
            readInner(member.range)
            threshold = HAENumber(inner[.qty], in: json).value
        }
        if threshold == nil && object[.threshold] == nil { return "irregular_heart_rhythm_event" }
        guard let threshold, let mean = meanRate() else { return "heart_rate_notification" }
        return mean >= threshold ? "high_heart_rate_event" : "low_heart_rate_event"
    }

    /// Of the readings in either member that may have them.
    private mutating func meanRate() -> Double? {
        var sum = 0.0, count = 0.0
        for name in [HAEName.heartRate, .heartRateData] {
            guard let series = object[name], series.kind == .array else { continue }
            var scanner = JSONScanner(body, at: series.range.lowerBound, limits: limits)
            do throws(JSONFault) {
                try scanner.enterArray()
                while try scanner.nextElement() {
                    guard try scanner.kind() == .object else {
                        _ = try scanner.skip()
                        continue
                    }
                    try scanner.read(into: &inner)
                    for value in [HAEName.hr, .average, .qty] {
                        guard let rate = HAENumber(inner[value], in: json).value else { continue }
                        sum += rate
                        count += 1
                        break
                    }
                }
            } catch { return nil }
        }
        return count > 0 && sum.isFinite ? sum / count : nil
    }

    // MARK: Medications

    mutating func takeMedication() throws(HAESkip) {
        let type = Array("medication_dose_event".utf8)
        let (started, _) = try record(.other, type, from: [.start, .startDate, .date, .scheduledDate])
        var record = started
        let name = folded(.displayText) ?? folded(.name) ?? []
        let scheduled = try readDate(.scheduledDate) ?? record.start
        if let status = folded(.status) { record.extra.add(.statusCode, HAEWords.doseStatus(status)) }
        record.key = key(type) { key in
            key.add(name)
            if let scheduled { key.add(scheduled.seconds) }
        }
        pending.append(record)
    }
}
