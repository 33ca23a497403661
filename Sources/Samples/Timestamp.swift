import Wire

/// A moment as whole microseconds since 1970-01-01T00:00:00Z, leap seconds not counted.
package struct Timestamp: Hashable, Comparable, Sendable {
    package var microseconds: Int64

    @inlinable package init(microseconds: Int64) { self.microseconds = microseconds }

    /// Stands for "no time" where a column cannot be NULL: the primary key of `sample`.
    @inlinable package static var none: Timestamp { Timestamp(microseconds: .min) }

    /// The nearest moment of the years 0000 to 9999, which RFC 3339 can write: midnights of the first and last day of a
    /// calendar can be beyond it.
    package var written: Timestamp {
        Timestamp(microseconds: max(-62_167_219_200_000_000, min(253_402_300_799_999_999, microseconds)))
    }

    @inlinable package static func < (left: Timestamp, right: Timestamp) -> Bool {
        left.microseconds < right.microseconds
    }
}

/// A time of RFC 3339 as it was read.
package struct ReadTime: Equatable, Sendable {
    /// What is finer than a microsecond is cut off, towards the past.
    package var timestamp: Timestamp
    /// Minutes east of UTC; 0 for `Z`, nil for `-00:00`, which RFC 3339 section 4.3 has for "not known".
    package var offsetMinutes: Int16?
    /// Whether it was written with `Z` or `z`.
    package var isUTC: Bool
    /// Whether it was written `YYYY-MM-DDTHH:MM:SS[.f]Z` with one to six digits f, the last of them no zero, and no leap
    /// second: the one spelling that the store gives back for this moment.
    package var isPlain: Bool
}

extension Timestamp {
    /// Reads a `date-time` of RFC 3339 section 5.6: years 0000 to 9999, `T` and `Z` in either case, a fraction of any
    /// length, second 60 as the next one, offsets up to 23:59.
    ///
    /// - Returns: nil for anything else, such as a day that its month doesn't have.
    package static func parse(_ text: Span<UInt8>) -> ReadTime? {
        guard text.count >= 20, let clock = Clock(text) else { return nil }
        var isPlain = clock.isPlain
        var seconds = Int64(clock.date.daysSince1970) * 86_400 + clock.seconds
        var index = 19
        var fraction: Int64 = 0
        if text[index] == UInt8(ascii: ".") {
            index += 1
            let first = index
            while index < text.count {
                let digit = text[index] &- UInt8(ascii: "0")
                guard digit < 10 else { break }
                if index - first < 6 { fraction = fraction * 10 + Int64(digit) }
                index += 1
            }
            guard index > first else { return nil }
            if index - first > 6 || text[index - 1] == UInt8(ascii: "0") { isPlain = false }
            for _ in min(index - first, 6)..<6 { fraction *= 10 }
        }
        guard index < text.count else { return nil }
        var offset: Int16? = 0
        let isUTC = text[index] | 0x20 == UInt8(ascii: "z")
        if isUTC {
            guard index + 1 == text.count else { return nil }
            isPlain = isPlain && text[index] == UInt8(ascii: "Z")
        } else {
            guard let minutes = offsetMinutes(text, index) else { return nil }
            seconds -= Int64(minutes) * 60
            offset = minutes == 0 && text[index] == UInt8(ascii: "-") ? nil : Int16(minutes)
            isPlain = false
        }
        // At most five digits of years, so neither product nor sum comes near an overflow.
        let timestamp = Timestamp(microseconds: seconds * 1_000_000 + fraction)
        return ReadTime(timestamp: timestamp, offsetMinutes: offset, isUTC: isUTC, isPlain: isPlain)
    }

    /// The first 19 bytes, checked.
    private struct Clock {
        var date: CivilDate
        /// Of the day; 86,400 for a leap second at its end.
        var seconds: Int64
        var isPlain: Bool

        init?(_ text: Span<UInt8>) {
            guard let seconds = CivilDate.secondOfDay(text.word(at: 11)),
                let date = CivilDate.parse(text.extracting(0..<10)), text[10] | 0x20 == UInt8(ascii: "t")
            else { return nil }
            self.date = date
            self.seconds = Int64(seconds)
            isPlain = text[10] == UInt8(ascii: "T") && text[17] != UInt8(ascii: "6")
        }
    }

    /// `+HH:MM` or `-HH:MM` from `index` to the end.
    private static func offsetMinutes(_ text: Span<UInt8>, _ index: Int) -> Int? {
        guard text.count - index == 6, text[index] == UInt8(ascii: "+") || text[index] == UInt8(ascii: "-"),
            text[index + 3] == UInt8(ascii: ":"), let hours = CivilDate.twoDigits(text, index + 1),
            let minutes = CivilDate.twoDigits(text, index + 4), hours < 24, minutes < 60
        else { return nil }
        return (text[index] == UInt8(ascii: "-") ? -1 : 1) * (hours * 60 + minutes)
    }

    /// `YYYY-MM-DDTHH:MM:SS[.ffffff]Z`: six digits of fraction or none. A year before 0000 has a sign, one past 9999
    /// more digits.
    package var text: String {
        var text: [UInt8] = []
        append(to: &text, fractionDigits: microseconds.isMultiple(of: 1_000_000) ? 0 : 6)
        return String(decoding: text, as: UTF8.self)
    }

    /// Appends what `text` says, but always with so many digits of the fraction, at most six; what is finer is cut off.
    package func append(to text: inout [UInt8], fractionDigits: Int) {
        let (seconds, fraction) = Self.floorDivide(microseconds, 1_000_000)
        let (days, secondOfDay) = Self.floorDivide(seconds, 86_400)
        let date = CivilDate(daysSince1970: Int32(truncatingIfNeeded: days))  // 1.1e8 at most
        if date.year < 0 { text.append(UInt8(ascii: "-")) }
        Self.append(Int64(date.year.magnitude), 4, to: &text)
        text.append(UInt8(ascii: "-"))
        Self.append(Int64(date.month), 2, to: &text)
        text.append(UInt8(ascii: "-"))
        Self.append(Int64(date.day), 2, to: &text)
        text.append(UInt8(ascii: "T"))
        Self.append(secondOfDay / 3_600, 2, to: &text)
        text.append(UInt8(ascii: ":"))
        Self.append(secondOfDay / 60 % 60, 2, to: &text)
        text.append(UInt8(ascii: ":"))
        Self.append(secondOfDay % 60, 2, to: &text)
        if fractionDigits > 0 {
            text.append(UInt8(ascii: "."))
            let from = text.count
            Self.append(fraction, 6, to: &text)
            text.removeLast(text.count - from - fractionDigits)
        }
        text.append(UInt8(ascii: "Z"))
    }

    private static func floorDivide(_ value: Int64, _ divisor: Int64) -> (quotient: Int64, remainder: Int64) {
        let (quotient, remainder) = value.quotientAndRemainder(dividingBy: divisor)
        return remainder < 0 ? (quotient - 1, remainder + divisor) : (quotient, remainder)
    }

    /// Appends a number that is not negative, with zeros in front up to `width` digits.
    private static func append(_ number: Int64, _ width: Int, to text: inout [UInt8]) {
        if width > 1 || number >= 10 { append(number / 10, width - 1, to: &text) }
        text.append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: number % 10))
    }
}
