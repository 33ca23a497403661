/// The characters that stand in an attribute's value or between tags. Source: XML 1.0, sections 2.11, 3.3.3, 4.1, 4.6.
package enum XMLText {
    /// Longest reference, `&#x10FFFF;` with some zeros; what is longer is no reference.
    private static let maximumReferenceBytes = 16

    /// Appends the characters of `bytes`: the five named references and numeric ones replaced, any other `&` as it stands; line
    /// breaks (CRLF is one) and tabs as spaces; control characters left out, also those that a reference names.
    package static func append(_ bytes: Span<UInt8>, to text: inout [UInt8]) {
        var at = 0
        while at < bytes.count {
            let byte = bytes[at]
            switch byte {
            case UInt8(ascii: "&"):
                if let length = appendReference(bytes, at: at, to: &text) {
                    at += length
                    continue
                }
                text.append(byte)
            case 0x0D:
                text.append(0x20)
                if at + 1 < bytes.count, bytes[at + 1] == 0x0A { at += 1 }
            case 0x09, 0x0A: text.append(0x20)
            case 0..<0x20, 0x7F: break
            default: text.append(byte)
            }
            at += 1
        }
    }

    /// Whether `append` would give the bytes as they are.
    package static func isPlain(_ bytes: Span<UInt8>) -> Bool {
        for index in bytes.indices {
            let byte = bytes[index]
            if byte < 0x20 || byte == UInt8(ascii: "&") || byte == 0x7F { return false }
        }
        return true
    }

    /// - Returns: the reference's length; nil when it is none.
    private static func appendReference(_ bytes: Span<UInt8>, at start: Int, to text: inout [UInt8]) -> Int? {
        var end = start + 1
        let limit = min(bytes.count, start + maximumReferenceBytes)
        while end < limit, bytes[end] != UInt8(ascii: ";") { end += 1 }
        guard end < limit, end > start + 1 else { return nil }
        let name = bytes.extracting(start + 1..<end)
        if name[0] == UInt8(ascii: "#") {
            guard let scalar = scalar(name) else { return nil }
            // A control character would only have to be taken out again.
            if scalar.value >= 0x20 && scalar.value != 0x7F {
                text.append(contentsOf: UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter)
            } else if scalar.value == 0x09 || scalar.value == 0x0A || scalar.value == 0x0D {
                text.append(0x20)
            }
        } else {
            guard let byte = named(name) else { return nil }
            text.append(byte)
        }
        return end + 1 - start
    }

    private static func named(_ name: Span<UInt8>) -> UInt8? {
        for (word, byte) in [("amp", "&"), ("lt", "<"), ("gt", ">"), ("quot", "\""), ("apos", "'")]
            as [(StaticString, Unicode.Scalar)] where name.equals(word)
        {
            return UInt8(ascii: byte)
        }
        return nil
    }

    /// Of `#1234` or `#x12AB`.
    private static func scalar(_ name: Span<UInt8>) -> Unicode.Scalar? {
        let isHexadecimal = name.count > 1 && name[1] | 0x20 == UInt8(ascii: "x")
        let first = isHexadecimal ? 2 : 1
        guard name.count > first else { return nil }
        var value: UInt32 = 0
        for index in first..<name.count {
            let byte = name[index], digit = byte &- UInt8(ascii: "0"), letter = (byte | 0x20) &- UInt8(ascii: "a")
            guard digit < 10 || (isHexadecimal && letter < 6) else { return nil }
            value = value * (isHexadecimal ? 16 : 10) + UInt32(digit < 10 ? digit : letter + 10)
            guard value <= 0x10FFFF else { return nil }
        }
        return Unicode.Scalar(value)
    }
}
