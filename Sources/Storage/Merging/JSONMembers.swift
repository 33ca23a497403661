import Wire

/// The members of a sample's `rest`, as stretches of the sender's own bytes.
struct JSONMembers {
    struct Member {
        /// Without escapes.
        var name: [UInt8]
        /// From the name's quote to the value's end.
        var pair: Range<Int>
        var value: Range<Int>
        var kind: JSONKind
    }

    private let object: PaddedBytes
    private(set) var members: [Member] = []
    /// An object may have thousands of members.
    private var places: [[UInt8]: Int] = [:]

    /// Nil when `rest` is not the inside of an object; a decoder lets no such thing through.
    init?(rest: [UInt8]) {
        object = PaddedBytes([UInt8(ascii: "{")] + rest + [UInt8(ascii: "}")])
        do {
            var scanner = try JSONScanner(object, limits: .stored)
            try scanner.enterObject()
            while let name = try scanner.nextMember() {
                let kind = try scanner.kind()
                let value = try scanner.skip()
                let text = scanner.bytes(of: name)
                places[text] = members.count
                members.append(
                    Member(
                        name: text, pair: name.quotedRange.lowerBound..<value.upperBound,
                        value: value, kind: kind))
            }
            try scanner.finish()
        } catch {
            return nil
        }
    }

    func bytes(_ range: Range<Int>) -> ArraySlice<UInt8> { object[range] }

    func member(named name: [UInt8]) -> Member? { places[name].map { members[$0] } }

    /// The value's bytes as a text of its own.
    func value(_ member: Member) -> PaddedBytes { PaddedBytes(Array(bytes(member.value))) }

    /// The member of that name in any case, when it is a number.
    func number(named name: String) -> (member: Member, value: Double)? {
        for member in members where member.kind == .number && member.name.count == name.utf8.count {
            // Bit 5 tells an ASCII letter's case; the names asked for are letters alone.
            guard zip(member.name, name.utf8).allSatisfy({ $0 | 0x20 == $1 }) else { continue }
            var scanner = JSONScanner(object, at: member.value.lowerBound, limits: .stored)
            guard let number = try? scanner.number(), number.value.isFinite else { continue }
            return (member, number.value)
        }
        return nil
    }

    /// Whether the value says nothing: null, "", [] or {}.
    func isEmpty(_ member: Member) -> Bool {
        switch member.kind {
        case .null: true
        case .string: member.value.count == 2
        case .array, .object: !bytes(member.value.dropFirst().dropLast()).contains { $0 > 0x20 }
        case .number, .bool: false
        }
    }
}

extension Range<Int> {
    fileprivate func dropFirst() -> Range<Int> { isEmpty ? self : lowerBound + 1..<upperBound }
    fileprivate func dropLast() -> Range<Int> { isEmpty ? self : lowerBound..<upperBound - 1 }
}
