package import Samples

/// A moment in the order of commits of one database.
package struct ChangePoint: Equatable, Hashable, Sendable {
    /// Another one once earlier points are of no use: after a purge, and of a restored backup.
    package var epoch: Int64
    /// Of the last change before it; 0 before the first.
    package var number: Int64

    package init(epoch: Int64, number: Int64) {
        self.epoch = epoch
        self.number = number
    }
}

/// A stretch of time of one series in which rows were put, changed or taken away.
package struct TouchedRange: Equatable, Sendable {
    package var series: Int64
    /// Lowest and highest start, up to 17 s further than those of the rows; both `Timestamp.none` for rows without one.
    package var low: Timestamp
    package var high: Timestamp
    /// The latest end that one of the rows has or had, at least `high`; what a sender wrote, so any time at all.
    package var reach: Timestamp
}

/// Which places differ from what they were at a point.
package enum TouchedRanges: Equatable, Sendable {
    /// Any: what was changed since is not known (any more).
    case everything
    /// These and no others, in the order of series and time.
    case ranges([TouchedRange])
}

extension StoreReader {
    /// The newest commit's point.
    package func newestChange() throws(StoreError) -> ChangePoint {
        if try schemaVersion() < 5 { return ChangePoint(epoch: 0, number: 0) }
        let statement = try connection.prepare(
            """
            SELECT epoch, max(known_after, ifnull((SELECT max(id) FROM delivery), 0),
              ifnull((SELECT max(id) FROM delivery_slice), 0)) FROM change_state
            """)
        defer { statement.reset() }
        guard try statement.step() else { throw StoreError(.damaged, detail: "change_state is empty") }
        return ChangePoint(epoch: statement.integer(0), number: statement.integer(1))
    }

    /// What was touched behind `point`, and the point up to which this tells: ask behind that one next.
    ///
    /// Reads a row a request since. To be asked before the samples are read: what is stored in between is then told again.
    package func touched(
        since point: ChangePoint
    ) throws(StoreError) -> (ranges: TouchedRanges, upTo: ChangePoint) {
        try snapshot { () throws(StoreError) in
            let newest = try newestChange()
            guard try isKnown(point, newest) else { return (.everything, newest) }
            var touched = TouchedSet()
            let statement = try connection.prepare(ChangeRows.touched)
            statement.bind(1, point.number)
            statement.bind(2, Int64.max)
            while try statement.step() {
                guard let areas = try ChangeRows.areas(statement) else { return (.everything, newest) }
                for area in areas { touched.add(area) }
            }
            var ranges: [TouchedRange] = []
            for area in touched.areas() {
                if area.series.lowerBound < area.series.upperBound { return (.everything, newest) }
                ranges.append(
                    TouchedRange(
                        series: area.series.lowerBound, low: Timestamp(microseconds: area.starts.lowerBound),
                        high: Timestamp(microseconds: area.starts.upperBound),
                        reach: Timestamp(microseconds: area.reach)))
            }
            return (.ranges(ranges), newest)
        }
    }

    /// Whether another connection, of any process, has committed since this was asked last; true the first time.
    package func hasChanged() throws(StoreError) -> Bool {
        let version = try connection.integer("PRAGMA data_version")
        defer { dataVersion = version }
        return version != dataVersion
    }

    /// Whether every change behind `point` is there to be told.
    func isKnown(_ point: ChangePoint, _ newest: ChangePoint) throws(StoreError) -> Bool {
        if try schemaVersion() < 5 { return false }
        let known = try connection.integer("SELECT known_after FROM change_state") ?? .max
        return point.epoch == newest.epoch && point.number >= known && point.number <= newest.number
    }

    /// Runs `body` in one read transaction, in the open one if there is one.
    func snapshot<Result>(_ body: () throws(StoreError) -> Result) throws(StoreError) -> Result {
        if connection.isInTransaction { return try body() }
        try connection.execute("BEGIN")
        defer { connection.rollback() }
        return try body()
    }
}

/// The changes as they are stored.
enum ChangeRows {
    /// Changes behind ?1 in their order, ?2 of them at most: number, delivery, touched, whether the request wrote rows.
    static let touched = """
        SELECT id, id, touched, stored + changed + deleted > 0 FROM delivery WHERE id > ?1
        UNION ALL SELECT id, delivery, touched, 1 FROM delivery_slice WHERE id > ?1
        ORDER BY 1 LIMIT ?2
        """

    /// - Returns: nil when an older program wrote them, which doesn't tell where.
    static func areas(_ row: Statement) throws(StoreError) -> [TouchedSet.Area]? {
        if row.isNull(2) { return row.integer(3) == 0 ? [] : nil }
        guard let areas = TouchedSet.decode(row.bytes(2)) else {
            throw StoreError(.damaged, detail: "what a delivery touched can't be read")
        }
        return areas
    }
}
