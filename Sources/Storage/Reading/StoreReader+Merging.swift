package import Samples

extension StoreReader {
    /// Where a sender's window cut buckets, so that stored content was kept against it: what `status` warns of.
    package struct WindowGuard: Equatable, Sendable {
        package var endpoint: String
        /// Slots of all requests so far.
        package var count: Int
        package var firstAt: Timestamp
        package var lastAt: Timestamp
    }

    /// What was left out of an endpoint's requests, by reason; no more than the table's bounds kept.
    package struct SkippedCount: Equatable, Sendable {
        package var endpoint: String
        /// Stable word, such as `date_invalid`.
        package var code: String
        /// Times that a record with this code came, repeats included.
        package var count: Int
        package var lastAt: Timestamp
    }

    /// By endpoint; none before the schema that has them.
    package func windowGuards() throws(StoreError) -> [WindowGuard] {
        if try schemaVersion() < 2 { return [] }
        let statement = try connection.prepare(
            """
            SELECT e.name, g.count, g.first_at, g.last_at FROM endpoint_guard AS g JOIN endpoint AS e ON e.id = g.endpoint
            ORDER BY e.name
            """)
        var found: [WindowGuard] = []
        while try statement.step() {
            found.append(
                WindowGuard(
                    endpoint: statement.text(0) ?? "", count: Int(clamping: statement.integer(1)),
                    firstAt: Timestamp(microseconds: statement.integer(2)),
                    lastAt: Timestamp(microseconds: statement.integer(3))))
        }
        return found
    }

    /// By endpoint and code; none before the schema that has them.
    package func skippedCounts() throws(StoreError) -> [SkippedCount] {
        if try schemaVersion() < 2 { return [] }
        let statement = try connection.prepare(
            """
            SELECT e.name, k.code, sum(k.count), max(k.last_at) FROM skip AS k JOIN endpoint AS e ON e.id = k.endpoint
            GROUP BY e.name, k.code ORDER BY e.name, k.code
            """)
        var found: [SkippedCount] = []
        while try statement.step() {
            found.append(
                SkippedCount(
                    endpoint: statement.text(0) ?? "", code: statement.text(1) ?? "",
                    count: Int(clamping: statement.integer(2)), lastAt: Timestamp(microseconds: statement.integer(3))))
        }
        return found
    }

    /// Whether the uuid index was damaged and is made anew: until that is done no samples with uuids are stored.
    package func isRebuildingKeys() throws(StoreError) -> Bool {
        if try schemaVersion() < 3 { return false }
        return try connection.integer("SELECT count(*) FROM key_rebuild") ?? 0 > 0
    }
}
