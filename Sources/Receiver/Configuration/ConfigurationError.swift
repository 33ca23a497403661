/// Why the settings can't be used or changed.
package struct ConfigurationError: Error, Equatable, Sendable, CustomStringConvertible {
    package enum Kind: Equatable, Sendable {
        /// There is no `receiver.json`.
        case missing
        /// There is one already, and it isn't overwritten.
        case exists
        /// The file or its folder can't be read: rights, size, not a file.
        case unreadable
        /// The text isn't JSON, or a member comes twice.
        case notJSON
        /// A value, in the file or given for it, is refused.
        case invalid
        /// Another command holds the file's lock.
        case busy
        /// It can't be written: rights, a full or read-only disk.
        case unwritable
    }

    package var kind: Kind
    /// One sentence that names the file, the member or the setting, and never a value of it.
    package var message: String

    package init(_ kind: Kind, _ message: String) {
        self.kind = kind
        self.message = message
    }

    package var description: String { message }
}

/// What works but should not stay so. The message is one sentence and holds no secret.
package struct ConfigurationWarning: Equatable, Sendable {
    /// Stable word for machines, such as `shared_secret`.
    package var code: String
    package var message: String
}

func invalid(_ message: String) -> ConfigurationError {
    ConfigurationError(.invalid, message)
}
