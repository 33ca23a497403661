import Foundation
import Wire

/// A JSON text as a tree, read with the scanner's typed calls.
private indirect enum Tree {
    case null, bool(Bool), number(Double), text([UInt8]), array([Tree]), object([(name: [UInt8], value: Tree)])

    init(_ json: inout JSONScanner) throws(JSONFault) {
        switch try json.kind() {
        case .null:
            try json.null()
            self = .null
        case .bool: self = .bool(try json.bool())
        case .number: self = .number(try json.number().value)
        case .string: self = .text(json.bytes(of: try json.text()))
        case .array:
            var elements: [Tree] = []
            try json.enterArray()
            while try json.nextElement() { elements.append(try Tree(&json)) }
            self = .array(elements)
        case .object:
            var members: [(name: [UInt8], value: Tree)] = []
            try json.enterObject()
            while let name = try json.nextMember() {
                let bytes = json.bytes(of: name)
                members.append((bytes, try Tree(&json)))
            }
            self = .object(members)
        }
    }
}

/// The typed calls and `skip` find the same fault; both agree with Foundation, but for the differences below; values are
/// Foundation's.
///
/// Refused here and taken there: a byte order mark, UTF-16 and UTF-32, more than 64 levels, a name that comes twice,
/// numbers of more than 64 characters, an escaped half of a surrogate pair, a comma behind the last element. Foundation keeps names that are canonically
/// equivalent as one, drops byte order marks in front of a string and behind an escape, and makes decimals of numbers that no double holds: such are compared through `strtod`.
func fuzzJSON(_ input: [UInt8]) {
    let body = padded(input)
    let typed = Result { () throws(JSONFault) -> Tree in
        var json = try JSONScanner(body)
        let tree = try Tree(&json)
        try json.finish()
        return tree
    }
    let skipped = Result { () throws(JSONFault) in
        var json = try JSONScanner(body)
        let range = try json.skip()
        check(range.upperBound == json.position, "skip returns another end than its position")
        try json.finish()
    }
    switch (typed, skipped) {
    case (.success, .success): break
    case (.failure(let one), .failure(let other)):
        check(one == other, "read one by one \(one), skipped \(other)")
        check(0...input.count ~= one.offset, "a fault outside of the text")
    default: check(false, "read one by one \(typed), skipped \(skipped)")
    }
    fuzzAnyNumbers(body)

    // Foundation looks for UTF-16 and UTF-32 by zeros and marks.
    guard !input.contains(0) else { return }
    let foundation = try? JSONSerialization.jsonObject(with: Data(input), options: [.fragmentsAllowed])
    switch typed {
    case .success(let tree):
        guard let foundation else { return check(false, "Foundation refuses \(text(input))") }
        check(same(tree, foundation), "Foundation reads \(foundation), we \(tree)")
    case .failure(let fault):
        let isDifference =
            switch fault.reason {
            case .byteOrderMark, .tooDeep, .repeatedMember, .numberTooLong, .loneSurrogate, .numberOutOfRange: true
            case .syntax: isBehindComma(input, fault.offset)
            default: input.starts(with: [0xFE, 0xFF]) || input.starts(with: [0xFF, 0xFE])
            }
        check(foundation == nil || isDifference, "Foundation takes \(text(input)), refused with \(fault)")
    }
}

/// Whether an array or object ends at `offset` behind a comma.
private func isBehindComma(_ input: [UInt8], _ offset: Int) -> Bool {
    guard offset < input.count, input[offset] == 0x5D || input[offset] == 0x7D else { return false }
    return input[..<offset].last { ![0x20, 0x09, 0x0A, 0x0D].contains($0) } == 0x2C
}

private func same(_ tree: Tree, _ value: Any) -> Bool {
    switch tree {
    case .null: return value is NSNull
    case .bool(let bool):
        guard let number = value as? NSNumber else { return false }
        return CFBooleanCheck(number) && number.boolValue == bool
    case .number(let double):
        guard let number = value as? NSNumber, !CFBooleanCheck(number) else { return false }
        // A decimal's own conversion to a double isn't the nearest one.
        return number.doubleValue == double || strtod(number.stringValue, nil) == double
            || abs(number.doubleValue - double) <= abs(double) * 1e-15 || double.magnitude < 1e-290
    case .text(let bytes):
        // Foundation drops a byte order mark in front of any text, and behind any escape in it.
        return (value as? String).map { withoutMarks(Array($0.utf8)) == withoutMarks(bytes) } ?? false
    case .array(let elements):
        guard let array = value as? [Any], array.count == elements.count else { return false }
        return zip(elements, array).allSatisfy { same($0, $1) }
    case .object(let members):
        guard let object = value as? [String: Any] else { return false }
        let names = members.map { String(decoding: $0.name, as: UTF8.self) }
        let isPlain = members.allSatisfy { withoutMarks($0.name) == $0.name }
        guard isPlain, Set(names).count == names.count else { return true }
        return object.count == members.count
            && zip(names, members).allSatisfy { name, member in object[name].map { same(member.value, $0) } ?? false }
    }
}

/// Without byte order marks.
private func withoutMarks(_ text: [UInt8]) -> [UInt8] {
    var kept: [UInt8] = []
    for byte in text {
        kept.append(byte)
        if kept.suffix(3) == [0xEF, 0xBB, 0xBF] { kept.removeLast(3) }
    }
    return kept
}

private func CFBooleanCheck(_ number: NSNumber) -> Bool { String(cString: number.objCType) == "c" }

/// Health Auto Export's reader takes tokens that JSON doesn't have: both ways of reading agree on those, too.
private func fuzzAnyNumbers(_ body: PaddedBytes) {
    let limits = JSONLimits(takesAnyNumber: true)
    let typed = Result { () throws(JSONFault) in
        var json = try JSONScanner(body, limits: limits)
        _ = try Tree(&json)
        try json.finish()
    }
    let skipped = Result { () throws(JSONFault) in
        var json = try JSONScanner(body, limits: limits)
        _ = try json.skip()
        try json.finish()
    }
    if case .failure(let one) = typed, case .failure(let other) = skipped {
        check(one == other, "of any number: read one by one \(one), skipped \(other)")
    } else if case (.success, .success) = (typed, skipped) {
    } else {
        check(false, "of any number: read one by one \(typed), skipped \(skipped)")
    }
}

/// A number's value is what `strtod` makes of the same text, and what our writer makes of the value reads back as it.
func fuzzNumber(_ input: [UInt8]) {
    let body = padded(input)
    var json = JSONScanner(body, at: 0)
    guard let number = try? json.number() else { return }
    let token = String(decoding: input[number.range], as: UTF8.self)
    let expected = strtod(token, nil)
    check(
        number.value == expected && number.value.sign == expected.sign,
        "\(token) is \(number.value), strtod says \(expected)")
    var written: [UInt8] = []
    written.append(number: number.value)
    check(
        strtod(String(decoding: written, as: UTF8.self), nil) == number.value,
        "\(number.value) is written \(text(written))")
    let copy = padded(written)
    var again = JSONScanner(copy, at: 0)
    do throws(JSONFault) {
        let read = try again.number()
        check(read.value == number.value, "\(text(written)) reads back as \(read.value)")
        try again.finish()
    } catch {
        check(false, "\(number.value) is written \(text(written)), which is refused: \(error)")
    }
    guard number.isExact, number.value != 0 else { return }
    // Exact: the shortest decimal has the digits that were written.
    func digits(_ text: String) -> String {
        String(
            text.lowercased().prefix { $0 != "e" }.filter { $0.isNumber }.drop { $0 == "0" }.reversed().drop {
                $0 == "0"
            })
    }
    check(digits(number.value.description) == digits(token), "\(token) is not exactly \(number.value)")
}
