/// Reads what was changed, in the order of commits, for whoever keeps a copy of the samples. Used by one thread at a time.
///
/// A copy begins with `current`, reads all samples, and then what comes behind that cursor. It has what the store has once
/// it was told that there is no more. A sample that was changed several times may be told at the last of them alone; one that is told
/// as it is now, although a later change made it so, is told again there. Within a change deletions come first.
package final class ChangeFeed {
    package enum Answer: Sendable {
        /// Changes behind the cursor, the cursor behind them, and whether there is more now.
        case changes([Change], next: ChangeCursor, more: Bool)
        /// Not all changes behind the cursor are known (any more): a copy begins anew.
        case expired
    }

    package let reader: StoreReader
    private let texts: StoredTexts
    private let seriesStatement, deviceStatement: Statement
    /// Made once the schema has what they read.
    private var statements: ChangeStatements?
    private var series: [Int64: StoredSeries] = [:]
    private static let maximumRemembered = 8_192

    package init(_ reader: StoreReader) throws(StoreError) {
        self.reader = reader
        texts = try StoredTexts(reader.connection)
        seriesStatement = try reader.connection.prepare(
            """
            SELECT p.name, d.name, r.type, r.unit FROM series AS r JOIN device AS d ON d.id = r.device
              JOIN person AS p ON p.id = d.person WHERE r.id = ?1
            """)
        deviceStatement = try reader.connection.prepare(
            "SELECT p.name, d.name FROM device AS d JOIN person AS p ON p.id = d.person WHERE d.id = ?1")
    }

    /// Behind the newest commit.
    package func current() throws(StoreError) -> ChangeCursor { ChangeCursor(try reader.newestChange()) }

    /// Reads on from a cursor, in one read transaction.
    package func read(
        since cursor: ChangeCursor, limits: ChangeLimits = ChangeLimits(), filter: ChangeFilter = ChangeFilter()
    ) throws(StoreError) -> Answer {
        try reader.snapshot { () throws(StoreError) in
            let newest = try reader.newestChange()
            // A change that is read in part must be there too.
            let before = cursor.position == nil ? cursor.number : cursor.number - 1
            guard try reader.isKnown(ChangePoint(epoch: cursor.epoch, number: before), newest),
                cursor.number <= newest.number
            else { return .expired }
            let statements = try prepared()
            var reading = ChangeReading(self, statements, filter, limits, epoch: newest.epoch)
            let list = statements.changes
            list.bind(1, before)
            list.bind(2, Int64.max)
            defer { list.reset() }
            var position = cursor.position
            while try list.step() {
                let number = list.integer(0)
                if position != nil && number != cursor.number { position = nil }
                guard let areas = try ChangeRows.areas(list) else { return .expired }
                let stop = try reading.read(number, delivery: list.integer(1), areas, from: position)
                position = nil
                if let stop {
                    let next = ChangeCursor(epoch: newest.epoch, number: number, position: stop)
                    return .changes(reading.changes, next: next, more: true)
                }
                if reading.isFull {
                    let next = ChangeCursor(epoch: newest.epoch, number: number)
                    return .changes(reading.changes, next: next, more: number < newest.number)
                }
            }
            return .changes(reading.changes, next: ChangeCursor(newest), more: false)
        }
    }

    private func prepared() throws(StoreError) -> ChangeStatements {
        if let statements { return statements }
        let made = try ChangeStatements(reader.connection)
        statements = made
        return made
    }

    // MARK: Names

    func series(_ id: Int64) throws(StoreError) -> StoredSeries {
        if let known = series[id] { return known }
        let row = seriesStatement
        row.bind(1, id)
        defer { row.reset() }
        guard try row.step() else { throw StoreError(.damaged, detail: "a series is gone") }
        let unit = row.optionalInteger(3)
        let found = StoredSeries(
            id: id, person: StoredText(row.bytes(0)), device: StoredText(row.bytes(1)),
            type: try texts.text(row.integer(2)),
            unit: try unit.map { (id) throws(StoreError) in try texts.text(id) })
        if series.count >= Self.maximumRemembered { series = [:] }
        series[id] = found
        return found
    }

    func subject(device: Int64, type: Int64) throws(StoreError) -> (
        person: StoredText, device: StoredText, type: StoredText
    ) {
        deviceStatement.bind(1, device)
        defer { deviceStatement.reset() }
        guard try deviceStatement.step() else { throw StoreError(.damaged, detail: "a device is gone") }
        return (StoredText(deviceStatement.bytes(0)), StoredText(deviceStatement.bytes(1)), try texts.text(type))
    }
}

/// The statements on what schema 5 has.
final class ChangeStatements {
    let changes, notes, place, nextSeries, firstRows, nextRows: Statement

    init(_ connection: Connection) throws(StoreError) {
        changes = try connection.prepare(ChangeRows.touched)
        notes = try connection.prepare(
            """
            SELECT device, type, uuid, part, kind, series, start FROM change_note
            WHERE change = ?1 AND (device, type, uuid, part) > (?2, ?3, ?4, ?5) ORDER BY device, type, uuid, part
            """)
        let read = "SELECT \(StoredSample.columns) FROM sample AS k WHERE k.series = ?1"
        place = try connection.prepare("\(read) AND k.start = ?2 AND k.uuid = ?3 AND k.part = ?4")
        nextSeries = try connection.prepare("SELECT min(id) FROM series WHERE id >= ?1")
        let order = "ORDER BY k.start, k.uuid, k.part"
        firstRows = try connection.prepare("\(read) AND k.start BETWEEN ?2 AND ?3 \(order)")
        nextRows = try connection.prepare(
            "\(read) AND k.start <= ?3 AND (k.start, k.uuid, k.part) > (?2, ?4, ?5) \(order)")
    }
}
