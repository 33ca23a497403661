/// Where a sample's row is: the rest of its clustered key beside uuid and part.
struct SamplePlace: Equatable {
    var series: Int64
    var start: Int64
}

/// Finds samples by (device, uuid, part). The one thing that knows how: today a plain b-tree.
///
/// HealthKit's uuids are random, so each new key dirties a page of its own, which is what makes receivers slow
/// (`performance.md`). Another structure can take this one's place behind the same four calls.
final class SampleKeys {
    private let insertStatement, findStatement, partsStatement, moveStatement, removeStatement: Statement
    private let connection: Connection

    init(_ connection: Connection) throws(StoreError) {
        self.connection = connection
        insertStatement = try connection.prepare(
            "INSERT INTO sample_key (device, uuid, part, series, start) VALUES (?1, ?2, ?3, ?4, ?5) ON CONFLICT DO NOTHING"
        )
        findStatement = try connection.prepare(
            "SELECT series, start FROM sample_key WHERE device = ?1 AND uuid = ?2 AND part = ?3")
        partsStatement = try connection.prepare(
            "SELECT part, series, start FROM sample_key WHERE device = ?1 AND uuid = ?2 ORDER BY part")
        moveStatement = try connection.prepare(
            "UPDATE sample_key SET series = ?4, start = ?5 WHERE device = ?1 AND uuid = ?2 AND part = ?3")
        removeStatement = try connection.prepare(
            "DELETE FROM sample_key WHERE device = ?1 AND uuid = ?2 AND part = ?3")
    }

    /// Points the key at `place`.
    ///
    /// - Returns: where it pointed before; nil when it is new.
    func put(device: Int64, _ key: BoundKey, part: Int64, at place: SamplePlace) throws(StoreError) -> SamplePlace? {
        bind(insertStatement, device, key, part)
        insertStatement.bind(4, place.series)
        insertStatement.bind(5, place.start)
        try insertStatement.run()
        if connection.changes > 0 { return nil }
        guard let old = try find(device: device, key, part: part) else { return nil }
        bind(moveStatement, device, key, part)
        moveStatement.bind(4, place.series)
        moveStatement.bind(5, place.start)
        try moveStatement.run()
        return old
    }

    func find(device: Int64, _ key: BoundKey, part: Int64) throws(StoreError) -> SamplePlace? {
        bind(findStatement, device, key, part)
        guard try findStatement.step() else { return nil }
        let place = SamplePlace(series: findStatement.integer(0), start: findStatement.integer(1))
        findStatement.reset()
        return place
    }

    /// Every part of a key, in order.
    func parts(device: Int64, _ key: BoundKey) throws(StoreError) -> [(part: Int64, place: SamplePlace)] {
        partsStatement.bind(1, device)
        key.bind(partsStatement, 2)
        var found: [(part: Int64, place: SamplePlace)] = []
        while try partsStatement.step() {
            let place = SamplePlace(series: partsStatement.integer(1), start: partsStatement.integer(2))
            found.append((partsStatement.integer(0), place))
        }
        return found
    }

    func remove(device: Int64, _ key: BoundKey, part: Int64) throws(StoreError) {
        bind(removeStatement, device, key, part)
        try removeStatement.run()
    }

    private func bind(_ statement: Statement, _ device: Int64, _ key: BoundKey, _ part: Int64) {
        statement.bind(1, device)
        key.bind(statement, 2)
        statement.bind(3, part)
    }
}
