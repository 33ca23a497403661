import Receiver
import Samples
import Storage

/// Queues a record for Apple Health.
enum WriteCommand: Subcommand {
    static let name = "write"
    static let summary = "ask the phone to write a record into Apple Health"
    static let usage = ["write TYPE VALUE [UNIT] [options]"]
    static let details = """
        Queues a command, beside a running server or not. It goes out in the replies to
        the phone's deliveries until the phone tells what became of it: see server
        commands. Its id is the only line on standard output.

        VALUE is a number, or the name of a category's value; - reads it from standard
        input, out of the sight of others on this machine. What the catalog doubts
        (type, unit, bounds) is queued with a warning, since the app decides; --strict
        refuses it.

        TIME is now, a time of RFC 3339, or one on the clock of the endpoint's zone:
        07:00 (today), "2026-10-14 07:00" or 2026-10-14T07:00:00. One that the clocks
        skip is taken as if they hadn't; of one that they show twice it is the first.
        """
    static let operands = Operands(names: ["TYPE", "VALUE", "UNIT"], required: 2)
    static let flags = [
        Flag("at", "TIME", "when it was; default now"),
        Flag("end", "TIME", "when it ended; default its start"),
        Flag(
            "id", "ID",
            "the command's id; one that was used makes the next version of that command. Default c_1, c_2, …"),
        toFlag,
        Flag("strict", nil, "refuse what would be queued with a warning"),
        catalogFlag,
    ]
    static let examples = [
        "write dietary_water 0.25 L",
        "write body_mass 71.4 --at 07:00",
        "write sleep_analysis asleep_core --at 01:10 --end 06:40",
    ]

    static func run(_ arguments: ParsedArguments, context: CommandContext) throws(CommandFailure) -> ExitStatus {
        let endpoint = try context.settings(arguments).configuration.endpoint(to: arguments.value("to"))
        if let refusal = endpoint.commandRefusal { throw CommandFailure(.data, "\(refusal).") }
        let now = context.now()
        let catalog = try context.catalog(arguments)
        let type = arguments.operands[0]
        var request = WriteRequest(
            type: type, value: try value(arguments, context),
            unit: arguments.operands.count > 2 ? arguments.operands[2] : nil,
            start: try time(arguments.value("at") ?? "now", "at", endpoint, now), id: arguments.value("id"))
        if let end = arguments.value("end") { request.end = try time(end, "end", endpoint, now) }
        let checked: WriteRequest.Checked
        do throws(WriteFault) {
            checked = try request.checked(facts: TypeFacts(type, in: catalog), guess: catalog.guess(type), now: now)
        } catch {
            throw CommandFailure(.data, sentence(error.sentence))
        }
        if arguments.has("strict"), !checked.doubts.isEmpty {
            throw CommandFailure(
                .data,
                "The app may refuse this command: \(checked.doubts.joined(separator: "; ")). Without --strict it is queued."
            )
        }
        let row: CommandRow
        do {
            row = try context.queue(arguments).add(checked.draft, endpoint: endpoint.name, now: now)
        } catch let fault as CommandFault {
            throw CommandFailure(fault)
        } catch {
            throw error as? CommandFailure ?? CommandFailure(.software, "The command could not be queued.")
        }
        context.say(row.id)
        if !checked.doubts.isEmpty {
            context.note(
                "Warning: The app may refuse this command, which is queued all the same: "
                    + "\(checked.doubts.joined(separator: "; ")).")
        }
        context.note(queued(row, context, arguments))
        return .success
    }

    private static func queued(_ row: CommandRow, _ context: CommandContext, _ arguments: ParsedArguments) -> String {
        let time = row.start.map(utcText) ?? ""
        let span = row.end.map { $0 == row.start ? "" : " to \(utcText($0))" } ?? ""
        return "Queued \(row.type) \(valueText(row)) at \(time)\(span)"
            + (row.version > 1 ? " as version \(row.version) of \(row.id)" : "")
            + " for \(row.endpoint). " + outlook(row, context, arguments)
    }

    private static func value(_ arguments: ParsedArguments, _ context: CommandContext) throws(CommandFailure) -> String
    {
        guard arguments.operands[1] == "-" else { return arguments.operands[1] }
        guard let line = context.readLine() else {
            throw CommandFailure(.data, "Standard input ended before the value, which is one line of UTF-8.")
        }
        return line
    }

    private static func time(
        _ text: String, _ flag: String, _ endpoint: Endpoint, _ now: Timestamp
    ) throws(CommandFailure) -> Timestamp {
        let zone = endpoint.timeZone
        do throws(ConfigurationError) {
            let reader = WriteTime(now: now) { () throws(ConfigurationError) in try TimeZoneName.rules(of: zone) }
            if let time = try reader.read(text) { return time }
        } catch {
            throw CommandFailure(error)
        }
        throw .usage(
            "--\(flag) takes now, a time such as 2026-10-14T07:00:00Z, or one on the clock of \(zone): "
                + "\"2026-10-14 07:00\" or 07:00.")
    }
}
