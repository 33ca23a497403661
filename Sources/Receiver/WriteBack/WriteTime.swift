package import Samples

/// Reads the times of `server write`.
package struct WriteTime: Sendable {
    /// Taken for `now`, without its fraction: a record of Apple Health needs no microseconds.
    private let nowSeconds: Int64
    private let zone: @Sendable () throws(ConfigurationError) -> ZoneRules

    /// - Parameter zone: of the endpoint; asked only when a local time is read.
    package init(now: Timestamp, zone: @escaping @Sendable () throws(ConfigurationError) -> ZoneRules) {
        let (quotient, remainder) = now.microseconds.quotientAndRemainder(dividingBy: 1_000_000)
        nowSeconds = remainder < 0 ? quotient - 1 : quotient
        self.zone = zone
    }

    /// Shapes: `now`; a time of RFC 3339 with its offset; on the zone's clock `YYYY-MM-DD HH:MM`, with `:SS`, with `T`
    /// for the blank; `HH:MM` and `HH:MM:SS` of today. `ZoneRules` says what a skipped or repeated hour means.
    ///
    /// - Returns: nil for other text.
    package func read(_ text: String) throws(ConfigurationError) -> Timestamp? {
        if text == "now" { return Timestamp(microseconds: nowSeconds * 1_000_000) }
        if let time = Timestamp.parse(text.utf8.span) { return time.timestamp }
        guard let shown = try localSeconds(Array(text.utf8)) else { return nil }
        // Years 0000 to 9999, so the product is far from an overflow.
        return Timestamp(microseconds: (shown - Int64(try zone().offsetSeconds(atLocalSeconds: shown))) * 1_000_000)
    }

    /// What the clock shows, as seconds since it showed 1970-01-01 00:00:00.
    private func localSeconds(_ text: [UInt8]) throws(ConfigurationError) -> Int64? {
        if text.count == 5 || text.count == 8 {
            guard let ofDay = Self.secondsOfDay(text) else { return nil }
            let offset = try zone().offsetSeconds(at: Timestamp(microseconds: nowSeconds * 1_000_000))
            let shown = nowSeconds + Int64(offset)
            return shown - (shown % 86_400 + 86_400) % 86_400 + ofDay
        }
        guard text.count == 16 || text.count == 19, text[10] == UInt8(ascii: " ") || text[10] == UInt8(ascii: "T"),
            let date = CivilDate.parse(text.span.extracting(0..<10)), let ofDay = Self.secondsOfDay(Array(text[11...]))
        else { return nil }
        return Int64(date.daysSince1970) * 86_400 + ofDay
    }

    /// Of `HH:MM` or `HH:MM:SS`.
    private static func secondsOfDay(_ text: [UInt8]) -> Int64? {
        var seconds: Int64 = 0
        for (index, limit) in [(0, 24), (3, 60), (6, 60)] as [(Int, Int64)] {
            guard index < text.count else { return seconds * 60 }
            let tens = text[index] &- UInt8(ascii: "0"), ones = text[index + 1] &- UInt8(ascii: "0")
            guard tens < 10, ones < 10, index == 0 || text[index - 1] == UInt8(ascii: ":") else { return nil }
            let value = Int64(tens) * 10 + Int64(ones)
            guard value < limit else { return nil }
            seconds = seconds * 60 + value
        }
        return seconds
    }
}
