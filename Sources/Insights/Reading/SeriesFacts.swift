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

    /// The starts of a week's rows; those without a start are in the first week that there is.
    static func starts(of week: Int64) -> ClosedRange<Int64> {
        let (low, isLow) = week.multipliedReportingOverflow(by: length)
        let (high, isHigh) = (week + 1).multipliedReportingOverflow(by: length)
        return (isLow ? .min : low)...(isHigh ? .max : high - 1)
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
    ///
    /// - Parameter take: returns false to end it there.
    func read(
        series: Int64, starts: ClosedRange<Int64>, goesOn: () -> Bool, _ take: (WeekFacts) -> Bool
    ) throws(StoreError) {
        statement.bind(1, series)
        statement.bind(2, starts.lowerBound)
        statement.bind(3, starts.upperBound)
        defer { statement.reset() }
        var facts = WeekFacts(week: .min), lastSource: Int64 = -1, ofLastSource = 0
        func finish() -> Bool {
            if ofLastSource > 0 { facts.sources[lastSource, default: 0] += ofLastSource }
            ofLastSource = 0
            return facts.rows > 0 ? take(facts) : true
        }
        while try statement.step() {
            let start = statement.integer(0), week = WeekFacts.week(of: start)
            if week != facts.week {
                if !finish() { return }
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
        _ = finish()
    }
}

/// What is known of all rows of one series.
struct SeriesFacts: Equatable, Sendable {
    var rows = 0
    var quantities = 0
    var kinds: Int64 = 0
    var flags: WeekFacts.Flags = []
    var sources: [Int64: Int] = [:]
    /// In order.
    var weeks: [WeekFacts] = []

    init() {}

    init(_ weeks: [WeekFacts]) {
        self.weeks = weeks
        for week in weeks {
            rows += week.rows
            quantities += week.quantities
            kinds |= week.kinds
            flags.formUnion(week.flags)
            sources.merge(week.sources) { $0 + $1 }
        }
    }
}
