import Samples
import Storage

/// A command as a vector has it: what the owner asks for.
package struct QueuedCommand: VectorValue, Sendable {
    var id: String?
    var op: String
    var type: String
    /// A number as it is typed.
    var value: String?
    var valueName: String?
    var unit: String?
    /// RFC 3339.
    var start: String?
    var end: String?

    init(_ node: VectorNode) throws(VectorReplay.LoadFailure) {
        id = try node.optional("id")
        op = try node.value("op")
        type = try node.value("type")
        value = try node.optional("value")
        valueName = try node.optional("value_name")
        unit = try node.optional("unit")
        start = try node.optional("start")
        end = try node.optional("end")
    }

    /// nil when an `op`, a number or a time is none.
    var draft: CommandDraft? {
        guard let op = CommandOperation(rawValue: op) else { return nil }
        var draft = CommandDraft(id: id, op: op, type: type, value: valueName.map { .name($0) }, unit: unit)
        if let value {
            guard let number = Double(value) else { return nil }
            draft.value = .number(number, text: value)
        }
        for (text, member) in [(start, \CommandDraft.start), (end, \CommandDraft.end)] {
            guard let text else { continue }
            guard let time = Timestamp.parse(Array(text.utf8).span) else { return nil }
            draft[keyPath: member] = time.timestamp
        }
        return draft
    }
}

/// What a vector asks for is no command.
private struct InvalidCommand: Error {}

extension VectorCase {
    /// Queues commands as `server write` and `server delete` do: beside the server, by way of the database.
    func queue(_ commands: [QueuedCommand], in directory: String, nowSeconds: Int64) throws {
        if commands.isEmpty { return }
        let queue = try CommandQueue(directory: directory)
        for command in commands {
            guard let draft = command.draft else { throw InvalidCommand() }
            _ = try queue.add(draft, endpoint: endpointName, now: Timestamp(microseconds: nowSeconds * 1_000_000))
        }
    }
}
