/// Why a text in line protocol was refused, and where.
package struct LineFault: Error, Equatable, Sendable {
    package enum Reason: Equatable, Sendable {
        /// Bytes that are no UTF-8 (RFC 3629).
        case notUTF8
        /// A line of more bytes than it may have, its end not counted; the offset is the line's.
        case tooLong
        case measurementMissing
        case tagKeyMissing
        /// A tag's key without `=` or without a value.
        case tagValueMissing
        /// An `=` in a tag's value that no backslash is in front of.
        case bareEquals
        /// The line ends before its first field.
        case fieldsMissing
        case fieldKeyMissing
        /// A field's key without `=` or without a value.
        case fieldValueMissing
        /// The text ends inside of a string; the offset is that of its quote.
        case unterminatedString
        /// A string, number or boolean with something behind it, or a word that is none of them.
        case valueInvalid
        /// What starts like a number and is none, or is out of the range of its type.
        case numberInvalid
        /// The line ends behind its fields; the offset is that of its end.
        case timestampMissing
        /// No whole number of nanoseconds in 64 bits.
        case timestampInvalid
        /// Something behind the timestamp.
        case trailing
    }

    package var reason: Reason
    /// From 0, in bytes of the content.
    package var offset: Int
    /// From 1: where the point starts; of bytes that are no UTF-8, where they are.
    package var line: Int
    /// The key of the field at fault, as the sender wrote it; nil elsewhere.
    package var field: LineToken?

    /// One sentence for a person.
    package var message: String {
        switch reason {
        case .notUTF8: "The text holds bytes that are not UTF-8."
        case .tooLong: "A line is too long."
        case .measurementMissing: "A line starts without a measurement."
        case .tagKeyMissing: "A tag has no key."
        case .tagValueMissing: "A tag has no value."
        case .bareEquals: "A tag's value holds an equals sign without a backslash."
        case .fieldsMissing: "A line has no fields."
        case .fieldKeyMissing: "A field has no key."
        case .fieldValueMissing: "A field has no value."
        case .unterminatedString: "A string is opened and not closed."
        case .valueInvalid: "A field's value is no number, string or boolean."
        case .numberInvalid: "A number is not written as one, or is out of its type's range."
        case .timestampMissing: "A line has no timestamp, so a repeat of it would be another point."
        case .timestampInvalid: "A timestamp is no whole number of nanoseconds in 64 bits."
        case .trailing: "There is something behind a line's timestamp."
        }
    }
}
