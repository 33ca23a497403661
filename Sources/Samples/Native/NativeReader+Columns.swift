import Wire

extension NativeReader {
    /// Makes a record of the draft whose object starts at `offset`.
    mutating func finishSample(at offset: Int) throws(JSONFault) {
        guard let key = draft.key else { throw missing("uuid", at: offset) }
        guard draft.has(.type) else { throw missing("type", at: offset) }
        guard let typeText = draft.text(.type) else {
            place.member = "type"
            let at = draft.members.first { $0.member == .type }?.value.lowerBound ?? offset
            throw refuse("member_invalid", "`type` is no string.", at: at)
        }
        place.member = "type"
        let (type, rule) = try type(typeText)
        place.member = nil

        var record = SampleRecord(
            key: key, start: draft.start?.timestamp ?? .none, end: draft.end?.timestamp ?? .none, value: nil,
            series: -1,
            source: draft.source.index, valueName: -1, part: draft.part ?? 0, kind: kind(rule), spelled: [],
            rest: .empty)
        if let start = draft.start, !start.isUTC { record.utcOffsetMinutes = start.offsetMinutes }
        // What no column holds is kept: at first all that is there, then each column takes its member out.
        var kept = draft.present
        kept.subtract([.init(.uuid), .init(.type)])
        takeCommon(&record, &kept)
        takeUnit(type, &record, &kept)
        takeValue(type, &record, &kept)
        if !kept.isEmpty { record.rest = rest(kept) }
        batch.samples.append(record)
    }

    private func kind(_ rule: TypeRule) -> SampleKind {
        if case .kind(let kind) = rule { return kind }
        guard draft.has(.value) else { return .other }
        return switch draft.kinds[Int(NativeMember.value.rawValue)] {
        case .number: .quantity
        case .string: .category
        default: .other
        }
    }

    /// Times, source and part, which every kind may have.
    private func takeCommon(_ record: inout SampleRecord, _ kept: inout NativeDraft.Members) {
        if draft.start?.isPlain == true {
            kept.remove(.init(.start))
        } else if draft.has(.start) {
            record.spelled.insert(.start)
        }
        if draft.end?.isPlain == true {
            kept.remove(.init(.end))
        } else if draft.has(.end) {
            record.spelled.insert(.end)
        }
        if draft.source.isWhole {
            kept.remove(.init(.source))
        } else if draft.has(.source) {
            record.spelled.insert(.source)
        }
        if draft.part != nil {
            kept.remove(.init(.part))
            record.spelled.insert(.partGiven)
        }
    }

    private mutating func takeUnit(
        _ type: BatchIndex, _ record: inout SampleRecord, _ kept: inout NativeDraft.Members
    ) {
        var unit: BatchIndex = -1
        if record.kind == .workout {
            unit = batch.intern("s".utf8)
        } else if draft.has(.unit) {
            if let index = draft.text(.unit).flatMap({ column($0) }) {
                unit = index
                kept.remove(.init(.unit))
            } else {
                record.spelled.insert(.unit)
            }
        }
        record.series = batch.series(type: type, unit: unit)
    }

    /// The columns `value`, `value_name` and `day`, each kind in its own way.
    private mutating func takeValue(
        _ type: BatchIndex, _ record: inout SampleRecord, _ kept: inout NativeDraft.Members
    ) {
        switch record.kind {
        case .quantity:
            takeNumber(draft.value, .value, &record, &kept)
        case .category:
            takeName(.value, spelled: .value, &record, &kept)
            record.value = categoryValue(type: type, name: record.valueName)
        case .workout:
            if draft.has(.duration) { takeNumber(draft.duration, .duration, &record, &kept) }
            if draft.has(.activity) { takeName(.activity, spelled: .valueName, &record, &kept) }
        case .characteristic:
            guard draft.has(.value) else { break }
            guard draft.value == nil else { return takeNumber(draft.value, .value, &record, &kept) }
            takeName(.value, spelled: .value, &record, &kept)
            guard record.valueName >= 0, let name = draft.text(.name) else { break }
            record.value = catalog.characteristicValue(
                characteristic: json.bytes(of: name), name: batch.text(record.valueName))
        case .activitySummary:
            let text = draft.text(.date) ?? draft.text(.day)
            record.day = text.flatMap { CivilDate.parse(json.bytes(of: $0).span) }.map { Int32($0.daysSince1970) }
        default: break
        }
    }

    private func takeNumber(
        _ number: JSONNumber?, _ member: NativeMember, _ record: inout SampleRecord, _ kept: inout NativeDraft.Members
    ) {
        record.value = number?.value
        if number?.isExact == true { kept.remove(.init(member)) } else { record.spelled.insert(.value) }
    }

    private mutating func takeName(
        _ member: NativeMember, spelled: SpelledMembers, _ record: inout SampleRecord,
        _ kept: inout NativeDraft.Members
    ) {
        if let index = draft.text(member).flatMap({ column($0) }) {
            record.valueName = index
            kept.remove(.init(member))
        } else {
            record.spelled.insert(spelled)
        }
    }

    /// HealthKit's number for a category's value name, looked up again only when the name came with another type.
    private mutating func categoryValue(type: BatchIndex, name: BatchIndex) -> Double? {
        guard name >= 0 else { return nil }
        while categoryValues.count <= Int(name) { categoryValues.append((-1, nil)) }
        if categoryValues[Int(name)].type != type {
            let raw = catalog.categoryValue(type: batch.text(type), name: batch.text(name))
            categoryValues[Int(name)] = (type, raw)
        }
        return categoryValues[Int(name)].raw
    }

    /// Copies the members of `kept` to the arena, in the sender's order and spelling.
    private mutating func rest(_ kept: NativeDraft.Members) -> ArenaRange {
        let start = batch.arenaBytes
        for member in draft.members where kept.contains(.init(member.member)) {
            if batch.arenaBytes > start { batch.extend(CollectionOfOne(UInt8(ascii: ","))) }
            if let name = member.member.name, member.name.hasEscapes {
                // A name that we know is written plainly, so that queries find it.
                batch.extend("\"\(name)\":".utf8)
                batch.extend(member.value, of: storage)
            } else if member.name.quotedRange.upperBound + 1 == member.value.lowerBound {
                batch.extend(member.start..<member.value.upperBound, of: storage)
            } else {
                batch.extend(member.name.quotedRange, of: storage)
                batch.extend(CollectionOfOne(UInt8(ascii: ":")))
                batch.extend(member.value, of: storage)
            }
        }
        return batch.arenaRange(from: start)
    }
}
