/// Why a JSON text was refused, and where.
package struct JSONFault: Error, Equatable, Sendable {
    /// What was wrong. The raw values have no meaning outside.
    package enum Reason: UInt8, Sendable {
        /// Not the grammar of RFC 8259 section 2.
        case syntax
        /// The text ends before its value does.
        case truncated
        /// Bytes behind the value that are no white space.
        case trailing
        /// A byte order mark (RFC 8259 section 8.1 lets a parser refuse it).
        case byteOrderMark
        /// Bytes in a string that are no UTF-8 (RFC 3629).
        case notUTF8
        /// A byte under 0x20 in a string.
        case controlByte
        /// A backslash with something that is no escape behind it.
        case escape
        /// A `\u` escape of one half of a surrogate pair.
        case loneSurrogate
        /// More than `JSONLimits.maximumDepth` arrays and objects in each other.
        case tooDeep
        /// An object of more than `JSONScanner.maximumMembers` members.
        case tooWide
        /// Two members of one object with the same name, escapes resolved; the offset is that of the second name.
        case repeatedMember
        /// A number of more than `JSONLimits.maximumNumberBytes` characters.
        case numberTooLong
        /// A number beyond the range of a double.
        case numberOutOfRange
        /// A value of another kind than the reader asked for.
        case otherKind
        /// More than `JSONScanner.maximumBytes`.
        case tooLong
    }

    package var reason: Reason
    /// From 0, in bytes of the content.
    package var offset: Int

    @inlinable package init(_ reason: Reason, offset: Int) {
        self.reason = reason
        self.offset = offset
    }

    /// Stable word for machines.
    package var code: String {
        switch reason {
        case .syntax, .truncated, .trailing, .byteOrderMark, .notUTF8, .controlByte, .escape, .loneSurrogate, .tooLong:
            "json_invalid"
        case .tooDeep: "json_too_deep"
        case .tooWide: "json_too_wide"
        case .repeatedMember: "member_repeated"
        case .numberTooLong, .numberOutOfRange: "number_invalid"
        case .otherKind: "member_invalid"
        }
    }

    /// One sentence for a person.
    package var message: String {
        switch reason {
        case .syntax: "The body is not valid JSON."
        case .truncated: "The body ends before its JSON value does."
        case .trailing: "There is something behind the JSON value."
        case .byteOrderMark: "The body starts with a byte order mark; JSON is UTF-8 without one."
        case .notUTF8: "A string holds bytes that are not UTF-8."
        case .controlByte: "A string holds a control character that must be escaped."
        case .escape: "A string holds an escape that JSON does not have."
        case .loneSurrogate: "A string escapes one half of a surrogate pair."
        case .tooDeep: "Arrays and objects are nested too deeply."
        case .tooWide: "An object has more than \(JSONScanner.maximumMembers) members."
        case .repeatedMember: "An object has two members of the same name."
        case .numberTooLong: "A number has too many characters."
        case .numberOutOfRange: "A number is beyond the range of a double."
        case .otherKind: "A value is of another kind than its place asks for."
        case .tooLong: "The body is longer than this reader can address."
        }
    }
}
