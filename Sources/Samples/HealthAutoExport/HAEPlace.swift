import Wire

/// The sections of a body.
enum HAESection: String, CaseIterable {
    case metrics, workouts, stateOfMind, symptoms, cycleTracking, ecg, heartRateNotifications, medications

    /// Whether senders write one record where others write a list of them.
    var mayBeOneRecord: Bool { self != .metrics && self != .workouts }

    init?(_ name: Span<UInt8>) {
        for section in Self.allCases where Array(section.rawValue.utf8).span.equals(name) {
            self = section
            return
        }
        return nil
    }
}

/// Where in a body the reader is.
struct HAEPlace {
    /// Whether the section stands in `data`, not at the top.
    var isInData = false
    var section: HAESection?
    /// Of the section's element; -1 in front of the first, and where the section is an object in place of an array.
    var index = -1
    /// Of the metric's point; -1 where it is not in `data`.
    var point = -1

    /// Such as `data.metrics[3].data[17]`; nil at the top.
    var path: String? {
        var path = isInData ? "data" : ""
        if let section { path += (path.isEmpty ? "" : ".") + section.rawValue }
        if index >= 0 { path += "[\(index)]" }
        if point >= 0 { path += ".data[\(point)]" }
        return path.isEmpty ? nil : path
    }
}

/// Why one record is left out, as a stable word.
struct HAESkip: Error {
    var code: StaticString
    init(_ code: StaticString) { self.code = code }
    static var dateMissing: HAESkip { HAESkip("date_missing") }
    static var intervalInvalid: HAESkip { HAESkip("interval_invalid") }

    init(_ fault: HAEDateFault) { code = fault == .suspect ? "date_suspect" : "date_invalid" }
}

/// A record before it is in a batch: what is not fixed is still bytes.
struct HAERecord {
    var kind: SampleKind
    var type: [UInt8]
    var unit: [UInt8]?
    var key: SampleKey
    /// The key when it is a text.
    var keyText: [UInt8]?
    var value: Double?
    var valueName: [UInt8]?
    var start: HAEDate?
    /// `Timestamp.none` when there is none.
    var end: Timestamp
    var merge: MergeRule
    var grain = Grain.raw
    /// The sender's members that columns hold, or that mean nothing here.
    var dropped: [HAEName] = []
    /// The sender's members that get another name.
    var renamed: [(from: HAEName, to: HAEName)] = []
    /// The sender's members that get `hae_` in front of their name: ours of that name is something else.
    var prefixed: [HAEName] = []
    /// Members of ours, `"name":value` joined by commas.
    var extra = HAEMembers()
}

/// Members of ours as JSON.
struct HAEMembers {
    private(set) var bytes: [UInt8] = []

    mutating func add(_ name: HAEName, raw value: some Collection<UInt8>) {
        if !bytes.isEmpty { bytes.append(UInt8(ascii: ",")) }
        bytes.append(contentsOf: "\"\(name.rawValue)\":".utf8)
        bytes.append(contentsOf: value)
    }

    /// A word of ours, which needs no escape.
    mutating func add(_ name: HAEName, _ word: StaticString) { add(name, raw: "\"\(word)\"".utf8) }
    mutating func add(_ name: HAEName, _ flag: Bool) { add(name, raw: (flag ? "true" : "false").utf8) }

    /// A finite number, whole ones without a point.
    mutating func add(_ name: HAEName, _ number: Double) {
        if let whole = Int64(exactly: number), whole.magnitude < 1 << 53 {
            add(name, raw: String(whole).utf8)
        } else {
            add(name, raw: number.description.utf8)
        }
    }
}
