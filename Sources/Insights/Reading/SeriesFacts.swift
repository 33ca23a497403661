import Samples
import Storage

/// What is known of the rows of one series that start within one week of UTC (numbered from 1970-01-01), so that little has
/// to be read to find what matters for other days.
struct WeekFacts: Equatable, Sendable {
    /// Microseconds.
    static let length: Int64 = 604_800_000_000

    struct Flags: OptionSet, Sendable {
        let rawValue: Int64
        /// Rows with HealthKit's own uuids, and others.
        static let native = Flags(rawValue: 1), guest = Flags(rawValue: 2)
        /// Rows that stand for a stretch of time, such as sums of a day.
        static let aggregated = Flags(rawValue: 4)
        /// Rows that tell the offset of their own clock.
        static let offsets = Flags(rawValue: 8)
    }

    var week: Int64
    var rows = 0
    var quantities = 0
    /// A bit for the raw value of each `SampleKind` that is there.
    var kinds: Int64 = 0
    var flags: Flags = []
    /// The latest end, in microseconds since 1970 UTC.
    var latestEnd = Int64.min
    /// How many rows each source has, by row of `source`, 0 for none.
    var sources: [Int64: Int] = [:]

    static func week(of time: Int64) -> Int64 { LocalCalendar.floor(time, length) }

    /// The starts of a week's rows; the week of rows without a start has no lower ones.
    static func starts(of week: Int64) -> ClosedRange<Int64> {
        let (first, isOver) = week.multipliedReportingOverflow(by: length)
        let low = isOver ? .min : first
        return low...low + (length - 1)
    }
}

/// Reads `WeekFacts` out of `sample`.
struct WeekFactsReader {
    private let statement: Statement

    init(_ connection: Connection) throws(StoreError) {
        statement = try connection.prepare(
            """
            SELECT start, "end", source, kind, dialect, spelled, utc_offset IS NOT NULL, iif(dialect = 3, uuid, NULL)
            FROM sample WHERE series = ?1 AND start BETWEEN ?2 AND ?3 ORDER BY start
            """)
    }

    /// Hands out the weeks of the rows that start in `starts`, in order; those without rows are left out.
    func read(
        series: Int64, starts: ClosedRange<Int64>, goesOn: () -> Bool = { true },
        _ take: (WeekFacts) throws(StoreError) -> Void
    ) throws(StoreError) {
        statement.bind(1, series)
        statement.bind(2, starts.lowerBound)
        statement.bind(3, starts.upperBound)
        defer { statement.reset() }
        var facts = WeekFacts(week: .min), lastSource: Int64 = -1, ofLastSource = 0
        func finish() throws(StoreError) {
            if ofLastSource > 0 { facts.sources[lastSource, default: 0] += ofLastSource }
            ofLastSource = 0
            if facts.rows > 0 { try take(facts) }
        }
        while try statement.step() {
            let start = statement.integer(0), week = WeekFacts.week(of: start)
            if week != facts.week {
                try finish()
                if !goesOn() { throw StoreError(.givenUp) }
                facts = WeekFacts(week: week)
            }
            facts.rows += 1
            facts.latestEnd = max(facts.latestEnd, statement.optionalInteger(1) ?? start)
            let source = statement.optionalInteger(2) ?? 0
            if source != lastSource {
                if ofLastSource > 0 { facts.sources[lastSource, default: 0] += ofLastSource }
                (lastSource, ofLastSource) = (source, 0)
            }
            ofLastSource += 1
            let kind = statement.integer(3)
            if kind == Int64(SampleKind.quantity.rawValue) { facts.quantities += 1 }
            facts.kinds |= 1 << (kind & 63)
            guard let dialect = Dialect(code: statement.integer(4)) else {
                throw StoreError(.damaged, detail: "a code of sample is unknown")
            }
            if TotalsRowReader.isNative(dialect, high: { statement.uuid(7)?.high }) {
                facts.flags.insert(.native)
            } else {
                facts.flags.insert(.guest)
                if StoredSpelling.grain(ofColumn: statement.integer(5)) != .raw { facts.flags.insert(.aggregated) }
            }
            if statement.integer(6) != 0 { facts.flags.insert(.offsets) }
        }
        try finish()
    }
}

/// All weeks of one series.
struct SeriesFacts: Sendable {
    /// In order.
    var weeks: [WeekFacts] = []

    var rows: Int { weeks.reduce(0) { $0 + $1.rows } }
    var quantities: Int { weeks.reduce(0) { $0 + $1.quantities } }
    var kinds: Int64 { weeks.reduce(0) { $0 | $1.kinds } }
    var flags: WeekFacts.Flags { weeks.reduce([]) { $0.union($1.flags) } }
}
