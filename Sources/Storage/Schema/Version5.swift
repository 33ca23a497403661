/// Schema 5: what changed, in the order of commits.
///
/// `delivery.id` ascends in that order, since one transaction writes at a time. Each change has a number of that row: of a
/// request its delivery's, of each later transaction of an import one of its own in `delivery_slice`.
extension Tables {
    static let version5 = [
        // Where rows were put, changed or taken away, as `TouchedSet` spells it; empty for nowhere. NULL where no row was to be
        // written, of what came before this schema, and of what is older than `change_state.known_after`.
        "ALTER TABLE delivery ADD COLUMN touched BLOB",
        """
        CREATE TABLE delivery_slice (
          id INTEGER PRIMARY KEY, delivery INTEGER NOT NULL, at INTEGER NOT NULL, touched BLOB NOT NULL) STRICT
        """,
        // What no row of `sample` tells of a change: that one went (kind 0), or that one has another part although its delivery
        // stayed (1: there was one of that key and part before, 2: there was none), and where it is.
        """
        CREATE TABLE change_note (
          change INTEGER NOT NULL, device INTEGER NOT NULL, type INTEGER NOT NULL, uuid ANY NOT NULL, part INTEGER NOT NULL,
          kind INTEGER NOT NULL, series INTEGER, start INTEGER,
          PRIMARY KEY (change, device, type, uuid, part)) STRICT, WITHOUT ROWID
        """,
        // epoch: random, another one once a change can't be told any more, as after a purge. known_after: changes with a higher
        // number are known.
        """
        CREATE TABLE change_state (
          id INTEGER PRIMARY KEY CHECK (id = 1), epoch INTEGER NOT NULL, known_after INTEGER NOT NULL) STRICT
        """,
        "INSERT INTO change_state SELECT 1, random(), ifnull(max(id), 0) FROM delivery",
    ]
}
