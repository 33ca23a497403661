/// A flag of a command.
struct Flag: Sendable {
    /// Without the two hyphens.
    let name: String
    /// What help calls its value; nil for a flag that is given or not.
    let value: String?
    /// What it does: lines, without a full stop at the end of a single one.
    let help: String
    /// Whether it may be given more than once.
    let repeats: Bool

    init(_ name: String, _ value: String? = nil, _ help: String, repeats: Bool = false) {
        self.name = name
        self.value = value
        self.help = help
        self.repeats = repeats
    }

    /// Flags of every command.
    static let common = [
        Flag("data", "DIR", "folder of the receiver (or SYNCKY_DATA);\ndefault ~/.local/share/syncky-receiver"),
        Flag("help", nil, "print this text"),
    ]
}
