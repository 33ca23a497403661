/// An open-addressed map from a hash to the index of an interned text; the caller compares the bytes.
struct InternTable: Sendable {
    private var slots: [(hash: UInt64, index: BatchIndex)] = Array(repeating: (0, -1), count: 64)
    private var used = 0
    func find(hash: UInt64, where matches: (BatchIndex) -> Bool) -> BatchIndex? {
        let mask = slots.count - 1
        var slot = Int(truncatingIfNeeded: hash) & mask
        while slots[slot].index >= 0 {
            if slots[slot].hash == hash && matches(slots[slot].index) { return slots[slot].index }
            slot = (slot + 1) & mask
        }
        return nil
    }

    mutating func insert(_ index: BatchIndex, hash: UInt64) {
        if (used + 1) * 2 > slots.count {
            let old = slots
            slots = Array(repeating: (0, -1), count: old.count * 2)
            for entry in old where entry.index >= 0 { place(entry.index, hash: entry.hash) }
        }
        place(index, hash: hash)
        used += 1
    }

    private mutating func place(_ index: BatchIndex, hash: UInt64) {
        let mask = slots.count - 1
        var slot = Int(truncatingIfNeeded: hash) & mask
        while slots[slot].index >= 0 { slot = (slot + 1) & mask }
        slots[slot] = (hash, index)
    }
}
