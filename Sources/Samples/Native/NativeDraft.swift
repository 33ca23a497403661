import Wire

/// One sample while its members come in, in the sender's order; reused from sample to sample.
struct NativeDraft {
    /// A member as it stands in the body.
    struct Member {
        /// Of the name's opening quote.
        var start: Int
        var name: JSONText
        var value: Range<Int>
        var member: NativeMember
    }

    /// A set of the members that we know.
    struct Members: OptionSet {
        var rawValue: UInt16
        init(rawValue: UInt16) { self.rawValue = rawValue }
        init(_ member: NativeMember) { rawValue = 1 << UInt16(member.rawValue) }
    }

    var members: [Member] = []
    /// The known members that came, null or not, and whether an unknown one came.
    var present = Members()
    /// What kind of value each known member has, and its text where that is a string; by the member's raw value, and
    /// left from an earlier sample where it is not present.
    var kinds = [JSONKind](repeating: .null, count: NativeMember.allCases.count)
    var texts = [JSONText](
        repeating: JSONText(offset: 0, count: 0, hasEscapes: false), count: NativeMember.allCases.count)
    var value: JSONNumber?
    var duration: JSONNumber?
    var key: SampleKey?
    var start: ReadTime?
    var end: ReadTime?
    var source = ReadSource()
    var part: Int32?

    mutating func reset() {
        members.removeAll(keepingCapacity: true)
        present = []
        value = nil
        duration = nil
        key = nil
        start = nil
        end = nil
        source = ReadSource()
        part = nil
    }

    func has(_ member: NativeMember) -> Bool { present.contains(Members(member)) }

    /// The member's value where it is a string.
    func text(_ member: NativeMember) -> JSONText? {
        has(member) && kinds[Int(member.rawValue)] == .string ? texts[Int(member.rawValue)] : nil
    }
}

/// A sample's source as it was read.
struct ReadSource {
    /// What `app` and `device` say; -1 when there is none, or neither is a text that a column holds.
    var index: BatchIndex = -1
    /// The columns say all that the sender wrote.
    var isWhole = false
}
