/// What PulsHealth's batches need beside samples. Every row belongs to a device, which is one user's.
///
/// uuids are 16 bytes, times microseconds since 1970 UTC; `endpoint` is who wrote the row last, for `remove --purge`.
extension Tables {
    static let puls: [String] = [
        // Batches that were applied: the same id again changes nothing. label and reason are numbers of texts.
        """
        CREATE TABLE puls_batch (
          device INTEGER NOT NULL, batch BLOB NOT NULL, label INTEGER, reason INTEGER, exported_at INTEGER,
          received_at INTEGER NOT NULL, wake BLOB, wake_trigger TEXT, endpoint INTEGER NOT NULL,
          PRIMARY KEY (device, batch)) STRICT, WITHOUT ROWID
        """,
        // Holds all that `/v1/stats` asks for.
        "CREATE INDEX puls_batch_label ON puls_batch (device, label, received_at)",
        // A workout's own row may come later, or never: nothing refers to it. context: number of a text, a JSON object.
        """
        CREATE TABLE route_point (
          device INTEGER NOT NULL, workout BLOB NOT NULL, time INTEGER NOT NULL, latitude REAL NOT NULL,
          longitude REAL NOT NULL, altitude REAL, horizontal_accuracy REAL, vertical_accuracy REAL, speed REAL,
          course REAL, context INTEGER, endpoint INTEGER NOT NULL,
          PRIMARY KEY (device, workout, time)) STRICT, WITHOUT ROWID
        """,
        // type, unit, context: numbers of texts.
        """
        CREATE TABLE curve_point (
          device INTEGER NOT NULL, workout BLOB NOT NULL, type INTEGER NOT NULL, time INTEGER NOT NULL,
          value REAL NOT NULL, unit INTEGER, context INTEGER, endpoint INTEGER NOT NULL,
          PRIMARY KEY (device, workout, type, time)) STRICT, WITHOUT ROWID
        """,
        // All names and contexts are numbers of texts. A value of NULL: the phone says that there is none.
        """
        CREATE TABLE aggregate (
          device INTEGER NOT NULL, type INTEGER NOT NULL, function INTEGER NOT NULL, interval_unit INTEGER NOT NULL,
          interval_value INTEGER NOT NULL, device_filter INTEGER NOT NULL, start INTEGER NOT NULL,
          "end" INTEGER NOT NULL, value REAL, unit INTEGER, contexts INTEGER, received_at INTEGER NOT NULL,
          endpoint INTEGER NOT NULL,
          PRIMARY KEY (device, type, function, interval_unit, interval_value, device_filter, start))
          STRICT, WITHOUT ROWID
        """,
    ]
}

extension Views {
    static let pulsViews: [String] = [routePoints, workoutPoints, aggregates]

    private static func name(_ id: String) -> String { "(SELECT text FROM text WHERE id = \(id))" }

    /// What all three have in common: `k` is the row.
    private static let owner = """
        d.name AS device,
          (SELECT name FROM person WHERE id = d.person) AS person
        """
    private static let endpoint = "(SELECT name FROM endpoint WHERE id = k.endpoint) AS endpoint"
    private static let moment = """
        \(timeText("k.time")) AS time,
          k.time AS time_us,
          k.time / 1000000.0 AS time_epoch
        """

    private static let routePoints = """
        CREATE VIEW route_points AS SELECT
          \(owner),
          \(keyText("k.workout")) AS workout_uuid,
          \(moment),
          k.latitude AS latitude,
          k.longitude AS longitude,
          k.altitude AS altitude_m,
          k.horizontal_accuracy AS horizontal_accuracy_m,
          k.vertical_accuracy AS vertical_accuracy_m,
          k.speed AS speed_m_s,
          k.course AS course_degrees,
          \(name("k.context")) AS context,
          \(endpoint),
          k.workout AS workout
        FROM device AS d JOIN route_point AS k ON k.device = d.id
        """

    private static let workoutPoints = """
        CREATE VIEW workout_points AS SELECT
          \(owner),
          \(keyText("k.workout")) AS workout_uuid,
          \(name("k.type")) AS type,
          \(moment),
          k.value AS value,
          \(name("k.unit")) AS unit,
          \(name("k.context")) AS context,
          \(endpoint),
          k.workout AS workout
        FROM device AS d JOIN curve_point AS k ON k.device = d.id
        """

    private static let aggregates = """
        CREATE VIEW aggregates AS SELECT
          \(owner),
          t.text AS type,
          \(name("k.function")) AS function,
          k.interval_value AS interval_value,
          \(name("k.interval_unit")) AS interval_unit,
          \(name("k.device_filter")) AS device_filter,
          \(timeText("k.start")) AS start,
          \(timeText("k.\"end\"")) AS "end",
          k.start AS start_us,
          k."end" AS end_us,
          k.start / 1000000.0 AS start_epoch,
          k."end" / 1000000.0 AS end_epoch,
          k.value AS value,
          \(name("k.unit")) AS unit,
          \(name("k.contexts")) AS contexts,
          \(endpoint),
          \(timeText("k.received_at")) AS received_at
        FROM device AS d CROSS JOIN text AS t JOIN aggregate AS k ON k.device = d.id AND k.type = t.id
        """
}
