import Foundation
import Samples
import TestSupport
import Testing

@testable import Insights

/// The rules of `docs/sleep.md`, on rows alone.
struct SleepNightsTests {
    private static let hour: Int64 = 3_600_000_000
    private static let watch = SleepNights.Source(
        place: nil, sourceClass: .watch, name: SourceName(app: "health", device: "Watch"))
    private static let phone = SleepNights.Source(
        place: nil, sourceClass: .phone, name: SourceName(app: "health", device: "iPhone"))
    private static let other = SleepNights.Source(
        place: nil, sourceClass: .other, name: SourceName(app: "ring", device: nil))

    /// A row in hours.
    private static func row(
        _ stage: SleepStage, _ start: Double, _ end: Double, source: Int = 0, offset: Int16? = nil
    ) -> SleepRow {
        SleepRow(
            start: Int64(start * 3.6e9), end: Int64(end * 3.6e9), stage: stage, source: source, offset: offset)
    }

    private static func text(_ sessions: [SleepNights.Found]) -> [String] {
        sessions.map { session in
            "\(session.source):"
                + session.segments.map { segment in
                    let times = [segment.start, segment.end].map { Double($0.microseconds) / 3.6e9 }
                    return " \(segment.stage.rawValue) \(times[0])-\(times[1])"
                }.joined()
        }
    }

    @Test func eachMomentCountsForTheMostSpecificStage() {
        let rows = [
            Self.row(.inBed, 0, 8), Self.row(.asleep, 1, 7), Self.row(.awake, 2, 4), Self.row(.core, 3, 5),
            Self.row(.deep, 4, 6), Self.row(.rem, 5, 5.5),
        ]
        #expect(
            Self.text(SleepNights(sources: [Self.watch]).sessions(rows)) == [
                "0: in_bed 0.0-1.0 asleep_unspecified 1.0-3.0 asleep_core 3.0-4.0 asleep_deep 4.0-5.0 asleep_rem 5.0-5.5 "
                    + "asleep_deep 5.5-6.0 asleep_unspecified 6.0-7.0 in_bed 7.0-8.0"
            ])
    }

    @Test func aGapOfFourHoursParts() {
        let nights = SleepNights(sources: [Self.watch])
        #expect(nights.sessions([Self.row(.core, 0, 1), Self.row(.core, 4.999, 6)]).count == 1)
        #expect(nights.sessions([Self.row(.core, 0, 1), Self.row(.core, 5, 6)]).count == 2)
    }

    struct Choice: Sendable, CustomTestStringConvertible {
        var rule: String
        var sources: [SleepNights.Source]
        var rows: [(stage: SleepStage, start: Double, end: Double, source: Int)]
        var best: Int
        var testDescription: String { rule }
    }

    @Test(arguments: [
        Choice(
            rule: "the person's order comes first",
            sources: [Self.watch, SleepNights.Source(place: 0, sourceClass: .other, name: Self.other.name)],
            rows: [(.rem, 0, 8, 0), (.inBed, 0, 1, 1)], best: 1),
        Choice(
            rule: "then one with stages", sources: [Self.watch, Self.other],
            rows: [(.asleep, 0, 8, 0), (.deep, 1, 2, 1)], best: 1),
        Choice(
            rule: "then one that tells sleep from lying", sources: [Self.watch, Self.other],
            rows: [(.inBed, 0, 8, 0), (.asleep, 1, 2, 1)], best: 1),
        Choice(
            rule: "then the watch before the phone", sources: [Self.phone, Self.watch],
            rows: [(.core, 0, 8, 0), (.core, 1, 2, 1)], best: 1),
        Choice(
            rule: "then the phone before others", sources: [Self.other, Self.phone],
            rows: [(.core, 0, 8, 0), (.core, 1, 2, 1)], best: 1),
        Choice(
            rule: "then the one that covers most, overlaps once", sources: [Self.other, Self.other],
            rows: [(.core, 0, 2, 0), (.core, 0, 2, 0), (.core, 1, 2, 0), (.core, 0, 3, 1)], best: 1),
    ])
    func theBestSource(_ choice: Choice) {
        let rows = choice.rows.map { Self.row($0.stage, $0.start, $0.end, source: $0.source) }
        let found = SleepNights(sources: choice.sources).sessions(rows)
        #expect(found.map(\.source) == [choice.best])
    }

    @Test func otherSourcesAddNoTime() {
        let rows = [Self.row(.core, 1, 7), Self.row(.inBed, 0, 10.9, source: 1), Self.row(.asleep, 7.5, 8, source: 1)]
        #expect(
            Self.text(SleepNights(sources: [Self.watch, Self.phone]).sessions(rows)) == ["0: asleep_core 1.0-7.0"])
    }

    @Test func aNapThatOnlyThePhoneSawIsNotLost() {
        // The phone's day in bed joins the night and the nap to one cluster; the nap is far from all that the watch saw.
        let rows = [
            Self.row(.core, 0, 7), Self.row(.inBed, 8, 11, source: 1), Self.row(.asleep, 12, 13, source: 1),
        ]
        #expect(
            Self.text(SleepNights(sources: [Self.watch, Self.phone]).sessions(rows)) == [
                "0: asleep_core 0.0-7.0", "1: asleep_unspecified 12.0-13.0",
            ])
    }

    @Test func aSessionHasNoGapOfFourHoursThoughAnotherSourceFillsIt() {
        let rows = [Self.row(.core, 0, 2), Self.row(.inBed, 0, 9, source: 1), Self.row(.core, 8, 9)]
        #expect(
            Self.text(SleepNights(sources: [Self.watch, Self.phone]).sessions(rows)) == [
                "0: asleep_core 0.0-2.0", "0: asleep_core 8.0-9.0",
            ])
    }

    @Test func nothingButLyingAwakeIsNoSession() {
        #expect(SleepNights(sources: [Self.watch]).sessions([Self.row(.awake, 0, 2)]).isEmpty)
        let rows = [Self.row(.awake, 0, 2), Self.row(.inBed, 0, 1, source: 1)]
        #expect(Self.text(SleepNights(sources: [Self.watch, Self.phone]).sessions(rows)) == ["1: in_bed 0.0-1.0"])
    }

    @Test func rowsThatLastNoTimeOrMoreThanADayAreLeftOut() {
        let extremes: [(Int64, Int64)] = [
            (5, 5), (5, 4), (.min, .max), (.max, .min), (0, 24 * Self.hour + 1), (.min, .min), (.max, .max),
            (.min, .min + 5), (.max - 5, .max),
        ]
        let rows = extremes.map { SleepRow(start: $0.0, end: $0.1, stage: .core, source: 0, offset: nil) }
        let found = SleepNights(sources: [Self.watch]).sessions(rows + [Self.row(.core, 0, 24)])
        #expect(found.map { $0.end - $0.start } == [5, 24 * Self.hour, 5])
    }

    // MARK: Days

    @Test func aSessionIsOfTheDayOnWhichItEnded() {
        // 22:00 to 06:00 of Central Europe, in UTC.
        let start = moment("2026-10-13T20:00:00Z").microseconds
        let row = SleepRow(start: start, end: start + 8 * Self.hour, stage: .core, source: 0, offset: nil)
        let nights = SleepNights(sources: [Self.watch])
        func date(_ row: SleepRow) -> CivilDate? { nights.dated(nights.sessions([row]), zone: europe).first?.date }
        #expect(date(row) == CivilDate(year: 2026, month: 10, day: 14))
        // The row's own clock counts before the person's.
        var travelling = row
        travelling.offset = -8 * 60
        #expect(date(travelling) == CivilDate(year: 2026, month: 10, day: 13))
    }

    @Test func nightsOfChangingClocksAreAsLongAsTheyWere() throws {
        let nights = SleepNights(sources: [Self.watch])
        for (from, to, hours) in [
            ("2026-03-28T22:00:00Z", "2026-03-29T05:00:00Z", 7.0),
            ("2026-10-24T21:00:00Z", "2026-10-25T06:00:00Z", 9.0),
        ] {
            let row = SleepRow(
                start: moment(from).microseconds, end: moment(to).microseconds, stage: .core, source: 0, offset: nil)
            let session = try #require(nights.dated(nights.sessions([row]), zone: europe).first)
            // 23:00 to 07:00 by the clock, both times.
            #expect(session.secondsAsleep == hours * 3_600)
            #expect(session.offsetMinutes == (hours == 7 ? 120 : 60))
        }
    }

    @Test func shortSessionsBesideALongerOneAreNaps() {
        let nights = SleepNights(sources: [Self.watch])
        func naps(_ rows: [SleepRow]) -> [Bool] { nights.dated(nights.sessions(rows), zone: .utc).map(\.isNap) }
        #expect(naps([Self.row(.core, 0, 7), Self.row(.asleep, 13, 14)]) == [false, true])
        #expect(naps([Self.row(.asleep, 13, 14)]) == [false])
        // Two halves of a night, and a nap alone on the next day.
        #expect(
            naps([Self.row(.core, 0, 4), Self.row(.core, 9, 12), Self.row(.core, 30, 31)]) == [false, false, false])
        #expect(naps([Self.row(.core, 0, 2), Self.row(.core, 9, 11.9)]) == [true, false])
        // A night of which only the bed is known is the night all the same.
        #expect(naps([Self.row(.inBed, 0, 9), Self.row(.asleep, 14, 14.5)]) == [false, true])
    }

    // MARK: Against a slow reference

    /// Second by second: what each second counts as, in each session of one source.
    private static func slow(_ rows: [SleepRow], seconds: Int) -> [[SleepStage?]] {
        var timeline = [SleepStage?](repeating: nil, count: seconds)
        for second in 0..<seconds {
            let time = Int64(second) * 1_000_000
            let open = rows.filter { $0.isUsable && $0.start <= time && time < $0.end }.map(\.stage)
            timeline[second] = SleepStage.allCases.first { open.contains($0) }
        }
        var sessions: [[SleepStage?]] = [], current: [SleepStage?] = [], gap = 0
        for stage in timeline {
            if let stage {
                if gap >= 4 * 3_600, !current.isEmpty {
                    sessions.append(current)
                    current = []
                } else if !current.isEmpty {
                    current += [SleepStage?](repeating: nil, count: gap)
                }
                current.append(stage)
                gap = 0
            } else {
                gap += 1
            }
        }
        if !current.isEmpty { sessions.append(current) }
        return sessions.filter { $0.contains { $0 != nil && $0 != .awake } }
    }

    @Test(arguments: 0..<20) func agreesWithASlowReference(seed: Int) {
        var generator = SeededGenerator(seed: UInt64(seed))
        let span = 30_000
        let rows = (0..<Int.random(in: 0...14, using: &generator)).map { _ in
            let start = Int.random(in: 0..<span, using: &generator)
            let length = Int.random(in: -200...6_000, using: &generator)
            return SleepRow(
                start: Int64(start) * 1_000_000, end: Int64(min(span, start + length)) * 1_000_000,
                stage: SleepStage.allCases.randomElement(using: &generator) ?? .core, source: 0, offset: nil)
        }
        let found = SleepNights(sources: [Self.watch]).sessions(rows)
        let told = found.map { session in
            var stages = [SleepStage?](repeating: nil, count: Int((session.end - session.start) / 1_000_000))
            for segment in session.segments {
                let first = (segment.start.microseconds - session.start) / 1_000_000
                let last = (segment.end.microseconds - session.start) / 1_000_000
                for second in first..<last { stages[Int(second)] = segment.stage }
            }
            return stages
        }
        #expect(told == Self.slow(rows, seconds: span))
        for session in found {
            for (one, other) in zip(session.segments, session.segments.dropFirst()) {
                #expect(one.end < other.start || one.end == other.start && one.stage != other.stage)
            }
        }
    }

    @Test(arguments: 0..<30) func sessionsOfSeveralSourcesAreApart(seed: Int) {
        var generator = SeededGenerator(seed: UInt64(seed) &+ 1_000)
        let sources = [Self.watch, Self.phone, Self.other]
        let rows = (0..<60).map { _ in
            let start = Double.random(in: 0..<200, using: &generator)
            return Self.row(
                SleepStage.allCases.randomElement(using: &generator) ?? .core, start,
                start + Double.random(in: 0..<6, using: &generator), source: Int.random(in: 0..<3, using: &generator))
        }
        let found = SleepNights(sources: sources).sessions(rows)
        for (one, other) in zip(found, found.dropFirst()) {
            #expect(other.start - one.end >= 4 * Self.hour)
        }
        // Each usable row is of a session, or within four hours of one, or of nothing but lying awake.
        for row in rows where row.isUsable && row.stage != .awake {
            #expect(found.contains { row.start - $0.end < 4 * Self.hour && $0.start - row.end < 4 * Self.hour })
        }
        #expect(SleepNights(sources: sources).sessions(rows.reversed()) == found)
    }
}
