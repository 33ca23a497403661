/// Schema 3: where a uuid is, in sorted runs instead of a b-tree.
///
/// `sample_key` is left with the keys that are texts. The uuids that an older program put there stay until `KeyIndex` has
/// moved them, a slice at a time; until then they are looked up there too.
extension Tables {
    static let version3 = [
        // seed: of the hash. revision: goes up with every change of what is to be looked at. next_run: ids are never used twice.
        // clean_run, clean_log: rows below may name samples that are gone, and are to be compared. entries: of the log and of
        // ready runs. stale: entries whose rows went since they were last compared, stale_since: when the first of them did.
        """
        CREATE TABLE key_state (
          id INTEGER PRIMARY KEY CHECK (id = 1), seed INTEGER NOT NULL, revision INTEGER NOT NULL,
          next_run INTEGER NOT NULL, clean_run INTEGER NOT NULL, clean_log INTEGER NOT NULL, entries INTEGER NOT NULL,
          stale INTEGER NOT NULL, stale_since INTEGER NOT NULL) STRICT
        """,
        "INSERT INTO key_state VALUES (1, random(), 0, 1, 0, 0, 0, 0, 0)",
        // A row while the index is made anew: why, and up to which sample it has all; series is NULL while the old one goes.
        """
        CREATE TABLE key_rebuild (
          id INTEGER PRIMARY KEY CHECK (id = 1), reason TEXT NOT NULL, series INTEGER, start INTEGER, uuid ANY,
          part INTEGER) STRICT
        """,
        // One row a transaction, its id the revision that it made; entries as `KeyPage` has them, unsorted, and a check number.
        "CREATE TABLE key_log (id INTEGER PRIMARY KEY, entries BLOB NOT NULL) STRICT",
        // state: 0 while it is written, 1 ready, 2 to be removed.
        """
        CREATE TABLE key_run (
          id INTEGER PRIMARY KEY, level INTEGER NOT NULL, entries INTEGER NOT NULL, blocks INTEGER NOT NULL,
          state INTEGER NOT NULL) STRICT
        """,
        // id: the run, then 40 bits: of the page's first hash, 0 for the first page. Behind the entries those bits of the next
        // page, and a check number.
        "CREATE TABLE key_page (id INTEGER PRIMARY KEY, entries BLOB NOT NULL) STRICT",
        // id: the run, then 40 bits: the piece's number. A check number at the end.
        "CREATE TABLE key_filter (id INTEGER PRIMARY KEY, blocks BLOB NOT NULL) STRICT",
        // Stored samples that a command is linked to, so that the view `commands` finds them with plain SQL.
        """
        CREATE TABLE linked_sample (
          device INTEGER NOT NULL, uuid ANY NOT NULL, part INTEGER NOT NULL,
          PRIMARY KEY (device, uuid, part)) STRICT, WITHOUT ROWID
        """,
        """
        INSERT INTO linked_sample SELECT DISTINCT k.device, k.uuid, k.part
          FROM command AS c JOIN sample_key AS k ON k.device = c.link_device AND k.uuid = c.link_uuid
        """,
    ]
}

extension Views {
    static let version3 = ["DROP VIEW series_sets", seriesSetsByTime, "DROP VIEW commands", linkedCommands]
}
