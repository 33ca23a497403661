/// What a person wrote behind a command's name.
struct ParsedArguments: Sendable {
    private(set) var operands: [String] = []
    private var values: [String: [String]] = [:]
    private let flags: [Flag]

    /// Reads `words` by the flags and operands of `command`.
    ///
    /// `--flag VALUE` and `--flag=VALUE` are the same; `--` ends the flags; `-` and a negative number are operands.
    /// A value that starts with `--` is taken behind `=` only, since it is a flag's missing value more often.
    ///
    /// - Throws: a usage failure that names the word, and a flag that was perhaps meant.
    init(_ words: [String], for command: any Subcommand.Type) throws(CommandFailure) {
        flags = command.flags + Flag.common
        var rest = words[...]
        var flagsEnded = false
        while let word = rest.popFirst() {
            if flagsEnded || !Self.isFlag(word) {
                operands.append(word)
            } else if word == "--" {
                flagsEnded = true
            } else if word == "-h" {
                values["help", default: []].append("")
            } else {
                try take(word, rest: &rest, command: command.name)
            }
        }
        guard !has("help") else { return }  // help is given whatever else is missing
        try checkOperands(command)
    }

    /// Whether the flag was given.
    func has(_ flag: String) -> Bool {
        precondition(flags.contains { $0.name == flag }, "the command has no such flag")
        return values[flag] != nil
    }

    /// The flag's value; nil when it wasn't given.
    func value(_ flag: String) -> String? { all(flag).first }

    /// The values of a flag that may be given more than once, in their order.
    func all(_ flag: String) -> [String] {
        precondition(flags.contains { $0.name == flag && $0.value != nil }, "the command has no such flag")
        return values[flag] ?? []
    }

    /// The value of a flag that takes a whole number.
    func integer(_ flag: String, in range: ClosedRange<Int>) throws(CommandFailure) -> Int? {
        guard let text = value(flag) else { return nil }
        guard let number = parseDigits(text), range.contains(number) else {
            throw .usage("--\(flag) takes a number from \(range.lowerBound) to \(range.upperBound).")
        }
        return number
    }

    /// The value of a flag that takes one of a few words.
    func choice(_ flag: String, of words: [String]) throws(CommandFailure) -> String? {
        guard let text = value(flag) else { return nil }
        guard words.contains(text) else {
            let all = words.dropLast().joined(separator: ", ") + " or " + (words.last ?? "")
            throw .usage("--\(flag) is \(all)\(suggestion(for: text, among: words))")
        }
        return text
    }

    private static func isFlag(_ word: String) -> Bool {
        guard word.hasPrefix("-"), word != "-" else { return false }
        let second = word.utf8.dropFirst().first
        return !(second.map { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) } ?? false)
    }

    private mutating func take(_ word: String, rest: inout ArraySlice<String>, command: String) throws(CommandFailure) {
        let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        let written = String(parts[0])
        guard let flag = flags.first(where: { "--" + $0.name == written }) else {
            let names = flags.map { "--" + $0.name }
            throw .usage("\(command) has no flag \(printable(written))\(suggestion(for: written, among: names))")
        }
        guard flag.repeats || values[flag.name] == nil else { throw .usage("\(written) is given twice.") }
        if let name = flag.value {
            if parts.count == 2 {
                values[flag.name, default: []].append(String(parts[1]))
            } else if let next = rest.first, !next.hasPrefix("--") {
                values[flag.name, default: []].append(next)
                rest.removeFirst()
            } else {
                throw .usage("\(written) needs a value: \(written) \(name), or \(written)=\(name).")
            }
        } else {
            guard parts.count == 1 else { throw .usage("\(written) takes no value.") }
            values[flag.name] = [""]
        }
    }

    private func checkOperands(_ command: any Subcommand.Type) throws(CommandFailure) {
        let expected = command.operands
        if operands.count < expected.required {
            throw .usage(
                "\(command.name) needs \(expected.names[operands.count]): see server \(command.name) --help.")
        }
        if operands.count > expected.names.count, !expected.repeatsLast {
            let extra = printable(operands[expected.names.count])
            throw .usage(
                expected.names.isEmpty
                    ? "\(command.name) takes flags only, and \(extra) is none."
                    : "\(extra) is one word too many: server \(command.usage[0]).")
        }
    }
}

/// `text` as a number when it is 1 to 18 ASCII digits and nothing else.
func parseDigits(_ text: String) -> Int? {
    guard (1...18).contains(text.utf8.count),
        text.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) })
    else { return nil }
    return Int(text)
}

/// `text` fit for a message on a terminal: control characters are replaced, 60 characters at most.
func printable(_ text: String) -> String {
    var result = ""
    for scalar in text.unicodeScalars.prefix(60) {
        let isControl = scalar.value < 0x20 || (0x7F...0x9F).contains(scalar.value)
        result.unicodeScalars.append(isControl ? "?" : scalar)
    }
    return text.unicodeScalars.count > 60 ? result + "…" : result
}
