import Wire

extension HAEReader {
    private static let minutesOfDay = 1_440.0

    /// Makes a record of a point of `sleep_analysis`, told apart by its members: a stage, a night, or a number.
    ///
    /// - Returns: false when it is none of them.
    mutating func takeSleep(_ metric: HAEMetric) throws(HAESkip) -> Bool {
        let hasStart = object.hasAny(of: .startDate, .start, .date)
        if object[.value]?.kind == .string && hasStart && object.hasAny(of: .endDate, .end, .qty) {
            try takeSegment(metric)
        } else if object.hasAny(of: .sleepStart, .sleepEnd, .totalSleep, .asleep, .core, .deep, .rem, .inBed) {
            try takeNight(metric)
        } else {
            return false
        }
        return true
    }

    /// Minutes of a duration in the point's unit, which is hours when none is given.
    private func minutes(_ duration: Double, _ metric: HAEMetric) -> Double {
        var units = metric.units
        for name in [HAEName.units, .unit] {
            if let member = object[name], member.kind == .string { units = trimmed(json.bytes(of: member.text)) }
        }
        if units.isEmpty { return duration * 60 }
        return context.catalog.minutes(duration, unit: units) ?? duration * 60
    }

    private mutating func takeSegment(_ metric: HAEMetric) throws(HAESkip) {
        guard let (start, from) = try readDate(firstOf: .startDate, .start, .date) else { throw .dateMissing }
        let hours = HAENumber(object[.qty], in: json)
        // A bad segment says that it lasts no time.
        if hours == .invalid || hours.value.map({ $0 <= 0 }) == true { throw .intervalInvalid }
        let end = try readDate(firstOf: .endDate, .end)
        guard let text = object[.value].map({ json.bytes(of: $0.text) }), let folded = column(HAEText.fold(text)) else {
            throw HAESkip("value_missing")
        }
        let stage = HAEWords.sleepStage(folded)
        let name = stage.map { Array("\($0)".utf8) } ?? folded
        var record = HAERecord(
            kind: .category, type: metric.type, unit: nil, key: .uuid(high: 0, low: 0), valueName: name,
            end: .none, merge: .sleepSegment)
        try setInterval(&record, start: start, from: from, end: end?.date, to: end?.name ?? .end)
        if end == nil, let value = hours.value {
            let length = minutes(value, metric) * 60_000_000
            guard length < 1e15 else { throw .intervalInvalid }
            record.end = Timestamp(microseconds: start.timestamp.microseconds + Int64(length.rounded()))
        }
        guard record.end > start.timestamp else { throw .intervalInvalid }
        record.value = context.catalog.categoryValue(type: metric.type, name: name)
        if name == text { record.dropped.append(.value) }
        if hours != .missing, object[.units] == nil, !metric.units.isEmpty {
            record.extra.add(.units, raw: Self.quoted(metric.units))
        }
        let source = HAEText.sourceSet(sourceName() ?? []), last = record.end.microseconds
        record.key = key(metric.type) { key in
            key.add("segment".utf8)
            key.add(source)
            key.add(name)
            key.add(start.timestamp.microseconds)
            key.add(last)
        }
        pending.append(record)
    }

    /// One row a night, all of its members in `rest`.
    private mutating func takeNight(_ metric: HAEMetric) throws(HAESkip) {
        let start = try readDate(firstOf: .sleepStart, .inBedStart, .start, .date)?.date
        let end = try readDate(firstOf: .sleepEnd, .inBedEnd, .end)?.date
        // What `date` is depends on the version: it counts only where there is nothing else.
        guard let start = start ?? end else { throw .dateMissing }
        let wakeUp = end ?? start
        guard wakeUp.timestamp >= start.timestamp else { throw .intervalInvalid }
        var record = HAERecord(
            kind: .other, type: metric.type, unit: Array("min".utf8), key: .uuid(high: 0, low: 0), start: start,
            end: wakeUp.timestamp, merge: .night)
        if start.isZoneAssumed { record.extra.add(.zoneAssumed, true) }
        if let total = try totalSleep() {
            var minutes = minutes(total, metric)
            // More than a day in hours: they are minutes then.
            if minutes > Self.minutesOfDay || minutes < 0 {
                record.extra.add(.unitsSuspect, true)
                minutes = total
            }
            if 0...Self.minutesOfDay ~= minutes { record.value = minutes }
        }
        if object[.units] == nil, !metric.units.isEmpty {
            record.extra.add(.units, raw: Self.quoted(metric.units))
        }
        let source = HAEText.sourceSet(sourceName() ?? [])
        record.key = key(metric.type) { key in
            key.add("night".utf8)
            key.add(Int64(wakeUp.day))
            key.add(source)
        }
        pending.append(record)
    }

    /// All sleep of a night in its unit: `totalSleep`, else the stages and `asleep`, which is sleep without a stage, or
    /// all of it where there are none. nil when nothing is said.
    private func totalSleep() throws(HAESkip) -> Double? {
        let names: [HAEName] = object[.totalSleep] == nil ? [.core, .deep, .rem, .asleep] : [.totalSleep]
        var total: Double?
        for name in names {
            switch HAENumber(object[name], in: json) {
            case .missing: break
            case .invalid: throw HAESkip("value_invalid")
            case .number(let hours, _): total = (total ?? 0) + hours
            }
        }
        return total.flatMap { $0.isFinite ? $0 : nil }
    }
}
