import Samples
import Wire

/// Checks of a command against the contract's grammar, and the object that the phone gets. Source: the guide's section 10.
enum CommandText {
    static let maximumNameBytes = 128
    static let maximumUnitBytes = 64
    static let maximumNumberCharacters = 64

    /// The frame of a message; between the two come the commands, joined by commas.
    static let messageHead = Array(#"{"v":1,"type":"commands","commands":["#.utf8)
    static let messageTail = Array("]}".utf8)

    // MARK: Grammar

    static func checkID(_ id: String) throws(CommandFault) {
        let isRight = 1...64 ~= id.utf8.count && id.utf8.allSatisfy { isAlphanumeric($0) || "_.:-".utf8.contains($0) }
        guard isRight else { throw .idInvalid }
    }

    static func checkType(_ type: String) throws(CommandFault) {
        func isLower(_ byte: UInt8) -> Bool { UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte }
        let isRight =
            2...64 ~= type.utf8.count && type.utf8.first.map(isLower) == true
            && type.utf8.allSatisfy {
                isLower($0) || UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 || $0 == UInt8(ascii: "_")
            }
        guard isRight else { throw .typeInvalid }
    }

    /// Checks everything but the id.
    static func check(_ draft: CommandDraft) throws(CommandFault) {
        try checkType(draft.type)
        if draft.op == .delete {
            let isBare = draft.value == nil && draft.unit == nil && draft.start == nil && draft.end == nil
            guard isBare else { throw .valueUnexpected }
            return
        }
        switch draft.value {
        case nil: throw .valueMissing
        case .number(let value, let text):
            guard let number = readNumber(text), number == value else { throw .valueInvalid }
            guard let unit = draft.unit else { throw .unitMissing }
            guard isPlain(unit, maximumBytes: maximumUnitBytes) else { throw .unitInvalid }
        case .name(let name):
            guard isPlain(name, maximumBytes: maximumNameBytes) else { throw .valueInvalid }
            guard draft.unit == nil else { throw .unitUnexpected }
        }
        guard let start = draft.start else { throw .startMissing }
        let end = draft.end ?? start
        guard timeText(start) != nil, timeText(end) != nil else { throw .timeInvalid }
        guard end >= start else { throw .endBeforeStart }
    }

    /// The double nearest to a JSON number that is the whole text; nil for anything else.
    static func readNumber(_ text: String) -> Double? {
        guard 1...maximumNumberCharacters ~= text.utf8.count, let first = text.utf8.first,
            first == UInt8(ascii: "-") || UInt8(ascii: "0")...UInt8(ascii: "9") ~= first
        else { return nil }
        do {
            var json = try JSONScanner(PaddedBytes(Array(text.utf8)))
            let number = try json.number()
            // White space behind it is JSON's, not the number's.
            guard number.range == 0..<text.utf8.count else { return nil }
            try json.finish()
            return number.value
        } catch { return nil }
    }

    private static func isPlain(_ text: String, maximumBytes: Int) -> Bool {
        1...maximumBytes ~= text.utf8.count && text.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F }
    }

    private static func isAlphanumeric(_ byte: UInt8) -> Bool {
        UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte | 0x20 || UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte
    }

    // MARK: Writing

    /// The command object, members in the order that the guide prints them in.
    static func object(_ draft: CommandDraft, id: String, version: Int64) -> String {
        var text =
            "{\"command_id\":\"\(id)\",\"version\":\(version),\"op\":\"\(draft.op.rawValue)\",\"type\":\"\(draft.type)\""
        switch draft.value {
        case nil: break
        case .number(_, let number): text += ",\"value\":\(number)"
        case .name(let name): text += ",\"value\":\(quoted(name))"
        }
        if let unit = draft.unit { text += ",\"unit\":\(quoted(unit))" }
        if let start = draft.start.flatMap(timeText) {
            text += ",\"start\":\"\(start)\",\"end\":\"\(draft.end.flatMap(timeText) ?? start)\""
        }
        return text + "}"
    }

    private static func quoted(_ text: String) -> String {
        String(decoding: JSONText.quoted(Array(text.utf8)), as: UTF8.self)
    }

    /// `YYYY-MM-DDTHH:MM:SS[.f]Z` without zeros at the fraction's end; nil outside of the years 0000 to 9999.
    static func timeText(_ time: Timestamp) -> String? {
        let microsecondsADay: Int64 = 86_400_000_000
        var (days, ofDay) = time.microseconds.quotientAndRemainder(dividingBy: microsecondsADay)
        if ofDay < 0 { (days, ofDay) = (days - 1, ofDay + microsecondsADay) }
        // -2^63 microseconds are 107 million days, far inside of 32 bits.
        let date = CivilDate(daysSince1970: Int32(days))
        guard 0...9_999 ~= date.year else { return nil }
        let (seconds, fraction) = Int(ofDay).quotientAndRemainder(dividingBy: 1_000_000)
        var text = "\(padded(date.year, 4))-\(padded(date.month, 2))-\(padded(date.day, 2))"
        text += "T\(padded(seconds / 3_600, 2)):\(padded(seconds / 60 % 60, 2)):\(padded(seconds % 60, 2))"
        if fraction != 0 {
            var digits = padded(fraction, 6)
            while digits.hasSuffix("0") { digits.removeLast() }
            text += ".\(digits)"
        }
        return text + "Z"
    }

    private static func padded(_ number: Int, _ width: Int) -> String {
        let text = String(number)
        return String(repeating: "0", count: max(0, width - text.utf8.count)) + text
    }
}
