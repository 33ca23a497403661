package import Samples

/// What a moment of a night counts as: the most specific that any sample of the chosen source says, in this order.
package enum SleepStage: String, CaseIterable, Sendable {
    case rem = "asleep_rem"
    case deep = "asleep_deep"
    case core = "asleep_core"
    /// Asleep, no more is known.
    case asleep = "asleep_unspecified"
    case awake
    case inBed = "in_bed"

    package var isAsleep: Bool { self != .awake && self != .inBed }
}

package struct SleepSegment: Equatable, Sendable {
    package var stage: SleepStage
    /// Half open.
    package var start: Timestamp
    package var end: Timestamp

    package init(stage: SleepStage, start: Timestamp, end: Timestamp) {
        self.stage = stage
        self.start = start
        self.end = end
    }
}

/// One session: no gap in it is 4 hours or longer.
package struct SleepSession: Equatable, Sendable {
    /// Of the morning: the local day on which it ended.
    package var date: CivilDate
    package var start: Timestamp
    package var end: Timestamp
    /// Minutes east of UTC at `end`.
    package var offsetMinutes: Int16
    /// Not the longest session of its day, and shorter than 3 hours of sleep.
    package var isNap: Bool
    package var source: SourceName
    /// In order, each moment once, without overlap.
    package var segments: [SleepSegment]

    package init(
        date: CivilDate, start: Timestamp, end: Timestamp, offsetMinutes: Int16, isNap: Bool, source: SourceName,
        segments: [SleepSegment]
    ) {
        self.date = date
        self.start = start
        self.end = end
        self.offsetMinutes = offsetMinutes
        self.isNap = isNap
        self.source = source
        self.segments = segments
    }

    /// Of one stage.
    package func seconds(_ stage: SleepStage) -> Double {
        segments.reduce(0) { $1.stage == stage ? $0 + Double($1.end.microseconds - $1.start.microseconds) / 1e6 : $0 }
    }

    package var secondsAsleep: Double { SleepStage.allCases.filter(\.isAsleep).reduce(0) { $0 + seconds($1) } }
}
