package import Wire

/// Decodes what apps that send day totals of steps write.
///
/// Shape: `{"days":[{"date":"2026-10-14","steps":4391}]}`; other members of a day are kept in `rest`. Source: specs,
/// daily-steps. A date becomes one sample, whose key is its name, so that whatever comes later for it takes its place.
package enum StepsDecoder {
    /// - Throws: `DecodeFault` with `envelope_invalid`, `member_missing`, `member_invalid`, `date_invalid`,
    ///   `steps_invalid`, `date_repeated`, or what the scanner has; its path is such as `days[3].date`.
    package static func decode(_ body: PaddedBytes, context: DecodeContext) throws(DecodeFault) -> DecodedBody {
        var json: JSONScanner
        do throws(JSONFault) { json = try JSONScanner(body, limits: context.json) } catch {
            throw DecodeFault(error, in: body, nil, path: nil)
        }
        var reader = StepsReader(body, context)
        do throws(JSONFault) { try reader.read(&json) } catch {
            throw DecodeFault(error, in: body, reader.refusal, path: reader.path)
        }
        return DecodedBody(batch: reader.batch)
    }
}

/// A day of the calendar as this dialect has it.
package enum StepsDay {
    /// Syncky's name for steps, and their unit.
    package static let type = "steps"
    static let unit = "count"

    /// The key of a date's sample. It has no time in it: another time zone of the endpoint makes no second day.
    package static func key(_ date: CivilDate) -> String { "steps:\(date.text)" }
}

/// Reads one body front to back.
struct StepsReader {
    /// Up to here every whole number is a double of its own.
    private static let maximumSteps: Int64 = 1 << 53

    private let body: PaddedBytes
    private let context: DecodeContext
    private(set) var batch = SampleBatch()
    private(set) var path: String?
    private(set) var refusal: (code: String, message: String)?
    private var dates: Set<CivilDate> = []
    private var rest = GuestRest(.steps)

    init(_ body: PaddedBytes, _ context: DecodeContext) {
        self.body = body
        self.context = context
        batch.extras = .steps
    }

    mutating func read(_ json: inout JSONScanner) throws(JSONFault) {
        let start = json.position
        guard try json.kind() == .object else {
            throw refuse("envelope_invalid", "The body is no JSON object with `days`.", at: start)
        }
        var hasDays = false
        try json.enterObject()
        while let name = try json.nextMember() {
            guard json.withBytes(of: name, { $0.equals("days") }) else {
                _ = try json.skip()
                continue
            }
            hasDays = true
            path = "days"
            try readDays(&json)
            path = nil
        }
        guard hasDays else {
            path = "days"
            throw refuse("member_missing", "The body has no `days`.", at: start)
        }
        try json.finish()
    }

    private mutating func readDays(_ json: inout JSONScanner) throws(JSONFault) {
        guard try json.kind() == .array else {
            throw refuse("member_invalid", "`days` is no array.", at: json.position)
        }
        try json.enterArray()
        var index = 0
        while try json.nextElement() {
            path = "days[\(index)]"
            try readDay(&json, "days[\(index)]")
            index += 1
            path = "days"
        }
    }

    private mutating func readDay(_ json: inout JSONScanner, _ place: String) throws(JSONFault) {
        let start = json.position
        guard try json.kind() == .object else {
            throw refuse("member_invalid", "An entry of `days` is no object.", at: start)
        }
        var found: CivilDate?
        var steps: Int64?
        rest.removeAll()
        try json.enterObject()
        while let name = try json.nextMember() {
            if json.withBytes(of: name, { $0.equals("date") }) {
                path = "\(place).date"
                found = try readDate(&json)
            } else if json.withBytes(of: name, { $0.equals("steps") }) {
                path = "\(place).steps"
                steps = try readSteps(&json)
            } else {
                rest.add(name, try json.skip(), of: body, json)
            }
            path = place
        }
        guard let found else {
            path = "\(place).date"
            throw refuse("member_missing", "A day has no `date`.", at: start)
        }
        guard let steps else {
            path = "\(place).steps"
            throw refuse("member_missing", "A day has no `steps`.", at: start)
        }
        add(found, steps)
    }

    private mutating func readDate(_ json: inout JSONScanner) throws(JSONFault) -> CivilDate {
        let at = json.position
        guard try json.kind() == .string, let text = Optional(try json.text()),
            let date = json.withBytes(of: text, { CivilDate.parse($0) })
        else { throw refuse("date_invalid", "A date is no day of the calendar as YYYY-MM-DD.", at: at) }
        guard dates.insert(date).inserted else {
            throw refuse(
                "date_repeated", "A date is there twice, and which of the two is right can't be known.", at: at)
        }
        return date
    }

    private mutating func readSteps(_ json: inout JSONScanner) throws(JSONFault) -> Int64 {
        let at = json.position
        if try json.kind() == .number {
            let number = try json.number()
            if number.significantDigits == 0 || number.isExact, let steps = Int64(exactly: number.value),
                0...Self.maximumSteps ~= steps
            {
                return steps
            }
        }
        throw refuse("steps_invalid", "Steps are no whole number from 0 to \(Self.maximumSteps).", at: at)
    }

    /// One sample for the day: from its midnight to the next on the clocks of the endpoint's zone.
    private mutating func add(_ date: CivilDate, _ steps: Int64) {
        let local = Int64(date.daysSince1970) * 86_400
        let offset = context.offsetMinutes(local)
        let series = batch.series(
            type: batch.intern(StepsDay.type.utf8), unit: batch.intern(StepsDay.unit.utf8))
        rest.add("date", "\"\(date.text)\"")
        rest.add("grain", "\"day\"")
        batch.samples.append(
            SampleRecord(
                key: .text(batch.append(StepsDay.key(date).utf8)), start: Self.instant(local, offset),
                end: Self.instant(local + 86_400, context.offsetMinutes(local + 86_400)), value: Double(steps),
                series: series, source: -1, valueName: -1, part: 0, utcOffsetMinutes: offset, kind: .quantity,
                spelled: [], grain: .day, rest: batch.append(rest.bytes)))
    }

    private static func instant(_ localSeconds: Int64, _ offsetMinutes: Int16) -> Timestamp {
        Timestamp(microseconds: (localSeconds - Int64(offsetMinutes) * 60) * 1_000_000).written
    }

    private mutating func refuse(_ code: String, _ message: String, at offset: Int) -> JSONFault {
        refusal = (code, message)
        return JSONFault(.otherKind, offset: offset)
    }
}
