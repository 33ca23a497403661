/// What sort of record a sample is. Raw values are stored: never reuse one.
package enum SampleKind: UInt8, CaseIterable, Sendable {
    case other = 0
    case quantity = 1
    case category = 2
    case workout = 3
    case characteristic = 4
    case stateOfMind = 5
    case gad7Assessment = 6
    case phq9Assessment = 7
    case audiogram = 8
    case activitySummary = 9
    case workoutRoute = 10
    case heartbeatSeries = 11

    /// The name shown in the `kind` column of the views; of kinds that are a type of their own, that type's name.
    package var name: String {
        switch self {
        case .other: "other"
        case .quantity: "quantity"
        case .category: "category"
        case .workout: "workout"
        case .characteristic: "characteristic"
        case .stateOfMind: "state_of_mind"
        case .gad7Assessment: "gad7_assessment"
        case .phq9Assessment: "phq9_assessment"
        case .audiogram: "audiogram"
        case .activitySummary: "activity_summary"
        case .workoutRoute: "workout_route"
        case .heartbeatSeries: "heartbeat_series"
        }
    }
}
