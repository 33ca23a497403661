import Wire

/// Lines whose object has one member around what they say: deletions, aggregates, rings, the profile.
extension PulsReader {
    /// Reads a line of that shape; `member` gets each member of the inner object that is not null.
    mutating func readWrapped(
        _ member: (inout PulsReader, JSONText, PulsName) throws(JSONFault) -> Void
    ) throws(JSONFault) {
        let start = json.position
        guard let wrapper = place.slot.wrapper, try json.kind() == .object else {
            throw refuse("member_invalid", "the line is no JSON object", at: start)
        }
        draft.reset()
        var isThere = false
        try json.enterObject()
        while let outer = try json.nextMember() {
            guard json.withBytes(of: outer, { PulsName($0) }) == wrapper else {
                _ = try json.skip()
                continue
            }
            guard try json.kind() == .object else { throw invalid(wrapper, "is no object", at: json.position) }
            isThere = true
            try json.enterObject()
            while let name = try json.nextMember() {
                guard try !isNull() else { continue }
                try member(&self, name, json.withBytes(of: name) { PulsName($0) })
            }
        }
        guard isThere else {
            throw refuse("member_missing", "the line has no \"\(wrapper.rawValue)\"", at: start)
        }
    }

    // MARK: Deletions

    mutating func readDeletion() throws(JSONFault) {
        try readWrapped { (reader, _, known) throws(JSONFault) in
            switch known {
            case .uuid: reader.draft.uuid = try reader.readUUID(known)
            case .type: reader.draft.type = try reader.readType(known)
            default: _ = try reader.json.skip()
            }
        }
        guard let uuid = draft.uuid else { throw missing(.uuid) }
        guard let type = draft.type else { throw missing(.type) }
        deletions.append((uuid, type))
    }

    // MARK: Aggregates

    private static let functions: [StaticString] = ["sum", "average", "min", "max", "mostRecent", "duration"]
    private static let intervalUnits: [StaticString] = ["minute", "hour", "day", "week", "month"]
    private static let deviceFilters: [StaticString] = ["all", "watch", "iphone"]

    /// The members of an aggregate that are no type and no number.
    private struct Words {
        var function, intervalUnit, deviceFilter: JSONText?
        var interval: Int64?
        var startContext, endContext: PulsContext?
    }

    mutating func readAggregate() throws {
        var words = Words()
        try readWrapped { (reader, _, known) throws(JSONFault) in
            switch known {
            case .type: reader.draft.type = try reader.readType(known)
            case .func: words.function = try reader.readWord(known, Self.functions)
            case .intervalUnit: words.intervalUnit = try reader.readWord(known, Self.intervalUnits)
            case .deviceFilter: words.deviceFilter = try reader.readWord(known, Self.deviceFilters)
            case .intervalValue: words.interval = try reader.readInteger(known)
            case .bucketStart: reader.draft.start = try reader.readTime(known)
            case .bucketEnd: reader.draft.end = try reader.readTime(known)
            case .bucketStartContext: words.startContext = try reader.readContext(known)
            case .bucketEndContext: words.endContext = try reader.readContext(known)
            case .value: reader.draft.value = try reader.readNumber(known)
            case .unit: reader.draft.unit = try reader.readText(known)
            default: _ = try reader.json.skip()
            }
        }
        guard let type = draft.type else { throw missing(.type) }
        guard let function = words.function else { throw missing(.func) }
        guard let intervalUnit = words.intervalUnit else { throw missing(.intervalUnit) }
        guard let deviceFilter = words.deviceFilter else { throw missing(.deviceFilter) }
        guard let interval = words.interval else { throw missing(.intervalValue) }
        guard interval >= 1 else { throw invalid(.intervalValue, "is less than 1", at: line.lowerBound) }
        guard let start = draft.start, !start.isZero else { throw missing(.bucketStart) }
        guard let end = draft.end, !end.isZero else { throw missing(.bucketEnd) }
        guard end.timestamp > start.timestamp else {
            throw invalid(.bucketEnd, "is not behind bucketStart", at: line.lowerBound)
        }
        try makeRoom()
        let unit = draft.unit.flatMap { column($0) } ?? -1
        let series = batch.series(type: typeIndex(type), unit: unit)
        extras.aggregates.append(
            AggregateRecord(
                series: series, function: intern(function), intervalValue: interval, intervalUnit: intern(intervalUnit),
                deviceFilter: intern(deviceFilter), start: start.timestamp, end: end.timestamp,
                value: draft.value?.value, contexts: appendContexts(words)))
    }

    private mutating func readWord(_ name: PulsName, _ words: [StaticString]) throws(JSONFault) -> JSONText? {
        let at = json.position
        guard let text = try readText(name) else { return nil }
        guard isOneOf(text, words) else {
            throw refuse("member_invalid", "invalid \(name.rawValue) \(quoted(text))", at: at)
        }
        return text
    }

    private mutating func intern(_ text: JSONText) -> BatchIndex {
        text.hasEscapes ? batch.intern(json.bytes(of: text).span) : batch.intern(text.range, of: body)
    }

    private mutating func appendContexts(_ words: Words) -> ArenaRange {
        guard words.startContext != nil || words.endContext != nil else { return .empty }
        let start = batch.arenaBytes
        if let context = words.startContext {
            batch.extend("\"start\":".utf8)
            batch.extend(context.bytes, of: body)
        }
        if let context = words.endContext {
            batch.extend((batch.arenaBytes > start ? ",\"end\":" : "\"end\":").utf8)
            batch.extend(context.bytes, of: body)
        }
        return batch.arenaRange(from: start)
    }

    // MARK: Rings

    mutating func readActivitySummary() throws {
        try readWrapped { (reader, name, known) throws(JSONFault) in
            let at = reader.json.position
            try reader.readRing(known)
            reader.draft.members.append(PulsDraft.Member(name: name, value: at..<reader.json.position, known: known))
        }
        guard let date = draft.start, !date.isZero else { throw missing(.date) }
        try makeRoom()
        let day = draft.day ?? localDay(date.timestamp, offsetSeconds: draft.startContext?.offsetSeconds ?? 0)
        let text = Self.text(of: day)
        let key = batch.append(Array("\(PulsTypes.activitySummary):\(text)".utf8))
        let series = batch.series(type: batch.intern(PulsTypes.activitySummary.utf8), unit: -1)
        let start = batch.arenaBytes
        batch.extend("\"date\":\"\(text)\"".utf8)
        for member in draft.members {
            let keeping: PulsKeeping =
                switch member.known {
                case .date: date.isWhole ? .dropped : .prefixed
                case .localDate: .dropped
                default: keepingElsewhere(member)
                }
            append(member, keeping, restFrom: start)
        }
        batch.samples.append(
            SampleRecord(
                key: .text(key), start: date.timestamp, end: .none, value: nil, series: series, source: -1,
                valueName: -1, part: 0, day: Int32(day.daysSince1970),
                utcOffsetMinutes: draft.startContext?.offsetMinutes, kind: .activitySummary, spelled: [],
                rest: batch.arenaRange(from: start)))
    }

    private mutating func readRing(_ name: PulsName) throws(JSONFault) {
        let at = json.position
        switch name {
        case .date: draft.start = try readTime(name)
        case .localDate:
            guard let text = try readText(name), text.count > 0 else { return }
            guard let date = json.withBytes(of: text, { CivilDate.parse($0) }) else {
                throw invalid(name, "is no day of the calendar", at: at)
            }
            draft.day = date
        case .temporalContext: draft.startContext = try readContext(name)
        case .moveMode:
            guard let mode = try readInteger(name), 0...1 ~= mode else { throw invalid(name, "is not 0 or 1", at: at) }
        case .moveKcal, .moveGoalKcal, .exerciseMin, .exerciseGoalMin, .standHours, .standGoalHours, .moveTimeMin,
            .moveTimeGoalMin:
            _ = try readNumber(name)
        default: _ = try json.skip()
        }
    }

    /// The day that a clock so far east of UTC shows at a moment.
    private func localDay(_ time: Timestamp, offsetSeconds: Int) -> CivilDate {
        // Both are within their ranges: no sum comes near an overflow.
        let microseconds = time.microseconds + Int64(offsetSeconds) * 1_000_000
        let (quotient, remainder) = microseconds.quotientAndRemainder(dividingBy: 86_400_000_000)
        return CivilDate(daysSince1970: Int32(remainder < 0 ? quotient - 1 : quotient))
    }

    /// `YYYY-MM-DD`.
    private static func text(of day: CivilDate) -> String {
        func padded(_ value: Int, _ width: Int) -> String {
            let digits = String(value)
            return String(repeating: "0", count: max(0, width - digits.count)) + digits
        }
        return "\(padded(day.year, 4))-\(padded(day.month, 2))-\(padded(day.day, 2))"
    }

    // MARK: The profile

    mutating func readProfile() throws {
        try readWrapped { (reader, name, known) throws(JSONFault) in
            let at = reader.json.position
            switch known {
            case .name, .email, .biologicalSex: _ = try reader.readText(known)
            case .dateOfBirth: _ = try reader.readTime(known)
            default: _ = try reader.json.skip()
            }
            reader.draft.members.append(PulsDraft.Member(name: name, value: at..<reader.json.position, known: known))
        }
        try makeRoom()
        let key = batch.append(Array(PulsTypes.profile.utf8))
        let series = batch.series(type: batch.intern(PulsTypes.profile.utf8), unit: -1)
        let start = batch.arenaBytes
        for member in draft.members { append(member, keepingElsewhere(member), restFrom: start) }
        batch.samples.append(
            SampleRecord(
                key: .text(key), start: .none, end: .none, value: nil, series: series, source: -1, valueName: -1,
                part: 0, kind: .other, spelled: [], rest: batch.arenaRange(from: start)))
    }
}
