import Wire

/// Why a date is not used.
enum HAEDateFault: Error, Equatable {
    /// None of the forms that are read.
    case invalid
    /// A year before 1900 or after 2200: another calendar, most likely.
    case suspect
}

/// A date of a body as it was read.
struct HAEDate: Equatable {
    /// What is finer than a microsecond is cut off.
    var timestamp: Timestamp
    /// Minutes east of UTC as written, else those of the endpoint's zone.
    var offsetMinutes: Int16
    /// On the clock of that offset, since 1970-01-01T00:00:00.
    var localSeconds: Int64
    /// The text names no zone.
    var isZoneAssumed = false
    /// Written `YYYY-MM-DD HH:MM:SS ±HHMM`, which instant and offset give back.
    var isPlain = false

    static let years = 1900...2200
    /// Longest text that is a date, in characters.
    static let maximumCharacters = 64

    /// The local day, in days since 1970-01-01.
    var day: Int32 {
        Int32(truncatingIfNeeded: localSeconds >= 0 ? localSeconds / 86_400 : (localSeconds - 86_399) / 86_400)
    }
    /// Since 1970-01-01T00:00:00Z, towards the past.
    var seconds: Int64 {
        let microseconds = timestamp.microseconds
        return microseconds >= 0 ? microseconds / 1_000_000 : (microseconds - 999_999) / 1_000_000
    }
    var isMidnight: Bool { localSeconds == Int64(day) * 86_400 }

    private init(timestamp: Timestamp, offsetMinutes: Int16, localSeconds: Int64) {
        self.timestamp = timestamp
        self.offsetMinutes = offsetMinutes
        self.localSeconds = localSeconds
    }

    /// A time on a clock; without an offset the endpoint's zone has it.
    private init(
        local: Int64, microsecond: Int64 = 0, offset: Int16?, zone: (_ localSeconds: Int64) -> Int16
    ) {
        let minutes = offset ?? zone(local)
        self.init(
            timestamp: Timestamp(microseconds: (local - Int64(minutes) * 60) * 1_000_000 + microsecond),
            offsetMinutes: minutes, localSeconds: local)
        isZoneAssumed = offset == nil
    }

    /// Reads a number as seconds or milliseconds since 1970, or seconds since 2001 as Apple counts.
    ///
    /// The epoch is not documented. A time from 2014 on, which is when Apple Health began, fits one of them alone.
    init(epoch number: Double, zone: (_ localSeconds: Int64) -> Int16) throws(HAEDateFault) {
        let seconds: Double
        switch number {
        case 410_000_000..<1_388_534_400: seconds = number + 978_307_200
        case 1_388_534_400..<7_289_654_400: seconds = number
        case 1_388_534_400_000..<7_289_654_400_000: seconds = number / 1_000
        default: throw .suspect
        }
        let microseconds = Int64((seconds * 1_000_000).rounded()), whole = Int64(seconds)
        let offset = zone(whole + Int64(zone(whole)) * 60)
        self.init(
            timestamp: Timestamp(microseconds: microseconds), offsetMinutes: offset,
            localSeconds: whole + Int64(offset) * 60)
        isZoneAssumed = true
    }

    /// Reads a text: `2026-10-14 09:01:03 +0200`, and what phones and imitators make of it: 12-hour clocks with a
    /// day-period before or behind the time, any space, other digits, no seconds, fractions, `T`, `Z`, `+02:00`, no zone,
    /// no time of day.
    ///
    /// - Parameter zone: minutes east of UTC for a time that is written without a zone.
    init(_ text: Span<UInt8>, zone: (_ localSeconds: Int64) -> Int16) throws(HAEDateFault) {
        if let plain = Self.plain(text) {
            self = plain
        } else {
            var reader = HAEDateReader(text)
            try reader.read()
            guard let date = reader.date else { throw .invalid }
            guard Self.years.contains(date.year) else { throw .suspect }
            guard date.isValid else { throw .invalid }
            guard let second = reader.secondOfDay else { throw .invalid }
            self.init(
                local: Int64(date.daysSince1970) * 86_400 + second, microsecond: reader.microsecond,
                offset: reader.offsetMinutes, zone: zone)
        }
    }

    /// The normal form; nil for any other and for years that are not read.
    static func plain(_ text: Span<UInt8>) -> HAEDate? {
        guard text.count == 25, text[10] == UInt8(ascii: " "), text[19] == UInt8(ascii: " "),
            let second = CivilDate.secondOfDay(text.word(at: 11)), text[17] != UInt8(ascii: "6"),
            let offsetHours = CivilDate.twoDigits(text, 21), let offsetMinutes = CivilDate.twoDigits(text, 23),
            offsetHours < 24, offsetMinutes < 60, text[20] == UInt8(ascii: "+") || text[20] == UInt8(ascii: "-"),
            let date = CivilDate.parse(text.extracting(0..<10)), years.contains(date.year)
        else { return nil }
        let magnitude = offsetHours * 60 + offsetMinutes, isNegative = text[20] == UInt8(ascii: "-")
        let local = Int64(date.daysSince1970) * 86_400 + Int64(second)
        var plain = HAEDate(local: local, offset: Int16(isNegative ? -magnitude : magnitude)) { _ in 0 }
        plain.isPlain = magnitude != 0 || !isNegative
        return plain
    }
}
