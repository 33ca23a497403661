import Storage

/// One series of a person, in the numbers that the tables have.
struct SeriesRow: Equatable {
    var id: Int64
    var person: [UInt8]
    var device: [UInt8]
    /// Numbers of texts.
    var type: Int64
    var unit: Int64?

    /// Of a person and type, by device and unit as bytes, none first.
    ///
    /// - Parameter device: only of this one; nil for all.
    static func all(
        of person: String, type: String, device: String?, in connection: Connection
    ) throws(StoreError) -> [SeriesRow] {
        let statement = try connection.prepare(
            """
            SELECT r.id, p.name, d.name, r.type, r.unit FROM text AS t JOIN series AS r ON r.type = t.id
              JOIN device AS d ON d.id = r.device JOIN person AS p ON p.id = d.person
              LEFT JOIN text AS u ON u.id = r.unit
            WHERE t.text = ?1 AND p.name = ?2 AND (?3 IS NULL OR d.name = ?3) ORDER BY d.name, u.text, r.id
            """)
        statement.bind(1, text: type)
        statement.bind(2, text: person)
        statement.bind(3, text: device)
        var found: [SeriesRow] = []
        while try statement.step() { found.append(SeriesRow(statement)) }
        return found
    }

    /// Of columns `id, person, device, type, unit`.
    init(_ row: Statement) {
        id = row.integer(0)
        person = row.bytes(1)
        device = row.bytes(2)
        type = row.integer(3)
        unit = row.optionalInteger(4)
    }

    func stored(_ texts: StoredTexts) throws(StoreError) -> StoredSeries {
        let unit = try unit.map { (id) throws(StoreError) in try texts.text(id) }
        return StoredSeries(
            id: id, person: StoredText(person), device: StoredText(device), type: try texts.text(type), unit: unit)
    }
}
