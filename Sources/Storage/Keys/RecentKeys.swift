/// The newest entries of the uuid index, found by hash without a look at the disk.
///
/// A list in the order of arrival and an open-addressing table of places in it. What came last can be taken back, as a
/// savepoint needs it.
struct RecentKeys {
    private(set) var entries: [KeyEntry] = []
    /// Indices of `entries`, -1 for a free slot; a power of two, at most half full.
    private var slots: [Int32] = []

    var count: Int { entries.count }

    private func slot(of hash: UInt64) -> Int { Int(truncatingIfNeeded: hash & UInt64(slots.count - 1)) }

    mutating func append(_ entry: KeyEntry) {
        if (entries.count + 1) * 2 > slots.count { grow() }
        entries.append(entry)
        place(entries.count - 1)
    }

    private mutating func place(_ index: Int) {
        var slot = slot(of: entries[index].hash)
        while slots[slot] >= 0 { slot = (slot + 1) & (slots.count - 1) }
        slots[slot] = Int32(index)
    }

    private mutating func grow() {
        slots = Array(repeating: -1, count: max(1_024, slots.count * 2))
        for index in entries.indices { place(index) }
    }

    func find(_ hash: UInt64, found: inout [SamplePlace]) {
        if slots.isEmpty { return }
        var slot = slot(of: hash)
        while slots[slot] >= 0 {
            let entry = entries[Int(slots[slot])]
            if entry.hash == hash { found.append(entry.place) }
            slot = (slot + 1) & (slots.count - 1)
        }
    }

    /// Takes the newest entries back. Each was the last to take a slot, so freeing that one breaks no chain.
    mutating func truncate(to count: Int) {
        while entries.count > count {
            let index = entries.count - 1
            var slot = slot(of: entries[index].hash)
            while slots[slot] != Int32(index) { slot = (slot + 1) & (slots.count - 1) }
            slots[slot] = -1
            entries.removeLast()
        }
    }

    /// Forgets a stretch of the list, and the memory of a table that became too large.
    mutating func remove(_ range: Range<Int>) {
        let left = entries[..<range.lowerBound] + entries[range.upperBound...]
        self = RecentKeys()
        for entry in left { append(entry) }
    }
}
