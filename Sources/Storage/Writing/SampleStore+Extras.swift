import Samples

extension SampleStore {
    /// Stores a batch of a sender with rules of its own.
    func apply(
        _ batch: SampleBatch, _ extras: BatchExtras, from origin: SampleOrigin
    ) throws(StoreError) -> StoreOutcome {
        var plain = batch
        plain.extras = nil
        switch extras {
        case .relay(let extras):
            var (settled, outcome) = try relayDays.settle(plain, extras, origin)
            outcome += try apply(settled, from: origin)
            return outcome
        case .steps:
            let updated = try news(in: plain, origin)
            var outcome = try apply(plain, from: origin)
            outcome.updated = updated
            return outcome
        case .puls:
            return try apply(plain, from: origin)
        case .imported:
            return try apply(batch, from: origin)  // what an import skips is settled there
        }
    }

    /// How many samples have another value than what is stored under their keys. A row that only moves, since the
    /// endpoint has another time zone now, is none of them.
    private func news(in batch: SampleBatch, _ origin: SampleOrigin) throws(StoreError) -> Int {
        var count = 0
        for record in batch.samples {
            let row = try merger.rows.part(device: origin.device, KeyBytes(record.key, in: batch), Int64(record.part))
            if row?.value != record.value { count += 1 }
        }
        return count
    }
}
