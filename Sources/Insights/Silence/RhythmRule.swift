package import Samples

/// Learns how often something comes, and tells when it has been quiet for longer than ever. Pure.
package struct RhythmRule: Equatable, Sendable {
    /// Requests of one burst are one: a phone sends what has piled up in many.
    package static let burstSeconds = 300.0
    /// Intervals that have to be known before anything is quiet.
    package static let leastIntervals = 8
    /// How much longer than the longest interval it has to be quiet.
    package static let graceSeconds = 6 * 3_600.0

    package var last: Timestamp
    /// The median, of an even count the mean of the two in the middle; 0 without an interval.
    package var usualSeconds: Double
    package var longestSeconds: Double
    package var intervals: Int

    /// - Parameter times: when something of it was stored, in any order.
    /// - Returns: nil without one.
    package init?(_ times: [Timestamp]) {
        let times = times.sorted()
        guard let last = times.last else { return nil }
        // A burst has the time of its last request, so that a long one isn't a pause; it ends with the first silence.
        var ends: [Timestamp] = [], starts: [Timestamp] = []
        for time in times {
            if let end = ends.last, Self.seconds(end, time) < Self.burstSeconds {
                ends[ends.count - 1] = time
            } else {
                starts.append(time)
                ends.append(time)
            }
        }
        let lengths = zip(ends, starts.dropFirst()).map { Self.seconds($0, $1) }.sorted()
        self.last = last
        intervals = lengths.count
        longestSeconds = lengths.last ?? 0
        let middle = lengths.count / 2
        usualSeconds =
            lengths.isEmpty
            ? 0 : lengths.count.isMultiple(of: 2) ? (lengths[middle - 1] + lengths[middle]) / 2 : lengths[middle]
    }

    /// Whether it has been quiet for longer than it ever was, by 6 hours and more.
    package func isQuiet(at now: Timestamp) -> Bool {
        intervals >= Self.leastIntervals && Self.seconds(last, now) > longestSeconds + Self.graceSeconds
    }

    private static func seconds(_ from: Timestamp, _ to: Timestamp) -> Double {
        (Double(to.microseconds) - Double(from.microseconds)) / 1e6
    }
}
