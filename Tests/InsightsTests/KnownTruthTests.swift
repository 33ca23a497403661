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
    fileprivate static let until: Int64 = 1_793_487_600
    private static let fixture = Result { try DemoFixture(days: days, until: until, hasHeartRate: false) }
    private static var days: Int {
        #if DEBUG
            90
        #else
            365
        #endif
    }

    fileprivate let fixture: DemoFixture
    fileprivate let truth: DemoTruth

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
            let found = try model.workout(person: DemoStore.person, uuid: run.uuid)
            let detail = try #require(found)
            #expect(detail.route.count == run.routePoints)
            let metres = detail.kilometreSplits.reduce(0) { $0 + $1.metres }
            let known = try #require(run.distanceMetres)
            // Points are rounded to 0.1 m, four seconds apart.
            #expect(abs(metres - known) < known * 0.02)
        }
    }
}

// MARK: Totals

extension KnownTruthTests {
    private static let types = [
        "steps", "distance_walking_running", "active_energy_burned", "apple_exercise_time", "flights_climbed",
        "distance_cycling", "distance_swimming", "swimming_stroke_count",
    ]

    private func series(
        _ type: String, _ size: BucketSize, from: Timestamp, to: Timestamp, withSources: Bool = false
    ) throws -> BucketSeries {
        try fixture.model().buckets(
            BucketQuery(
                person: DemoStore.person, type: type, from: from, to: to, size: size, withSources: withSources))
    }

    /// To the last bit: whatever is cut or left out of two devices' samples, the day is what was walked.
    @Test(arguments: types, [BucketSize.day, .week, .month, .year])
    func totalsAreWhatHappened(type: String, size: BucketSize) throws {
        let from = fixture.days[0], to = fixture.days[fixture.days.count - 1]
        let series = try series(type, size, from: from, to: to)
        #expect(series.unconverted == 0 && series.aggregation == .cumulative)
        #expect(!series.buckets.isEmpty)
        var all = 0.0
        for bucket in series.buckets {
            let known = truth.total(type, from: bucket.start, to: bucket.end)
            #expect(bucket.figures == .sum(known))
            all += known
        }
        #expect(all == truth.total(type, from: from, to: to))
    }

    /// Hours cut samples, too.
    @Test(arguments: ["steps", "active_energy_burned", "distance_walking_running"])
    func hoursAreWhatHappened(type: String) throws {
        for day in [9, 28, 29, 51, 69, 83] where day + 2 < fixture.days.count {
            let from = fixture.days[day], to = fixture.days[day + 2]
            let series = try series(type, .hour, from: from, to: to)
            for bucket in series.buckets {
                #expect(bucket.figures == .sum(truth.total(type, from: bucket.start, to: bucket.end)))
            }
        }
    }

    /// The day on which the clocks went back has 25 hours, and all of its steps.
    @Test func daysAreAsLongAsTheClockHasThem() throws {
        let from = fixture.days[0], to = fixture.days[fixture.days.count - 1]
        let days = try series("active_energy_burned", .day, from: from, to: to).buckets
        let starts = Set(fixture.days.map(\.microseconds))
        #expect(days.allSatisfy { starts.contains($0.start.microseconds) && starts.contains($0.end.microseconds) })
        let hours = days.map { ($0.end.microseconds - $0.start.microseconds) / 3_600_000_000 }
        #expect(hours.contains(25) && hours.allSatisfy { (23...25).contains($0) })
    }

    @Test func rawRowsAddUpToMuchMore() throws {
        let from = fixture.days[0], to = fixture.days[fixture.days.count - 1]
        let series = try series("steps", .day, from: from, to: to, withSources: true)
        let naive = try fixture.rows("steps").reduce(0) { $0 + $1.value }
        let known = truth.total("steps", from: from, to: to)
        #expect(naive > known * 1.2)
        for bucket in series.buckets {
            // Never more than all sources together; what counts of each adds up to the whole.
            let counted = bucket.sources.reduce(0) { $0 + $1.counted }
            #expect(bucket.figures == .sum(counted))
            #expect(counted <= bucket.sources.reduce(0) { $0 + $1.value })
        }
        #expect(series.buckets.contains { $0.sources.count == 2 && $0.sources[1].counted < $0.sources[1].value })
    }

    /// With the phone in front the sums are others: the order is what decides.
    @Test func anotherOrderOfSourcesGivesOtherTotals() throws {
        let from = fixture.days[0], to = fixture.days[9]
        let query = BucketQuery(person: DemoStore.person, type: "steps", from: from, to: to, size: .day)
        let phone = SourceName(app: "com.apple.health", device: "iPhone")
        let other = try fixture.model(sourceOrder: [phone])
        // A folder has one order at a time; the tests beside this one keep days in theirs.
        other.keepsRollups = false
        let turned = try other.buckets(query)
        #expect(turned.buckets.map(\.figures) != (try fixture.model().buckets(query)).buckets.map(\.figures))
        let ranks = try other.sources(of: DemoStore.person, type: "steps")
        #expect(ranks.first?.source == phone && ranks.first?.isSet == true && ranks.last?.isSet == false)
    }

    @Test(arguments: ["body_mass", "resting_heart_rate", "oxygen_saturation", "vo2_max"])
    func discreteTypesAreWhatWasMeasured(type: String) throws {
        let from = fixture.days[0], to = fixture.days[fixture.days.count - 1]
        let readings = try #require(truth.readings[type])
        let series = try series(type, .day, from: from, to: to)
        #expect(series.buckets.reduce(0) { $0 + $1.samples } == readings.count)
        for bucket in series.buckets {
            let values = readings.filter {
                $0.start * 1_000_000 >= bucket.start.microseconds && $0.start * 1_000_000 < bucket.end.microseconds
            }
            guard case .discrete(let minimum, let mean, let maximum, let last) = bucket.figures else {
                Issue.record("\(type) has no range")
                continue
            }
            #expect(minimum == values.map(\.value).min() && maximum == values.map(\.value).max())
            #expect(last == values.max { $0.start < $1.start }?.value)
            #expect(abs(mean - values.reduce(0) { $0 + $1.value } / Double(values.count)) < 1e-9)
        }
    }

    /// A sender that knows where the phone is writes its times with that offset; the moments, and so the sums, stay.
    @Test func offsetsOfATripDontChangeWhatHappened() throws {
        let fixture = try DemoFixture(days: 90, until: Self.until, writesOffsets: true)
        let from = fixture.days[66], to = fixture.days[78]
        let buckets = try fixture.model().buckets(
            BucketQuery(person: DemoStore.person, type: "steps", from: from, to: to, size: .day)
        ).buckets
        #expect(buckets.count == 12)
        let sum = buckets.reduce(0.0) { if case .sum(let value) = $1.figures { $0 + value } else { $0 } }
        #expect(sum == fixture.summary.truth.total("steps", from: from, to: to))
    }
}
