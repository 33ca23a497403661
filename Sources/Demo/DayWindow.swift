/// From one morning to the next: what a day's samples are made in.
struct DayWindow {
    let plan: DayPlan
    let start: Int64
    let end: Int64
    var random: DemoRandom
    /// When the watch measures nothing: on the charger, in repair, on the bedside table.
    let watchOff: [Range<Int64>]
    /// In bed at night.
    let night: Range<Int64>

    init(_ plan: DayPlan, until end: Int64, seed: UInt64) {
        self.plan = plan
        start = plan.wake
        self.end = max(end, plan.bed + 3_600)
        random = DemoRandom(seed: seed, day: plan.index, stream: 2)
        // Before a flight to the west the next morning is far away.
        let length = Int64(random.around(28_800, 1_500))
        night = plan.bed..<min(end, plan.bed + length)
        var off = plan.charging.filter { !$0.isEmpty }
        if !plan.hasWatch {
            off = [start..<self.end]
        } else if !plan.wearsWatchAtNight {
            off.append(plan.bed..<self.end)
        }
        watchOff = off
    }

    func isWatchOn(_ range: Range<Int64>) -> Bool { !watchOff.contains { $0.overlaps(range) } }

    /// How long the watch keeps a sample before the phone has it.
    mutating func lag() -> Int64 { Int64(random.int(60...900)) }

    /// `range` without the times in `others`, which are in the order of time.
    static func gaps(in range: Range<Int64>, without others: [Range<Int64>]) -> [Range<Int64>] {
        var found: [Range<Int64>] = [], next = range.lowerBound
        for other in others where other.overlaps(range) {
            if other.lowerBound > next { found.append(next..<other.lowerBound) }
            next = max(next, other.upperBound)
        }
        if next < range.upperBound { found.append(next..<range.upperBound) }
        return found
    }

    /// Lengths whose sum is `total`, each a power of two from `least` to `most`; what is less than `least` is left over.
    static func powersOfTwo(_ total: Int, least: Int, most: Int) -> [Int] {
        var lengths: [Int] = [], rest = total, length = most
        while length >= least {
            while rest >= length {
                lengths.append(length)
                rest -= length
            }
            length /= 2
        }
        return lengths
    }
}
