import Samples
import Storage

/// In how many hours of each day a person stood, out of `apple_stand_hour`.
///
/// A category of the value `stood` (0) is an hour, by its start; `idle` (1) is none. Health Auto Export's counts are hours, too: those of an hour
/// or less one each at most, those of a day as many as they say; of a day the larger of both, and only where nobody tells single hours.
struct StandHours {
    /// Of one day.
    private struct Day {
        /// Hours, counted from 1970, that each source says.
        var hours: [Int: Set<Int64>] = [:]
        var counted: [Int: Set<Int64>] = [:]
        var sums: [Int: Double] = [:]
    }

    private var days: [Int: Day] = [:]

    /// - Parameter stood: false for an hour without: then the day is known, and the hour isn't one.
    mutating func add(day: Int, source: Int, start: Int64, stood: Bool) {
        if stood {
            days[day, default: Day()].hours[source, default: []].insert(Self.hour(start))
        } else {
            days[day, default: Day()].hours[source, default: []].formUnion([])
        }
    }

    /// - Parameter isLong: of more than an hour; what is more than one is so, too.
    mutating func add(day: Int, source: Int, count: Double, start: Int64, isLong: Bool) {
        guard count > 0 else { return }
        if isLong || count > 1 {
            days[day, default: Day()].sums[source, default: 0] = max(days[day]?.sums[source] ?? 0, min(count, 25))
        } else {
            days[day, default: Day()].counted[source, default: []].insert(Self.hour(start))
        }
    }

    private static func hour(_ start: Int64) -> Int64 {
        let (quotient, remainder) = start.quotientAndRemainder(dividingBy: 3_600_000_000)
        return remainder < 0 ? quotient - 1 : quotient
    }

    var known: [Int] { Array(days.keys) }

    /// The hours of all sources together, and what each has and adds of its own; nil when nothing is known.
    func hours(of day: Int) -> (computed: Double, shares: [(source: Int, value: Double, counted: Double)])? {
        guard let day = days[day] else { return nil }
        let told = day.hours.isEmpty ? day.counted : day.hours
        if day.hours.isEmpty, let sum = day.sums.values.max(), sum >= Double(Self.union(told.values).count) {
            let shares = day.sums.map { (source: $0.key, value: $0.value, counted: $0.value == sum ? sum : 0) }
            return (sum, shares.sorted { $0.source < $1.source })
        }
        let all = Self.union(told.values)
        let shares = told.map { source, hours in
            let others = Self.union(told.filter { $0.key != source }.values)
            return (source: source, value: Double(hours.count), counted: Double(hours.subtracting(others).count))
        }
        return (Double(all.count), shares.sorted { $0.source < $1.source })
    }

    private static func union(_ sets: some Collection<Set<Int64>>) -> Set<Int64> {
        sets.reduce(into: []) { $0.formUnion($1) }
    }
}
