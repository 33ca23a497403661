/// Lines that end in CRLF, cut from bytes as they arrive. Each byte is looked at once.
struct LineGatherer: Sendable {
    /// How long a line may be without its CRLF, and what is thrown when it is longer.
    struct Limit {
        var bytes: Int
        var status: Int
        var code: String
        var message: String
    }

    /// Every line so far, line ends included, and what has arrived of the next.
    var bytes: [UInt8] = []
    private(set) var lineStart = 0

    /// Takes input from `position` to the next LF, or all of it.
    ///
    /// - Returns: the line's place in `bytes`, without its CRLF; nil when it is not complete.
    mutating func next(
        _ input: Span<UInt8>, at position: inout Int, limit: Limit
    ) throws(HTTPFault) -> Range<Int>? {
        let room = max(1, min(limit.bytes, 1 << 40) + 2 - (bytes.count - lineStart))
        let window = position..<(input.count - position > room ? position + room : input.count)
        var end = window.lowerBound
        while end + 8 <= window.upperBound, zeroBytes(input.word(at: end) ^ eightTimes(UInt8(ascii: "\n"))) == 0 {
            end += 8
        }
        while end < window.upperBound, input[end] != UInt8(ascii: "\n") { end += 1 }
        let hasLF = end < window.upperBound
        if bytes.isEmpty { bytes.reserveCapacity(1000) }  // most heads fit, so the buffer grows once
        bytes.append(copying: input.extracting(position..<(hasLF ? end + 1 : end)))
        position = hasLF ? end + 1 : end

        let contentEnd = hasLF ? bytes.count - 1 : bytes.count
        let hasCR = contentEnd > lineStart && bytes[contentEnd - 1] == UInt8(ascii: "\r")
        let line = lineStart..<(hasCR ? contentEnd - 1 : contentEnd)
        guard line.count <= limit.bytes else {
            throw HTTPFault(
                status: limit.status, code: limit.code, message: limit.message,
                offset: lineStart + max(0, limit.bytes))
        }
        guard hasLF else { return nil }
        guard hasCR else { throw .bareLF(contentEnd) }
        lineStart = bytes.count
        return line
    }
}

/// Field lines up to the empty one: the end of a head, or a trailer section.
struct FieldSection: Sendable {
    enum Step {
        case incomplete
        case field(Fields.Place)
        case end
    }

    var lines = LineGatherer()
    /// Where the first field line begins.
    var start = 0
    private(set) var places: [Fields.Place] = []

    /// Takes at most one line from `position` on.
    mutating func next(
        _ input: Span<UInt8>, at position: inout Int, limits: HTTPLimits
    ) throws(HTTPFault) -> Step {
        guard let line = try lines.next(input, at: &position, limit: lineLimit(limits)) else { return .incomplete }
        if line.isEmpty { return .end }
        guard places.count < limits.fieldCount else {
            throw HTTPFault(
                status: 431, code: "too_many_fields", message: "The request has too many fields.",
                offset: line.lowerBound)
        }
        let place = try parseFieldLine(&lines.bytes, line)
        if places.isEmpty { places.reserveCapacity(16) }
        places.append(place)
        return .field(place)
    }

    private func lineLimit(_ limits: HTTPLimits) -> LineGatherer.Limit {
        let left = limits.headerBlockBytes - (lines.lineStart - start) - 2
        return limits.fieldBytes <= left
            ? .init(bytes: limits.fieldBytes, status: 431, code: "field_too_large", message: "A field is too long.")
            : .init(bytes: left, status: 431, code: "fields_too_large", message: "The fields are too long together.")
    }
}

/// Checks one field line and puts its name into lower case.
///
/// Shape: `token ":" OWS value OWS`, the value without control bytes but HTAB. Source: RFC 9112 section 5.
private func parseFieldLine(_ bytes: inout [UInt8], _ line: Range<Int>) throws(HTTPFault) -> Fields.Place {
    var text = bytes.mutableSpan
    var index = line.lowerBound
    while index < line.upperBound, isTokenByte(text[index]) {
        text[index] = asciiLowercased(text[index])
        index += 1
    }
    let name = line.lowerBound..<index
    guard index < line.upperBound, text[index] == UInt8(ascii: ":"), !name.isEmpty else {
        throw fieldNameFault(index < line.upperBound ? text[index] : nil, at: index, isFirst: name.isEmpty)
    }
    index += 1
    while index < line.upperBound, text[index] == 0x20 || text[index] == 0x09 { index += 1 }
    var valueEnd = line.upperBound
    while valueEnd > index, text[valueEnd - 1] == 0x20 || text[valueEnd - 1] == 0x09 { valueEnd -= 1 }
    let value = index..<valueEnd
    while index + 8 <= valueEnd, !hasControl(text.span.word(at: index)) { index += 8 }
    while index < valueEnd {
        let byte = text[index]
        guard byte >= 0x20 && byte != 0x7F || byte == 0x09 else { throw .control(byte, index) }
        index += 1
    }
    return Fields.Place(name: name, value: value)
}

/// Whether one of eight bytes is a control byte, HTAB included.
private func hasControl(_ word: UInt64) -> Bool {
    ((word &- eightTimes(0x20)) & ~word & eightTimes(0x80)) | zeroBytes(word ^ eightTimes(0x7F)) != 0
}

private func fieldNameFault(_ byte: UInt8?, at offset: Int, isFirst: Bool) -> HTTPFault {
    switch byte {
    case nil: return .bad("field_invalid", "A field line has no colon.", offset)
    case 0x20?, 0x09?:
        return isFirst
            ? .bad("folded_field", "A field line begins with white space.", offset)
            : .bad("field_name_invalid", "There is white space in a field name or before its colon.", offset)
    case let byte? where byte < 0x20 || byte == 0x7F: return .control(byte, offset)
    default: return .bad("field_name_invalid", "A field name is empty or has a forbidden character.", offset)
    }
}
