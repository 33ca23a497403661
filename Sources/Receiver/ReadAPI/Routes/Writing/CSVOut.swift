import Insights
import Samples
import Storage
import Wire

/// Writes CSV as RFC 4180 has it: a header row, lines that end in CRLF, an empty field for what is null.
///
/// Texts that a sender chose get a `'` in front where a spreadsheet would run them as a formula.
struct CSVOut {
    private(set) var bytes: [UInt8]
    private var isLineBegun = false
    private var time = TimeText()

    /// - Parameter header: the names of the columns with commas between them.
    init(header: String, reservingBytes: Int = 0) {
        bytes = []
        bytes.reserveCapacity(reservingBytes)
        bytes += header.utf8
        bytes += CSVWriter.lineEnd
    }

    mutating func endLine() {
        bytes += CSVWriter.lineEnd
        isLineBegun = false
    }

    private mutating func beginField() {
        if isLineBegun { bytes.append(UInt8(ascii: ",")) }
        isLineBegun = true
    }

    mutating func empty() { beginField() }

    mutating func field(_ text: String?) { field(bytes: Array((text ?? "").utf8)) }

    mutating func field(bytes text: [UInt8]) {
        beginField()
        CSVWriter.append(field: text.span, formulaQuoted: true, to: &bytes)
    }

    /// A word of ours, without comma or quote.
    mutating func field(word: String?) {
        beginField()
        bytes += (word ?? "").utf8
    }

    mutating func field(_ flag: Bool) { field(word: flag ? "true" : "false") }

    mutating func field(count: Int?) {
        beginField()
        if let count { bytes.append(decimal: Int64(count)) }
    }

    /// The shortest decimal of that double; empty for what is no finite number.
    mutating func field(_ number: Double?) {
        beginField()
        if let number, number.isFinite { bytes.append(number: number) }
    }

    mutating func field(_ moment: Timestamp?, offsetMinutes: Int16? = nil) {
        beginField()
        if let moment, moment != .none { time.append(moment, offsetMinutes: offsetMinutes, to: &bytes) }
    }

    mutating func field(_ date: CivilDate) {
        beginField()
        bytes.append(date)
    }

    /// Two fields.
    mutating func fields(_ source: SourceName?) {
        field(source?.app)
        field(source?.device)
    }
}
