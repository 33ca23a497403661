import Samples
package import Storage

/// What `commands` and `status` tell about the queue.
package enum CommandReport {
    /// A JSON array with all that is known, with a line feed at its end. Times are RFC 3339 in UTC.
    package static func json(_ commands: [CommandRow]) -> String { tree(commands).written() }

    static func tree(_ commands: [CommandRow]) -> JSONTree {
        JSONTree.array(
            commands.map { command in
                .object(
                    [
                        .init(name: "id", value: .text(command.id)),
                        .init(name: "endpoint", value: .text(command.endpoint)),
                        .init(name: "version", value: .integer(command.version)),
                        .init(name: "op", value: .text(command.op.rawValue)),
                        .init(name: "type", value: .text(command.type)), .init(name: "value", value: value(command)),
                        .init(name: "unit", value: text(command.unit)),
                        .init(name: "start", value: text(command.start?.text)),
                        .init(name: "end", value: text(command.end?.text)),
                        .init(name: "state", value: .text(command.state.rawValue)),
                        .init(name: "reason", value: text(command.reason)),
                        .init(name: "sent", value: .integer(Int64(command.sent))),
                        .init(name: "queued_at", value: .text(command.queuedAt.text)),
                        .init(name: "first_sent_at", value: text(command.firstSentAt?.text)),
                        .init(name: "last_sent_at", value: text(command.lastSentAt?.text)),
                        .init(name: "result_at", value: text(command.resultAt?.text)),
                        .init(name: "sample", value: text(command.sampleUUID)),
                    ])
            }
        )
    }

    private static func value(_ command: CommandRow) -> JSONTree {
        switch command.value {
        case nil: .null
        case .number(_, let text): .number(text)
        case .name(let name): .text(name)
        }
    }

    private static func text(_ value: String?) -> JSONTree { value.map { .text($0) } ?? .null }

    /// How often a command goes out before `status` says that no result comes.
    package static let sentWithoutResult = 10

    /// What should be looked at among the commands of one endpoint.
    ///
    /// - Parameter commands: of that endpoint.
    package static func warnings(
        _ commands: [CommandRow], endpoint: String, isSigned: Bool
    ) -> [StatusReport.Warning] {
        let waiting = commands.filter { $0.state == .waiting }
        var warnings: [StatusReport.Warning] = []
        if !isSigned, !waiting.isEmpty {
            warnings.append(
                StatusReport.Warning(
                    code: "unsigned_commands",
                    message: "\(count(waiting)) for \(endpoint), which has no signing secret: "
                        + "the app takes commands without a signature over HTTPS only."))
        }
        let unanswered = waiting.filter { $0.sent >= sentWithoutResult }
        if let first = unanswered.first {
            let others = unanswered.count == 1 ? "" : " and \(unanswered.count - 1) more"
            warnings.append(
                StatusReport.Warning(
                    code: "no_result",
                    message:
                        "Command \(first.id)\(others) of \(endpoint) went out \(first.sent) times without a result: "
                        + "is Accept writes to Health on in the app, and its server's status without reply_ignored?"))
        }
        return warnings
    }

    private static func count(_ commands: [CommandRow]) -> String {
        commands.count == 1 ? "1 command waits" : "\(commands.count) commands wait"
    }
}
