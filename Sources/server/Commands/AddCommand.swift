import Receiver
import Storage

/// Makes another endpoint.
enum AddCommand: Subcommand {
    static let name = "add"
    static let summary = "make another endpoint, for one more phone"
    static let usage = ["add NAME [options]"]
    static let details = """
        NAME is the last part of the path that the phone posts to, /hook/NAME: 1 to 32
        of a-z, 0-9 and -. Each phone has an endpoint of its own. Give the same --person
        to endpoints that tell about the same one. A running server takes it up within
        a second.
        """
    static let operands = Operands(names: ["NAME"], required: 1)
    static let flags = EndpointFlags.flags(person: "NAME")
    static let examples = [
        "add anna --name \"Home server\"",
        "add ipad --person me",
        "add grafana --format influx --auth basic --user grafana",
    ]

    static func run(_ arguments: ParsedArguments, context: CommandContext) throws(CommandFailure) -> ExitStatus {
        let name = arguments.operands[0]
        // Looked at first, so that no secret is asked for in vain; and again when the file is changed.
        let earlier = try context.settings(arguments).configuration
        guard earlier.endpoints[name] == nil else { throw taken(name) }
        let endpoint = try EndpointFlags.endpoint(named: name, defaultPerson: name, arguments, context)
        try checkStored(name, endpoint.person, folder: try context.dataFolder(arguments))
        try RemoveCommand.withdraw(name, try context.dataFolder(arguments), context)
        let warnings = try context.updateSettings(arguments) { configuration in
            guard configuration.endpoints[name] == nil else { throw taken(name) }
            let before = configuration.warnings
            configuration.endpoints[name] = endpoint
            return configuration.warnings.filter { !before.contains($0) && $0.code != "open_endpoint" }
        }
        EndpointFlags.notes(on: endpoint, context)
        for warning in warnings { context.note("server: Warning: \(sentence(warning.message))") }
        context.say("Added the endpoint \(name).")
        if !endpoint.isTypedByHand {
            context.say("Show its link to the phone: server link \(name)\(context.dataFlag(arguments))")
        }
        let served = earlier.asServed(folder: try context.dataFolder(arguments))
        if let setup = endpoint.guestSetup(port: served.port, context) {
            context.print("\n\(setup)")
        }
        return .success
    }

    /// What a name holds is told to whoever may ask for its endpoint: it must not become another person's.
    private static func checkStored(_ name: String, _ person: String, folder: String) throws(CommandFailure) {
        let others: [String]
        do throws(StoreError) {
            others = try StoreReader(directory: folder).persons(ofEndpoint: name).filter { $0 != person }
        } catch {
            if error.reason == .missing { return }
            throw CommandFailure(error)
        }
        guard let first = others.first else { return }
        // A new phone of the same person, most often.
        let same = others.count == 1 ? "take it over with --person \(shellWord(first)), " : ""
        throw CommandFailure(
            .cannotCreate,
            "There was an endpoint \(name) before, and data of \(others.joined(separator: ", ")) is still under its name: "
                + "\(same)choose another name, or delete that for good with server remove \(name) --purge.")
    }

    private static func taken(_ name: String) -> CommandFailure {
        CommandFailure(
            .cannotCreate, "There is an endpoint \(name) already; server rotate \(name) gives it new secrets.")
    }
}
