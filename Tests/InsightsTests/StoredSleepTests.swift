import Foundation
import Samples
import TestSupport
import Testing

@testable import Insights

/// Nights out of a real store.
struct StoredSleepTests {
    private static let watch = SourceName(app: "com.apple.health", device: "Apple Watch")

    private func text(_ sessions: [SleepSession]) -> [String] {
        sessions.map { session in
            let stages = SleepStage.allCases.map { ($0, session.seconds($0) / 60) }.filter { $0.1 > 0 }
                .map { "\($0.0.rawValue)=\(Int($0.1.rounded()))" }
            let date = "\(session.date.year)-\(session.date.month)-\(session.date.day)"
            return ([date, session.start.text, session.end.text] + stages + (session.isNap ? ["nap"] : []))
                .joined(separator: " ")
        }
    }

    private static let from = moment("2026-10-14T00:00:00Z"), to = moment("2026-10-15T00:00:00Z")

    @Test func aNightOfWatchAndPhone() throws {
        let bench = try NightBench()
        try bench.native([
            NightBench.sleep(1, "in_bed", "2026-10-13T21:00:00Z", "2026-10-14T06:00:00Z", device: "iPhone"),
            NightBench.sleep(2, "asleep_core", "2026-10-13T22:00:00Z", "2026-10-14T02:00:00Z"),
            NightBench.sleep(3, "asleep_rem", "2026-10-14T02:00:00Z", "2026-10-14T03:00:00Z"),
            NightBench.sleep(4, "awake", "2026-10-14T03:00:00Z", "2026-10-14T03:10:00Z"),
            NightBench.sleep(5, "asleep_deep", "2026-10-14T03:10:00Z", "2026-10-14T05:30:00Z"),
            NightBench.sleep(6, "asleep_unspecified", "2026-10-14T13:00:00Z", "2026-10-14T13:40:00Z"),
        ])
        let model = try bench.model(zone: europe)
        let night =
            "2026-10-14 2026-10-13T22:00:00Z 2026-10-14T05:30:00Z asleep_rem=60 asleep_deep=140 asleep_core=240 awake=10"
        let nap = "2026-10-14 2026-10-14T13:00:00Z 2026-10-14T13:40:00Z asleep_unspecified=40 nap"
        #expect(text(try model.sleep(person: "me", from: Self.from, to: Self.to)) == [night, nap])
        #expect(try model.sleep(person: "me", from: Self.from, to: Self.to).first?.source == Self.watch)
        #expect(try model.sleep(person: "me", from: Self.from, to: Self.to).first?.offsetMinutes == 120)
        // The end counts, and is half open.
        let end = moment("2026-10-14T05:30:00Z")
        #expect(text(try model.sleep(person: "me", from: end, to: Self.to)) == [night, nap])
        #expect(text(try model.sleep(person: "me", from: Self.from, to: end)).isEmpty)
        // One source alone, named in part or whole; nobody else's nights.
        let phone = try model.sleep(
            person: "me", from: Self.from, to: Self.to, source: SourceName(app: nil, device: "iPhone"))
        #expect(text(phone) == ["2026-10-14 2026-10-13T21:00:00Z 2026-10-14T06:00:00Z in_bed=540"])
        #expect(
            try model.sleep(person: "me", from: Self.from, to: Self.to, source: SourceName(app: "x", device: nil))
                .isEmpty)
        #expect(try model.sleep(person: "you", from: Self.from, to: Self.to).isEmpty)
        #expect(try model.sleep(person: "me", from: Self.to, to: Self.from).isEmpty)
        #expect(
            text(try model.sleep(person: "me", from: Timestamp(microseconds: .min), to: Timestamp(microseconds: .max)))
                == [night, nap])
    }

    @Test func thePersonsOrderChoosesTheSource() throws {
        let bench = try NightBench()
        try bench.native([
            NightBench.sleep(1, "in_bed", "2026-10-13T21:00:00Z", "2026-10-14T06:00:00Z", device: "iPhone"),
            NightBench.sleep(2, "asleep_core", "2026-10-13T22:00:00Z", "2026-10-14T02:00:00Z"),
        ])
        let phone = SourceName(app: "com.apple.health", device: "iPhone")
        let model = try bench.model(order: [phone, Self.watch])
        #expect(try model.sleep(person: "me", from: Self.from, to: Self.to).map(\.source) == [phone])
    }

    @Test func hostileRowsAreLeftOut() throws {
        let bench = try NightBench()
        try bench.native([
            NightBench.sleep(1, "asleep_core", "2026-10-14T05:00:00Z", "2026-10-14T04:00:00Z"),
            NightBench.sleep(2, "asleep_core", nil, nil),
            NightBench.sleep(3, "asleep_core", "2026-10-14T04:00:00Z", nil),
            NightBench.sleep(4, "asleep_core", nil, "2026-10-14T04:00:00Z"),
            NightBench.sleep(5, "half_asleep", "2026-10-14T01:00:00Z", "2026-10-14T04:00:00Z"),
            NightBench.sleep(6, "asleep_core", "2026-10-01T01:00:00Z", "2026-10-14T04:00:00Z"),
            #"{"uuid":"\#(NightBench.uuid(7))","type":"sleep_analysis","value":7,"start":"2026-10-14T01:00:00Z","end":"2026-10-14T02:00:00Z"}"#,
            NightBench.sleep(8, "asleep", "2026-10-14T01:00:00Z", "2026-10-14T02:00:00Z", app: nil, device: nil),
            NightBench.sleep(9, "asleep", "2026-10-14T01:00:00Z", "2026-10-14T02:00:00Z", app: nil, device: nil),
        ])
        let found = try bench.model().sleep(person: "me", from: Self.from, to: Self.to)
        #expect(text(found) == ["2026-10-14 2026-10-14T01:00:00Z 2026-10-14T02:00:00Z asleep_unspecified=60"])
        #expect(found.first?.source == SourceName(app: nil, device: nil))
    }

    @Test func aNightIsTheSameInEveryRangeThatHoldsIt() throws {
        let bench = try NightBench()
        var generator = SeededGenerator(seed: 7)
        var samples: [String] = []
        let begin = moment("2026-09-01T20:00:00Z").microseconds
        for night in 0..<30 {
            var at = begin + Int64(night) * 86_400_000_000 + Int64.random(in: 0..<7_200, using: &generator) * 1_000_000
            for _ in 0..<Int.random(in: 1...20, using: &generator) {
                let end = at + Int64.random(in: 60..<4_000, using: &generator) * 1_000_000
                let stage = SleepStage.allCases.randomElement(using: &generator) ?? .core
                samples.append(
                    NightBench.sleep(
                        samples.count + 1, stage.rawValue, Timestamp(microseconds: at).text,
                        Timestamp(microseconds: end).text, device: Bool.random(using: &generator) ? "Watch" : "iPhone"))
                at = end
            }
        }
        try bench.native(samples)
        let model = try bench.model(zone: europe)
        let all = try model.sleep(person: "me", from: Timestamp(microseconds: .min), to: Timestamp(microseconds: .max))
        #expect(all.count >= 30)
        var pieces: [SleepSession] = []
        for day in 0..<35 {
            let from = Timestamp(microseconds: begin + Int64(day) * 86_400_000_000)
            pieces += try model.sleep(
                person: "me", from: from, to: Timestamp(microseconds: from.microseconds + 86_400_000_000))
        }
        #expect(pieces == all)
    }

    // MARK: Health Auto Export

    private static let summary = #"""
        {"date":"2026-10-14 00:00:00 +0200","sleepStart":"2026-10-13 23:00:00 +0200","sleepEnd":"2026-10-14 06:30:00 +0200",\#
        "inBedStart":"2026-10-13 22:45:00 +0200","inBedEnd":"2026-10-14 06:40:00 +0200",\#
        "totalSleep":7.1,"core":4.2,"deep":1.1,"rem":1.8,"awake":0.4,"asleep":0,"inBed":0,"source":"Watch A"}
        """#

    @Test func aWholeNightInOneRecordIsUsedWhereNoStagesAre() throws {
        let bench = try NightBench()
        try bench.healthAutoExport(#"{"metrics":[{"name":"sleep_analysis","units":"hr","data":[\#(Self.summary)]}]}"#)
        let found = try bench.model().sleep(person: "me", from: Self.from, to: Self.to)
        // 7.5 h hold 7.1 h of sleep and 0.4 h awake exactly; around them lies the time in bed.
        #expect(
            text(found) == [
                "2026-10-14 2026-10-13T20:45:00Z 2026-10-14T04:40:00Z asleep_rem=108 asleep_deep=66 asleep_core=252 awake=24 in_bed=25"
            ])
        #expect(found.first?.offsetMinutes == 120)
    }

    /// More than a day of sleep in hours: all of its numbers were minutes. A total that says nothing makes no minutes of hours.
    @Test(arguments: [
        (
            #""totalSleep":440,"deep":60,"core":280,"rem":100,"awake":20"#,
            "rem=100 asleep_deep=60 asleep_core=280 awake=20 in_bed=20"
        ),
        (
            #""totalSleep":-1,"deep":1,"core":4,"rem":2,"awake":0.5"#,
            "rem=120 asleep_deep=60 asleep_core=240 awake=30 in_bed=30"
        ),
    ])
    func aNightThatSaysHours(numbers: String, stages: String) throws {
        let bench = try NightBench()
        let night =
            #"{"sleepStart":"2026-10-13 23:00:00 +0200","sleepEnd":"2026-10-14 07:00:00 +0200",\#(numbers),"source":"W"}"#
        try bench.healthAutoExport(#"{"metrics":[{"name":"sleep_analysis","units":"hr","data":[\#(night)]}]}"#)
        let found = try bench.model().sleep(person: "me", from: Self.from, to: Self.to)
        #expect(text(found).first?.hasSuffix("asleep_\(stages)") == true)
    }

    @Test func aWholeNightInOneRecordAddsNothingToStages() throws {
        let bench = try NightBench()
        try bench.healthAutoExport(#"{"metrics":[{"name":"sleep_analysis","units":"hr","data":[\#(Self.summary)]}]}"#)
        try bench.native([NightBench.sleep(1, "asleep_core", "2026-10-13T22:00:00Z", "2026-10-14T02:00:00Z")])
        let found = try bench.model().sleep(person: "me", from: Self.from, to: Self.to)
        #expect(text(found) == ["2026-10-14 2026-10-13T22:00:00Z 2026-10-14T02:00:00Z asleep_core=240"])
    }

    @Test func stagesOfHealthAutoExportAreStages() throws {
        let bench = try NightBench()
        let points = [
            ("Core", "23:00:00", "23:50:00"), ("Tief", "23:50:00", "23:55:00"), ("Dreaming", "23:55:00", "23:59:00"),
        ]
        .map { name, start, end in
            #"{"value":"\#(name)","startDate":"2026-10-14 \#(start) +0200","endDate":"2026-10-14 \#(end) +0200","qty":1,"source":"W"}"#
        }
        try bench.healthAutoExport(
            #"{"metrics":[{"name":"sleep_analysis","units":"hr","data":[\#(points.joined(separator: ","))]}]}"#)
        let found = try bench.model().sleep(person: "me", from: Self.from, to: Self.to)
        #expect(text(found) == ["2026-10-14 2026-10-14T21:00:00Z 2026-10-14T21:55:00Z asleep_deep=5 asleep_core=50"])
    }

    @Test(arguments: [
        ("", "in_bed=450"), (#""totalSleep":6"#, "asleep_unspecified=360 in_bed=90"),
        (#""totalSleep":20"#, "asleep_unspecified=450"),
        (#""core":6,"deep":6,"rem":"x","awake":null"#, "deep=225 core=225"),
        (#""core":1e300"#, "core=450"), (#""core":-4"#, "in_bed=450"),
    ])
    func membersOfAWholeNight(members: String, stages: String) throws {
        let start = moment("2026-10-13T21:00:00Z").microseconds
        let night = NightSummary(
            start: start, end: start + 450 * 60_000_000,
            minutes: RestMembers(Array(members.utf8)).number("totalSleep").map { $0 * 60 },
            source: 0, offset: nil)
        let nights = SleepNights(
            sources: [.init(place: nil, sourceClass: .other, name: SourceName(app: nil, device: nil))])
        let found = nights.dated(nights.sessions(night.rows(RestMembers(Array(members.utf8)), .builtIn)), zone: .utc)
        let told = text(found).first?.split(separator: " ").dropFirst(3).joined(separator: " ")
        #expect(
            told?.replacingOccurrences(of: "asleep_deep", with: "deep").replacingOccurrences(
                of: "asleep_core", with: "core") == stages)
    }
}
