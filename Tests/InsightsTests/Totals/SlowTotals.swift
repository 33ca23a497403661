import Foundation
import Samples

@testable import Insights

/// The rules of docs/totals.md done minute by minute, with nothing clever: what the fast way is compared with.
final class SlowTotals {
    let zone: TimeZone
    let samples: [TotalsSample]
    private var offsets: [Int: Int] = [:], hours: [Int: Int] = [:]

    init(_ zoneName: String, _ samples: [TotalsSample]) {
        zone = TimeZone(identifier: zoneName)!
        self.samples = samples
    }

    struct Expected {
        var sum = 0.0
        var alone: [Int: Double] = [:]
        var counted: [Int: Double] = [:]
        var union: Set<Int> = []
        var minimum = Double.infinity, maximum = -Double.infinity
        var weighted = 0.0, weight = 0.0
        var samples = 0
    }

    func offset(_ minute: Int) -> Int {
        if let known = offsets[minute] { return known }
        let offset = zone.secondsFromGMT(for: Date(timeIntervalSince1970: Double(minute) * 60)) / 60
        offsets[minute] = offset
        return offset
    }

    static func floor(_ value: Int, _ divisor: Int) -> Int {
        value >= 0 ? value / divisor : -((-value + divisor - 1) / divisor)
    }

    func day(_ minute: Int) -> Int { Self.floor(minute + offset(minute), 1_440) }

    /// The first minute of the hour that the zone's clocks show, or of the part of it since they changed.
    func hour(_ minute: Int) -> Int {
        if let known = hours[minute] { return known }
        var first = minute
        while offset(first - 1) == offset(minute)
            && Self.floor(first - 1 + offset(minute), 60) == Self.floor(minute + offset(minute), 60)
        {
            first -= 1
        }
        hours[minute] = first
        return first
    }

    /// Which bucket a minute of a sample belongs to: a day's number, or an hour's first minute.
    func bucket(_ sample: TotalsSample, _ minute: Int, byHour: Bool) -> Int {
        guard let own = sample.offset, own != offset(sample.start) else { return byHour ? hour(minute) : day(minute) }
        if !byHour { return Self.floor(minute + own, 1_440) }
        let shown = Self.floor(minute + own, 60)
        var first = (shown * 60) - 15 * 60
        while Self.floor(first + offset(first), 60) < shown { first += 1 }
        return hour(first)
    }

    /// The minutes of each sample that aren't left out for others. A moment has the minute that it begins.
    lazy var allowed: [[Int]] = findAllowed()

    private func findAllowed() -> [[Int]] {
        func minutes(_ sample: TotalsSample) -> [Int] {
            sample.length == 0 ? [sample.start] : Array(sample.start..<sample.end)
        }
        var nativeDays: Set<Int> = []
        var finest: [Int: UInt8] = [:]
        for sample in samples {
            for minute in minutes(sample) {
                if sample.isNative {
                    nativeDays.insert(day(minute))
                } else {
                    finest[minute] = min(finest[minute] ?? 255, sample.grain.rawValue)
                }
            }
        }
        let covered = nativeDays.union(nativeDays.filter { nativeDays.contains($0 + 2) }.map { $0 + 1 })
        var coarseDays: [Int: UInt8] = [:]
        for (minute, grain) in finest {
            let day = day(minute)
            coarseDays[day] = min(coarseDays[day] ?? 255, grain)
        }
        return samples.map { sample in
            let all = minutes(sample)
            if sample.isNative { return all }
            let isWhole = sample.grain.rawValue < Grain.week.rawValue && sample.length <= 26 * 60
            if sample.grain != .raw && isWhole && all.contains(where: { finest[$0]! < sample.grain.rawValue }) {
                return []
            }
            return all.filter { minute in
                let day = day(minute)
                if covered.contains(day) { return false }
                return sample.grain == .raw || isWhole || coarseDays[day]! >= sample.grain.rawValue
            }
        }
    }

    func figures(byHour: Bool, _ kind: FigureKind = .sum) -> [Int: Expected] {
        var found: [Int: Expected] = [:]
        var intervals: [Int: Int] = [:], moments: [Int: Int] = [:]  // the highest source of each minute
        for (sample, minutes) in zip(samples, allowed) {
            for minute in minutes {
                if sample.length > 0 {
                    intervals[minute] = min(intervals[minute] ?? 99, sample.source)
                } else {
                    moments[minute] = min(moments[minute] ?? 99, sample.source)
                }
            }
        }
        for (sample, minutes) in zip(samples, allowed) {
            var touched: Set<Int> = []
            for minute in minutes {
                let bucket = bucket(sample, minute, byHour: byHour)
                touched.insert(bucket)
                let highest =
                    sample.length > 0
                    ? intervals[minute]! : min(moments[minute]!, intervals[minute] ?? 99)
                let part = 1 / Double(max(1, sample.length))
                let value = sample.value * part
                found[bucket, default: Expected()].alone[sample.source, default: 0] += value
                if highest == sample.source {
                    found[bucket]!.sum += value
                    found[bucket]!.counted[sample.source, default: 0] += value
                }
                if sample.length > 0 { found[bucket]!.union.insert(minute) }
                found[bucket]!.minimum = min(found[bucket]!.minimum, sample.value)
                found[bucket]!.maximum = max(found[bucket]!.maximum, sample.value)
                let weight = kind == .arithmetic ? part : part * max(1, Double(sample.length) * 60)
                found[bucket]!.weighted += weight * (kind == .level ? pow(10, sample.value / 10) : sample.value)
                found[bucket]!.weight += weight
            }
            for bucket in touched { found[bucket]!.samples += 1 }
        }
        return found
    }
}
