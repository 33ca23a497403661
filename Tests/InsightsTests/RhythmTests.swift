import Foundation
import Samples
import TestSupport
import Testing

@testable import Insights

/// The rules of `docs/activity.md`: silence.
struct RhythmTests {
    private static func times(_ hours: [Double]) -> [Timestamp] {
        hours.map { Timestamp(microseconds: Int64($0 * 3.6e9)) }
    }

    private static func rule(_ hours: [Double]) throws -> RhythmRule { try #require(RhythmRule(times(hours))) }

    @Test func medianAndLongestOfWhatLiesBetween() throws {
        let odd = try Self.rule([0, 1, 3, 13])
        #expect(odd.usualSeconds == 2 * 3_600 && odd.longestSeconds == 10 * 3_600 && odd.intervals == 3)
        #expect(odd.last == Self.times([13])[0])
        let even = try Self.rule([13, 3, 0])
        #expect(even.usualSeconds == 6.5 * 3_600 && even.longestSeconds == 10 * 3_600)
        let one = try Self.rule([5])
        #expect(one.usualSeconds == 0 && one.longestSeconds == 0 && one.intervals == 0)
        #expect(RhythmRule([]) == nil)
    }

    @Test func requestsOfOneBurstAreOne() throws {
        let burst = (0..<40).map { Double($0) * 60 / 3_600 }
        let rule = try Self.rule(burst + [2, 2, 2 + 299.0 / 3_600, 3 + 299.0 / 3_600])
        // The burst ends after 39 minutes; 299 seconds belong to it, 300 don't.
        #expect(rule.intervals == 2 && rule.longestSeconds.rounded() == 4_860 && rule.usualSeconds.rounded() == 4_230)
        #expect(try Self.rule([0, 300.0 / 3_600]).intervals == 1)
    }

    @Test func quietIsLongerThanEverBySixHours() throws {
        let rule = try Self.rule([0, 1, 2, 3, 4, 14, 15, 16, 17])
        #expect(rule.intervals == 8)
        func isQuiet(_ hour: Double) -> Bool { rule.isQuiet(at: Self.times([hour])[0]) }
        #expect(!isQuiet(17) && !isQuiet(17 + 10) && !isQuiet(17 + 16) && isQuiet(17 + 16.01))
        #expect(!isQuiet(-1_000))
    }

    @Test func withoutEightPausesNothingIsQuiet() throws {
        #expect(try !Self.rule([0, 1, 2, 3, 4, 5, 6, 7]).isQuiet(at: Self.times([1_000])[0]))
        #expect(try Self.rule([0, 1, 2, 3, 4, 5, 6, 7, 8]).isQuiet(at: Self.times([1_000])[0]))
        #expect(try !Self.rule([0]).isQuiet(at: Self.times([1_000])[0]))
    }

    @Test func timesWithoutEndDoNotTrap() throws {
        let far = [Timestamp(microseconds: .min), Timestamp(microseconds: .max), Timestamp(microseconds: 0)]
        let rule = try #require(RhythmRule(far))
        #expect(rule.intervals == 2 && !rule.isQuiet(at: Timestamp(microseconds: .min)))
    }

    @Test(arguments: 0..<30) func agreesWithASlowReference(seed: Int) throws {
        var generator = SeededGenerator(seed: UInt64(seed))
        let times = (0..<Int.random(in: 1...40, using: &generator)).map { _ in
            Timestamp(microseconds: Int64.random(in: 0..<40_000, using: &generator) * 1_000_000)
        }
        let rule = try #require(RhythmRule(times))
        // Gaps of the sorted times; those under five minutes are no gaps.
        let sorted = times.map { Double($0.microseconds) / 1e6 }.sorted()
        let gaps = zip(sorted, sorted.dropFirst()).map { $1 - $0 }.filter { $0 >= 300 }.sorted()
        #expect(rule.intervals == gaps.count && rule.longestSeconds == gaps.last ?? 0)
        let below = gaps.count { $0 < rule.usualSeconds }, above = gaps.count { $0 > rule.usualSeconds }
        #expect(below <= gaps.count / 2 && above <= gaps.count / 2)
    }

    // MARK: Sentences

    private static func rhythm(
        _ type: String, quiet: Bool, endpoint: String = "phone", person: String = "me", last: Double = 0
    ) -> Rhythm {
        Rhythm(
            endpoint: endpoint, person: person, type: type, lastStored: times([last])[0], usualSeconds: 900,
            longestSeconds: 30_000, isQuiet: quiet)
    }

    @Test func aQuietEndpointIsOneSentence() {
        let now = Self.times([100])[0]
        #expect(QuietWarnings.sentences([], now: now).isEmpty)
        #expect(QuietWarnings.sentences([Self.rhythm("steps", quiet: false)], now: now).isEmpty)
        let all = [
            Self.rhythm("steps", quiet: true, last: 20), Self.rhythm("heart_rate", quiet: true, last: 4),
            Self.rhythm("steps", quiet: false, endpoint: "anna"),
        ]
        #expect(
            QuietWarnings.sentences(all, now: now) == [
                "Endpoint phone has stored nothing new for 3 days: the longest pause before was 8 hours. "
                    + "Is the phone's automation still on?"
            ])
    }

    @Test func quietTypesAreNamedAsFarAsThereAreFew() {
        let now = Self.times([100])[0]
        let some = (0..<5).map { Self.rhythm("type_\($0)", quiet: true, last: Double($0)) }
        #expect(
            QuietWarnings.sentences(some + [Self.rhythm("steps", quiet: false)], now: now) == [
                "Endpoint phone has stored no new type_4 for 4 days (longest pause before: 8 hours), "
                    + "type_3 for 4 days (longest pause before: 8 hours), type_2 for 4 days (longest pause before: 8 hours) "
                    + "and 2 more types, while others came."
            ])
        #expect(
            QuietWarnings.sentences(
                [some[0], Self.rhythm("steps", quiet: false, person: "anna")], now: now) == [
                    "Endpoint phone has stored no new type_0 of me for 4 days (longest pause before: 8 hours), while others came."
                ])
    }

    @Test func lengthsAreInTheLargestUnitThatIsFullTwice() {
        #expect(
            [0, 59, 60, 119, 120, 7_199, 7_200, 172_799, 172_800, 1e300].map(QuietWarnings.length) == [
                "less than a minute", "less than a minute", "1 minute", "1 minute", "2 minutes", "119 minutes",
                "2 hours",
                "47 hours",
                "2 days", "1000000000 days",
            ])
    }

    // MARK: Stored rows

    private static func reading(_ number: Int, _ type: String) -> String {
        #"""
        {"uuid":"\#(NightBench.uuid(number))","type":"\#(type)","value":\#(number),"unit":"count","start":"2026-10-13T10:00:00Z",\#
        "end":"2026-10-13T10:01:00Z"}
        """#
    }

    @Test func rhythmsAreOfRowsThatWereStoredNotOfRequests() throws {
        let bench = try NightBench()
        let begin = moment("2026-10-10T00:00:00Z").microseconds, hour: Int64 = 3_600_000_000
        for number in 0..<12 {
            let at = begin + Int64(number) * hour
            try bench.native([Self.reading(number, "steps")], at: at)
            // Heart rate is sent each time, and is news nine times.
            try bench.native([Self.reading(100 + min(number, 8), "heart_rate")], device: "d_2", at: at)
        }
        try bench.native([Self.reading(500, "steps")], person: "anna", endpoint: "anna", at: begin)
        let model = try bench.model(), now = Timestamp(microseconds: begin + 18 * hour)
        let told = try model.rhythms(now: now).map {
            "\($0.endpoint) \($0.person) \($0.type) \(($0.lastStored.microseconds - begin) / hour) \($0.usualSeconds) \($0.longestSeconds) \($0.isQuiet)"
        }
        #expect(
            told == [
                "anna anna steps 0 0.0 0.0 false", "phone me heart_rate 8 3600.0 3600.0 true",
                "phone me steps 11 3600.0 3600.0 false",
            ])
        #expect(try model.rhythms(now: now, person: "anna").map(\.endpoint) == ["anna"])
        #expect(try model.rhythms(now: now, person: "nobody").isEmpty)
        // What came before the last ninety days is forgotten.
        #expect(
            try model.rhythms(now: Timestamp(microseconds: begin + 90 * 24 * hour + 9 * hour)).map(\.type) == ["steps"])
        #expect(try model.rhythms(now: Timestamp(microseconds: .min)).count == 3)
        #expect(try model.rhythms(now: Timestamp(microseconds: .max)).isEmpty)
    }
}
