import CSQLite
import Glibc
import Samples

/// `server init --from`: brings a backup, or a plain copy of `health.db`, into a folder that has no data yet.
///
/// Everything happens in a folder beside its place, which goes with this object; `finish` moves the database in.
package final class Restore {
    package struct Summary: Equatable, Sendable {
        package var samples = 0
        package var deliveries = 0
        package var commands = 0
        /// Numbers of the schema in the backup and here.
        package var schemaFound = 0
        package var schema = 0
        /// Nil for a plain copy.
        package var note: BackupNote?
        /// The endpoints that any request in the backup came to; empty where the note has the settings.
        package var endpoints: [Endpoint] = []
    }

    package struct Endpoint: Equatable, Sendable {
        package var name: String
        /// Whose samples it stored; `me` or its own name when it stored none.
        package var person: String
        /// The format of its last request, imports not counted; nil when there was none.
        package var dialect: String?
    }

    package private(set) var summary = Summary()
    /// The data folder.
    package let directory: String
    private let madeDirectory: Bool
    private var staging: PartialFile?
    private var isFinished = false

    /// What makes a folder one with data: another `-wal` beside a database would be taken for its own.
    private static let dataFiles = [
        "receiver.json", "health.db", "health.db-wal", "health.db-shm", "health.db-journal",
    ]

    /// Copies and checks, leaving the folder as it was until `finish`.
    ///
    /// - Parameter goesOn: is asked again and again, with how far this is.
    package init(
        of file: String, into directory: String, while goesOn: @escaping (BackupProgress) -> Bool
    ) throws(BackupError) {
        if let found = Self.dataFile(in: directory) { throw .occupied(found) }
        let source = try Self.open(file)
        var status = stat()
        madeDirectory = unsafe stat(directory, &status) != 0
        do throws(StoreError) { self.directory = try DataFolder.prepare(directory).path } catch { throw .store(error) }
        let staging: PartialFile
        do throws(PartialFile.Failure) { staging = try PartialFile("\(self.directory)/health.db") } catch {
            throw .file(error)
        }
        self.staging = staging
        if !goesOn(.copying(0, of: fileSize(file))) { throw .interrupted }
        let expected = try copy(source, to: staging.temporaryPath, while: goesOn)
        if !goesOn(.checking) { throw .interrupted }
        try bringUp(staging.temporaryPath, expected, while: goesOn)
    }

    deinit {
        // Its folder lies in the one that goes next.
        staging = nil
        if !isFinished && madeDirectory { unsafe _ = rmdir(directory) }
    }

    /// Gives the database its place.
    package func finish() throws(BackupError) {
        if let found = Self.dataFile(in: directory) { throw .occupied(found) }
        do throws(PartialFile.Failure) { try staging?.publish() } catch {
            throw error == .exists ? .occupied("health.db") : .file(error)
        }
        isFinished = true
        staging = nil
        // Whatever stopped here once stopped with another database.
        unsafe _ = unlink("\(directory)/unclean")
    }

    /// Takes back what `finish` did.
    package func undo() {
        unsafe _ = unlink("\(directory)/health.db")
        isFinished = false
    }

    private static func dataFile(in directory: String) -> String? {
        var status = stat()
        return dataFiles.first { unsafe lstat("\(directory)/\($0)", &status) == 0 }
    }

    // MARK: Steps

    private static func open(_ file: String) throws(BackupError) -> Connection {
        guard let resolved = unsafe realpath(file, nil) else { throw .file(.system(errno)) }
        defer { unsafe free(resolved) }
        var status = stat()
        guard unsafe stat(resolved, &status) == 0 else { throw .file(.system(errno)) }
        // Opening a pipe would wait for whoever writes to it.
        guard status.st_mode & S_IFMT == S_IFREG else { throw .notABackup }
        if unsafe access(resolved, R_OK) != 0 { throw .file(.system(errno)) }
        do throws(StoreError) {
            let connection = try Connection(
                path: unsafe String(cString: resolved), access: .readOnly, busyMilliseconds: 5_000)
            guard try connection.integer("PRAGMA application_id") == Migrations.applicationID,
                try Migrations.version(of: connection) > 0
            else { throw StoreError(.foreign) }
            try Migrations.check(connection)
            // SQLite reads what is missing at the end of the last page as zeros.
            let page = Int(try connection.integer("PRAGMA page_size") ?? 0)
            guard page > 0, Int(status.st_size).isMultiple(of: page) else { throw StoreError(.damaged) }
            return connection
        } catch {
            throw Self.fault(error)
        }
    }

    /// What is wrong with the file that was given.
    private static func fault(_ error: StoreError) -> BackupError {
        switch error.reason {
        case .foreign: .notABackup
        case .damaged: error.code & 0xFF == SQLITE_NOTADB ? .notABackup : .damaged
        // A table or column is missing.
        case .failed where error.code & 0xFF == SQLITE_ERROR: .notABackup
        default: BackupError(error)
        }
    }

    private func copy(
        _ source: Connection, to path: String, while goesOn: @escaping (BackupProgress) -> Bool
    ) throws(BackupError) -> TableCounts {
        try Backup.createEmpty(path)
        do throws(StoreError) {
            let total = try source.sizeInBytes()
            summary.schemaFound = try Migrations.version(of: source)
            let watcher = CopyWatcher { goesOn(.copying(fileSize(path), of: total)) }
            return try source.watched(by: watcher) { () throws(StoreError) in
                try source.copy(into: path)
                return try TableCounts(source)
            }
        } catch {
            throw Self.fault(error)
        }
    }

    /// Checks the copy, takes the note out of it, and makes it this program's newest schema.
    private func bringUp(
        _ path: String, _ expected: TableCounts, while goesOn: @escaping (BackupProgress) -> Bool
    ) throws(BackupError) {
        do throws(StoreError) {
            let connection = try Connection(path: path, access: .readWrite, busyMilliseconds: 0)
            try connection.execute("PRAGMA journal_mode=MEMORY")
            let found = try Backup.checked(connection, while: { goesOn(.checking) })
            if let table = expected.difference(from: found) { throw StoreError(.damaged, detail: "rows of \(table)") }
            summary.samples = found["sample"]
            summary.deliveries = found["delivery"]
            summary.commands = found["command"]
            summary.note = try BackupNote.take(from: connection)
            try Migrations.run(on: connection)
            summary.schema = try Migrations.version(of: connection)
            if summary.note?.configuration == nil { summary.endpoints = try Self.endpoints(connection) }
            try prepareForWriting(connection)
            _ = try connection.checkpoint(.truncate)
        } catch {
            throw Self.fault(error)
        }
        if fileSize("\(path)-wal") > 0 { throw .copyDiffers("a log that was not taken up") }
    }

    /// Shows that all tables are there that a server needs, and makes sure that no id of a command is used again which the
    /// phone has seen since the backup.
    private func prepareForWriting(_ connection: Connection) throws(StoreError) {
        let dictionaries = try Dictionaries(connection), ledger = try Ledger(connection)
        let samples = try SampleStore(connection, dictionaries: dictionaries, ledger: ledger)
        _ = try PulsStore(connection, samples, dictionaries)
        _ = try connection.text("SELECT body FROM samples LIMIT 1")
        try connection.execute("BEGIN IMMEDIATE")
        try CommandTable(connection).skipAhead(by: CommandQueue.skippedByRestore)
        try ChangeState(connection).beginEpoch()
        try connection.execute("COMMIT")
    }

    /// Whom an endpoint is about, by one of the persons that it has samples of: other users of PulsHealth have their uuid
    /// behind the endpoint's person.
    static func owner(_ person: String) -> String {
        let bytes = Array(person.utf8)
        guard bytes.count > 37, bytes[bytes.count - 37] == UInt8(ascii: "/"),
            SampleKey.uuid(parsing: Array(bytes.suffix(36)).span) != nil
        else { return person }
        return String(decoding: bytes.dropLast(37), as: UTF8.self)
    }

    private static func endpoints(_ connection: Connection) throws(StoreError) -> [Endpoint] {
        // A file that was imported says nothing of what the sender sends.
        let sent = Dialect.ofEndpoints.map { "'\($0.rawValue)'" }.joined(separator: ", ")
        let statement = try connection.prepare(
            """
            SELECT e.name, (SELECT v.dialect FROM delivery AS v WHERE v.endpoint = e.id AND v.dialect IN (\(sent))
                AND v.status BETWEEN 200 AND 299 AND v.id NOT IN (SELECT delivery FROM import_run) ORDER BY v.id DESC LIMIT 1),
              e.id FROM endpoint AS e ORDER BY e.name
            """)
        var found: [(endpoint: Endpoint, id: Int64)] = []
        while try statement.step() {
            let name = statement.text(0) ?? ""
            found.append((Endpoint(name: name, person: "", dialect: statement.text(1)), statement.integer(2)))
        }
        // One pass over all samples, since no index leads from an endpoint to them. DISTINCT, unlike GROUP BY, sorts
        // nothing: it remembers the few pairs that there are.
        let persons = try connection.prepare(
            """
            SELECT DISTINCT k.endpoint, p.name FROM sample AS k JOIN series AS r ON r.id = k.series
              JOIN device AS d ON d.id = r.device JOIN person AS p ON p.id = d.person
            """)
        var personOf: [Int64: String] = [:]
        while try persons.step() {
            guard let name = persons.text(1) else { continue }
            personOf[persons.integer(0)] = Self.owner(name)
        }
        return found.map { entry in
            var endpoint = entry.endpoint
            endpoint.person = personOf[entry.id] ?? (endpoint.name == "phone" ? "me" : endpoint.name)
            return endpoint
        }
    }
}
