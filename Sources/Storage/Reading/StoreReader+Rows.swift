/// A value of a column, as SQLite holds it.
package enum SQLValue: Equatable, Sendable {
    case null
    case integer(Int64)
    case real(Double)
    case text(String)
    case blob([UInt8])
}

extension StoreReader {
    /// All rows of a query of ours over the views, by column name: for tests and for comparing vectors.
    ///
    /// - Parameter sql: one SELECT; never made from what a peer or a user wrote.
    package func rows(_ sql: String) throws(StoreError) -> [[String: SQLValue]] {
        let statement = try connection.prepare(sql)
        var rows: [[String: SQLValue]] = []
        while try statement.step() {
            var row: [String: SQLValue] = [:]
            for column in 0..<statement.columns { row[statement.name(column)] = statement.value(column) }
            rows.append(row)
        }
        return rows
    }
}
