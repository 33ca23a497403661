import Samples
import Wire

/// Writes times of RFC 3339, remembering the last day: samples come in order of time.
struct TimeText {
    private static let dayMicroseconds: Int64 = 86_400_000_000
    private var day: Int64 = .min
    private var date: [UInt8] = []

    /// Appends `YYYY-MM-DDTHH:MM:SS[.f]Z`, the fraction without zeros at its end.
    ///
    /// - Parameter offsetMinutes: writes the local time at this many minutes east of UTC, `+02:00` in place of `Z`.
    mutating func append(_ time: Timestamp, offsetMinutes: Int16? = nil, to bytes: inout [UInt8]) {
        // Saturates for times that no calendar here reaches; every parser stops at the year 9999.
        let (sum, overflow) = time.microseconds.addingReportingOverflow(Int64(offsetMinutes ?? 0) * 60_000_000)
        let local = overflow ? time.microseconds : sum
        var (days, inDay) = local.quotientAndRemainder(dividingBy: Self.dayMicroseconds)
        if inDay < 0 {
            days -= 1
            inDay += Self.dayMicroseconds
        }
        if days != day || date.isEmpty {
            day = days
            date = Self.text(ofDay: days)
        }
        bytes += date
        let seconds = UInt64(inDay / 1_000_000), fraction = UInt64(inDay % 1_000_000)
        bytes.append(UInt8(ascii: "T"))
        bytes.append(padded: seconds / 3_600, digits: 2)
        bytes.append(UInt8(ascii: ":"))
        bytes.append(padded: seconds / 60 % 60, digits: 2)
        bytes.append(UInt8(ascii: ":"))
        bytes.append(padded: seconds % 60, digits: 2)
        if fraction != 0 {
            bytes.append(UInt8(ascii: "."))
            bytes.append(fraction: fraction, digits: 6)
        }
        guard let offsetMinutes else { return bytes.append(UInt8(ascii: "Z")) }
        let minutes = UInt64(offsetMinutes.magnitude)
        bytes.append(offsetMinutes < 0 ? UInt8(ascii: "-") : UInt8(ascii: "+"))
        bytes.append(padded: minutes / 60, digits: 2)
        bytes.append(UInt8(ascii: ":"))
        bytes.append(padded: minutes % 60, digits: 2)
    }

    private static func text(ofDay days: Int64) -> [UInt8] {
        let date = CivilDate(daysSince1970: Int32(clamping: days))
        var text: [UInt8] = date.year < 0 ? [UInt8(ascii: "-")] : []
        let year = UInt64(date.year.magnitude)
        if year > 9_999 { text.append(decimal: Int64(year)) } else { text.append(padded: year, digits: 4) }
        text.append(UInt8(ascii: "-"))
        text.append(padded: UInt64(date.month), digits: 2)
        text.append(UInt8(ascii: "-"))
        text.append(padded: UInt64(date.day), digits: 2)
        return text
    }
}
