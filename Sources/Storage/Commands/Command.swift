package import Samples

/// What a command asks the phone for. The raw value is the command's `op`.
package enum CommandOperation: String, Sendable { case write, delete }

/// What became of a command. The raw value is the text of the column `state` of `commands`.
package enum CommandState: String, Sendable {
    /// No result for its latest version came.
    case waiting
    case applied, rejected
}

/// The value of a write.
package enum CommandValue: Hashable, Sendable {
    /// A quantity. `text` is the number as it was typed, which the phone gets: a JSON number of at most 64 characters.
    case number(Double, text: String)
    /// A category's name for the value.
    case name(String)
}

/// A command as it is asked for.
package struct CommandDraft: Hashable, Sendable {
    /// nil: the next of `c_1`, `c_2`, … of the endpoint.
    package var id: String?
    package var op: CommandOperation
    package var type: String
    /// nil for a delete.
    package var value: CommandValue?
    /// nil for a category and for a delete.
    package var unit: String?
    /// nil for a delete.
    package var start: Timestamp?
    /// nil: the start.
    package var end: Timestamp?

    package init(
        id: String? = nil, op: CommandOperation = .write, type: String, value: CommandValue? = nil,
        unit: String? = nil, start: Timestamp? = nil, end: Timestamp? = nil
    ) {
        self.id = id
        self.op = op
        self.type = type
        self.value = value
        self.unit = unit
        self.start = start
        self.end = end
    }
}

/// A command in the queue: the latest version of its id, and what became of it.
package struct CommandRow: Equatable, Sendable {
    /// `command_id`.
    package var id: String
    package var endpoint: String
    package var version: Int64
    package var op: CommandOperation
    package var type: String
    package var value: CommandValue?
    package var unit: String?
    package var start: Timestamp?
    package var end: Timestamp?
    package var state: CommandState
    /// Of a rejection, in the phone's word.
    package var reason: String?
    /// How many replies this version went out in.
    package var sent: Int
    /// When this version was queued.
    package var queuedAt: Timestamp
    package var firstSentAt: Timestamp?
    package var lastSentAt: Timestamp?
    package var resultAt: Timestamp?
    /// The stored sample that the write came back as, its key as `samples.uuid` shows it; nil while there is none.
    package var sampleUUID: String?
    /// The command object as the phone gets it.
    package var body: String
}

/// Why a command was not queued. No `sentence` holds a health value.
package enum CommandFault: Error, Equatable, Sendable {
    /// Not `[A-Za-z0-9_.:-]{1,64}`.
    case idInvalid
    /// Not `[a-z][a-z0-9_]{1,63}`.
    case typeInvalid
    /// A write has no value, or a delete has one, a unit or a time.
    case valueMissing, valueUnexpected
    /// Not a JSON number of at most 64 characters within a double's range; a name that is not 1 to 128 bytes without
    /// control characters.
    case valueInvalid
    /// A number has no unit, or a name has one.
    case unitMissing, unitUnexpected
    /// Not 1 to 64 bytes without control characters.
    case unitInvalid
    case startMissing
    case endBeforeStart
    /// Outside of the years 0000 to 9999, which RFC 3339 can't write.
    case timeInvalid
    /// The id belongs to a command of this type.
    case otherType(String)
    /// No command of the endpoint has this id.
    case unknown
    /// The phone may have it already, so that it can't be withdrawn.
    case sent
    /// Versions or ids can't be counted any further.
    case exhausted
    case store(StoreError)

    package var sentence: String {
        switch self {
        case .idInvalid: "a command id is 1 to 64 letters, digits, or characters of _ . : -"
        case .typeInvalid: "a type is 2 to 64 of a-z, 0-9 and _, a letter first"
        case .valueMissing: "a write needs a value"
        case .valueUnexpected: "a delete has no value, unit or time"
        case .valueInvalid:
            "a value is a number such as 0.25, at most 64 characters, or the name of a category's value, at most 128 bytes"
        case .unitMissing: "a number needs a unit"
        case .unitUnexpected: "the value of a category has no unit"
        case .unitInvalid: "a unit is 1 to 64 bytes without control characters"
        case .startMissing: "a write needs a start"
        case .endBeforeStart: "the end lies before the start"
        case .timeInvalid: "a time lies in the years 0000 to 9999"
        case .otherType(let type): "this command id belongs to a command of type \(type), and a version can't change it"
        case .unknown: "no command of this endpoint has this id"
        case .sent: "the phone has this command already, or told what became of it"
        case .exhausted: "no higher version or number is left for this command"
        case .store(let error): error.sentence
        }
    }
}
