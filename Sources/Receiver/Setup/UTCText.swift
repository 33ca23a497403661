package import Samples

/// `time` as `YYYY-MM-DD HH:MM:SS UTC`, for people; the fraction is cut off.
package func utcText(_ time: Timestamp) -> String {
    let parts = UTCParts(time)
    return "\(parts.date) \(parts.clock) UTC"
}

/// `time` as `YYYY-MM-DDTHH:MM:SSZ`, for machines; the fraction is cut off. Source: RFC 3339.
package func rfc3339Text(_ time: Timestamp) -> String {
    let parts = UTCParts(time)
    return "\(parts.date)T\(parts.clock)Z"
}

private struct UTCParts {
    let date: String
    let clock: String

    init(_ time: Timestamp) {
        let secondsADay: Int64 = 86_400
        let seconds = time.microseconds.flooredDivided(by: 1_000_000)
        let days = seconds.flooredDivided(by: secondsADay)
        let second = Int(seconds - days * secondsADay)
        // Eras of 400 years that start on 1 March, so that the leap day is the last one of its year.
        let shifted = days + 719_468
        let era = shifted.flooredDivided(by: 146_097)
        let dayOfEra = shifted - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let marchMonth = (5 * dayOfYear + 2) / 153
        let day = dayOfYear - (153 * marchMonth + 2) / 5 + 1
        let month = marchMonth < 10 ? marchMonth + 3 : marchMonth - 9
        let year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
        date = "\(padded(year, 4))-\(padded(month, 2))-\(padded(day, 2))"
        clock = [second / 3_600, second / 60 % 60, second % 60].map { padded(Int64($0), 2) }.joined(separator: ":")
    }
}

private func padded(_ number: Int64, _ digits: Int) -> String {
    let text = String(number.magnitude)
    return (number < 0 ? "-" : "") + String(repeating: "0", count: max(0, digits - text.count)) + text
}

extension Int64 {
    /// Rounds towards minus infinity; `divisor` is positive.
    fileprivate func flooredDivided(by divisor: Int64) -> Int64 {
        let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
        return remainder < 0 ? quotient - 1 : quotient
    }
}
