import Wire

extension HAEReader {
    /// Makes a record of the workout in `object`, of either version: the first has neither `id` nor `duration`, and objects
    /// where the second has arrays.
    mutating func takeWorkout() throws(HAESkip) {
        guard let (start, from) = try readDate(firstOf: .start, .startDate, .date) else { throw .dateMissing }
        let end = try readDate(firstOf: .end, .endDate)
        var record = HAERecord(
            kind: .workout, type: Array("workout".utf8), unit: Array("s".utf8), key: .uuid(high: 0, low: 0),
            end: .none, merge: .workout)
        try setInterval(&record, start: start, from: from, end: end?.date, to: end?.name ?? .end)
        setDuration(&record, start: start)
        let last = end?.date.seconds
        setID(&record, type: "workout") { key in
            key.add(start.seconds)
            if let last { key.add(last) }
        }
        setActivity(&record)
        if let energy = amount(.activeEnergyBurned) ?? amount(.activeEnergy) ?? amount(.totalEnergy),
            let kilocalories = context.catalog.kilocalories(energy.number, unit: energy.unit)
        {
            record.extra.add(.energyKcal, kilocalories)
        }
        if let distance = amount(.distance), let metres = context.catalog.metres(distance.number, unit: distance.unit) {
            record.extra.add(.distanceMetres, metres)
        }
        if let end = end?.date { moveRecovery(&record, end: end) }
        pending.append(record)
    }

    /// The sender's own key where it has one, else one of a name.
    func setID(_ record: inout HAERecord, type: StaticString, _ parts: (inout NameUUID) -> Void) {
        if let id = object[.id], id.kind == .string {
            let text = json.bytes(of: id.text)
            if let key = SampleKey.uuid(parsing: text.span) {
                record.key = key
                record.dropped.append(.id)
                return
            }
            if 1...SampleKey.maximumTextBytes ~= text.count && !text.contains(0) {
                record.keyText = text
                record.dropped.append(.id)
                return
            }
        }
        record.key = key("\(type)".utf8, parts)
    }

    /// Seconds; without `duration` from start to end.
    private func setDuration(_ record: inout HAERecord, start: HAEDate) {
        if case .number(let seconds, let isExact) = HAENumber(object[.duration], in: json), seconds >= 0 {
            record.value = seconds
            if isExact { record.dropped.append(.duration) }
            if record.end == .none, seconds < 1e9 {
                let length = Int64((seconds * 1_000_000).rounded())
                record.end = Timestamp(microseconds: start.timestamp.microseconds + length)
            }
        } else if record.end != .none {
            record.value = Double(record.end.microseconds - start.timestamp.microseconds) / 1_000_000
        }
    }

    /// The activity of an English name; a name that is translated, if only by half, stays a text.
    private func setActivity(_ record: inout HAERecord) {
        var activity: String?
        if let name = object[.name], name.kind == .string {
            activity = context.catalog.activity(healthAutoExport: HAEText.fold(json.bytes(of: name.text)))
        }
        record.valueName = Array((activity ?? "other").utf8)
    }

    /// The number and unit of a member like `{"qty":312.4,"units":"kcal"}`.
    private mutating func amount(_ name: HAEName) -> (number: Double, unit: [UInt8])? {
        guard let member = object[name], member.kind == .object else { return nil }
        readInner(member.range)
        guard let number = HAENumber(inner[.qty], in: json).value, let units = inner[.units], units.kind == .string
        else { return nil }
        return (number, trimmed(json.bytes(of: units.text)))
    }

    // MARK: A known fault

    /// Gives `heartRateData` its right name where it holds the minutes behind the workout, each of one reading, and drops
    /// what the app reckoned from it.
    private mutating func moveRecovery(_ record: inout HAERecord, end: HAEDate) {
        guard let series = object[.heartRateData], series.kind == .array, !hasElements(object[.heartRateRecovery])
        else {
            return
        }
        guard isRecovery(series.range, end: end) else { return }
        record.renamed.append((.heartRateData, .heartRateRecovery))
        record.dropped += [.avgHeartRate, .maxHeartRate, .heartRate, .heartRateRecovery]
        record.extra.add(.recoveryMisfiled, true)
    }

    /// False where there is none, and for an empty array.
    private func hasElements(_ member: HAEObject.Member?) -> Bool {
        guard let member else { return false }
        guard member.kind == .array else { return true }
        var scanner = JSONScanner(body, at: member.range.lowerBound, limits: limits)
        do throws(JSONFault) {
            try scanner.enterArray()
            return try scanner.nextElement()
        } catch {
            return true
        }
    }

    private mutating func isRecovery(_ range: Range<Int>, end: HAEDate) -> Bool {
        var scanner = JSONScanner(body, at: range.lowerBound, limits: limits)
        var count = 0
        do throws(JSONFault) {
            try scanner.enterArray()
            while try scanner.nextElement() {
                guard try scanner.kind() == .object else { return false }
                try scanner.read(into: &inner)
                guard let date = inner[.date], date.kind == .string,
                    let at = try? HAEDate(json.bytes(of: date.text).span, zone: context.offsetMinutes),
                    0...300_000_000 ~= at.timestamp.microseconds - end.timestamp.microseconds,
                    let average = HAENumber(inner[.average], in: json).value,
                    HAENumber(inner[.minimum], in: json).value == average,
                    HAENumber(inner[.maximum], in: json).value == average
                else { return false }
                count += 1
            }
        } catch { return false }
        return count > 0
    }
}
