package import Samples

extension StoreReader {
    /// A request that stored or changed rows, and where.
    package struct Touch: Equatable, Sendable {
        package var receivedAt: Timestamp
        /// The endpoint's NAME.
        package var endpoint: String
        /// By number, in order.
        package var series: [Int64]
    }

    /// Calls `body` with each request since a moment that stored or changed rows, newest first.
    ///
    /// Those that don't tell where are passed over: they are of an older program. So are imports of Apple Health's export, which come when
    /// someone likes.
    ///
    /// - Parameter limit: of requests that are looked at.
    package func forEachTouch(
        since: Timestamp, limit: Int, _ body: (Touch) -> Void
    ) throws(StoreError) {
        if try schemaVersion() < 5 { return }
        let statement = try connection.prepare(
            """
            SELECT v.received_at, e.name, v.touched, v.dialect, v.stored + v.changed
            FROM delivery AS v JOIN endpoint AS e ON e.id = v.endpoint ORDER BY v.id DESC LIMIT ?1
            """)
        statement.bind(1, limit)
        defer { statement.reset() }
        while try statement.step() {
            let at = Timestamp(microseconds: statement.integer(0))
            // Not the end: a clock that was set back leaves older ones behind newer ones.
            if at < since { continue }
            if statement.integer(4) == 0 || statement.isNull(2) || statement.text(3) == Dialect.apple.rawValue {
                continue
            }
            // Damage is for those to tell who need it all.
            guard let areas = TouchedSet.decode(statement.bytes(2)) else { continue }
            var series: [Int64] = []
            // Where series could not be told apart nothing is said.
            for area in areas where area.series.lowerBound == area.series.upperBound {
                if series.last != area.series.lowerBound { series.append(area.series.lowerBound) }
            }
            body(Touch(receivedAt: at, endpoint: statement.text(1) ?? "", series: series))
        }
    }
}
