package import Samples

/// The samples of one UTC month, as a sender that compares wants them. Source: specs/puls-v1, section 7.2.
package struct PulsMonth: Equatable, Sendable {
    /// The month's first instant, in milliseconds since 1970 UTC.
    package var start: Int64
    package var rows: Int
    /// The XOR of their uuids, byte by byte.
    package var digest: UUIDBits

    package init(start: Int64, rows: Int, digest: UUIDBits) {
        self.start = start
        self.rows = rows
        self.digest = digest
    }
}

/// Folds samples into months while they are read; cheap where they come in the order of time.
struct MonthFold {
    private var months: [Int64: PulsMonth] = [:]
    /// The month at hand, and where it begins and ends, in microseconds.
    private var month = PulsMonth(start: 0, rows: 0, digest: UUIDBits(high: 0, low: 0))
    private var bounds: Range<Int64> = 0..<0

    private static let microsecondsADay: Int64 = 86_400_000_000
    /// Years that a calendar has, and more; what lies beyond has no month.
    private static let range: ClosedRange<Int64> = -100_000_000_000_000_000...300_000_000_000_000_000

    mutating func add(_ uuid: UUIDBits, at microseconds: Int64) {
        if !bounds.contains(microseconds) {
            guard Self.range.contains(microseconds) else { return }
            put()
            open(microseconds)
        }
        month.rows += 1
        month.digest.high ^= uuid.high
        month.digest.low ^= uuid.low
    }

    /// In the order of time; months without rows are not among them.
    mutating func finish() -> [PulsMonth] {
        put()
        bounds = 0..<0
        return months.values.sorted { $0.start < $1.start }
    }

    private mutating func put() {
        if month.rows > 0 { months[month.start] = month }
        month.rows = 0
    }

    private mutating func open(_ microseconds: Int64) {
        // Rounded down before 1970 too.
        let remainder = microseconds % Self.microsecondsADay
        let days = (microseconds - remainder) / Self.microsecondsADay - (remainder < 0 ? 1 : 0)
        let date = CivilDate(daysSince1970: Int32(days))
        let isDecember = date.month == 12
        let first = CivilDate(year: date.year, month: date.month, day: 1).daysSince1970
        let next = CivilDate(
            year: isDecember ? date.year + 1 : date.year, month: isDecember ? 1 : date.month + 1, day: 1
        ).daysSince1970
        bounds = Int64(first) * Self.microsecondsADay..<Int64(next) * Self.microsecondsADay
        let start = Int64(first) * (Self.microsecondsADay / 1_000)
        month = months[start] ?? PulsMonth(start: start, rows: 0, digest: UUIDBits(high: 0, low: 0))
    }
}
