/// Commands for the phone and their results.
extension Tables {
    static let commands: [String] = [
        // One row a command id: its latest version. A new version is a new row at the queue's end.
        """
        CREATE TABLE command (
          id INTEGER PRIMARY KEY, -- the place in the queue
          endpoint INTEGER NOT NULL REFERENCES endpoint,
          name TEXT NOT NULL, -- command_id
          version INTEGER NOT NULL, op TEXT NOT NULL, type TEXT NOT NULL,
          value REAL, value_text TEXT, -- a number, and as it was typed
          value_name TEXT, unit TEXT,
          start INTEGER, "end" INTEGER, -- microseconds since 1970 UTC
          body TEXT NOT NULL, -- what the phone gets
          state TEXT NOT NULL, reason TEXT,
          result TEXT, -- the phone's whole result object, as it came
          sent INTEGER NOT NULL, queued_at INTEGER NOT NULL, first_sent_at INTEGER, last_sent_at INTEGER,
          result_at INTEGER,
          link_device INTEGER, link_uuid ANY, link_version INTEGER, -- the sample that this version, or an earlier one, wrote
          UNIQUE (endpoint, name)) STRICT
        """,
        "CREATE INDEX command_waiting ON command (endpoint, sent, id) WHERE state = 'waiting'",
        // Writes that may come back as a sample: what `EchoCandidates` loads.
        """
        CREATE INDEX command_unlinked ON command (endpoint, id) WHERE \(EchoCandidates.isUnlinked)
        """,
        // Outlives `remove --purge` and holds no health value. Endpoint 0: where endpoints without a row start.
        // revision: goes up whenever a command of the endpoint changes.
        """
        CREATE TABLE command_counter (
          endpoint INTEGER PRIMARY KEY, last INTEGER NOT NULL, revision INTEGER NOT NULL DEFAULT 0,
          late INTEGER NOT NULL DEFAULT 0, repeated INTEGER NOT NULL DEFAULT 0, unknown INTEGER NOT NULL DEFAULT 0) STRICT
        """,
        "INSERT INTO command_counter (endpoint, last) VALUES (0, 0)",
        // Versions that the phone may know although no row of `command` tells: the next one is higher.
        """
        CREATE TABLE command_spent (
          endpoint INTEGER NOT NULL, name TEXT NOT NULL, version INTEGER NOT NULL,
          PRIMARY KEY (endpoint, name)) STRICT, WITHOUT ROWID
        """,
    ]
}

extension Views {
    static let commandViews: [String] = [commands(linkedIn: isLinked(schema: 2))]
    /// Of schema 3.
    static let linkedCommands = commands(linkedIn: isLinked(schema: 3))

    /// Whether the sample that a command came back as is there: whoever deletes it need not know of commands.
    static func isLinked(schema: Int) -> String {
        let key = "EXISTS (SELECT 1 FROM sample_key WHERE device = c.link_device AND uuid = c.link_uuid)"
        if schema < 3 { return key }
        return "(\(key) OR EXISTS (SELECT 1 FROM linked_sample WHERE device = c.link_device AND uuid = c.link_uuid))"
    }

    private static func commands(linkedIn isLinked: String) -> String {
        func ofLinkedSample(_ expression: String) -> String { "CASE WHEN \(isLinked) THEN \(expression) END" }
        return """
            CREATE VIEW commands AS SELECT
              c.name AS id,
              e.name AS endpoint,
              c.version AS version, c.op AS op, c.type AS type, c.value AS value, c.value_name AS value_name, c.unit AS unit,
              \(timeText("c.start")) AS start,
              \(timeText("c.\"end\"")) AS "end",
              c.state AS state, c.reason AS reason, c.sent AS sent,
              \(timeText("c.queued_at")) AS queued_at,
              \(timeText("c.first_sent_at")) AS first_sent_at,
              \(timeText("c.last_sent_at")) AS last_sent_at,
              \(timeText("c.result_at")) AS result_at,
              \(ofLinkedSample("(SELECT name FROM device WHERE id = c.link_device)")) AS sample_device,
              \(ofLinkedSample(keyText("c.link_uuid"))) AS sample_uuid,
              c.start AS start_us, c."end" AS end_us,
              c.result AS result,
              c.body AS body
            FROM command AS c JOIN endpoint AS e ON e.id = c.endpoint ORDER BY c.id
            """
    }
}
