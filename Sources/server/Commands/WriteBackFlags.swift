import Receiver
import Samples
import Storage

/// `--to` of `write` and `delete`.
let toFlag = Flag("to", "NAME", "endpoint whose phone gets it; needed when there are several")

extension CommandFailure {
    /// Why a command was not queued, as an exit status: 64 for what the command line says, 65 for what doesn't fit what
    /// is stored.
    init(_ fault: CommandFault) {
        switch fault {
        case .store(let error): self.init(error)
        case .otherType, .unknown, .sent, .exhausted, .valueInvalid: self.init(.data, sentence(fault.sentence))
        default: self.init(.usage, sentence(fault.sentence))
        }
    }
}

extension Configuration {
    /// The endpoint that a command is for: the only one, or the one that was named.
    func endpoint(to name: String?) throws(CommandFailure) -> Endpoint {
        if name == nil, endpoints.count > 1 {
            throw .usage("There are several endpoints, so say which: --to \(names.joined(separator: " or --to ")).")
        }
        return try endpoint(named: name)
    }
}

extension CommandContext {
    /// The queue of the receiver's folder.
    func queue(_ arguments: ParsedArguments) throws(CommandFailure) -> CommandQueue {
        let folder = try dataFolder(arguments)
        do throws(StoreError) { return try CommandQueue(directory: folder) } catch {
            throw CommandFailure(error)
        }
    }
}

/// A number with its unit, or a value's name.
func valueText(_ command: CommandRow) -> String {
    switch command.value {
    case nil: ""
    case .number(_, let text): text + (command.unit.map { " \($0)" } ?? "")
    case .name(let name): name
    }
}

/// When a command that was just queued will go out.
func outlook(_ command: CommandRow, _ context: CommandContext, _ arguments: ParsedArguments) -> String {
    let folder = try? context.dataFolder(arguments)
    return "It goes out in the reply to the phone's next delivery of new data"
        + (folder.map(isServed) ?? true ? "." : ", once server serve runs.")
}
