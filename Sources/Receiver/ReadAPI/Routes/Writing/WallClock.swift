import Insights
import Samples

/// The clock that a stretch of time is shown by: the person's, unless the stretch says of itself that it was elsewhere.
struct WallClock {
    private let zone: ZoneRules
    /// Where it was elsewhere.
    private let ownOffset: Int16?

    /// - Parameter offsetMinutes: what the stretch says of its moment `known`.
    init(_ zone: ZoneRules, offsetMinutes: Int16, at known: Timestamp) {
        self.zone = zone
        ownOffset = zone.offsetMinutes(at: known) == offsetMinutes ? nil : offsetMinutes
    }

    func offsetMinutes(at moment: Timestamp) -> Int16 { ownOffset ?? zone.offsetMinutes(at: moment) }
}
