/// Texts as JSON strings, for the views' `body`.
enum JSONText {
    /// The bytes between quotes, escaped where JSON asks for it and nowhere else.
    static func quoted(_ bytes: [UInt8]) -> [UInt8] {
        var text: [UInt8] = [quote]
        text.reserveCapacity(bytes.count + 2)
        for byte in bytes {
            switch byte {
            case quote, backslash: text += [backslash, byte]
            case UInt8(ascii: "\n"): text += Array("\\n".utf8)
            case UInt8(ascii: "\r"): text += Array("\\r".utf8)
            case UInt8(ascii: "\t"): text += Array("\\t".utf8)
            case 0..<0x20: text += Array("\\u00".utf8) + [digits[Int(byte >> 4)], digits[Int(byte & 15)]]
            default: text.append(byte)
            }
        }
        text.append(quote)
        return text
    }

    static func needsEscape(_ byte: UInt8) -> Bool { byte < 0x20 || byte == quote || byte == backslash }

    private static let quote = UInt8(ascii: "\""), backslash = UInt8(ascii: "\\")
    private static let digits = Array("0123456789abcdef".utf8)
}
