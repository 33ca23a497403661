/// The kinds of lines, in their order. Source: specs, section 3.4.
enum PulsSlot: CaseIterable {
    case header, sample, deletion, route, series, aggregate, activitySummary, profile

    /// The one member that the line's object has around what it says; nil where it says it itself.
    var wrapper: PulsName? {
        switch self {
        case .header, .sample: nil
        case .deletion: .deleted
        case .route: .route
        case .series: .series
        case .aggregate: .aggregate
        case .activitySummary: .activitySummary
        case .profile: .profile
        }
    }

    var name: StaticString {
        switch self {
        case .header: "header"
        case .sample: "sample"
        case .deletion: "deletion"
        case .route: "route"
        case .series: "series"
        case .aggregate: "aggregate"
        case .activitySummary: "activity summary"
        case .profile: "profile"
        }
    }
}

/// Which line is read, to name the place of a fault.
struct PulsPlace {
    var slot = PulsSlot.header
    /// Within its slot, from 0; -1 behind the last line.
    var index = 0

    /// `header`, or such as `sample 3 (5D2A9C1E-…)`, counted from 1; nil behind the last line.
    func text(uuid: String?) -> String? {
        guard index >= 0 else { return nil }
        return "\(slot.name)" + (slot == .header ? "" : " \(index + 1)") + (uuid.map { " (\($0))" } ?? "")
    }
}
