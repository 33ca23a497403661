import Samples
import TestSupport
import Testing
import Wire

@testable import Insights

/// What a store has in `rest` came from a sender: damaged in any way it is read as far as it goes, without a trap.
struct HostileRestTests {
    private static let texts = [
        #""points":[{"t":0,"lat":59.3,"lon":18.0,"alt_m":1},{"timestamp":"2026-10-14 07:00:00 +0200","latitude":59,"longitude":18}]"#,
        #""totalSleep":7.1,"core":4.2,"deep":1.1,"rem":1.8,"awake":0.4,"units":"hr","inBedStart":"2026-10-13 22:45:00 +0200""#,
        #""date":"2026-10-13","active_energy_burned":{"value":512.25,"unit":"kcal"},"apple_exercise_time":41,"apple_stand_hours":12"#,
        #""energy_kcal":312.4,"distance":{"qty":3.1,"units":"mi"},"events":[{"type":"pause","date":"2026-10-14T07:10:00Z"}]"#,
    ]

    @Test(arguments: 0..<texts.count) func damagedMembers(index: Int) {
        var generator = SeededGenerator(seed: UInt64(index))
        let alphabet = Array("{}[]\",:.-+0123456789eEnull\\u ".utf8) + [0, 0x80, 0xFF]
        let start = moment("2026-10-13T21:00:00Z").microseconds
        var readable = 0
        for _ in 0..<1_000 {
            let bytes = Array(Self.texts[index].utf8).mutated(alphabet: alphabet, using: &generator)
            let rest = RestMembers(bytes)
            if !rest.members.isEmpty { readable += 1 }
            if let member = rest.members["points"], member.kind == .array {
                var points: [RoutePoint] = []
                _ = RoutePoints.read(rest.bytes, at: member.range.lowerBound, start: start, offset: nil, into: &points)
                #expect(points.allSatisfy { abs($0.latitude) <= 90 && abs($0.longitude) <= 180 })
            }
            let night = NightSummary(start: start, end: start + 27_000_000_000, minutes: 400, source: 0, offset: nil)
            for row in night.rows(rest, .builtIn) {
                #expect(
                    row.isUsable && (row.stage == .inBed || row.start >= start && row.end <= start + 27_000_000_000))
            }
            _ = PhoneSummary(rest, key: "activity_summary:2026-10-13", .builtIn)
            for name in ["energy_kcal", "distance", "events", "date", "core"] {
                #expect(rest.number(name)?.isFinite != false)
                _ = rest.time(name, offsetMinutes: 120)
                rest.forEachObject(in: name) { event in _ = event.time("date", offsetMinutes: nil) }
            }
            _ = rest.json(without: "points")
        }
        // Most damage is none to the grammar's other members; some text is readable still.
        #expect(readable > 0)
    }

    @Test func noTimeOfAnyNumberTraps() {
        for number in [0, -1, 1e9, 1e10, -1e13, 1e14, 1e300, -.infinity, .infinity, .nan] as [Double] {
            _ = RestMembers.time(epoch: number)
        }
        #expect(RestMembers.time(epoch: 1_791_961_260) == RestMembers.time(epoch: 1_791_961_260_000))
        #expect(RestMembers.time(epoch: .nan) == nil && RestMembers.time(epoch: 1e15) == nil)
    }
}
