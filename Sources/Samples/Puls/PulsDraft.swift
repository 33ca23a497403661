import Wire

/// What a sample line can be. Source: specs, section 5.1.
enum PulsKind: CaseIterable {
    case quantity, category, workout, heartbeatSeries, ecg, stateOfMind, medicationDose

    var name: StaticString {
        switch self {
        case .quantity: "quantity"
        case .category: "category"
        case .workout: "workout"
        case .heartbeatSeries: "heartbeatSeries"
        case .ecg: "ecg"
        case .stateOfMind: "stateOfMind"
        case .medicationDose: "medicationDose"
        }
    }

    init?(_ name: Span<UInt8>) {
        for kind in PulsKind.allCases where name.equals(kind.name) {
            self = kind
            return
        }
        return nil
    }

    var sampleKind: SampleKind {
        switch self {
        case .quantity: .quantity
        case .category: .category
        case .workout: .workout
        case .heartbeatSeries: .heartbeatSeries
        case .stateOfMind: .stateOfMind
        case .ecg, .medicationDose: .other
        }
    }

    /// The member that must be there; nil where none must.
    var detail: PulsName? {
        switch self {
        case .quantity: nil
        case .category: .category
        case .workout: .workout
        case .heartbeatSeries: .heartbeats
        case .ecg: .ecg
        case .stateOfMind: .stateOfMind
        case .medicationDose: .medicationDose
        }
    }
}

/// The object of one line while its members come in, in the sender's order; reused from line to line.
struct PulsDraft {
    /// A member that is not null, as it stands in the body.
    struct Member {
        var name: JSONText
        var value: Range<Int>
        var known: PulsName
    }

    var members: [Member] = []
    var uuid: UUIDBits?
    /// An index of the reader's `knownTypes`.
    var type: Int?
    var kind: PulsKind?
    var start: PulsTime?
    var end: PulsTime?
    /// nil where it is none of these: then `members` has it, and whether that is a fault depends on the kind.
    var value: JSONNumber?
    var unit: JSONText?
    var category: JSONNumber?
    var sourceName: JSONText?
    var device: JSONText?
    var startContext: PulsContext?
    var day: CivilDate?

    mutating func reset() {
        members.removeAll(keepingCapacity: true)
        uuid = nil
        type = nil
        kind = nil
        start = nil
        end = nil
        value = nil
        unit = nil
        category = nil
        sourceName = nil
        device = nil
        startContext = nil
        day = nil
    }

    /// Where the value of a member stands; nil when it is absent or null.
    func value(of name: PulsName) -> Range<Int>? {
        for member in members where member.known == name { return member.value }
        return nil
    }
}

/// What becomes of a member in `rest`.
enum PulsKeeping {
    /// A column has it.
    case dropped
    case kept
    /// With `puls_` in front of its name.
    case prefixed
}
