import Foundation
import Samples
import Storage
import Testing

@testable import Demo
@testable import Insights

/// Data whose truth is known, against what the read model makes of it: 90 days with a change of the clock, a trip, a lost
/// phone and a watch in repair. A whole year in a release build.
@Suite struct KnownTruthTests {
    /// 2026-11-01T00:00:00 in Berlin.
    private static let until: Int64 = 1_793_487_600
    private static let fixture = Result { try DemoFixture(days: days, until: until, hasHeartRate: false) }
    private static var days: Int {
        #if DEBUG
            90
        #else
            365
        #endif
    }

    private let fixture: DemoFixture
    private let truth: DemoTruth

    init() throws {
        fixture = try Self.fixture.get()
        truth = fixture.summary.truth
    }

    // MARK: Nights

    @Test func nightsAreThoseThatWereSlept() throws {
        let range = (fixture.days[0], Timestamp(microseconds: Self.until * 1_000_000 + 1))
        let sessions = try fixture.model().sleep(person: DemoStore.person, from: range.0, to: range.1)
        let nights = truth.nights.sorted { $0.start < $1.start }
        #expect(sessions.count == nights.count)
        for (session, night) in zip(sessions, nights) {
            let isOfWatch = !night.stages.isEmpty
            #expect(session.source.device == (isOfWatch ? "Apple Watch" : "iPhone"))
            #expect(
                session.start.microseconds == night.start * 1_000_000
                    && session.end.microseconds == night.end * 1_000_000)
            let stages = isOfWatch ? night.stages : [.init(name: "in_bed", start: night.start, end: night.end)]
            #expect(
                session.segments
                    == stages.map { stage in
                        SleepSegment(
                            stage: SleepStage(rawValue: stage.name) ?? .inBed,
                            start: Timestamp(microseconds: stage.start * 1_000_000),
                            end: Timestamp(microseconds: stage.end * 1_000_000))
                    })
            #expect(session.isNap == night.isNap)
            // By the clock at home, wherever the person was.
            let local = night.end + Int64(fixture.home.offsetSeconds(at: session.end))
            #expect(session.date == CivilDate(daysSince1970: Int32(local / 86_400)))
        }
    }

    /// Both are there at night: added up without merging there would be far more sleep than there was.
    @Test func nightsAreNotAddedUpOverDevices() throws {
        let rows = try fixture.rows("sleep_analysis")
        let naive = rows.reduce(0) { $0 + $1.end - $1.start }
        let slept = truth.nights.reduce(0) { sum, night in night.stages.reduce(sum) { $0 + $1.end - $1.start } }
        #expect(naive > slept * 3 / 2)
    }

    // MARK: Workouts

    @Test func workoutsAreThoseThatWereDone() throws {
        let page = try fixture.model().workouts(person: DemoStore.person, limit: 10_000)
        let done = truth.workouts.sorted { $0.start > $1.start }
        #expect(page.workouts.map(\.uuid) == done.map(\.uuid))
        for (workout, known) in zip(page.workouts, done) {
            #expect(workout.activity == known.activity)
            #expect(
                workout.start.microseconds == known.start * 1_000_000
                    && workout.end.microseconds == known.end * 1_000_000)
            #expect(workout.durationSeconds == Double(known.durationSeconds))
            #expect(workout.energyKilocalories == known.energyKilocalories)
            #expect(workout.distanceMetres == known.distanceMetres)
            #expect(workout.hasRoute == (known.routePoints > 0))
        }
    }

    @Test func routeIsWholeAndAsLongAsTheWorkout() throws {
        let model = try fixture.model()
        let runs = truth.workouts.filter { $0.activity == "running" && $0.routePoints > 240 }
        #expect(runs.count > 3)
        for run in runs.prefix(4) {
            let detail = try #require(try model.workout(person: DemoStore.person, uuid: run.uuid))
            #expect(detail.route.count == run.routePoints)
            let metres = detail.kilometreSplits.reduce(0) { $0 + $1.metres }
            let known = try #require(run.distanceMetres)
            // Points are rounded to 0.1 m, four seconds apart.
            #expect(abs(metres - known) < known * 0.02)
        }
    }
}
