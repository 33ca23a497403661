/// Stretches of time without overlap, in order.
struct IntervalUnion {
    private var intervals: [(from: Int64, to: Int64)] = []

    /// Adds a stretch.
    ///
    /// - Parameter isInOrder: none that comes later begins before this one, so that only the last has to be remembered.
    /// - Returns: how much of it is new.
    mutating func add(_ from: Int64, _ to: Int64, isInOrder: Bool) -> Int64 {
        guard from < to else { return 0 }
        // The first that ends at or behind the begin, and the first that begins behind the end.
        let first = index { $0.to < from }
        var end = first, old: Int64 = 0, low = from, high = to
        while end < intervals.count, intervals[end].from <= to {
            let one = intervals[end]
            old += max(0, min(to, one.to) - max(from, one.from))
            (low, high) = (min(low, one.from), max(high, one.to))
            end += 1
        }
        intervals.replaceSubrange(first..<end, with: [(low, high)])
        if isInOrder { intervals.removeFirst(intervals.count - 1) }
        return to - from - old
    }

    private func index(where isBefore: ((from: Int64, to: Int64)) -> Bool) -> Int {
        if intervals.last.map(isBefore) ?? true { return intervals.count }
        var low = 0, high = intervals.count
        while low < high {
            let middle = (low + high) / 2
            if isBefore(intervals[middle]) { low = middle + 1 } else { high = middle }
        }
        return low
    }
}
