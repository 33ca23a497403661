package import Samples
package import Storage

/// How far an import is, and what it has found.
package struct ImportSummary: Sendable {
    package struct TypeCount: Sendable {
        package var samples = 0
        /// `Timestamp.none` while no sample has a start.
        package var first = Timestamp.none
        package var last = Timestamp.none
        package init() {}
    }

    /// Of the file; of an archive what is compressed.
    package var totalBytes: Int
    package var readBytes = 0
    /// What came out of it: the XML of an archive.
    package var textBytes = 0
    /// Samples that were read; those of an earlier run that was interrupted are not.
    package var samples = 0
    package var types: [String: TypeCount] = [:]
    /// What was left out, by the reason in words.
    package var skipped: [String: Int] = [:]
    /// Elements that an earlier run had read.
    package var resumedAt = 0
    package var outcome = StoreOutcome()
    /// What is wrong with the file, where it could be read in part.
    package var damage: String?

    package init(totalBytes: Int) { self.totalBytes = totalBytes }

    package var skippedTotal: Int { skipped.values.reduce(0, +) }

    mutating func count(_ batch: SampleBatch) {
        samples += batch.samples.count
        var counts = Array(repeating: TypeCount(), count: batch.series.count)
        for record in batch.samples {
            let index = Int(record.series)
            counts[index].samples += 1
            guard record.start != .none else { continue }
            if counts[index].first == .none || record.start < counts[index].first { counts[index].first = record.start }
            if record.start > counts[index].last { counts[index].last = record.start }
        }
        for (index, count) in counts.enumerated() where count.samples > 0 {
            let name = String(decoding: batch.text(batch.series[index].type), as: UTF8.self)
            var sum = types[name] ?? TypeCount()
            sum.samples += count.samples
            if count.first != .none, sum.first == .none || count.first < sum.first { sum.first = count.first }
            if count.last > sum.last { sum.last = count.last }
            types[name] = sum
        }
    }

    mutating func skip(_ reason: String, _ count: Int = 1) {
        if count > 0 { skipped[reason, default: 0] += count }
    }
}
