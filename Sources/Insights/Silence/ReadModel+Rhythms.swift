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
        try inTransaction { () throws(StoreError) in
            let owners = try SeriesOwners(store.connection, person: person)
            // By endpoint, then by number of person and type: a request may have a hundred of them.
            var times: [String: [[Timestamp]]] = [:]
            let (since, isOver) = now.microseconds.subtractingReportingOverflow(Self.rhythmMicroseconds)
            try store.forEachTouch(
                since: isOver ? .none : Timestamp(microseconds: since), limit: Self.rhythmRequests
            ) { touch in
                for series in touch.series {
                    guard let owner = owners.numbers[series] else { continue }
                    // Several series of one type make an interval of nothing, which counts for none.
                    times[touch.endpoint, default: Array(repeating: [], count: owners.names.count)][owner]
                        .append(touch.receivedAt)
                }
            }
            var rhythms: [Rhythm] = []
            for (endpoint, times) in times {
                for (owner, times) in zip(owners.names, times) {
                    guard let rule = RhythmRule(times) else { continue }
                    rhythms.append(
                        Rhythm(
                            endpoint: endpoint, person: owner.person, type: owner.type, lastStored: rule.last,
                            usualSeconds: rule.usualSeconds, longestSeconds: rule.longestSeconds,
                            isQuiet: rule.isQuiet(at: now)))
                }
            }
            return rhythms.sorted { left, right in
                for (one, other) in [
                    (left.endpoint, right.endpoint), (left.person, right.person), (left.type, right.type),
                ] where one != other { return one.utf8.lexicographicallyPrecedes(other.utf8) }
                return false
            }
        }
    }
}

/// Whose each series is, and of which type.
private struct SeriesOwners {
    private(set) var names: [(person: String, type: String)] = []
    /// Into `names`, by series.
    private(set) var numbers: [Int64: Int] = [:]

    init(_ connection: Connection, person: String?) throws(StoreError) {
        let statement = try connection.prepare(
            """
            SELECT r.id, p.name, t.text, p.id, t.id FROM series AS r JOIN device AS d ON d.id = r.device
              JOIN person AS p ON p.id = d.person JOIN text AS t ON t.id = r.type WHERE ?1 IS NULL OR p.name = ?1
            ORDER BY p.id, t.id
            """)
        statement.bind(1, text: person)
        var last: (person: Int64, type: Int64)?
        while try statement.step() {
            let owner = (person: statement.integer(3), type: statement.integer(4))
            if last == nil || last?.person != owner.person || last?.type != owner.type {
                names.append((statement.text(1) ?? "", statement.text(2) ?? ""))
                last = owner
            }
            numbers[statement.integer(0)] = names.count - 1
        }
    }
}
