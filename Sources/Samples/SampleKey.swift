import Wire

extension SampleKey {
    /// Longest key that is no uuid, in bytes.
    package static let maximumTextBytes = 256

    /// Reads 36 characters of the shape 8-4-4-4-12, hexadecimal digits in either case; nil for any other text, which is
    /// then a key of its own.
    package static func uuid(parsing text: Span<UInt8>) -> SampleKey? {
        guard text.count == 36, text[8] == UInt8(ascii: "-"), text[13] == UInt8(ascii: "-"),
            text[18] == UInt8(ascii: "-"), text[23] == UInt8(ascii: "-")
        else { return nil }
        // The four groups of four are read as two of eight.
        guard let first = hexadecimal(text.word(at: 0)),
            let second = hexadecimal(text.word(at: 9) & 0xFFFF_FFFF | text.word(at: 14) << 32),
            let third = hexadecimal(text.word(at: 19) & 0xFFFF_FFFF | text.word(at: 24) << 32),
            let fourth = hexadecimal(text.word(at: 28))
        else { return nil }
        return .uuid(high: UInt64(first) << 32 | UInt64(second), low: UInt64(third) << 32 | UInt64(fourth))
    }

    /// The number that eight hexadecimal digits write, the first in the lowest byte; nil when one is none.
    private static func hexadecimal(_ digits: UInt64) -> UInt32? {
        let ones: UInt64 = 0x0101_0101_0101_0101
        let high = digits & (ones &* 0x80)
        // Per byte, without a carry between them since all are below 0x80: the top bit says "at least".
        let decimal = (digits &+ ones &* 0x50) & ~(digits &+ ones &* 0x46)  // 0x30...0x39
        let lower = digits | ones &* 0x20
        let letter = (lower &+ ones &* 0x1F) & ~(lower &+ ones &* 0x19) & (digits &<< 1)  // a...f, bit 6 set
        guard high == 0, (decimal | letter) & (ones &* 0x80) == ones &* 0x80 else { return nil }
        let letters = (digits >> 6) & ones
        var nibbles = (digits & (ones &* 0x0F)) &+ letters &* 9
        nibbles = (nibbles &<< 4 | nibbles >> 8) & 0x00FF_00FF_00FF_00FF
        nibbles = (nibbles &<< 8 | nibbles >> 16) & 0x0000_FFFF_0000_FFFF
        return UInt32(truncatingIfNeeded: nibbles &<< 16 | nibbles >> 32)
    }
}
