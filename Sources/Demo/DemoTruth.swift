package import Samples

/// What really happened, whatever devices saw of it: answers that are worked out from the samples must come to this.
///
/// Only what some device recorded is in it. All numbers are sums of multiples of a power of two, small enough that a
/// `Double` has each of them exactly, in whatever order they are added and wherever a sample is cut.
package struct DemoTruth: Sendable {
    /// Something that went on evenly.
    package struct Flow: Equatable, Sendable {
        /// Seconds since 1970-01-01T00:00:00Z.
        package var start: Int64
        package var seconds: Int64
        /// Of all of it, in the type's unit.
        package var amount: Double

        func within(_ range: Range<Int64>) -> Double {
            let part = max(0, min(start + seconds, range.upperBound) - max(start, range.lowerBound))
            return amount * Double(part) / Double(seconds)
        }
    }

    /// One measurement of a discrete type.
    package struct Reading: Equatable, Sendable {
        /// Seconds since 1970-01-01T00:00:00Z.
        package var start: Int64
        package var end: Int64
        package var value: Double
    }

    /// A stage of a night or nap, next to the one before it.
    package struct Stage: Equatable, Sendable {
        /// As `sleep_analysis` calls it.
        package var name: String
        package var start: Int64
        package var end: Int64
    }

    /// As the watch saw it; `stages` is empty for a night that only the phone knows of, as time in bed.
    package struct Night: Equatable, Sendable {
        package var start: Int64
        package var end: Int64
        package var isNap: Bool
        package var stages: [Stage]
        /// What the phone has as time in bed; nil when it has nothing.
        package var inBed: Range<Int64>?

        package func seconds(_ stage: String) -> Int64 {
            stages.reduce(0) { $1.name == stage ? $0 + $1.end - $1.start : $0 }
        }
    }

    package struct Workout: Equatable, Sendable {
        package var uuid: String
        package var activity: String
        package var start: Int64
        package var end: Int64
        /// Without pauses.
        package var durationSeconds: Int64
        package var energyKilocalories: Double?
        package var distanceMetres: Double?
        /// How many points its route has; 0 without one.
        package var routePoints: Int
    }

    /// Of cumulative types: no two of a type overlap.
    package var flows: [String: [Flow]] = [:]
    /// Of discrete types.
    package var readings: [String: [Reading]] = [:]
    package var nights: [Night] = []
    package var workouts: [Workout] = []
    /// The begin of each hour in which the person stood.
    package var stoodHours: [Int64] = []
    /// Samples by type that are stored in the end.
    package var samples: [String: Int] = [:]

    package init() {}

    /// What a cumulative type comes to.
    package func total(_ type: String, from: Timestamp, to: Timestamp) -> Double {
        let range = from.microseconds / 1_000_000..<to.microseconds / 1_000_000
        return (flows[type] ?? []).reduce(0) { $0 + $1.within(range) }
    }
}
