import CLinux

/// The newest entries of the uuid index, found by hash without a look at the disk.
///
/// A list in the order of arrival and an open-addressing table of hashes in it. What came last can be taken back, as a
/// savepoint needs it.
struct RecentKeys {
    private(set) var entries: [KeyEntry] = []
    /// Of each entry: the one before it with the same hash, -1 for none. A sender can give one uuid any number of parts.
    private var previous: [Int32] = []
    /// The newest entry of each hash: the hash's bits, and below them one more than the entry's index; 0 for a free slot. A power
    /// of two, at most half full.
    private var slots: [UInt64] = []
    private static let indexMask = ~KeyHash.mask

    var count: Int { entries.count }

    /// By the upper bits, since the lower ones are zero.
    private func slot(of hash: UInt64) -> Int { Int(hash.multipliedFullWidth(by: UInt64(slots.count)).high) }

    /// The newest entry in a slot, -1 for none.
    private func index(in slot: Int) -> Int32 { Int32(slots[slot] & Self.indexMask) - 1 }

    mutating func append(_ entry: KeyEntry) {
        if (entries.count + 1) * 2 > slots.count { grow() }
        entries.append(entry)
        previous.append(-1)
        place(entries.count - 1)
    }

    private mutating func place(_ index: Int) {
        let hash = entries[index].hash, slot = find(hash)
        previous[index] = self.index(in: slot)
        precondition(index < Self.indexMask, "more entries than have numbers")
        slots[slot] = hash | UInt64(index + 1)
    }

    /// The slot of a hash, or the free one that it would take.
    private func find(_ hash: UInt64) -> Int {
        var slot = slot(of: hash)
        while slots[slot] != 0, slots[slot] & KeyHash.mask != hash { slot = (slot + 1) & (slots.count - 1) }
        return slot
    }

    private mutating func grow() {
        slots = Array(repeating: 0, count: max(1_024, slots.count * 2))
        for index in entries.indices { place(index) }
    }

    /// Has what `find` looks at first on its way.
    func prefetch(_ hash: UInt64) {
        if slots.isEmpty { return }
        let slot = slot(of: hash)
        unsafe slots.withUnsafeBufferPointer { slots in
            if let start = slots.baseAddress { unsafe linux_prefetch(start + slot) }
        }
    }

    func find(_ hash: UInt64, found: inout [SamplePlace]) {
        if slots.isEmpty { return }
        var index = index(in: find(hash))
        while index >= 0 {
            found.append(entries[Int(index)].place)
            index = previous[Int(index)]
        }
    }

    /// Whether `entry` is there at `first` or behind.
    func contains(_ entry: KeyEntry, since first: Int) -> Bool {
        if slots.isEmpty { return false }
        var index = index(in: find(entry.hash))
        while index >= first {
            if entries[Int(index)] == entry { return true }
            index = previous[Int(index)]
        }
        return false
    }

    /// Takes the newest entries back. Each was the last to take a slot, so freeing that one breaks no chain.
    mutating func truncate(to count: Int) {
        while entries.count > count {
            let hash = entries.removeLast().hash, older = previous.removeLast()
            slots[find(hash)] = older < 0 ? 0 : hash | UInt64(older + 1)
        }
    }

    /// Forgets a stretch of the list, and the memory of a table that became too large.
    mutating func remove(_ range: Range<Int>) {
        let left = entries[..<range.lowerBound] + entries[range.upperBound...]
        self = RecentKeys()
        for entry in left { append(entry) }
    }
}
