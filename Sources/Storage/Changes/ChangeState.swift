/// Which changes are known: the statements on `change_state`, and what makes older ones unknown.
final class ChangeState {
    private let connection: Connection
    private let forgetAll, raise, prune, pruneSlices, oldestNote, dropNotes, clearTouched: Statement
    private let clear, dropKnownNotes, dropKnownSlices: Statement

    /// The newest number that a row has; newer ones were given and are gone when `known_after` is above it.
    static let newest =
        "max(ifnull((SELECT max(id) FROM delivery), 0), ifnull((SELECT max(id) FROM delivery_slice), 0))"

    init(_ connection: Connection) throws(StoreError) {
        self.connection = connection
        forgetAll = try connection.prepare(
            "UPDATE change_state SET epoch = random(), known_after = max(known_after, \(Self.newest))")
        raise = try connection.prepare("UPDATE change_state SET known_after = max(known_after, ?1)")
        // The newest rows stay, so that no number is given twice.
        prune = try connection.prepare(
            """
            DELETE FROM delivery WHERE id IN
              (SELECT id FROM delivery WHERE refs = 0 AND received_at < ?1 AND id < (SELECT max(id) FROM delivery)
               ORDER BY received_at LIMIT 500)
            RETURNING id, touched IS NOT NULL
            """)
        pruneSlices = try connection.prepare(
            """
            DELETE FROM delivery_slice WHERE id IN
              (SELECT id FROM delivery_slice WHERE id < (SELECT max(id) FROM delivery_slice) ORDER BY id LIMIT 500)
              AND at < ?1
            RETURNING id
            """)
        oldestNote = try connection.prepare(
            """
            SELECT n.change, coalesce(v.received_at, s.at, -9223372036854775808) FROM change_note AS n
              LEFT JOIN delivery AS v ON v.id = n.change LEFT JOIN delivery_slice AS s ON s.id = n.change
            ORDER BY n.change LIMIT 1
            """)
        let key = "change, device, type, uuid, part"
        dropNotes = try connection.prepare(
            """
            DELETE FROM change_note WHERE (\(key)) IN (SELECT \(key) FROM change_note WHERE change = ?1 LIMIT 1000)
            """)
        clearTouched = try connection.prepare(
            "UPDATE delivery SET touched = NULL WHERE id = ?1 AND touched IS NOT NULL")
        clear = try connection.prepare(
            """
            UPDATE delivery SET touched = NULL WHERE id > ?1 AND id <= ?2 AND touched IS NOT NULL
              AND id <= (SELECT known_after FROM change_state)
            """)
        dropKnownNotes = try connection.prepare(
            """
            DELETE FROM change_note WHERE (\(key)) IN
              (SELECT \(key) FROM change_note WHERE change <= (SELECT known_after FROM change_state) LIMIT 1000)
            """)
        dropKnownSlices = try connection.prepare(
            """
            DELETE FROM delivery_slice WHERE id IN
              (SELECT id FROM delivery_slice WHERE id <= (SELECT known_after FROM change_state) LIMIT 1000)
            """)
    }

    /// Begins a new epoch: whoever follows the changes begins anew, since some of them, or of their rows, are gone. Where
    /// deliveries go, before they do: none of their numbers is given again.
    func beginEpoch() throws(StoreError) { try forgetAll.run() }

    // MARK: Age

    /// Removes some deliveries that nothing refers to, and notes, that are older; in the open transaction.
    ///
    /// - Returns: deliveries that went, and whether anything did.
    func prune(before cutoff: Int64) throws(StoreError) -> (deliveries: Int, isMore: Bool) {
        var deliveries = 0, lost: Int64 = 0, isMore = false
        prune.bind(1, cutoff)
        while try prune.step() {
            deliveries += 1
            if prune.integer(1) != 0 { lost = max(lost, prune.integer(0)) }
        }
        pruneSlices.bind(1, cutoff)
        while try pruneSlices.step() {
            lost = max(lost, pruneSlices.integer(0))
            isMore = true
        }
        if let change = try noteOlder(than: cutoff) {
            dropNotes.bind(1, change)
            try dropNotes.run()
            // It tells where the rows were that went.
            clearTouched.bind(1, change)
            try clearTouched.run()
            lost = max(lost, change)
            isMore = true
        }
        if lost > 0 {
            raise.bind(1, lost)
            try raise.run()
        }
        return (deliveries, isMore || deliveries > 0)
    }

    private func noteOlder(than cutoff: Int64) throws(StoreError) -> Int64? {
        defer { oldestNote.reset() }
        guard try oldestNote.step(), oldestNote.integer(1) < cutoff else { return nil }
        return oldestNote.integer(0)
    }

    // MARK: Purge

    /// Deliveries whose `touched` one transaction looks at.
    static let sliceDeliveries: Int64 = 5_000

    /// Takes what is noted of changes that nobody is told any more, a slice a call, each in a transaction of the caller's.
    ///
    /// - Parameter position: where the search goes on; 0 at first.
    /// - Returns: false when none is left.
    func clearKnown(_ position: inout Int64) throws(StoreError) -> Bool {
        var isMore = false
        try dropKnownNotes.run()
        if connection.changes > 0 { isMore = true }
        try dropKnownSlices.run()
        if connection.changes > 0 { isMore = true }
        let last = try connection.integer("SELECT max(id) FROM delivery") ?? 0
        if position < last {
            clear.bind(1, position)
            clear.bind(2, position + Self.sliceDeliveries)
            try clear.run()
            position += Self.sliceDeliveries
            isMore = true
        }
        return isMore
    }
}
