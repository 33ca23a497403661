package import Samples

/// Looks at the database without writing: for `status` and its like, while a server runs or not.
///
/// Used by one thread at a time; each call sees the newest commit.
package final class StoreReader {
    package struct EndpointStatus: Equatable, Sendable {
        package var name: String
        /// Rows whose endpoint is this one now: it stored or changed them last.
        package var samples: Int
        /// When the last request came that stored or changed a row; nil when none did.
        package var lastStored: Timestamp?
    }

    package struct DeliveryRow: Equatable, Sendable {
        package var id: Int64
        package var receivedAt: Timestamp
        package var endpoint: String
        package var deliveryID: String?
        package var kind: String
        package var dialect: String?
        package var outcome: StoreOutcome
        package var skipped: Int
        package var bodyBytes: Int
        package var status: Int
        package var code: String?
    }

    /// Read-only. For questions whose answer is no business of this target's, such as `Insights`'s.
    package let connection: Connection
    package let folder: DataFolder
    /// What `hasChanged` saw last.
    var dataVersion: Int64?

    /// - Throws: `.missing` when there is no database yet; `.tooNew`, `.foreign`, `.damaged`.
    package init(directory: String) throws(StoreError) {
        folder = try DataFolder(existing: directory)
        if folder.databaseIdentity() == nil { throw StoreError(.missing) }
        connection = try Connection(path: folder.database, access: .readOnly, busyMilliseconds: 5_000)
        try Migrations.check(connection)
    }

    /// 0 while another process is making the database.
    package func schemaVersion() throws(StoreError) -> Int { try Migrations.version(of: connection) }

    /// Every endpoint that a request ever came to or a command was queued for, by name.
    package func endpoints() throws(StoreError) -> [EndpointStatus] {
        let statement = try connection.prepare(
            """
            SELECT e.name, ifnull(c.samples, 0), c.last_stored FROM endpoint AS e
              LEFT JOIN endpoint_count AS c ON c.endpoint = e.id ORDER BY e.name
            """)
        var found: [EndpointStatus] = []
        while try statement.step() {
            found.append(
                EndpointStatus(
                    name: statement.text(0) ?? "", samples: Int(statement.integer(1)),
                    lastStored: statement.optionalInteger(2).map(Timestamp.init)))
        }
        return found
    }

    /// The persons that rows of an endpoint are of. Reads a whole series where none of its rows is the endpoint's.
    package func persons(ofEndpoint name: String) throws(StoreError) -> [String] {
        let statement = try connection.prepare(
            """
            SELECT DISTINCT p.name FROM endpoint AS e, series AS s
              JOIN device AS d ON d.id = s.device JOIN person AS p ON p.id = d.person
            WHERE e.name = ?1 AND EXISTS (SELECT 1 FROM sample WHERE series = s.id AND endpoint = e.id) ORDER BY p.name
            """)
        statement.bind(1, text: name)
        var found: [String] = []
        while try statement.step() {
            let owner = Restore.owner(statement.text(0) ?? "")
            if !found.contains(owner) { found.append(owner) }
        }
        return found
    }

    /// The last deliveries, newest first.
    package func deliveries(limit: Int) throws(StoreError) -> [DeliveryRow] {
        let statement = try connection.prepare(
            """
            SELECT v.id, v.received_at, e.name, v.name, v.kind, v.dialect, v.stored, v.changed, v.repeated, v.deleted,
              v.skipped, v.bytes, v.status, v.code
            FROM delivery AS v JOIN endpoint AS e ON e.id = v.endpoint ORDER BY v.id DESC LIMIT ?1
            """)
        statement.bind(1, limit)
        var found: [DeliveryRow] = []
        while try statement.step() {
            var outcome = StoreOutcome()
            outcome.stored = Int(statement.integer(6))
            outcome.changed = Int(statement.integer(7))
            outcome.repeated = Int(statement.integer(8))
            outcome.deleted = Int(statement.integer(9))
            found.append(
                DeliveryRow(
                    id: statement.integer(0), receivedAt: Timestamp(microseconds: statement.integer(1)),
                    endpoint: statement.text(2) ?? "", deliveryID: statement.text(3), kind: statement.text(4) ?? "",
                    dialect: statement.text(5), outcome: outcome, skipped: Int(statement.integer(10)),
                    bodyBytes: Int(statement.integer(11)), status: Int(statement.integer(12)),
                    code: statement.text(13)))
        }
        return found
    }
}
