import Glibc
import Transport

@main
struct ServerCommand {
    static func main() {
        HostState.hardenProcess()
        let output = StandardStream(rawValue: STDOUT_FILENO)
        let errors = StandardStream(rawValue: STDERR_FILENO)
        let context = CommandContext.system(output: output, errors: errors)
        var status = ExitStatus.usage
        if let words = commandLineWords() {
            status = dispatch(words, context: context)
        } else {
            context.note("server: A word of the command line is not UTF-8.")
        }
        if status == .success, let failure = output.failure, failure.rawValue != EPIPE {
            context.note("server: Standard output can't be written: \(failure).")
            status = .inputOutput
        }
        exit(status.rawValue)
    }

    /// The command line behind the program's name; nil when a word is no UTF-8, which Swift's own list would repair
    /// without a word, so that a token or a path became another one.
    private static func commandLineWords() -> [String]? {
        var words: [String] = []
        for i in 1..<max(1, Int(CommandLine.argc)) {
            guard let pointer = unsafe CommandLine.unsafeArgv[i], let word = unsafe String(validatingCString: pointer)
            else { return nil }
            words.append(word)
        }
        return words
    }
}
