import Wire

/// Where in a native body the reader is, to name the place of a fault.
struct NativePlace {
    enum List { case top, samples, deleted, delivery }

    var list = List.top
    /// Of the element of `samples` or `deleted`; -1 in front of the first.
    var index = -1
    /// The member being read, when the contract knows it.
    var member: StaticString?

    /// Such as `samples[3].start`; nil at the top.
    var path: String? {
        let container: String? =
            switch list {
            case .top: nil
            case .samples: index < 0 ? "samples" : "samples[\(index)]"
            case .deleted: index < 0 ? "deleted" : "deleted[\(index)]"
            case .delivery: "delivery"
            }
        guard let member else { return container }
        return container.map { "\($0).\(member)" } ?? "\(member)"
    }

    /// The members that the contract has here.
    var members: [StaticString] {
        switch list {
        case .top: NativeTop.allCases.map(\.name)
        case .samples: NativeMember.allCases.compactMap(\.name)
        case .deleted: ["uuid", "type"]
        case .delivery: ["id", "test", "destination", "index", "count", "sent_at"]
        }
    }

    /// The member of those that has this name.
    func member(_ name: Span<UInt8>) -> StaticString? {
        for member in members where name.equals(member) { return member }
        return nil
    }
}

/// The members of a body's top.
enum NativeTop: UInt8, CaseIterable {
    case version, type, device, samples, deleted, delivery, acks, more

    static let required = [version, type, device, samples]

    /// In a set of them.
    var bit: UInt8 { 1 << rawValue }

    var name: StaticString {
        switch self {
        case .version: "v"
        case .type: "type"
        case .device: "device"
        case .samples: "samples"
        case .deleted: "deleted"
        case .delivery: "delivery"
        case .acks: "acks"
        case .more: "more"
        }
    }

    init?(_ name: Span<UInt8>) {
        for member in Self.allCases where name.equals(member.name) {
            self = member
            return
        }
        return nil
    }
}

/// The members of a sample that a column or a rule of ours knows.
enum NativeMember: UInt8, CaseIterable {
    case uuid, type, value, unit, start, end, source, part, activity, duration, name, date, day
    case other

    var name: StaticString? {
        switch self {
        case .uuid: "uuid"
        case .type: "type"
        case .value: "value"
        case .unit: "unit"
        case .start: "start"
        case .end: "end"
        case .source: "source"
        case .part: "part"
        case .activity: "activity"
        case .duration: "duration_s"
        case .name: "name"
        case .date: "date"
        case .day: "day"
        case .other: nil
        }
    }

    /// The member whose name has these bytes.
    init(_ name: Span<UInt8>) {
        self =
            switch (name.count, name.partialWord(at: 0)) {
            case (4, 0x6469_7575): .uuid  // the letters, lowest byte first
            case (4, 0x6570_7974): .type
            case (5, 0x65_756C_6176): .value
            case (4, 0x7469_6E75): .unit
            case (5, 0x74_7261_7473): .start
            case (3, 0x64_6E65): .end
            case (6, 0x6563_7275_6F73): .source
            case (4, 0x7472_6170): .part
            case (8, 0x7974_6976_6974_6361): .activity
            case (10, 0x6E6F_6974_6172_7564) where name[8] == UInt8(ascii: "_") && name[9] == UInt8(ascii: "s"):
                .duration
            case (4, 0x656D_616E): .name
            case (4, 0x6574_6164): .date
            case (3, 0x79_6164): .day
            default: .other
            }
    }
}
