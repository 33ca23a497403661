package import Samples
package import Storage

extension ReadModel {
    /// How far back requests are looked at.
    private static let rhythmMicroseconds: Int64 = 90 * 86_400_000_000
    /// How many of them.
    private static let rhythmRequests = 20_000

    /// How often rows of each type come through each endpoint, by endpoint, person and type.
    ///
    /// Learnt from what requests of the last 90 days stored or changed: docs/activity.md.
    ///
    /// - Parameters:
    ///   - now: what is quiet is so at this moment.
    ///   - person: the only one to tell about; nil for all.
    package func rhythms(now: Timestamp, person: String? = nil) throws(StoreError) -> [Rhythm] {
        struct Key: Hashable {
            var endpoint: String
            var person: String
            var type: String
        }
        return try inTransaction { () throws(StoreError) in
            let owners = try seriesOwners(of: person)
            var times: [Key: [Timestamp]] = [:]
            let (since, isOver) = now.microseconds.subtractingReportingOverflow(Self.rhythmMicroseconds)
            try store.forEachTouch(
                since: isOver ? .none : Timestamp(microseconds: since), limit: Self.rhythmRequests
            ) { touch in
                // A type has several series where phones are several, or units.
                var told: Set<Key> = []
                for series in touch.series {
                    guard let owner = owners[series] else { continue }
                    let key = Key(endpoint: touch.endpoint, person: owner.person, type: owner.type)
                    if told.insert(key).inserted { times[key, default: []].append(touch.receivedAt) }
                }
            }
            return times.compactMap { key, times in
                RhythmRule(times).map { rule in
                    Rhythm(
                        endpoint: key.endpoint, person: key.person, type: key.type, lastStored: rule.last,
                        usualSeconds: rule.usualSeconds, longestSeconds: rule.longestSeconds,
                        isQuiet: rule.isQuiet(at: now))
                }
            }.sorted { left, right in
                for (one, other) in [
                    (left.endpoint, right.endpoint), (left.person, right.person), (left.type, right.type),
                ] where one != other { return one.utf8.lexicographicallyPrecedes(other.utf8) }
                return false
            }
        }
    }

    private func seriesOwners(of person: String?) throws(StoreError) -> [Int64: (person: String, type: String)] {
        let statement = try store.connection.prepare(
            """
            SELECT r.id, p.name, t.text FROM series AS r JOIN device AS d ON d.id = r.device
              JOIN person AS p ON p.id = d.person JOIN text AS t ON t.id = r.type WHERE ?1 IS NULL OR p.name = ?1
            """)
        statement.bind(1, text: person)
        var owners: [Int64: (person: String, type: String)] = [:]
        while try statement.step() {
            owners[statement.integer(0)] = (statement.text(1) ?? "", statement.text(2) ?? "")
        }
        return owners
    }
}
