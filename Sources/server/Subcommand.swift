/// One word behind `server`. To add one: a type like this in a file of its own, and its line in `Subcommands.all`.
protocol Subcommand: SendableMetatype {
    /// The word itself.
    static var name: String { get }
    /// What it does, for the list of commands: a few words without a full stop.
    static var summary: String { get }
    /// Its command lines, without `server` before them, for instance `link [NAME] [options]`.
    static var usage: [String] { get }
    /// What a person should know before using it: lines of 78 columns at most.
    static var details: String { get }
    /// Its operands as `usage` calls them, and how many of them must be there.
    static var operands: Operands { get }
    /// Its flags. `--data` and `--help` belong to all and aren't listed.
    static var flags: [Flag] { get }
    /// Command lines that work, without `server` before them.
    static var examples: [String] { get }
    static func run(_ arguments: ParsedArguments, context: CommandContext) throws(CommandFailure) -> ExitStatus
}

/// How many operands a command takes.
struct Operands: Sendable {
    /// As `usage` calls them, for messages.
    var names: [String] = []
    /// How many of them must be there.
    var required = 0
    /// Whether the last may come again.
    var repeatsLast = false

    static let none = Operands()
}

extension Subcommand {
    static var operands: Operands { .none }
    static var details: String { "" }
    static var examples: [String] { [] }

    /// All that `--help` prints.
    static var help: String { HelpText.of(self) }
}

/// The table of commands, in the order in which `--help` lists them.
enum Subcommands {
    static let all: [any Subcommand.Type] = [
        InitCommand.self,
        AddCommand.self,
        RemoveCommand.self,
        ListCommand.self,
        RotateCommand.self,
        ServeCommand.self,
        TokenCommand.self,
        LinkCommand.self,
        WriteCommand.self,
        DeleteCommand.self,
        CommandsCommand.self,
        StatusCommand.self,
        CheckCommand.self,
        HealthCommand.self,
        TypesCommand.self,
        TotalsCommand.self,
        SourcesCommand.self,
        ReplayCommand.self,
        ExportCommand.self,
        ImportCommand.self,
        BackupCommand.self,
        DemoCommand.self,
    ]
}
