import Insights
import Receiver
import Samples
import Signing

/// Makes, lists and takes away the tokens of the API and the dashboard.
enum TokenCommand: Subcommand {
    static let name = "token"
    static let summary = "give and take tokens for the dashboard and the API"
    static let usage = ["token add NAME [options]", "token list [--json]", "token remove NAME"]
    static let details = """
        add prints a new token, the only line on standard output, once: the receiver
        keeps a digest of it and can't show it again. Who has it may see what is
        stored, at the dashboard and with Authorization: Bearer TOKEN at the API; with
        --scope write also ask the phone to write. It is for one person's data, the
        only one's unless --person or --all-persons says otherwise.

        A running server takes a new token, and refuses one that was removed and the
        browsers that signed in with it, within a second. list --json prints an array
        of {"name","scope","person","types","created","expires","expired"}; times are
        UTC, null means everybody, all types, no end.
        """
    static let operands = Operands(names: ["add|list|remove", "NAME"], required: 1)
    static let flags = [
        Flag("scope", "S", "read or write; default read"),
        Flag("types", "A,B", "only these data types, such as steps,heart_rate"),
        Flag("expires", "WHEN", "after so many days, such as 90d, or when a day begins in UTC,\nsuch as 2027-01-01"),
        Flag("person", "P", "whose data; needed when there are several persons"),
        Flag("all-persons", nil, "everybody's data"),
        Flag("json", nil, "print JSON for machines"),
    ]
    static let examples = [
        "token add browser --scope write",
        "token add grafana --types steps,heart_rate --expires 90d",
        "token list",
        "token remove grafana",
    ]

    static func run(_ arguments: ParsedArguments, context: CommandContext) throws(CommandFailure) -> ExitStatus {
        let words = arguments.operands
        switch words[0] {
        case "add", "remove":
            guard words.count == 2 else { throw .usage("token \(words[0]) needs NAME: see server token --help.") }
            guard !arguments.has("json") else { throw .usage("--json goes with token list.") }
            if words[0] == "add" { return try add(words[1], arguments, context) }
            try refuseAddFlags(arguments)
            return try remove(words[1], arguments, context)
        case "list":
            guard words.count == 1 else {
                throw .usage("\(printable(words[1])) is one word too many: server token list [--json].")
            }
            try refuseAddFlags(arguments)
            return try list(arguments, context)
        default:
            throw .usage(
                "token is followed by add, list or remove\(suggestion(for: words[0], among: ["add", "list", "remove"]))"
            )
        }
    }

    private static func refuseAddFlags(_ arguments: ParsedArguments) throws(CommandFailure) {
        for flag in ["scope", "types", "expires", "person", "all-persons"] where arguments.has(flag) {
            throw .usage("--\(flag) goes with token add.")
        }
    }

    // MARK: add

    private static func add(
        _ name: String, _ arguments: ParsedArguments, _ context: CommandContext
    ) throws(CommandFailure) -> ExitStatus {
        guard ConfigurationRules.isEndpointName(name) else {
            throw .usage("A token's NAME is 1 to 32 of a-z, 0-9 and -.")
        }
        let scope = try arguments.choice("scope", of: APIGrant.Scope.allCases.map(\.rawValue))
        let types = try types(arguments, context)
        let expires = try arguments.value("expires").map { text throws(CommandFailure) in
            try end(text, nowSeconds: context.nowSeconds)
        }
        let secret = APIToken.newToken()
        let person = try context.updateSettings(arguments) { configuration in
            let person = try Self.person(arguments, configuration)
            guard !configuration.api.tokens.contains(where: { $0.name == name }) else {
                throw CommandFailure.usage("There is a token \(name) already: remove it first, or choose another name.")
            }
            guard configuration.api.tokens.count < APISettings.maximumTokens else {
                throw CommandFailure.usage("There are \(APISettings.maximumTokens) tokens already: remove one first.")
            }
            configuration.api.tokens.append(
                APIToken(
                    name: name, scope: scope.flatMap(APIGrant.Scope.init(rawValue:)) ?? .read, person: person,
                    types: types, hash: APIToken.hash(of: secret.utf8), createdSeconds: context.nowSeconds,
                    expiresSeconds: expires))
            return person
        }
        context.say(secret)
        let whose = person.map { "the data of \(printable($0))" } ?? "everybody's data"
        context.note(
            "This is the token \(name) for \(whose). Keep it: it can't be shown again."
                + (isServed(folder: try context.dataFolder(arguments)) ? "" : " It works once server serve runs."))
        return .success
    }

    private static func person(
        _ arguments: ParsedArguments, _ configuration: Configuration
    ) throws(CommandFailure) -> String? {
        if arguments.has("all-persons") {
            guard arguments.value("person") == nil else {
                throw .usage("--person and --all-persons exclude each other.")
            }
            return nil
        }
        if let person = arguments.value("person") {
            guard ConfigurationRules.isLabel(person) else {
                throw .usage("--person is 1 to 64 characters without control characters.")
            }
            return person
        }
        let persons = configuration.persons.map(\.name)
        guard persons.count == 1 else {
            throw .usage(
                persons.isEmpty
                    ? "There is no endpoint, so say whose data the token is for: --person P or --all-persons."
                    : "There are several persons, so say whose data the token is for: --person P or --all-persons.")
        }
        return persons[0]
    }

    private static func types(
        _ arguments: ParsedArguments, _ context: CommandContext
    ) throws(CommandFailure) -> [String]? {
        guard let text = arguments.value("types") else { return nil }
        var types: [String] = []
        for part in text.split(separator: ",", omittingEmptySubsequences: false).map(String.init) {
            guard ConfigurationRules.isTypeName(part) else {
                throw .usage("--types takes names such as steps,heart_rate, not \(printable(part)).")
            }
            let isKnown =
                Catalog.builtIn.type(named: part.utf8) != nil
                || SampleKind.allCases.contains { $0.name == part }
            if !isKnown { context.note("Warning: The catalog has no type \(part).") }
            if !types.contains(part) { types.append(part) }
        }
        return types
    }

    /// - Returns: seconds since 1970.
    private static func end(_ text: String, nowSeconds: Int64) throws(CommandFailure) -> Int64 {
        let days = text.hasSuffix("d") ? parseDigits(String(text.dropLast())) : nil
        if let days, (1...36_500).contains(days) { return nowSeconds + Int64(days) * 86_400 }
        guard let date = CivilDate.parse(Array(text.utf8).span) else {
            throw .usage("--expires takes days such as 90d, or a day such as 2027-01-01.")
        }
        let seconds = Int64(date.daysSince1970) * 86_400
        guard seconds > nowSeconds else { throw .usage("--expires must lie ahead.") }
        return seconds
    }

    // MARK: list and remove

    private static func list(
        _ arguments: ParsedArguments, _ context: CommandContext
    ) throws(CommandFailure) -> ExitStatus {
        let tokens = try context.settings(arguments).configuration.api.tokens
        if arguments.has("json") {
            context.print(TokenReport.json(tokens, nowSeconds: context.nowSeconds))
        } else if tokens.isEmpty {
            context.say("There is no token: server token add NAME makes one.")
        } else {
            var rows = [["NAME", "SCOPE", "PERSON", "TYPES", "CREATED", "EXPIRES"]]
            for token in tokens {
                let expires = token.expiresSeconds.map { seconds in
                    day(seconds) + (token.isValid(nowSeconds: context.nowSeconds) ? "" : " (expired)")
                }
                rows.append([
                    token.name, token.scope.rawValue, token.person.map(printable) ?? "all",
                    token.types?.joined(separator: ",") ?? "all", day(token.createdSeconds), expires ?? "never",
                ])
            }
            context.print(columns(rows))
        }
        return .success
    }

    private static func day(_ seconds: Int64) -> String {
        utcText(Timestamp(microseconds: seconds * 1_000_000))
    }

    private static func remove(
        _ name: String, _ arguments: ParsedArguments, _ context: CommandContext
    ) throws(CommandFailure) -> ExitStatus {
        try context.updateSettings(arguments) { configuration in
            let tokens = configuration.api.tokens
            guard tokens.contains(where: { $0.name == name }) else {
                let others = tokens.isEmpty ? "there is none" : "there is \(tokens.map(\.name).joined(separator: ", "))"
                throw CommandFailure.usage("There is no token \(printable(name)); \(others).")
            }
            configuration.api.tokens.removeAll { $0.name == name }
        }
        context.say("Removed the token \(name): it is refused, and so are browsers that signed in with it.")
        return .success
    }
}
