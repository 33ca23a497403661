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
        if let words = ProgramArguments.words() {
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
}
