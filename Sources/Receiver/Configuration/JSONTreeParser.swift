import Wire

/// Where and why a text isn't JSON. Line and column count from 1, the column in bytes.
struct JSONTreeError: Error, Equatable {
    var message: String
    var line: Int
    var column: Int
}

/// Reads one JSON text. Source: RFC 8259; members that come twice are refused.
struct JSONTreeParser {
    private let bytes: [UInt8]
    private let keepsNumbers: Bool
    private let maximumDepth: Int
    private var position = 0

    private init(_ bytes: [UInt8], keepsNumbers: Bool, maximumDepth: Int) {
        self.bytes = bytes
        self.keepsNumbers = keepsNumbers
        self.maximumDepth = maximumDepth
    }

    /// - Parameters:
    ///   - keepsNumbers: makes each number a `.number`, as it is spelt, instead of `.integer` and `.otherNumber`.
    ///   - maximumDepth: our files are six deep; deeper ones are mistakes, and recursion needs a bound.
    static func parse(
        _ bytes: [UInt8], keepsNumbers: Bool = false, maximumDepth: Int = 32
    ) throws(JSONTreeError) -> JSONTree {
        var parser = JSONTreeParser(bytes, keepsNumbers: keepsNumbers, maximumDepth: maximumDepth)
        guard String(validating: bytes, as: UTF8.self) != nil else { throw parser.error("the text is not UTF-8") }
        let tree = try parser.value(depth: 0)
        parser.skipSpace()
        guard parser.position == bytes.count else { throw parser.error("there is text after the end") }
        return tree
    }

    private var next: UInt8? { position < bytes.count ? bytes[position] : nil }

    private func error(_ message: String, at offset: Int? = nil) -> JSONTreeError {
        let before = bytes[..<(offset ?? position)]
        let lineStart = before.lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0
        let line = before.count { $0 == UInt8(ascii: "\n") } + 1
        return JSONTreeError(message: message, line: line, column: before.endIndex - lineStart + 1)
    }

    private mutating func skipSpace() {
        while let byte = next, [0x20, 0x09, 0x0A, 0x0D].contains(byte) { position += 1 }
    }

    /// Takes `byte` when it is next.
    private mutating func take(_ byte: Unicode.Scalar) -> Bool {
        guard next == UInt8(ascii: byte) else { return false }
        position += 1
        return true
    }

    private mutating func value(depth: Int) throws(JSONTreeError) -> JSONTree {
        guard depth <= maximumDepth else { throw error("this is nested too deeply") }
        skipSpace()
        guard let first = next else { throw error("the text ends too early") }
        switch first {
        case UInt8(ascii: "{"): return try object(depth: depth)
        case UInt8(ascii: "["): return try array(depth: depth)
        case UInt8(ascii: "\""): return .text(try text())
        case UInt8(ascii: "t"): return try word("true", .bool(true))
        case UInt8(ascii: "f"): return try word("false", .bool(false))
        case UInt8(ascii: "n"): return try word("null", .null)
        case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): return try number()
        default: throw error("a value is expected here")
        }
    }

    private mutating func word(_ word: String, _ value: JSONTree) throws(JSONTreeError) -> JSONTree {
        guard bytes[position...].starts(with: word.utf8) else { throw error("a value is expected here") }
        position += word.utf8.count
        return value
    }

    private mutating func array(depth: Int) throws(JSONTreeError) -> JSONTree {
        position += 1
        var values: [JSONTree] = []
        skipSpace()
        if take("]") { return .array(values) }
        while true {
            values.append(try value(depth: depth + 1))
            skipSpace()
            if take("]") { return .array(values) }
            guard take(",") else { throw error("a comma or ] is expected here") }
        }
    }

    private mutating func object(depth: Int) throws(JSONTreeError) -> JSONTree {
        position += 1
        var members: [JSONTree.Member] = []
        var names: Set<[UInt8]> = []
        skipSpace()
        if take("}") { return .object(members) }
        while true {
            skipSpace()
            guard next == UInt8(ascii: "\"") else { throw error("a member's name in quotes is expected here") }
            let start = position
            let name = try text()
            guard names.insert(Array(name.utf8)).inserted else { throw error("this member comes twice", at: start) }
            skipSpace()
            guard take(":") else { throw error("a colon is expected here") }
            members.append(JSONTree.Member(name: name, value: try value(depth: depth + 1)))
            skipSpace()
            if take("}") { return .object(members) }
            guard take(",") else { throw error("a comma or } is expected here") }
        }
    }

    private mutating func number() throws(JSONTreeError) -> JSONTree {
        let start = position
        var isWhole = true
        _ = take("-")
        if !take("0") { try digits() }
        if take(".") {
            try digits()
            isWhole = false
        }
        if take("e") || take("E") {
            if !take("+") { _ = take("-") }
            try digits()
            isWhole = false
        }
        if keepsNumbers { return .number(String(decoding: bytes[start..<position], as: UTF8.self)) }
        guard isWhole, let integer = Int64(String(decoding: bytes[start..<position], as: UTF8.self)) else {
            return .otherNumber
        }
        return .integer(integer)
    }

    private mutating func digits() throws(JSONTreeError) {
        let start = position
        while let byte = next, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) { position += 1 }
        guard position > start else { throw error("a digit is expected here") }
    }

    /// The text between quotes; the position is on the first of them.
    private mutating func text() throws(JSONTreeError) -> String {
        position += 1
        var content: [UInt8] = []
        while let byte = next {
            switch byte {
            case UInt8(ascii: "\""):
                position += 1
                return String(decoding: content, as: UTF8.self)
            case UInt8(ascii: "\\"):
                position += 1
                content.append(contentsOf: String(Character(try escape())).utf8)
            case 0..<0x20: throw error("a control character must be escaped")
            default:
                content.append(byte)
                position += 1
            }
        }
        throw error("the text ends too early")
    }

    private mutating func escape() throws(JSONTreeError) -> Unicode.Scalar {
        let simple: [(Unicode.Scalar, Unicode.Scalar)] = [
            ("\"", "\""), ("\\", "\\"), ("/", "/"), ("b", "\u{8}"), ("f", "\u{C}"), ("n", "\n"), ("r", "\r"),
            ("t", "\t"),
        ]
        for (letter, scalar) in simple where take(letter) { return scalar }
        let start = position
        guard take("u") else { throw error("this escape is unknown") }
        let unit = try hexUnit()
        if let scalar = Unicode.Scalar(unit) { return scalar }
        guard unit < 0xDC00, take("\\"), take("u") else { throw error("half of a surrogate pair", at: start) }
        let low = try hexUnit()
        guard (0xDC00...0xDFFF).contains(low),
            let scalar = Unicode.Scalar(0x10000 + (unit - 0xD800) << 10 + (low - 0xDC00))
        else { throw error("half of a surrogate pair", at: start) }
        return scalar
    }

    private mutating func hexUnit() throws(JSONTreeError) -> UInt32 {
        var unit: UInt32 = 0
        for _ in 0..<4 {
            guard let byte = next, let digit = hexValue(byte) else {
                throw error("four hexadecimal digits are expected")
            }
            unit = unit << 4 | UInt32(digit)
            position += 1
        }
        return unit
    }
}
