import Wire

/// A moment as PulsHealth writes it: milliseconds since 1970, mostly with a fraction. Source: specs, section 4.
struct PulsTime {
    /// Rounded down, never up: the same number always gives the same key, and no sample moves into the next month.
    var timestamp: Timestamp
    /// Where a time must be, 0 counts as none.
    var isZero: Bool
    /// Whether whole microseconds say all that was written.
    var isWhole: Bool

    /// In milliseconds, inclusive: the years 1 to 9999.
    static let range: ClosedRange<Int64> = -62_135_596_800_000...253_402_300_799_999

    /// Reckons with the digits that were written, so that no double rounds them; nil outside of `range`.
    init?(milliseconds number: JSONNumber) {
        isZero = number.significantDigits == 0
        timestamp = Timestamp(microseconds: 0)
        isWhole = true
        guard !isZero else { return }
        // The number is `mantissa` times 10 to `scale` microseconds, and a bit more when it has more than 19 digits.
        let scale = number.exponent + 3
        var microseconds = number.mantissa
        isWhole = number.significantDigits <= 19
        if scale >= 0 {
            guard scale < Self.powersOfTen.count else { return nil }
            let (product, isBeyond) = microseconds.multipliedReportingOverflow(by: Self.powersOfTen[scale])
            guard !isBeyond else { return nil }
            microseconds = product
        } else if -scale < Self.powersOfTen.count {
            let (quotient, remainder) = microseconds.quotientAndRemainder(dividingBy: Self.powersOfTen[-scale])
            microseconds = quotient
            if remainder != 0 { isWhole = false }
        } else {
            microseconds = 0
            isWhole = false
        }
        let isNegative = number.isNegative
        if isNegative && !isWhole { microseconds = microseconds == .max ? .max : microseconds + 1 }
        guard let magnitude = Int64(exactly: microseconds) else { return nil }
        let value = isNegative ? -magnitude : magnitude
        let last = Self.range.upperBound * 1_000
        guard value >= Self.range.lowerBound * 1_000, value < last || value == last && isWhole else { return nil }
        timestamp = Timestamp(microseconds: value)
    }

    /// All that 64 bits hold.
    private static let powersOfTen: [UInt64] = (0..<20).map { power in
        (0..<power).reduce(1) { product, _ in product * 10 }
    }
}
