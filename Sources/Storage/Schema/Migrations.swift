import CSQLite

/// Brings a database to the newest schema, one numbered step a transaction; `user_version` holds the number.
enum Migrations {
    /// The statements that lead from schema i to i + 1. Appended to, never edited.
    static let steps: [[String]] = [
        Tables.version1 + Views.version1,
        Tables.version2 + Views.version2,
        Tables.version3 + Views.version3,
        Tables.version4 + Views.version4,
        Tables.version5,
        Tables.version6,
    ]

    /// The newest schema that this program knows.
    static var newest: Int { steps.count }

    /// "SyRe": marks the file as ours, for `file(1)` and for us.
    static let applicationID: Int64 = 0x5379_5265

    /// Runs what is missing. Safe when two processes do it at once: each step looks again once it has the lock.
    ///
    /// - Throws: `.tooNew` or `.foreign` before anything is written.
    static func run(on connection: Connection) throws(StoreError) {
        try check(connection)
        if try connection.text("PRAGMA journal_mode=WAL") != "wal" {
            throw StoreError(.failed, code: SQLITE_ERROR, detail: "the file system allows no write-ahead log")
        }
        while try version(of: connection) < newest {
            try connection.execute("BEGIN IMMEDIATE")
            do throws(StoreError) {
                let version = try version(of: connection)
                if version < newest {
                    for statement in steps[version] { try connection.execute(statement) }
                    try connection.execute("PRAGMA application_id=\(applicationID)")
                    try connection.execute("PRAGMA user_version=\(version + 1)")
                }
                try connection.execute("COMMIT")
            } catch {
                connection.rollback()
                throw error
            }
        }
        try check(connection)
    }

    /// - Throws: `.tooNew` for a file of a later program, `.foreign` for one of something else.
    static func check(_ connection: Connection) throws(StoreError) {
        try connection.execute("BEGIN")  // one snapshot: another process may be at the first step
        defer { connection.rollback() }
        let found = try version(of: connection)
        let id = try connection.integer("PRAGMA application_id") ?? 0
        if id == applicationID || (found == 0 && id == 0) {
            if found > newest { throw StoreError(.tooNew(found: found, known: newest)) }
            if found > 0 { return }
            if try connection.integer("SELECT count(*) FROM sqlite_schema") == 0 { return }
        }
        throw StoreError(.foreign)
    }

    static func version(of connection: Connection) throws(StoreError) -> Int {
        Int(clamping: try connection.integer("PRAGMA user_version") ?? 0)
    }
}
