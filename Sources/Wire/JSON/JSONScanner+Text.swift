extension JSONScanner {
    /// Reads the string at `position`, checking its UTF-8 and escapes.
    @inlinable
    package mutating func text() throws(JSONFault) -> JSONText {
        guard byte(position) == UInt8(ascii: "\"") else { throw otherKind() }
        let start = position + 1
        var at = start
        while true {
            let special = Self.specials(word(at))
            if special == 0 {
                at += 8
                giveBack(behind: at)
                continue
            }
            at += special.trailingZeroBitCount >> 3
            if byte(at) == UInt8(ascii: "\"") {
                position = at + 1
                isFirst = false
                return JSONText(offset: start, count: at - start, hasEscapes: false)
            }
            return try textWithSpecials(start: start, at: at)
        }
    }

    /// Has the top bit of each byte set that is a quote, a backslash, a control or not ASCII.
    ///
    /// Bytes above the first one found may be set too much, since subtractions borrow; the first is right.
    @inlinable @inline(__always)
    static func specials(_ word: UInt64) -> UInt64 {
        let ones: UInt64 = 0x0101_0101_0101_0101
        let quotes = word ^ (ones &* 0x22), backslashes = word ^ (ones &* 0x5C)
        let found =
            ((quotes &- ones) & ~quotes) | ((backslashes &- ones) & ~backslashes) | ((word &- ones &* 0x20) & ~word)
        return (found | word) & (ones &* 0x80)
    }

    /// The rest of a string whose first byte that needs a look is at `at`.
    @usableFromInline
    mutating func textWithSpecials(start: Int, at first: Int) throws(JSONFault) -> JSONText {
        var at = first, hasEscapes = false
        while true {
            giveBack(behind: at)
            let byte = self.byte(at)
            switch byte {
            case UInt8(ascii: "\""):
                position = at + 1
                isFirst = false
                return JSONText(offset: start, count: at - start, hasEscapes: hasEscapes)
            case UInt8(ascii: "\\"):
                hasEscapes = true
                at = try escapeEnd(at)
            case 0x80...:
                at = try characterEnd(at)
            case ..<0x20:
                throw JSONFault(at >= count ? .truncated : .controlByte, offset: min(at, count))
            default:
                let special = Self.specials(word(at))
                at += special == 0 ? 8 : special.trailingZeroBitCount >> 3
            }
        }
    }

    /// Where the character of two to four bytes at `at` ends. Source: RFC 3629 section 4.
    private func characterEnd(_ at: Int) throws(JSONFault) -> Int {
        let lead = byte(at), second = byte(at + 1)
        let length: Int
        let seconds: ClosedRange<UInt8>
        switch lead {
        case 0xC2...0xDF: (length, seconds) = (2, 0x80...0xBF)
        case 0xE0: (length, seconds) = (3, 0xA0...0xBF)
        case 0xED: (length, seconds) = (3, 0x80...0x9F)
        case 0xE1...0xEF: (length, seconds) = (3, 0x80...0xBF)
        case 0xF0: (length, seconds) = (4, 0x90...0xBF)
        case 0xF1...0xF3: (length, seconds) = (4, 0x80...0xBF)
        case 0xF4: (length, seconds) = (4, 0x80...0x8F)
        default: throw JSONFault(.notUTF8, offset: at)
        }
        var isWhole = seconds.contains(second)
        if length > 2 { isWhole = isWhole && byte(at + 2) & 0xC0 == 0x80 }
        if length > 3 { isWhole = isWhole && byte(at + 3) & 0xC0 == 0x80 }
        guard isWhole else { throw JSONFault(.notUTF8, offset: at) }
        return at + length
    }

    /// Where the escape whose backslash is at `at` ends; both halves of a surrogate pair count as one.
    private func escapeEnd(_ at: Int) throws(JSONFault) -> Int {
        switch byte(at + 1) {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"), UInt8(ascii: "b"), UInt8(ascii: "f"),
            UInt8(ascii: "n"), UInt8(ascii: "r"), UInt8(ascii: "t"):
            return at + 2
        case UInt8(ascii: "u"):
            let unit = try codeUnit(at)
            guard unit & 0xF800 == 0xD800 else { return at + 6 }
            guard unit < 0xDC00, byte(at + 6) == UInt8(ascii: "\\"), byte(at + 7) == UInt8(ascii: "u") else {
                throw JSONFault(at + 6 >= count ? .truncated : .loneSurrogate, offset: at + 6 >= count ? count : at)
            }
            guard try codeUnit(at + 6) & 0xFC00 == 0xDC00 else { throw JSONFault(.loneSurrogate, offset: at) }
            return at + 12
        default:
            throw JSONFault(at + 1 >= count ? .truncated : .escape, offset: at + 1 >= count ? count : at)
        }
    }

    /// The four hexadecimal digits of the `\u` at `at`.
    private func codeUnit(_ at: Int) throws(JSONFault) -> UInt16 {
        var unit: UInt16 = 0
        for index in at + 2..<at + 6 {
            guard let digit = hexValue(byte(index)) else {
                throw JSONFault(index >= count ? .truncated : .escape, offset: index >= count ? count : at)
            }
            unit = unit << 4 | UInt16(digit)
        }
        return unit
    }

    /// The string's own bytes, escapes resolved: UTF-8, which may hold NUL.
    package func bytes(of text: JSONText) -> [UInt8] { Self.decode(text, in: storage) }

    /// Lends the string's own bytes, escapes resolved, without a copy where there are none.
    @inlinable
    package func withBytes<Result>(of text: JSONText, _ body: (Span<UInt8>) -> Result) -> Result {
        guard text.hasEscapes else { return unsafe body(storage.bytes(text.range).span) }
        return body(bytes(of: text).span)
    }

    @usableFromInline
    static func decode(_ text: JSONText, in storage: PaddedBytes) -> [UInt8] {
        guard text.hasEscapes else { return unsafe Array(storage.bytes(text.range)) }
        var decoded: [UInt8] = []
        decoded.reserveCapacity(text.count)
        var at = text.offset
        let end = text.offset + text.count
        func unit(_ at: Int) -> UInt32 {
            (at + 2..<at + 6).reduce(0) { $0 << 4 | UInt32(hexValue(storage.byte($1)) ?? 0) }
        }
        while at < end {
            guard storage.byte(at) == UInt8(ascii: "\\") else {
                decoded.append(storage.byte(at))
                at += 1
                continue
            }
            switch storage.byte(at + 1) {
            case UInt8(ascii: "b"): decoded.append(0x08)
            case UInt8(ascii: "f"): decoded.append(0x0C)
            case UInt8(ascii: "n"): decoded.append(0x0A)
            case UInt8(ascii: "r"): decoded.append(0x0D)
            case UInt8(ascii: "t"): decoded.append(0x09)
            case UInt8(ascii: "u"):
                var scalar = unit(at)
                if scalar & 0xF800 == 0xD800 {
                    scalar = 0x10000 + (scalar & 0x3FF) << 10 + unit(at + 6) & 0x3FF
                    at += 6
                }
                at += 4
                append(scalar, to: &decoded)
            case let byte: decoded.append(byte)  // quote, backslash, slash
            }
            at += 2
        }
        return decoded
    }

    private static func append(_ scalar: UInt32, to bytes: inout [UInt8]) {
        // The scanner refused every half of a pair, so there is always a scalar.
        let scalar = Unicode.Scalar(scalar) ?? "\u{FFFD}"
        bytes.append(contentsOf: UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter)
    }
}
