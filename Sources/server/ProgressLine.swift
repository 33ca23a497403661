import Samples

/// One line on a terminal's standard error that says how far a long command is; nothing elsewhere.
final class ProgressLine {
    private static let intervalMicroseconds: Int64 = 200_000

    private let context: CommandContext
    let startedAt: Int64
    private var shownAt: Int64
    private var width = 0

    init(_ context: CommandContext) {
        self.context = context
        startedAt = context.now().microseconds
        // The first line comes late: what is done by then needs none.
        shownAt = startedAt
    }

    /// Shows `text` in place of what was there, five times a second at most.
    func show(_ text: @autoclosure () -> String) {
        guard context.isErrorTerminal else { return }
        let now = context.now().microseconds
        guard now - shownAt >= Self.intervalMicroseconds || now < shownAt else { return }
        shownAt = now
        let line = text()
        context.printError("\r\(line)\(String(repeating: " ", count: max(0, width - line.count)))")
        width = line.count
    }

    /// Takes the line away.
    func clear() {
        guard width > 0 else { return }
        context.printError("\r\(String(repeating: " ", count: width))\r")
        width = 0
    }
}

/// `1,234,567`.
func grouped(_ number: Int) -> String {
    var text = "", digits = 0
    for character in String(number.magnitude).reversed() {
        if digits > 0, digits.isMultiple(of: 3) { text.append(",") }
        text.append(character)
        digits += 1
    }
    return (number < 0 ? "-" : "") + String(text.reversed())
}

/// `1.2 GB`, `512 kB`, `17 bytes`.
func sizeText(_ bytes: Int) -> String {
    for (unit, size) in [("GB", 1_000_000_000), ("MB", 1_000_000)] where bytes >= size {
        let tenths = bytes / (size / 10)
        return "\(tenths / 10).\(tenths % 10) \(unit)"
    }
    return bytes >= 1_000 ? "\(bytes / 1_000) kB" : "\(bytes) bytes"
}
