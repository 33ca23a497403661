/// The uuid index made anew from the samples, when a row of it was not what was written.
///
/// The row of `key_rebuild` says that this is under way and where it stands, so that any process goes on with it after a
/// crash. While it is there nobody looks into the index or adds to it: a uuid that can't be looked up is not stored, and
/// so none is stored twice. Samples under texts, commands and deletions of whole endpoints go on.
final class KeyRebuild {
    private let tables: KeyTables
    private let tuning: KeyTuning
    private let readReason, readPlace, begin, resetState, move, end, next: Statement
    private let removals: [Statement]
    private let connection: Connection

    init(_ connection: Connection, _ tables: KeyTables, _ tuning: KeyTuning) throws(StoreError) {
        self.connection = connection
        self.tables = tables
        self.tuning = tuning
        readReason = try connection.prepare("SELECT reason FROM key_rebuild")
        readPlace = try connection.prepare("SELECT series, start, uuid, part FROM key_rebuild")
        begin = try connection.prepare("INSERT OR REPLACE INTO key_rebuild (id, reason) VALUES (1, ?1)")
        // Another seed and a revision that no process has seen: whatever one remembers is old now.
        resetState = try connection.prepare(
            """
            INSERT OR REPLACE INTO key_state
              (id, seed, revision, next_run, clean_run, clean_log, entries, stale, stale_since)
            VALUES (1, random(), (random() & 0xFFFFFFFFFFF) + 0x100000000000, 1, 0, 0, 0, 0, 0)
            """)
        move = try connection.prepare("UPDATE key_rebuild SET series = ?1, start = ?2, uuid = ?3, part = ?4")
        end = try connection.prepare("DELETE FROM key_rebuild")
        next = try connection.prepare(
            """
            SELECT k.series, k.start, k.uuid, k.part, r.device FROM sample AS k CROSS JOIN series AS r ON r.id = k.series
            WHERE (k.series, k.start, k.uuid, k.part) > (?1, ?2, ?3, ?4)
            ORDER BY k.series, k.start, k.uuid, k.part LIMIT ?5
            """)
        removals = try ["key_page", "key_filter", "key_log", "key_run"].map { (table) throws(StoreError) in
            try connection.prepare("DELETE FROM \(table) WHERE id IN (SELECT id FROM \(table) LIMIT ?1)")
        }
    }

    /// Why the index is rebuilt; nil when it is not.
    func reason() throws(StoreError) -> String? {
        guard try readReason.step() else { return nil }
        defer { readReason.reset() }
        return readReason.text(0) ?? ""
    }

    /// Writes down that all is to be made anew.
    func mark(_ reason: String) throws(StoreError) {
        begin.bind(1, text: reason)
        try begin.run()
        try resetState.run()
    }

    /// Takes a slice of the old index away, or reads a slice of the samples.
    ///
    /// - Returns: whether all is done.
    func slice(_ hash: (_ device: Int64, _ high: UInt64, _ low: UInt64) -> UInt64) throws(StoreError) -> Bool {
        guard try readPlace.step() else { return true }
        let isRemoving = readPlace.isNull(0)
        // Values and no join: SQLite then seeks with all four of them, not with the series alone.
        next.bind(1, readPlace.integer(0))
        next.bind(2, readPlace.integer(1))
        let uuid = readPlace.bytes(2)
        if readPlace.isBlob(2) { next.bind(3, blob: uuid) } else { next.bind(3, text: uuid) }
        next.bind(4, readPlace.integer(3))
        readPlace.reset()
        return isRemoving ? try remove() : try read(hash)
    }

    private func remove() throws(StoreError) -> Bool {
        for statement in removals {
            statement.bind(1, tuning.slicePages)
            try statement.run()
            if connection.changes > 0 { return false }
        }
        // Before all keys.
        move.bind(1, Int64.min)
        move.bind(2, Int64.min)
        move.bind(3, text: [])
        move.bind(4, Int64.min)
        try move.run()
        return false
    }

    private func read(_ hash: (Int64, UInt64, UInt64) -> UInt64) throws(StoreError) -> Bool {
        var state = try tables.state()
        var entries: [KeyEntry] = []
        var rows = 0
        var last: (place: SamplePlace, part: Int64, isBlob: Bool, uuid: [UInt8])?
        next.bind(5, max(1, tuning.rebuiltRows))
        while try next.step() {
            rows += 1
            let place = SamplePlace(series: next.integer(0), start: next.integer(1))
            if rows == tuning.rebuiltRows { last = (place, next.integer(3), next.isBlob(2), next.bytes(2)) }
            guard let (high, low) = next.uuid(2), let series = UInt32(exactly: place.series) else { continue }
            entries.append(KeyEntry(hash: hash(next.integer(4), high, low), start: place.start, series: series))
        }
        if !entries.isEmpty {
            entries = BucketSort.sorted(entries, by: { $0.hash }, KeyEntry.precedes)
            let id = state.nextRun
            var writer = KeyRunWriter(id, capacity: entries.count, pageBytes: tuning.pageBytes)
            var previous: KeyEntry?
            for entry in entries where entry != previous {
                try writer.add(entry, tables)
                previous = entry
            }
            try writer.finish(tables)
            try tables.add(
                KeyTables.Run(
                    id: id, level: 1, entries: writer.entries, blocks: writer.filter.blocks, state: .ready))
            state.nextRun += 1
            state.entries += Int64(writer.entries)
        }
        state.revision += 1
        try tables.write(state)
        guard let last else {
            try end.run()
            return true
        }
        move.bind(1, last.place.series)
        move.bind(2, last.place.start)
        if last.isBlob { move.bind(3, blob: last.uuid) } else { move.bind(3, text: last.uuid) }
        move.bind(4, last.part)
        try move.run()
        return false
    }
}
