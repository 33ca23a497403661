import Receiver

/// Finds the command that `words` name and runs it.
///
/// - Parameter words: the command line without the program's name.
func dispatch(_ words: [String], context: CommandContext) -> ExitStatus {
    do {
        return try run(words, context: context)
    } catch {
        context.note("server: \(error.message)")
        return error.status
    }
}

private func run(_ words: [String], context: CommandContext) throws(CommandFailure) -> ExitStatus {
    guard let word = words.first else {
        context.printError(HelpText.ofProgram())
        return .usage
    }
    switch word {
    case "--help", "-h":
        context.print(HelpText.ofProgram())
        return .success
    case "help":
        guard words.count > 1 else {
            context.print(HelpText.ofProgram())
            return .success
        }
        context.print(try command(named: words[1]).help)
        return .success
    case "--version":
        context.print(versionText())
        return .success
    default:
        let command = try command(named: word)
        let arguments = try ParsedArguments(Array(words.dropFirst()), for: command)
        if arguments.has("help") {
            context.print(command.help)
            return .success
        }
        return try command.run(arguments, context: context)
    }
}

private func command(named word: String) throws(CommandFailure) -> any Subcommand.Type {
    if let command = Subcommands.all.first(where: { $0.name == word }) { return command }
    if word.hasPrefix("-") {
        throw .usage("The command comes before its flags: server COMMAND \(printable(word)).")
    }
    let guess = suggestion(for: word, among: Subcommands.all.map { $0.name })
    throw .usage(
        guess == "."
            ? "There is no command \(printable(word)); server --help lists them."
            : "There is no command \(printable(word))\(guess)")
}
