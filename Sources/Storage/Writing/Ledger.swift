import Samples

/// The rows that account for samples: `delivery` with its reference counts, and `endpoint_count`.
final class Ledger {
    private let connection: Connection
    /// What the submission at hand changes.
    let changes: ChangeLog
    private let newest, insertDelivery, insertSlice, addReferences, addSamples: Statement
    /// References to other deliveries that this submission took away, and samples that endpoints won or lost.
    private var references: [Int64: Int64] = [:]
    private var samples: [Int64: Int64] = [:]
    /// The transaction's last number; nil when it has none, or it is not known any more.
    private var written: Int64?

    init(_ connection: Connection) throws(StoreError) {
        self.connection = connection
        changes = try ChangeLog(connection)
        // A number that was given is never given again, whatever a purge took.
        newest = try connection.prepare(
            "SELECT max(known_after, \(ChangeState.newest)) FROM change_state")
        insertSlice = try connection.prepare(
            "INSERT INTO delivery_slice (id, delivery, at, touched) VALUES (?1, ?2, ?3, ?4)")
        insertDelivery = try connection.prepare(
            """
            INSERT INTO delivery (id, received_at, endpoint, name, kind, dialect, stored, changed, repeated, deleted,
              skipped, bytes, status, code, refs, session, body_hash, touched)
            VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17, ?18)
            """)
        addReferences = try connection.prepare("UPDATE delivery SET refs = refs + ?2 WHERE id = ?1")
        addSamples = try connection.prepare(
            """
            INSERT INTO endpoint_count (endpoint, samples, last_stored) VALUES (?1, ?2, ?3)
              ON CONFLICT (endpoint) DO UPDATE SET samples = samples + excluded.samples,
                last_stored = ifnull(excluded.last_stored, last_stored)
            """)
    }

    /// The transaction ended, or something in it was rolled back.
    func forget() { written = nil }

    /// Starts the account of one submission, forgetting one that failed half-way.
    ///
    /// - Returns: the number its delivery will have. (The row comes last, with the counts.)
    func open() throws(StoreError) -> Int64 {
        references.removeAll(keepingCapacity: true)
        samples.removeAll(keepingCapacity: true)
        let number = if let written { written + 1 } else { try next() }
        changes.open(number)
        return number
    }

    private func next() throws(StoreError) -> Int64 {
        _ = try newest.step()
        defer { newest.reset() }
        return newest.integer(0) + 1
    }

    /// So many rows of `sample` now name this delivery and endpoint.
    func gained(_ rows: Int64 = 1, delivery: Int64, endpoint: Int64) {
        references[delivery, default: 0] += rows
        samples[endpoint, default: 0] += rows
    }

    /// A row of `sample` no longer names this delivery and endpoint.
    func lost(delivery: Int64, endpoint: Int64) {
        references[delivery, default: 0] -= 1
        samples[endpoint, default: 0] -= 1
    }

    /// A line of `deletions` names `delivery` now, and `previous` no longer.
    func deletionLine(delivery: Int64, previous: Int64?) {
        references[delivery, default: 0] += 1
        if let previous { references[previous, default: 0] -= 1 }
    }

    /// Writes the account: the delivery's row, and what changed elsewhere.
    ///
    /// - Parameter session: of the sender's.
    func close(
        delivery: Int64, endpoint: Int64, _ submission: Submission, _ outcome: StoreOutcome,
        session: StoredSession? = nil
    ) throws(StoreError) {
        let row = insertDelivery
        row.bind(1, delivery)
        row.bind(2, submission.receivedAt.microseconds)
        row.bind(3, endpoint)
        row.bind(4, text: submission.deliveryID)
        row.bind(5, text: submission.kind.rawValue)
        row.bind(6, text: submission.dialect?.rawValue)
        row.bind(7, outcome.stored)
        row.bind(8, outcome.changed)
        row.bind(9, outcome.repeated)
        row.bind(10, outcome.deleted)
        row.bind(11, outcome.skipped)
        row.bind(12, submission.bodyBytes)
        row.bind(13, outcome.commandsSent > 0 ? 200 : submission.status)
        row.bind(14, text: submission.code)
        row.bind(15, references.removeValue(forKey: delivery) ?? 0)
        if let session { row.bind(16, text: session.name) } else { row.bindNull(16) }
        if let hash = session?.bodyHash { row.bind(17, hash) } else { row.bindNull(17) }
        if let touched = changes.close() {
            row.bind(18, blob: touched)
        } else if outcome.hasWritten {
            // An older program leaves NULL here, and so can be told.
            row.bind(18, blob: [])
        } else {
            row.bindNull(18)
        }
        try row.run()
        written = delivery
        try settle(endpoint: endpoint, at: submission.receivedAt, outcome)
    }

    /// Writes where a later transaction of an import touched rows; its counts are added to the delivery's row.
    func closeSlice(of delivery: Int64, at received: Timestamp) throws(StoreError) {
        guard let touched = changes.close() else { return }
        insertSlice.bind(1, changes.number)
        insertSlice.bind(2, delivery)
        insertSlice.bind(3, received.microseconds)
        insertSlice.bind(4, blob: touched)
        try insertSlice.run()
        written = changes.number
    }

    /// Writes what changed beside the delivery's own row.
    func settle(endpoint: Int64, at received: Timestamp, _ outcome: StoreOutcome) throws(StoreError) {
        for (id, change) in references where change != 0 {
            addReferences.bind(1, id)
            addReferences.bind(2, change)
            try addReferences.run()
        }
        let hasStored = outcome.stored + outcome.changed > 0
        // The row of this endpoint is written even for a count that stays: for `last_stored`.
        if hasStored { samples[endpoint, default: 0] += 0 }
        for (id, change) in samples where change != 0 || hasStored && id == endpoint {
            addSamples.bind(1, id)
            addSamples.bind(2, change)
            addSamples.bind(3, hasStored && id == endpoint ? received.microseconds : nil)
            try addSamples.run()
        }
    }
}

extension StoreOutcome {
    /// Whether a row was written or taken away.
    fileprivate var hasWritten: Bool { stored > 0 || changed > 0 || deleted > 0 }
}
