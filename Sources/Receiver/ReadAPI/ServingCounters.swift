import Synchronization

/// What a server has done since it started, for `/metrics`. Counted by the threads that answer deliveries.
package final class ServingCounters: Sendable {
    package struct Delivery: Hashable, Sendable {
        package var endpoint: String
        package var status: Int
    }

    package struct Counts: Sendable {
        package var deliveries: [Delivery: Int] = [:]
        package var refusals: [Int: Int] = [:]
        package var apiAnswers: [Int: Int] = [:]
        package var rows: [String: (stored: Int, changed: Int, deleted: Int)] = [:]
        package var bodyBytes = 0
    }

    private let counts = Mutex(Counts())

    /// In a box: a bare closure in a `Mutex` gets a thunk around it with each look, and calls all of them from then on.
    private final class Bell: Sendable {
        let ring: @Sendable () -> Void
        init(_ ring: @escaping @Sendable () -> Void) { self.ring = ring }
    }

    private let bell = Mutex<Bell?>(nil)

    package init() {}

    /// Has `ring` called after each delivery that changed rows. It must not block.
    func onCommit(_ ring: (@Sendable () -> Void)?) {
        let new = ring.map(Bell.init)
        bell.withLock { $0 = new }
    }

    package var now: Counts { counts.withLock { $0 } }

    /// A delivery that an endpoint has answered.
    func delivered(_ endpoint: String, status: Int, bytes: Int) {
        counts.withLock { counts in
            counts.deliveries[Delivery(endpoint: endpoint, status: status), default: 0] += 1
            counts.bodyBytes += bytes
        }
    }

    /// Rows that a delivery has stored, changed and deleted.
    func wrote(_ endpoint: String, stored: Int, changed: Int, deleted: Int) {
        counts.withLock { counts in
            var rows = counts.rows[endpoint] ?? (0, 0, 0)
            rows.stored += stored
            rows.changed += changed
            rows.deleted += deleted
            counts.rows[endpoint] = rows
        }
        if stored + changed + deleted > 0 { bell.withLock { $0 }?.ring() }
    }

    /// A stranger was turned away.
    func refused(status: Int) { counts.withLock { $0.refusals[status, default: 0] += 1 } }

    func answered(status: Int) { counts.withLock { $0.apiAnswers[status, default: 0] += 1 } }
}
