import Glibc

/// `server backup`: a copy of `health.db` as it is at one moment, while a server writes or not.
package enum Backup {
    package struct Summary: Equatable, Sendable {
        package var samples = 0
        package var deliveries = 0
        package var bytes = 0
        /// Whether rows were counted in the very state that was copied; not when the database could not be locked for that
        /// moment, and then the copy's own check alone says that it is whole.
        package var isCompared = false
    }

    /// Writes the copy to `file`, checks it, and gives it its name.
    ///
    /// The writers stand still for the moment in which the copy and a second reader both begin to see the same state;
    /// that reader then counts the rows which the copy must have.
    ///
    /// - Parameter goesOn: is asked again and again, with how far this is.
    package static func make(
        of directory: String, at file: String, note: BackupNote, while goesOn: @escaping (BackupProgress) -> Bool
    ) throws(BackupError) -> Summary {
        let folder: DataFolder
        do throws(StoreError) {
            folder = try DataFolder(existing: directory)
            if folder.databaseIdentity() == nil { throw StoreError(.missing) }
        } catch {
            throw .store(error)
        }
        let partial: PartialFile
        do throws(PartialFile.Failure) { partial = try PartialFile(file) } catch { throw .file(error) }
        if !goesOn(.copying(0, of: fileSize(folder.database))) { throw .interrupted }
        try createEmpty(partial.temporaryPath)
        let copier = try Copier(folder)
        var summary = Summary()
        let expected = try copier.copy(into: partial.temporaryPath, while: goesOn)
        if !goesOn(.checking) { throw .interrupted }
        let found = try finish(partial.temporaryPath, note, while: { goesOn(.checking) })
        if let expected, let table = expected.difference(from: found) { throw .copyDiffers("rows of \(table)") }
        summary.samples = found["sample"]
        summary.deliveries = found["delivery"]
        summary.isCompared = expected != nil
        summary.bytes = fileSize(partial.temporaryPath)
        do throws(PartialFile.Failure) { try partial.publish() } catch { throw .file(error) }
        return summary
    }

    /// SQLite keeps the mode of a file that is there, and would make one that others can read.
    static func createEmpty(_ path: String) throws(BackupError) {
        let descriptor = unsafe open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw .file(.system(errno)) }
        _ = close(descriptor)
    }

    /// Checks the copy, counts its rows and adds the note.
    private static func finish(
        _ path: String, _ note: BackupNote, while goesOn: @escaping () -> Bool
    ) throws(BackupError) -> TableCounts {
        do throws(StoreError) {
            let connection = try Connection(path: path, access: .readWrite, busyMilliseconds: 0)
            // Nobody else has the file, and nothing is lost when it is.
            try connection.execute("PRAGMA journal_mode=MEMORY")
            let counts = try checked(connection, while: goesOn)
            try note.insert(into: connection)
            return counts
        } catch {
            throw error.reason == .damaged ? .copyDiffers(error.detail) : BackupError(error)
        }
    }

    /// Runs SQLite's own check of every page, row and index, and counts the rows.
    ///
    /// - Throws: `.damaged` with the first thing that is wrong.
    static func checked(
        _ connection: Connection, while goesOn: @escaping () -> Bool
    ) throws(StoreError) -> TableCounts {
        try connection.watched(by: CopyWatcher(goesOn)) { () throws(StoreError) in
            let result = try connection.text("PRAGMA integrity_check(1)") ?? ""
            if result != "ok" { throw StoreError(.damaged, detail: result) }
            return try TableCounts(connection)
        }
    }
}

/// Copies one state of a database and counts the same one.
private final class Copier {
    private let folder: DataFolder
    private let source: Connection, counter: Connection

    init(_ folder: DataFolder) throws(BackupError) {
        self.folder = folder
        do throws(StoreError) {
            source = try Connection(path: folder.database, access: .readOnly, busyMilliseconds: 5_000)
            counter = try Connection(path: folder.database, access: .readOnly, busyMilliseconds: 5_000)
            try Migrations.check(source)
        } catch {
            throw BackupError(error)
        }
    }

    /// - Returns: the rows of what was copied; nil when nobody could be kept from writing between two looks at it.
    func copy(
        into path: String, while goesOn: @escaping (BackupProgress) -> Bool
    ) throws(BackupError) -> TableCounts? {
        let standstill = Standstill(folder)
        defer { counter.rollback() }
        do throws(StoreError) {
            let total = try source.sizeInBytes()
            if standstill != nil {
                try counter.execute("BEGIN")
                _ = try counter.integer("SELECT count(*) FROM sqlite_schema")
            }
            let watcher = CopyWatcher { [source] in
                if source.hasSnapshot { standstill?.end() }
                return goesOn(.copying(fileSize(path), of: total))
            }
            try source.watched(by: watcher) { () throws(StoreError) in try source.copy(into: path) }
            standstill?.end()
            guard standstill != nil else { return nil }
            return try counter.watched(by: CopyWatcher { goesOn(.checking) }) { () throws(StoreError) in
                try TableCounts(counter)
            }
        } catch {
            throw BackupError(error)
        }
    }
}

extension Connection {
    /// About what a copy will have.
    func sizeInBytes() throws(StoreError) -> Int {
        let pages = try integer("PRAGMA page_count") ?? 0, bytes = try integer("PRAGMA page_size") ?? 0
        return Int(clamping: pages.multipliedReportingOverflow(by: bytes).partialValue)
    }
}

/// 0 when there is none.
func fileSize(_ path: String) -> Int {
    var status = stat()
    return unsafe stat(path, &status) == 0 ? Int(status.st_size) : 0
}

/// Keeps everyone from writing, for as long as it takes two readers to begin.
private final class Standstill {
    private let turnstile: Turnstile
    private let connection: Connection
    private var isOver = false

    /// Nil when it can't be had: a read-only disk, or a transaction that doesn't end.
    init?(_ folder: DataFolder) {
        guard let turnstile = try? Turnstile(folder),
            let connection = try? Connection(path: folder.database, access: .readWrite, busyMilliseconds: 5_000),
            turnstile.enter(milliseconds: 5_000)
        else { return nil }
        self.turnstile = turnstile
        self.connection = connection
        if (try? connection.execute("BEGIN IMMEDIATE")) == nil {
            turnstile.leave()
            return nil
        }
    }

    func end() {
        if isOver { return }
        isOver = true
        connection.rollback()
        turnstile.leave()
    }

    deinit { end() }
}
