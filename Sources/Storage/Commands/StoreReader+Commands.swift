import Samples

extension StoreReader {
    /// Results that ended nothing.
    package struct ResultCounts: Equatable, Sendable {
        /// For a version that a newer one has replaced.
        package var late = 0
        /// For a version that had its result.
        package var repeated = 0
        /// For an id that the endpoint has no command of, or a version that was never queued.
        package var unknown = 0
        package init() {}
    }

    /// The latest version of every command, in queue order.
    ///
    /// - Parameter endpoint: NAME; nil for all.
    package func commands(endpoint: String? = nil) throws(StoreError) -> [CommandRow] {
        let schema = try schemaVersion()
        guard schema >= 2 else { return [] }
        let statement = try connection.prepare(
            "\(CommandRow.select(schema: schema)) WHERE e.name = ?1 OR ?1 IS NULL ORDER BY c.id")
        statement.bind(1, text: endpoint)
        var found: [CommandRow] = []
        while try statement.step() { found.append(CommandRow(statement)) }
        return found
    }

    package func resultCounts(endpoint: String) throws(StoreError) -> ResultCounts {
        var counts = ResultCounts()
        guard try schemaVersion() >= 2 else { return counts }
        let statement = try connection.prepare(
            """
            SELECT late, repeated, unknown FROM command_counter
              WHERE endpoint = (SELECT id FROM endpoint WHERE name = ?1)
            """)
        statement.bind(1, text: endpoint)
        if try statement.step() {
            counts.late = Int(statement.integer(0))
            counts.repeated = Int(statement.integer(1))
            counts.unknown = Int(statement.integer(2))
        }
        return counts
    }
}

extension CommandRow {
    static func select(schema: Int) -> String {
        """
        SELECT c.name, e.name, c.version, c.op, c.type, c.value, c.value_text, c.value_name, c.unit, c.start, c."end",
          c.state, c.reason, c.sent, c.queued_at, c.first_sent_at, c.last_sent_at, c.result_at,
          CASE WHEN \(Views.isLinked(schema: schema)) THEN \(Views.keyText("c.link_uuid")) END, c.body
        FROM command AS c JOIN endpoint AS e ON e.id = c.endpoint
        """
    }

    /// The row that a statement made of `select` stands on.
    init(_ row: Statement) {
        let value: CommandValue? =
            if let name = row.text(7) { .name(name) } else {
                row.double(5).map { .number($0, text: row.text(6) ?? "\($0)") }
            }
        func time(_ column: Int32) -> Timestamp? { row.optionalInteger(column).map(Timestamp.init) }
        self.init(
            id: row.text(0) ?? "", endpoint: row.text(1) ?? "", version: row.integer(2),
            op: CommandOperation(rawValue: row.text(3) ?? "") ?? .write, type: row.text(4) ?? "", value: value,
            unit: row.text(8), start: time(9), end: time(10),
            state: CommandState(rawValue: row.text(11) ?? "") ?? .waiting, reason: row.text(12),
            sent: Int(row.integer(13)), queuedAt: Timestamp(microseconds: row.integer(14)), firstSentAt: time(15),
            lastSentAt: time(16), resultAt: time(17), sampleUUID: row.text(18), body: row.text(19) ?? "")
    }
}
