import Foundation
import Samples
import Testing

@testable import Insights

/// A change of the clocks, or a plain day.
struct ClockCase: Sendable, CustomTestStringConvertible {
    var zoneName: String
    /// A day at about the change.
    var date: CivilDate
    var index: Int

    var testDescription: String { "\(zoneName) \(date.year)-\(date.month)-\(date.day)" }
    var minute: Int { date.daysSince1970 * 1_440 }

    static let all = [
        ("Europe/Berlin", 2026, 10, 25), ("Europe/Berlin", 2026, 3, 29), ("America/New_York", 2026, 11, 1),
        ("America/New_York", 2026, 3, 8), ("Australia/Lord_Howe", 2026, 4, 4), ("Australia/Lord_Howe", 2026, 10, 3),
        ("UTC", 2026, 10, 14), ("Asia/Kolkata", 2026, 10, 14),
    ].enumerated().map { index, one in
        ClockCase(zoneName: one.0, date: CivilDate(year: one.1, month: one.2, day: one.3), index: index)
    }
}

struct BucketReferenceTests {
    static func isNear(_ left: Double, _ right: Double) -> Bool {
        abs(left - right) <= 1e-9 * max(1, abs(left), abs(right))
    }

    static func expectEqual(
        _ found: BucketSeries, _ expected: [Int: SlowTotals.Expected], _ slow: SlowTotals, _ kind: FigureKind,
        byHour: Bool, _ comment: Comment
    ) {
        #expect(found.buckets.count == expected.count, comment)
        for bucket in found.buckets {
            let minute = Int(bucket.start.microseconds / 60_000_000)
            let key = byHour ? minute : slow.day(minute)
            guard let wanted = expected[key] else {
                Issue.record("no bucket at \(bucket.start.text) expected, \(comment)")
                continue
            }
            #expect(bucket.samples == wanted.samples, "\(comment) \(bucket.start.text)")
            switch bucket.figures {
            case .sum(let sum): #expect(isNear(sum, wanted.sum), "\(comment) \(bucket.start.text)")
            case .duration(let seconds):
                #expect(isNear(seconds, Double(wanted.union.count * 60)), "\(comment) \(bucket.start.text)")
            case .discrete(let minimum, let mean, let maximum, _):
                #expect(minimum == wanted.minimum && maximum == wanted.maximum, "\(comment) \(bucket.start.text)")
                var expected = wanted.weighted / wanted.weight
                if kind == .level { expected = 10 * log10(expected) }
                #expect(isNear(mean, expected), "\(comment) \(bucket.start.text)")
            }
            for share in bucket.sources where kind == .sum {
                let source = TotalsStore.sources.firstIndex(of: share.source)!
                #expect(isNear(share.value, wanted.alone[source] ?? 0), "\(comment) \(bucket.start.text) \(source)")
                #expect(isNear(share.counted, wanted.counted[source] ?? 0), "\(comment) \(bucket.start.text) \(source)")
            }
        }
    }

    static let types: [(type: String, kind: FigureKind, unit: String?)] = [
        ("steps", .sum, "count"), ("body_mass", .arithmetic, "kg"), ("heart_rate", .temporallyWeighted, "count/min"),
        ("headphone_audio_exposure", .level, "dBASPL"), ("mindful_session", .duration, nil),
    ]

    @Test("Sums, means and durations of random samples are those of the slow way", arguments: ClockCase.all)
    func random(clock: ClockCase) throws {
        for (number, mix) in RandomTotals.Mix.allCases.enumerated() {
            for (type, kind, unit) in [Self.types[0], Self.types[1 + clock.index % 4]] {
                let seed = UInt64(number * 1_000 + clock.date.month * 31 + clock.date.day)
                var random = RandomTotals(seed: seed, mix, clock.zoneName, center: clock.minute)
                let samples = random.samples(kind == .sum ? 70 : 30).map { sample in
                    var sample = sample
                    sample.unit = unit
                    if kind == .duration { sample.kind = .category }
                    return sample
                }
                let store = try TotalsStore(clock.zoneName, type: type)
                store.order = TotalsStore.sources
                try store.send(samples)
                let slow = SlowTotals(clock.zoneName, samples)
                for byHour in [false, true] {
                    let found = try store.buckets(byHour ? .hour : .day, withSources: true)
                    Self.expectEqual(
                        found, slow.figures(byHour: byHour, kind), slow, kind, byHour: byHour,
                        "seed \(seed) \(mix) \(type) \(byHour ? "hours" : "days")")
                }
            }
        }
    }
}
