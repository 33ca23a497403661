/// What samples without uuids of their own need: where a delivery belongs, and what was left out.
extension Tables {
    static let merging = [
        // One for all requests of a sender's delivery, where it tells one.
        "ALTER TABLE delivery ADD COLUMN session TEXT",
        // Of the body, where there is a session: the same bytes again in one are the same request.
        "ALTER TABLE delivery ADD COLUMN body_hash INTEGER",
        // Records that a decoder left out. digest: of code and raw, which are kept once an endpoint. bytes: of raw.
        """
        CREATE TABLE skip (
          id INTEGER PRIMARY KEY, endpoint INTEGER NOT NULL REFERENCES endpoint, digest BLOB NOT NULL,
          code TEXT NOT NULL, path TEXT NOT NULL, raw TEXT NOT NULL, bytes INTEGER NOT NULL, count INTEGER NOT NULL,
          first_at INTEGER NOT NULL, last_at INTEGER NOT NULL, delivery INTEGER NOT NULL) STRICT
        """,
        "CREATE UNIQUE INDEX skip_identity ON skip (endpoint, digest)",
        // Holds all that pruning asks for.
        "CREATE INDEX skip_age ON skip (endpoint, last_at, bytes)",
        // How often stored content was kept because the sender's window may have cut what came.
        """
        CREATE TABLE endpoint_guard (
          endpoint INTEGER PRIMARY KEY REFERENCES endpoint, count INTEGER NOT NULL, first_at INTEGER NOT NULL,
          last_at INTEGER NOT NULL) STRICT
        """,
        // Samples that a request brought again: how often, of the newest session of each device. session, content and
        // delivery (the body's where that is known) are 64 bits of a hash of what they name.
        """
        CREATE TABLE slot_claim (
          device INTEGER NOT NULL, session INTEGER NOT NULL, uuid ANY NOT NULL, content INTEGER NOT NULL,
          delivery INTEGER NOT NULL, count INTEGER NOT NULL, endpoint INTEGER NOT NULL,
          PRIMARY KEY (device, session, uuid, content, delivery)) STRICT, WITHOUT ROWID
        """,
    ]
}

extension Views {
    static let mergingViews = [
        skipped,
        // A whole night in one record has no stage.
        "DROP VIEW sleep_stages",
        """
        CREATE VIEW sleep_stages AS SELECT
          device, person, uuid, value_name AS stage, value AS stage_number, (end_us - start_us) / 60000000.0 AS minutes,
          start, "end", start_us, end_us, start_epoch, end_epoch, utc_offset, source_app, source_device, endpoint,
          received_at
        FROM samples WHERE type = 'sleep_analysis' AND value_name IS NOT NULL
        """,
    ]

    private static let skipped = """
        CREATE VIEW skipped AS SELECT
          e.name AS endpoint,
          \(timeText("k.last_at")) AS received_at,
          k.last_at AS received_us,
          \(timeText("k.first_at")) AS first_received_at,
          k.count AS count, k.code AS code, k.path AS path, k.raw AS raw,
          v.name AS delivery
        FROM skip AS k JOIN endpoint AS e ON e.id = k.endpoint LEFT JOIN delivery AS v ON v.id = k.delivery
        """
}
