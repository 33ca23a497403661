import Synchronization

/// Wrong credentials by sender: a bucket each, so that guessing is slow and an honest mistake is not punished for long.
///
/// Right credentials never come here: they are neither counted nor refused, whatever their address did before.
package final class FailureLimiter<Key: Hashable & Sendable>: Sendable {
    private struct Bucket {
        var key: Key
        /// When it will be full again; every failure moves this on by one refill.
        var fullAtMilliseconds: Int64
    }

    private struct State {
        var places: [Key: Int] = [:]
        var buckets: [Bucket] = []
        /// Where the sweep goes on.
        var hand = 0
    }

    private let capacity: Int64
    private let refillMilliseconds: Int64
    private let maximum: Int
    private let state = Mutex(State())

    /// - Parameter capacity: failures that a full bucket covers.
    /// - Parameter refillsPerMinute: how many of them come back in a minute.
    /// - Parameter maximum: most senders that are kept. Past it the nearest to full of a few is forgotten.
    package init(capacity: Int = 10, refillsPerMinute: Int = 10, maximum: Int = 10_000) {
        precondition(capacity > 0 && refillsPerMinute > 0 && refillsPerMinute <= 60_000 && maximum > 0)
        self.capacity = Int64(capacity)
        refillMilliseconds = 60_000 / Int64(refillsPerMinute)
        self.maximum = maximum
    }

    /// How many senders are held, full buckets that nothing has swept yet included.
    package var count: Int { state.withLock { $0.buckets.count } }

    /// Counts one failure.
    ///
    /// - Parameter key: the sender; for IPv6 its /64, since a home or a rented server has all of it.
    /// - Parameter nowMilliseconds: of a clock that is never set back.
    /// - Returns: nil while the bucket covers it (answer 401); else after how many seconds, at least 1, the next try is
    ///   covered (answer 429). A failure that isn't covered takes nothing, so the wait doesn't grow.
    package func recordFailure(_ key: Key, nowMilliseconds: Int64) -> Int? {
        state.withLock { state in
            let place = state.places[key] ?? add(key, to: &state, nowMilliseconds: nowMilliseconds)
            let missing = max(0, state.buckets[place].fullAtMilliseconds - nowMilliseconds)
            let excess = missing - (capacity - 1) * refillMilliseconds
            if excess > 0 { return Int((excess + 999) / 1000) }
            state.buckets[place].fullAtMilliseconds = nowMilliseconds + missing + refillMilliseconds
            return nil
        }
    }

    /// Makes a full bucket for `key`. Looks at a few others only, so a flood of senders costs the same for each.
    private func add(_ key: Key, to state: inout State, nowMilliseconds: Int64) -> Int {
        for _ in 0..<2 where !state.buckets.isEmpty {
            state.hand = (state.hand + 1) % state.buckets.count
            if state.buckets[state.hand].fullAtMilliseconds <= nowMilliseconds { remove(state.hand, from: &state) }
        }
        if state.buckets.count >= maximum {
            let sample = (0..<8).map { (state.hand + $0) % state.buckets.count }
            if let victim = sample.min(by: {
                state.buckets[$0].fullAtMilliseconds < state.buckets[$1].fullAtMilliseconds
            }) {
                remove(victim, from: &state)
            }
            if !state.buckets.isEmpty { state.hand = (state.hand + 8) % state.buckets.count }
        }
        state.buckets.append(Bucket(key: key, fullAtMilliseconds: nowMilliseconds))
        state.places[key] = state.buckets.count - 1
        return state.buckets.count - 1
    }

    /// The last bucket takes the free place, so nothing else moves.
    private func remove(_ place: Int, from state: inout State) {
        state.places[state.buckets[place].key] = nil
        let last = state.buckets.removeLast()
        guard place < state.buckets.count else { return }
        state.buckets[place] = last
        state.places[last.key] = place
    }
}
