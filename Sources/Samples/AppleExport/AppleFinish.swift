import Wire

/// Whole elements as records of the batch.
extension AppleExportDecoder {
    mutating func finish(_ element: Pending) {
        var element = element
        while !element.frames.isEmpty { Self.closeFrame(&element) }
        if element.bytes > Self.maximumElementBytes { return count(.tooLarge) }
        switch element.kind {
        case .record: finishRecord(&element)
        case .workout: finishWorkout(&element)
        case .summary: finishSummary(&element)
        case .audiogram: finishOther(&element, "audiogram", .audiogram)
        case .vision: finishOther(&element, "vision_prescription", .other)
        case .me, .root, .exportDate, .correlation, .clinical, .other: break
        }
    }

    private mutating func finishRecord(_ element: inout Pending) {
        let type = types.entries[element.type]
        startKey(type.name, element)
        if element.valueIndex >= 0 {
            name.add(type.values[element.valueIndex].name)
            name.add(Int64(bitPattern: (element.value ?? 0).bitPattern))
        } else if let value = element.value {
            name.add(Int64(bitPattern: (value == 0 ? 0 : value).bitPattern))
        }
        var record = record(element, name.key, type.kind, types.series(element.unit, of: element.type, in: &batch))
        record.value = element.value
        if element.valueIndex >= 0 {
            record.valueName = types.text(element.valueIndex, of: element.type, in: &batch)
        }
        append(record, &element)
    }

    private mutating func finishWorkout(_ element: inout Pending) {
        startKey(Array("workout".utf8), element)
        name.add(element.activity.span)
        let series = batch.series(type: batch.intern("workout".utf8), unit: batch.intern("s".utf8))
        var record = record(element, name.key, .workout, series)
        record.value = element.value
        if 1...NativeReader.maximumTextBytes ~= element.activity.count {
            record.valueName = batch.intern(element.activity.span)
        }
        append(record, &element)
    }

    private mutating func finishSummary(_ element: inout Pending) {
        guard let day = element.day else { return }
        let date = CivilDate(daysSince1970: day)
        var key = Array("activity_summary:".utf8)
        for (number, digits) in [(date.year, 4), (date.month, 2), (date.day, 2)] {
            if digits == 2 { key.append(UInt8(ascii: "-")) }
            key.append(padded: UInt64(number.magnitude), digits: digits)
        }
        let series = batch.series(type: batch.intern("activity_summary".utf8), unit: -1)
        var record = record(element, .text(batch.append(key)), .activitySummary, series)
        record.day = day
        append(record, &element)
    }

    private mutating func finishOther(_ element: inout Pending, _ type: StaticString, _ kind: SampleKind) {
        let typeName = Array("\(type)".utf8)
        startKey(typeName, element)
        let record = record(element, name.key, kind, batch.series(type: batch.intern(typeName.span), unit: -1))
        append(record, &element)
    }

    /// What every key is made of: type, start, end, and where it came from.
    private mutating func startKey(_ type: [UInt8], _ element: Pending) {
        name.reset()
        name.add("apple".utf8)
        name.add(type)
        name.add(element.start.microseconds)
        name.add(element.end.microseconds)
        name.add(element.source < 0 ? [] : sources.entries[element.source].app)
        name.add(element.source < 0 ? [] : sources.entries[element.source].name)
    }

    private mutating func record(
        _ element: Pending, _ key: SampleKey, _ kind: SampleKind, _ series: BatchIndex
    ) -> SampleRecord {
        SampleRecord(
            key: key, start: element.start, end: element.end, value: nil, series: series,
            source: element.source < 0
                ? -1 : sources.source(element.source, in: &batch, generation: types.generation),
            valueName: -1, part: 0, utcOffsetMinutes: element.offset, kind: kind, spelled: [], rest: .empty)
    }

    private mutating func append(_ record: SampleRecord, _ element: inout Pending) {
        if !element.metadata.isEmpty {
            element.rest.startMember("metadata")
            element.rest += element.metadata
            element.rest.append(UInt8(ascii: "}"))
        }
        if !element.beats.isEmpty {
            element.rest.startMember("instantaneous_bpm")
            element.rest += element.beats
            element.rest.append(UInt8(ascii: "]"))
        }
        for list in element.lists where !element.rest.hasMember(list.key) { element.rest.append(list) }
        var record = record
        if !element.rest.isEmpty { record.rest = batch.append(element.rest) }
        batch.samples.append(record)
    }

    // MARK: Characteristics

    private static let characteristicPrefix = Array("HKCharacteristicTypeIdentifier".utf8)

    /// The attributes of `Me`, but those that are not set.
    mutating func takeCharacteristics() {
        guard elements >= done, scanner.isUTF8 else { return }
        var seen: Set<[UInt8]> = []
        for attribute in scanner.attributes {
            let identifier = scanner.unescaped(attribute.name)
            guard identifier.starts(with: Self.characteristicPrefix), seen.insert(identifier).inserted else { continue }
            let known = types.catalog.characteristics.first { $0.hk.utf8.elementsEqual(identifier) }
            let name =
                known.map { Array($0.name.utf8) }
                ?? AppleText.snake(identifier.dropFirst(Self.characteristicPrefix.count))
            let text = scanner.unescaped(attribute.value)
            let value = AppleText.value(text[...], of: known?.values ?? [])
            let told = value.map { Array($0.name.utf8) } ?? text
            if told.isEmpty || told.elementsEqual("not_set".utf8) || told.elementsEqual("None".utf8) { continue }
            guard name.count <= 100, told.count <= NativeReader.maximumTextBytes else { continue }
            var rest: [UInt8] = []
            rest.startMember("name")
            rest.append(quoted: name)
            batch.samples.append(
                SampleRecord(
                    key: .text(batch.append(Array("characteristic:".utf8) + name)), start: .none, end: .none,
                    value: value.map { Double($0.raw) },
                    series: batch.series(type: batch.intern("characteristic".utf8), unit: -1), source: -1,
                    valueName: batch.intern(told.span), part: 0, kind: .characteristic, spelled: [],
                    rest: batch.append(rest)))
        }
    }
}
