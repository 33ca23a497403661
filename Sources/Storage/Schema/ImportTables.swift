/// How far an import came, and where imported samples are.
extension Tables {
    static let imports = [
        // One file for one endpoint. digest: SHA-256 of its first and last 64 KiB. elements: of the file that are read, 0 when
        // all of them were. delivery: the row that the run's counts go to.
        """
        CREATE TABLE import_run (
          id INTEGER PRIMARY KEY, endpoint INTEGER NOT NULL REFERENCES endpoint, size INTEGER NOT NULL,
          digest BLOB NOT NULL, elements INTEGER NOT NULL, delivery INTEGER NOT NULL, started_at INTEGER NOT NULL,
          updated_at INTEGER NOT NULL, UNIQUE (endpoint, size, digest)) STRICT
        """,
        // Series that imports wrote to, and the starts that they have (-2^63 of those without one left out): only a live sample
        // in between can be one of theirs. Never made narrower.
        """
        CREATE TABLE import_series (
          series INTEGER PRIMARY KEY REFERENCES series, first INTEGER NOT NULL, last INTEGER NOT NULL) STRICT
        """,
    ]
}
