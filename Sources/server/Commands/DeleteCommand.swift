import Receiver
import Samples
import Storage

/// Queues the removal of what a command wrote.
enum DeleteCommand: Subcommand {
    static let name = "delete"
    static let summary = "ask the phone to take back what a command wrote"
    static let usage = ["delete COMMAND_ID [options]"]
    static let details = """
        Queues the next version of a command of server write, which removes from Apple
        Health what that command wrote. It goes out in the replies to the phone's
        deliveries until the phone tells what became of it.
        """
    static let operands = Operands(names: ["COMMAND_ID"], required: 1)
    static let flags = [toFlag]
    static let examples = ["delete c_1", "delete c_1 --to phone"]

    static func run(_ arguments: ParsedArguments, context: CommandContext) throws(CommandFailure) -> ExitStatus {
        let endpoint = try context.settings(arguments).configuration.endpoint(to: arguments.value("to"))
        let now = context.now()
        let row: CommandRow
        do {
            row = try context.queue(arguments).delete(id: arguments.operands[0], endpoint: endpoint.name, now: now)
        } catch CommandFault.unknown {
            throw CommandFailure(
                .data,
                "\(endpoint.name) has no command \(printable(arguments.operands[0])): server commands lists them.")
        } catch let fault as CommandFault {
            throw CommandFailure(fault)
        } catch {
            throw error as? CommandFailure ?? CommandFailure(.software, "The command could not be queued.")
        }
        context.say(row.id)
        let what = "the removal of what \(row.id) wrote (\(row.type)) as its version \(row.version) for \(row.endpoint)"
        if row.state == .applied {
            context.note("The phone has removed what \(row.id) wrote already.")
        } else if row.queuedAt < now {
            context.note("Queued before: \(what). \(outlook(row, context, arguments))")
        } else {
            context.note("Queued \(what). \(outlook(row, context, arguments))")
        }
        return .success
    }
}
