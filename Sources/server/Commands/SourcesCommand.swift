import Insights
import Receiver
import Samples
import Storage

/// Lists and sets whose samples count first.
enum SourcesCommand: Subcommand {
    static let name = "sources"
    static let summary = "list whose samples count first, and set it"
    static let usage = ["sources [TYPE] [options]"]
    static let details = """
        A phone and a watch count the same steps. In totals each moment counts once:
        of the first source in this list that has data for it. By default watches come
        before iPhones, and those before the rest, by how much data they have.

        --first puts a source before all others; given again, the next one after it.
        SOURCE is a device, an app, or both as APP/DEVICE, as the list has them. What
        was set before is replaced. --reset goes back to the default.
        """
    static let operands = Operands(names: ["TYPE"])
    static let flags = [
        Flag("first", "SOURCE", "this one counts first; may be given again", repeats: true),
        Flag("reset", nil, "back to the default order"), personFlag,
    ]
    static let examples = [
        "sources", "sources steps", "sources --first \"Apple Watch\" --first com.example.gym", "sources --reset",
    ]

    static func run(_ arguments: ParsedArguments, context: CommandContext) throws(CommandFailure) -> ExitStatus {
        let wanted = arguments.all("first"), isReset = arguments.has("reset")
        guard wanted.isEmpty || !isReset else { throw .usage("--first and --reset exclude each other.") }
        var model = try context.readModel(arguments, catalog: .builtIn)
        let person = try context.person(arguments, model)
        if isReset || !wanted.isEmpty {
            let known = try sources(model, person, nil)
            var order: [SourceName] = []
            for text in wanted {
                let found = known.map(\.source).filter { matches($0, text) && !order.contains($0) }
                guard !found.isEmpty || known.contains(where: { matches($0.source, text) }) else {
                    throw CommandFailure(
                        .data,
                        "No sample of \(person.name) came from \(printable(text)): server sources lists who did.")
                }
                order += found
            }
            try context.updateSettings(arguments) { configuration in
                configuration.sources.persons[person.name] = order.isEmpty ? nil : order
            }
            model = try context.readModel(arguments, catalog: .builtIn)
        }
        let type = arguments.operands.first
        let ranks = try sources(model, person, type)
        guard !ranks.isEmpty else {
            context.say("\(person.name) has no samples\(type.map { " of \(printable($0))" } ?? "").")
            return .success
        }
        var rows = [["", "DEVICE", "APP", "KIND", "SAMPLES", "SET"]]
        for (index, rank) in ranks.enumerated() {
            rows.append([
                "\(index + 1)", printable(rank.source.device ?? "-"), printable(rank.source.app ?? "-"),
                word(rank.sourceClass), grouped(rank.samples), rank.isSet ? "yes" : "no",
            ])
        }
        context.print(columns(rows))
        return .success
    }

    private static func sources(
        _ model: ReadModel, _ person: Person, _ type: String?
    ) throws(CommandFailure) -> [SourceRank] {
        do throws(StoreError) { return try model.sources(of: person.name, type: type) } catch {
            throw CommandFailure(error)
        }
    }

    /// Whether `text` means the source: by its device, its app, or both.
    private static func matches(_ source: SourceName, _ text: String) -> Bool {
        if source.device == text || source.app == text { return true }
        guard let app = source.app, let device = source.device else { return false }
        return text == "\(app)/\(device)"
    }

    private static func word(_ sourceClass: SourceClass) -> String {
        switch sourceClass {
        case .watch: "watch"
        case .phone: "phone"
        case .other: "other"
        }
    }
}
