import Foundation
import Samples
import Storage
import TestSupport
import Testing
import Wire

@testable import Insights

/// Workouts out of a real store, in each shape that senders have.
struct StoredWorkoutTests {
    private static let uuid = "0B6F0000-0000-4000-8000-000000000001"
    private static let source = #""source":{"app":"com.apple.health","device":"Apple Watch"}"#

    private static func workout(_ more: String = "", uuid: String = uuid) -> String {
        #"""
        {"uuid":"\#(uuid)","type":"workout","activity":"running","start":"2026-10-14T07:00:00Z","end":"2026-10-14T07:31:10Z",\#
        "duration_s":1870,"energy_kcal":312.4,"distance_m":5020,\#(source)\#(more)}
        """#
    }

    /// A route due north, a part of its points.
    private static func part(
        _ part: Int, of parts: Int, points: Range<Int>, count: Int, workout: String? = uuid, key: Int = 900,
        start: String = "2026-10-14T07:00:00Z"
    ) -> String {
        let texts = points.map { (index: Int) -> String in
            let latitude = 59 + Double(index) * 0.0003
            return #"{"t":\#(index * 10_000),"lat":\#(latitude),"lon":18.5,"alt_m":\#(12 + index)}"#
        }
        let link = workout.map { #""workout":"\#($0)","# } ?? ""
        return #"""
            {"uuid":"\#(NightBench.uuid(key))","type":"workout_route","start":"\#(start)","end":"2026-10-14T07:30:00Z",\#(link)\#
            "count":\#(count),"part":\#(part),"parts":\#(parts),"points":[\#(texts.joined(separator: ","))],\#(source)}
            """#
    }

    private static func heartRate(
        _ number: Int, _ time: String, _ value: Double, device: String = "Apple Watch", unit: String = "count/min"
    ) -> String {
        #"""
        {"uuid":"\#(NightBench.uuid(number))","type":"heart_rate","value":\#(value),"unit":"\#(unit)","start":"\#(time)","end":"\#(time)",\#
        "source":{"app":"com.apple.health","device":"\#(device)"}}
        """#
    }

    private func detail(_ bench: NightBench, _ uuid: String = uuid, zone: ZoneRules = .utc) throws -> WorkoutDetail {
        try #require(try bench.model(zone: zone).workout(person: "me", uuid: uuid))
    }

    // MARK: Native

    @Test func aNativeWorkoutWithItsCurveAndItsRouteInParts() throws {
        let bench = try NightBench()
        try bench.native([
            Self.workout(#","events":[{"type":"lap","date":"2026-10-14T07:10:00Z"}],"metadata":{"a":1}"#),
            Self.part(1, of: 2, points: 60..<121, count: 121), Self.part(0, of: 2, points: 0..<60, count: 121),
            Self.heartRate(1, "2026-10-14T06:59:59Z", 90), Self.heartRate(2, "2026-10-14T07:00:00Z", 140),
            Self.heartRate(3, "2026-10-14T07:31:10Z", 2.5, unit: "count/s"),
            Self.heartRate(4, "2026-10-14T07:31:11Z", 91),
            Self.heartRate(5, "2026-10-14T07:01:00Z", 70, device: "iPhone"),
        ])
        let detail = try detail(bench, Self.uuid.lowercased(), zone: europe)
        #expect(
            detail.workout
                == Workout(
                    uuid: Self.uuid, device: "d_1", activity: "running", start: moment("2026-10-14T07:00:00Z"),
                    end: moment("2026-10-14T07:31:10Z"), offsetMinutes: 120, durationSeconds: 1_870,
                    energyKilocalories: 312.4, distanceMetres: 5_020,
                    source: SourceName(app: "com.apple.health", device: "Apple Watch"), hasRoute: true))
        #expect(
            detail.heartRate == [
                CurvePoint(time: moment("2026-10-14T07:00:00Z"), value: 140),
                CurvePoint(time: moment("2026-10-14T07:31:10Z"), value: 150),
            ])
        #expect(detail.route.count == 121)
        #expect(detail.route[60].time == moment("2026-10-14T07:10:00Z") && detail.route[60].altitudeMetres == 72)
        // 120 legs of 33.36 m.
        #expect(detail.kilometreSplits.map { $0.metres.rounded() } == [1_000, 1_000, 1_000, 1_000, 3])
        #expect(detail.mileSplits.map { $0.metres.rounded() } == [1_609, 1_609, 784])
        #expect(detail.kilometreSplits.reduce(0) { $0 + ($1.climbMetres ?? 0) } == 120)
        let body = try JSONSerialization.jsonObject(with: Data(detail.bodyJSON)) as? [String: Any]
        #expect(body?.keys.sorted() == ["distance_m", "energy_kcal", "events", "metadata"])
    }

    @Test func pausesOfTheWorkoutsEventsShortenItsSplits() throws {
        for (events, seconds) in [
            (
                #"[{"type":"pause","date":"2026-10-14T07:02:00Z"},{"type":"resume","date":"2026-10-14T07:05:00Z"}]"#,
                1_020.0
            ),
            (
                #"[{"type":"HKWorkoutEventTypeMotionPaused","start":"2026-10-14T07:02:00Z","end":"2026-10-14T07:03:00Z"}]"#,
                1_140
            ),
            (#"[{"type":1,"start":1791961320000},{"type":2,"start":1791961380000}]"#, 1_140),
            (
                // The watch's own ends within the person's.
                #"[{"type":"pause","date":"2026-10-14T07:02:00Z"},{"type":"motion_paused","date":"2026-10-14T07:02:05Z"},{"type":"motion_resumed","date":"2026-10-14T07:03:00Z"},{"type":"resume","date":"2026-10-14T07:05:00Z"}]"#,
                1_020
            ),
            (
                #"[{"type":5,"start":1791961320000},{"type":1,"start":1791961350000},{"type":2,"start":1791961360000},{"type":6,"start":1791961380000}]"#,
                1_140
            ),
            (
                // No resume of its own: as long as it says.
                #"[{"type":"pause","start":"2026-10-14T07:02:00Z","end":"2026-10-14T07:03:00Z"},{"type":"motion_paused","date":"2026-10-14T07:05:00Z"},{"type":"motion_resumed","date":"2026-10-14T07:06:00Z"}]"#,
                1_080
            ),
            (
                #"[{"type":"motion_paused","date":"2026-10-14T07:05:00Z"},{"type":"resume","date":"2026-10-14T07:06:00Z"}]"#,
                1_140
            ),
            (#"[{"type":"resume","date":"2026-10-14T07:05:00Z"},{"type":"lap"},{"type":"pause"},7,null]"#, 1_200),
            (#"[{"type":"pause","date":"2026-10-14T07:10:00Z"},{"type":"resume","date":"2026-10-14T07:01:00Z"}]"#, 600),
            (#""none""#, 1_200), (#"{"type":"pause"}"#, 1_200),
        ] {
            let bench = try NightBench()
            try bench.native([Self.workout(#","events":\#(events)"#), Self.part(0, of: 1, points: 0..<121, count: 121)])
            let splits = try detail(bench).kilometreSplits
            #expect(splits.reduce(0) { $0 + $1.seconds }.rounded() == seconds, "\(events)")
        }
    }

    @Test func aRouteThatIsNotCompleteIsNone() throws {
        let cases: [[String]] = [
            [Self.part(0, of: 2, points: 0..<60, count: 121)],
            [Self.part(0, of: 1, points: 0..<60, count: 61)],
            [Self.part(1, of: 1, points: 0..<60, count: 60)],
            [Self.part(0, of: 3, points: 0..<60, count: 121), Self.part(2, of: 3, points: 60..<121, count: 121)],
            [Self.part(0, of: 2, points: 0..<60, count: 121), Self.part(1, of: 2, points: 60..<121, count: 122)],
            [Self.part(0, of: 1, points: 0..<0, count: 0)],
        ]
        for parts in cases {
            let bench = try NightBench()
            try bench.native([Self.workout()] + parts)
            let detail = try detail(bench)
            #expect(detail.route.isEmpty && !detail.workout.hasRoute && detail.kilometreSplits.isEmpty)
        }
    }

    @Test func aRouteThatNamesNoWorkoutBelongsToTheOneOfItsTime() throws {
        let bench = try NightBench()
        let other = Self.workout(uuid: NightBench.uuid(77)).replacingOccurrences(
            of: "2026-10-14T07", with: "2026-10-14T12")
        try bench.native([Self.workout(), other, Self.part(0, of: 1, points: 0..<50, count: 50, workout: nil)])
        #expect(try detail(bench).route.count == 50)
        #expect(try detail(bench, NightBench.uuid(77)).route.isEmpty)
        let listed = try bench.model().workouts(person: "me", limit: 10).workouts
        #expect(listed.map(\.hasRoute) == [false, true])
    }

    @Test func aRouteThatNamesAnotherWorkoutIsNotThisOnes() throws {
        let bench = try NightBench()
        try bench.native([
            Self.workout(), Self.part(0, of: 1, points: 0..<50, count: 50, workout: NightBench.uuid(5)),
        ])
        #expect(try detail(bench).route.isEmpty)
    }

    @Test func theSameWayToldTwiceCountsOnce() throws {
        let bench = try NightBench()
        try bench.native([Self.workout(), Self.part(0, of: 1, points: 0..<50, count: 50, workout: nil)])
        try bench.native([Self.part(0, of: 1, points: 0..<100, count: 100, workout: nil, key: 901)], device: "import")
        #expect(try detail(bench).route.count == 50)
        // A second piece of the way, after the first, joins it.
        try bench.native([Self.part(0, of: 1, points: 60..<90, count: 30, workout: nil, key: 902)])
        #expect(try detail(bench).route.count == 80)
    }

    @Test func pointsOfWrongTypesAreLeftOut() throws {
        let bench = try NightBench()
        let points = [
            #"{"t":0,"lat":59,"lon":18}"#, #"{"t":1,"lat":"59","lon":18}"#, #"{"t":2,"lat":91,"lon":18}"#, "7", "null",
            "[1,2]",
            #"{"t":3,"lat":59}"#, #"{"lat":59,"lon":18}"#, #"{"t":1e300,"lat":59,"lon":18}"#,
            #"{"t":"x","lat":59,"lon":18}"#,
            #"{"t":1000,"lat":59,"lon":18,"alt_m":1e300}"#, #"{"t":1000,"lat":58,"lon":18}"#,
            #"{"t":-5000,"lat":59,"lon":18.1}"#,
            #"{"timestamp":"2026-10-14 09:00:05 +0200","latitude":59,"lng":18,"ele":4}"#,
        ]
        try bench.native([
            Self.workout(),
            #"""
            {"uuid":"\#(NightBench.uuid(9))","type":"workout_route","start":"2026-10-14T07:00:00Z","count":\#(points.count),\#
            "locations":[\#(points.joined(separator: ","))]}
            """#,
        ])
        let route = try detail(bench).route
        let times = ["06:59:55", "07:00:00", "07:00:01", "07:00:05"].map { "2026-10-14T\($0)Z" }
        #expect(route.map(\.time.text) == times)
        #expect(route.map(\.altitudeMetres) == [nil, nil, nil, 4])
        #expect(route[2].latitude == 59)
    }

    @Test func hostileWorkoutsAreShownAsFarAsTheyGo() throws {
        let bench = try NightBench()
        try bench.native([
            #"{"uuid":"\#(NightBench.uuid(1))","type":"workout"}"#,
            #"{"uuid":"\#(NightBench.uuid(2))","type":"workout","start":"2026-10-14T07:00:00Z"}"#,
            #"{"uuid":"\#(NightBench.uuid(3))","type":"workout","start":"2026-10-14T08:00:00Z","end":"2026-10-14T07:00:00Z","duration_s":-4}"#,
            #"{"uuid":"\#(NightBench.uuid(4))","type":"workout","start":"2026-10-14T09:00:00Z","duration_s":1e300,"energy_kcal":"x","distance_m":{}}"#,
            #"{"uuid":"\#(NightBench.uuid(5))","type":"workout","start":"2026-10-14T10:00:00Z","duration_s":60,"events":7,"route":[[1,2]]}"#,
        ])
        let page = try bench.model().workouts(person: "me", limit: 10)
        #expect(page.next == nil)
        #expect(page.workouts.map(\.durationSeconds) == [60, 1e300, 0, 0])
        let lengths: [Int64] = page.workouts.map { $0.end.microseconds - $0.start.microseconds }
        #expect(lengths == [60_000_000, 31 * 86_400_000_000, 0, 0])
        #expect(
            page.workouts.allSatisfy {
                $0.activity == "other" && $0.energyKilocalories == nil && $0.distanceMetres == nil
            })
        for workout in page.workouts { #expect(try detail(bench, workout.uuid).route.isEmpty) }
        #expect(try bench.model().workout(person: "me", uuid: "nothing") == nil)
        #expect(try bench.model().workout(person: "me", uuid: NightBench.uuid(2), device: "d_2") == nil)
        #expect(try bench.model().workout(person: "you", uuid: NightBench.uuid(2)) == nil)
    }

    // MARK: The list

    @Test func pagesHoldEachWorkoutOnceNewestFirst() throws {
        let bench = try NightBench()
        var generator = SeededGenerator(seed: 3)
        for device in 0..<3 {
            try bench.native(
                (0..<20).map { number in
                    // Many of the same moment, in one device and in several.
                    let hour = Int.random(in: 10...17, using: &generator)
                    return Self.workout(uuid: NightBench.uuid(device * 100 + number))
                        .replacingOccurrences(of: "2026-10-14T07:00", with: "2026-10-14T\(hour):00")
                }, device: "d_\(device)")
        }
        let model = try bench.model()
        let all = try model.workouts(person: "me", limit: 1_000)
        #expect(all.workouts.count == 60 && all.next == nil)
        #expect(zip(all.workouts, all.workouts.dropFirst()).allSatisfy { $0.start >= $1.start })
        for limit in [1, 7, 59, 60] {
            var pages: [Workout] = [], cursor: WorkoutCursor?
            repeat {
                let page = try model.workouts(person: "me", limit: limit, after: cursor)
                #expect(page.workouts.count <= limit)
                pages += page.workouts
                cursor = page.next.flatMap { WorkoutCursor(text: $0.text) }
                #expect(cursor == page.next)
            } while cursor != nil && pages.count <= 60
            #expect(pages == all.workouts)
        }
        let from = moment("2026-10-14T12:00:00Z"), to = moment("2026-10-14T15:00:00Z")
        let some = try model.workouts(person: "me", from: from, to: to, limit: 1_000).workouts
        #expect(some == all.workouts.filter { from <= $0.start && $0.start < to } && !some.isEmpty)
        for text in ["", "1", "1.2", "a.b.c", "1.2.", "1..x"] { #expect(WorkoutCursor(text: text) == nil) }
    }

    @Test func aWorkoutThatTwoDevicesBroughtIsToldOnce() throws {
        let bench = try NightBench()
        let other = NightBench.uuid(7)
        try bench.native([Self.workout(), Self.workout(uuid: other)])
        // The app was installed anew.
        try bench.native([Self.workout(), Self.workout(uuid: NightBench.uuid(8))], device: "d_2")
        let model = try bench.model()
        let all = try model.workouts(person: "me", limit: 10).workouts
        #expect(all.map(\.uuid).sorted() == [Self.uuid, other, NightBench.uuid(8)].sorted())
        #expect(all.first { $0.uuid == Self.uuid }?.device == "d_2")
        var pages: [Workout] = [], cursor: WorkoutCursor?
        repeat {
            let page = try model.workouts(person: "me", limit: 1, after: cursor)
            pages += page.workouts
            cursor = page.next
        } while cursor != nil && pages.count < 9
        #expect(pages == all)
    }

    // MARK: Other senders

    @Test func aWorkoutOfHealthAutoExportHasItsOwnRouteAndCurve() throws {
        let bench = try NightBench()
        let points = (0..<40).map { (minute: Int) -> String in
            let latitude = 59 + Double(minute) * 0.0003, digits = minute < 10 ? "0\(minute)" : "\(minute)"
            return
                #"{"latitude":\#(latitude),"longitude":18.5,"altitude":\#(10 + minute),"timestamp":"2026-10-14 09:\#(digits):00 +0200"}"#
        }
        try bench.healthAutoExport(
            #"""
            {"workouts":[{"id":"\#(Self.uuid)","name":"Running","start":"2026-10-14 09:00:00 +0200","end":"2026-10-14 09:40:00 +0200",\#
            "duration":2400,"activeEnergyBurned":{"qty":1255.2,"units":"kJ"},"distance":{"qty":3.1,"units":"mi"},\#
            "heartRateData":[{"date":"2026-10-14 09:05:00 +0200","Min":100,"Avg":120,"Max":130,"units":"bpm"}],"route":[\#(points.joined(separator: ","))]}]}
            """#)
        let detail = try detail(bench)
        #expect(detail.workout.energyKilocalories == 300 && detail.workout.offsetMinutes == 120)
        #expect(detail.workout.distanceMetres.map { abs($0 - 4_988.97) < 0.01 } == true)
        #expect(detail.route.count == 40 && detail.workout.hasRoute)
        #expect(detail.route[39].time == moment("2026-10-14T07:39:00Z"))
        #expect(detail.heartRate == [CurvePoint(time: moment("2026-10-14T07:05:00Z"), value: 120)])
        #expect(detail.kilometreSplits.count == 2)
        let body = try JSONSerialization.jsonObject(with: Data(detail.bodyJSON)) as? [String: Any]
        #expect(body?["route"] == nil && body?["heartRateData"] != nil)
        #expect(try bench.model().workouts(person: "me", limit: 1).workouts.map(\.hasRoute) == [true])
    }

    @Test func aWorkoutOfPulsHealthHasItsPoints() throws {
        let bench = try NightBench()
        let start = moment("2026-10-14T07:00:00Z").microseconds / 1_000
        let workout = #"""
            {"uuid":"\#(Self.uuid)","type":"HKWorkoutTypeIdentifier","kind":"workout","start":\#(start),"end":\#(start + 600_000),\#
            "workout":{"activityType":"running","duration":600,"totalEnergyKcal":45,"totalDistanceMeters":800,\#
            "events":[{"type":"pause","start":\#(start + 1_000)},{"type":"resume","start":\#(start + 2_000)}]}}
            """#
        try bench.puls(
            [workout], header: #"{"batchID":"AB000000-0000-4000-8000-000000000001","type":"workout","sampleCount":1}"#)
        var extras = PulsExtras(batchID: UUIDBits(high: 7, low: 7), exportedAt: .none)
        var batch = SampleBatch()
        let key = UUIDBits(high: 0x0B6F_0000_0000_4000, low: 0x8000_0000_0000_0001)
        for second in 0..<5 {
            var point = RoutePointRecord(
                workout: key, time: Timestamp(microseconds: (start + Int64(second) * 1_000) * 1_000),
                latitude: 59 + Double(second) * 0.0001, longitude: second == 4 ? 181 : 18.5)
            point.altitude = Double(second)
            extras.routePoints.append(point)
        }
        let series = batch.series(type: batch.intern("heart_rate".utf8), unit: batch.intern("count/min".utf8))
        extras.curvePoints = [
            CurvePointRecord(workout: key, series: series, time: moment("2026-10-14T07:00:30Z"), value: 133)
        ]
        batch.extras = .puls(extras)
        try bench.write(batch, device: "PulsHealth", dialect: .puls)
        let detail = try detail(bench)
        #expect(detail.workout.energyKilocalories == 45 && detail.workout.distanceMetres == 800)
        #expect(detail.route.map(\.altitudeMetres) == [0, 1, 2, 3])
        #expect(detail.heartRate == [CurvePoint(time: moment("2026-10-14T07:00:30Z"), value: 133)])
        // One of three legs is a pause.
        #expect(detail.kilometreSplits.map { $0.metres.rounded() } == [22])
        #expect(detail.kilometreSplits.map(\.seconds) == [2])
        #expect(try bench.model().workouts(person: "me", limit: 1).workouts.map(\.hasRoute) == [true])
    }

    @Test func aWorkoutOfALineHasItsAmounts() throws {
        let bench = try NightBench()
        let lines = "workout,activity=running duration_s=1870,energy_kcal=312.4,distance_m=5020 1791961260000000000\n"
        let decoded = try LineProtocolDecoder.decode(PaddedBytes(Array(lines.utf8)), context: DecodeContext())
        try bench.write(decoded.batch, dialect: .influx)
        let workout = try #require(try bench.model().workouts(person: "me", limit: 1).workouts.first)
        #expect(workout.energyKilocalories == 312.4 && workout.distanceMetres == 5_020 && workout.activity == "running")
        #expect(workout.end.microseconds - workout.start.microseconds == 1_870_000_000)
        #expect(try detail(bench, workout.uuid).workout == workout)
    }

    // MARK: A large route

    @Test func aHundredThousandPointsAreRead() throws {
        let bench = try NightBench()
        try bench.native([Self.workout()])
        let parts = 20, each = 5_000
        for part in 0..<parts {
            var points = ""
            for number in part * each..<(part + 1) * each {
                points += points.isEmpty ? "" : ","
                points += #"{"t":\#(number * 15),"lat":59.\#(100_000 + number),"lon":18}"#
            }
            try bench.native([
                #"""
                {"uuid":"\#(NightBench.uuid(9))","type":"workout_route","start":"2026-10-14T07:00:00Z","workout":"\#(Self.uuid)",\#
                "count":\#(parts * each),"part":\#(part),"parts":\#(parts),"points":[\#(points)]}
                """#
            ])
        }
        #expect(try detail(bench).route.count == parts * each)
    }
}
