import Samples

/// A row of `sample` as merging reads it.
struct StoredRow {
    var key: KeyBytes
    var part: Int64
    var place: SamplePlace
    var end: Int64?
    var value: Double?
    var valueName: Int64?
    var source: Int64?
    var spelled: Int64
    var utcOffset: Int64?
    var rest: [UInt8]
    var delivery: Int64

    var rule: MergeRule { StoredSpelling.rule(ofColumn: spelled) }
    var grain: Grain { StoredSpelling.grain(ofColumn: spelled) }
}

/// What is known of an earlier request.
struct DeliveryFacts {
    var receivedAt: Int64
    var session: [UInt8]?
    var name: [UInt8]?
    var bodyHash: Int64?
}

/// The statements of merging.
final class MergeRows {
    private let connection: Connection
    private let keys: SampleKeys
    private let rows: SampleRows
    private let ledger: Ledger
    private let read, around, seriesOfType, textStatement, sourceStatement, deliveryStatement: Statement
    private let moveRow: Statement
    private let guardStatement, claims, addClaim, forgetClaims: Statement

    init(_ connection: Connection, _ keys: SampleKeys, _ rows: SampleRows, _ ledger: Ledger) throws(StoreError) {
        self.connection = connection
        self.keys = keys
        self.rows = rows
        self.ledger = ledger
        let columns = "\"end\", value, value_name, source, spelled, utc_offset, rest, delivery, uuid, part, start"
        read = try connection.prepare(
            "SELECT \(columns) FROM sample WHERE series = ?1 AND start = ?2 AND uuid = ?3 AND part = ?4")
        around = try connection.prepare(
            """
            SELECT \(columns) FROM sample WHERE series = ?1 AND start BETWEEN ?2 AND ?3 AND spelled >> ?4 & 15 = ?5 LIMIT ?6
            """)
        seriesOfType = try connection.prepare("SELECT id FROM series WHERE type = ?1 AND device = ?2")
        textStatement = try connection.prepare("SELECT text FROM text WHERE id = ?1")
        sourceStatement = try connection.prepare(
            """
            SELECT a.text, d.text FROM source AS o LEFT JOIN text AS a ON a.id = o.app LEFT JOIN text AS d ON d.id = o.device
            WHERE o.id = ?1
            """)
        deliveryStatement = try connection.prepare(
            "SELECT received_at, session, name, body_hash FROM delivery WHERE id = ?1")
        moveRow = try connection.prepare(
            "UPDATE sample SET part = ?5 WHERE series = ?1 AND start = ?2 AND uuid = ?3 AND part = ?4")
        guardStatement = try connection.prepare(
            """
            INSERT INTO endpoint_guard (endpoint, count, first_at, last_at) VALUES (?1, ?2, ?3, ?3)
              ON CONFLICT (endpoint) DO UPDATE SET count = count + excluded.count, last_at = excluded.last_at
            """)
        claims = try connection.prepare(
            """
            SELECT ifnull(sum(count), 0) FROM slot_claim
            WHERE device = ?1 AND session = ?2 AND uuid = ?3 AND content = ?4 AND delivery <> ?5
            """)
        addClaim = try connection.prepare(
            """
            INSERT INTO slot_claim (device, session, uuid, content, delivery, count, endpoint)
            VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)
              ON CONFLICT DO UPDATE SET count = excluded.count WHERE count <> excluded.count
            """)
        forgetClaims = try connection.prepare("DELETE FROM slot_claim WHERE device = ?1 AND session <> ?2")
    }

    // MARK: Reading

    /// `parts` comes for this key soon.
    func prefetch(device: Int64, _ key: StoredKey) { keys.prefetch(device: device, key) }

    /// Every stored part of a key of `batch`, in order; cheap where there is none.
    func parts(device: Int64, _ key: StoredKey, in batch: SampleBatch) throws(StoreError) -> [StoredRow] {
        try keys.isAbsent(device: device, key) ? [] : parts(device: device, KeyBytes(key, in: batch))
    }

    /// Every stored part of a key, in order.
    func parts(device: Int64, _ key: KeyBytes) throws(StoreError) -> [StoredRow] {
        let found = try key.withBound { (bound) throws(StoreError) in try keys.parts(device: device, bound) }
        var result: [StoredRow] = []
        for (part, place) in found {
            read.bind(1, place.series)
            read.bind(2, place.start)
            key.bind(read, 3)
            read.bind(4, part)
            guard try read.step() else {
                throw StoreError(.damaged, detail: "sample_key names a row of sample that is not there")
            }
            result.append(row(read, series: place.series))
            read.reset()
        }
        return result
    }

    /// One part of a key.
    func part(device: Int64, _ key: KeyBytes, _ part: Int64) throws(StoreError) -> StoredRow? {
        let place = try key.withBound { (bound) throws(StoreError) in
            try keys.find(device: device, bound, part: part)
        }
        guard let place else { return nil }
        read.bind(1, place.series)
        read.bind(2, place.start)
        key.bind(read, 3)
        read.bind(4, part)
        guard try read.step() else { return nil }
        defer { read.reset() }
        return row(read, series: place.series)
    }

    /// Rows of a series that start in `starts` and were stored under `rule`, or for stretches of `grain`; only what
    /// `isWanted` lets through is held in memory.
    ///
    /// - Parameter limit: rows that are looked at: what one sender may make a request of his cost.
    func rows(
        series: Int64, starts: ClosedRange<Int64>, rule: MergeRule? = nil, grain: Grain? = nil, limit: Int,
        where isWanted: (StoredRow) throws(StoreError) -> Bool
    ) throws(StoreError) -> [StoredRow] {
        around.bind(1, series)
        around.bind(2, starts.lowerBound)
        around.bind(3, starts.upperBound)
        around.bind(4, Int64(rule != nil ? StoredSpelling.ruleShift : StoredSpelling.grainShift))
        around.bind(5, Int64(rule?.rawValue ?? grain?.rawValue ?? 0))
        around.bind(6, limit)
        defer { around.reset() }
        var result: [StoredRow] = []
        while try around.step() {
            let row = row(around, series: series)
            if try isWanted(row) { result.append(row) }
        }
        return result
    }

    private func row(_ statement: Statement, series: Int64) -> StoredRow {
        StoredRow(
            key: KeyBytes(statement, 8), part: statement.integer(9),
            place: SamplePlace(series: series, start: statement.integer(10)), end: statement.optionalInteger(0),
            value: statement.double(1), valueName: statement.optionalInteger(2), source: statement.optionalInteger(3),
            spelled: statement.integer(4), utcOffset: statement.optionalInteger(5), rest: statement.bytes(6),
            delivery: statement.integer(7))
    }

    /// The series of one type on a device: one a unit.
    func series(type: Int64, device: Int64) throws(StoreError) -> [Int64] {
        seriesOfType.bind(1, type)
        seriesOfType.bind(2, device)
        var result: [Int64] = []
        while try seriesOfType.step() { result.append(seriesOfType.integer(0)) }
        return result
    }

    func text(_ id: Int64) throws(StoreError) -> [UInt8]? {
        textStatement.bind(1, id)
        guard try textStatement.step() else { return nil }
        defer { textStatement.reset() }
        return textStatement.bytes(0)
    }

    /// The texts of a source; nil for a half that it hasn't.
    func source(_ id: Int64) throws(StoreError) -> (app: [UInt8]?, device: [UInt8]?) {
        sourceStatement.bind(1, id)
        guard try sourceStatement.step() else { return (nil, nil) }
        defer { sourceStatement.reset() }
        func half(_ column: Int32) -> [UInt8]? {
            sourceStatement.isNull(column) ? nil : sourceStatement.bytes(column)
        }
        return (half(0), half(1))
    }

    /// Nil for a request whose row is not written yet.
    func delivery(_ id: Int64) throws(StoreError) -> DeliveryFacts? {
        deliveryStatement.bind(1, id)
        guard try deliveryStatement.step() else { return nil }
        defer { deliveryStatement.reset() }
        func text(_ column: Int32) -> [UInt8]? {
            deliveryStatement.isNull(column) ? nil : deliveryStatement.bytes(column)
        }
        return DeliveryFacts(
            receivedAt: deliveryStatement.integer(0), session: text(1), name: text(2),
            bodyHash: deliveryStatement.isNull(3) ? nil : deliveryStatement.integer(3))
    }

    // MARK: Writing

    /// Takes a row away without a line in `deletions`.
    func remove(_ row: StoredRow, device: Int64) throws(StoreError) {
        try row.key.withBound { (bound) throws(StoreError) in
            try keys.remove(device: device, bound, part: row.part)
            guard let former = try rows.remove(row.place, bound, part: row.part) else { return }
            ledger.lost(delivery: former.delivery, endpoint: former.endpoint)
        }
    }

    /// Gives rows of one key other parts; whose they are stays as it was.
    func renumber(_ moves: [(row: StoredRow, part: Int64)], device: Int64) throws(StoreError) {
        if moves.isEmpty { return }
        // Two steps, since a part may still be another row's.
        let apart: Int64 = 1 << 40  // past every part that can be sent
        for (index, move) in moves.enumerated() {
            try self.move(move.row, from: move.row.part, to: apart + Int64(index), device: device)
        }
        for (index, move) in moves.enumerated() {
            try self.move(move.row, from: apart + Int64(index), to: move.part, device: device)
        }
        try ledger.changes.renumbered(moves)
    }

    private func move(_ row: StoredRow, from part: Int64, to target: Int64, device: Int64) throws(StoreError) {
        moveRow.bind(1, row.place.series)
        moveRow.bind(2, row.place.start)
        row.key.bind(moveRow, 3)
        moveRow.bind(4, part)
        moveRow.bind(5, target)
        try moveRow.run()
        try row.key.withBound { (bound) throws(StoreError) in
            try keys.move(device: device, bound, from: part, to: target)
        }
    }

    /// Notes that stored content was kept because the sender's window may have cut what came.
    func noteGuard(endpoint: Int64, count: Int, at microseconds: Int64) throws(StoreError) {
        guardStatement.bind(1, endpoint)
        guardStatement.bind(2, count)
        guardStatement.bind(3, microseconds)
        try guardStatement.run()
    }

    // MARK: Sessions

    /// A sample that a request brought and that another session had stored before.
    struct Claim {
        var device: Int64
        var session: Int64
        var key: KeyBytes
        var content: Int64
        var delivery: Int64
    }

    /// How often other requests of the session brought that sample without storing it.
    func claims(_ claim: Claim) throws(StoreError) -> Int {
        bind(claims, claim)
        _ = try claims.step()
        defer { claims.reset() }
        return Int(clamping: claims.integer(0))
    }

    func add(_ claim: Claim, count: Int, endpoint: Int64) throws(StoreError) {
        bind(addClaim, claim)
        addClaim.bind(6, count)
        addClaim.bind(7, endpoint)
        try addClaim.run()
    }

    /// Forgets what the device's earlier sessions brought again: they don't go on.
    func forgetClaims(device: Int64, except session: Int64) throws(StoreError) {
        forgetClaims.bind(1, device)
        forgetClaims.bind(2, session)
        try forgetClaims.run()
    }

    private func bind(_ statement: Statement, _ claim: Claim) {
        statement.bind(1, claim.device)
        statement.bind(2, claim.session)
        claim.key.bind(statement, 3)
        statement.bind(4, claim.content)
        statement.bind(5, claim.delivery)
    }
}
