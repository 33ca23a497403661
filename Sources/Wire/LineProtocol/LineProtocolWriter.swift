/// Writes the pieces of InfluxDB line protocol, escaped as its specification and the guide's section 4 have it.
///
/// Tabs and line breaks become spaces everywhere. A backslash at the end of a measurement, key or tag value would escape
/// the byte behind it and can't be written at all: it is left out.
package enum LineProtocolWriter {
    /// Appends a measurement's name: commas and spaces escaped.
    package static func append(measurement: Span<UInt8>, to line: inout [UInt8]) {
        append(measurement, escapesEquals: false, to: &line)
    }

    /// Appends a tag's key or value, or a field's key: commas, equals signs and spaces escaped.
    package static func append(tag: Span<UInt8>, to line: inout [UInt8]) { append(tag, escapesEquals: true, to: &line) }

    /// Appends a string as a field's value, quotes included.
    package static func append(string: Span<UInt8>, to line: inout [UInt8]) {
        line.append(UInt8(ascii: "\""))
        for index in string.indices {
            let byte = string[index]
            if byte == UInt8(ascii: "\"") || byte == backslash { line.append(backslash) }
            line.append(isBlank(byte) ? space : byte)
        }
        line.append(UInt8(ascii: "\""))
    }

    /// Whether a tag of this value is written at all: not when nothing of it would be.
    package static func isEmpty(tag: Span<UInt8>) -> Bool { trimmed(tag) == 0 }

    private static func append(_ text: Span<UInt8>, escapesEquals: Bool, to line: inout [UInt8]) {
        for index in 0..<trimmed(text) {
            let byte = isBlank(text[index]) ? space : text[index]
            if byte == space || byte == UInt8(ascii: ",") || (escapesEquals && byte == UInt8(ascii: "=")) {
                line.append(backslash)
            }
            line.append(byte)
        }
    }

    /// How long the text is without backslashes at its end.
    private static func trimmed(_ text: Span<UInt8>) -> Int {
        var count = text.count
        while count > 0 && text[count - 1] == backslash { count -= 1 }
        return count
    }

    private static func isBlank(_ byte: UInt8) -> Bool { byte == 0x09 || byte == 0x0A || byte == 0x0D }

    private static let backslash = UInt8(ascii: "\\"), space = UInt8(ascii: " ")
}
