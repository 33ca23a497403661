import Glibc
import Storage

/// `DIR/insights.db`: what was worked out, and what of it is out of date. Anyone may delete it.
///
/// One schema: a file with another one, a damaged one, or one of another time of `health.db` is removed and made anew.
/// Two processes may have it open; who writes holds the lock for the few milliseconds that writing takes, and first looks
/// whether what was worked out is still about the newest state.
package final class RollupFile {
    static let name = "insights.db"
    /// "SyIn"
    private static let applicationID: Int64 = 0x5379_496E
    /// Changes with the tables, and with the rules: figures of other rules are of no use.
    private static let version: Int64 = 4

    private static let tables = [
        // The point of health.db up to which all is right that no row of `stale` names.
        "CREATE TABLE state (id INTEGER PRIMARY KEY CHECK (id = 1), epoch INTEGER NOT NULL, number INTEGER NOT NULL) STRICT",
        // Of series of health.db. known_before: weeks before this one are in `week`. rows to sources: of those. flags: also of
        // weeks that are no longer so.
        """
        CREATE TABLE series (
          id INTEGER PRIMARY KEY, known_before INTEGER NOT NULL, rows INTEGER NOT NULL, quantities INTEGER NOT NULL,
          kinds INTEGER NOT NULL, flags INTEGER NOT NULL, sources BLOB NOT NULL) STRICT
        """,
        """
        CREATE TABLE week (
          series INTEGER NOT NULL, week INTEGER NOT NULL, rows INTEGER NOT NULL, quantities INTEGER NOT NULL,
          kinds INTEGER NOT NULL, flags INTEGER NOT NULL, latest_end INTEGER NOT NULL, sources BLOB NOT NULL,
          PRIMARY KEY (series, week)) STRICT, WITHOUT ROWID
        """,
        // Starts and latest end of what was touched. has_facts: the weeks are right again, days are not.
        """
        CREATE TABLE stale (
          id INTEGER PRIMARY KEY, series INTEGER NOT NULL, low INTEGER NOT NULL, high INTEGER NOT NULL,
          reach INTEGER NOT NULL, has_facts INTEGER NOT NULL) STRICT
        """,
        "CREATE INDEX stale_series ON stale (series)",
        // key: a hash of all that figures depend on beside rows and the order of sources, which is in `sources`.
        """
        CREATE TABLE figure_set (
          id INTEGER PRIMARY KEY, person TEXT NOT NULL, type TEXT NOT NULL, key INTEGER NOT NULL, sources BLOB NOT NULL,
          UNIQUE (person, type)) STRICT
        """,
        // Months (12 times the year and the month from 0) whose days are worked out.
        "CREATE TABLE month (figures INTEGER NOT NULL, month INTEGER NOT NULL, PRIMARY KEY (figures, month)) STRICT, WITHOUT ROWID",
        """
        CREATE TABLE day (
          figures INTEGER NOT NULL, day INTEGER NOT NULL, content BLOB NOT NULL,
          PRIMARY KEY (figures, day)) STRICT, WITHOUT ROWID
        """,
    ]

    let connection: Connection

    /// - Throws: when it can be neither opened nor made anew, as on a read-only disk.
    init(directory: String) throws(StoreError) {
        let lock = try FolderLock(directory)
        defer { withExtendedLifetime(lock) {} }
        let path = "\(directory)/\(Self.name)"
        do throws(StoreError) {
            connection = try Self.open(path)
        } catch {
            switch error.reason {
            case .damaged, .foreign:
                try Self.remove(path)
                connection = try Self.open(path)
            default: throw error
            }
        }
        // The last one to close a file that was deleted would take the next one's log along, by its name.
        connection.leaveLogOnClose()
    }

    private static func open(_ path: String) throws(StoreError) -> Connection {
        // SQLite gives the log and its index the mode of the file.
        let descriptor = unsafe Glibc.open(path, O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC | O_EXCL, 0o600)
        if descriptor >= 0 {
            giveToOwnerOfFolder(descriptor, path: path)
            _ = close(descriptor)
            // Of a file that someone deleted: nothing of it may be read into the new one.
            for suffix in companions { unsafe _ = unlink(path + suffix) }
        }
        // Who holds it longer than a step takes is no reason to let a question wait: rows answer it as well.
        let connection = try Connection(path: path, access: .readWrite, busyMilliseconds: 250)
        guard try connection.text("PRAGMA journal_mode=WAL") == "wal" else { throw StoreError(.failed) }
        try connection.execute("PRAGMA synchronous=NORMAL")
        try connection.execute("BEGIN IMMEDIATE")
        do throws(StoreError) {
            let version = try connection.integer("PRAGMA user_version"),
                id = try connection.integer("PRAGMA application_id")
            if version == 0, id == 0, try connection.integer("SELECT count(*) FROM sqlite_schema") == 0 {
                for table in tables { try connection.execute(table) }
                try connection.execute("INSERT INTO state VALUES (1, 0, 0)")
                try connection.execute("PRAGMA application_id=\(applicationID)")
                try connection.execute("PRAGMA user_version=\(Self.version)")
            } else if version != Self.version || id != applicationID {
                throw StoreError(.foreign)
            }
            try connection.execute("COMMIT")
        } catch {
            connection.rollback()
            throw error
        }
        return connection
    }

    /// Removes it. Whoever has it open makes a new one at the next question.
    package static func discard(directory: String) {
        guard let lock = try? FolderLock(directory) else { return }
        try? remove("\(directory)/\(name)")
        withExtendedLifetime(lock) {}
    }

    private static let companions = ["-wal", "-shm", "-journal"]

    private static func remove(_ path: String) throws(StoreError) {
        for suffix in companions + [""] {
            if unsafe unlink(path + suffix) != 0 && errno != ENOENT {
                throw StoreError(.readOnly, detail: "insights.db can't be removed")
            }
        }
    }

    /// Whether the path still names the file that is open: whoever deleted it wants another one.
    static func identity(directory: String) -> UInt64? {
        var status = stat()
        guard unsafe lstat("\(directory)/\(name)", &status) == 0 else { return nil }
        return UInt64(status.st_ino)
    }
}

/// The exclusive `flock` of the data folder itself, while `insights.db` is opened, made or removed: never for long.
private final class FolderLock {
    private let descriptor: CInt

    init(_ directory: String) throws(StoreError) {
        descriptor = unsafe Glibc.open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        if descriptor < 0 { throw StoreError(.readOnly, detail: "the data folder can't be opened") }
        for _ in 0..<1_000 {
            if flock(descriptor, LOCK_EX | LOCK_NB) == 0 { return }
            if errno != EWOULDBLOCK && errno != EINTR { break }
            usleep(1_000)
        }
        throw StoreError(.locked, detail: "the data folder is locked")
    }

    deinit { _ = close(descriptor) }
}
