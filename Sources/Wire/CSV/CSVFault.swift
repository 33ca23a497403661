/// Why a CSV text was refused, and where.
package struct CSVFault: Error, Equatable, Sendable {
    package enum Reason: Equatable, Sendable {
        /// Bytes that are no UTF-8 (RFC 3629).
        case notUTF8
        /// A quote inside a field that did not start with one.
        case bareQuote
        /// Something other than a comma or a line end behind a closing quote.
        case textBehindQuote
        /// The text ends inside of quotes; the offset is that of the opening one.
        case unterminatedQuote
        /// A CR that no LF follows, outside of quotes.
        case bareReturn
        /// More fields than `CSVReader.maximumFields`; the offset is that of the first too many.
        case tooManyFields
        /// More fields than `CSVReader.fieldCount`; the offset is that of the first too many.
        case surplusField
        /// Fewer fields than `CSVReader.fieldCount`; the offset is the record's.
        case tooFewFields
    }

    package var reason: Reason
    /// From 0, in bytes of the content.
    package var offset: Int
    /// From 1: where the record starts; of bytes that are no UTF-8, where they are.
    package var line: Int
    /// Index of the field in its record; nil where no single field is at fault.
    package var field: Int?

    /// One sentence for a person.
    package var message: String {
        switch reason {
        case .notUTF8: "The text holds bytes that are not UTF-8."
        case .bareQuote: "A field that does not start with a quote holds one."
        case .textBehindQuote: "Behind a field's closing quote is something other than a comma or a line end."
        case .unterminatedQuote: "A quote is opened and not closed."
        case .bareReturn: "A carriage return is followed by no line feed."
        case .tooManyFields: "A row has more fields than it may."
        case .surplusField: "A row has more fields than the header row."
        case .tooFewFields: "A row has fewer fields than the header row."
        }
    }
}
