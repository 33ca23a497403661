import Samples

/// Hours and days as a zone's clocks show them, as stretches of UTC. A moment is in exactly one of each.
///
/// All times are microseconds since 1970 UTC; a day is its number since 1970-01-01. A day begins at its first midnight, or,
/// where the clocks skip that, when they do; it ends where the next one begins.
struct LocalCalendar: Sendable {
    static let second: Int64 = 1_000_000
    static let hour: Int64 = 3_600_000_000
    /// 1900 to 2199: what begins outside is in no bucket, since it is a mistake, and a bucket for each of its days is no help.
    static let times: ClosedRange<Int64> = -2_208_988_800_000_000...7_258_118_399_999_999
    private static let daySeconds: Int64 = 86_400

    let zone: ZoneRules

    init(_ zone: ZoneRules) { self.zone = zone }

    func start(ofDay day: Int) -> Int64 {
        let local = Int64(day) * Self.daySeconds
        return (local - Int64(zone.offsetSeconds(atLocalSeconds: local))) * Self.second
    }

    func day(at time: Int64) -> Int {
        let seconds = Self.floor(time, Self.second)
        let local = seconds + Int64(zone.offsetSeconds(at: Timestamp(microseconds: time)))
        var day = Int(Self.floor(local, Self.daySeconds))
        // The clocks may show a date again, or pass one over.
        while time < start(ofDay: day) { day -= 1 }
        while time >= start(ofDay: day + 1) { day += 1 }
        return day
    }

    /// The hour that the clocks show then. Where they change within one it ends there and another begins, so that an hour
    /// shown twice is two, and some are half an hour.
    func hour(at time: Int64) -> (start: Int64, end: Int64) {
        let offset = offset(at: time)
        let shown = Self.floor(Self.floor(time, Self.second) + offset, 3_600) * 3_600
        var start = (shown - offset) * Self.second, end = start + Self.hour
        if self.offset(at: start) != offset { start = change(after: start, before: time) }
        if self.offset(at: end - 1) != offset { end = change(after: time, before: end) }
        return (start, end)
    }

    /// The moment in the day at which the clocks first show this, or would have.
    ///
    /// - Parameter local: seconds since the clocks showed 1970-01-01 00:00:00.
    func moment(atLocalSeconds local: Int64) -> Int64 {
        (local - Int64(zone.offsetSeconds(atLocalSeconds: local))) * Self.second
    }

    /// Seconds east of UTC.
    func offset(at time: Int64) -> Int64 { Int64(zone.offsetSeconds(at: Timestamp(microseconds: time))) }

    /// The first moment, to the second, at which the offset is another one than before; there is one change in between.
    private func change(after low: Int64, before high: Int64) -> Int64 {
        let before = offset(at: low)
        var low = Self.floor(low, Self.second), high = Self.floor(high, Self.second) + 1
        while high - low > 1 {
            let middle = low + (high - low) / 2
            if offset(at: middle * Self.second) == before { low = middle } else { high = middle }
        }
        return high * Self.second
    }

    /// The days of the week, month or year that has this one: the first, and the first of the next.
    static func days(_ size: BucketSize, of day: Int) -> Range<Int> {
        let date = CivilDate(daysSince1970: Int32(clamping: day))
        switch size {
        case .hour, .day: return day..<day + 1
        case .week:
            // 1970-01-01 was a Thursday.
            let monday = Int(floor(Int64(day) + 3, 7)) * 7 - 3
            return monday..<monday + 7
        case .month:
            let next = date.month == 12 ? (date.year + 1, 1) : (date.year, date.month + 1)
            return CivilDate(year: date.year, month: date.month, day: 1)
                .daysSince1970..<CivilDate(year: next.0, month: next.1, day: 1).daysSince1970
        case .year:
            return CivilDate(year: date.year, month: 1, day: 1)
                .daysSince1970..<CivilDate(year: date.year + 1, month: 1, day: 1).daysSince1970
        }
    }

    static func floor(_ value: Int64, _ divisor: Int64) -> Int64 {
        let (quotient, remainder) = value.quotientAndRemainder(dividingBy: divisor)
        return remainder < 0 ? quotient - 1 : quotient
    }
}
