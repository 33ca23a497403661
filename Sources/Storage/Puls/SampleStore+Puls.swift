import Samples

/// Samples of PulsHealth: the first under a uuid stays, and only this dialect's own rows are known, counted and deleted.
///
/// A row that another dialect left under the same uuid and in the same device is the same sample of Apple Health; the
/// line takes its place, so that it is there once, and in what this sender is told.
extension SampleStore {
    /// Leaves out of a batch the lines whose sample is known, and makes place for those that another dialect has.
    ///
    /// - Parameter seen: uuids of this request's earlier lines.
    /// - Returns: lines that came, and those that are left.
    func keepNew(
        _ batch: inout SampleBatch, from origin: SampleOrigin, seen: inout Set<UUIDBits>
    ) throws(StoreError) -> (lines: Int, kept: Int) {
        let ids = try BatchIDs(batch, device: origin.device, dictionaries)
        var lines = 0, kept = 0, rest = 0
        for index in batch.samples.indices {
            let record = batch.samples[index]
            if case .uuid(let high, let low) = record.key {
                lines += 1
                let uuid = UUIDBits(high: high, low: low)
                if !seen.insert(uuid).inserted { continue }
                if try isKnown(uuid, part: Int64(record.part), near: ids.place(of: record), origin) { continue }
                kept += 1
            }
            batch.samples[rest] = record
            rest += 1
        }
        batch.samples.removeLast(batch.samples.count - rest)
        return (lines, kept)
    }

    /// - Parameter place: where the row would go: a repeat is there, and is found without a look at the random keys.
    private func isKnown(
        _ uuid: UUIDBits, part: Int64, near place: SamplePlace, _ origin: SampleOrigin
    ) throws(StoreError) -> Bool {
        try withKey(uuid) { (key) throws(StoreError) -> Bool in
            if try rows.dialect(place, key, part: part) == origin.dialect { return true }
            guard let found = try keys.find(device: origin.device, key, part: part) else { return false }
            if try rows.dialect(found, key, part: part) == origin.dialect { return true }
            _ = try removeRow(key, part: part, at: found, device: origin.device)
            return false
        }
    }

    /// Deletes what this dialect has under a uuid.
    ///
    /// - Parameter type: what the sender calls it; nil takes the row's own.
    /// - Returns: rows that went.
    func delete(_ uuid: UUIDBits, type: [UInt8]?, from origin: SampleOrigin) throws(StoreError) -> Int {
        try withKey(uuid) { (key) throws(StoreError) -> Int in
            var removed = 0
            var typeID: Int64 = 0
            for (part, place) in try keys.parts(device: origin.device, key) {
                guard try rows.dialect(place, key, part: part) == origin.dialect,
                    let former = try removeRow(key, part: part, at: place, device: origin.device)
                else { continue }
                removed += 1
                typeID = former.type
            }
            if removed == 0 { return 0 }
            if let type { typeID = try dictionaries.text(type) }
            let previous = try deletionLines.set(key, type: typeID, parts: removed, origin)
            ledger.deletionLine(delivery: origin.delivery, previous: previous)
            return removed
        }
    }

    /// The key lies in `scratch`: nothing else may ask for one while `body` runs.
    private func withKey<Result>(
        _ uuid: UUIDBits, _ body: (BoundKey) throws(StoreError) -> Result
    ) throws(StoreError) -> Result {
        let arena = unsafe PinnedArena(UnsafeBufferPointer(start: nil, count: 0), scratch: scratch.bytes)
        return try body(arena.key(StoredKey(.uuid(high: uuid.high, low: uuid.low), in: [])))
    }
}
