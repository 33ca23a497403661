import Foundation
import Samples
import TestSupport
import Testing

@testable import Insights

/// The rules of splits in `docs/workouts.md`, on points alone.
struct RouteSplitsTests {
    private static func point(
        _ seconds: Double, _ latitude: Double, _ longitude: Double, _ altitude: Double? = nil
    ) -> RoutePoint {
        RoutePoint(
            time: Timestamp(microseconds: Int64(seconds * 1e6)), latitude: latitude, longitude: longitude,
            altitudeMetres: altitude)
    }

    /// Points along a meridian, so many metres apart.
    private static func straight(_ count: Int, every metres: Double, seconds: Double) -> [RoutePoint] {
        let degrees = metres / (6_371_008.8 * .pi / 180)
        return (0..<count).map { point(Double($0) * seconds, 10 + Double($0) * degrees, 20) }
    }

    private static func splits(
        _ route: [RoutePoint], pauses: [Range<Int64>] = [], heartRate: [CurvePoint] = [], every length: Double = 1_000
    ) -> [Split] {
        RouteSplits(route: route, pauses: pauses, heartRate: heartRate).splits(every: length)
    }

    struct Distance: Sendable {
        var from: (Double, Double)
        var to: (Double, Double)
        var metres: Double
    }

    // A degree of the sphere, a quarter of it, across the date line, over a pole, nothing.
    @Test(arguments: [
        Distance(from: (0, 0), to: (1, 0), metres: 111_195.08),
        Distance(from: (0, 0), to: (0, 90), metres: 10_007_557.22),
        Distance(from: (0, 179.5), to: (0, -179.5), metres: 111_195.08),
        Distance(from: (89, 0), to: (89, 180), metres: 222_390.16),
        Distance(from: (52.52, 13.405), to: (48.8566, 2.3522), metres: 877_464.6),
        Distance(from: (59, 18), to: (59, 18), metres: 0), Distance(from: (90, 0), to: (-90, 0), metres: 20_015_114.44),
    ])
    func distancesAreGreatCircles(_ distance: Distance) {
        let one = Self.point(0, distance.from.0, distance.from.1), other = Self.point(1, distance.to.0, distance.to.1)
        #expect(abs(RouteSplits.metres(one, other) - distance.metres) < 1)
        #expect(RouteSplits.metres(one, other) == RouteSplits.metres(other, one))
    }

    @Test func aBorderWithinALegIsInterpolated() throws {
        // 300 m in 100 s a leg: 1,000 m are after 3 1/3 legs, 333 1/3 s.
        let splits = Self.splits(Self.straight(8, every: 300, seconds: 100))
        #expect(splits.map { $0.metres.rounded() } == [1_000, 1_000, 100])
        #expect(splits.map { ($0.seconds * 10).rounded() } == [3_333, 3_333, 333])
        #expect(abs(Double(splits[1].start.microseconds) / 1e6 - 333.333) < 0.01)
        #expect(splits[0].meanHeartRate == nil && splits[0].climbMetres == nil)
    }

    @Test func aLegMayHoldManyBorders() {
        let splits = Self.splits(Self.straight(2, every: 5_500, seconds: 550))
        #expect(splits.map { $0.metres.rounded() } == [1_000, 1_000, 1_000, 1_000, 1_000, 500])
        #expect(splits.map { $0.seconds.rounded() } == [100, 100, 100, 100, 100, 50])
    }

    @Test func theLastSplitIsAsLongAsIsLeftAndRoundingIsNone() {
        #expect(Self.splits(Self.straight(11, every: 100.000001, seconds: 30)).count == 1)
        #expect(Self.splits(Self.straight(6, every: 100, seconds: 30)).map { $0.metres.rounded() } == [500])
    }

    @Test func milesAreMiles() {
        let splits = Self.splits(Self.straight(33, every: 100, seconds: 30), every: 1_609.344)
        #expect(splits.map { ($0.metres * 10).rounded() } == [16_093, 15_907])
    }

    @Test func timeAndWayOfAPauseDoNotCount() {
        // 10 m a second; between the points at 50 s and 60 s a pause, in which the runner goes on by 100 m.
        let route = Self.straight(21, every: 100, seconds: 10)
        let whole = Self.splits(route, pauses: [50_000_000..<60_000_000])
        #expect(whole.map { $0.metres.rounded() } == [1_000, 900])
        #expect(whole.map { $0.seconds.rounded() } == [100, 90])
        #expect(whole[1].start.microseconds / 1_000_000 == 110)
        // A pause within a leg: its way counts, the pause's time doesn't.
        let part = Self.splits(route, pauses: [52_000_000..<58_000_000])
        #expect(part.map { $0.metres.rounded() } == [1_000, 1_000])
        #expect(part.map { $0.seconds.rounded() } == [94, 100])
    }

    @Test func aBorderMovesOnThroughAPause() {
        // One leg of 2,000 m in 300 s, paused from 50 s to 150 s: 1,000 m are after 100 s of moving, at 200 s.
        let splits = Self.splits(Self.straight(2, every: 2_000, seconds: 300), pauses: [50_000_000..<150_000_000])
        #expect(splits.map { $0.seconds.rounded() } == [100, 100])
        #expect((Double(splits[1].start.microseconds) / 1e6).rounded() == 200)
    }

    @Test func heartRateIsTheMeanOfTheReadingsInASplit() {
        let curve = (0..<20).map {
            CurvePoint(time: Timestamp(microseconds: Int64($0) * 10_000_000), value: $0 < 10 ? 140 : 160)
        }
        let route = Self.straight(21, every: 100, seconds: 10)
        #expect(Self.splits(route, heartRate: curve).map(\.meanHeartRate) == [140, 160])
        #expect(
            Self.splits(Self.straight(41, every: 100, seconds: 10), heartRate: curve).map(\.meanHeartRate)
                == [140, 160, nil, nil])
    }

    @Test func climbCountsRisesOfTwoMetres() {
        func climb(_ altitudes: [Double?]) -> Double? {
            let route = Self.straight(altitudes.count, every: 10, seconds: 5).enumerated().map { index, point in
                RoutePoint(
                    time: point.time, latitude: point.latitude, longitude: point.longitude,
                    altitudeMetres: altitudes[index])
            }
            return Self.splits(route).first?.climbMetres
        }
        #expect(climb([nil, nil]) == nil)
        #expect(climb([10, 11, 10, 11.9, 10, 11]) == 0)
        #expect(climb([10, 11, 12, 13, 14, 15, 16]) == 6)
        #expect(climb([10, nil, 15, nil, 5, 9]) == 9)
        #expect(climb([10, 14, 13, 14, 13, 18, 0]) == 8)
    }

    // MARK: References

    /// Each leg cut into a thousand pieces, counted one after the other.
    private static func slow(_ route: [RoutePoint], _ pauses: [Range<Int64>], _ length: Double) -> [Split] {
        var splits: [Split] = [], metres = 0.0, moving = 0.0, start = route[0].time.microseconds
        let pieces = 1_000
        for (one, other) in zip(route, route.dropFirst()) {
            let way = RouteSplits.metres(one, other), from = one.time.microseconds, to = other.time.microseconds
            let free = (0..<pieces).filter { piece in
                let time = from + (to - from) * Int64(piece) / Int64(pieces)
                return !pauses.contains { $0.contains(time) }
            }
            for piece in free {
                metres += way / Double(free.count)
                moving += Double(to - from) / 1e6 / Double(pieces)
                if metres >= length {
                    let end = from + (to - from) * Int64(piece + 1) / Int64(pieces)
                    splits.append(
                        Split(
                            metres: metres, seconds: moving, start: Timestamp(microseconds: start), meanHeartRate: nil,
                            climbMetres: nil))
                    (metres, moving, start) = (0, 0, end)
                }
            }
        }
        if metres >= 0.5 {
            splits.append(
                Split(
                    metres: metres, seconds: moving, start: Timestamp(microseconds: start), meanHeartRate: nil,
                    climbMetres: nil))
        }
        return splits
    }

    @Test(arguments: 0..<20) func agreesWithASlowReference(seed: Int) {
        var generator = SeededGenerator(seed: UInt64(seed))
        var route = [Self.point(0, 47.5, 8.2, 400)]
        for _ in 0..<60 {
            let last = route[route.count - 1]
            route.append(
                Self.point(
                    Double(last.time.microseconds) / 1e6 + Double(Int.random(in: 5...40, using: &generator)),
                    last.latitude + Double.random(in: -0.001...0.001, using: &generator),
                    last.longitude + Double.random(in: -0.001...0.001, using: &generator)))
        }
        var pauses: [Range<Int64>] = [], at: Int64 = 0
        for _ in 0..<4 {
            at += Int64.random(in: 20...300, using: &generator) * 1_000_000
            let end = at + Int64.random(in: 1...60, using: &generator) * 1_000_000
            pauses.append(at..<end)
            at = end
        }
        let found = Self.splits(route, pauses: pauses), slow = Self.slow(route, pauses, 1_000)
        #expect(abs(found.count - slow.count) <= 1 && !found.isEmpty)
        let seconds = found.reduce(0) { $0 + $1.seconds }, slowSeconds = slow.reduce(0) { $0 + $1.seconds }
        #expect(abs(seconds - slowSeconds) < 2)
        for (one, other) in zip(found.dropLast(), slow) {
            #expect(abs(one.seconds - other.seconds) < 2)
            #expect(abs(one.start.microseconds - other.start.microseconds) < 2_000_000)
        }
        let way = zip(route, route.dropFirst()).reduce(0) { $0 + RouteSplits.metres($1.0, $1.1) }
        #expect(found.reduce(0) { $0 + $1.metres } <= way + 0.01)
    }

    // MARK: Hostile routes

    @Test func noRouteHasNoSplits() {
        #expect(Self.splits([]).isEmpty)
        #expect(Self.splits([Self.point(0, 1, 1)]).isEmpty)
        #expect(Self.splits([Self.point(0, 1, 1), Self.point(5, 1, 1)]).isEmpty)
        #expect(Self.splits([Self.point(5, 1, 1), Self.point(0, 1, 1.1)]).first?.seconds == 0)
    }

    @Test func aRouteOfAHundredThousandPointsIsQuick() {
        let splits = Self.splits(
            Self.straight(100_000, every: 3, seconds: 1), pauses: [100_000_000..<200_000_000],
            heartRate: (0..<100_000).map {
                CurvePoint(time: Timestamp(microseconds: Int64($0) * 1_000_000), value: 150)
            })
        #expect(splits.count == 300 && splits.allSatisfy { $0.meanHeartRate == 150 })
    }

    @Test func aRouteAroundTheWorldHasNoSplits() {
        let jumps = (0..<1_000).map { Self.point(Double($0), $0.isMultiple(of: 2) ? 89 : -89, 0) }
        #expect(Self.splits(jumps).isEmpty)
    }
}
