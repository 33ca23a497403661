import Insights
import Receiver
import Samples
import Signing
import Storage
import Transport

/// Tells what was stored, and what should be looked at.
enum StatusCommand: Subcommand {
    static let name = "status"
    static let summary = "tell what was stored last, and what should be looked at"
    static let usage = ["status [options]"]
    static let details = """
        Reads the database beside a running server, or without one. --json prints
        {"endpoints":[{"name","person","format","auth","signed","last_stored",
        "samples"}],"waiting","commands":[{"id","endpoint","version","op","type",
        "state","reason","sent"}],"last_stored","warnings":[{"code","message"}]}; times
        are UTC, null means never. Of the commands it has all that wait and the newest
        100 others: server commands has all.
        """
    static let flags = [Flag("json", nil, "print JSON for machines")]
    static let examples = ["status", "status --json"]

    static func run(_ arguments: ParsedArguments, context: CommandContext) throws(CommandFailure) -> ExitStatus {
        let loaded = try context.settings(arguments)
        let folder = try context.dataFolder(arguments)
        let figures = StoredFigures.read(folder: folder)
        let configuration = loaded.configuration
        let endpoints = configuration.names.compactMap { configuration.endpoints[$0] }.map { endpoint in
            let stored = figures.endpoints[endpoint.name]
            return StatusReport.EndpointStatus(
                name: endpoint.name, person: endpoint.person, format: endpoint.format.rawValue,
                auth: endpoint.authKind, isSigned: !endpoint.credentials.secrets.isEmpty,
                lastStored: stored?.lastStored, samples: stored?.samples ?? 0)
        }
        let commands = figures.commands.filter { configuration.endpoints[$0.endpoint] != nil }
        let report = StatusReport(
            endpoints: endpoints, commands: commands,
            warnings: loaded.warnings.map(StatusReport.Warning.init) + warnings(endpoints, figures, context)
                + quietWarnings(configuration, folder, context) + serverWarnings(configuration, folder, context)
                + endpoints.flatMap { endpoint in
                    CommandReport.warnings(
                        commands.filter { $0.endpoint == endpoint.name }, endpoint: endpoint.name,
                        isSigned: endpoint.isSigned)
                })
        context.print(arguments.has("json") ? report.json() : text(report, context))
        return .success
    }

    private static func warnings(
        _ endpoints: [StatusReport.EndpointStatus], _ figures: StoredFigures, _ context: CommandContext
    ) -> [StatusReport.Warning] {
        var warnings: [StatusReport.Warning] = []
        if endpoints.isEmpty {
            warnings.append(
                StatusReport.Warning(code: "no_endpoint", message: "There is no endpoint: server add NAME makes one."))
        }
        if let warning = figures.warning { warnings.append(warning) }
        warnings += StatusReport.warnings(
            endpoints, guards: figures.guards, isReadable: figures.warning == nil)
        let clock = MachineChecks.clock(now: context.now(), isSynchronized: context.isClockSynchronized())
        if clock.verdict != .ok {
            warnings.append(StatusReport.Warning(code: "clock", message: "Clock: \(clock.text)."))
        }
        return warnings
    }

    /// What has been silent for longer than ever; nothing where the database can't be read, which other warnings tell.
    private static func quietWarnings(
        _ configuration: Configuration, _ folder: String, _ context: CommandContext
    ) -> [StatusReport.Warning] {
        let setup = ReadModel.Setup(directory: folder, catalog: .builtIn, persons: [])
        guard let rhythms = try? ReadModel(setup).rhythms(now: context.now()) else { return [] }
        let known = rhythms.filter { configuration.endpoints[$0.endpoint] != nil }
        return QuietWarnings.sentences(known, now: context.now()).map {
            StatusReport.Warning(code: "quiet", message: $0)
        }
    }

    /// Whether a server runs on the folder, and what it says of itself.
    private static func serverWarnings(
        _ configuration: Configuration, _ folder: String, _ context: CommandContext
    ) -> [StatusReport.Warning] {
        guard isServed(folder: folder) else {
            return [StatusReport.Warning(code: "not_serving", message: "No server runs here: start server serve.")]
        }
        let configuration = configuration.asServed(folder: folder)
        for address in ProbeNetwork.localAddresses(bind: configuration.bind, port: UInt16(clamping: configuration.port))
        {
            guard let answer = try? context.network.ask(address, path: "/readyz").answer else { continue }
            guard answer.status == 503 else { return [] }
            return [
                StatusReport.Warning(
                    code: "not_ready", message: "The server can't store anything now: its log says why.")
            ]
        }
        return []
    }

    private static func text(_ report: StatusReport, _ context: CommandContext) -> String {
        var text = ""
        if !report.endpoints.isEmpty {
            var rows = [["NAME", "PERSON", "FORMAT", "AUTH", "SIGNED", "SAMPLES", "LAST STORED"]]
            for endpoint in report.endpoints {
                let last = endpoint.lastStored.map { "\(utcText($0)), \(agoText($0, now: context.now()))" } ?? "never"
                rows.append([
                    endpoint.name, endpoint.person, endpoint.format, endpoint.auth, endpoint.isSigned ? "yes" : "no",
                    String(endpoint.samples), last,
                ])
            }
            text += columns(rows)
        }
        if !report.commands.isEmpty {
            let states = [CommandState.waiting, .applied, .rejected].map { state in
                "\(report.commands.count { $0.state == state }) \(state.rawValue)"
            }
            text += "Commands: \(states.joined(separator: ", "))\n"
        }
        for warning in report.warnings { text += "Warning: \(warning.message)\n" }
        return text
    }
}
