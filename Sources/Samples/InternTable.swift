/// Finds the index of an interned thing by its hash; the caller compares the thing itself. Indices count from 0.
package struct InternTable: Sendable {
    /// Of each index.
    private var hashes: [UInt64] = []
    /// Indices, open-addressed by hash, -1 where none is; empty while all hashes are looked through: a small batch must not
    /// pay for a large one.
    private var slots: [BatchIndex] = []
    private static let mostListed = 16

    package init() {}

    package func find(hash: UInt64, where matches: (BatchIndex) -> Bool) -> BatchIndex? {
        if slots.isEmpty {
            for index in hashes.indices where hashes[index] == hash && matches(BatchIndex(index)) {
                return BatchIndex(index)
            }
            return nil
        }
        let mask = slots.count - 1
        var slot = Int(truncatingIfNeeded: hash) & mask
        while slots[slot] >= 0 {
            if hashes[Int(slots[slot])] == hash && matches(slots[slot]) { return slots[slot] }
            slot = (slot + 1) & mask
        }
        return nil
    }

    /// Takes the hash of the next index.
    package mutating func append(hash: UInt64) {
        if hashes.isEmpty { hashes.reserveCapacity(Self.mostListed) }
        hashes.append(hash)
        if hashes.count <= Self.mostListed { return }
        if hashes.count * 2 > slots.count {
            slots = Array(repeating: -1, count: max(Self.mostListed, slots.count) * 4)
            for index in hashes.indices { place(index) }
        } else {
            place(hashes.count - 1)
        }
    }

    private mutating func place(_ index: Int) {
        let mask = slots.count - 1
        var slot = Int(truncatingIfNeeded: hashes[index]) & mask
        while slots[slot] >= 0 { slot = (slot + 1) & mask }
        slots[slot] = BatchIndex(index)
    }
}
