/// Why the app, or this server, would not take a setting.
package struct SetupFault: Error, Equatable, Sendable {
    /// One sentence for the person who set it. Names the setting, never a secret's text.
    package let message: String
    package init(_ message: String) { self.message = message }
}

/// What may be entered for an endpoint: the app's limits (sections 8 and 9 of the guide), and what would make a
/// request that this server can't tell apart.
package enum SetupRules {
    package static let maximumNameCharacters = 64
    package static let maximumURLCharacters = 2_048
    /// Of a token, a password, a header value; applied to a signing secret as well.
    package static let maximumSecretBytes = 4_096
    package static let maximumHeaderNameCharacters = 256
    package static let maximumUserCharacters = 256

    /// The app would send these, and the request could not be read any more: each changes how its body is framed.
    private static let headersOfTheMessage: Set<String> = ["content-encoding", "expect"]

    /// The path's last part: `[a-z0-9-]{1,32}`.
    package static func checkEndpointName(_ name: String) throws(SetupFault) {
        guard ConfigurationRules.isEndpointName(name) else {
            throw SetupFault("NAME is 1 to 32 of the characters a-z, 0-9 and -.")
        }
    }

    /// The name that the app shows.
    package static func checkLabel(_ label: String) throws(SetupFault) {
        guard label.contains(where: { !$0.isWhitespace }) else { throw SetupFault("The label is empty.") }
        guard label.count <= maximumNameCharacters else {
            throw SetupFault("The label has \(label.count) characters; the app takes \(maximumNameCharacters).")
        }
        guard !hasControlCharacter(label) else { throw SetupFault("The label has a control character in it.") }
        guard ConfigurationRules.isLabel(label) else { throw SetupFault("The label has more than 256 bytes.") }
    }

    /// Who the data is about: 1 to 64 characters of text, part of the key of every sample.
    package static func checkPerson(_ person: String) throws(SetupFault) {
        guard ConfigurationRules.isLabel(person), person.first?.isWhitespace == false,
            person.last?.isWhitespace == false
        else {
            throw SetupFault("A person is 1 to 64 characters of text without a space at either end.")
        }
    }

    /// A Bearer token or the value of a custom header, as it stands in a header line.
    package static func checkHeaderValue(_ value: String, called name: String) throws(SetupFault) {
        try checkSecret(value, called: name)
        guard value.utf8.first != UInt8(ascii: " "), value.utf8.last != UInt8(ascii: " ") else {
            throw SetupFault("The \(name) has a space at its start or end, which HTTP takes away.")
        }
    }

    /// A password or a signing secret: 1 to 4,096 bytes without control characters.
    package static func checkSecret(_ value: String, called name: String) throws(SetupFault) {
        guard !value.isEmpty else { throw SetupFault("The \(name) is empty.") }
        guard value.utf8.count <= maximumSecretBytes else {
            throw SetupFault("The \(name) has \(value.utf8.count) bytes; the app takes \(maximumSecretBytes).")
        }
        guard !hasControlCharacter(value) else { throw SetupFault("The \(name) has a control character in it.") }
    }

    /// The name of a custom header: a token of RFC 9110 that the app lets a person choose.
    package static func checkHeaderName(_ name: String) throws(SetupFault) {
        guard !name.isEmpty else { throw SetupFault("The header's name is empty.") }
        guard name.utf8.count <= maximumHeaderNameCharacters else {
            throw SetupFault(
                "The header's name has \(name.utf8.count) characters; the app takes \(maximumHeaderNameCharacters).")
        }
        guard name.utf8.allSatisfy(isTokenByte) else {
            throw SetupFault("A header's name has only letters, digits and !#$%&'*+-.^_`|~ in it.")
        }
        let lowercase = name.lowercased()
        guard ConfigurationRules.isCustomHeaderName(name) else {
            throw SetupFault("The app sets the header \(name) itself: choose another one, for example X-Api-Key.")
        }
        guard !headersOfTheMessage.contains(lowercase) else {
            throw SetupFault("The header \(name) changes how a request is read: choose another one.")
        }
    }

    /// The user of Basic auth: printable ASCII without a colon.
    package static func checkUser(_ user: String) throws(SetupFault) {
        guard !user.isEmpty else { throw SetupFault("The user is empty.") }
        guard user.utf8.count <= maximumUserCharacters else {
            throw SetupFault("The user has \(user.utf8.count) characters; the app takes \(maximumUserCharacters).")
        }
        guard user.utf8.allSatisfy({ (0x20...0x7E).contains($0) && $0 != UInt8(ascii: ":") }) else {
            throw SetupFault("The user of Basic auth is printable ASCII without a colon.")
        }
    }

    /// The name of a data type: `^[a-z][a-z0-9_]{1,63}$`. Source: section 5 of the guide.
    package static func checkTypeName(_ type: String) throws(SetupFault) {
        let bytes = type.utf8
        let isLowercase = { (byte: UInt8) in (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte) }
        let isDigit = { (byte: UInt8) in (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }
        guard (2...64).contains(bytes.count), bytes.first.map(isLowercase) == true,
            bytes.allSatisfy({ isLowercase($0) || isDigit($0) || $0 == UInt8(ascii: "_") })
        else {
            throw SetupFault("A data type is 2 to 64 of a-z, 0-9 and _ and starts with a letter, like heart_rate.")
        }
    }

    /// `tchar` of RFC 9110 section 5.6.2.
    private static func isTokenByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        default: "!#$%&'*+-.^_`|~".utf8.contains(byte)
        }
    }

    private static func hasControlCharacter(_ text: String) -> Bool {
        text.unicodeScalars.contains { $0.value < 0x20 || (0x7F...0x9F).contains($0.value) }
    }
}
