/// Takes what an endpoint left in one of PulsHealth's tables away, a slice a transaction.
///
/// Found before the transaction and from the last row on: the search may read millions of rows of others.
final class PulsPurge {
    /// Tables and their keys.
    static let tables: [(name: String, key: [String])] = [
        ("route_point", ["device", "workout", "time"]),
        ("curve_point", ["device", "workout", "type", "time"]),
        (
            "aggregate",
            ["device", "type", "function", "interval_unit", "interval_value", "device_filter", "start"]
        ),
        ("puls_batch", ["device", "batch"]),
    ]

    private let writer: Writer
    private let endpoint: Int64
    private let columns: Int32
    private let findFirst, findNext, remove: Statement
    private var last: [SQLValue] = []

    init(_ writer: Writer, table: (name: String, key: [String]), endpoint: Int64, sliceRows: Int) throws(StoreError) {
        self.writer = writer
        self.endpoint = endpoint
        columns = Int32(table.key.count)
        let key = table.key.joined(separator: ", ")
        let places = (1...table.key.count).map { "?\($0)" }.joined(separator: ", ")
        let owner = "endpoint = ?\(table.key.count + 1)"
        let select = "SELECT \(key) FROM \(table.name) WHERE", order = "ORDER BY \(key) LIMIT \(sliceRows)"
        findFirst = try writer.connection.prepare("\(select) endpoint = ?1 \(order)")
        findNext = try writer.connection.prepare("\(select) (\(key)) > (\(places)) AND \(owner) \(order)")
        remove = try writer.connection.prepare("DELETE FROM \(table.name) WHERE (\(key)) = (\(places)) AND \(owner)")
    }

    /// - Returns: how many rows went; nil when there is none left.
    func removeSlice() throws(StoreError) -> Int? {
        let find = last.isEmpty ? findFirst : findNext
        if last.isEmpty { find.bind(1, endpoint) } else { bind(find, last) }
        var found: [[SQLValue]] = []
        while try find.step() { found.append((0..<columns).map { find.value($0) }) }
        guard let end = found.last else { return nil }
        last = end
        return try writer.alone { () throws(StoreError) -> Int in
            var removed = 0
            for key in found {
                bind(remove, key)
                try remove.run()
                removed += writer.connection.changes
            }
            return removed
        }
    }

    private func bind(_ statement: Statement, _ key: [SQLValue]) {
        for (index, value) in key.enumerated() {
            let place = Int32(index + 1)
            switch value {
            case .integer(let number): statement.bind(place, number)
            case .blob(let bytes): statement.bind(place, blob: bytes)
            case .text(let text): statement.bind(place, text: text)
            case .real(let number): statement.bind(place, number)
            case .null: statement.bindNull(place)
            }
        }
        statement.bind(columns + 1, endpoint)
    }
}
