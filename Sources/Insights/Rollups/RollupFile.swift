import Glibc
import Storage

/// `DIR/insights.db`: what was worked out, and what of it is out of date. Anyone may delete it.
///
/// One schema: a file with another one, a damaged one, or one of another time of `health.db` is removed and made anew.
/// Two processes may have it open; who writes holds the lock for the few milliseconds that writing takes, and first looks
/// whether what was worked out is still about the newest state.
final class RollupFile {
    static let name = "insights.db"
    /// "SyIn"
    private static let applicationID: Int64 = 0x5379_496E
    /// Changes with the tables, and with the rules: figures of other rules are of no use.
    private static let version: Int64 = 1

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
    }

    private static func open(_ path: String) throws(StoreError) -> Connection {
        // SQLite gives the log and its index the mode of the file.
        let descriptor = unsafe Glibc.open(path, O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC | O_EXCL, 0o600)
        if descriptor >= 0 { _ = close(descriptor) }
        let connection = try Connection(path: path, access: .readWrite, busyMilliseconds: 5_000)
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

    static func discard(directory: String) { try? remove("\(directory)/\(name)") }

    private static func remove(_ path: String) throws(StoreError) {
        for suffix in ["", "-wal", "-shm", "-journal"] {
            if unsafe unlink(path + suffix) != 0 && errno != ENOENT { throw StoreError(.readOnly) }
        }
    }

    /// Whether the path still names the file that is open: whoever deleted it wants another one.
    static func identity(directory: String) -> UInt64? {
        var status = stat()
        guard unsafe lstat("\(directory)/\(name)", &status) == 0 else { return nil }
        return UInt64(status.st_ino)
    }
}
