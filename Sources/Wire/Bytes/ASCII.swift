/// A byte of a token, such as a method or a field name. Source: RFC 9110 section 5.6.2.
@inlinable package func isTokenByte(_ byte: UInt8) -> Bool {
    // One bit a character: letters, digits and !#$%&'*+-.^_`|~
    let mask: UInt64 = byte < 64 ? 0x03FF_6CFA_0000_0000 : 0x57FF_FFFF_C7FF_FFFE
    return byte < 128 && mask >> UInt64(byte & 63) & 1 == 1
}

/// `0` to `9`.
@inlinable package func isDigit(_ byte: UInt8) -> Bool { byte &- UInt8(ascii: "0") < 10 }

/// `A` to `Z` in lower case; any other byte as it is.
@inlinable package func asciiLowercased(_ byte: UInt8) -> UInt8 {
    byte &- UInt8(ascii: "A") < 26 ? byte | 0x20 : byte
}

/// `bytes`, with ASCII letters in either case, spells `lowercaseWord`.
package func equalsIgnoringCase(_ bytes: some Sequence<UInt8>, _ lowercaseWord: String) -> Bool {
    bytes.lazy.map(asciiLowercased).elementsEqual(lowercaseWord.utf8)
}

/// `bytes` without SP and HTAB at both ends.
package func trimmingBlanks(_ bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    var rest = bytes
    while let byte = rest.first, byte == 0x20 || byte == 0x09 { rest = rest.dropFirst() }
    while let byte = rest.last, byte == 0x20 || byte == 0x09 { rest = rest.dropLast() }
    return rest
}

extension [UInt8] {
    /// Appends a copy of `bytes` in one run.
    @inlinable package mutating func append(copying bytes: Span<UInt8>) {
        unsafe bytes.withUnsafeBufferPointer { unsafe append(contentsOf: $0) }
    }
}
