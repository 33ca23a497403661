import Insights
import Receiver
import Storage

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
        let folder = try context.dataFolder(arguments)
        let configuration = try context.settings(arguments).configuration
        let isPurged = arguments.has("purge")
        let isThere = configuration.endpoints[name] != nil
        if !isThere, !isPurged || StoredFigures.read(folder: folder).endpoints[name] == nil {
            _ = try configuration.endpoint(named: name)
        }
        if isPurged { try confirm(name, context) }
        if isThere {
            try context.updateSettings(arguments) { configuration in configuration.endpoints[name] = nil }
            context.say(
                "Removed the endpoint \(name): its token and signature are refused"
                    + (isPurged ? "." : "; its data stays."))
            try withdraw(name, folder, context)
        }
        if isPurged { try purge(name, folder, waits: isThere, context) }
        return .success
    }

    private static func confirm(_ name: String, _ context: CommandContext) throws(CommandFailure) {
        context.printError("Type \(name) to delete what it stored for good: ")
        guard context.readLine() == name else {
            throw CommandFailure(.data, "That is not \(name): nothing was removed.")
        }
    }

    /// What waits for this phone must not reach one that is paired under the same name later. `add` asks for it as well:
    /// a database that others held at the time kept it, or the endpoint was taken out of the settings by hand.
    static func withdraw(
        _ name: String, _ folder: String, _ context: CommandContext
    ) throws(CommandFailure) {
        let figures = StoredFigures.read(folder: folder)
        if let error = figures.error { throw CommandFailure(error) }
        guard figures.commands.contains(where: { $0.endpoint == name && $0.state == .waiting }) else { return }
        do throws(StoreError) {
            let count = try CommandQueue(directory: folder).withdraw(endpoint: name, now: context.now())
            context.say("\(counted(count, "command", "commands")) for its phone will not go out any more.")
        } catch {
            throw CommandFailure(error)
        }
    }

    /// - Parameter waits: whether a server may still take requests for it.
    private static func purge(
        _ name: String, _ folder: String, waits: Bool, _ context: CommandContext
    ) throws(CommandFailure) {
        // A server sees the change within a second; what it stored until then is to go as well.
        if waits, isServed(folder: folder) { context.pause(1_500) }
        do throws(StoreError) {
            let outcome = try Purge.run(directory: folder, endpoint: name)
            // What was worked out of it goes, too; the rest is worked out again.
            RollupFile.discard(directory: folder)
            context.say(
                "Deleted \(counted(outcome.samples, "sample", "samples")) and "
                    + "\(counted(outcome.deliveries, "delivery", "deliveries")) of \(name).")
            guard outcome.points + outcome.aggregates > 0 else { return }
            context.say(
                "Deleted \(counted(outcome.points, "point", "points")) of workouts and "
                    + "\(counted(outcome.aggregates, "aggregate", "aggregates")) of \(name).")
        } catch {
            guard error.reason == .missing else { throw CommandFailure(error) }
            context.say("Nothing was stored yet.")
        }
    }
}

/// `1 sample`, `2 samples`.
func counted(_ count: Int, _ one: String, _ many: String) -> String { "\(count) \(count == 1 ? one : many)" }
