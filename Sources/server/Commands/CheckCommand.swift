import Receiver

/// Looks for what could go wrong before the phone finds out.
enum CheckCommand: Subcommand {
    static let name = "check"
    static let summary = "look for what could go wrong before the phone finds out"
    static let usage = ["check [options]"]
    static let details = """
        Looks at the clock, the folder, the settings, the database, the disk, the port,
        this machine's addresses, and the URL that a phone will use: what the app thinks
        of its host, whether the name is known, what answers there, and for https the
        certificate as an iPhone sees it. One line each: OK, WARN (works, but not in
        every case) or FAIL (the phone can't send). With a FAIL the exit status is 69.
        """
    static let flags = URLFlags.flags
    static let examples = [
        "check",
        "check --host 192.168.1.20",
        "check --host health.example.org --https --port 443",
    ]

    static func run(_ arguments: ParsedArguments, context: CommandContext) throws(CommandFailure) -> ExitStatus {
        let folder = try context.dataFolder(arguments)
        let (stored, settingsLines) = settings(arguments, context)
        let configuration = stored.asServed(folder: folder)
        let name = configuration.names.first ?? "phone"
        let url = try URLFlags.url(arguments, endpoint: name, port: configuration.port, context)
        var lines = [MachineChecks.clock(now: context.now(), isSynchronized: context.isClockSynchronized())]
        lines += MachineChecks.folder(folder)
        lines += settingsLines
        lines.append(StoredFigures.read(folder: folder).checkLine)
        lines.append(MachineChecks.disk(freeBytes: MachineChecks.freeBytes(folder)))
        let isGiven = ["host", "port", "path"].contains { arguments.value($0) != nil } || arguments.has("https")
        lines += ReachChecks(
            network: context.network, bind: configuration.bind, port: UInt16(clamping: configuration.port), url: url,
            isURLGiven: isGiven, now: context.now()
        ).lines()
        context.print(lines.map { $0.description + "\n" }.joined())
        return lines.contains { $0.verdict == .fail } ? .unavailable : .success
    }

    /// The settings, or the defaults in their place, and what is wrong with them.
    private static func settings(
        _ arguments: ParsedArguments, _ context: CommandContext
    ) -> (Configuration, [CheckLine]) {
        do throws(CommandFailure) {
            let loaded = try context.settings(arguments)
            // Those about files are of the folder's check.
            let warnings = loaded.warnings.filter { !["file_mode", "folder_mode"].contains($0.code) }
            var lines = warnings.map { CheckLine(.warn, "settings", $0.message) }
            let names = loaded.configuration.names
            if names.isEmpty { lines.append(CheckLine(.warn, "settings", "there is no endpoint: server add NAME")) }
            if lines.isEmpty {
                lines = [
                    CheckLine(
                        .ok, "settings", "endpoint\(names.count == 1 ? "" : "s") " + names.joined(separator: ", "))
                ]
            }
            return (loaded.configuration, lines)
        } catch {
            return (Configuration(), [CheckLine(.fail, "settings", error.message)])
        }
    }
}
