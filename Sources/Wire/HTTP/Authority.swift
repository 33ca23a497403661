/// `uri-host [":" port]` with a host that isn't empty and no user information.
///
/// Source: RFC 3986 section 3.2, RFC 9110 section 4.2.
func isAuthority(_ text: Span<UInt8>, _ range: Range<Int>, needsPort: Bool) -> Bool {
    var index = range.lowerBound
    if index < range.upperBound, text[index] == UInt8(ascii: "[") {
        while index < range.upperBound, text[index] != UInt8(ascii: "]") { index += 1 }
        guard index < range.upperBound, isIPLiteral(text, (range.lowerBound + 1)..<index) else { return false }
        index += 1
    } else {
        index = registeredNameEnd(text, range)
        guard index > range.lowerBound else { return false }
    }
    if index == range.upperBound { return !needsPort }
    guard text[index] == UInt8(ascii: ":") else { return false }
    return isPort(text, (index + 1)..<range.upperBound, mayBeEmpty: !needsPort)
}

private func isPort(_ text: Span<UInt8>, _ range: Range<Int>, mayBeEmpty: Bool) -> Bool {
    guard range.count <= 5, mayBeEmpty || !range.isEmpty else { return false }
    var port = 0
    for index in range {
        guard isDigit(text[index]) else { return false }
        port = port * 10 + Int(text[index] - UInt8(ascii: "0"))
    }
    return port <= 65535
}

/// Where the longest `reg-name` ends, which an IPv4 address is, too.
private func registeredNameEnd(_ text: Span<UInt8>, _ range: Range<Int>) -> Int {
    var index = range.lowerBound
    while index < range.upperBound {
        switch text[index] {
        case UInt8(ascii: "%"):
            guard range.upperBound - index > 2, hexValue(text[index + 1]) != nil, hexValue(text[index + 2]) != nil
            else { return index }
            index += 3
        case let byte where isNameByte(byte): index += 1
        default: return index
        }
    }
    return index
}

/// `unreserved` and `sub-delims` of RFC 3986.
private func isNameByte(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "("), UInt8(ascii: ")"), UInt8(ascii: ","), UInt8(ascii: ";"), UInt8(ascii: "="): true
    case UInt8(ascii: "#"), UInt8(ascii: "%"), UInt8(ascii: "^"), UInt8(ascii: "`"), UInt8(ascii: "|"): false
    default: isTokenByte(byte)
    }
}

/// What stands between brackets: an IPv6 address, with the zone of RFC 6874 (`%25eth0`) where it is link-local.
private func isIPLiteral(_ text: Span<UInt8>, _ range: Range<Int>) -> Bool {
    var end = range.lowerBound
    while end < range.upperBound, text[end] != UInt8(ascii: "%") { end += 1 }
    guard isIPv6(text, range.lowerBound..<end) else { return false }
    let zone = end..<range.upperBound
    return zone.isEmpty
        || zone.count > 3 && spells(text, end..<(end + 3), "%25")
            && registeredNameEnd(text, (end + 3)..<range.upperBound) == range.upperBound
}

private func isIPv6(_ text: Span<UInt8>, _ range: Range<Int>) -> Bool {
    let (end, colon) = (range.upperBound, UInt8(ascii: ":"))
    var index = range.lowerBound
    var groups = 0
    var isCompressed = false
    guard range.count >= 2 else { return false }
    if text[index] == colon {
        guard text[index + 1] == colon else { return false }
        isCompressed = true
        index += 2
    }
    while index < end {
        let groupStart = index
        while index < end, index - groupStart < 4, hexValue(text[index]) != nil { index += 1 }
        guard index > groupStart else { return false }
        if index < end, text[index] == UInt8(ascii: ".") {
            guard isIPv4(text, groupStart..<end) else { return false }
            groups += 2
            break
        }
        groups += 1
        if index == end { break }
        guard text[index] == colon, index + 1 < end else { return false }
        index += 1
        if text[index] == colon {
            guard !isCompressed else { return false }
            isCompressed = true
            index += 1
        }
    }
    return isCompressed ? groups <= 7 : groups == 8
}

private func isIPv4(_ text: Span<UInt8>, _ range: Range<Int>) -> Bool {
    var index = range.lowerBound
    for octet in 0..<4 {
        let start = index
        var value = 0
        while index < range.upperBound, index - start < 3, isDigit(text[index]) {
            value = value * 10 + Int(text[index] - UInt8(ascii: "0"))
            index += 1
        }
        guard index > start, value <= 255, index - start == 1 || text[start] != UInt8(ascii: "0") else { return false }
        if octet == 3 { return index == range.upperBound }
        guard index < range.upperBound, text[index] == UInt8(ascii: ".") else { return false }
        index += 1
    }
    return false
}
