/// How the program ends. Source: sysexits(3).
enum ExitStatus: Int32, Sendable {
    case success = 0
    /// EX_USAGE: the command line is wrong.
    case usage = 64
    /// EX_DATAERR: what a file or standard input holds is wrong.
    case data = 65
    /// EX_UNAVAILABLE: something that is needed can't be reached.
    case unavailable = 69
    /// EX_SOFTWARE: a fault of this program.
    case software = 70
    /// EX_CANTCREAT: a file can't be made.
    case cannotCreate = 73
    /// EX_IOERR: a file can't be read or written.
    case inputOutput = 74
    /// As a shell reports a program that Ctrl-C ended.
    case interrupted = 130
}

/// Why a command did not do what it was asked to.
struct CommandFailure: Error, Equatable, Sendable {
    let status: ExitStatus
    /// One sentence, printed behind the program's name. No secret, no health value.
    let message: String

    init(_ status: ExitStatus, _ message: String) {
        self.status = status
        self.message = message
    }

    static func usage(_ message: String) -> CommandFailure { CommandFailure(.usage, message) }
}
