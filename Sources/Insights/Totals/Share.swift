import Samples

/// What one source has in one bucket. Shares of days add up to those of weeks, months and years.
struct Share: Equatable, Sendable {
    /// A row of `source`, 0 for none.
    var source: Int64
    /// Samples that begin in the bucket, and those that began before it.
    var samples = 0
    var carried = 0
    /// Of cumulative types: all it has, and what of it counts. Of durations the seconds of its union, in both.
    var alone = ExactSum()
    var counted = ExactSum()
    /// Of discrete types.
    var minimum = Double.infinity
    var maximum = -Double.infinity
    /// Sum of weights times values (of levels: of what they are the logarithm of), and of weights.
    var weighted = ExactSum()
    var weight = ExactSum()
    var last = 0.0
    /// The end and start of the sample that `last` is of, cut to the bucket.
    var lastEnd = Int64.min
    var lastStart = Int64.min

    init(source: Int64) { self.source = source }

    var touching: Int { samples + carried }

    /// Adds a piece of a discrete sample.
    ///
    /// - Parameter length: of the whole sample, microseconds.
    mutating func add(_ row: TotalsRow, from: Int64, to: Int64, as kind: FigureKind) {
        minimum = min(minimum, row.minimum)
        maximum = max(maximum, row.maximum)
        let part = row.length == 0 ? 1 : Double(to - from) / Double(row.length)
        // What has no length, or less, weighs as one second.
        let weight = kind == .arithmetic ? part : part * max(1, Double(row.length) / 1e6)
        weighted.add(weight * Self.summand(row.value, kind))
        self.weight.add(weight)
        if (to, row.start) >= (lastEnd, lastStart) {
            (last, lastEnd, lastStart) = (row.value, to, row.start)
        }
    }

    /// Adds the same source's share of the bucket that follows.
    ///
    /// - Parameter isFirst: whether the other is the first part of this bucket, so that what was carried into it is
    ///   carried into this one.
    mutating func append(_ other: Share, isFirst: Bool) {
        samples += other.samples
        if isFirst { carried += other.carried }
        alone.add(other.alone)
        counted.add(other.counted)
        minimum = min(minimum, other.minimum)
        maximum = max(maximum, other.maximum)
        weighted.add(other.weighted)
        weight.add(other.weight)
        if other.lastEnd > .min {
            (last, lastEnd, lastStart) = (other.last, other.lastEnd, other.lastStart)
        }
    }

    /// The mean of shares together; 0 when nothing has weight.
    static func mean(_ shares: [Share], as kind: FigureKind) -> Double {
        var weighted = ExactSum(), weight = ExactSum()
        for share in shares {
            weighted.add(share.weighted)
            weight.add(share.weight)
        }
        guard weight.value > 0 else { return 0 }
        let mean = weighted.value / weight.value
        return kind == .level ? 10 * logarithm10(mean) : mean
    }

    /// A level in decibel stands for ten to the power of a tenth of it; past what a room can have nothing is told apart.
    private static func summand(_ value: Double, _ kind: FigureKind) -> Double {
        kind == .level ? power10(max(-1_000, min(1_000, value)) / 10) : value
    }
}
