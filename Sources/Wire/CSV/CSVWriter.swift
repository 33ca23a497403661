/// Writes CSV fields, byte by byte as the guide's section 4 has them: RFC 4180 section 2, lines end in CRLF.
package enum CSVWriter {
    package static let lineEnd: [UInt8] = [0x0D, 0x0A]

    /// Appends a field, in quotes when it has a comma, a quote or a line break.
    ///
    /// - Parameter formulaQuoted: whether a text that a spreadsheet would run as a formula gets a `'` in front.
    package static func append(field: Span<UInt8>, formulaQuoted: Bool = false, to line: inout [UInt8]) {
        let isFormula = formulaQuoted && !field.isEmpty && startsFormula(field[0])
        guard needsQuotes(field) else {
            if isFormula { line.append(apostrophe) }
            return line.append(copying: field)
        }
        line.append(quote)
        if isFormula { line.append(apostrophe) }
        for index in field.indices {
            if field[index] == quote { line.append(quote) }
            line.append(field[index])
        }
        line.append(quote)
    }

    /// The first bytes that make a spreadsheet run a field: `=`, `+`, `-`, `@`, tab and CR.
    package static func startsFormula(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "="), UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "@"), 0x09, 0x0D: true
        default: false
        }
    }

    private static func needsQuotes(_ field: Span<UInt8>) -> Bool {
        for index in field.indices {
            switch field[index] {
            case UInt8(ascii: ","), quote, 0x0D, 0x0A: return true
            default: break
            }
        }
        return false
    }

    private static let quote = UInt8(ascii: "\""), apostrophe = UInt8(ascii: "'")
}
