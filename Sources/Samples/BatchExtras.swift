/// What a batch of one sender brings beside samples, and how that sender's samples meet those that are stored.
package enum BatchExtras: Sendable {
    /// A sample whose uuid is known changes nothing; with it come points, aggregates and the batch's own id.
    case puls(PulsExtras)
    /// The push owns the days it lists: what is stored of them and not in it goes.
    case relay(RelayExtras)
    /// Day totals under the names of their dates: how many of them are news is counted.
    case steps
    /// History: a sample that a live sender has under a name of its own is the same sample.
    case imported
}

/// A uuid as two halves, big-endian: `high` holds its first 16 hexadecimal digits.
package struct UUIDBits: Hashable, Sendable {
    package var high: UInt64
    package var low: UInt64

    package init(high: UInt64, low: UInt64) {
        self.high = high
        self.low = low
    }
}

/// What a PulsHealth batch brings beside samples. Source: specs, sections 3 to 6.
///
/// Samples proper come first in the batch's `samples` (`sampleLines` of them, in the sender's order, under their uuids); behind
/// them stand rows of ours with text keys: a ring day under `activity_summary:YYYY-MM-DD`, the profile under `profile`. The
/// former are first come, first kept; the latter are replaced whole.
package struct PulsExtras: Sendable {
    /// Of one user, compared without case: the same id again changes nothing.
    package var batchID: UUIDBits
    /// The header's `type` and `reason`, into `texts`; -1 when absent or longer than 1,024 bytes. Labels alone: no type is
    /// derived from them.
    package var label: BatchIndex
    package var reason: BatchIndex
    /// The header's `deviceID`, `clientVersion` and `timeZoneID`, likewise. The device is one install of the app: a person
    /// has a new one after each.
    package var deviceID: BatchIndex = -1
    package var clientVersion: BatchIndex = -1
    package var timeZoneID: BatchIndex = -1
    /// `Timestamp.none` when absent.
    package var exportedAt: Timestamp
    /// How many of the batch's samples are sample lines.
    package var sampleLines = 0
    package var routePoints: [RoutePointRecord] = []
    package var curvePoints: [CurvePointRecord] = []
    package var aggregates: [AggregateRecord] = []

    package init(
        batchID: UUIDBits, label: BatchIndex = -1, reason: BatchIndex = -1, exportedAt: Timestamp = .none
    ) {
        self.batchID = batchID
        self.label = label
        self.reason = reason
        self.exportedAt = exportedAt
    }
}

/// One point of a workout's route; its key is (workout, time), the first one stays.
package struct RoutePointRecord: Sendable {
    package var workout: UUIDBits
    package var time: Timestamp
    /// Degrees.
    package var latitude: Double
    package var longitude: Double
    /// Metres, metres per second, degrees; nil when not told.
    package var altitude, horizontalAccuracy, verticalAccuracy, speed, course: Double?
    /// The `temporalContext` as the sender's own JSON, in the arena; empty when none.
    package var context: ArenaRange

    package init(workout: UUIDBits, time: Timestamp, latitude: Double, longitude: Double, context: ArenaRange = .empty)
    {
        self.workout = workout
        self.time = time
        self.latitude = latitude
        self.longitude = longitude
        self.context = context
    }
}

/// One point of a curve within a workout; its key is (workout, type, time), the first one stays.
package struct CurvePointRecord: Sendable {
    package var workout: UUIDBits
    /// Into `series`: our name of the type, and the unit (-1 when not told).
    package var series: BatchIndex
    package var time: Timestamp
    package var value: Double
    /// As in `RoutePointRecord`.
    package var context: ArenaRange

    package init(workout: UUIDBits, series: BatchIndex, time: Timestamp, value: Double, context: ArenaRange = .empty) {
        self.workout = workout
        self.series = series
        self.time = time
        self.value = value
        self.context = context
    }
}

/// One bucket that the phone added up itself; its key is all but `end`, `value` and the contexts, and the last one stays.
package struct AggregateRecord: Sendable {
    /// Into `series`: our name of the type, and the unit (-1 when not told).
    package var series: BatchIndex
    /// Into `texts`: `sum`, `average`, …; `minute`, …; `all`, `watch`, `iphone`.
    package var function: BatchIndex
    package var intervalUnit: BatchIndex
    package var deviceFilter: BatchIndex
    package var intervalValue: Int64
    package var start: Timestamp
    package var end: Timestamp
    /// nil clears what was there.
    package var value: Double?
    /// `"start":{…},"end":{…}`: the contexts as the sender's own JSON, in the arena; empty when none.
    package var contexts: ArenaRange

    package init(
        series: BatchIndex, function: BatchIndex, intervalValue: Int64, intervalUnit: BatchIndex,
        deviceFilter: BatchIndex, start: Timestamp, end: Timestamp, value: Double?, contexts: ArenaRange = .empty
    ) {
        self.series = series
        self.function = function
        self.intervalValue = intervalValue
        self.intervalUnit = intervalUnit
        self.deviceFilter = deviceFilter
        self.start = start
        self.end = end
        self.value = value
        self.contexts = contexts
    }
}

/// The days that a push of Health Relay owns, and which of the batch's samples belong to each.
package struct RelayExtras: Sendable {
    package struct Day: Sendable {
        /// Of the phone's calendar, in days since 1970-01-01.
        package var day: Int32
        /// Into the batch's `samples`, which stand in the order of these days.
        package var samples: Range<Int>

        package init(day: Int32, samples: Range<Int>) {
            self.day = day
            self.samples = samples
        }
    }

    /// When the phone wrote the push: a day that a newer one owns is left alone.
    package var exportedAt: Timestamp
    package var days: [Day]

    package init(exportedAt: Timestamp, days: [Day]) {
        self.exportedAt = exportedAt
        self.days = days
    }
}
