/// The lines of `deletions`: one a key, of the last deletion that took something away.
final class DeletionLines {
    private let connection: Connection
    private let findStatement, setStatement, addStatement: Statement

    init(_ connection: Connection) throws(StoreError) {
        self.connection = connection
        let insert = """
            INSERT INTO deletion (device, uuid, type, parts, endpoint, delivery)
            VALUES (?1, ?2, nullif(?3, 0), ?4, ?5, ?6) ON CONFLICT
            """
        findStatement = try connection.prepare("SELECT delivery FROM deletion WHERE device = ?1 AND uuid = ?2")
        addStatement = try connection.prepare("\(insert) DO NOTHING")
        setStatement = try connection.prepare(
            """
            \(insert) (device, uuid) DO UPDATE SET type = excluded.type, parts = excluded.parts,
              endpoint = excluded.endpoint, delivery = excluded.delivery
            """)
    }

    /// Writes the line, over one that is there.
    ///
    /// - Parameter type: number of a text, 0 for none.
    /// - Returns: the delivery that the line named before; nil when it is new.
    func set(_ key: BoundKey, type: Int64, parts: Int, _ origin: SampleOrigin) throws(StoreError) -> Int64? {
        findStatement.bind(1, origin.device)
        key.bind(findStatement, 2)
        let previous: Int64? = try findStatement.step() ? findStatement.integer(0) : nil
        findStatement.reset()
        bind(setStatement, key, type, parts, origin)
        try setStatement.run()
        return previous
    }

    /// Writes the line unless there is one.
    ///
    /// - Returns: whether it is new.
    func add(_ key: BoundKey, type: Int64, parts: Int, _ origin: SampleOrigin) throws(StoreError) -> Bool {
        bind(addStatement, key, type, parts, origin)
        try addStatement.run()
        return connection.changes > 0
    }

    private func bind(_ statement: Statement, _ key: BoundKey, _ type: Int64, _ parts: Int, _ origin: SampleOrigin) {
        statement.bind(1, origin.device)
        key.bind(statement, 2)
        statement.bind(3, type)
        statement.bind(4, parts)
        statement.bind(5, origin.endpoint)
        statement.bind(6, origin.delivery)
    }
}
