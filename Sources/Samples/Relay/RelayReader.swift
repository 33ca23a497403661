import Wire

/// Reads one push: what it lists first, since its members come in any order, then record by record.
struct RelayReader {
    /// The sender lists 7 at most; what one push may cost in rows of ours.
    static let maximumDays = 400
    /// A sender's clock may be wrong by so much, in microseconds.
    private static let maximumAhead: Int64 = 86_400_000_000
    /// Left-out values of one push that are kept with their bytes; the rest is counted.
    private static let maximumSkipped = 1_000
    private static let maximumDeviceBytes = 1_024
    /// Sections of all days together; each takes memory of its own.
    private static let maximumParts = 32_768

    let body: PaddedBytes
    let context: DecodeContext
    var path: String?
    private(set) var refusal: (code: String, message: String)?

    /// Values that may hold records.
    private struct Part {
        var name: [UInt8]
        var section: RelaySection
        var range: Range<Int>
        var kind: JSONKind
        /// Nil at the top.
        var day: Int32?
        var path: String?
    }

    private var parts: [Part] = []
    private var exported: (range: Range<Int>, kind: JSONKind)?
    private var devices: (range: Range<Int>, kind: JSONKind)?
    private var dayList: (range: Range<Int>, kind: JSONKind)?
    /// As the body names it, else the endpoint's.
    private(set) var zone: ZoneRules
    private var device: [UInt8]?
    /// Days that are listed, in their order, and their samples.
    private var order: [Int32] = []
    private var samples: [Int32: [SampleRecord]] = [:]
    /// How often a key without its count was met.
    var occurrences: [SampleKey: Int64] = [:]
    var batch = SampleBatch()
    var rest = GuestRest(.relay)

    init(_ body: PaddedBytes, _ context: DecodeContext) {
        self.body = body
        self.context = context
        zone = context.zone(nil) ?? .utc
    }

    func isListed(_ day: Int32) -> Bool { samples[day] != nil }
    mutating func add(_ record: SampleRecord, on day: Int32) { samples[day, default: []].append(record) }

    mutating func read() throws(JSONFault) -> DecodedBody {
        var json = try JSONScanner(body, limits: context.json)
        let start = json.position
        guard try json.kind() == .object else {
            throw refuse("envelope_invalid", "The body is no JSON object.", at: start)
        }
        try readEnvelope(&json, isTop: true)
        try json.finish()
        try readDevice()
        let exportedAt = try readExportedAt()
        try readDays()
        parts.removeAll { $0.kind == .null }
        // An object that we don't know may tell anything, such as the app's version.
        if order.isEmpty && !parts.contains(where: { isFull($0) && ($0.section.known != nil || $0.kind == .array) }) {
            guard device != nil else { throw missing("device", at: start) }
            return DecodedBody(device: device, isTest: true)
        }
        guard dayList != nil else { throw missing("days", at: start) }
        guard let exportedAt else { throw missing("exportedAt", at: start) }
        for part in parts { try readPart(part) }
        var extras = RelayExtras(exportedAt: exportedAt, days: [])
        for day in order {
            let first = batch.samples.count
            batch.samples += samples[day] ?? []
            extras.days.append(RelayExtras.Day(day: day, samples: first..<batch.samples.count))
        }
        batch.extras = .relay(extras)
        return DecodedBody(device: device, batch: batch)
    }

    // MARK: The top

    private mutating func readEnvelope(_ json: inout JSONScanner, isTop: Bool) throws(JSONFault) {
        try json.enterObject()
        while let name = try json.nextMember() {
            let bytes = json.bytes(of: name), at = json.position, kind = try json.kind()
            switch RelayName.fold(bytes) {
            case "exportedat", "exportdate": exported = try once(exported, "exportedAt", &json, kind)
            case "device": devices = try once(devices, "device", &json, kind)
            case "days": dayList = try once(dayList, "days", &json, kind)
            case "data" where isTop && kind == .object, "sections" where isTop && kind == .object:
                try readEnvelope(&json, isTop: false)
            default:
                let section = RelaySection(bytes)
                if case .other = section {
                    path = nil
                } else {
                    path = section.known.map { "\($0)" }
                }
                let range = try json.skip()
                // A scalar that we don't know, such as the schema's number, tells nothing that we use.
                guard section.known != nil || kind == .object || kind == .array else { continue }
                try append(
                    Part(name: bytes, section: section, range: at..<range.upperBound, kind: kind, path: path))
            }
            path = nil
        }
    }

    private mutating func append(_ part: Part) throws(JSONFault) {
        guard parts.count < Self.maximumParts else {
            throw refuse(
                "sections_too_many", "A push has more than \(Self.maximumParts) sections.", at: part.range.lowerBound)
        }
        parts.append(part)
    }

    private mutating func once(
        _ earlier: (range: Range<Int>, kind: JSONKind)?, _ name: String, _ json: inout JSONScanner, _ kind: JSONKind
    ) throws(JSONFault) -> (range: Range<Int>, kind: JSONKind)? {
        path = name
        let range = try json.skip()
        if earlier != nil {
            throw refuse("member_repeated", "`\(name)` is there in two spellings.", at: range.lowerBound)
        }
        return kind == .null ? nil : (range, kind)
    }

    private func scanner(at range: Range<Int>) -> JSONScanner {
        JSONScanner(body, at: range.lowerBound, limits: context.json)
    }

    /// A text, or an object with an id; a zone beside it.
    private mutating func readDevice() throws(JSONFault) {
        guard let (range, kind) = devices else { return }
        path = "device"
        var json = scanner(at: range)
        switch kind {
        case .string: device = json.bytes(of: try json.text())
        case .object:
            var name: [UInt8]?
            try json.enterObject()
            while let member = try json.nextMember() {
                guard try json.kind() == .string else {
                    _ = try json.skip()
                    continue
                }
                let text = json.bytes(of: try json.text())
                switch RelayName.fold(json.bytes(of: member)) {
                case "id", "identifier", "deviceid", "uuid": device = device ?? text
                case "name", "model": name = name ?? text
                case "timezone", "tz", "timezoneidentifier": if let named = context.zone(text) { zone = named }
                default: break
                }
            }
            device = device ?? name
        default: break
        }
        guard let device, 1...Self.maximumDeviceBytes ~= device.count, !device.contains(0) else {
            throw refuse(
                "member_invalid",
                "`device` is neither a text nor an object with an `id`, of 1 to \(Self.maximumDeviceBytes) bytes.",
                at: range.lowerBound)
        }
        path = nil
    }

    private mutating func readExportedAt() throws(JSONFault) -> Timestamp? {
        guard let (range, _) = exported else { return nil }
        path = "exportedAt"
        var json = scanner(at: range)
        // A day alone is no moment.
        let isMoment = try json.kind() == .number || range.count > 12
        guard isMoment, let date = try date(&json) else {
            throw refuse("time_invalid", "`exportedAt` is no date and time.", at: range.lowerBound)
        }
        if let now = context.now {
            let latest = now.microseconds.addingReportingOverflow(Self.maximumAhead)
            guard latest.overflow || date.timestamp.microseconds <= latest.partialValue else {
                throw refuse(
                    "exported_ahead", "`exportedAt` is more than a day ahead of this server's clock.",
                    at: range.lowerBound)
            }
        }
        path = nil
        return date.timestamp
    }

    private mutating func readDays() throws(JSONFault) {
        guard let (range, kind) = dayList else { return }
        path = "days"
        guard kind == .array else { throw refuse("member_invalid", "`days` is no array.", at: range.lowerBound) }
        var json = scanner(at: range)
        try json.enterArray()
        var index = 0
        while try json.nextElement() {
            path = "days[\(index)]"
            try readDay(&json, "days[\(index)]")
            index += 1
        }
        path = nil
    }

    /// A date, or an object with one and sections of its own.
    private mutating func readDay(_ json: inout JSONScanner, _ place: String) throws(JSONFault) {
        let at = json.position
        var found: Int32?
        let first = parts.count
        switch try json.kind() {
        case .string: found = day(try json.text(), json, isWhole: true)
        case .object:
            try json.enterObject()
            while let member = try json.nextMember() {
                let name = json.bytes(of: member), kind = try json.kind(), start = json.position
                switch RelayName(name) {
                case .day where kind == .string, .date where kind == .string:
                    path = "\(place).\(RelayName(name) == .day ? "day" : "date")"
                    guard let one = day(try json.text(), json, isWhole: false), found == nil || found == one else {
                        throw refuse("day_invalid", "A day is no date as YYYY-MM-DD.", at: start)
                    }
                    found = one
                default:
                    let section = RelaySection(name), range = try json.skip()
                    guard section.known != nil || kind == .object || kind == .array, kind != .null else { continue }
                    let known = section.known.map { "\(place).\($0)" }
                    try append(Part(name: name, section: section, range: range, kind: kind, path: known))
                }
                path = place
            }
        default: break
        }
        guard let found else { throw refuse("day_invalid", "A day is no date as YYYY-MM-DD.", at: at) }
        if samples[found] == nil {
            samples[found] = []
            order.append(found)
            guard order.count <= Self.maximumDays else {
                throw refuse("days_too_many", "A push lists more than \(Self.maximumDays) days.", at: at)
            }
        }
        for index in first..<parts.count {
            parts[index].day = found
        }
    }

    /// The day that a text begins with, in days since 1970-01-01; nil for none.
    ///
    /// - Parameter isWhole: whether the text is nothing else.
    func day(_ text: JSONText, _ json: borrowing JSONScanner, isWhole: Bool) -> Int32? {
        json.withBytes(of: text) { bytes in
            guard isWhole ? bytes.count == 10 : bytes.count >= 10, let date = CivilDate.parse(bytes.extracting(0..<10))
            else { return nil }
            return Int32(date.daysSince1970)
        }
    }

    /// The moment that is written at the scanner's place, in any form that a sender has; nil for another value.
    func date(_ json: inout JSONScanner) throws(JSONFault) -> HAEDate? {
        let zone = zone
        switch try json.kind() {
        case .string:
            let text = json.bytes(of: try json.text())
            return try? HAEDate(text.span) { zone.offsetMinutes(atLocalSeconds: $0) }
        case .number:
            let number = try json.number().value
            return try? HAEDate(epoch: number) { zone.offsetMinutes(atLocalSeconds: $0) }
        default:
            _ = try json.skip()
            return nil
        }
    }

    // MARK: Sections

    /// Whether there is something in a section.
    private func isFull(_ part: Part) -> Bool {
        guard part.kind == .array || part.kind == .object else { return true }
        return body[part.range.lowerBound + 1..<part.range.upperBound - 1].contains {
            $0 != 0x20 && $0 != 0x0A && $0 != 0x0D && $0 != 0x09
        }
    }

    /// An array of records, or an object of such arrays (or records) by name.
    private mutating func readPart(_ part: Part) throws(JSONFault) {
        var json = scanner(at: part.range)
        path = part.path
        switch part.kind {
        case .array: try readRecords(&json, part, name: nil, part.path)
        case .object where part.section.known != nil:
            try json.enterObject()
            while let name = try json.nextMember() {
                let name = json.bytes(of: name)
                switch try json.kind() {
                case .array: try readRecords(&json, part, name: name, part.path)
                case .object: try readRecord(&json, part, name: name, part.path)
                default: skip("record_invalid", try json.skip(), part.path)
                }
            }
        default: skip("section_unknown", part.range, part.path)
        }
        path = nil
    }

    private mutating func readRecords(
        _ json: inout JSONScanner, _ part: Part, name: [UInt8]?, _ place: String?
    ) throws(JSONFault) {
        try json.enterArray()
        var index = 0
        while try json.nextElement() {
            let place = name == nil ? place.map { "\($0)[\(index)]" } : place
            index += 1
            guard try json.kind() == .object else {
                skip("record_invalid", try json.skip(), place)
                continue
            }
            try readRecord(&json, part, name: name, place)
        }
    }

    private mutating func readRecord(
        _ json: inout JSONScanner, _ part: Part, name: [UInt8]?, _ place: String?
    ) throws(JSONFault) {
        path = place
        let object = try RelayObject(&json)
        guard let day = try self.day(of: object, json, part.day, isKnown: part.section.known != nil, place) else {
            return skip("day_missing", object.range, place)
        }
        makeRecord(object, json, part.section, name: name, on: day)
        path = part.path
    }

    /// The listed day that a record belongs to.
    ///
    /// - Parameter holder: the day whose object the record stands in.
    /// - Returns: nil for a record of a section that we don't know, when it tells none.
    private mutating func day(
        of object: RelayObject, _ json: borrowing JSONScanner, _ holder: Int32?, isKnown: Bool, _ place: String?
    ) throws(JSONFault) -> Int32? {
        if let holder {
            // A time of day is of a clock of its own; only a day that is written as one can be another.
            for (name, text) in [(RelayName.day, "day"), (.date, "date")] {
                guard let member = object[name], member.range.count == 12, let written = member.text,
                    let day = day(written, json, isWhole: true), day != holder
                else { continue }
                path = place.map { "\($0).\(text)" }
                throw refuse(
                    "day_not_listed", "A record's day is another than the one it stands in.",
                    at: member.range.lowerBound)
            }
            return holder
        }
        var found: (day: Int32, member: String, at: Int)?
        for (name, text) in [(RelayName.day, "day"), (.date, "date")] where found == nil {
            guard let member = object[name] else { continue }
            guard let written = member.text, let day = day(written, json, isWhole: false) else {
                if !isKnown { continue }
                path = place.map { "\($0).\(text)" }
                throw refuse("day_invalid", "A record's day is no date as YYYY-MM-DD.", at: member.range.lowerBound)
            }
            found = (day, text, member.range.lowerBound)
        }
        if found == nil, let (start, member) = start(of: object) {
            found = (localDay(start), "start", member.range.lowerBound)
        }
        guard let found else {
            if !isKnown { return nil }
            throw refuse("day_missing", "A record tells no day and no start.", at: object.range.lowerBound)
        }
        guard isListed(found.day) else {
            path = place.map { "\($0).\(found.member)" }
            throw refuse("day_not_listed", "A record's day is not among `days`.", at: found.at)
        }
        return found.day
    }

    /// When a record begins; nil when it tells a day alone.
    func start(of object: RelayObject) -> (date: HAEDate, member: RelayObject.Member)? {
        for name in [RelayName.start, .time, .date] {
            guard let member = object[name], name != .date || member.range.count > 12 else { continue }
            var json = scanner(at: member.range)
            if let date = try? date(&json) { return (date, member) }
        }
        return nil
    }

    func end(of object: RelayObject) -> (date: HAEDate, member: RelayObject.Member)? {
        guard let member = object[.end] else { return nil }
        var json = scanner(at: member.range)
        return (try? date(&json)).map { ($0, member) }
    }

    private func localDay(_ date: HAEDate) -> Int32 {
        let local = date.seconds + Int64(zone.offsetSeconds(at: date.timestamp))
        // Years 1900 to 2200 alone are read.
        return Int32(truncatingIfNeeded: local >= 0 ? local / 86_400 : (local - 86_399) / 86_400)
    }

    // MARK: Faults

    /// Keeps a value that is no record.
    private mutating func skip(_ code: StaticString, _ range: Range<Int>, _ place: String?) {
        guard batch.skipped.count < Self.maximumSkipped else {
            batch.skippedBeyond += 1
            return
        }
        var end = min(range.upperBound, range.lowerBound + SkippedRecord.maximumRawBytes)
        if end < range.upperBound { while body[end] & 0xC0 == 0x80 { end -= 1 } }
        batch.skipped.append(
            SkippedRecord(
                path: batch.append((place ?? "").utf8), code: code, raw: batch.append(body[range.lowerBound..<end])))
    }

    private mutating func missing(_ member: String, at offset: Int) -> JSONFault {
        path = member
        return refuse("member_missing", "The push has no `\(member)`.", at: offset)
    }

    private mutating func refuse(_ code: String, _ message: String, at offset: Int) -> JSONFault {
        refusal = (code, message)
        return JSONFault(.otherKind, offset: offset)
    }
}
