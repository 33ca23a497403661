package import Samples

/// One day of the rings: what the phone says and what the samples come to.
package struct ActivityDay: Equatable, Sendable {
    /// A ring's three numbers; nil where nothing is known.
    package struct Ring: Equatable, Sendable {
        /// The phone's own, of its `activity_summary`.
        package var phone: Double?
        package var goal: Double?
        /// Of the stored samples: `buckets` by priority for that day.
        package var computed: Double?
        /// The source whose removal or addition brings `computed` nearest to `phone`; nil when they agree within 1 % or
        /// none explains it.
        package var explainedBy: SourceName?

        package init(
            phone: Double? = nil, goal: Double? = nil, computed: Double? = nil, explainedBy: SourceName? = nil
        ) {
            self.phone = phone
            self.goal = goal
            self.computed = computed
            self.explainedBy = explainedBy
        }

        /// `computed` less `phone`.
        package var drift: Double? { if let phone, let computed { computed - phone } else { nil } }
    }

    package var date: CivilDate
    /// kcal.
    package var move: Ring
    /// Minutes.
    package var exercise: Ring
    /// Hours in which the person stood.
    package var stand: Ring

    package init(date: CivilDate, move: Ring, exercise: Ring, stand: Ring) {
        self.date = date
        self.move = move
        self.exercise = exercise
        self.stand = stand
    }
}

/// How often samples of a type come through an endpoint.
package struct Rhythm: Equatable, Sendable {
    package var endpoint: String
    package var person: String
    package var type: String
    /// When a row of it was stored last.
    package var lastStored: Timestamp
    /// The median and the longest time between two deliveries that stored such rows.
    package var usualSeconds: Double
    package var longestSeconds: Double
    /// Quiet for longer than it ever was.
    package var isQuiet: Bool

    package init(
        endpoint: String, person: String, type: String, lastStored: Timestamp, usualSeconds: Double,
        longestSeconds: Double, isQuiet: Bool
    ) {
        self.endpoint = endpoint
        self.person = person
        self.type = type
        self.lastStored = lastStored
        self.usualSeconds = usualSeconds
        self.longestSeconds = longestSeconds
        self.isQuiet = isQuiet
    }
}
