import Glibc
import Samples

/// `remove NAME --purge`: takes everything that an endpoint stored out of the database, beside a server that runs.
package enum Purge {
    package struct Outcome: Equatable, Sendable {
        package var samples = 0
        package var deletions = 0
        package var deliveries = 0
        package var commands = 0
        /// Points of workouts, aggregates and batches of PulsHealth.
        package var points = 0
        package var aggregates = 0
        package var batches = 0
    }

    /// Rows of one transaction: a few milliseconds, so that the server's writer hardly waits.
    fileprivate static let sliceRows = 1_000
    /// Between two transactions, so that the writer thread gets its turn.
    fileprivate static let pauseMicroseconds: UInt32 = 2_000

    /// Deletes samples, points of workouts, aggregates, lines of `deletions`, skipped records, deliveries and commands of the endpoint; what it is to
    /// others stays, and so do the ids and versions of commands, which a phone may know.
    ///
    /// Blocks; reads every sample once. The dictionaries keep their texts, names of categories among them, since a
    /// running server remembers their numbers. Can be stopped and started anew at any time.
    ///
    /// - Throws: `.missing`; `.locked` when the server leaves no gap.
    package static func run(
        directory: String, endpoint: String, options: StoreOptions = StoreOptions()
    ) throws(StoreError) -> Outcome {
        var options = options
        options.isServer = false
        let folder = try DataFolder(existing: directory)
        let writer = try Writer(folder, options, create: false)
        let statement = try writer.connection.prepare("SELECT id FROM endpoint WHERE name = ?1")
        statement.bind(1, text: endpoint)
        guard try statement.step() else { return Outcome() }
        let id = statement.integer(0)
        statement.reset()
        let purger = try EndpointPurger(writer, endpoint: id)
        var outcome = Outcome()
        outcome.samples = try purger.removeSamples()
        for table in PulsPurge.tables {
            let removed = try purger.remove(from: table)
            switch table.name {
            case "aggregate": outcome.aggregates = removed
            case "puls_batch": outcome.batches = removed
            default: outcome.points += removed
            }
        }
        outcome.deletions = try purger.removeAll(purger.removeDeletions)
        _ = try purger.removeAll(purger.removeSkipped)
        try purger.removeNotes()
        outcome.deliveries = try purger.removeAll(purger.removeDeliveries)
        outcome.commands = try purger.removeCommands()
        try purger.clearChanges()
        try purger.cleanKeys(removed: outcome.samples)
        try writer.tendKeysAlone(in: folder, entries: options.keys.sliceEntries)
        // Deleted pages are zeroed; the log may still hold their old content until it is moved.
        _ = try? writer.connection.checkpoint(.truncate)
        return outcome
    }

}

/// The slices of one purge.
private final class EndpointPurger {
    private let writer: Writer
    private let endpoint: Int64
    private let find, removeSample, removeKey, removeLink, removeDay, count: Statement
    private let spendVersions, removeCommandRows, touchCommands: Statement
    private let changes: ChangeState
    let removeDeletions, removeDeliveries, removeSkipped: Statement
    private let notes: [Statement]
    /// Where in the clustered table the search goes on; it never goes back.
    private var series: Int64 = .min
    private var start: Int64 = .min

    init(_ writer: Writer, endpoint: Int64) throws(StoreError) {
        self.writer = writer
        self.endpoint = endpoint
        let connection = writer.connection
        changes = try ChangeState(connection)
        find = try connection.prepare(
            """
            SELECT k.series, k.start, k.uuid, k.part, r.device FROM sample AS k JOIN series AS r ON r.id = k.series
            WHERE (k.series, k.start) >= (?1, ?2) AND k.endpoint = ?3 ORDER BY k.series, k.start LIMIT ?4
            """)
        removeSample = try connection.prepare(
            "DELETE FROM sample WHERE series = ?1 AND start = ?2 AND uuid = ?3 AND part = ?4 AND endpoint = ?5")
        removeKey = try connection.prepare("DELETE FROM sample_key WHERE device = ?1 AND uuid = ?2 AND part = ?3")
        removeLink = try connection.prepare("DELETE FROM linked_sample WHERE device = ?1 AND uuid = ?2 AND part = ?3")
        removeDay = try connection.prepare("DELETE FROM summary_day WHERE device = ?1 AND uuid = ?2 AND part = ?3")
        count = try connection.prepare(
            """
            UPDATE endpoint_count SET samples = samples - ?2, last_stored = iif(samples > ?2, last_stored, NULL)
            WHERE endpoint = ?1
            """)
        removeDeletions = try connection.prepare(
            """
            DELETE FROM deletion WHERE (device, uuid) IN
              (SELECT device, uuid FROM deletion WHERE endpoint = ?1 LIMIT ?2)
            """)
        removeDeliveries = try connection.prepare(
            "DELETE FROM delivery WHERE id IN (SELECT id FROM delivery WHERE endpoint = ?1 LIMIT ?2)")
        spendVersions = try connection.prepare(
            """
            INSERT INTO command_spent (endpoint, name, version)
              SELECT endpoint, name, version FROM command WHERE endpoint = ?1
              ON CONFLICT (endpoint, name) DO UPDATE SET version = max(version, excluded.version)
            """)
        removeCommandRows = try connection.prepare("DELETE FROM command WHERE endpoint = ?1")
        touchCommands = try connection.prepare(
            "UPDATE command_counter SET revision = revision + 1 WHERE endpoint = ?1")
        removeSkipped = try connection.prepare(
            "DELETE FROM skip WHERE id IN (SELECT id FROM skip WHERE endpoint = ?1 LIMIT ?2)")
        notes = [
            try connection.prepare("DELETE FROM endpoint_guard WHERE endpoint = ?1"),
            try connection.prepare("DELETE FROM slot_claim WHERE endpoint = ?1"),
            try connection.prepare("DELETE FROM relay_day WHERE endpoint = ?1"),
            // An import that was interrupted must not go on behind what is gone now.
            try connection.prepare("DELETE FROM import_run WHERE endpoint = ?1"),
        ]
    }

    /// What merging and imports noted of the endpoint: some rows, and those of one session of each device.
    func removeNotes() throws(StoreError) {
        try writer.alone { () throws(StoreError) in
            for statement in notes {
                statement.bind(1, endpoint)
                try statement.run()
            }
        }
    }

    /// Runs one of the two statements, a slice a transaction, until it finds nothing.
    func removeAll(_ statement: Statement) throws(StoreError) -> Int {
        var total = 0
        while true {
            statement.bind(1, endpoint)
            statement.bind(2, Purge.sliceRows)
            let removed = try writer.alone { () throws(StoreError) -> Int in
                try changes.beginEpoch()
                try statement.run()
                return writer.connection.changes
            }
            if removed == 0 { return total }
            total += removed
            usleep(Purge.pauseMicroseconds)
        }
    }

    func remove(from table: (name: String, key: [String])) throws(StoreError) -> Int {
        let purge = try PulsPurge(writer, table: table, endpoint: endpoint, sliceRows: Purge.sliceRows)
        var total = 0
        while let removed = try purge.removeSlice() {
            total += removed
            usleep(Purge.pauseMicroseconds)
        }
        return total
    }

    func removeCommands() throws(StoreError) -> Int {
        try writer.alone { () throws(StoreError) -> Int in
            for statement in [spendVersions, removeCommandRows] {
                statement.bind(1, endpoint)
                try statement.run()
            }
            let removed = writer.connection.changes
            touchCommands.bind(1, endpoint)
            try touchCommands.run()
            return removed
        }
    }

    func removeSamples() throws(StoreError) -> Int {
        var total = 0
        while true {
            // Found before the transaction: the search may read millions of rows of others.
            let rows = try findSlice()
            if rows.isEmpty { return total }
            total += try writer.alone { () throws(StoreError) -> Int in
                // In the same transaction, so that nobody who follows the changes keeps a row that went.
                try changes.beginEpoch()
                return try remove(rows)
            }
            usleep(Purge.pauseMicroseconds)
        }
    }

    /// Takes what is noted of earlier changes: it tells keys and times, and nobody is told it any more.
    func clearChanges() throws(StoreError) {
        try writer.alone { () throws(StoreError) in try changes.beginEpoch() }
        var position: Int64 = 0
        while try writer.alone({ () throws(StoreError) -> Bool in try changes.clearKnown(&position) }) {
            usleep(Purge.pauseMicroseconds)
        }
    }

    /// Has the uuid index forget the samples: its entries tell series and times.
    func cleanKeys(removed: Int) throws(StoreError) {
        do throws(StoreError) {
            try writer.alone { () throws(StoreError) in
                let hasStale = try writer.keys.hasStale()
                if removed > 0 || hasStale { try writer.keys.requestCleaning() }
            }
        } catch {
            // An index that is made anew has none of them.
            if error.reason != .rebuilding { throw error }
        }
    }

    private struct Row {
        var series, start, part, device: Int64
        var isUUID: Bool
        var uuid: [UInt8]
    }

    private func findSlice() throws(StoreError) -> [Row] {
        find.bind(1, series)
        find.bind(2, start)
        find.bind(3, endpoint)
        find.bind(4, Purge.sliceRows)
        var rows: [Row] = []
        while try find.step() {
            rows.append(
                Row(
                    series: find.integer(0), start: find.integer(1), part: find.integer(3), device: find.integer(4),
                    isUUID: find.isBlob(2), uuid: find.bytes(2)))
        }
        if let last = rows.last {
            series = last.series
            start = last.start
        }
        return rows
    }

    private func remove(_ rows: [Row]) throws(StoreError) -> Int {
        var removed = 0
        for row in rows {
            removeSample.bind(1, row.series)
            removeSample.bind(2, row.start)
            bind(removeSample, 3, row)
            removeSample.bind(4, row.part)
            removeSample.bind(5, endpoint)
            try removeSample.run()
            // Moved or taken over by another endpoint since it was found: not ours any more.
            if writer.connection.changes == 0 { continue }
            removed += 1
            for statement in [removeKey, removeLink, removeDay] {
                statement.bind(1, row.device)
                bind(statement, 2, row)
                statement.bind(3, row.part)
                try statement.run()
            }
        }
        count.bind(1, endpoint)
        count.bind(2, removed)
        try count.run()
        // Should this be stopped here, the entries go when they are old.
        writer.keys.noteStale(removed)
        return removed
    }

    private func bind(_ statement: Statement, _ index: Int32, _ row: Row) {
        if row.isUUID { statement.bind(index, blob: row.uuid) } else { statement.bind(index, text: row.uuid) }
    }
}
