import Samples

/// Which rows of a stretch of time are left out because others tell the same more exactly.
///
/// - A row without HealthKit's own uuid doesn't count on days of the person that rows with one cover: those that one of
///   them touches, and a day between two such days.
/// - Of rows without one the finer grain counts: a sum of a minute, hour or day only where no finer row touches any minute
///   of it (of UTC), one of a week or longer on the days on which that is so.
struct Coverage {
    /// Rows that are longer than this are looked at day by day, as those of weeks. A day has up to 25 hours.
    static let wholeLength = 26 * LocalCalendar.hour
    private static let minute: Int64 = 60_000_000
    private static let none: UInt8 = 255

    private let calendar: LocalCalendar
    /// The first minute since 1970, and the finest grain that touches each.
    private let firstMinute: Int64
    private var finest: [UInt8]
    private let firstDay: Int
    private var starts: [Int64]
    private var hasNative: [Bool]

    init(_ calendar: LocalCalendar, _ times: Range<Int64>) {
        self.calendar = calendar
        firstMinute = LocalCalendar.floor(times.lowerBound, Self.minute)
        let lastMinute = LocalCalendar.floor(times.upperBound - 1, Self.minute)
        finest = Array(repeating: Self.none, count: Int(lastMinute - firstMinute) + 1)
        firstDay = calendar.day(at: times.lowerBound)
        let lastDay = calendar.day(at: times.upperBound - 1)
        starts = (firstDay...lastDay + 1).map(calendar.start(ofDay:))
        hasNative = Array(repeating: false, count: lastDay - firstDay + 1)
    }

    mutating func note(_ row: TotalsRow) {
        if row.isNative {
            var day = dayIndex(at: row.start)
            let last = row.end > row.start ? dayIndex(at: row.end - 1) : day
            while day <= last {
                hasNative[day] = true
                day += 1
            }
        } else {
            let range = minutes(row.start, row.end)
            let grain = row.grain.rawValue
            for minute in range where finest[minute] > grain { finest[minute] = grain }
        }
    }

    /// Hands out the parts of a row that count, in order.
    func parts(of row: TotalsRow, _ from: Int64, _ to: Int64, _ take: (Int64, Int64) -> Void) {
        if row.isNative { return take(from, to) }
        let grain = row.grain
        let isWhole = grain.rawValue < Grain.week.rawValue && row.length <= Self.wholeLength
        if grain != .raw && isWhole && hasFiner(than: grain, row.start, row.end) { return }
        var part: (from: Int64, to: Int64)?
        var at = from
        var day = dayIndex(at: from)
        repeat {
            let end = min(to, max(at, starts[min(day + 1, starts.count - 1)]))
            let isLast = end >= to || day + 1 >= starts.count
            let pieceEnd = isLast ? to : end
            let counts =
                !isCovered(day) && (grain == .raw || isWhole || !hasFiner(than: grain, starts[day], starts[day + 1]))
            if counts {
                part = (part?.from ?? at, pieceEnd)
            } else if let done = part {
                take(done.from, done.to)
                part = nil
            }
            at = pieceEnd
            day += 1
        } while at < to
        if let part { take(part.from, part.to) }
    }

    private func isCovered(_ day: Int) -> Bool {
        hasNative[day] || (day > 0 && day + 1 < hasNative.count && hasNative[day - 1] && hasNative[day + 1])
    }

    private func hasFiner(than grain: Grain, _ from: Int64, _ to: Int64) -> Bool {
        minutes(from, to).contains { finest[$0] < grain.rawValue }
    }

    private func minutes(_ from: Int64, _ to: Int64) -> Range<Int> {
        let first = max(0, LocalCalendar.floor(from, Self.minute) - firstMinute)
        let last = min(Int64(finest.count) - 1, LocalCalendar.floor(max(from, to - 1), Self.minute) - firstMinute)
        return first > last ? 0..<0 : Int(first)..<Int(last) + 1
    }

    /// Into `hasNative`; the nearest one for times outside.
    private func dayIndex(at time: Int64) -> Int {
        // Days have 24 hours but for a few, so the guess is off by one at most.
        var day = Int(max(0, min(Int64(hasNative.count - 1), (time - starts[0]) / (24 * LocalCalendar.hour))))
        while day > 0 && time < starts[day] { day -= 1 }
        while day + 1 < hasNative.count && time >= starts[day + 1] { day += 1 }
        return day
    }
}
