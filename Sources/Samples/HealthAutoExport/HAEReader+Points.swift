import Wire

extension HAEReader {
    /// Makes records of the point in `object`: its members tell what it is, then the metric.
    mutating func takePoint(_ metric: HAEMetric) throws(HAESkip) {
        if metric.isSleep {
            if try takeSleep(metric) { return }
        } else if object.hasAny(of: .systolic, .diastolic) {
            return try takeBloodPressure(metric)
        }
        var record = try slot(metric)
        if object.hasAny(of: .minimum, .average, .maximum) {
            try takeRange(metric, &record)
        } else if object.hasAny(of: .counterUnspecified, .counterProtected, .counterUnprotected) && object[.qty] == nil
        {
            try takeCounters(&record)
        } else {
            try takeQuantity(metric, &record)
        }
        pending.append(record)
    }

    /// The record of a point's slot, without its value.
    private func slot(_ metric: HAEMetric, type: [UInt8]? = nil) throws(HAESkip) -> HAERecord {
        let type = type ?? metric.type
        let date = try readDate(firstOf: .date, .startDate, .start)
        guard let date else { throw .dateMissing }
        let start = try readDate(.start) ?? date.date, end = try readDate(firstOf: .end, .endDate)
        let grain = metric.grain, slot = grain.slot(date.date)
        let key = key(type) { name in
            name.add(Int64(grain.rawValue))
            name.add(slot)
        }
        var record = HAERecord(
            kind: .quantity, type: type, unit: nil, key: key, start: nil,
            end: grain.end(of: date.date, zone: context.offsetMinutes), merge: metric.merge, grain: grain)
        let hasStart = object[.start] != nil
        try setInterval(
            &record, start: start, from: hasStart ? .start : date.name, end: end?.date, to: end?.name ?? .end)
        if end == nil && hasStart { record.end = max(record.end, start.timestamp) }
        if hasStart && date.name != .start && date.date == start && start.isPlain { record.dropped.append(date.name) }
        if grain != .raw { record.extra.add(.grain, grain.name) }
        return record
    }

    /// What the point's own units do, else the metric's, and which member they stand in.
    private func measure(_ metric: HAEMetric) -> (measure: HAEMeasure, units: [UInt8], name: HAEName?) {
        for name in [HAEName.units, .unit] {
            guard let member = object[name], member.kind == .string else { continue }
            let units = trimmed(json.bytes(of: member.text))
            return (metric.measure(units), units, name)
        }
        return (metric.measure, metric.units, nil)
    }

    /// Fills in value and unit from the number in `name`.
    ///
    /// - Returns: false when the number as sent has to be kept, with its unit.
    func setValue(_ record: inout HAERecord, _ metric: HAEMetric, _ name: HAEName) throws(HAESkip) -> Bool {
        let (measure, units, unitsName) = measure(metric)
        record.unit = measure.unit
        if !measure.isKnown { record.extra.add(.unconverted, true) }
        let isSame = measure.unit == units || units.isEmpty
        let isWhole: Bool
        switch HAENumber(object[name], in: json) {
        case .missing: isWhole = true
        case .invalid: throw HAESkip("value_invalid")
        case .number(let number, let isExact):
            guard let value = measure.value(number) else { throw HAESkip("value_invalid") }
            record.value = value
            isWhole = isExact && isSame && value == number
            if isWhole { record.dropped.append(name) }
        }
        if let unitsName, isSame && isWhole { record.dropped.append(unitsName) }
        return isWhole
    }

    /// Adds the metric's units to the record, for a number that `rest` has as it was sent.
    private func keepUnits(_ record: inout HAERecord, _ metric: HAEMetric) {
        // A point's own units stay by themselves.
        guard object[.units] == nil, object[.unit] == nil, !metric.units.isEmpty else { return }
        record.extra.add(.units, raw: Self.quoted(metric.units))
    }

    /// Text as a JSON string.
    static func quoted(_ text: [UInt8]) -> [UInt8] {
        var quoted: [UInt8] = [UInt8(ascii: "\"")]
        for byte in text {
            switch byte {
            case UInt8(ascii: "\""), UInt8(ascii: "\\"): quoted += [UInt8(ascii: "\\"), byte]
            case ..<0x20:
                quoted += Array("\\u00".utf8) + Array((byte < 16 ? "0" : "").utf8) + Array(String(byte, radix: 16).utf8)
            default: quoted.append(byte)
            }
        }
        quoted.append(UInt8(ascii: "\""))
        return quoted
    }

    // MARK: Shapes

    /// `qty`, or a number in `value` as imitators have it.
    private func takeQuantity(_ metric: HAEMetric, _ record: inout HAERecord) throws(HAESkip) {
        let hasQuantity = object[.qty] != nil
        let isInValue = !hasQuantity && object[.value]?.kind == .number
        guard hasQuantity || isInValue else { return try takeUnknown(&record) }
        let isWhole = try setValue(&record, metric, isInValue ? .value : .qty)
        guard record.value != nil else { throw HAESkip("value_missing") }
        if !isWhole { keepUnits(&record, metric) }
        // Handwashing says here whether it was complete.
        if !isInValue, let text = object[.value], text.kind == .string {
            record.valueName = column(HAEText.fold(json.bytes(of: text.text)))
        }
    }

    /// A point without a number that is more than a date: what it is may be known later.
    private func takeUnknown(_ record: inout HAERecord) throws(HAESkip) {
        let isMore = object.members.contains { member in
            (member.kind == .array || member.kind == .object) && member.name != .metadata && member.name != .source
        }
        guard isMore else { throw HAESkip("value_missing") }
        record.kind = .other
        record.merge = .slot
    }

    /// `Min`, `Avg` and `Max`, some of which may be missing. The mean is the value; a lone extreme is no mean.
    private func takeRange(_ metric: HAEMetric, _ record: inout HAERecord) throws(HAESkip) {
        record.merge = .slotRange
        let mean: HAEName = object[.average] == nil && object[.qty] != nil ? .qty : .average
        var isWhole = try setValue(&record, metric, mean)
        if !isWhole, mean == .average, !isAlready(record.value, mean) { record.prefixed.append(mean) }
        let measure = measure(metric).measure
        var extremes: [Double] = [], isInvalid = false
        for name in [HAEName.minimum, .maximum] {
            let number = HAENumber(object[name], in: json)
            if number == .missing { continue }
            if case .number(let sent, let isExact) = number, let value = measure.value(sent) {
                extremes.append(value)
                if isExact && value == sent { continue }
                // Whoever reads an extreme compares it with the value: it is in the same unit.
                record.extra.add(name, value)
            } else {
                isInvalid = true
            }
            record.prefixed.append(name)
            isWhole = false
        }
        if record.value == nil {
            guard !extremes.isEmpty else { throw HAESkip(isInvalid ? "value_invalid" : "value_missing") }
            // A range of one number has it as its mean, another has none that is known.
            if extremes.count == 2 && extremes[0] == extremes[1] { record.value = extremes[0] }
        }
        if !isWhole { keepUnits(&record, metric) }
    }

    /// Whether the sender's number in `name` is the one that is stored.
    private func isAlready(_ value: Double?, _ name: HAEName) -> Bool {
        guard case .number(let sent, isExact: true) = HAENumber(object[name], in: json) else { return false }
        return sent == value
    }

    /// Two rows, of which either may be missing.
    private mutating func takeBloodPressure(_ metric: HAEMetric) throws(HAESkip) {
        let sides = [(HAEName.systolic, "blood_pressure_systolic"), (.diastolic, "blood_pressure_diastolic")]
        var isInvalid = false
        for (name, type) in sides {
            let number = HAENumber(object[name], in: json)
            guard number.value != nil else {
                isInvalid = isInvalid || number == .invalid
                continue
            }
            var record = try slot(metric, type: Array(type.utf8))
            let isWhole = try setValue(&record, metric, name)
            if !isWhole { keepUnits(&record, metric) }
            // The other side is a row of its own, unless it is nothing that a row can hold.
            for (other, _) in sides where other != name && HAENumber(object[other], in: json).value != nil {
                record.dropped.append(other)
            }
            pending.append(record)
        }
        if pending.isEmpty { throw HAESkip(isInvalid ? "value_invalid" : "value_missing") }
    }

    /// How often, told apart by protection: one row with the sum, the counters in `rest`.
    private func takeCounters(_ record: inout HAERecord) throws(HAESkip) {
        var sum: Double?
        for name in [HAEName.counterUnspecified, .counterProtected, .counterUnprotected] {
            switch HAENumber(object[name], in: json) {
            case .missing: break
            case .invalid: throw HAESkip("value_invalid")
            case .number(let number, _): sum = (sum ?? 0) + number
            }
        }
        guard let sum, sum.isFinite else { throw HAESkip("value_missing") }
        record.value = sum
        record.unit = Array("count".utf8)
    }
}
