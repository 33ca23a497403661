import Receiver
import Samples

/// Prints what the catalog knows of Apple Health's types.
enum TypesCommand: Subcommand {
    static let name = "types"
    static let summary = "list Apple Health's types with their units and values"
    static let usage = ["types [PATTERN] [options]"]
    static let details = """
        Quantity and category types, workout activities and characteristics, by the name
        that the phone sends. PATTERN is a part of a name, of HealthKit's identifier or
        of a name in Health Auto Export; * and ? stand for any characters, and then the
        whole of one must match. WRITE tells whether server write may be used with it: ?
        is not known. A name marked * is our reading, since no list of the app's is
        public. The receiver takes any type, listed here or not.
        """
    static let operands = Operands(names: ["PATTERN"])
    static let flags = [
        catalogFlag,
        Flag("kind", "KIND", "only quantity, category, activity or characteristic"),
        Flag("json", nil, "print an array of the entries for machines"),
    ]
    static let examples = ["types", "types water", "types 'dietary_*'", "types sleep --json", "types --kind activity"]

    static func run(_ arguments: ParsedArguments, context: CommandContext) throws(CommandFailure) -> ExitStatus {
        let catalog = try context.catalog(arguments)
        let kind = try arguments.choice("kind", of: CatalogEntry.kinds)
        let entries = CatalogEntry.all(of: catalog).filter { kind == nil || $0.kind == kind }
        let pattern = arguments.operands.first ?? "*"
        let found = entries.filter { $0.matches(pattern) }
        guard !found.isEmpty || arguments.has("json") else {
            throw CommandFailure(
                .data,
                "Nothing in the catalog matches \(printable(pattern))"
                    + suggestion(for: pattern, among: entries.map(\.name)))
        }
        if arguments.has("json") {
            context.print(CatalogEntry.json(found))
        } else {
            context.print(columns([CatalogEntry.heading] + found.map(\.row)))
        }
        return .success
    }
}
