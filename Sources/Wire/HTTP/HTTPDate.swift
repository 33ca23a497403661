/// A date as HTTP writes it, such as `Sun, 06 Nov 1994 08:49:37 GMT`. Source: RFC 9110 section 5.6.7.
///
/// - Parameter unixSeconds: since 1970; a year outside of 0 to 9999 is shown as the nearest one inside.
package func httpDate(unixSeconds: Int64) -> [UInt8] {
    let seconds = min(max(unixSeconds, -62_167_219_200), 253_402_300_799)
    let secondOfDay = Int(seconds % 86400 + 86400) % 86400
    let days = (Int(seconds) - secondOfDay) / 86400
    let (year, month, day) = civilDate(daysSince1970: days)
    let weekday = (days % 7 + 7 + 4) % 7  // 1 January 1970 was a Thursday

    var text: [UInt8] = []
    text.reserveCapacity(29)
    text += ["Sun, ", "Mon, ", "Tue, ", "Wed, ", "Thu, ", "Fri, ", "Sat, "][weekday].utf8
    text.append(decimal: day, digits: 2)
    text +=
        [
            " Jan ", " Feb ", " Mar ", " Apr ", " May ", " Jun ", " Jul ", " Aug ", " Sep ", " Oct ", " Nov ", " Dec ",
        ][month - 1].utf8
    text.append(decimal: year, digits: 4)
    text.append(UInt8(ascii: " "))
    text.append(decimal: secondOfDay / 3600, digits: 2)
    text.append(UInt8(ascii: ":"))
    text.append(decimal: secondOfDay / 60 % 60, digits: 2)
    text.append(UInt8(ascii: ":"))
    text.append(decimal: secondOfDay % 60, digits: 2)
    text += " GMT".utf8
    return text
}

/// The Gregorian date of a day. The year is counted from March, so that the leap day comes last.
private func civilDate(daysSince1970: Int) -> (year: Int, month: Int, day: Int) {
    let day = daysSince1970 + 719_468  // since 1 March of year 0
    let era = (day >= 0 ? day : day - 146_096) / 146_097  // 400 years each
    let dayOfEra = day - era * 146_097
    let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let marchMonth = (5 * dayOfYear + 2) / 153
    let month = marchMonth < 10 ? marchMonth + 3 : marchMonth - 9
    return (yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, dayOfYear - (153 * marchMonth + 2) / 5 + 1)
}

extension [UInt8] {
    /// Appends `number`, which is not negative, with leading zeros to at least `digits` digits.
    mutating func append(decimal number: Int, digits: Int = 1) {
        let text = String(number).utf8
        append(contentsOf: repeatElement(UInt8(ascii: "0"), count: Swift.max(0, digits - text.count)))
        append(contentsOf: text)
    }
}
