import Foundation
import Samples
import TestSupport
import Testing

@testable import Insights

/// The rules of `docs/activity.md`: rings.
struct ActivityTests {
    private static let watch = SourceName(app: "health", device: "Watch")
    private static let ring = SourceName(app: "ring", device: nil)
    private static let phone = SourceName(app: "health", device: "iPhone")

    // MARK: What explains a difference

    struct Case: Sendable, CustomTestStringConvertible {
        var rule: String
        var phone: Double
        var computed: Double
        var shares: [(value: Double, counted: Double)]
        /// 0 the watch, 1 the ring, 2 the phone.
        var source: Int?
        var testDescription: String { rule }
    }

    @Test(arguments: [
        Case(
            rule: "sums that agree within 1 % need none", phone: 500, computed: 504, shares: [(504, 504)], source: nil),
        Case(
            rule: "a source that the phone doesn't count", phone: 500, computed: 620, shares: [(500, 500), (120, 120)],
            source: 1),
        Case(
            rule: "a source that the phone counts in addition", phone: 620, computed: 500,
            shares: [(500, 500), (150, 30), (5, 0)], source: 1),
        Case(
            rule: "the nearest of several", phone: 500, computed: 640, shares: [(480, 480), (130, 130), (30, 30)],
            source: 1),
        Case(
            rule: "none that leaves more than half", phone: 500, computed: 900, shares: [(860, 860), (40, 40)],
            source: nil),
        Case(rule: "no source at all", phone: 500, computed: 900, shares: [], source: nil),
        Case(rule: "a phone that says nothing moved", phone: 0, computed: 100, shares: [(100, 100)], source: 0),
        Case(rule: "nothing on both sides", phone: 0, computed: 0, shares: [(0, 0)], source: nil),
        Case(rule: "numbers that are none", phone: .nan, computed: 1, shares: [(1, 1)], source: nil),
        Case(rule: "numbers without end", phone: .infinity, computed: 1, shares: [(1, 1)], source: nil),
    ])
    func explanation(_ test: Case) {
        let names = [Self.watch, Self.ring, Self.phone]
        let shares = test.shares.enumerated().map {
            Drift.Share(source: names[$0.offset], value: $0.element.value, counted: $0.element.counted)
        }
        let found = Drift.explanation(phone: test.phone, computed: test.computed, shares: shares)
        #expect(found == test.source.map { names[$0] })
    }

    @Test(arguments: 0..<50) func explanationIsTheBestOfAll(seed: Int) {
        var generator = SeededGenerator(seed: UInt64(seed))
        let shares = (0..<5).map { index -> Drift.Share in
            let value = Double.random(in: 0...300, using: &generator)
            return Drift.Share(
                source: SourceName(app: "\(index)", device: nil), value: value,
                counted: Double.random(in: 0...value, using: &generator))
        }
        let computed = shares.reduce(0) { $0 + $1.counted }, phone = Double.random(in: 0...900, using: &generator)
        let found = Drift.explanation(phone: phone, computed: computed, shares: shares)
        func left(_ share: Drift.Share) -> Double {
            min(abs(computed - share.counted - phone), abs(computed - share.counted + share.value - phone))
        }
        let least = shares.map(left).min() ?? .infinity
        if let found {
            #expect(shares.first { $0.source == found }.map(left) == least)
        } else {
            #expect(least > abs(computed - phone) / 2 || abs(computed - phone) <= 0.01 * max(phone, computed))
        }
    }

    // MARK: What phones say

    @Test(arguments: [
        // Syncky
        #""date":"2026-10-13","active_energy_burned_kcal":512.25,"active_energy_burned_goal_kcal":500,"apple_exercise_time_min":41,"apple_exercise_time_goal_min":30,"apple_stand_hours":12,"apple_stand_hours_goal":10"#,
        // Apple's export
        #""date":"2026-10-13","active_energy_burned":512.25,"active_energy_burned_goal":500,"active_energy_burned_unit":"Cal","apple_exercise_time":41,"apple_exercise_time_goal":30,"apple_stand_hours":12,"apple_stand_hours_goal":10"#,
        #""day":"2026-10-13","active_energy_burned":2143.254,"active_energy_burned_goal":2092,"active_energy_burned_unit":"kJ","apple_exercise_time":"41","apple_exercise_time_goal":30,"stand_hours":12,"stand_hours_goal":10"#,
        // PulsHealth
        #""date":"2026-10-13","moveKcal":512.25,"moveGoalKcal":500,"exerciseMin":41,"exerciseGoalMin":30,"standHours":12,"standGoalHours":10,"moveMode":0"#,
        // Objects with units
        #""date":"2026-10-13T00:00:00Z","active_energy_burned":{"value":512.25,"unit":"kcal"},"active_energy_burned_goal":{"qty":2092,"units":"kJ"},"apple_exercise_time":{"value":2460,"unit":"s"},"apple_exercise_time_goal":{"value":30},"apple_stand_hours":{"value":12},"apple_stand_hours_goal":10"#,
    ])
    func aSummaryInEachSpelling(rest: String) throws {
        let summary = try #require(PhoneSummary(RestMembers(Array(rest.utf8)), key: "x", .builtIn))
        #expect(summary.day == CivilDate(year: 2026, month: 10, day: 13))
        #expect(summary.move.value.map { abs($0 - 512.25) < 1e-9 } == true && summary.move.goal == 500)
        #expect(summary.exercise == PhoneSummary.Amount(value: 41, goal: 30))
        #expect(summary.stand == PhoneSummary.Amount(value: 12, goal: 10))
    }

    @Test func aSummaryWithWrongTypesSaysNothing() throws {
        let rest =
            #""date":7,"active_energy_burned":"much","apple_exercise_time":[],"apple_stand_hours":null,"moveKcal":{}"#
        #expect(PhoneSummary(RestMembers(Array(rest.utf8)), key: "x", .builtIn) == nil)
        let summary = try #require(
            PhoneSummary(RestMembers(Array(rest.utf8)), key: "activity_summary:2026-02-28", .builtIn))
        #expect(summary.move == .init() && summary.exercise == .init() && summary.stand == .init())
        #expect(PhoneSummary(RestMembers([]), key: "activity_summary:2026-02-30", .builtIn) == nil)
        #expect(PhoneSummary(RestMembers(Array("{{".utf8)), key: "", .builtIn) == nil)
    }

    @Test func aRingOfMinutesIsNoEnergy() throws {
        for mode in [#""activity_move_mode":2"#, #""activity_move_mode":"apple_move_time""#, #""moveMode":1"#] {
            let rest = #""date":"2026-10-13","moveKcal":3,"exerciseMin":4,\#(mode)"#
            let summary = try #require(PhoneSummary(RestMembers(Array(rest.utf8)), key: "", .builtIn))
            #expect(summary.move.value == nil && summary.exercise.value == 4)
        }
    }

    // MARK: Hours

    @Test func hoursOfSeveralSourcesCountOnce() {
        var hours = StandHours()
        let hour: Int64 = 3_600_000_000
        for at in 0..<6 { hours.add(day: 0, source: 0, start: Int64(at) * hour, stood: true) }
        for at in 4..<9 { hours.add(day: 0, source: 1, start: Int64(at) * hour + 5, stood: at != 7) }
        hours.add(day: 0, source: 2, count: 20, start: 0, isLong: true)
        hours.add(day: 1, source: 0, start: 24 * hour, stood: false)
        let told = hours.hours(of: 0)
        #expect(told?.computed == 8)
        #expect(told?.shares.map(\.value) == [6, 4] && told?.shares.map(\.counted) == [4, 2])
        #expect(hours.hours(of: 1)?.computed == 0 && hours.hours(of: 2) == nil)
    }

    @Test func countsOfHoursAreHours() {
        var hours = StandHours()
        let hour: Int64 = 3_600_000_000
        for at in 0..<3 { hours.add(day: 0, source: 0, count: 1, start: Int64(at) * hour, isLong: false) }
        hours.add(day: 0, source: 0, count: 0, start: 5 * hour, isLong: false)
        hours.add(day: 0, source: 0, count: -3, start: 6 * hour, isLong: false)
        #expect(hours.hours(of: 0)?.computed == 3)
        hours.add(day: 0, source: 1, count: 11, start: 0, isLong: false)
        #expect(hours.hours(of: 0)?.computed == 11)
        hours.add(day: 0, source: 1, count: 1e300, start: 0, isLong: true)
        #expect(hours.hours(of: 0)?.computed == 25)
    }

    // MARK: Stored days

    private static func energy(_ number: Int, _ value: Double, _ start: String, _ end: String, device: String) -> String
    {
        #"""
        {"uuid":"\#(NightBench.uuid(number))","type":"active_energy_burned","value":\#(value),"unit":"kcal","start":"\#(start)","end":"\#(end)",\#
        "source":{"app":"health","device":"\#(device)"}}
        """#
    }

    private static func stand(_ number: Int, _ hour: Int, _ value: String) -> String {
        let text = hour < 10 ? "0\(hour)" : "\(hour)"
        return #"""
            {"uuid":"\#(NightBench.uuid(number))","type":"apple_stand_hour","value":"\#(value)","start":"2026-10-13T\#(text):00:00Z",\#
            "end":"2026-10-13T\#(text):59:59Z","source":{"app":"health","device":"Watch"}}
            """#
    }

    @Test func daysOfPhoneAndSamples() throws {
        let bench = try NightBench()
        try bench.native([
            #"""
            {"uuid":"activity_summary:2026-10-13","type":"activity_summary","date":"2026-10-13","active_energy_burned_kcal":500,\#
            "active_energy_burned_goal_kcal":600,"apple_stand_hours":3}
            """#,
            #"{"uuid":"activity_summary:2026-10-15","type":"activity_summary","date":"2026-10-15","apple_exercise_time_min":20}"#,
            #"{"uuid":"activity_summary:2026-10-17","type":"activity_summary","date":"2026-10-17","apple_exercise_time_min":20}"#,
            Self.energy(1, 490, "2026-10-13T06:00:00Z", "2026-10-13T12:00:00Z", device: "Watch"),
            Self.energy(2, 200, "2026-10-13T14:00:00Z", "2026-10-13T15:00:00Z", device: "iPhone"),
            Self.energy(3, 80, "2026-10-14T14:00:00Z", "2026-10-14T15:00:00Z", device: "Watch"),
            Self.stand(4, 8, "stood"), Self.stand(5, 9, "idle"), Self.stand(6, 10, "stood"),
        ])
        let from = moment("2026-10-13T00:00:00Z"), to = moment("2026-10-16T00:00:00Z")
        let days = try bench.model().activity(person: "me", from: from, to: to)
        #expect(days.map(\.date.day) == [13, 14, 15])
        #expect(days[0].move == .init(phone: 500, goal: 600, computed: 690, explainedBy: Self.phone))
        #expect(days[0].move.drift == 190)
        #expect(days[0].exercise == .init())
        #expect(days[0].stand == .init(phone: 3, goal: nil, computed: 2, explainedBy: nil))
        #expect(days[1].move == .init(phone: nil, goal: nil, computed: 80) && days[1].move.drift == nil)
        #expect(days[2].exercise == .init(phone: 20) && days[2].move == .init())
        #expect(try bench.model().activity(person: "you", from: from, to: to).isEmpty)
        #expect(try bench.model().activity(person: "me", from: to, to: from).isEmpty)
        let all = try bench.model().activity(
            person: "me", from: Timestamp(microseconds: .min), to: Timestamp(microseconds: .max))
        #expect(all.map(\.date.day) == [13, 14, 15, 17])
    }

    @Test func ofSeveralSummariesOfADayTheLastCounts() throws {
        let bench = try NightBench()
        let day = #""type":"activity_summary","date":"2026-10-13""#
        try bench.native([
            #"{"uuid":"activity_summary:2026-10-13",\#(day),"apple_stand_hours":3,"apple_exercise_time_min":7}"#
        ])
        try bench.native(
            [#"{"uuid":"activity_summary:2026-10-13",\#(day),"apple_stand_hours":9}"#], device: "d_2")
        let days = try bench.model().activity(
            person: "me", from: moment("2026-10-13T00:00:00Z"), to: moment("2026-10-14T00:00:00Z"))
        #expect(days.map(\.stand.phone) == [9] && days.map(\.exercise.phone) == [7])
    }
}
