import Wire

/// A text of a row: a stretch of the body, or bytes of its own where an escape was resolved.
struct RowText {
    var bytes: [UInt8]
    var range: Range<Int>

    init(_ bytes: [UInt8], _ range: Range<Int>) {
        self.bytes = bytes
        self.range = range
    }

    init(_ bytes: [UInt8]) { self.init(bytes, 0..<bytes.count) }

    var isEmpty: Bool { range.isEmpty }
    var slice: ArraySlice<UInt8> { bytes[range] }
    func equals(_ word: StaticString) -> Bool { bytes.span.extracting(range).equals(word) }
}
