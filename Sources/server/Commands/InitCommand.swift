import Glibc
import Receiver

/// Makes the folder with its first endpoint.
enum InitCommand: Subcommand {
    static let name = "init"
    static let summary = "make the receiver's folder with its first endpoint"
    static let usage = ["init [NAME] [options]", "init --from FILE [--data DIR]"]
    static let details = """
        NAME is the last part of the path that the phone posts to, /hook/NAME: 1 to 32
        of a-z, 0-9 and -; default phone. The token and the signing secret are made here
        and kept in DIR/receiver.json, which only this user can read; server link shows
        them to the phone. A folder that is set up already is left as it is.

        With --from the folder is made out of a backup, or out of a copy of health.db:
        all its samples and endpoints, with new secrets unless the backup has them.
        """
    static let operands = Operands(names: ["NAME"])
    static let flags =
        EndpointFlags.flags(person: "me") + [
            Flag("from", "FILE", "restore what server backup wrote, in place of all of the above")
        ]
    static let examples = [
        "init",
        "init phone --name \"Home server\" --time-zone Europe/Berlin",
        "init --auth header --header X-Api-Key --token - < token.txt",
        "init export --format hae --no-sign",
        "init --from health.backup --data /srv/receiver",
    ]

    static func run(_ arguments: ParsedArguments, context: CommandContext) throws(CommandFailure) -> ExitStatus {
        if let backup = arguments.value("from") {
            return try RestoreBackup.run(backup, arguments, context: context)
        }
        let file = ConfigurationFile(directory: try context.dataFolder(arguments))
        try refuseInitialised(file)
        let endpoint = try EndpointFlags.endpoint(
            named: arguments.operands.first ?? "phone", defaultPerson: "me", arguments, context)
        var configuration = Configuration()
        configuration.endpoints[endpoint.name] = endpoint
        do throws(ConfigurationError) {
            try file.create(configuration)
        } catch {
            throw CommandFailure(error)
        }
        EndpointFlags.notes(on: endpoint, context)
        let data = context.dataFlag(arguments)
        let link =
            endpoint.isTypedByHand
            ? ""
            : """
              server link\(data)

            \(EndpointFlags.pairing(endpoint))

            """
        context.print(
            """
            Made \(file.directory) with the endpoint \(endpoint.name).

            Next:
              server serve\(data)
            \(link)
            """)
        if let setup = endpoint.guestSetup(port: configuration.port, context) {
            context.print("\n\(setup)")
        }
        return .success
    }

    private static func refuseInitialised(_ file: ConfigurationFile) throws(CommandFailure) {
        guard file.fingerprint() != nil else { return }
        var parts: [String] = []
        if let configuration = try? file.load().configuration {
            let names = configuration.names
            parts.append(
                names.isEmpty
                    ? "receiver.json without an endpoint"
                    : "receiver.json with the endpoint\(names.count == 1 ? "" : "s") \(names.joined(separator: ", "))")
        } else {
            parts.append("a receiver.json that can't be read")
        }
        if unsafe access("\(file.directory)/health.db", F_OK) == 0 { parts.append("health.db") }
        throw CommandFailure(
            .cannotCreate,
            "\(file.directory) is set up already: it holds \(parts.joined(separator: ", and ")); "
                + "server add NAME makes another endpoint.")
    }
}
