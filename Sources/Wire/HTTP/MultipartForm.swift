import Glibc

/// Why a multipart body can't be taken apart.
package struct MultipartFault: Error, Equatable, Sendable {
    /// From the body's start, in bytes.
    package var offset: Int
}

/// The `boundary` of a `multipart/…` Content-Type; nil when it has none, several or a wrong one.
///
/// Shape: 1 to 70 characters, as a token or in quotes. Source: RFC 2046 section 5.1.1, RFC 9110 section 5.6.6.
package func multipartBoundary(_ contentType: ArraySlice<UInt8>) -> [UInt8]? {
    var boundary: [UInt8]?
    for parameter in contentType.split(separator: UInt8(ascii: ";"), omittingEmptySubsequences: false).dropFirst() {
        let text = trimmingBlanks(parameter)
        guard let equals = text.firstIndex(of: UInt8(ascii: "=")),
            equalsIgnoringCase(text[..<equals], "boundary")
        else { continue }
        var value = text[(equals + 1)...]
        if value.count >= 2, value.first == UInt8(ascii: "\""), value.last == UInt8(ascii: "\"") {
            value = value.dropFirst().dropLast()
        }
        guard boundary == nil, 1...70 ~= value.count, value.allSatisfy(isBoundaryByte), value.last != 0x20 else {
            return nil
        }
        boundary = Array(value)
    }
    return boundary
}

/// A letter, a digit, a space or one of '()+_,-./:=?
private func isBoundaryByte(_ byte: UInt8) -> Bool {
    isTokenByte(byte) && !"!#$%&*^`|~".utf8.contains(byte) || " (),/:=?".utf8.contains(byte)
}

/// Where the contents of the parts of a multipart body lie.
///
/// Shape: `--BOUNDARY CRLF fields CRLF CRLF content CRLF --BOUNDARY … --BOUNDARY-- [CRLF]`. Nothing may stand before the
/// first boundary or behind the last. The fields are skipped. Source: RFC 2046 section 5.1.
package func multipartContents(
    _ body: Span<UInt8>, boundary: [UInt8], maximumParts: Int = 16, maximumFieldBytes: Int = 16 << 10
) throws(MultipartFault) -> [Range<Int>] {
    let delimiter = Array("\r\n--".utf8) + boundary
    guard body.hasPrefix(delimiter[2...], at: 0) else { throw MultipartFault(offset: 0) }
    var parts: [Range<Int>] = []
    var at = delimiter.count - 2
    while true {
        if body.hasPrefix("--".utf8, at: at) {
            at += 2
            if body.hasPrefix("\r\n".utf8, at: at) { at += 2 }
            guard at == body.count else { throw MultipartFault(offset: at) }
            return parts
        }
        // Blanks behind a boundary are left over from lines that mail filled up.
        while at < body.count, body[at] == 0x20 || body[at] == 0x09 { at += 1 }
        guard body.hasPrefix("\r\n".utf8, at: at), parts.count < maximumParts else { throw MultipartFault(offset: at) }
        // A part without fields begins with the empty line itself.
        let limit = min(body.count, at + maximumFieldBytes + 4)
        guard let fieldsEnd = body.firstRange(of: Array("\r\n\r\n".utf8), in: at..<limit) else {
            throw MultipartFault(offset: at)
        }
        // The line break before a boundary is the boundary's, so that the empty line's second half may be it.
        let start = fieldsEnd + 4
        guard let end = body.firstRange(of: delimiter, in: start - 2..<body.count) else {
            throw MultipartFault(offset: body.count)
        }
        parts.append(start..<max(start, end))
        at = end + delimiter.count
    }
}

extension Span<UInt8> {
    fileprivate func hasPrefix(_ bytes: some Collection<UInt8>, at start: Int) -> Bool {
        guard start <= count, bytes.count <= count - start else { return false }
        var index = start
        for byte in bytes {
            if self[index] != byte { return false }
            index += 1
        }
        return true
    }

    /// Where `pattern` first stands in `range`. Its first byte is rare in what is searched here.
    fileprivate func firstRange(of pattern: [UInt8], in range: Range<Int>) -> Int? {
        var at = range.lowerBound
        while at < range.upperBound, pattern.count <= range.upperBound - at {
            let found = unsafe extracting(at..<range.upperBound).withUnsafeBufferPointer { bytes in
                unsafe memchr(bytes.baseAddress.unsafelyUnwrapped, CInt(pattern[0]), bytes.count).map {
                    unsafe $0 - UnsafeMutableRawPointer(mutating: bytes.baseAddress.unsafelyUnwrapped)
                }
            }
            guard let found else { return nil }
            at += found
            if hasPrefix(pattern, at: at), pattern.count <= range.upperBound - at { return at }
            at += 1
        }
        return nil
    }
}
