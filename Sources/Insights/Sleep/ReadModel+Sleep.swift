package import Samples
package import Storage

extension ReadModel {
    /// How far around the asked time rows are looked at: a night there may belong to a longer run of sleep, and a nap to a
    /// day with a longer session.
    private static let marginMicroseconds: Int64 = 4 * 86_400_000_000

    /// Sessions of sleep of a person that ended in a stretch of time, by start.
    ///
    /// How they come about: docs/sleep.md.
    ///
    /// - Parameters:
    ///   - from: half open, of a session's end.
    ///   - source: the only one to look at; a part that is nil fits all. Without it each session has its best source.
    package func sleep(person name: String, from: Timestamp, to: Timestamp, source: SourceName? = nil)
        throws(StoreError) -> [SleepSession]
    {
        guard from < to else { return [] }
        let person = person(named: name)
        return try inTransaction { () throws(StoreError) in
            let low = Self.moved(from, by: -Self.marginMicroseconds)
            let high = Self.moved(to, by: Self.marginMicroseconds)
            var numbers = SourceNumbers()
            let read = try sleepRows(of: name, from: low, to: high, source: source, &numbers)
            let order = setup.sourceOrder[name] ?? []
            let nights = SleepNights(
                sources: numbers.names.map { name in
                    SleepNights.Source(
                        place: order.firstIndex(of: name), sourceClass: SourceClass(name), name: name)
                })
            var found = nights.sessions(read.rows)
            // A whole night in one record counts where nobody tells its stages.
            let summaries = nights.sessions(read.summaries).filter { summary in
                !found.contains { summary.start < $0.end && $0.start < summary.end }
            }
            if !summaries.isEmpty { found = (found + summaries).sorted { $0.start < $1.start } }
            return nights.dated(found, zone: person.zone).filter { from <= $0.end && $0.end < to }
        }
    }

    private static func moved(_ time: Timestamp, by microseconds: Int64) -> Int64 {
        let (sum, isOver) = time.microseconds.addingReportingOverflow(microseconds)
        // The least number stands for no time.
        return isOver ? (microseconds < 0 ? .min + 1 : .max) : max(sum, .min + 1)
    }

    private func sleepRows(
        of person: String, from: Int64, to: Int64, source: SourceName?, _ numbers: inout SourceNumbers
    ) throws(StoreError) -> (rows: [SleepRow], summaries: [SleepRow]) {
        let statement = try store.connection.prepare(
            """
            SELECT start, "end", value, value_name, source, kind, utc_offset, CASE kind WHEN ?4 THEN rest END FROM sample
            WHERE series = ?1 AND start >= ?2 AND start < ?3
            """)
        var rows: [SleepRow] = [], summaries: [SleepRow] = []
        for series in try heldSeries(of: person, type: "sleep_analysis") {
            statement.bind(1, series.id)
            statement.bind(2, from)
            statement.bind(3, to)
            statement.bind(4, Int64(SampleKind.other.rawValue))
            while try statement.step() {
                guard let end = statement.optionalInteger(1) else { continue }
                let number = try numbers.number(ofRow: statement.integer(4), in: self)
                if let source, !source.matches(numbers.names[number]) { continue }
                let start = statement.integer(0)
                let offset = statement.optionalInteger(6).flatMap { Int16(exactly: $0) }
                switch UInt8(clamping: statement.integer(5)) {
                case SampleKind.category.rawValue:
                    let name: String?
                    if let id = statement.optionalInteger(3) { name = try textName(id) } else { name = nil }
                    guard let stage = SleepStage(name: name, number: statement.double(2)) else { continue }
                    rows.append(SleepRow(start: start, end: end, stage: stage, source: number, offset: offset))
                case SampleKind.other.rawValue:
                    let night = NightSummary(
                        start: start, end: end, minutes: statement.double(2), source: number, offset: offset)
                    summaries += night.rows(RestMembers(statement.bytes(7)), setup.catalog)
                default: continue
                }
            }
        }
        return (rows, summaries)
    }
}
