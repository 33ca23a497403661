import Glibc
import Receiver
import Samples
import Storage
import Threads

/// Rows a second of a store that grows: batches of fresh uuids whose times move on, one transaction each; then what a
/// reopened store takes for its first batch, for a batch that is there already, for moved samples and for deletions.
///
/// The store is as durable as `server serve` has it.
enum StoreGrowth {
    static let defaultSizes = [200_000, 1_000_000]
    private static let batchRows = 5_000
    private static let measuredBatches = 40

    /// - Parameter sizes: of the store, in rows, at the end of each stretch that is measured.
    static func run(sizes: [Int]) throws -> [Section] {
        let folder = try TemporaryFolder()
        var samples = Batches(seed: 1), findings: [Finding] = []
        let store = try Store.open(directory: folder.path)
        var rows = 0
        for size in sizes.sorted() {
            while rows < size - measuredBatches * batchRows {
                try write(samples.next(batchRows), store)
                rows += batchRows
            }
            findings.append(try measure(store, &samples, &rows, folder: folder.path))
        }
        let upkeep = Double(store.counters.longestUpkeepMicroseconds) / 1_000
        let last = samples.next(batchRows)
        try write(last, store)
        store.close()
        return [
            Section(title: "store, growing", findings: findings),
            try reopened(&samples, last: last, upkeepMS: upkeep, folder: folder.path),
        ]
    }

    private static func measure(
        _ store: Store, _ samples: inout Batches, _ rows: inout Int, folder: String
    ) throws -> Finding {
        var times: [Double] = []
        let cpu = clock()
        for _ in 0..<measuredBatches {
            let batch = samples.next(batchRows)
            times.append(try milliseconds { try write(batch, store) })
            rows += batchRows
        }
        let written = Double(measuredBatches * batchRows), sorted = Times(times)
        var status = stat()
        _ = unsafe stat("\(folder)/health.db", &status)
        return Finding(
            name: "\(rows) rows",
            figures: [
                Figure("rows_per_second", written / times.reduce(0, +) * 1_000),
                Figure("p50_ms", sorted.median, decimals: 2), Figure("max_ms", sorted.longest, decimals: 2),
                Figure("bytes_per_row", Double(status.st_size) / Double(rows), decimals: 1),
                // Of the whole process, the making of batches included.
                Figure("cpu_us_per_row", Double(clock() - cpu) / written, decimals: 2),
                Figure("resident_mib", PeakMemory.mebibytes("VmRSS:"), decimals: 1),
            ])
    }

    private static func reopened(
        _ samples: inout Batches, last: SampleBatch, upkeepMS: Double, folder: String
    ) throws -> Section {
        let store = try Store.open(directory: folder)
        defer { store.close() }
        let resident = PeakMemory.mebibytes("VmRSS:")
        let first = samples.next(batchRows), next = samples.next(batchRows)
        var moved = last, deleted = SampleBatch()
        for index in moved.samples.indices { moved.samples[index].start.microseconds -= 500_000 }
        for sample in moved.samples { deleted.deletions.append(DeletionRecord(key: sample.key, type: -1)) }
        let batches = [first, next, last, moved, deleted]
        let names = ["first_batch_ms", "next_batch_ms", "repeated_batch_ms", "moved_batch_ms", "deleted_batch_ms"]
        let figures = try zip(names, batches).map { name, batch in
            Figure(name, try milliseconds { try write(batch, store) }, decimals: 1)
        }
        return Section(
            title: "store, opened again",
            findings: [
                Finding(
                    name: "batches of \(batchRows)",
                    figures: figures + [
                        Figure("resident_mib", resident, decimals: 1),
                        Figure("longest_upkeep_ms", upkeepMS, decimals: 1),
                    ])
            ])
    }

    private static func milliseconds(_ body: () throws -> Void) rethrows -> Double {
        let start = ServerClock.system.monotonicMicroseconds()
        try body()
        return Double(ServerClock.system.monotonicMicroseconds() - start) / 1_000
    }

    private static func write(_ batch: SampleBatch, _ store: Store) throws {
        let slot = Monitor(Swift.Result<StoreOutcome, StoreFault>?.none)
        store.submit(
            Submission(
                receivedAt: Timestamp(microseconds: 1_791_961_500_000_000), endpoint: "bench", person: "me",
                device: Array("d_bench".utf8), deliveryID: nil, kind: .data, dialect: .native, bodyBytes: 1_000,
                status: 204, content: .batch(batch))
        ) { result in slot.withLock { $0 = result } }
        guard case .success = slot.wait(milliseconds: 600_000, for: { $0 }) else { throw BenchError.refused("store") }
    }
}

/// Batches of quantity samples of six types, as decoders make them.
struct Batches {
    private var random: SplitMix
    private var second: Int64 = 1_500_000_000

    init(seed: UInt64) { random = SplitMix(state: seed) }

    mutating func next(_ count: Int) -> SampleBatch {
        var batch = SampleBatch()
        let types = [
            "heart_rate", "steps", "active_energy_burned", "distance_walking_running", "mass", "oxygen_saturation",
        ]
        let series = types.map { type in
            let name = batch.intern(Array(type.utf8)), unit = batch.intern(Array("count/min".utf8))
            return batch.series(type: name, unit: unit)
        }
        let app = batch.intern(Array("com.apple.health".utf8)), device = batch.intern(Array("Apple Watch".utf8))
        let source = batch.source(app: app, device: device)
        batch.samples.reserveCapacity(count)
        for _ in 0..<count {
            second += Int64(random.next() % 28) + 1
            let kind = Int(random.next() % UInt64(types.count))
            let end = second + Int64(random.next() % 600)
            batch.samples.append(
                SampleRecord(
                    key: .uuid(high: random.next(), low: random.next()),
                    start: Timestamp(microseconds: second * 1_000_000), end: Timestamp(microseconds: end * 1_000_000),
                    value: Double(random.next() % 100_000) / 100, series: series[kind], source: source, valueName: -1,
                    part: 0, day: nil, utcOffsetMinutes: nil, kind: .quantity, spelled: [], merge: .replace,
                    grain: .raw, rest: .empty))
        }
        return batch
    }
}
