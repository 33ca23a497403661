import Glibc
import Receiver
import Samples
import Storage
import Threads

/// Rows a second of a store that grows: batches of fresh uuids whose times move on, one transaction each.
///
/// `bench store [--rows N,N,…] [--keep DIR]`: measures around each number of rows, then how long a reopened store takes for its
/// first batch, and deletions and moved samples at the end.
enum StoreGrowth {
    static let batchRows = 5_000
    private static let measuredBatches = 40

    struct Point {
        var rows: Int
        var rowsPerSecond: Double
        var medianMS: Double
        var longestMS: Double
        var bytesPerRow: Double
        var residentMB: Double
        /// Of the whole process, the making of batches included.
        var cpuMicrosecondsPerRow: Double

        var json: String {
            """
            {"rows":\(rows),"rows_per_second":\(rowsPerSecond),"median_ms":\(medianMS),"longest_ms":\(longestMS),\
            "bytes_per_row":\(bytesPerRow),"resident_mb":\(residentMB),"cpu_us_per_row":\(cpuMicrosecondsPerRow)}
            """
        }
    }

    static func run(_ arguments: [String]) throws {
        var sizes = [200_000, 1_000_000], kept: String?
        var rest = arguments[...]
        while let argument = rest.popFirst() {
            switch argument {
            case "--rows": sizes = (rest.popFirst() ?? "").split(separator: ",").compactMap { Int($0) }.sorted()
            case "--keep": kept = rest.popFirst()
            default: break
            }
        }
        let temporary = kept == nil ? try TemporaryFolder() : nil
        let path = kept ?? temporary?.path ?? ""
        var points: [Point] = []
        var samples = Batches(seed: 1)
        var store = try Store.open(directory: path)
        var rows = 0
        for size in sizes {
            let target = size - measuredBatches * batchRows
            while rows < target {
                try write(samples.next(batchRows), store)
                rows += batchRows
            }
            var times: [Double] = []
            let start = ServerClock.system.monotonicMicroseconds(), cpu = clock()
            for _ in 0..<measuredBatches {
                let batch = samples.next(batchRows)
                let before = ServerClock.system.monotonicMicroseconds()
                try write(batch, store)
                times.append(Double(ServerClock.system.monotonicMicroseconds() - before) / 1_000)
                rows += batchRows
            }
            let seconds = Double(ServerClock.system.monotonicMicroseconds() - start) / 1_000_000
            times.sort()
            var status = stat()
            _ = unsafe stat("\(path)/health.db", &status)
            points.append(
                Point(
                    rows: rows, rowsPerSecond: Double(measuredBatches * batchRows) / seconds,
                    medianMS: times[times.count / 2], longestMS: times[times.count - 1],
                    bytesPerRow: Double(status.st_size) / Double(rows), residentMB: residentMB(),
                    cpuMicrosecondsPerRow: Double(clock() - cpu) / Double(measuredBatches * batchRows)))
            print(points[points.count - 1].json)
            _ = fflush(nil)
        }
        print(#"{"longest_upkeep_ms":\#(Double(store.counters.longestUpkeepMicroseconds) / 1_000)}"#)
        let last = samples.next(batchRows)
        try write(last, store)
        store.close()
        store = try Store.open(directory: path)
        print(#"{"open_resident_mb":\#(residentMB())}"#)
        try time("first_batch_ms") { try write(samples.next(batchRows), store) }
        try time("next_batch_ms") { try write(samples.next(batchRows), store) }
        try time("repeat_batch_ms") { try write(last, store) }
        var moved = last
        for index in moved.samples.indices { moved.samples[index].start.microseconds -= 500_000 }
        try time("move_batch_ms") { try write(moved, store) }
        var deleted = SampleBatch()
        for sample in moved.samples { deleted.deletions.append(DeletionRecord(key: sample.key, type: -1)) }
        try time("delete_batch_ms") { try write(deleted, store) }
        print(#"{"resident_mb":\#(residentMB())}"#)
        store.close()
    }

    private static func time(_ name: String, _ body: () throws -> Void) rethrows {
        let start = ServerClock.system.monotonicMicroseconds()
        try body()
        print(#"{"\#(name)":\#(Double(ServerClock.system.monotonicMicroseconds() - start) / 1_000)}"#)
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

    /// Of this process: the second number of `/proc/self/statm`, in pages.
    private static func residentMB() -> Double {
        guard let file = unsafe fopen("/proc/self/statm", "r") else { return 0 }
        defer { unsafe _ = fclose(file) }
        var bytes = [UInt8](repeating: 0, count: 128)
        let count = unsafe fread(&bytes, 1, bytes.count, file)
        let fields = String(decoding: bytes[..<count], as: UTF8.self).split(separator: " ")
        return fields.count > 1 ? Double((Int(fields[1]) ?? 0) * 4_096) / 1_048_576 : 0
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
