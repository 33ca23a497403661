/// The parts of a request line, as places in the head's bytes.
struct RequestLine: Sendable {
    var method: Range<Int>
    var target: Range<Int>
    /// The target's path; nil where the target has none and `/` is meant.
    var path: Range<Int>?
    var minorVersion: Int
}

/// Reads `method SP request-target SP HTTP-version`.
///
/// Source: RFC 9112 section 3. Stricter than its section 3.2: nothing but single spaces between the parts.
func parseRequestLine(_ text: Span<UInt8>, _ line: Range<Int>) throws(HTTPFault) -> RequestLine {
    for index in line where text[index] < 0x20 || text[index] == 0x7F { throw .control(text[index], index) }
    var index = line.lowerBound
    while index < line.upperBound, isTokenByte(text[index]) { index += 1 }
    let method = line.lowerBound..<index
    guard !method.isEmpty, index < line.upperBound, text[index] == 0x20 else {
        throw .bad("request_line_invalid", "The request line doesn't begin with a method and a space.", index)
    }
    index += 1
    let targetStart = index
    while index < line.upperBound, text[index] != 0x20 {
        guard text[index] < 0x7F, text[index] != UInt8(ascii: "#") else {
            throw .bad("target_invalid", "The request target has a forbidden character.", index)
        }
        index += 1
    }
    let target = targetStart..<index
    guard !target.isEmpty, index < line.upperBound else {
        throw .bad("request_line_invalid", "The request line needs a method, a target and a version.", index)
    }
    let minorVersion = try parseVersion(text, (index + 1)..<line.upperBound)
    let path = try parseTarget(text, target, method: method)
    return RequestLine(method: method, target: target, path: path, minorVersion: minorVersion)
}

/// 0 or 1; HTTP/1.2 and later promise to be readable as 1.1 (RFC 9110 section 2.5).
private func parseVersion(_ text: Span<UInt8>, _ range: Range<Int>) throws(HTTPFault) -> Int {
    let start = range.lowerBound
    guard range.count == 8, spells(text, start..<(start + 5), "HTTP/"),
        isDigit(text[start + 5]), text[start + 6] == UInt8(ascii: "."), isDigit(text[start + 7])
    else { throw .bad("version_invalid", "The request line doesn't end in an HTTP version.", start) }
    let (major, minor) = (text[start + 5] - UInt8(ascii: "0"), text[start + 7] - UInt8(ascii: "0"))
    // HTTP/0.9 had no version in its request line, so a line that names it is no request of any version.
    guard (major, minor) != (0, 9) else {
        throw .bad("version_invalid", "HTTP/0.9 requests have no version and are not accepted.", start)
    }
    guard major == 1 else {
        throw HTTPFault(
            status: 505, code: "version_unsupported", message: "This server speaks HTTP/1.1 and HTTP/1.0.",
            offset: start)
    }
    return minor == 0 ? 0 : 1
}

/// The target's path, for each of its four forms (RFC 9112 section 3.2).
private func parseTarget(
    _ text: Span<UInt8>, _ target: Range<Int>, method: Range<Int>
) throws(HTTPFault) -> Range<Int>? {
    let isConnect = spells(text, method, "CONNECT")
    if isConnect {
        guard isAuthority(text, target, needsPort: true) else {
            throw .bad("target_invalid", "The target of CONNECT must be a host and a port.", target.lowerBound)
        }
        return target.lowerBound..<target.lowerBound
    }
    if text[target.lowerBound] == UInt8(ascii: "/") { return pathEnd(text, target) }
    if spells(text, target, "*"), spells(text, method, "OPTIONS") { return target }
    for scheme in ["http://", "https://"] where target.count > scheme.utf8.count {
        let authorityStart = target.lowerBound + scheme.utf8.count
        guard spells(text, target.lowerBound..<authorityStart, scheme, ignoringCase: true) else { continue }
        var index = authorityStart
        while index < target.upperBound, text[index] != UInt8(ascii: "/"), text[index] != UInt8(ascii: "?") {
            index += 1
        }
        guard isAuthority(text, authorityStart..<index, needsPort: false) else {
            throw .bad("target_invalid", "The request target's host is not valid.", authorityStart)
        }
        let path = pathEnd(text, index..<target.upperBound)
        return path.isEmpty ? nil : path
    }
    throw .bad("target_invalid", "The request target must be a path or an http URL.", target.lowerBound)
}

private func pathEnd(_ text: Span<UInt8>, _ range: Range<Int>) -> Range<Int> {
    var end = range.lowerBound
    while end < range.upperBound, text[end] != UInt8(ascii: "?") { end += 1 }
    return range.lowerBound..<end
}

/// The bytes of `range` are `word`; with `ignoringCase` it must be in lower case.
func spells(_ text: Span<UInt8>, _ range: Range<Int>, _ word: String, ignoringCase: Bool = false) -> Bool {
    guard range.count == word.utf8.count else { return false }
    var index = range.lowerBound
    for expected in word.utf8 {
        guard (ignoringCase ? asciiLowercased(text[index]) : text[index]) == expected else { return false }
        index += 1
    }
    return true
}
