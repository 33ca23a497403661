/// The keys that one request has brought so far, as 64 bits each: whether a slot's earlier members are of this request.
///
/// Bounded: 8 bytes a key, at most `capacity` keys. Past it nothing more is noted, and `isFull` says so.
struct TouchedKeys {
    /// 8 MiB, twice that for a moment. A body of 128 MiB as real senders print it has fewer points.
    static let capacity = 1 << 20

    /// Sorted, each at least twice as long as the next.
    private var runs: [[UInt64]] = []
    private(set) var count = 0
    private(set) var isFull = false

    func contains(_ key: UInt64) -> Bool { runs.contains { Self.find(key, in: $0) } }

    /// Adds the keys of one slice.
    mutating func insert(_ keys: [UInt64]) {
        var run = keys.sorted()
        var kept = 0
        for key in run where (kept == 0 || run[kept - 1] != key) && !contains(key) {
            run[kept] = key
            kept += 1
        }
        run.removeLast(run.count - kept)
        if count + run.count > Self.capacity {
            isFull = true
            run.removeLast(count + run.count - Self.capacity)
        }
        if run.isEmpty { return }
        count += run.count
        while let last = runs.last, last.count < 2 * run.count {
            runs.removeLast()
            run = Self.merged(last, run)
        }
        runs.append(run)
    }

    private static func merged(_ left: [UInt64], _ right: [UInt64]) -> [UInt64] {
        var result: [UInt64] = []
        result.reserveCapacity(left.count + right.count)
        var at = 0
        for key in left {
            while at < right.count && right[at] < key {
                result.append(right[at])
                at += 1
            }
            result.append(key)
        }
        result.append(contentsOf: right[at...])
        return result
    }

    /// Whether a sorted run has the key.
    static func find(_ key: UInt64, in run: [UInt64]) -> Bool {
        var low = 0, high = run.count
        while low < high {
            let middle = (low + high) / 2
            if run[middle] < key { low = middle + 1 } else { high = middle }
        }
        return low < run.count && run[low] == key
    }
}
