/// The tables of schema 1. Never edited once released: a change is a new migration.
///
/// Dictionaries give repeated texts a small number; their rows are never deleted, so that a number which any process
/// remembers stays true. No table refers to `sample`, and `sample` has no REFERENCES: each would cost a lookup a row.
enum Tables {
    static let version1 = [
        // json: the text as a JSON string. SQLite 3.40 refuses its own json_quote() in a view when `trusted_schema` is off.
        "CREATE TABLE text (id INTEGER PRIMARY KEY, text TEXT NOT NULL UNIQUE, json TEXT NOT NULL) STRICT",
        "CREATE TABLE person (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE) STRICT",
        "CREATE TABLE endpoint (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE) STRICT",
        """
        CREATE TABLE device (
          id INTEGER PRIMARY KEY, person INTEGER NOT NULL REFERENCES person, name TEXT NOT NULL,
          UNIQUE (person, name)) STRICT
        """,
        """
        CREATE TABLE series (
          id INTEGER PRIMARY KEY, device INTEGER NOT NULL REFERENCES device, type INTEGER NOT NULL REFERENCES text,
          unit INTEGER REFERENCES text) STRICT
        """,
        // By type first: that is what a chart asks for. 0 stands for no unit, since NULLs are never equal in an index.
        "CREATE UNIQUE INDEX series_identity ON series (type, device, ifnull(unit, 0))",
        """
        CREATE TABLE source (
          id INTEGER PRIMARY KEY, app INTEGER REFERENCES text, device INTEGER REFERENCES text) STRICT
        """,
        "CREATE UNIQUE INDEX source_identity ON source (ifnull(app, 0), ifnull(device, 0))",
        """
        CREATE TABLE sample (
          series INTEGER NOT NULL,
          start INTEGER NOT NULL, -- microseconds since 1970 UTC; -2^63 for none
          uuid ANY NOT NULL, -- 16 bytes, or TEXT for a key that is not a uuid
          part INTEGER NOT NULL,
          "end" INTEGER, value REAL,
          value_name INTEGER, -- text
          source INTEGER, kind INTEGER NOT NULL, dialect INTEGER NOT NULL, spelled INTEGER NOT NULL,
          utc_offset INTEGER, endpoint INTEGER NOT NULL, delivery INTEGER NOT NULL, rest TEXT,
          PRIMARY KEY (series, start, uuid, part)) STRICT, WITHOUT ROWID
        """,
        """
        CREATE TABLE sample_key (
          device INTEGER NOT NULL, uuid ANY NOT NULL, part INTEGER NOT NULL,
          series INTEGER NOT NULL, start INTEGER NOT NULL,
          PRIMARY KEY (device, uuid, part)) STRICT, WITHOUT ROWID
        """,
        """
        CREATE TABLE summary_day (
          device INTEGER NOT NULL, day INTEGER NOT NULL, uuid ANY NOT NULL, part INTEGER NOT NULL,
          PRIMARY KEY (device, day)) STRICT, WITHOUT ROWID
        """,
        "CREATE INDEX summary_day_key ON summary_day (device, uuid, part)",
        """
        CREATE TABLE deletion (
          device INTEGER NOT NULL, uuid ANY NOT NULL, type INTEGER, parts INTEGER NOT NULL,
          endpoint INTEGER NOT NULL, delivery INTEGER NOT NULL,
          PRIMARY KEY (device, uuid)) STRICT, WITHOUT ROWID
        """,
        // refs: rows of sample and deletion that name the delivery; at 0 it may be pruned.
        """
        CREATE TABLE delivery (
          id INTEGER PRIMARY KEY, received_at INTEGER NOT NULL, endpoint INTEGER NOT NULL REFERENCES endpoint,
          name TEXT, kind TEXT NOT NULL, dialect TEXT, stored INTEGER NOT NULL, changed INTEGER NOT NULL,
          repeated INTEGER NOT NULL, deleted INTEGER NOT NULL, skipped INTEGER NOT NULL, bytes INTEGER NOT NULL,
          status INTEGER NOT NULL, code TEXT, refs INTEGER NOT NULL) STRICT
        """,
        "CREATE INDEX delivery_prunable ON delivery (received_at) WHERE refs = 0",
        // samples: rows whose endpoint is this one now. Kept up in each transaction, since counting reads every row.
        """
        CREATE TABLE endpoint_count (
          endpoint INTEGER PRIMARY KEY REFERENCES endpoint, samples INTEGER NOT NULL, last_stored INTEGER) STRICT
        """,
    ]
}
