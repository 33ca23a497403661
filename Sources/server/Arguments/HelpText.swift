/// Lays out what `--help` prints.
enum HelpText {
    /// The whole program's.
    static func ofProgram() -> String {
        let rows = Subcommands.all.map { ($0.name, $0.summary) }
        return """
            Syncky Receiver takes the Apple Health data that an iPhone sends over HTTP and keeps it in SQLite.

            Usage: server COMMAND [options]

            Commands:
            \(table(rows))

            Options:
            \(table([("--help", "print this text, or that of a command"), ("--version", "print the version")]))

            Set up in two steps:
              server init
              server serve & server link

            More about a command: server COMMAND --help

            """
    }

    /// One command's.
    static func of(_ command: any Subcommand.Type) -> String {
        let summary = command.summary.prefix(1).uppercased() + command.summary.dropFirst()
        var sections = ["\(summary)."]
        let usage = command.usage.map { "server \($0)" }
        sections.append("Usage: " + usage.joined(separator: "\n       "))
        if !command.details.isEmpty { sections.append(command.details) }
        let flags = command.flags + Flag.common
        let rows = flags.map { flag in ("--" + flag.name + (flag.value.map { " " + $0 } ?? ""), flag.help) }
        sections.append("Options:\n" + table(rows))
        if !command.examples.isEmpty {
            sections.append("Examples:\n" + command.examples.map { "  server \($0)" }.joined(separator: "\n"))
        }
        return sections.joined(separator: "\n\n") + "\n"
    }

    private static let columns = 80

    /// Two columns; the right one may have several lines, and lines that don't fit are broken at blanks.
    private static func table(_ rows: [(left: String, right: String)]) -> String {
        let width = rows.map(\.left.count).max() ?? 0
        let lines = rows.flatMap { row in
            row.right.split(separator: "\n").flatMap { broken(String($0), at: columns - width - 4) }.enumerated().map {
                index, line in
                let left = index == 0 ? row.left : ""
                return "  \(left)\(String(repeating: " ", count: width - left.count))  \(line)"
            }
        }
        return lines.joined(separator: "\n")
    }

    /// `text` in lines of at most `width` columns, as far as its words allow.
    private static func broken(_ text: String, at width: Int) -> [String] {
        var lines: [String] = []
        for word in text.split(separator: " ") {
            if let last = lines.last, last.count + 1 + word.count <= width {
                lines[lines.count - 1] = last + " " + word
            } else {
                lines.append(String(word))
            }
        }
        return lines
    }
}
