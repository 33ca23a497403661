import Synchronization

/// How many bytes of request bodies may be held at once, over all clients.
package final class MemoryBudget: Sendable {
    private let limitBytes: Int
    private let used = Atomic<Int>(0)
    private let taken = Atomic<Int>(0)

    package init(limitBytes: Int) { self.limitBytes = limitBytes }

    /// Takes `bytes` from the budget; false, and nothing taken, when they aren't there.
    package func take(_ bytes: Int) -> Bool {
        let now = used.add(bytes, ordering: .relaxed).newValue
        if now <= limitBytes {
            taken.add(bytes, ordering: .relaxed)
            return true
        }
        used.subtract(bytes, ordering: .relaxed)
        return false
    }

    package func giveBack(_ bytes: Int) { used.subtract(bytes, ordering: .relaxed) }

    package var usedBytes: Int { used.load(ordering: .relaxed) }
    /// All that was ever taken: shows whether bodies came since it was last looked at.
    package var takenBytes: Int { taken.load(ordering: .relaxed) }
}

/// Bytes that were taken from a budget, given back by `end` or with the last of its holders.
final class MemoryLease: Sendable {
    private let bytes: Atomic<Int>
    private let budget: MemoryBudget

    /// - Parameter bytes: taken already.
    init(of bytes: Int, from budget: MemoryBudget) {
        self.bytes = Atomic(bytes)
        self.budget = budget
    }

    /// Further calls do nothing.
    func end() { budget.giveBack(bytes.exchange(0, ordering: .relaxed)) }

    deinit { end() }
}

/// Tells when a burst of bodies is over, from looks at the budget now and then: the allocator keeps what they used.
struct BurstWatch {
    /// Fewer bytes of bodies are not worth the milliseconds that giving memory back takes.
    static let leastBytes = 4 << 20

    private var seenBytes = 0
    private var settledBytes = 0

    /// - Parameter takenBytes: of the budget, ever.
    /// - Returns: whether enough came since the last time that this was true, and nothing since the last look.
    mutating func isOver(takenBytes: Int) -> Bool {
        defer { seenBytes = takenBytes }
        guard takenBytes == seenBytes, takenBytes - settledBytes >= Self.leastBytes else { return false }
        settledBytes = takenBytes
        return true
    }
}
