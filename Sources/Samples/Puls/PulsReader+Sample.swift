import Wire

extension PulsReader {
    mutating func readSample() throws {
        let start = json.position
        guard try json.kind() == .object else {
            throw refuse("member_invalid", "the line is no JSON object", at: start)
        }
        draft.reset()
        try json.enterObject()
        while let name = try json.nextMember() {
            let known = json.withBytes(of: name) { PulsName($0) }
            guard try !isNull() else { continue }
            let at = json.position
            try readMember(known)
            draft.members.append(PulsDraft.Member(name: name, value: at..<json.position, known: known))
        }
        let end = json.position
        guard let uuid = draft.uuid else { throw missing(.uuid) }
        guard let type = draft.type else { throw missing(.type) }
        guard let kind = draft.kind else { throw missing(.kind) }
        guard let time = draft.start, !time.isZero else { throw missing(.start) }

        try makeRoom()
        let record = SampleRecord(
            key: .uuid(high: uuid.high, low: uuid.low), start: time.timestamp, end: time.timestamp, value: nil,
            series: -1, source: -1, valueName: -1, part: 0, kind: kind.sampleKind, spelled: [], rest: .empty)
        try finish(record, kind: kind, type: type)
        // Details are read a second time, once the kind is known.
        json.restart(at: end)
    }

    /// Reads the value of a member, which is not null.
    private mutating func readMember(_ name: PulsName) throws(JSONFault) {
        switch name {
        case .uuid: draft.uuid = try readUUID(name)
        case .type: draft.type = try readType(name)
        case .kind:
            let at = json.position
            guard let text = try readText(name) else { return }
            guard let kind = json.withBytes(of: text, { PulsKind($0) }) else {
                throw refuse("member_invalid", "invalid kind \(quoted(text))", at: at)
            }
            draft.kind = kind
        case .start: draft.start = try readTime(name)
        case .end: draft.end = try readTime(name)
        case .value:
            if try json.kind() == .number { draft.value = try json.number() } else { _ = try json.skip() }
        case .category:
            if try json.kind() == .number { draft.category = try json.number() } else { _ = try json.skip() }
        case .unit:
            if try json.kind() == .string { draft.unit = try json.text() } else { _ = try json.skip() }
        case .sourceName: draft.sourceName = try readText(name)
        case .device: draft.device = try readText(name)
        case .sourceBundleID, .sourceVersion: _ = try readText(name)
        case .startContext: draft.startContext = try readContext(name)
        case .endContext: _ = try readContext(name)
        case .metadata:
            guard try json.kind() == .object else { throw invalid(name, "is no object", at: json.position) }
            _ = try json.skip()
        default: _ = try json.skip()
        }
    }

    // MARK: Columns

    /// Fills in what the draft says and adds the record.
    private mutating func finish(_ started: SampleRecord, kind: PulsKind, type: Int) throws(JSONFault) {
        var record = started
        if let end = draft.end, !end.isZero { record.end = end.timestamp }
        record.utcOffsetMinutes = draft.startContext?.offsetMinutes
        let app = draft.sourceName.flatMap { column($0) }, device = draft.device.flatMap { column($0) }
        if app != nil || device != nil { record.source = batch.source(app: app ?? -1, device: device ?? -1) }

        var value = PulsKeeping.prefixed, unit = PulsKeeping.prefixed, isNamed = false
        var extra = PulsExtraMembers()
        switch kind {
        case .quantity: (value, unit) = try takeQuantity(&record, type: type)
        case .category: isNamed = try takeCategory(&record, type: type)
        case .workout: extra = try takeWorkout(&record, type: type)
        case .heartbeatSeries, .ecg, .stateOfMind, .medicationDose:
            try checkDetail(of: kind)
            record.series = batch.series(type: typeIndex(type), unit: -1)
        }

        let start = batch.arenaBytes
        for member in draft.members {
            let keeping: PulsKeeping =
                switch member.known {
                case .uuid, .type: .dropped
                case .kind: record.kind == .other ? .prefixed : .dropped
                case .start: draft.start?.isWhole == true ? .dropped : .prefixed
                case .end: draft.end?.isWhole == true ? .dropped : .prefixed
                case .value: value
                case .unit: unit
                case .category: isNamed ? .dropped : .kept
                case .sourceName: app != nil ? .dropped : .kept
                case .device: device != nil ? .dropped : .kept
                default: keepingElsewhere(member)
                }
            append(member, keeping, restFrom: start)
        }
        for (name, number) in extra.members {
            if batch.arenaBytes > start { batch.extend(CollectionOfOne(UInt8(ascii: ","))) }
            batch.extend("\"\(name)\":".utf8)
            batch.extend(number, of: body)
        }
        record.rest = batch.arenaRange(from: start)
        batch.samples.append(record)
        extras.sampleLines += 1
    }

    /// A member that no column has: under its own name, unless that could be taken for one of ours.
    func keepingElsewhere(_ member: PulsDraft.Member) -> PulsKeeping {
        if member.known != .other { return member.known.isReserved ? .prefixed : .kept }
        let isOurs = json.withBytes(of: member.name) { $0.count >= 5 && $0.extracting(0..<5).equals("puls_") }
        return isOurs ? .prefixed : .kept
    }

    /// Appends a member to the `rest` that began at `start` of the arena.
    mutating func append(_ member: PulsDraft.Member, _ keeping: PulsKeeping, restFrom start: Int) {
        guard keeping != .dropped else { return }
        if batch.arenaBytes > start { batch.extend(CollectionOfOne(UInt8(ascii: ","))) }
        let isPlain = member.known == .other || !member.name.hasEscapes
        if keeping == .kept && isPlain && member.name.quotedRange.upperBound + 1 == member.value.lowerBound {
            return batch.extend(member.name.quotedRange.lowerBound..<member.value.upperBound, of: body)
        }
        batch.extend((keeping == .prefixed ? "\"puls_" : "\"").utf8)
        // A name that we know is written plainly, so that queries find it.
        if isPlain { batch.extend(member.name.range, of: body) } else { batch.extend(member.known.rawValue.utf8) }
        batch.extend("\":".utf8)
        batch.extend(member.value, of: body)
    }

    // MARK: Quantities

    /// - Returns: what becomes of the members `value` and `unit`.
    private mutating func takeQuantity(_ record: inout SampleRecord, type: Int) throws(JSONFault) -> (
        value: PulsKeeping, unit: PulsKeeping
    ) {
        if draft.value == nil, let range = draft.value(of: .value) {
            throw invalid(.value, "is no number", at: range.lowerBound)
        }
        if draft.unit == nil, let range = draft.value(of: .unit) {
            throw invalid(.unit, "is no text", at: range.lowerBound)
        }
        let typeIndex = typeIndex(type)
        let unit = draft.unit.flatMap { column($0) } ?? -1
        if knownTypes.entries[type].unit != unit { noteUnit(unit, ofType: type) }
        record.value = draft.value?.value
        var keeping = (value: PulsKeeping.dropped, unit: PulsKeeping.dropped)
        if draft.unit != nil && unit < 0 {
            keeping.unit = .kept
            record.spelled.insert(.unit)
        }
        if let number = draft.value, let conversion = knownTypes.entries[type].conversion,
            let converted = conversion.exactly(number)
        {
            record.value = converted
            record.series = knownTypes.entries[type].series
            let isSame = conversion.isIdentity && number.isExact
            return (isSame ? .dropped : .prefixed, .prefixed)
        }
        record.series =
            knownTypes.entries[type].conversion == nil
            ? knownTypes.entries[type].series : batch.series(type: typeIndex, unit: unit)
        if let number = draft.value, !number.isExact {
            keeping.value = .kept
            record.spelled.insert(.value)
        }
        return keeping
    }

    /// Looks up what a unit is to a type, for this and the next samples.
    private mutating func noteUnit(_ unit: BatchIndex, ofType type: Int) {
        let index = typeIndex(type)
        var series = batch.series(type: index, unit: unit), found: UnitConversion?
        if unit >= 0, let known = knownTypes.entries[type].type, known.kind == .quantity, let own = known.unit {
            let sent = batch.text(unit)
            if !own.utf8.elementsEqual(sent), let conversion = context.catalog.conversion(from: sent, to: known) {
                found = conversion
                series = batch.series(type: index, unit: batch.intern(own.utf8))
            }
        }
        knownTypes.entries[type].unit = unit
        knownTypes.entries[type].series = series
        knownTypes.entries[type].conversion = found
    }

    // MARK: Categories

    /// - Returns: whether the value has a name.
    private mutating func takeCategory(_ record: inout SampleRecord, type: Int) throws(JSONFault) -> Bool {
        guard let range = draft.value(of: .category) else { throw missing(.category) }
        guard let raw = draft.category.flatMap({ Self.integer($0) }) else {
            throw invalid(.category, "is no whole number", at: range.lowerBound)
        }
        record.series = batch.series(type: typeIndex(type), unit: -1)
        record.value = Double(raw)
        for known in knownTypes.entries[type].valueNames where known.raw == raw {
            record.valueName = known.index
            return true
        }
        guard let small = Int(exactly: raw),
            let name = knownTypes.entries[type].type?.values.first(where: { $0.raw == small })?.name
        else { return false }
        record.valueName = batch.intern(name.utf8)
        knownTypes.entries[type].valueNames.append((raw, record.valueName))
        return true
    }
}

extension UnitConversion {
    /// The decimal number converted, rounded once to the nearest double; nil where that is no decimal of an end, or where
    /// doubles don't hold every step.
    func exactly(_ number: JSONNumber) -> Double? {
        if isIdentity { return number.value }
        let most = 9_007_199_254_740_992.0  // 2 to 53
        guard number.significantDigits > 0 else { return addend == 0 && !number.isNegative ? 0 : nil }
        guard number.significantDigits <= 15, addend == 0, -15...15 ~= number.exponent, hasEnd else { return nil }
        var power = 1.0
        for _ in 0..<number.exponent.magnitude { power *= 10 }
        let top = Double(number.mantissa) * multiplier * (number.exponent > 0 ? power : 1)
        let bottom = divisor * (number.exponent < 0 ? power : 1)
        guard number.mantissa <= 1 << 53, multiplier <= most, top <= most, bottom <= most else { return nil }
        return (number.isNegative ? -top : top) / bottom
    }
    /// Whether a decimal divided by `divisor` is one, too: it has no factor but 2 and 5.
    private var hasEnd: Bool {
        var rest = divisor
        for factor in [2.0, 5.0] {
            while rest > 1 && rest.truncatingRemainder(dividingBy: factor) == 0 { rest /= factor }
        }
        return rest == 1
    }
}
