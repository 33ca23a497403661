import Wire

/// Collects what no column holds of an object whose sender has names of his own for its members.
///
/// A name that stands for a column, or for a member of ours, gets the dialect's in front (`relay_value`), and so does one
/// that already begins so: no two members of the sender's become one.
struct GuestRest {
    /// `"name":value` pairs joined by commas.
    private(set) var bytes: [UInt8] = []
    private let prefix: [UInt8]

    /// What columns hold, and the members that decoders add.
    private static let reserved: Set<String> = [
        "uuid", "type", "value", "unit", "start", "end", "source", "part", "activity", "duration_s", "grain",
        "unconverted",
    ]

    init(_ dialect: Dialect) { prefix = Array("\(dialect.rawValue)_".utf8) }

    mutating func removeAll() { bytes.removeAll(keepingCapacity: true) }

    /// Adds a member as the sender wrote it.
    mutating func add(_ name: JSONText, _ value: Range<Int>, of body: PaddedBytes, _ json: borrowing JSONScanner) {
        let decoded = json.bytes(of: name)
        separate()
        bytes.append(UInt8(ascii: "\""))
        if decoded.starts(with: prefix) || Self.reserved.contains(String(decoding: decoded, as: UTF8.self)) {
            bytes += prefix
        }
        bytes += body[name.range]
        bytes += "\":".utf8
        bytes += body[value]
    }

    /// Adds a member of ours; `value` is JSON.
    mutating func add(_ name: StaticString, _ value: String) {
        separate()
        bytes += "\"\(name)\":\(value)".utf8
    }

    private mutating func separate() {
        if !bytes.isEmpty { bytes.append(UInt8(ascii: ",")) }
    }
}

extension CivilDate {
    /// `YYYY-MM-DD`; the year must be 0 to 9999.
    package var text: String {
        func digits(_ number: Int, _ count: Int) -> String {
            let text = String(number)
            return String(repeating: "0", count: max(0, count - text.utf8.count)) + text
        }
        return "\(digits(year, 4))-\(digits(month, 2))-\(digits(day, 2))"
    }
}

extension DecodeFault {
    /// A fault of `body` as the peer is told it.
    ///
    /// - Parameter refusal: code and sentence of a decoder, in the place of the scanner's.
    init(_ fault: JSONFault, in body: PaddedBytes, _ refusal: (code: String, message: String)?, path: String?) {
        let line = 1 + body[0..<min(fault.offset, body.count)].count { $0 == UInt8(ascii: "\n") }
        self.init(
            code: refusal?.code ?? fault.code, message: refusal?.message ?? fault.message, offset: fault.offset,
            line: line, path: path)
    }
}
