/// Reads a text in InfluxDB's line protocol point by point, without building anything but offsets.
///
/// Shape of a line: `measurement[,key=value…] key=value[,key=value…] timestamp`. A backslash escapes comma and space in a
/// measurement; comma, equals sign and space in keys and tag values; quote and backslash in a string; in front of any other
/// byte it stands for itself. Lines end in LF or CRLF, the last need not end; a string may hold line ends. Lines that are
/// empty or whose first byte that is no blank is `#` are passed over. Several spaces are as good as one between the
/// parts. Stricter than InfluxDB in one point: a timestamp must be there.
///
/// Source: "Line protocol" in the reference of InfluxDB 2, and what InfluxDB 1 and 2 do where it is silent: escapes that
/// follow each other are read from the left, a float may lack digits on one side of its point, numbers may start with zeros.
package struct LineProtocolReader: ~Copyable, Sendable {
    private let body: PaddedBytes
    private let content: ArraySlice<UInt8>
    private let count: Int
    private let maximumLineBytes: Int
    private var position = 0
    private var nextLine = 1
    /// The key of the field that is being read.
    private var currentField: LineToken?
    /// Where the last few different measurements with their tags stand.
    private var heads: [Range<Int>] = []
    private var newestHead = -1

    /// How many different measurements with tags are remembered.
    package static let maximumHeads = 16

    // The point that `next` read.
    /// Which of the remembered measurements with tags it has, below `maximumHeads`; most points have that of one before.
    package private(set) var head = -1
    /// Whether the head is read for the first time, or again after others took its place. Else `measurement` and `tags` are
    /// not the point's.
    package private(set) var isNewHead = false
    package private(set) var measurement = LineToken(offset: 0, count: 0, hasEscapes: false)
    /// In the sender's order, which may hold a key twice.
    package private(set) var tags: [LineTag] = []
    /// In the sender's order, which may hold a key twice.
    package private(set) var fields: [LineField] = []
    /// Nanoseconds since 1970-01-01T00:00:00Z.
    package private(set) var timestamp: Int64 = 0
    /// Of the timestamp's first byte.
    package private(set) var timestampOffset = 0
    /// Where the point starts, from 1.
    package private(set) var line = 1
    /// Where the point starts, in bytes.
    package private(set) var offset = 0

    /// - Parameter maximumLineBytes: of one point's line, its end not counted.
    /// - Throws: `.notUTF8`.
    package init(_ body: PaddedBytes, maximumLineBytes: Int) throws(LineFault) {
        self.body = body
        content = body.content
        count = body.count
        self.maximumLineBytes = maximumLineBytes
        if let offset = body.withContent({ $0.firstNonUTF8() }) {
            let line = 1 + content[..<offset].count { $0 == UInt8(ascii: "\n") }
            throw LineFault(reason: .notUTF8, offset: offset, line: line, field: nil)
        }
    }

    /// Reads the next point.
    ///
    /// - Returns: false at the end of the text.
    package mutating func next() throws(LineFault) -> Bool {
        guard skipToPoint() else { return false }
        line = nextLine
        offset = position
        currentField = nil
        if !takeKnownHead() {
            measurement = token(isMeasurement: true)
            guard measurement.count > 0 else { throw fault(.measurementMissing, at: position) }
            try readTags()
            rememberHead()
        }
        guard takeSpaces() else { throw fault(.fieldsMissing, at: position) }
        try readFields()
        try readTimestamp()
        return true
    }

    /// Passes over lines without a point; false at the end of the text.
    private mutating func skipToPoint() -> Bool {
        while position < count {
            switch body.byte(position) {
            case UInt8(ascii: " "), UInt8(ascii: "\t"): position += 1
            case UInt8(ascii: "\n"):
                position += 1
                nextLine += 1
            case UInt8(ascii: "\r") where isLineEnd(position): position += 1
            case UInt8(ascii: "#"):
                while position < count && body.byte(position) != UInt8(ascii: "\n") { position += 1 }
            default: return true
            }
        }
        return false
    }

    /// The text ends at `at`, or a line does: LF, CRLF, or CR as the last byte.
    private func isLineEnd(_ at: Int) -> Bool {
        guard at < count else { return true }
        if body.byte(at) == UInt8(ascii: "\n") { return true }
        return body.byte(at) == UInt8(ascii: "\r") && (at + 1 == count || body.byte(at + 1) == UInt8(ascii: "\n"))
    }

    private func isAt(_ byte: UInt8) -> Bool { position < count && body.byte(position) == byte }

    /// Passes over spaces; false when there is none.
    private mutating func takeSpaces() -> Bool {
        let start = position
        while isAt(UInt8(ascii: " ")) { position += 1 }
        return position > start
    }

    // MARK: Parts

    /// Passes over a head that has the bytes of one before.
    private mutating func takeKnownHead() -> Bool {
        let first = body.word(position)
        for index in heads.indices {
            let known = heads[index], end = position + known.count
            // A space behind it ends both in the same place: no head that a space ended has an escape as its last byte.
            guard known.count < 8 || body.word(known.lowerBound) == first, end < count,
                body.byte(end) == UInt8(ascii: " "), body.hasSame(known, at: position)
            else { continue }
            head = index
            isNewHead = false
            position = end
            return true
        }
        return false
    }

    private mutating func rememberHead() {
        isNewHead = true
        if heads.count < Self.maximumHeads {
            head = heads.count
            heads.append(offset..<position)
        } else {
            head = (newestHead + 1) % Self.maximumHeads
            heads[head] = offset..<position
        }
        newestHead = head
    }

    private mutating func readTags() throws(LineFault) {
        tags.removeAll(keepingCapacity: true)
        while isAt(UInt8(ascii: ",")) {
            position += 1
            let key = token()
            guard key.count > 0 else { throw fault(.tagKeyMissing, at: key.offset) }
            guard isAt(UInt8(ascii: "=")) else { throw fault(.tagValueMissing, at: position) }
            position += 1
            let value = token()
            guard !isAt(UInt8(ascii: "=")) else { throw fault(.bareEquals, at: position) }
            guard value.count > 0 else { throw fault(.tagValueMissing, at: position) }
            tags.append(LineTag(key: key, value: value))
        }
    }

    private mutating func readFields() throws(LineFault) {
        fields.removeAll(keepingCapacity: true)
        guard !isLineEnd(position) else { throw fault(.fieldsMissing, at: position) }
        while true {
            let key = token()
            guard key.count > 0 else { throw fault(.fieldKeyMissing, at: key.offset) }
            currentField = key
            guard isAt(UInt8(ascii: "=")) else { throw fault(.fieldValueMissing, at: position) }
            position += 1
            let field = try field(key)
            fields.append(field)
            guard isAt(UInt8(ascii: ",")) else { break }
            position += 1
            currentField = nil
        }
        currentField = nil
    }

    private mutating func readTimestamp() throws(LineFault) {
        _ = takeSpaces()
        guard !isLineEnd(position) else { throw fault(.timestampMissing, at: position) }
        let start = position
        timestampOffset = start
        let isNegative = isAt(UInt8(ascii: "-"))
        if isNegative { position += 1 }
        let digits = position
        position = digitsEnd(digits)
        guard let value = int64(digits..<position, isNegative: isNegative) else {
            throw fault(.timestampInvalid, at: start)
        }
        guard position > digits, isLineEnd(position) || isAt(UInt8(ascii: " ")) else {
            throw fault(.timestampInvalid, at: start)
        }
        _ = takeSpaces()
        guard isLineEnd(position) else { throw fault(.trailing, at: position) }
        guard position - offset <= maximumLineBytes else { throw fault(.tooLong, at: offset) }
        timestamp = value
    }

    /// The number of the digits in `range`; nil when it is out of range.
    private func int64(_ range: Range<Int>, isNegative: Bool) -> Int64? {
        var value: UInt64 = 0
        for at in range {
            guard value < UInt64.max / 10 else { return nil }
            value = value &* 10 &+ UInt64(body.byte(at) &- UInt8(ascii: "0"))
        }
        guard isNegative else { return Int64(exactly: value) }
        return value <= Int64.min.magnitude ? Int64(truncatingIfNeeded: 0 &- value) : nil
    }

    /// Reads a measurement, key or tag value; it ends at the first byte that separates it and is not escaped.
    private mutating func token(isMeasurement: Bool = false) -> LineToken {
        let start = position
        var at = start, hasEscapes = false
        while true {
            let word = body.word(at)
            let found =
                zeroBytes(word ^ eightTimes(UInt8(ascii: ","))) | zeroBytes(word ^ eightTimes(UInt8(ascii: "=")))
                | zeroBytes(word ^ eightTimes(UInt8(ascii: " "))) | zeroBytes(word ^ eightTimes(UInt8(ascii: "\\")))
                | zeroBytes(word ^ eightTimes(UInt8(ascii: "\n")))
            guard found != 0 else {
                at += 8
                // The padding is zeros, so nothing is found in it.
                guard at < count else {
                    at = count
                    break
                }
                continue
            }
            at += found.trailingZeroBitCount >> 3
            if body.byte(at) == UInt8(ascii: "\\") {
                let isEscape = Self.isEscapable(body.byte(at + 1), isMeasurement: isMeasurement)
                if isEscape { hasEscapes = true }
                at += isEscape ? 2 : 1
            } else if isMeasurement && body.byte(at) == UInt8(ascii: "=") {
                at += 1
            } else {
                break
            }
        }
        position = at
        return LineToken(offset: start, count: at - start, hasEscapes: hasEscapes)
    }

    private static func isEscapable(_ byte: UInt8, isMeasurement: Bool) -> Bool {
        byte == UInt8(ascii: ",") || byte == UInt8(ascii: " ") || (byte == UInt8(ascii: "=") && !isMeasurement)
    }

    // MARK: Values

    private mutating func field(_ key: LineToken) throws(LineFault) -> LineField {
        let start = position
        if isAt(UInt8(ascii: "\"")) {
            let value = try string()
            guard isValueEnd(position) else { throw fault(.valueInvalid, at: position) }
            return LineField(key: key, value: value, kind: .string)
        }
        while !isValueEnd(position) { position += 1 }
        var value = LineToken(offset: start, count: position - start, hasEscapes: false)
        guard value.count > 0 else { throw fault(.fieldValueMissing, at: start) }
        switch body.byte(start) {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."):
            guard let kind = numberKind(value) else { throw fault(.numberInvalid, at: start) }
            if kind != .float { value.count -= 1 }
            return LineField(key: key, value: value, kind: kind)
        default:
            guard let truth = boolean(value) else { throw fault(.valueInvalid, at: start) }
            return LineField(key: key, value: value, kind: .boolean(truth))
        }
    }

    private func isValueEnd(_ at: Int) -> Bool {
        guard at < count else { return true }
        return switch body.byte(at) {
        case UInt8(ascii: ","), UInt8(ascii: " "), UInt8(ascii: "\n"): true
        case UInt8(ascii: "\r"): isLineEnd(at)
        default: false
        }
    }

    /// Reads a string and leaves `position` behind its closing quote.
    private mutating func string() throws(LineFault) -> LineToken {
        let start = position + 1
        var at = start, lines = 0, hasEscapes = false
        while true {
            let word = body.word(at)
            let found =
                zeroBytes(word ^ eightTimes(UInt8(ascii: "\""))) | zeroBytes(word ^ eightTimes(UInt8(ascii: "\\")))
                | zeroBytes(word ^ eightTimes(UInt8(ascii: "\n")))
            guard found != 0 else {
                at += 8
                guard at < count else { throw fault(.unterminatedString, at: start - 1) }
                continue
            }
            at += found.trailingZeroBitCount >> 3
            if body.byte(at) == UInt8(ascii: "\"") { break }
            if body.byte(at) == UInt8(ascii: "\n") {
                lines += 1
                at += 1
            } else {
                let isEscape = body.byte(at + 1) == UInt8(ascii: "\"") || body.byte(at + 1) == UInt8(ascii: "\\")
                if isEscape { hasEscapes = true }
                at += isEscape ? 2 : 1
            }
        }
        nextLine += lines
        position = at + 1
        return LineToken(offset: start, count: at - start, hasEscapes: hasEscapes)
    }

    private func boolean(_ token: LineToken) -> Bool? {
        let bytes = content[token.range].span
        for word: StaticString in ["t", "T", "true", "True", "TRUE"] where bytes.equals(word) { return true }
        for word: StaticString in ["f", "F", "false", "False", "FALSE"] where bytes.equals(word) { return false }
        return nil
    }

    /// What sort of number the token is; nil when it is none, or an integer out of its range.
    private func numberKind(_ token: LineToken) -> LineField.Kind? {
        let end = token.range.upperBound, last = body.byte(end - 1)
        if last == UInt8(ascii: "i") || last == UInt8(ascii: "u") {
            let isSigned = last == UInt8(ascii: "i")
            let digits = content[token.offset..<end - 1]
            guard digits.last.map(isDigit) == true else { return nil }
            let text = String(decoding: digits, as: UTF8.self)
            // Both initializers take a sign of plus, which no number here starts with.
            let isInRange =
                isSigned ? Int64(text) != nil : body.byte(token.offset) != UInt8(ascii: "-") && UInt64(text) != nil
            return isInRange ? (isSigned ? .integer : .unsigned) : nil
        }
        var at = token.offset
        if body.byte(at) == UInt8(ascii: "-") { at += 1 }
        let whole = digitsEnd(at)
        var digits = whole - at
        at = whole
        if body.byte(at) == UInt8(ascii: ".") {
            let fraction = digitsEnd(at + 1)
            digits += fraction - at - 1
            at = fraction
        }
        guard digits > 0 else { return nil }
        if at < end && body.byte(at) | 0x20 == UInt8(ascii: "e") {
            at += 1
            if body.byte(at) == UInt8(ascii: "-") || body.byte(at) == UInt8(ascii: "+") { at += 1 }
            let exponent = digitsEnd(at)
            guard exponent > at else { return nil }
            at = exponent
        }
        return at == end ? .float : nil
    }

    private func digitsEnd(_ start: Int) -> Int {
        var at = start
        while isDigit(body.byte(at)) { at += 1 }
        return at
    }

    private func fault(_ reason: LineFault.Reason, at offset: Int) -> LineFault {
        LineFault(reason: reason, offset: min(offset, count), line: line, field: currentField)
    }
}

extension LineProtocolReader {
    /// The text's own bytes where they are not the raw ones: escapes resolved.
    ///
    /// - Parameter isString: a string field, in which a backslash escapes quote and backslash; else a key or tag value.
    package func unescaped(_ token: LineToken, isString: Bool = false, isMeasurement: Bool = false) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(token.count)
        var at = token.offset
        while at < token.range.upperBound {
            if body.byte(at) == UInt8(ascii: "\\") && at + 1 < token.range.upperBound {
                let next = body.byte(at + 1)
                let isEscape =
                    isString
                    ? next == UInt8(ascii: "\"") || next == UInt8(ascii: "\\")
                    : Self.isEscapable(next, isMeasurement: isMeasurement)
                if isEscape { at += 1 }
            }
            bytes.append(body.byte(at))
            at += 1
        }
        return bytes
    }

    /// The digits of a number as JSON writes it, where that is not as it stands: digits on both sides of a point, no
    /// zeros in front, no sign before an integer's zero. Empty when the raw bytes are JSON already.
    package func respelledNumber(_ field: LineField) -> [UInt8] {
        if isJSON(field) { return [] }
        let raw = content[field.value.range]
        let isNegative = raw.first == UInt8(ascii: "-")
        var digits = isNegative ? raw.dropFirst() : raw
        let whole = digits.prefix(while: isDigit)
        let significant = whole.drop { $0 == UInt8(ascii: "0") }
        digits = digits.dropFirst(whole.count)
        let hasPoint = digits.first == UInt8(ascii: ".")
        let fraction = hasPoint ? digits.dropFirst().prefix(while: isDigit) : []
        let isIntegerMinusZero = field.kind == .integer && isNegative && significant.isEmpty
        var text: [UInt8] = isNegative && !isIntegerMinusZero ? [UInt8(ascii: "-")] : []
        text += significant.isEmpty ? [UInt8(ascii: "0")] : Array(significant)
        if !fraction.isEmpty { text += [UInt8(ascii: ".")] + fraction }
        return text + digits.dropFirst(hasPoint ? fraction.count + 1 : 0)
    }

    /// Whether a number is written as JSON writes one.
    private func isJSON(_ field: LineField) -> Bool {
        let start = field.value.offset
        let isNegative = body.byte(start) == UInt8(ascii: "-")
        let whole = isNegative ? start + 1 : start
        guard isDigit(body.byte(whole)) else { return false }
        if body.byte(whole) == UInt8(ascii: "0") {
            guard !isDigit(body.byte(whole + 1)), !(isNegative && field.kind == .integer) else { return false }
        }
        let point = digitsEnd(whole)
        return body.byte(point) != UInt8(ascii: ".") || isDigit(body.byte(point + 1))
    }
}
