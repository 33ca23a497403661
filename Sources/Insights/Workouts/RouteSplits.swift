import Glibc
import Samples

/// Cuts a route into kilometres or miles.
///
/// A leg is the great circle from one point to the next on a sphere of the earth's mean radius. What lies in pauses counts neither as time
/// nor, where a leg is all pause, as way. A border within a leg is where its way is divided in that proportion.
struct RouteSplits {
    private struct Leg {
        var start: Int64
        var end: Int64
        var metres: Double
        /// Without pauses.
        var seconds: Double
        /// Climb that becomes sure at its end.
        var climb: Double
    }

    /// Metres that an altitude has to differ by from the last one that counted: less is the sensor's noise.
    static let climbThresholdMetres = 2.0
    /// Splits of a route that goes further than this are no splits of a workout.
    private static let maximumSplits = 10_000.0
    /// What is left behind the last border and shorter is rounding.
    private static let shortestMetres = 0.5

    private let legs: [Leg]
    private let pauses: [Range<Int64>]
    private let heartRate: [CurvePoint]
    private let hasAltitudes: Bool

    /// - Parameters: all by time.
    init(route: [RoutePoint], pauses: [Range<Int64>], heartRate: [CurvePoint]) {
        self.pauses = pauses
        self.heartRate = heartRate
        hasAltitudes = route.contains { $0.altitudeMetres != nil }
        var legs: [Leg] = []
        legs.reserveCapacity(max(0, route.count - 1))
        var climb = ClimbCounter(), pause = 0
        if let first = route.first { _ = climb.rise(to: first.altitudeMetres) }
        for (one, other) in zip(route, route.dropFirst()) {
            let (start, end) = (one.time.microseconds, max(one.time.microseconds, other.time.microseconds))
            while pause < pauses.count, pauses[pause].upperBound <= start { pause += 1 }
            let paused = Self.paused(start, end, pauses[pause...])
            let seconds = max(0, Double(end) - Double(start) - Double(paused)) / 1e6
            let isPause = paused > 0 && seconds == 0
            let rise = climb.rise(to: other.altitudeMetres)
            legs.append(
                Leg(
                    start: start, end: end, metres: isPause ? 0 : Self.metres(one, other), seconds: seconds,
                    climb: rise))
        }
        self.legs = legs
    }

    /// - Parameter length: of a split, in metres.
    func splits(every length: Double) -> [Split] {
        let total = legs.reduce(0) { $0 + $1.metres }
        guard total >= Self.shortestMetres, total / length <= Self.maximumSplits else { return [] }
        var splits: [Split] = []
        var current = Split(
            metres: 0, seconds: 0, start: Timestamp(microseconds: legs[0].start), meanHeartRate: nil, climbMetres: nil)
        var climb = 0.0
        func close(at end: Int64) {
            current.meanHeartRate = meanHeartRate(from: current.start.microseconds, to: end)
            current.climbMetres = hasAltitudes ? climb : nil
            splits.append(current)
            current = Split(
                metres: 0, seconds: 0, start: Timestamp(microseconds: end), meanHeartRate: nil, climbMetres: nil)
            climb = 0
        }
        for leg in legs {
            var done = 0.0
            while current.metres + (leg.metres - done) >= length {
                let step = length - current.metres
                current.seconds += leg.metres > 0 ? leg.seconds * step / leg.metres : 0
                current.metres = length
                done += step
                close(at: time(in: leg, fraction: leg.metres > 0 ? min(1, done / leg.metres) : 1))
            }
            let left = max(0, leg.metres - done)
            current.metres += left
            current.seconds += leg.metres > 0 ? leg.seconds * left / leg.metres : leg.seconds
            climb += leg.climb
        }
        if current.metres >= Self.shortestMetres { close(at: legs[legs.count - 1].end + 1) }
        return splits
    }

    /// When that part of a leg's way was done, moving on through pauses.
    private func time(in leg: Leg, fraction: Double) -> Int64 {
        var left = leg.seconds * 1e6 * fraction, at = leg.start
        for pause in pauses[firstPause(endingBehind: leg.start)...] {
            if pause.lowerBound >= leg.end { break }
            let moving = Double(max(0, pause.lowerBound - at))
            if left < moving { break }
            left -= moving
            at = max(at, pause.upperBound)
        }
        return min(leg.end, at + Int64(left.rounded()))
    }

    /// Into `pauses`; their count when all have ended by then.
    private func firstPause(endingBehind time: Int64) -> Int {
        var low = 0, high = pauses.count
        while low < high {
            let middle = low + (high - low) / 2
            if pauses[middle].upperBound <= time { low = middle + 1 } else { high = middle }
        }
        return low
    }

    private static func paused(_ start: Int64, _ end: Int64, _ pauses: ArraySlice<Range<Int64>>) -> Int64 {
        var sum: Int64 = 0
        for pause in pauses {
            if pause.lowerBound >= end { break }
            sum += max(0, min(end, pause.upperBound) - max(start, pause.lowerBound))
        }
        return sum
    }

    /// Of the curve's points in a stretch, those in pauses left out.
    private func meanHeartRate(from: Int64, to: Int64) -> Double? {
        var sum = 0.0, count = 0.0
        var index = heartRate.firstIndex(notBefore: from)
        var pause = firstPause(endingBehind: from)
        while index < heartRate.count, heartRate[index].time.microseconds < to {
            let time = heartRate[index].time.microseconds
            while pause < pauses.count, pauses[pause].upperBound <= time { pause += 1 }
            if pause == pauses.count || !pauses[pause].contains(time) {
                sum += heartRate[index].value
                count += 1
            }
            index += 1
        }
        return count > 0 ? sum / count : nil
    }

    /// The haversine formula on a sphere of 6,371,008.8 m (the mean radius of WGS 84).
    static func metres(_ one: RoutePoint, _ other: RoutePoint) -> Double {
        let radians = Double.pi / 180
        let latitude = sin((other.latitude - one.latitude) * radians / 2)
        let longitude = sin((other.longitude - one.longitude) * radians / 2)
        let a =
            latitude * latitude + cos(one.latitude * radians) * cos(other.latitude * radians) * longitude * longitude
        return 2 * 6_371_008.8 * asin(min(1, a.squareRoot()))
    }
}

/// Adds up climbs: a rise or fall counts once it is `climbThresholdMetres` away from the last altitude that counted.
struct ClimbCounter {
    private var counted: Double?

    /// - Returns: metres up that are sure now.
    mutating func rise(to altitude: Double?) -> Double {
        guard let altitude else { return 0 }
        guard let last = counted else {
            counted = altitude
            return 0
        }
        guard abs(altitude - last) >= RouteSplits.climbThresholdMetres else { return 0 }
        counted = altitude
        return max(0, altitude - last)
    }
}

extension [CurvePoint] {
    /// Of points by time, the first that is not before a moment.
    func firstIndex(notBefore time: Int64) -> Int {
        var low = 0, high = count
        while low < high {
            let middle = low + (high - low) / 2
            if self[middle].time.microseconds < time { low = middle + 1 } else { high = middle }
        }
        return low
    }
}
