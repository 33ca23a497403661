import Wire

extension AppleExportDecoder {
    /// The top element that is open.
    struct Pending {
        var kind: Kind
        /// Its tag's name, for its end.
        var tag: [UInt8] = []
        /// Why it is left out; nil when it isn't.
        var skipped: Skipped?
        var start = Timestamp.none
        var end = Timestamp.none
        var offset: Int16?
        /// Into `types`, its units and its values; -1 when there is none.
        var type = -1
        var unit = -1
        var valueIndex = -1
        /// Into `sources`.
        var source = -1
        var value: Double?
        /// Of a workout.
        var activity: [UInt8] = []
        var hasEnergy = false
        var hasDistance = false
        /// Of an activity summary.
        var day: Int32?
        /// Members of `rest`.
        var rest: [UInt8] = []
        var metadata: [UInt8] = []
        var beats: [UInt8] = []
        /// Elements within it, the outermost first, and what became of those that are closed.
        var frames: [Frame] = []
        var lists: [AppleList] = []

        init(_ kind: Kind) { self.kind = kind }

        /// Forgets all, keeping the memory.
        mutating func reset(_ kind: Kind) {
            var fresh = Pending(kind)
            swap(&fresh.rest, &rest)
            swap(&fresh.metadata, &metadata)
            swap(&fresh.beats, &beats)
            swap(&fresh.tag, &tag)
            fresh.rest.removeAll(keepingCapacity: true)
            fresh.metadata.removeAll(keepingCapacity: true)
            fresh.beats.removeAll(keepingCapacity: true)
            fresh.tag.removeAll(keepingCapacity: true)
            self = fresh
        }

        var bytes: Int {
            rest.count + metadata.count + beats.count + lists.reduce(0) { $0 + $1.items.count }
                + frames.reduce(0) { sum, frame in
                    sum + frame.members.count + frame.metadata.count + frame.lists.reduce(0) { $0 + $1.items.count }
                }
        }
    }

    /// An element within a workout, an audiogram or a prescription, on its way to a JSON object.
    struct Frame {
        var tag: [UInt8]
        var members: [UInt8] = []
        var metadata: [UInt8] = []
        var lists: [AppleList] = []
        /// Of a `WorkoutRoute`.
        var route: AppleRoute?
    }

    private static let maximumFrames = 16
    /// Each entry is compared with those before it.
    private static let maximumMetadataBytes = 64 << 10
    /// An export has one for each of its workouts.
    private static let maximumRoutes = 100_000

    // MARK: The start

    mutating func start(_ kind: Kind) {
        var element = spare
        spare = Pending(.record)
        element.reset(kind)
        scanner.withBytes(scanner.name) { element.tag.append(copying: $0) }
        switch kind {
        case .clinical: element.skipped = .clinical
        case .correlation: element.skipped = .correlation
        case .other: element.skipped = .other
        default: if !scanner.isUTF8 { element.skipped = .encoding }
        }
        if element.skipped == nil {
            switch kind {
            case .record: startRecord(&element)
            case .workout: startWorkout(&element)
            case .summary: startSummary(&element)
            case .audiogram, .vision: startOther(&element)
            default: break
            }
        }
        pending = element
    }

    /// Takes times and source; other attributes are for `each`.
    private mutating func takeCommon(_ element: inout Pending, _ each: (XMLTagScanner.Attribute) -> Bool) {
        var app: Range<Int>?, device: Range<Int>?
        var hasStart = false, hasEnd = false, hasCreated = false, hasVersion = false
        for attribute in scanner.attributes {
            let key = attribute.name
            switch key.count {
            case 9 where !hasStart && scanner.equals(key, "startDate"):
                hasStart = true
                if let time = time(attribute.value) { (element.start, element.offset) = (time.time, time.offset) }
            case 7 where !hasEnd && scanner.equals(key, "endDate"):
                hasEnd = true
                if let time = time(attribute.value) { element.end = time.time }
            case 10 where app == nil && scanner.equals(key, "sourceName"): app = attribute.value
            case 6 where device == nil && scanner.equals(key, "device"): device = attribute.value
            case 12 where !hasCreated && scanner.equals(key, "creationDate"):
                hasCreated = true
                element.rest.startMember("creation_date")
                appendJSON(attribute.value, to: &element.rest)
            case 13 where !hasVersion && scanner.equals(key, "sourceVersion"):
                hasVersion = true
                element.rest.startMember("source_version")
                appendJSON(attribute.value, to: &element.rest)
            default: if !each(attribute) { addMetadata(attribute.name, attribute.value, to: &element.metadata) }
            }
        }
        if app != nil || device != nil {
            element.source = sources.index(app: app, device: device, in: scanner)
            let json = sources.entries[element.source].device
            if !json.isEmpty {
                element.rest.startMember("device")
                element.rest += json
            }
        }
    }

    private func time(_ range: Range<Int>) -> (time: Timestamp, offset: Int16)? {
        scanner.withBytes(range) { AppleText.time($0) }
    }

    private mutating func startRecord(_ element: inout Pending) {
        var type: Range<Int>?, unit: Range<Int>?, value: Range<Int>?
        takeCommon(&element) { [scanner] attribute in
            if type == nil, scanner.equals(attribute.name, "type") {
                type = attribute.value
            } else if unit == nil, scanner.equals(attribute.name, "unit") {
                unit = attribute.value
            } else if value == nil, scanner.equals(attribute.name, "value") {
                value = attribute.value
            } else {
                // The second of an attribute that comes twice is nobody's metadata.
                return ["type", "unit", "value"].contains { scanner.equals(attribute.name, $0) }
            }
            return true
        }
        guard let type, !type.isEmpty, type.count <= 512 else { return element.skipped = .type }
        guard element.start != .none else { return element.skipped = .time }
        element.type = types.index(of: type, in: scanner)
        let kind = types.entries[element.type].kind
        element.unit = types.unit(unit, of: element.type, in: scanner)
        guard let value else { return }
        if kind == .category {
            element.valueIndex = types.value(value, of: element.type, in: scanner)
            element.value = types.entries[element.type].values[element.valueIndex].number
            return
        }
        let number = scanner.withBytes(value) { DecimalText.parse($0) }
        let used = types.entries[element.type].units[element.unit]
        if let number { element.value = used.conversion.map { $0(number.value) } ?? number.value }
        if element.value.map({ !$0.isFinite }) == true { element.value = nil }
        // What the column doesn't give back: no number, one of more digits than a double has, or of another unit; nor
        // has a sample of no known kind a place for it in its body.
        if number.map({ $0.significantDigits > 15 }) ?? true || used.conversion != nil || element.value == nil
            || kind == .other
        {
            element.rest.startMember("apple_value")
            appendJSON(value, to: &element.rest)
        }
        if used.isRenamed, let unit {
            element.rest.startMember("apple_unit")
            appendJSON(unit, to: &element.rest)
        }
    }

    private mutating func startWorkout(_ element: inout Pending) {
        var activity: Range<Int>?, duration: Range<Int>?, durationUnit: Range<Int>?
        var totals: [(name: StaticString, value: Range<Int>?, unit: Range<Int>?)] = [
            ("totalEnergyBurned", nil, nil), ("totalDistance", nil, nil),
        ]
        takeCommon(&element) { [scanner] attribute in
            let key = attribute.name
            if scanner.equals(key, "workoutActivityType") {
                activity = activity ?? attribute.value
            } else if scanner.equals(key, "duration") {
                duration = duration ?? attribute.value
            } else if scanner.equals(key, "durationUnit") {
                durationUnit = durationUnit ?? attribute.value
            } else if scanner.equals(key, "totalEnergyBurned") {
                totals[0].value = totals[0].value ?? attribute.value
            } else if scanner.equals(key, "totalEnergyBurnedUnit") {
                totals[0].unit = totals[0].unit ?? attribute.value
            } else if scanner.equals(key, "totalDistance") {
                totals[1].value = totals[1].value ?? attribute.value
            } else if scanner.equals(key, "totalDistanceUnit") {
                totals[1].unit = totals[1].unit ?? attribute.value
            } else {
                return false
            }
            return true
        }
        guard element.start != .none else { return element.skipped = .time }
        let constant = activity.map { scanner.unescaped($0) } ?? []
        element.activity =
            types.catalog.activities.first { $0.hk.utf8.elementsEqual(constant) }.map { Array($0.name.utf8) }
            ?? constant
        if let duration, let number = number(duration) {
            let unit = durationUnit.map { scanner.unescaped($0) } ?? Array("min".utf8)
            element.value = types.catalog.conversion(from: unit, to: "s".utf8).map { $0(number) }
        }
        if element.value == nil, element.end != .none {
            element.value = Double(element.end.microseconds - element.start.microseconds) / 1e6
        }
        takeTotal(totals[0].value, totals[0].unit, isEnergy: true, &element)
        takeTotal(totals[1].value, totals[1].unit, isEnergy: false, &element)
    }

    /// Takes a workout's energy in kcal or distance in m, unless it has one.
    private func takeTotal(_ value: Range<Int>?, _ unit: Range<Int>?, isEnergy: Bool, _ element: inout Pending) {
        guard !(isEnergy ? element.hasEnergy : element.hasDistance), let value, let number = number(value), number > 0,
            let unit,
            let conversion = types.catalog.conversion(
                from: scanner.unescaped(unit), to: isEnergy ? "kcal".utf8 : "m".utf8)
        else { return }
        let total = conversion(number)
        guard total.isFinite else { return }
        element.rest.startMember(isEnergy ? "energy_kcal" : "distance_m")
        element.rest.append(number: total)
        if isEnergy { element.hasEnergy = true } else { element.hasDistance = true }
    }

    private func number(_ range: Range<Int>) -> Double? { scanner.withBytes(range) { DecimalText.parse($0)?.value } }

    private mutating func startSummary(_ element: inout Pending) {
        guard let date = scanner.attribute("dateComponents"),
            let day = scanner.withBytes(date, { CivilDate.parse($0) })
        else { return element.skipped = .time }
        element.day = Int32(clamping: day.daysSince1970)
        element.rest.startMember("date")
        appendJSON(date, to: &element.rest)
        appendMembers(except: ["dateComponents"], isTop: true, to: &element.rest)
    }

    private mutating func startOther(_ element: inout Pending) {
        var others: [XMLTagScanner.Attribute] = []
        takeCommon(&element) { attribute in
            others.append(attribute)
            return true
        }
        for attribute in others {
            if element.kind == .vision, scanner.equals(attribute.name, "dateIssued") {
                if let time = time(attribute.value) { (element.start, element.offset) = (time.time, time.offset) }
            }
            appendMember(attribute, isTop: true, to: &element.rest)
        }
        if element.start == .none { element.skipped = .time }
    }

    // MARK: What is within

    mutating func openChild() {
        guard var element = pending.take() else { return }
        defer { pending = element }
        if element.kind == .correlation {
            if scanner.equals(scanner.name, "Record") { count(.nested) }
            return
        }
        guard element.skipped == nil else { return }
        if !scanner.isUTF8 { return element.skipped = .encoding }
        if element.bytes > Self.maximumElementBytes || element.metadata.count > Self.maximumMetadataBytes
            || (element.frames.last?.metadata.count ?? 0) > Self.maximumMetadataBytes
        {
            return element.skipped = .tooLarge
        }
        if scanner.equals(scanner.name, "MetadataEntry") {
            guard let key = scanner.attribute("key"), let value = scanner.attribute("value") else { return }
            if element.frames.isEmpty {
                addMetadata(key, value, to: &element.metadata)
            } else {
                addMetadata(key, value, to: &element.frames[element.frames.count - 1].metadata)
            }
            return
        }
        if element.kind == .record {
            if scanner.equals(scanner.name, "InstantaneousBeatsPerMinute") { takeBeat(&element) }
            return
        }
        takeFrame(&element)
    }

    private func takeBeat(_ element: inout Pending) {
        guard let rate = scanner.attribute("bpm"), let number = number(rate) else { return }
        element.beats.append(element.beats.isEmpty ? UInt8(ascii: "[") : UInt8(ascii: ","))
        element.beats.append(UInt8(ascii: "["))
        element.beats.append(number: number)
        if let time = scanner.attribute("time") {
            element.beats.append(UInt8(ascii: ","))
            appendJSON(time, to: &element.beats)
        }
        element.beats.append(UInt8(ascii: "]"))
    }

    private mutating func takeFrame(_ element: inout Pending) {
        if element.frames.count >= Self.maximumFrames { return element.skipped = .damaged }
        var frame = Frame(tag: scanner.withBytes(scanner.name) { $0.array })
        if scanner.equals(scanner.name, "WorkoutStatistics"), element.frames.isEmpty, element.kind == .workout,
            let type = scanner.attribute("type"), let sum = scanner.attribute("sum")
        {
            let identifier = scanner.unescaped(type), unit = scanner.attribute("unit")
            if identifier.elementsEqual("HKQuantityTypeIdentifierActiveEnergyBurned".utf8) {
                takeTotal(sum, unit, isEnergy: true, &element)
            } else if identifier.starts(with: "HKQuantityTypeIdentifierDistance".utf8) {
                takeTotal(sum, unit, isEnergy: false, &element)
            }
        }
        if scanner.equals(scanner.name, "WorkoutRoute") {
            let app = scanner.attribute("sourceName"), device = scanner.attribute("device")
            let entry = AppleSources.entry(app: app, device: device, in: scanner)
            let offset = scanner.attribute("startDate").flatMap { time($0)?.offset }
            frame.route = AppleRoute(app: entry.app, device: entry.name, offsetMinutes: offset)
        }
        if scanner.equals(scanner.name, "FileReference"), let path = scanner.attribute("path"),
            let route = element.frames.last?.route, routes.count < Self.maximumRoutes
        {
            var name = scanner.unescaped(path)
            while name.first == UInt8(ascii: "/") { name.removeFirst() }
            routes[name] = route
        }
        appendMembers(except: ["device"], to: &frame.members)
        element.frames.append(frame)
        if scanner.isEmptyElement { Self.closeFrame(&element) }
    }

    mutating func closeChild() {
        guard var element = pending.take() else { return }
        defer { pending = element }
        // One that was opened further out closes what is within it.
        guard let index = element.frames.lastIndex(where: { scanner.equals(scanner.name, $0.tag) }) else { return }
        while element.frames.count > index { Self.closeFrame(&element) }
    }

    static func closeFrame(_ element: inout Pending) {
        guard var frame = element.frames.popLast() else { return }
        if !frame.metadata.isEmpty, !frame.members.hasMember(Array("metadata".utf8)) {
            frame.members.startMember("metadata")
            frame.members += frame.metadata + [UInt8(ascii: "}")]
        }
        for list in frame.lists where !frame.members.hasMember(list.key) { frame.members.append(list) }
        let object = [UInt8(ascii: "{")] + frame.members + [UInt8(ascii: "}")]
        let key = listName(frame.tag)
        if element.frames.isEmpty {
            element.lists.add(object, to: key)
        } else {
            element.frames[element.frames.count - 1].lists.add(object, to: key)
        }
    }

    private static func listName(_ tag: [UInt8]) -> [UInt8] {
        switch String(decoding: tag, as: UTF8.self) {
        case "WorkoutEvent": Array("events".utf8)
        case "WorkoutStatistics": Array("statistics".utf8)
        case "WorkoutActivity": Array("activities".utf8)
        case "WorkoutRoute": Array("routes".utf8)
        case "FileReference": Array("files".utf8)
        case "SensitivityPoint": Array("points".utf8)
        // A name of the file's own must not be one that the sample has.
        default: Array("apple_".utf8) + AppleText.snake(tag)
        }
    }
}

/// A member that is an array of objects.
struct AppleList {
    var key: [UInt8]
    /// With commas between, no brackets.
    var items: [UInt8]
}

extension [AppleList] {
    /// Files name a few kinds of elements; further ones are left out.
    private static var maximumCount: Int { 64 }

    mutating func add(_ object: [UInt8], to key: [UInt8]) {
        if let index = firstIndex(where: { $0.key == key }) {
            self[index].items.append(UInt8(ascii: ","))
            self[index].items += object
        } else if count < Self.maximumCount {
            append(AppleList(key: key, items: object))
        }
    }
}

extension [UInt8] {
    /// Appends a list as a member.
    mutating func append(_ list: AppleList) {
        if !isEmpty { append(UInt8(ascii: ",")) }
        append(quoted: list.key)
        append(contentsOf: ":[".utf8)
        self += list.items
        append(UInt8(ascii: "]"))
    }
}
