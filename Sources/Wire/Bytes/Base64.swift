/// Which 64 characters stand for the values 0 to 63, and whether `=` fills the last group.
package enum Base64Alphabet: Sendable {
    /// `+`, `/` and padding: RFC 4648 section 4.
    case standard
    /// `-`, `_` and no padding: RFC 4648 section 5.
    case url

    fileprivate var digits: [UInt8] {
        let common = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"
        return Array((common + (self == .standard ? "+/" : "-_")).utf8)
    }

    fileprivate func value(_ byte: UInt8) -> UInt32? {
        switch (byte, self) {
        case (UInt8(ascii: "A")...UInt8(ascii: "Z"), _): UInt32(byte - UInt8(ascii: "A"))
        case (UInt8(ascii: "a")...UInt8(ascii: "z"), _): UInt32(byte - UInt8(ascii: "a")) + 26
        case (UInt8(ascii: "0")...UInt8(ascii: "9"), _): UInt32(byte - UInt8(ascii: "0")) + 52
        case (UInt8(ascii: "+"), .standard), (UInt8(ascii: "-"), .url): 62
        case (UInt8(ascii: "/"), .standard), (UInt8(ascii: "_"), .url): 63
        default: nil
        }
    }
}

/// `bytes` in base 64.
package func base64(_ bytes: some Collection<UInt8>, _ alphabet: Base64Alphabet = .standard) -> [UInt8] {
    let digits = alphabet.digits
    var text: [UInt8] = []
    text.reserveCapacity((bytes.count + 2) / 3 * 4)
    var group: UInt32 = 0, bits = 0
    for byte in bytes {
        group = group << 8 | UInt32(byte)
        bits += 8
        while bits >= 6 {
            bits -= 6
            text.append(digits[Int(group >> UInt32(bits) & 63)])
        }
    }
    if bits > 0 { text.append(digits[Int(group << UInt32(6 - bits) & 63)]) }
    while alphabet == .standard, text.count % 4 != 0 { text.append(UInt8(ascii: "=")) }
    return text
}

/// The bytes that `text` stands for; nil unless `base64` would write exactly this text for them.
///
/// So white space, another alphabet's characters, missing or surplus padding, and bits that belong to no byte are
/// all refused: no two texts mean the same bytes. Source: RFC 4648 sections 3.2, 3.3 and 3.5.
package func base64Decoded(_ text: some BidirectionalCollection<UInt8>, _ alphabet: Base64Alphabet = .standard)
    -> [UInt8]?
{
    var digits = text[...]
    if alphabet == .standard {
        guard text.count % 4 == 0 else { return nil }
        for _ in 0..<2 where digits.last == UInt8(ascii: "=") { digits.removeLast() }
    }
    guard digits.count % 4 != 1 else { return nil }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(digits.count / 4 * 3 + 2)
    var group: UInt32 = 0, bits = 0
    for digit in digits {
        guard let value = alphabet.value(digit) else { return nil }
        group = (group << 6 | value) & 0xFFF
        bits += 6
        if bits >= 8 {
            bits -= 8
            bytes.append(UInt8(truncatingIfNeeded: group >> UInt32(bits)))
        }
    }
    guard group & (1 << UInt32(bits) - 1) == 0 else { return nil }
    return bytes
}
