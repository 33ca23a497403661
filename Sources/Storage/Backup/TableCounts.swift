/// How many rows each table has.
struct TableCounts: Equatable {
    private(set) var rows: [String: Int64] = [:]

    /// Counts every table of the schema; reads all of the database's trees.
    init(_ connection: Connection) throws(StoreError) {
        let list = try connection.prepare(
            "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\'")
        var names: [String] = []
        while try list.step() { names.append(list.text(0) ?? "") }
        for name in names {
            let quoted = name.split(separator: "\"", omittingEmptySubsequences: false).joined(separator: "\"\"")
            rows[name] = try connection.integer("SELECT count(*) FROM \"\(quoted)\"") ?? 0
        }
    }

    subscript(table: String) -> Int { Int(rows[table] ?? 0) }

    /// The first table, by name, that is not alike in both.
    func difference(from other: TableCounts) -> String? {
        Set(rows.keys).union(other.rows.keys).sorted().first { rows[$0] != other.rows[$0] }
    }
}
