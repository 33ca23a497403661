package import Samples

/// What became of a batch of PulsHealth: the counts that its answer has. Source: specs/puls-v1, section 6.
package struct PulsOutcome: Equatable, Sendable {
    /// Sample lines that made a row.
    package var accepted = 0
    /// Sample lines that made none.
    package var duplicates = 0
    /// Samples that a deletion removed; points that went with a workout are not counted.
    package var deleted = 0
    /// Points that made a row.
    package var routePoints = 0
    package var seriesPoints = 0
    /// Different buckets and days that were written, new or not.
    package var aggregates = 0
    package var activitySummaries = 0

    package init() {}
}

/// Which stretch of background work of the phone a batch came in, as its head tells it.
package struct PulsWake: Equatable, Sendable {
    package var id: UUIDBits?
    /// UTF-8, as it came.
    package var trigger: [UInt8]?

    package init(id: UUIDBits? = nil, trigger: [UInt8]? = nil) {
        self.id = id
        self.trigger = trigger
    }
}

extension UUIDBits {
    /// In the order of its text.
    var bytes: [UInt8] {
        [high, low].flatMap { half in (0..<8).map { UInt8(truncatingIfNeeded: half >> (56 - 8 * UInt64($0))) } }
    }
}
