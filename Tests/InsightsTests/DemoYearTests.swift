import Demo
import Foundation
import Samples
import Testing

/// 2026-11-01T00:00:00 in Berlin: 90 days before it have a change of the clock, each of the seasons, and a trip.
private let autumn: Int64 = 1_793_487_600

private func settings(days: Int = 3, seed: UInt64 = 1, until: Int64 = autumn) throws -> DemoSettings {
    DemoSettings(
        days: days, seed: seed, until: Timestamp(microseconds: until * 1_000_000),
        home: try DemoFixture.zone("Europe/Berlin"), away: try DemoFixture.zone("America/New_York"))
}

private func bodies(_ settings: DemoSettings) -> [[UInt8]] {
    var year = DemoYear(settings), bodies: [[UInt8]] = []
    while let delivery = year.next() { bodies.append(delivery.body) }
    return bodies
}

@Test func demoIsTheSameForTheSameSeed() throws {
    let first = try bodies(settings())
    let again = try bodies(settings()), other = try bodies(settings(seed: 2))
    #expect(first == again && first != other)
}

@Test(arguments: [1, 2, 5]) func demoOfAFewDaysIsThere(days: Int) throws {
    let fixture = try DemoFixture(days: days, until: autumn - 3_600 * 9)
    #expect(fixture.summary.samples == fixture.summary.truth.samples.values.reduce(0, +))
    #expect(fixture.summary.truth.samples["steps"] ?? 0 > 20)
}

@Test func demoComesInTheOrderOfTime() throws {
    var year = try DemoYear(settings(days: 10)), last = Int64.min, largest = 0
    let begin = year.begin.microseconds
    while let delivery = year.next() {
        #expect(delivery.receivedAt.microseconds >= last && delivery.receivedAt.microseconds >= begin)
        last = delivery.receivedAt.microseconds
        largest = max(largest, delivery.body.count)
    }
    #expect(last >= autumn * 1_000_000 && last <= autumn * 1_000_000 + 10 && largest <= 1_000_000)
}

/// The rule as a child would do it, second by second of one day; its sums must be the truth, and those of all rows must not.
@Test func demoTruthIsWhatThePriorityRuleGives() throws {
    let fixture = try DemoFixture(days: 90, until: autumn)
    let days = fixture.days.map { $0.microseconds / 1_000_000 }
    for type in ["steps", "distance_walking_running", "flights_climbed", "active_energy_burned"] {
        let rows = try fixture.rows(type)
        #expect(rows.count == fixture.summary.truth.samples[type])
        var naive = 0.0, true_ = 0.0
        for (day, next) in zip(days, days.dropFirst()) {
            var isWatched = [Bool](repeating: false, count: Int(next - day))
            var sum = 0.0
            let touching = rows.filter { $0.end > day && $0.start < next }
            for row in touching where row.isOfWatch {
                for second in max(row.start, day)..<min(row.end, next) {
                    isWatched[Int(second - day)] = true
                    sum += row.value / Double(row.end - row.start)
                }
            }
            for row in touching where !row.isOfWatch {
                for second in max(row.start, day)..<min(row.end, next) where !isWatched[Int(second - day)] {
                    sum += row.value / Double(row.end - row.start)
                }
            }
            let truth = fixture.summary.truth.total(
                type, from: Timestamp(microseconds: day * 1_000_000), to: Timestamp(microseconds: next * 1_000_000))
            #expect(abs(sum - truth) < 1e-6, "\(type) of the day at \(day)")
            true_ += truth
        }
        naive = rows.reduce(0) { $0 + $1.value }
        #expect(type == "active_energy_burned" ? naive == true_ : naive > true_ * 1.2)
    }
}

@Test func demoHasItsSeasons() throws {
    let fixture = try DemoFixture(days: 90, until: autumn)
    let days = fixture.days.map { $0.microseconds / 1_000_000 }
    let steps = try fixture.rows("steps")
    func has(_ isOfWatch: Bool, _ day: Int) -> Bool {
        steps.contains { $0.isOfWatch == isOfWatch && $0.start >= days[day] + 7_200 && $0.start < days[day + 1] }
    }
    // Without the phone, then without the watch.
    #expect((28..<33).allSatisfy { has(true, $0) && !has(false, $0) })
    #expect((50..<59).allSatisfy { has(false, $0) && !has(true, $0) })
    #expect([10, 40, 80].allSatisfy { has(true, $0) && has(false, $0) })
    #expect(days.indices.dropLast().contains { days[$0 + 1] - days[$0] == 90_000 })
    #expect(fixture.summary.truth.nights.contains { $0.isNap })
    #expect(Set(fixture.summary.truth.workouts.map(\.activity)).count >= 4)
}
