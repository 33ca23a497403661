package import Samples

/// What PulsHealth asks about one user's data; rows of other dialects are not looked at. Used by one thread.
package final class PulsQueries {
    package struct TypeCount: Equatable, Sendable {
        /// The name that the samples are stored under, UTF-8.
        package var type: [UInt8]
        /// Samples, of rings days.
        package var rows: Int
        package var earliest: Timestamp
        package var latest: Timestamp
    }

    package struct LabelCount: Equatable, Sendable {
        /// UTF-8.
        package var label: [UInt8]
        package var batches: Int
        package var lastReceived: Timestamp
    }

    private let connection: Connection
    /// nil when nothing was ever stored for the user.
    private let device: Int64?

    /// - Throws: as `StoreReader`.
    package init(directory: String, person: String, device name: [UInt8]) throws(StoreError) {
        connection = try StoreReader(directory: directory).connection
        let statement = try connection.prepare(
            "SELECT d.id FROM person AS p JOIN device AS d ON d.person = p.id WHERE p.name = ?1 AND d.name = ?2")
        statement.bind(1, text: person)
        statement.bind(2, text: name)
        device = try statement.step() ? statement.integer(0) : nil
        statement.reset()
    }

    // MARK: Samples of a type in a stretch of time

    /// One range of the clustered table a series.
    static let samplesInRange = """
        SELECT start, uuid FROM sample WHERE series = ?1 AND start >= ?2 AND start < ?3 AND dialect = ?4 ORDER BY start
        """
    static let countInRange = """
        SELECT count(*) FROM sample WHERE series = ?1 AND start >= ?2 AND start < ?3 AND dialect = ?4
          AND typeof(uuid) = 'blob'
        """

    /// - Parameter types: the names that the samples may be stored under.
    package func months(ofTypes types: [[UInt8]], from: Timestamp, to: Timestamp) throws(StoreError) -> [PulsMonth] {
        let statement = try connection.prepare(Self.samplesInRange)
        var fold = MonthFold()
        for series in try series(ofTypes: types) {
            bind(statement, series, from, to)
            while try statement.step() {
                guard let (high, low) = statement.uuid(1) else { continue }
                fold.add(UUIDBits(high: high, low: low), at: statement.integer(0))
            }
        }
        return fold.finish()
    }

    /// Hands out the uuids of a type in a stretch of time: first how many, then each.
    ///
    /// - Parameter prepare: returns false to have none handed out.
    package func forEachUUID(
        ofTypes types: [[UInt8]], from: Timestamp, to: Timestamp, prepare: (_ count: Int) -> Bool,
        _ take: (UUIDBits) -> Void
    ) throws(StoreError) {
        // One snapshot for both passes.
        try connection.execute("BEGIN")
        defer { connection.rollback() }
        let all = try series(ofTypes: types)
        let counting = try connection.prepare(Self.countInRange)
        var count = 0
        for series in all {
            bind(counting, series, from, to)
            if try counting.step() { count += Int(counting.integer(0)) }
            counting.reset()
        }
        guard prepare(count) else { return }
        let statement = try connection.prepare(Self.samplesInRange)
        for series in all {
            bind(statement, series, from, to)
            while try statement.step() {
                if let (high, low) = statement.uuid(1) { take(UUIDBits(high: high, low: low)) }
            }
        }
    }

    private func bind(_ statement: Statement, _ series: Int64, _ from: Timestamp, _ to: Timestamp) {
        statement.bind(1, series)
        statement.bind(2, from.microseconds)
        statement.bind(3, to.microseconds)
        statement.bind(4, Dialect.puls.code)
    }

    private func series(ofTypes types: [[UInt8]]) throws(StoreError) -> [Int64] {
        guard let device else { return [] }
        let statement = try connection.prepare(
            "SELECT r.id FROM text AS t JOIN series AS r ON r.type = t.id WHERE t.text = ?1 AND r.device = ?2")
        var found: [Int64] = []
        for type in types {
            statement.bind(1, text: type)
            statement.bind(2, device)
            while try statement.step() { found.append(statement.integer(0)) }
        }
        return found
    }

    // MARK: Counts

    /// Of each type of which there is a sample or a day of rings; reads all samples of the user.
    package func typeCounts() throws(StoreError) -> [TypeCount] {
        guard let device else { return [] }
        let list = try connection.prepare(
            "SELECT r.id, t.text FROM series AS r JOIN text AS t ON t.id = r.type WHERE r.device = ?1")
        list.bind(1, device)
        var series: [(id: Int64, type: [UInt8])] = []
        while try list.step() { series.append((list.integer(0), list.bytes(1))) }
        let count = try connection.prepare(
            """
            SELECT count(*), min(start), max(start) FROM sample WHERE series = ?1 AND dialect = ?2
              AND (typeof(uuid) = 'blob' OR substr(uuid, 1, 17) = 'activity_summary:')
            """)
        var found: [TypeCount] = []
        for (id, type) in series {
            count.bind(1, id)
            count.bind(2, Dialect.puls.code)
            defer { count.reset() }
            guard try count.step(), count.integer(0) > 0 else { continue }
            found.append(
                TypeCount(
                    type: type, rows: Int(count.integer(0)), earliest: Timestamp(microseconds: count.integer(1)),
                    latest: Timestamp(microseconds: count.integer(2))))
        }
        return found
    }

    /// Of each label that batches had.
    package func labelCounts() throws(StoreError) -> [LabelCount] {
        guard let device else { return [] }
        let statement = try connection.prepare(
            """
            SELECT (SELECT text FROM text WHERE id = b.label), count(*), max(b.received_at) FROM puls_batch AS b
            WHERE b.device = ?1 AND b.label IS NOT NULL GROUP BY b.label
            """)
        statement.bind(1, device)
        var found: [LabelCount] = []
        while try statement.step() {
            found.append(
                LabelCount(
                    label: statement.bytes(0), batches: Int(statement.integer(1)),
                    lastReceived: Timestamp(microseconds: statement.integer(2))))
        }
        return found
    }
}
