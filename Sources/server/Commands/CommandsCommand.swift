import Receiver
import Samples
import Storage

/// Lists the commands for the phone.
enum CommandsCommand: Subcommand {
    static let name = "commands"
    static let summary = "list what the phone was asked to write, and what became of it"
    static let usage = ["commands [options]"]
    static let details = """
        The latest version of each command, the newest last. STATE is waiting until the
        phone's result comes, then applied or rejected; SENT counts the replies in which
        it went out; SAMPLE is the record as which it came back. --json prints an array
        of {"id","endpoint","version","op","type","value","unit","start","end","state",
        "reason","sent","queued_at","first_sent_at","last_sent_at","result_at",
        "sample"}; times are UTC.
        """
    static let flags = [
        Flag("to", "NAME", "only commands for this endpoint"),
        Flag("waiting", nil, "only commands without a result"),
        Flag("json", nil, "print JSON for machines"),
    ]
    static let examples = ["commands", "commands --waiting", "commands --to phone --json"]

    static func run(_ arguments: ParsedArguments, context: CommandContext) throws(CommandFailure) -> ExitStatus {
        let configuration = try context.settings(arguments).configuration
        let name = arguments.value("to")
        if let name { _ = try configuration.endpoint(named: name) }
        let folder = try context.dataFolder(arguments)
        var commands: [CommandRow] = []
        do throws(StoreError) {
            commands = try StoreReader(directory: folder).commands(endpoint: name)
        } catch {
            if error.reason != .missing { throw CommandFailure(error) }
        }
        if arguments.has("waiting") { commands.removeAll { $0.state != .waiting } }
        if arguments.has("json") {
            context.print(CommandReport.json(commands))
        } else if commands.isEmpty {
            context.say(arguments.has("waiting") ? "No command waits." : "There is no command: server write makes one.")
        } else {
            context.print(columns([header] + commands.map(cells)))
        }
        return .success
    }

    private static let header = [
        "ID", "ENDPOINT", "VERSION", "OP", "TYPE", "VALUE", "UNIT", "AT", "STATE", "REASON", "SENT", "SAMPLE",
    ]

    private static func cells(_ command: CommandRow) -> [String] {
        let value: String? =
            switch command.value {
            case nil: nil
            case .number(_, let text): text
            case .name(let name): name
            }
        return [
            command.id, command.endpoint, String(command.version), command.op.rawValue, command.type,
            value.map(printable) ?? "-", command.unit.map(printable) ?? "-", command.start.map(rfc3339Text) ?? "-",
            command.state.rawValue,
            command.reason.map(printable) ?? "-", String(command.sent), command.sampleUUID ?? "-",
        ]
    }
}
