import Samples

/// What of a batch is to be stored, and in which order: pure, no database.
///
/// Within one body the last of a key wins, and of the activity summaries of one day the last. Keys that the same body
/// also deletes are left out: the deletion would take them away again, and a repeat of the body would not be a repeat.
struct BatchPlan {
    struct Entry {
        var key: StoredKey
        var part: Int32
        /// Into the batch's samples.
        var index: Int
        var isNew = false
    }

    /// In the order of (key, part): that of the key lookup.
    var entries: [Entry] = []
    /// There are activity summaries.
    private(set) var hasDays = false
    /// Summaries that another one of this body replaces, by key and part.
    var replaced: [(key: StoredKey, part: Int32)] = []
    /// Days of summaries that the same body deletes: whoever held them before goes all the same.
    var vacatedDays: [Int32] = []
    /// In the order of the body, one a key; `parts` of it are in the body's samples too.
    var deletions: [(key: StoredKey, index: Int, parts: Int)] = []

    init(_ batch: SampleBatch) {
        let arena = batch.arena
        var unsorted: [Entry] = []
        unsorted.reserveCapacity(batch.samples.count)
        for index in batch.samples.indices {
            let record = batch.samples[index]
            unsorted.append(Entry(key: StoredKey(record.key, in: arena), part: record.part, index: index))
            if record.summaryDay != nil { hasDays = true }
        }
        entries = Self.sorted(unsorted, arena)
        keepLastOfEachKey(arena)
        if hasDays { keepLastOfEachDay(batch) }
        planDeletions(batch)
    }

    /// In the order of key, part and index. What is moved about is small: random uuids differ in their first half.
    static func sorted(_ entries: [Entry], _ arena: [UInt8]) -> [Entry] {
        // Texts before uuids, as the comparison has it.
        let order = entries.indices.map { index in
            let key = entries[index].key
            return (rank: key.high >> 1 | (key.isUUID ? 1 << 63 : 0), position: Int32(index))
        }
        let sorted = BucketSort.sorted(order, by: { $0.rank }) { left, right in
            if left.rank != right.rank { return left.rank < right.rank }
            let one = entries[Int(left.position)], other = entries[Int(right.position)]
            let order = one.key.compare(other.key, in: arena)
            if order != 0 { return order < 0 }
            return one.part != other.part ? one.part < other.part : one.index < other.index
        }
        return sorted.map { entries[Int($0.position)] }
    }

    private mutating func keepLastOfEachKey(_ arena: [UInt8]) {
        var kept = 0
        for index in entries.indices {
            if kept > 0 && entries[kept - 1].part == entries[index].part
                && entries[kept - 1].key.compare(entries[index].key, in: arena) == 0
            {
                kept -= 1
            }
            if kept != index { entries[kept] = entries[index] }
            kept += 1
        }
        entries.removeLast(entries.count - kept)
    }

    private mutating func keepLastOfEachDay(_ batch: SampleBatch) {
        var holders: [Int32: Int] = [:]  // day: index of the last record
        for entry in entries {
            guard let day = batch.samples[entry.index].summaryDay else { continue }
            holders[day] = max(holders[day] ?? -1, entry.index)
        }
        if holders.isEmpty { return }
        var kept: [Entry] = []
        for entry in entries {
            if let day = batch.samples[entry.index].summaryDay, holders[day] != entry.index {
                replaced.append((entry.key, entry.part))
            } else {
                kept.append(entry)
            }
        }
        entries = kept
    }

    private mutating func planDeletions(_ batch: SampleBatch) {
        if batch.deletions.isEmpty { return }
        let arena = batch.arena
        var wanted = batch.deletions.indices.map { index in
            (key: StoredKey(batch.deletions[index].key, in: arena), index: index, parts: 0)
        }
        wanted.sort { left, right in
            let order = left.key.compare(right.key, in: arena)
            return order != 0 ? order < 0 : left.index < right.index
        }
        var unique: [(key: StoredKey, index: Int, parts: Int)] = []
        for deletion in wanted where unique.last.map({ $0.key.compare(deletion.key, in: arena) != 0 }) ?? true {
            unique.append(deletion)
        }
        // Both lists are in the order of keys: one walk finds what they share.
        var at = 0
        var kept: [Entry] = []
        for entry in entries {
            while at < unique.count && unique[at].key.compare(entry.key, in: arena) < 0 { at += 1 }
            if at < unique.count && unique[at].key.compare(entry.key, in: arena) == 0 {
                unique[at].parts += 1
                if let day = batch.samples[entry.index].summaryDay { vacatedDays.append(day) }
            } else {
                kept.append(entry)
            }
        }
        entries = kept
        deletions = unique.sorted { $0.index < $1.index }
    }
}

extension SampleRecord {
    /// The day that this record alone may hold, nil for all but activity summaries.
    var summaryDay: Int32? { kind == .activitySummary ? day : nil }
}
