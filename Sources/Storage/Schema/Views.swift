import Samples

/// The public schema: views that any SQLite tool can read, documented in `docs/sql.md`.
///
/// Only functions that SQLite 3.40 has and that `trusted_schema=OFF` allows: of JSON that is `json_each` alone.
enum Views {
    static let version1 = [
        samples(dialects: [.native, .hae, .csv, .influx]), deletions, deliveries, seriesSets, workouts, sleepStages,
    ]

    // MARK: Expressions

    /// `YYYY-MM-DDTHH:MM:SS[.ffffff]Z` of microseconds, NULL for NULL. `/` and `%` round towards zero, so the fraction is
    /// made positive first: it counts up from the second below, before 1970 too. (3.40 has no `subsec`.)
    /// - Parameter isShortest: without zeros at the fraction's end, as `ReadTime.isPlain` has it: what `body` gives back.
    static func timeText(_ column: String, isShortest: Bool = false) -> String {
        let fraction = "((\(column) % 1000000 + 1000000) % 1000000)"
        let digits = "printf('.%06d', \(fraction))"
        return """
            strftime('%Y-%m-%dT%H:%M:%S', (\(column) - \(fraction)) / 1000000, 'unixepoch') \
            || CASE \(fraction) WHEN 0 THEN '' ELSE \(isShortest ? "rtrim(\(digits), '0')" : digits) END || 'Z'
            """
    }

    /// A key as text: uuids in upper case with hyphens, as HealthKit shows them.
    static func keyText(_ column: String) -> String {
        let pieces = [(1, 8), (9, 4), (13, 4), (17, 4), (21, 12)]
            .map { "substr(hex(\(column)), \($0.0), \($0.1))" }
            .joined(separator: " || '-' || ")
        return "CASE typeof(\(column)) WHEN 'blob' THEN \(pieces) ELSE \(column) END"
    }

    private static func text(_ id: String) -> String { "(SELECT text FROM text WHERE id = \(id))" }

    private static func cases(_ column: String, _ names: [(Int64, String)]) -> String {
        "CASE \(column) " + names.map { "WHEN \($0.0) THEN '\($0.1)' " }.joined() + "END"
    }

    private static let kindName = cases("k.kind", SampleKind.allCases.map { (Int64($0.rawValue), $0.name) })

    /// A finite REAL as a JSON number that reads back as the same double; NULL, not printf's 0.0, for NULL.
    private static let number = """
        CASE WHEN k.value IS NULL THEN NULL WHEN abs(k.value) < 1e15 AND k.value = CAST(k.value AS INTEGER) THEN CAST(k.value AS INTEGER) \
        WHEN k.spelled & \(StoredSpelling.longValue) THEN printf('%!.19g', k.value) ELSE printf('%!.15g', k.value) END
        """

    /// `,"name":…`, or nothing when the column is NULL or the sender's own spelling is in `rest`.
    private static func member(_ name: String, _ json: String, unless spelled: SpelledMembers = []) -> String {
        let value = "ifnull(',\"\(name)\":' || \(json), '')"
        return spelled.isEmpty ? value : "CASE WHEN k.spelled & \(spelled.rawValue) THEN '' ELSE \(value) END"
    }

    /// An interned text as a JSON string.
    private static func json(_ id: String) -> String { "(SELECT json FROM text WHERE id = \(id))" }

    private static let keyJSON = """
        CASE WHEN k.spelled & \(StoredSpelling.escapedKey) THEN (SELECT json FROM text WHERE text = k.uuid) \
        ELSE '"' || \(keyText("k.uuid")) || '"' END
        """

    private static func kind(_ kind: SampleKind) -> String { "k.kind = \(kind.rawValue)" }

    private static let body: String = {
        let app = json("o.app"), device = json("o.device"), name = json("k.value_name")
        let isNumbered = "k.kind IN (\(SampleKind.quantity.rawValue), \(SampleKind.characteristic.rawValue))"
        let isNamed = "k.kind IN (\(SampleKind.category.rawValue), \(SampleKind.characteristic.rawValue))"
        // One or both members, the comma in front of the first taken away.
        let source = "'{' || substr(\(member("app", app)) || \(member("device", device)), 2) || '}'"
        let pieces = [
            "'{\"uuid\":' || \(keyJSON) || ',\"type\":' || t.json",
            "CASE WHEN \(kind(.workout)) THEN " + member("activity", name, unless: .valueName) + " ELSE '' END",
            "CASE WHEN \(isNamed) AND k.value_name IS NOT NULL THEN " + member("value", name, unless: .value)
                + " WHEN \(isNumbered) THEN " + member("value", number, unless: .value) + " ELSE '' END",
            "CASE WHEN \(kind(.workout)) THEN " + member("duration_s", number, unless: .value)
                + " ELSE " + member("unit", json("r.unit"), unless: .unit) + " END",
            member("start", "'\"' || \(timeText("s.start", isShortest: true)) || '\"'", unless: .start),
            member("end", "'\"' || \(timeText("k.\"end\"", isShortest: true)) || '\"'", unless: .end),
            "CASE WHEN k.spelled & \(SpelledMembers.partGiven.rawValue) THEN ',\"part\":' || k.part ELSE '' END",
            "CASE WHEN k.source IS NULL THEN '' ELSE " + member("source", source, unless: .source) + " END",
            "ifnull(',' || k.rest, '') || '}'",
        ]
        return pieces.joined(separator: "\n    || ")
    }()

    // MARK: Views

    /// `s` is `k` again, without the mark for "no start": so `start_us` is NULL there, and still a bare column, which
    /// lets a filter on it become a range of the clustered key. (The `+` keeps the join's own condition from being taken
    /// for the range's lower bound in the filter's place.)
    static func samples(dialects: [Dialect]) -> String {
        """
        CREATE VIEW samples AS SELECT
          d.name AS device,
          \(keyText("k.uuid")) AS uuid,
          k.part AS part,
          t.text AS type,
          \(kindName) AS kind,
          \(cases("k.dialect", dialects.map { ($0.code, $0.rawValue) })) AS dialect,
          k.value AS value,
          \(text("k.value_name")) AS value_name,
          \(text("r.unit")) AS unit,
          \(timeText("s.start")) AS start,
          \(timeText("k.\"end\"")) AS "end",
          s.start AS start_us,
          k."end" AS end_us,
          s.start / 1000000.0 AS start_epoch,
          k."end" / 1000000.0 AS end_epoch,
          k.utc_offset AS utc_offset,
          \(text("o.app")) AS source_app,
          \(text("o.device")) AS source_device,
          (SELECT name FROM person WHERE id = d.person) AS person,
          (SELECT name FROM endpoint WHERE id = k.endpoint) AS endpoint,
          \(timeText("v.received_at")) AS received_at,
          \(body) AS body
        FROM series AS r JOIN text AS t ON t.id = r.type JOIN device AS d ON d.id = r.device
          JOIN sample AS k ON k.series = r.id
          LEFT JOIN sample AS s ON s.series = k.series AND s.start = k.start AND s.uuid = k.uuid AND s.part = k.part
            AND +s.start <> -9223372036854775808
          LEFT JOIN source AS o ON o.id = k.source
          LEFT JOIN delivery AS v ON v.id = k.delivery
        """
    }

    private static let deletions = """
        CREATE VIEW deletions AS SELECT
          d.name AS device,
          \(keyText("k.uuid")) AS uuid,
          \(text("k.type")) AS type,
          k.parts AS parts,
          (SELECT name FROM person WHERE id = d.person) AS person,
          (SELECT name FROM endpoint WHERE id = k.endpoint) AS endpoint,
          \(timeText("v.received_at")) AS received_at,
          v.received_at AS received_us
        FROM deletion AS k JOIN device AS d ON d.id = k.device LEFT JOIN delivery AS v ON v.id = k.delivery
        """

    private static let deliveries = """
        CREATE VIEW deliveries AS SELECT
          v.id AS id,
          \(timeText("v.received_at")) AS received_at,
          v.received_at AS received_us,
          e.name AS endpoint,
          v.name AS delivery,
          v.kind AS kind, v.dialect AS dialect, v.stored AS stored, v.changed AS changed, v.repeated AS repeated,
          v.deleted AS deleted, v.skipped AS skipped, v.bytes AS bytes, v.status AS status, v.code AS code
        FROM delivery AS v JOIN endpoint AS e ON e.id = v.endpoint
        """

    private static let workouts = """
        CREATE VIEW workouts AS SELECT
          device, person, uuid, value_name AS activity, value AS duration_s,
          (SELECT atom FROM json_each(body) WHERE key = 'energy_kcal') AS energy_kcal,
          (SELECT atom FROM json_each(body) WHERE key = 'distance_m') AS distance_m,
          start, "end", start_us, end_us, start_epoch, end_epoch, utc_offset, source_app, source_device, endpoint,
          received_at, body
        FROM samples WHERE type = 'workout'
        """

    private static let sleepStages = """
        CREATE VIEW sleep_stages AS SELECT
          device, person, uuid, value_name AS stage, value AS stage_number, (end_us - start_us) / 60000000.0 AS minutes,
          start, "end", start_us, end_us, start_epoch, end_epoch, utc_offset, source_app, source_device, endpoint,
          received_at
        FROM samples WHERE type = 'sleep_analysis'
        """

    // MARK: Series sets

    private static let members = "json_each('{' || ifnull(k.rest, '') || '}')"

    /// A scalar member of `rest`.
    private static func scalar(_ name: String) -> String { "(SELECT atom FROM \(members) WHERE key = '\(name)')" }

    /// The part's points: the array that has a known name, else the longest one.
    private static let points = """
        (SELECT e.value FROM \(members) AS e WHERE e.type = 'array' \
        ORDER BY e.key IN ('beats', 'points', 'locations', 'route') DESC, length(e.value) DESC LIMIT 1)
        """

    private static let isComplete = """
        ifnull(present = parts AND lowest_parts = parts AND last_part = parts - 1 AND first_part = 0 \
        AND points_present = count AND lowest_count = count, 0)
        """

    private static let seriesSets = seriesSets(
        from: """
            sample_key AS i
                  JOIN sample AS k ON k.series = i.series AND k.start = i.start AND k.uuid = i.uuid AND k.part = i.part
                  WHERE i.device = device_id AND i.uuid = key ORDER BY i.part
            """)

    /// Of schema 3: the parts of a key lie between the first and the last start of its set.
    static let seriesSetsByTime = seriesSets(
        and: "min(start) AS first_start, max(start) AS last_start, ",
        from: """
            series AS i CROSS JOIN sample AS k ON k.series = i.id AND k.start BETWEEN first_start AND last_start AND k.uuid = key
              WHERE i.device = device_id AND i.type IN (SELECT id FROM text WHERE text IN ('workout_route', 'heartbeat_series'))
              ORDER BY k.part
            """)

    private static func seriesSets(and columns: String = "", from parts: String) -> String {
        """
        CREATE VIEW series_sets AS SELECT
          (SELECT name FROM device WHERE id = device_id) AS device,
          (SELECT name FROM person WHERE id = (SELECT person FROM device WHERE id = device_id)) AS person,
          \(keyText("key")) AS uuid,
          type,
          \(timeText("start_us")) AS start, \(timeText("end_us")) AS "end", start_us, end_us,
          parts, present, points_present, count,
          \(isComplete) AS complete,
          CASE WHEN \(isComplete) THEN (
            SELECT '[' || ifnull(group_concat(nullif(substr(piece, 2, length(piece) - 2), ''), ','), '') || ']'
            FROM (SELECT \(points) AS piece FROM \(parts))) END AS points
        FROM (
          SELECT \(columns)device_id, key, type, min(nullif(start, -9223372036854775808)) AS start_us, max("end") AS end_us,
            max(parts) AS parts, min(parts) AS lowest_parts, min(part) AS first_part, max(part) AS last_part,
            count(*) AS present, ifnull(sum(points), 0) AS points_present,
            ifnull(max(count), ifnull(sum(points), 0)) AS count,
            ifnull(min(count), ifnull(sum(points), 0)) AS lowest_count
          FROM (
            SELECT r.device AS device_id, k.uuid AS key, t.text AS type, k.start AS start, k."end" AS "end",
              k.part AS part, ifnull(\(scalar("parts")), 1) AS parts, \(scalar("count")) AS count,
              (SELECT count(*) FROM json_each(\(points))) AS points
            FROM text AS t JOIN series AS r ON r.type = t.id JOIN sample AS k ON k.series = r.id
            WHERE t.text IN ('workout_route', 'heartbeat_series'))
          GROUP BY device_id, key)
        """
    }
}
