import Samples

/// The rows that account for samples: `delivery` with its reference counts, and `endpoint_count`.
final class Ledger {
    private let connection: Connection
    private let newest, insertDelivery, addReferences, addSamples, setLastStored: Statement
    /// References to other deliveries that this submission took away, and samples that endpoints won or lost.
    private var references: [Int64: Int64] = [:]
    private var samples: [Int64: Int64] = [:]

    init(_ connection: Connection) throws(StoreError) {
        self.connection = connection
        newest = try connection.prepare("SELECT ifnull(max(id), 0) FROM delivery")
        insertDelivery = try connection.prepare(
            """
            INSERT INTO delivery (id, received_at, endpoint, name, kind, dialect, stored, changed, repeated, deleted,
              skipped, bytes, status, code, refs, session, body_hash)
            VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17)
            """)
        addReferences = try connection.prepare("UPDATE delivery SET refs = refs + ?2 WHERE id = ?1")
        addSamples = try connection.prepare(
            """
            INSERT INTO endpoint_count (endpoint, samples) VALUES (?1, ?2)
              ON CONFLICT (endpoint) DO UPDATE SET samples = samples + excluded.samples
            """)
        setLastStored = try connection.prepare("UPDATE endpoint_count SET last_stored = ?2 WHERE endpoint = ?1")
    }

    /// Starts the account of one submission, forgetting one that failed half-way.
    ///
    /// - Returns: the number its delivery will have. (The row comes last, with the counts.)
    func open() throws(StoreError) -> Int64 {
        references.removeAll(keepingCapacity: true)
        samples.removeAll(keepingCapacity: true)
        _ = try newest.step()
        defer { newest.reset() }
        return newest.integer(0) + 1
    }

    /// A row of `sample` now names this delivery and endpoint.
    func gained(delivery: Int64, endpoint: Int64) {
        references[delivery, default: 0] += 1
        samples[endpoint, default: 0] += 1
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
        row.bind(13, submission.status)
        row.bind(14, text: submission.code)
        row.bind(15, references.removeValue(forKey: delivery) ?? 0)
        if let session { row.bind(16, text: session.name) } else { row.bindNull(16) }
        if let hash = session?.bodyHash { row.bind(17, hash) } else { row.bindNull(17) }
        try row.run()
        try settle(endpoint: endpoint, at: submission.receivedAt, outcome)
    }

    /// Writes what changed beside the delivery's own row.
    func settle(endpoint: Int64, at received: Timestamp, _ outcome: StoreOutcome) throws(StoreError) {
        for (id, change) in references where change != 0 {
            addReferences.bind(1, id)
            addReferences.bind(2, change)
            try addReferences.run()
        }
        // The row of this endpoint is made even for nothing, so that `last_stored` has a place.
        samples[endpoint, default: 0] += 0
        for (id, change) in samples where change != 0 || outcome.stored + outcome.changed > 0 {
            addSamples.bind(1, id)
            addSamples.bind(2, change)
            try addSamples.run()
        }
        if outcome.stored + outcome.changed > 0 {
            setLastStored.bind(1, endpoint)
            setLastStored.bind(2, received.microseconds)
            try setLastStored.run()
        }
    }
}
