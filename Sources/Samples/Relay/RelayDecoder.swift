package import Wire

/// Decodes a push of Health Relay or Health Data Relay.
///
/// Shape: `{"exportedAt":…,"device":{…},"days":[…],"metrics":[…],"workouts":[…],…}`; days may be objects with their
/// sections inside. Source: specs, relay. The page that defines the names was not there when this was written, so names
/// are compared without case, `_` and `-`, and more of them are taken than one sender can have; what isn't understood is
/// kept, in a record's `rest` or among what was left out.
///
/// A record belongs to a day that the push lists, and its key is made of section, name, source, day, start and how many
/// like it came before: the sender gives none. The batch's `extras` say which days are the push's.
package enum RelayDecoder {
    /// - Throws: `DecodeFault` with `envelope_invalid`, `member_missing`, `member_invalid`, `member_repeated`,
    ///   `time_invalid`, `exported_ahead`, `day_invalid`, `day_missing`, `day_not_listed`, `days_too_many`,
    ///   `sections_too_many`, or what the scanner has.
    package static func decode(_ body: PaddedBytes, context: DecodeContext) throws(DecodeFault) -> DecodedBody {
        var reader = RelayReader(body, context)
        do throws(JSONFault) { return try reader.read() } catch {
            throw DecodeFault(error, in: body, reader.refusal, path: reader.path)
        }
    }
}

/// A part of a push that holds records of one sort.
enum RelaySection: Hashable {
    case metrics, workouts, symptoms, electrocardiograms, heartRateNotifications, stateOfMind, cycleTracking,
        medications
    case sleep
    /// Any other array of objects; its name as it was sent.
    case other([UInt8])

    init(_ name: [UInt8]) {
        switch RelayName.fold(name) {
        case "metrics", "metric", "quantities": self = .metrics
        case "workouts", "workout": self = .workouts
        case "symptoms", "symptom": self = .symptoms
        case "ecg", "ecgs", "electrocardiograms", "electrocardiogram": self = .electrocardiograms
        case "heartratenotifications", "heartnotifications", "heartrateevents": self = .heartRateNotifications
        case "stateofmind", "statesofmind", "moods": self = .stateOfMind
        case "cycletracking", "cycle", "reproductivehealth": self = .cycleTracking
        case "medications", "medication", "medicationdoses", "medicationdoseevents": self = .medications
        case "sleep", "sleepanalysis": self = .sleep
        default: self = .other(name)
        }
    }

    /// The contract's name, which is part of keys: never change one. Nil for a section that isn't in it.
    var known: StaticString? {
        switch self {
        case .metrics: "metrics"
        case .workouts: "workouts"
        case .symptoms: "symptoms"
        case .electrocardiograms: "ecg"
        case .heartRateNotifications: "heartRateNotifications"
        case .stateOfMind: "stateOfMind"
        case .cycleTracking: "cycleTracking"
        case .medications: "medications"
        case .sleep: "sleep"
        case .other: nil
        }
    }

    /// What stands for the section in a key.
    var keyPart: [UInt8] {
        if case .other(let name) = self { return name }
        return known.map { Array("\($0)".utf8) } ?? []
    }
}

/// The names that a rule of ours knows, each in its spellings without case, `_` and `-`.
enum RelayName: Equatable {
    case day, date, start, time, end
    case name, kind, activity, severity
    case unit, source
    case value, quantity, sum, average, latest, minimum, maximum
    case duration
    case other

    /// Longer names are none of ours.
    private static let maximumBytes = 64

    static func fold(_ name: [UInt8]) -> String {
        guard name.count <= maximumBytes else { return "" }
        return String(
            decoding: name.compactMap { byte -> UInt8? in
                switch byte {
                case UInt8(ascii: "_"), UInt8(ascii: "-"), UInt8(ascii: " "): nil
                case UInt8(ascii: "A")...UInt8(ascii: "Z"): byte | 0x20
                default: byte
                }
            }, as: UTF8.self)
    }

    private static let spellings: [String: RelayName] = [
        "day": .day, "localday": .day, "localdate": .day, "date": .date,
        "start": .start, "startdate": .start, "starttime": .start, "startedat": .start, "startat": .start,
        "time": .time, "timestamp": .time, "datetime": .time,
        "end": .end, "enddate": .end, "endtime": .end, "endedat": .end, "endat": .end,
        "name": .name, "metric": .name, "metricname": .name, "identifier": .name, "symptom": .name,
        "displaytext": .name, "medication": .name,
        "kind": .kind, "type": .kind, "category": .kind,
        "activity": .activity, "activitytype": .activity, "activityname": .activity, "workouttype": .activity,
        "workoutactivitytype": .activity,
        "severity": .severity, "unit": .unit, "units": .unit,
        "source": .source, "sourcename": .source,
        "value": .value, "qty": .quantity, "quantity": .quantity, "sum": .sum, "total": .sum,
        "avg": .average, "mean": .average, "average": .average,
        "latest": .latest, "last": .latest, "mostrecent": .latest,
        "min": .minimum, "minimum": .minimum, "max": .maximum, "maximum": .maximum,
        "duration": .duration, "durations": .duration, "durationseconds": .duration,
    ]

    init(_ name: [UInt8]) { self = Self.spellings[Self.fold(name)] ?? .other }
}

/// The members of one record, scalars read.
struct RelayObject {
    struct Member {
        var name: RelayName
        var spelling: JSONText
        var range: Range<Int>
        var kind: JSONKind
        var text: JSONText?
        var number: JSONNumber?
    }

    private(set) var members: [Member] = []
    /// Of the object's bytes.
    private(set) var range = 0..<0

    /// The first that has the name in one of its spellings and isn't null.
    subscript(name: RelayName) -> Member? { members.first { $0.name == name && $0.kind != .null } }

    /// Reads the object at the scanner's position.
    init(_ json: inout JSONScanner) throws(JSONFault) {
        let start = json.position
        try json.enterObject()
        while let spelling = try json.nextMember() {
            let name = RelayName(json.bytes(of: spelling)), kind = try json.kind(), first = json.position
            var member = Member(name: name, spelling: spelling, range: first..<first, kind: kind)
            switch kind {
            case .string: member.text = try json.text()
            case .number: member.number = try json.number()
            default: _ = try json.skip()
            }
            member.range = first..<json.position
            members.append(member)
        }
        range = start..<json.position
    }
}
