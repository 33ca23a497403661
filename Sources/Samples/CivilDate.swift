import Wire

/// A day of the proleptic Gregorian calendar.
package struct CivilDate: Hashable, Sendable {
    package var year: Int
    /// 1 to 12.
    package var month: Int
    /// 1 to 31.
    package var day: Int

    package init(year: Int, month: Int, day: Int) {
        self.year = year
        self.month = month
        self.day = day
    }

    /// The date that many days after 1970-01-01.
    ///
    /// Years are counted from March in eras of 400 (146,097 days), so that the leap day is the last of its year.
    package init(daysSince1970 days: Int32) {
        let count = Int(days) + 719_468  // from 0000-03-01
        let era = (count >= 0 ? count : count - 146_096) / 146_097
        let dayOfEra = count - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let marchMonth = (5 * dayOfYear + 2) / 153
        day = dayOfYear - (153 * marchMonth + 2) / 5 + 1
        month = marchMonth < 10 ? marchMonth + 3 : marchMonth - 9
        year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
    }

    /// Days since 1970-01-01; the year must be within a million of 0, which every parser here sees to.
    package var daysSince1970: Int {
        let marchYear = month <= 2 ? year - 1 : year
        let era = (marchYear >= 0 ? marchYear : marchYear - 399) / 400
        let yearOfEra = marchYear - era * 400
        let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
    }

    /// Whether the month exists and has the day.
    package var isValid: Bool { 1...12 ~= month && day >= 1 && day <= Self.days(inMonth: month, year: year) }

    /// 28 to 31; the month must be 1 to 12.
    package static func days(inMonth month: Int, year: Int) -> Int {
        switch month {
        case 2: year.isMultiple(of: 4) && (!year.isMultiple(of: 100) || year.isMultiple(of: 400)) ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }

    /// Reads exactly `YYYY-MM-DD`; nil for anything else and for days that don't exist.
    package static func parse(_ text: Span<UInt8>) -> CivilDate? {
        guard text.count == 10, let pairs = yearAndMonth(text.word(at: 0)), let day = twoDigits(text, 8) else {
            return nil
        }
        let year = Int(pairs & 0xFF) * 100 + Int(pairs >> 16 & 0xFF)
        let date = CivilDate(year: year, month: Int(pairs >> 40 & 0xFF), day: day)
        return date.isValid ? date : nil
    }

    /// Reads `YYYY-MM-`: the century in the lowest byte, the year in it in the third, the month in the sixth.
    @inline(__always) private static func yearAndMonth(_ word: UInt64) -> UInt64? {
        pairs(word ^ 0x2D30_302D_3030_3030, 0x7F76_767F_7676_7676)
    }

    /// Reads `HH:MM:SS` as the seconds of the day, 86,400 at `23:59:60`; nil for other bytes and for times that don't exist.
    @inline(__always) static func secondOfDay(_ word: UInt64) -> Int? {
        guard let pairs = pairs(word ^ 0x3030_3A30_303A_3030, 0x7676_7F76_767F_7676) else { return nil }
        let hour = Int(pairs & 0xFF), minute = Int(pairs >> 24 & 0xFF), second = Int(pairs >> 48 & 0xFF)
        guard hour < 24, minute < 60, second <= 60 else { return nil }
        return hour * 3_600 + minute * 60 + second
    }

    /// The numbers of two digits in eight bytes, each in the byte of its first digit.
    ///
    /// - Parameters:
    ///   - difference: to the text's shape: 0 to 9 for a digit, 0 for a separator.
    ///   - bias: what lifts a byte into its top bit where it is more than that.
    @inline(__always) private static func pairs(_ difference: UInt64, _ bias: UInt64) -> UInt64? {
        guard (difference | (difference &+ bias)) & 0x8080_8080_8080_8080 == 0 else { return nil }
        return difference &* 10 &+ difference >> 8
    }

    /// `text` must hold two bytes from `index` on.
    @inline(__always) static func twoDigits(_ text: Span<UInt8>, _ index: Int) -> Int? {
        let tens = text[index] &- UInt8(ascii: "0"), ones = text[index + 1] &- UInt8(ascii: "0")
        return tens < 10 && ones < 10 ? Int(tens) * 10 + Int(ones) : nil
    }
}
