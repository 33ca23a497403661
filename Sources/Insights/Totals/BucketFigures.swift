/// What was worked out for a bucket, before a rule is chosen.
struct BucketFigures: Equatable, Sendable {
    /// Of durations: seconds of the union of all sources.
    var union = ExactSum()
    /// Samples that begin in it and have no number in the unit of the type.
    var unconverted = 0
    /// By rank.
    var shares: [Share] = []

    /// Adds those of the bucket that follows, which has the same ranks.
    mutating func append(_ other: BucketFigures, isFirst: Bool, ranks: [Int64: Int]) {
        union.add(other.union)
        unconverted += other.unconverted
        for share in other.shares {
            if let index = shares.firstIndex(where: { $0.source == share.source }) {
                shares[index].append(share, isFirst: isFirst)
            } else {
                var new = Share(source: share.source)
                new.append(share, isFirst: isFirst)
                let rank = ranks[share.source] ?? .max
                shares.insert(new, at: shares.firstIndex { (ranks[$0.source] ?? .max) > rank } ?? shares.count)
            }
        }
    }

    /// The index of the share with the highest sum; of equal ones the first.
    var highest: Int? {
        var best: Int?
        for index in shares.indices where shares[index].touching > 0 {
            if best.map({ shares[index].alone.value > shares[$0].alone.value }) ?? true { best = index }
        }
        return best
    }

    /// Has only the source of that name count.
    mutating func choose(_ source: Int64?) {
        for index in shares.indices {
            shares[index].counted = shares[index].source == source ? shares[index].alone : ExactSum()
        }
    }

    func figures(_ kind: FigureKind) -> Figures {
        switch kind {
        case .sum:
            var sum = ExactSum()
            for share in shares { sum.add(share.counted) }
            return .sum(sum.value)
        case .duration: return .duration(seconds: union.value)
        case .arithmetic, .temporallyWeighted, .level:
            let minimum = shares.reduce(Double.infinity) { min($0, $1.minimum) }
            let maximum = shares.reduce(-Double.infinity) { max($0, $1.maximum) }
            var last: Share?
            for share in shares
            where last.map({ ($0.lastEnd, $0.lastStart) < (share.lastEnd, share.lastStart) }) ?? true {
                last = share
            }
            return .discrete(
                minimum: minimum, mean: max(minimum, min(maximum, Share.mean(shares, as: kind))), maximum: maximum,
                last: last?.last ?? 0)
        }
    }

    func value(of share: Share, _ kind: FigureKind) -> Double {
        switch kind {
        case .sum, .duration: share.alone.value
        case .arithmetic, .temporallyWeighted, .level: Share.mean([share], as: kind)
        }
    }
}
