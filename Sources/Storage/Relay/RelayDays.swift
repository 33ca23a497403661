import Samples

/// Which push owns a day, and what it brought for it: the statements on `relay_day`.
final class RelayDays {
    private struct Owner {
        var exportedAt: Int64
        var keys: [UInt8]
        var endpoint: Int64
    }

    private static let keyBytes = 16
    private let rows: MergeRows
    private let read, write: Statement

    init(_ connection: Connection, _ rows: MergeRows) throws(StoreError) {
        self.rows = rows
        read = try connection.prepare(
            "SELECT exported_at, keys, endpoint FROM relay_day WHERE device = ?1 AND day = ?2")
        write = try connection.prepare(
            """
            INSERT INTO relay_day (device, day, exported_at, keys, endpoint) VALUES (?1, ?2, ?3, ?4, ?5)
              ON CONFLICT (device, day) DO UPDATE SET
                exported_at = excluded.exported_at, keys = excluded.keys, endpoint = excluded.endpoint
            """)
    }

    /// Gives the push the days that no newer one owns, and takes away what it no longer has for them; no line of
    /// `deletions` tells of that, since the sender names nothing that went.
    ///
    /// - Returns: the samples of those days, to be stored as any others, and the counts so far: rows that went as
    ///   `deleted`, days of newer pushes as `guarded`, what the push had for them as `skipped`.
    func settle(
        _ batch: SampleBatch, _ extras: RelayExtras, _ origin: SampleOrigin
    ) throws(StoreError) -> (batch: SampleBatch, outcome: StoreOutcome) {
        var settled = batch
        settled.extras = nil
        settled.samples = []
        var outcome = StoreOutcome()
        for day in extras.days {
            let owner = try owner(device: origin.device, day: day.day)
            if let owner, owner.exportedAt > extras.exportedAt.microseconds {
                outcome.guarded += 1
                outcome.skipped += day.samples.count
                continue
            }
            let samples = batch.samples[day.samples]
            settled.samples += samples
            var keys: [UInt8] = []
            keys.reserveCapacity(samples.count * Self.keyBytes)
            for sample in samples { keys += KeyBytes(sample.key, in: batch).bytes }
            if let owner {
                if owner.keys != keys { outcome.deleted += try remove(owner.keys, butNot: keys, origin) }
                if owner.keys == keys && owner.exportedAt == extras.exportedAt.microseconds
                    && owner.endpoint == origin.endpoint
                {
                    continue
                }
            }
            write.bind(1, origin.device)
            write.bind(2, Int64(day.day))
            write.bind(3, extras.exportedAt.microseconds)
            write.bind(4, blob: keys)
            write.bind(5, origin.endpoint)
            try write.run()
        }
        return (settled, outcome)
    }

    private func owner(device: Int64, day: Int32) throws(StoreError) -> Owner? {
        read.bind(1, device)
        read.bind(2, Int64(day))
        guard try read.step() else { return nil }
        defer { read.reset() }
        return Owner(exportedAt: read.integer(0), keys: read.bytes(1), endpoint: read.integer(2))
    }

    /// - Returns: how many rows were there and went.
    private func remove(
        _ keys: [UInt8], butNot kept: [UInt8], _ origin: SampleOrigin
    ) throws(StoreError) -> Int {
        let kept = Set(Self.split(kept))
        var removed = 0
        for key in Self.split(keys) where !kept.contains(key) {
            guard let row = try rows.part(device: origin.device, KeyBytes(isUUID: true, bytes: Array(key)), 0) else {
                continue
            }
            try rows.remove(row, device: origin.device)
            removed += 1
        }
        return removed
    }

    private static func split(_ keys: [UInt8]) -> [ArraySlice<UInt8>] {
        stride(from: 0, to: keys.count / keyBytes * keyBytes, by: keyBytes).map { keys[$0..<$0 + keyBytes] }
    }
}
