/// A measurement, key, tag value or field value of line protocol, still as the sender wrote it.
package struct LineToken: Equatable, Sendable {
    /// Of the first byte; of a string, of the one behind its quote.
    package var offset: Int
    /// Raw bytes; of a string, those between its quotes.
    package var count: Int
    /// Whether backslashes in it escape something, so that the raw bytes differ from the text's own.
    package var hasEscapes: Bool

    package init(offset: Int, count: Int, hasEscapes: Bool) {
        self.offset = offset
        self.count = count
        self.hasEscapes = hasEscapes
    }

    package var range: Range<Int> { offset..<offset + count }
}

/// A tag of a point. Neither text is empty.
package struct LineTag: Equatable, Sendable {
    package var key: LineToken
    package var value: LineToken
}

/// A field of a point. The key is not empty.
package struct LineField: Equatable, Sendable {
    package enum Kind: Equatable, Sendable {
        /// Digits with at most one point and an exponent, and at least one digit: `-1.5e3`, `.5`, `1.`.
        case float
        /// Digits of a 64-bit integer with a sign; the token leaves the `i` out.
        case integer
        /// Digits of a 64-bit integer without a sign; the token leaves the `u` out.
        case unsigned
        case boolean(Bool)
        case string
    }

    package var key: LineToken
    package var value: LineToken
    package var kind: Kind

    package var isNumber: Bool {
        switch kind {
        case .float, .integer, .unsigned: true
        case .boolean, .string: false
        }
    }
}
