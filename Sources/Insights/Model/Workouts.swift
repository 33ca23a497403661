package import Samples

/// A workout as lists show it.
package struct Workout: Equatable, Sendable {
    /// Upper case with hyphens; for the address of its page.
    package var uuid: String
    /// The store's device, which makes the uuid unique.
    package var device: String
    package var activity: String
    package var start: Timestamp
    package var end: Timestamp
    /// Minutes east of UTC at `start`.
    package var offsetMinutes: Int16
    package var durationSeconds: Double
    package var energyKilocalories: Double?
    package var distanceMetres: Double?
    package var source: SourceName
    package var hasRoute: Bool

    package init(
        uuid: String, device: String, activity: String, start: Timestamp, end: Timestamp, offsetMinutes: Int16,
        durationSeconds: Double, energyKilocalories: Double?, distanceMetres: Double?, source: SourceName,
        hasRoute: Bool
    ) {
        self.uuid = uuid
        self.device = device
        self.activity = activity
        self.start = start
        self.end = end
        self.offsetMinutes = offsetMinutes
        self.durationSeconds = durationSeconds
        self.energyKilocalories = energyKilocalories
        self.distanceMetres = distanceMetres
        self.source = source
        self.hasRoute = hasRoute
    }
}

package struct RoutePoint: Equatable, Sendable {
    package var time: Timestamp
    /// Degrees, WGS 84.
    package var latitude: Double
    package var longitude: Double
    package var altitudeMetres: Double?

    package init(time: Timestamp, latitude: Double, longitude: Double, altitudeMetres: Double?) {
        self.time = time
        self.latitude = latitude
        self.longitude = longitude
        self.altitudeMetres = altitudeMetres
    }
}

package struct CurvePoint: Equatable, Sendable {
    package var time: Timestamp
    package var value: Double

    package init(time: Timestamp, value: Double) {
        self.time = time
        self.value = value
    }
}

/// One kilometre or mile of a route; the last one is as long as is left.
package struct Split: Equatable, Sendable {
    package var metres: Double
    package var seconds: Double
    package var start: Timestamp
    package var meanHeartRate: Double?
    /// Metres up within it; nil without altitudes.
    package var climbMetres: Double?

    package init(metres: Double, seconds: Double, start: Timestamp, meanHeartRate: Double?, climbMetres: Double?) {
        self.metres = metres
        self.seconds = seconds
        self.start = start
        self.meanHeartRate = meanHeartRate
        self.climbMetres = climbMetres
    }
}

package struct WorkoutDetail: Equatable, Sendable {
    package var workout: Workout
    /// Of the samples in its window, in count/min; empty when there are none.
    package var heartRate: [CurvePoint]
    /// Joined from the parts of its routes, in the order of time; empty without a complete one.
    package var route: [RoutePoint]
    package var kilometreSplits: [Split]
    package var mileSplits: [Split]
    /// The other members of the sender's own object, as JSON: events, statistics, metadata.
    package var bodyJSON: [UInt8]

    package init(
        workout: Workout, heartRate: [CurvePoint], route: [RoutePoint], kilometreSplits: [Split], mileSplits: [Split],
        bodyJSON: [UInt8]
    ) {
        self.workout = workout
        self.heartRate = heartRate
        self.route = route
        self.kilometreSplits = kilometreSplits
        self.mileSplits = mileSplits
        self.bodyJSON = bodyJSON
    }
}
