package import Samples
package import Storage

/// What `status` tells: endpoints, what they stored last, what should be looked at. Holds no secret.
package struct StatusReport: Equatable, Sendable {
    package struct EndpointStatus: Equatable, Sendable {
        package var name: String
        package var person: String
        package var format: String
        /// `bearer`, `basic`, `header` or `none`.
        package var auth: String
        package var isSigned: Bool
        /// When it stored a sample last; nil when it never did, or when the database can't be read.
        package var lastStored: Timestamp?
        package var samples: Int

        package init(
            name: String, person: String, format: String, auth: String, isSigned: Bool, lastStored: Timestamp?,
            samples: Int
        ) {
            self.name = name
            self.person = person
            self.format = format
            self.auth = auth
            self.isSigned = isSigned
            self.lastStored = lastStored
            self.samples = samples
        }
    }

    /// What should be looked at.
    package struct Warning: Equatable, Sendable {
        /// Stable word for machines.
        package var code: String
        /// One sentence.
        package var message: String

        package init(code: String, message: String) {
            self.code = code
            self.message = message
        }

        package init(_ warning: ConfigurationWarning) { self.init(code: warning.code, message: warning.message) }
    }

    package var endpoints: [EndpointStatus]
    /// The latest version of each command of these endpoints, in queue order.
    package var commands: [CommandRow]
    package var warnings: [Warning]

    package init(endpoints: [EndpointStatus], commands: [CommandRow] = [], warnings: [Warning]) {
        self.endpoints = endpoints
        self.commands = commands
        self.warnings = warnings
    }

    /// How many commands have no result yet.
    package var waiting: Int { commands.count { $0.state == .waiting } }

    /// How many commands with a result `json` has, the newest ones: the command `commands` has all.
    package static let finishedCommandsShown = 100

    /// The commands that `json` has: all that wait and the newest others, in queue order.
    private var shownCommands: [CommandRow] {
        var left = Self.finishedCommandsShown
        return commands.reversed().filter { command in
            if command.state == .waiting { return true }
            left -= 1
            return left >= 0
        }.reversed()
    }

    /// When any endpoint stored a sample last.
    package var lastStored: Timestamp? { endpoints.compactMap(\.lastStored).max() }

    /// The shape of `status --json`, with a line feed at its end. Times are RFC 3339 in UTC, to the second.
    package func json() -> String { JSONTree.object(members).written() }

    var members: [JSONTree.Member] {
        let endpoints = self.endpoints.map { endpoint in
            JSONTree.object([
                .init(name: "name", value: .text(endpoint.name)),
                .init(name: "person", value: .text(endpoint.person)),
                .init(name: "format", value: .text(endpoint.format)),
                .init(name: "auth", value: .text(endpoint.auth)),
                .init(name: "signed", value: .bool(endpoint.isSigned)),
                .init(name: "last_stored", value: time(endpoint.lastStored)),
                .init(name: "samples", value: .integer(Int64(endpoint.samples))),
            ])
        }
        let warnings = self.warnings.map { warning in
            JSONTree.object([
                .init(name: "code", value: .text(warning.code)), .init(name: "message", value: .text(warning.message)),
            ])
        }
        return [
            .init(name: "endpoints", value: .array(endpoints)),
            .init(name: "waiting", value: .integer(Int64(waiting))),
            .init(name: "commands", value: .array(shownCommands.map(Self.command))),
            .init(name: "last_stored", value: time(lastStored)),
            .init(name: "warnings", value: .array(warnings)),
        ]
    }

    /// What should be looked at in what the endpoints stored.
    ///
    /// - Parameters:
    ///   - guards: of any endpoint, also of those that are gone.
    ///   - isReadable: false when it isn't known what was stored.
    package static func warnings(
        _ endpoints: [EndpointStatus], guards: [StoreReader.WindowGuard], isReadable: Bool
    ) -> [Warning] {
        var warnings: [Warning] = []
        if isReadable {
            for endpoint in endpoints where endpoint.lastStored == nil {
                warnings.append(
                    Warning(
                        code: "never_stored",
                        message: "Endpoint \(endpoint.name) has not stored anything yet: show its link to the phone."))
            }
        }
        for guarded in guards where endpoints.contains(where: { $0.name == guarded.endpoint }) {
            warnings.append(
                Warning(
                    code: "window_cut",
                    message:
                        "Endpoint \(guarded.endpoint) kept \(guarded.count) stored \(guarded.count == 1 ? "value" : "values")"
                        + " which the sender would have replaced by a part of them: set its period to Today or"
                        + " Previous 7 Days."))
        }
        return warnings
    }

    private static func command(_ command: CommandRow) -> JSONTree {
        .object([
            .init(name: "id", value: .text(command.id)), .init(name: "endpoint", value: .text(command.endpoint)),
            .init(name: "version", value: .integer(command.version)),
            .init(name: "op", value: .text(command.op.rawValue)), .init(name: "type", value: .text(command.type)),
            .init(name: "state", value: .text(command.state.rawValue)),
            .init(name: "reason", value: command.reason.map { .text($0) } ?? .null),
            .init(name: "sent", value: .integer(Int64(command.sent))),
        ])
    }

    private func time(_ time: Timestamp?) -> JSONTree { time.map { .text(rfc3339Text($0)) } ?? .null }
}

/// How long ago `time` was, in the largest unit that is full: `3 hours ago`; `just now` under a minute or ahead.
package func agoText(_ time: Timestamp, now: Timestamp) -> String {
    let (difference, overflows) = now.microseconds.subtractingReportingOverflow(time.microseconds)
    let seconds = (overflows ? Int64.max : difference) / 1_000_000
    for (unit, length) in [("day", 86_400), ("hour", 3_600), ("minute", 60)] as [(String, Int64)] {
        let count = seconds / length
        if count >= 1 { return "\(count) \(unit)\(count == 1 ? "" : "s") ago" }
    }
    return "just now"
}
