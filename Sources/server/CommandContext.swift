import Receiver
import Samples

/// Everything that a command may reach besides files and sockets, so that tests run it in their own process.
struct CommandContext: Sendable {
    /// Writes to standard output.
    var print: @Sendable (String) -> Void
    /// Writes to standard error.
    var printError: @Sendable (String) -> Void
    /// The next line of standard input without its line end; nil at the end, or when it is no UTF-8.
    var readLine: @Sendable () -> String?
    var environment: [String: String]
    var now: @Sendable () -> Timestamp
    /// Whether standard output is a terminal.
    var isTerminal: Bool
    /// The terminal's width in columns; nil when unknown.
    var terminalColumns: Int?
    /// The machine's name, as `hostname` prints it.
    var hostName: String
    var network: ProbeNetwork
    /// Does nothing for so many milliseconds.
    var pause: @Sendable (_ milliseconds: Int) -> Void
    /// Whether something keeps the clock right; nil when unknown.
    var isClockSynchronized: @Sendable () -> Bool?
    /// Writes to standard output; false when that has failed.
    var writeBytes: @Sendable ([UInt8]) -> Bool = { _ in true }
    /// Whether standard error is a terminal.
    var isErrorTerminal = false
    /// From now on a signal that would end the program only makes the result answer true.
    var watchInterrupts: @Sendable () -> @Sendable () -> Bool = { { false } }

    /// A line on standard error.
    func note(_ line: String) { printError(line + "\n") }

    /// A line on standard output.
    func say(_ line: String = "") { print(line + "\n") }

    /// The value of an environment variable; nil when it is empty, as an unset one.
    func variable(_ name: String) -> String? {
        environment[name].flatMap { $0.isEmpty ? nil : $0 }
    }

    /// The receiver's folder: `--data`, else `SYNCKY_DATA`, else `syncky-receiver` in the user's data folder.
    func dataFolder(_ arguments: ParsedArguments) throws(CommandFailure) -> String {
        if let folder = arguments.value("data") {
            guard !folder.isEmpty else { throw .usage("--data is empty.") }
            return folder
        }
        if let folder = variable("SYNCKY_DATA") { return folder }
        // A relative XDG_DATA_HOME is to be ignored: XDG Base Directory Specification.
        if let base = variable("XDG_DATA_HOME"), base.hasPrefix("/") { return base + "/syncky-receiver" }
        if let home = variable("HOME") { return home + "/.local/share/syncky-receiver" }
        throw .usage("There is no HOME to keep the data in: say where with --data DIR.")
    }
}
