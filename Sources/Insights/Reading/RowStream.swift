import Storage

/// The rows of a type that touch a stretch of time, by start: those of all series as one list, a row of each in memory.
///
/// A uuid that several devices brought with the same start is one row: an app that was installed anew sends its last weeks
/// again, as another device.
final class RowStream {
    private struct Cursor {
        var statement: Statement
        var reader: TotalsRowReader
        var row = TotalsRow()

        mutating func next() throws(StoreError) -> Bool {
            guard try statement.step() else { return false }
            try reader.read(statement, into: &row)
            return true
        }
    }

    /// Began before the stretch and last into it.
    private var earlier: [TotalsRow] = []
    private var earlierTaken = 0
    private var cursors: [Cursor] = []
    /// Of the rows with the start that was last handed out, where there are several series.
    private var keys: Set<TotalsRow.Key> = []
    private var keysStart = Int64.min
    private let mayRepeat: Bool

    /// - Parameter times: half open, microseconds.
    init(_ connection: Connection, _ type: TypeSeries, _ plan: FigurePlan, times: Range<Int64>) throws(StoreError) {
        mayRepeat = type.series.count > 1
        let firstWeek = WeekFacts.week(of: times.lowerBound)
        let find = try connection.prepare(
            "SELECT 1 FROM sample WHERE series = ?1 AND start = ?2 AND uuid = ?3 AND part = ?4")
        for (index, (series, unit)) in zip(type.series, plan.conversions).enumerated() {
            let reader = TotalsRowReader(kind: plan.kind, unit: unit)
            let lasting = series.facts.weeks.filter {
                $0.week <= firstWeek && $0.latestEnd > times.lowerBound
            }
            if !lasting.isEmpty {
                let statement = try connection.prepare(
                    """
                    SELECT \(TotalsRowReader.columns) FROM sample
                    WHERE series = ?1 AND start BETWEEN ?2 AND ?3 AND "end" > ?4 ORDER BY start, uuid, part
                    """)
                for week in lasting {
                    let starts = WeekFacts.starts(of: week.week)
                    if starts.lowerBound >= times.lowerBound { continue }
                    statement.bind(1, series.id)
                    statement.bind(2, max(starts.lowerBound, LocalCalendar.times.lowerBound))
                    statement.bind(3, min(starts.upperBound, times.lowerBound - 1))
                    statement.bind(4, times.lowerBound)
                    var row = TotalsRow()
                    while try statement.step() {
                        try reader.read(statement, into: &row)
                        // The one of an earlier series counts, which may have ended before this stretch.
                        var isKnown = false
                        for other in type.series[..<index] where !isKnown {
                            isKnown = try Self.holds(find, other.id, row)
                        }
                        if !isKnown { earlier.append(row) }
                    }
                }
            }
            let lastWeek = WeekFacts.week(of: times.upperBound - 1)
            guard series.facts.weeks.contains(where: { firstWeek...lastWeek ~= $0.week }) else { continue }
            let statement = try connection.prepare(
                """
                SELECT \(TotalsRowReader.columns) FROM sample WHERE series = ?1 AND start >= ?2 AND start < ?3
                ORDER BY start, uuid, part
                """)
            statement.bind(1, series.id)
            statement.bind(2, times.lowerBound)
            statement.bind(3, times.upperBound)
            var cursor = Cursor(statement: statement, reader: reader)
            if try cursor.next() { cursors.append(cursor) }
        }
        // Within a start by series and key, as they were read: sorting keeps no order by itself.
        let order = earlier.indices.sorted { (earlier[$0].start, $0) < (earlier[$1].start, $1) }
        earlier = order.map { earlier[$0] }
    }

    private static func holds(_ find: Statement, _ series: Int64, _ row: TotalsRow) throws(StoreError) -> Bool {
        guard let key = row.key else { return false }
        defer { find.reset() }
        find.bind(1, series)
        find.bind(2, row.start)
        find.bind(3, blob: key.bytes)
        find.bind(4, key.part)
        return try find.step()
    }

    /// - Returns: false when there is none left.
    func next(into row: inout TotalsRow) throws(StoreError) -> Bool {
        while try nextStored(into: &row) {
            guard mayRepeat, let key = row.key else { return true }
            if row.start != keysStart {
                keys.removeAll(keepingCapacity: true)
                keysStart = row.start
            }
            if keys.insert(key).inserted { return true }
        }
        return false
    }

    private func nextStored(into row: inout TotalsRow) throws(StoreError) -> Bool {
        if earlierTaken < earlier.count {
            row = earlier[earlierTaken]
            earlierTaken += 1
            return true
        }
        guard !cursors.isEmpty else { return false }
        var first = 0
        for index in cursors.indices.dropFirst() where cursors[index].row.start < cursors[first].row.start {
            first = index
        }
        row = cursors[first].row
        if try !cursors[first].next() { cursors.remove(at: first) }
        return true
    }
}
