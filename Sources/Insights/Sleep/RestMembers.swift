import Samples
import Wire

/// The members of a stored sample that no column holds, by name. What can't be read has none.
struct RestMembers {
    struct Member {
        var kind: JSONKind
        /// In `bytes`.
        var range: Range<Int>
    }

    let bytes: PaddedBytes
    private(set) var members: [String: Member] = [:]

    /// - Parameter rest: the inside of an object, as the store has it.
    init(_ rest: [UInt8]) {
        self.init(PaddedBytes([UInt8(ascii: "{")] + rest + [UInt8(ascii: "}")]), at: 0)
    }

    /// Reads the object that stands at `offset`.
    init(_ bytes: PaddedBytes, at offset: Int) {
        self.bytes = bytes
        var scanner = JSONScanner(bytes, at: offset, limits: .stored)
        do throws(JSONFault) {
            try scanner.enterObject()
            while let name = try scanner.nextMember() {
                let text = String(decoding: scanner.bytes(of: name), as: UTF8.self)
                let kind = try scanner.kind()
                members[text] = Member(kind: kind, range: try scanner.skip())
            }
        } catch { members = [:] }
    }

    /// A finite number, or a text that is one.
    func number(_ name: String) -> Double? {
        guard let member = members[name] else { return nil }
        var scanner = JSONScanner(bytes, at: member.range.lowerBound, limits: .stored)
        var value: Double?
        switch member.kind {
        case .number: value = (try? scanner.number())?.value
        case .string:
            guard let text = try? scanner.text() else { return nil }
            value = scanner.withBytes(of: text) { DecimalText.parse($0)?.value }
        default: return nil
        }
        return value.flatMap { $0.isFinite ? $0 : nil }
    }

    func isTrue(_ name: String) -> Bool {
        guard let member = members[name], member.kind == .bool else { return false }
        return bytes[member.range].elementsEqual("true".utf8)
    }

    func text(_ name: String) -> String? {
        guard let member = members[name], member.kind == .string else { return nil }
        var scanner = JSONScanner(bytes, at: member.range.lowerBound, limits: .stored)
        guard let text = try? scanner.text() else { return nil }
        return String(decoding: scanner.bytes(of: text), as: UTF8.self)
    }

    func object(_ name: String) -> RestMembers? {
        guard let member = members[name], member.kind == .object else { return nil }
        return RestMembers(bytes, at: member.range.lowerBound)
    }

    /// Calls `body` with each object of an array; other elements are passed over.
    func forEachObject(in name: String, _ body: (RestMembers) -> Void) {
        guard let member = members[name], member.kind == .array else { return }
        var scanner = JSONScanner(bytes, at: member.range.lowerBound, limits: .stored)
        do throws(JSONFault) {
            try scanner.enterArray()
            while try scanner.nextElement() {
                let kind = try scanner.kind()
                let range = try scanner.skip()
                if kind == .object { body(RestMembers(bytes, at: range.lowerBound)) }
            }
        } catch {}
    }

    /// A time as senders write it: RFC 3339, Health Auto Export's dates, milliseconds or seconds since 1970.
    ///
    /// - Parameter offsetMinutes: for a text that names no zone.
    func time(_ name: String, offsetMinutes: Int16?) -> Timestamp? {
        guard let member = members[name] else { return nil }
        if member.kind == .number { return number(name).flatMap(Self.time(epoch:)) }
        guard member.kind == .string, let text = text(name) else { return nil }
        return Self.time(Array(text.utf8), offsetMinutes: offsetMinutes)
    }

    static func time(_ text: [UInt8], offsetMinutes: Int16?) -> Timestamp? {
        Timestamp.parse(text.span)?.timestamp
            ?? Timestamp.parse(healthAutoExport: text.span, offsetMinutes: offsetMinutes ?? 0)
    }

    /// Milliseconds, or seconds where those would be of the first months of 1970.
    static func time(epoch number: Double) -> Timestamp? {
        let milliseconds = abs(number) < 1e10 ? number * 1_000 : number
        guard abs(milliseconds) < 1e14 else { return nil }
        return Timestamp(microseconds: Int64((milliseconds * 1_000).rounded()))
    }
}
