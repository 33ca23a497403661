import Samples
import Wire

/// The members of a sample that no column holds, to be looked up by name.
struct RestMembers {
    private let object: PaddedBytes

    /// - Parameter rest: the inside of an object, as `StoredSample.rest` has it.
    init(_ rest: [UInt8]) {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(rest.count + 2 + PaddedBytes.paddingBytes)
        bytes.append(UInt8(ascii: "{"))
        bytes += rest
        bytes.append(UInt8(ascii: "}"))
        object = PaddedBytes(bytes)
    }

    /// The sender's own bytes of the member's value; nil when there is no such member.
    func raw(_ name: StaticString) -> [UInt8]? { value(name, in: 0).map { Array(object[$0]) } }

    /// The member's value where it is a string.
    func text(_ name: StaticString) -> [UInt8]? {
        guard let range = value(name, in: 0) else { return nil }
        var json = JSONScanner(object, at: range.lowerBound, limits: .stored)
        guard (try? json.kind()) == .string, let text = try? json.text() else { return nil }
        return json.bytes(of: text)
    }

    /// The sender's own bytes of the member's value where it is a number.
    func number(_ name: StaticString) -> [UInt8]? {
        guard let range = value(name, in: 0) else { return nil }
        let json = JSONScanner(object, at: range.lowerBound, limits: .stored)
        return (try? json.kind()) == .number ? Array(object[range]) : nil
    }

    /// The sender's own bytes of `name` in the object that is the value of `outer`.
    func raw(_ name: StaticString, in outer: StaticString) -> [UInt8]? {
        guard let range = value(outer, in: 0), object[range].first == UInt8(ascii: "{") else { return nil }
        return value(name, in: range.lowerBound).map { Array(object[$0]) }
    }

    /// Where the value of `name` stands in the object at `offset`. What can't be read has no members: it was checked
    /// before it was stored, but anyone can write to a file.
    private func value(_ name: StaticString, in offset: Int) -> Range<Int>? {
        var json = JSONScanner(object, at: offset, limits: .stored)
        do {
            try json.enterObject()
            while let found = try json.nextMember() {
                let isWanted = json.withBytes(of: found) { $0.equals(name) }
                let range = try json.skip()
                if isWanted { return range }
            }
        } catch {
            return nil
        }
        return nil
    }
}
