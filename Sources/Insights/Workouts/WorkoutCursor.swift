/// Where a list of workouts goes on: behind the one that it names.
package struct WorkoutCursor: Equatable, Sendable {
    var start: Int64
    var series: Int64
    /// As in `Workout.uuid`.
    var key: String

    init(start: Int64, series: Int64, key: String) {
        self.start = start
        self.series = series
        self.key = key
    }

    /// What an answer may show; `init(text:)` reads it.
    package var text: String { "\(start).\(series).\(key)" }

    /// - Returns: nil for a text that is no cursor.
    package init?(text: String) {
        let parts = text.split(separator: ".", maxSplits: 2, omittingEmptySubsequences: false)
        guard parts.count == 3, let start = Int64(parts[0]), let series = Int64(parts[1]), !parts[2].isEmpty else {
            return nil
        }
        self.init(start: start, series: series, key: String(parts[2]))
    }
}

/// Some workouts, newest first.
package struct WorkoutPage: Equatable, Sendable {
    package var workouts: [Workout]
    /// For the ones that follow; nil at the end.
    package var next: WorkoutCursor?
}
