import Samples
package import Storage

extension ReadModel {
    /// The types that a person has samples of, by name.
    package func types(of name: String) throws(StoreError) -> [TypeSummary] {
        var found: [TypeSummary] = []
        let ends = try SeriesEnds(store.connection)
        for type in try seriesWithFacts(of: person(named: name), type: nil) where type.rows > 0 {
            let plan = FigurePlan(type, setup.catalog)
            var summary = TypeSummary(
                type: type.type, kind: type.sampleKind, unit: plan.unitText, aggregation: plan.aggregation,
                samples: type.rows, first: nil, last: nil)
            for series in type.series {
                guard let first = try ends.start(series.id, isLast: false),
                    let last = try ends.start(series.id, isLast: true)
                else { continue }
                summary.first = min(summary.first ?? first, first)
                summary.last = max(summary.last ?? last, last)
            }
            found.append(summary)
        }
        return found
    }

    /// The sources of a person, in the order in which they count.
    ///
    /// - Parameter type: of which samples are counted; nil for all.
    package func sources(of name: String, type: String?) throws(StoreError) -> [SourceRank] {
        let person = person(named: name)
        var rows: [Int64: Int] = [:]
        for found in try seriesWithFacts(of: person, type: type) { rows.merge(found.rowsOfSources) { $0 + $1 } }
        return try ranking(person, rows).entries.map(\.rank)
    }
}

/// Finds the first and last start of a series.
private struct SeriesEnds {
    private let first, last: Statement

    init(_ connection: Connection) throws(StoreError) {
        let read = "SELECT start FROM sample WHERE series = ?1 AND start > ?2 ORDER BY start"
        first = try connection.prepare("\(read) LIMIT 1")
        last = try connection.prepare("\(read) DESC LIMIT 1")
    }

    func start(_ series: Int64, isLast: Bool) throws(StoreError) -> Timestamp? {
        let statement = isLast ? last : first
        statement.bind(1, series)
        statement.bind(2, Int64.min)
        defer { statement.reset() }
        return try statement.step() ? Timestamp(microseconds: statement.integer(0)) : nil
    }
}
