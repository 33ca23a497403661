/// A field of a CSV text, still as the sender wrote it.
package struct CSVField: Equatable, Sendable {
    /// Of the first byte of the field's own text: behind the opening quote where there is one.
    package var offset: Int
    /// Raw bytes of the text, quotes around it not counted.
    package var count: Int
    package var isQuoted: Bool
    /// Whether quotes in the text are doubled, so that the raw bytes differ from the field's own.
    package var hasEscapes: Bool

    package var range: Range<Int> { offset..<offset + count }
    package var isEmpty: Bool { count == 0 }
    /// Of the field with its quotes.
    package var start: Int { isQuoted ? offset - 1 : offset }
}

/// Reads a CSV text record by record, without building anything but offsets.
///
/// The grammar of RFC 4180 section 2, in UTF-8: records end in CRLF, or in LF alone; the last need not end. A field in quotes
/// may hold commas, line ends and doubled quotes. A line without a byte is no record and is passed over. A byte order
/// mark in front is passed over too, since spreadsheets write one. Every byte is looked at once for its UTF-8 and once
/// for its meaning, eight at a time.
package struct CSVReader: ~Copyable, Sendable {
    private let body: PaddedBytes
    private let content: ArraySlice<UInt8>
    private let count: Int
    private var position = 0
    private var nextLine = 1
    /// How many fields a record has: nil until it is set from the header, then checked.
    package var fieldCount: Int?
    /// How many fields a record may have while `fieldCount` is nil.
    private let maximumFields: Int

    /// The record that `next` read.
    package private(set) var fields: [CSVField] = []
    /// Where the record starts, from 1.
    package private(set) var line = 1
    /// Where the record starts, in bytes.
    package private(set) var offset = 0

    /// - Throws: `.notUTF8`.
    package init(_ body: PaddedBytes, maximumFields: Int) throws(CSVFault) {
        self.body = body
        content = body.content
        count = body.count
        self.maximumFields = maximumFields
        if let offset = body.withContent({ $0.firstNonUTF8() }) {
            let line = 1 + content[..<offset].count { $0 == UInt8(ascii: "\n") }
            throw CSVFault(reason: .notUTF8, offset: offset, line: line, field: nil)
        }
        if content.starts(with: [0xEF, 0xBB, 0xBF]) { position = 3 }
    }

    /// The field's own bytes where they are not the raw ones: doubled quotes made single.
    package func unescaped(_ field: CSVField) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(field.count)
        var at = field.offset
        while at < field.range.upperBound {
            bytes.append(body.byte(at))
            at += body.byte(at) == UInt8(ascii: "\"") ? 2 : 1
        }
        return bytes
    }

    /// Reads the next record into `fields`.
    ///
    /// - Returns: false at the end of the text.
    package mutating func next() throws(CSVFault) -> Bool {
        fields.removeAll(keepingCapacity: true)
        skipEmptyLines()
        guard position < count else { return false }
        line = nextLine
        offset = position
        while true {
            guard fields.count < fieldCount ?? maximumFields else {
                throw fault(fieldCount == nil ? .tooManyFields : .surplusField, at: position)
            }
            let field = body.byte(position) == UInt8(ascii: "\"") ? try quotedField() : try plainField()
            fields.append(field)
            if position < count && body.byte(position) == UInt8(ascii: ",") {
                position += 1
                continue
            }
            break
        }
        if let fieldCount, fields.count < fieldCount {
            throw CSVFault(reason: .tooFewFields, offset: offset, line: line, field: nil)
        }
        guard position < count else { return true }
        if body.byte(position) == UInt8(ascii: "\r") { position += 1 }
        position += 1
        nextLine += 1
        return true
    }

    private mutating func skipEmptyLines() {
        while position < count {
            if body.byte(position) == UInt8(ascii: "\n") {
                position += 1
            } else if body.byte(position) == UInt8(ascii: "\r") && body.byte(position + 1) == UInt8(ascii: "\n") {
                position += 2
            } else {
                return
            }
            nextLine += 1
        }
    }

    /// Reads a field without quotes and leaves `position` at the comma or line end behind it.
    private mutating func plainField() throws(CSVFault) -> CSVField {
        let start = position
        var at = start
        while true {
            let word = body.word(at)
            let found =
                zeroBytes(word ^ eightTimes(UInt8(ascii: ","))) | zeroBytes(word ^ eightTimes(UInt8(ascii: "\"")))
                | zeroBytes(word ^ eightTimes(UInt8(ascii: "\n"))) | zeroBytes(word ^ eightTimes(UInt8(ascii: "\r")))
            if found != 0 {
                at += found.trailingZeroBitCount >> 3
                break
            }
            at += 8
            // The padding is zeros, so nothing is found in it.
            guard at < count else {
                at = count
                break
            }
        }
        if at < count {
            if body.byte(at) == UInt8(ascii: "\"") { throw fault(.bareQuote, at: at) }
            if body.byte(at) == UInt8(ascii: "\r") && body.byte(at + 1) != UInt8(ascii: "\n") {
                throw fault(.bareReturn, at: at)
            }
        }
        position = at
        return CSVField(offset: start, count: at - start, isQuoted: false, hasEscapes: false)
    }

    /// Reads a field in quotes and leaves `position` at the comma or line end behind it.
    private mutating func quotedField() throws(CSVFault) -> CSVField {
        let start = position + 1
        var at = start, lines = 0, hasEscapes = false
        while true {
            let word = body.word(at)
            let found =
                zeroBytes(word ^ eightTimes(UInt8(ascii: "\""))) | zeroBytes(word ^ eightTimes(UInt8(ascii: "\n")))
            guard found != 0 else {
                at += 8
                guard at < count else { throw fault(.unterminatedQuote, at: start - 1) }
                continue
            }
            at += found.trailingZeroBitCount >> 3
            if body.byte(at) == UInt8(ascii: "\n") {
                lines += 1
                at += 1
            } else if body.byte(at + 1) == UInt8(ascii: "\"") {
                hasEscapes = true
                at += 2
            } else {
                break
            }
        }
        let field = CSVField(offset: start, count: at - start, isQuoted: true, hasEscapes: hasEscapes)
        at += 1
        if at < count {
            switch body.byte(at) {
            case UInt8(ascii: ","), UInt8(ascii: "\n"): break
            case UInt8(ascii: "\r"):
                guard body.byte(at + 1) == UInt8(ascii: "\n") else { throw fault(.bareReturn, at: at) }
            default: throw fault(.textBehindQuote, at: at)
            }
        }
        nextLine += lines
        position = at
        return field
    }

    private func fault(_ reason: CSVFault.Reason, at offset: Int) -> CSVFault {
        CSVFault(reason: reason, offset: offset, line: line, field: fields.count)
    }
}
