import Receiver

/// Takes an endpoint away, and on demand what it stored.
enum RemoveCommand: Subcommand {
    static let name = "remove"
    static let summary = "take an endpoint away; its data stays unless purged"
    static let usage = ["remove NAME [options]"]
    static let details = """
        A running server refuses the endpoint's token and signature within a second.
        What it stored stays, unless --purge is given: then its name must be typed (a
        line of standard input), and its samples are deleted for good. That works for
        an endpoint that was removed earlier, too.
        """
    static let operands = Operands(names: ["NAME"], required: 1)
    static let flags = [Flag("purge", nil, "delete what it stored as well, after its name is typed")]
    static let examples = ["remove ipad", "remove ipad --purge"]

    static func run(_ arguments: ParsedArguments, context: CommandContext) throws(CommandFailure) -> ExitStatus {
        let name = arguments.operands[0]
        _ = try context.settings(arguments).configuration.endpoint(named: name)
        try context.updateSettings(arguments) { configuration in
            _ = try configuration.endpoint(named: name)
            configuration.endpoints[name] = nil
        }
        context.say("Removed the endpoint \(name): its token and signature are refused; its data stays.")
        return .success
    }
}
