import CSQLite

/// The SQLite that runs; it may be newer than the one built with.
package enum SQLiteLibrary {
    /// Such as `3.40.1`.
    package static var version: String { unsafe String(cString: sqlite3_libversion()) }
}
