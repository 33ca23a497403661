import CSQLite

/// Why a backup was not made or not taken.
package enum BackupError: Error, Equatable, Sendable {
    /// What `goesOn` answered.
    case interrupted
    /// The new file can't be made or moved into place.
    case file(PartialFile.Failure)
    /// The copy is not what was copied: its own check, or rows of a table that were not counted alike.
    case copyDiffers(String)
    /// The given file is no backup: not a database, another program's, or an empty one.
    case notABackup
    /// The given file is cut or damaged.
    case damaged
    /// The folder has data already; the file that was found.
    case occupied(String)
    case store(StoreError)

    init(_ error: StoreError) { self = error.code & 0xFF == SQLITE_INTERRUPT ? .interrupted : .store(error) }
}

/// How far a backup or a restore is.
package enum BackupProgress: Equatable, Sendable {
    /// Bytes written, of about as many.
    case copying(Int, of: Int)
    case checking
}

/// What a backup holds beside the samples: written into the table `backup` of its one row.
package struct BackupNote: Equatable, Sendable {
    /// RFC 3339.
    package var madeAt: String
    /// The program's version.
    package var program: String
    /// Whether `configuration` has the tokens and secrets as they are.
    package var hasSecrets: Bool
    /// The text of `receiver.json`; nil when there was none.
    package var configuration: String?

    package init(madeAt: String, program: String, hasSecrets: Bool, configuration: String?) {
        self.madeAt = madeAt
        self.program = program
        self.hasSecrets = hasSecrets
        self.configuration = configuration
    }

    static let table = """
        CREATE TABLE backup (
          made_at TEXT NOT NULL, program TEXT NOT NULL, has_secrets INTEGER NOT NULL, configuration TEXT) STRICT
        """

    /// Writes it into a copy.
    func insert(into connection: Connection) throws(StoreError) {
        try connection.execute("DROP TABLE IF EXISTS backup")
        try connection.execute(Self.table)
        let statement = try connection.prepare("INSERT INTO backup VALUES (?1, ?2, ?3, ?4)")
        statement.bind(1, text: madeAt)
        statement.bind(2, text: program)
        statement.bind(3, hasSecrets ? 1 : 0)
        statement.bind(4, text: configuration)
        try statement.run()
    }

    /// Takes it out of a copy; nil where the file is a plain copy of `health.db`.
    static func take(from connection: Connection) throws(StoreError) -> BackupNote? {
        guard try connection.integer("SELECT count(*) FROM sqlite_schema WHERE name = 'backup' AND type = 'table'") == 1
        else { return nil }
        var note: BackupNote?
        do {
            let row = try connection.prepare("SELECT made_at, program, has_secrets, configuration FROM backup")
            if try row.step() {
                note = BackupNote(
                    madeAt: row.text(0) ?? "", program: row.text(1) ?? "", hasSecrets: row.integer(2) == 1,
                    configuration: row.text(3))
            }
            row.reset()
        }
        // Secrets don't belong in health.db; `secure_delete` overwrites them.
        try connection.execute("DROP TABLE backup")
        return note
    }
}
