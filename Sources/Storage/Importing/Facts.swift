import Samples

/// What two rows are compared by when no key tells whether they are the same sample.
///
/// Apple's export has whole seconds and six digits, so a time is the same when it is cut or rounded to the second, and a
/// value when it differs by no more than the rounding to six digits.
struct SampleFacts {
    var start: Int64
    var end: Int64?
    var kind: Int64
    /// In the type's own unit where a conversion is known.
    var value: Double?
    var valueName: Int64?
    var source: Int64?

    /// A second of microseconds.
    static let second: Int64 = 1_000_000
    /// Half of the last of six digits, of the smallest number that has them.
    private static let roundedDigits = 5.000001e-6

    /// All but the source, which `SourceNames` compares.
    func isSame(as other: SampleFacts) -> Bool {
        guard kind == other.kind, Self.isSameSpan(self, other) else { return false }
        switch kind {
        // Durations are rounded by some senders; an activity at one time is one workout.
        case Int64(SampleKind.workout.rawValue): return valueName == other.valueName
        case Int64(SampleKind.category.rawValue):
            if let valueName, let name = other.valueName, valueName == name { return true }
            guard let value, let number = other.value else { return valueName == other.valueName }
            return value == number
        default:
            if valueName != other.valueName { return false }
            guard let value, let number = other.value else { return value == nil && other.value == nil }
            return Self.isSame(value, number)
        }
    }

    static func isSame(_ left: Double, _ right: Double) -> Bool {
        left == right || (left - right).magnitude <= max(left.magnitude, right.magnitude) * roundedDigits
    }

    /// Start and end alike: equal, or both cut, or both rounded.
    private static func isSameSpan(_ left: SampleFacts, _ right: SampleFacts) -> Bool {
        let ends = (left.end ?? left.start, right.end ?? right.start)
        if left.start == right.start && ends.0 == ends.1 { return true }
        return (isCut(left.start, right.start) && isCut(ends.0, ends.1))
            || (isRounded(left.start, right.start) && isRounded(ends.0, ends.1))
    }

    /// One of both is a whole second, and the other within it.
    private static func isCut(_ left: Int64, _ right: Int64) -> Bool {
        let distance = right.subtractingReportingOverflow(left)
        guard !distance.overflow, distance.partialValue.magnitude < UInt64(second) else { return false }
        return distance.partialValue >= 0 ? isWhole(left) : isWhole(right)
    }

    private static func isRounded(_ left: Int64, _ right: Int64) -> Bool {
        let distance = right.subtractingReportingOverflow(left)
        guard !distance.overflow, distance.partialValue.magnitude <= UInt64(second / 2) else { return false }
        return left == right || isWhole(left) || isWhole(right)
    }

    private static func isWhole(_ time: Int64) -> Bool { time % second == 0 }
}

/// The names of a source, and whether two can be one.
struct SourceNames {
    var app: Int64?
    var device: Int64?
    /// Whether `app` is an identifier such as `com.apple.health`, not the name that people see.
    var isIdentifier = false

    /// The same when a name agrees. Apple's export names apps as people see them, a phone by identifier: these can't be
    /// compared, so then the devices decide where both are told, and nothing speaks against it where one isn't.
    func canBe(_ other: SourceNames) -> Bool {
        if let app, app == other.app || app == other.device { return true }
        if let device, device == other.device || device == other.app { return true }
        if app != nil, other.app != nil, isIdentifier == other.isIdentifier { return false }
        return device == nil || other.device == nil
    }

    /// A dot between, no blank.
    static func isIdentifier(_ name: [UInt8]) -> Bool {
        guard let dot = name.firstIndex(of: UInt8(ascii: ".")) else { return false }
        return dot > 0 && dot < name.count - 1 && !name.contains(UInt8(ascii: " ")) && name.allSatisfy { $0 < 0x80 }
    }
}
