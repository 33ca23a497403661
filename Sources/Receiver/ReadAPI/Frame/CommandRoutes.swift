import Insights
import Samples
import Storage
import Wire

/// `/api/v1/commands`: what the phone is asked to write, as `server write`, `server delete` and `server commands` have it.
enum CommandRoutes {
    private static let path = "/api/v1/commands"

    static let all: [APIRoute] = [
        APIRoute(.get, path, parameters: [.optional("person"), .optional("endpoint")], answer: list),
        APIRoute(.post, path, access: .write, formats: [.json], takesBody: true, answer: add),
        APIRoute(
            .delete, "\(path)/{id}", access: .write, parameters: [.optional("endpoint")], formats: [.json],
            answer: withdraw),
    ]

    private static func list(_ request: APIRequest) throws -> APIAnswer {
        let endpoints: [Endpoint]
        if let name = request.text("endpoint") {
            endpoints = [try request.endpoint(named: name)]
        } else if request.text("person") != nil {
            let person = try request.person()
            endpoints = request.endpoints.filter { $0.person.utf8.elementsEqual(person.name.utf8) }
        } else {
            endpoints = request.endpoints
        }
        let names = Set(endpoints.map(\.name))
        let commands = try (request.storeReader()?.commands() ?? []).filter {
            names.contains($0.endpoint) && request.grant.allows(type: $0.type)
        }
        return .table(
            json: {
                Array(
                    JSONTree.object([.init(name: "commands", value: CommandReport.tree(commands))]).written().utf8)
            }, csv: { csv(commands) })
    }

    private static func csv(_ commands: [CommandRow]) -> [UInt8] {
        var text = Array(
            ("id,endpoint,version,op,type,value,unit,start,end,state,reason,sent,"
                + "queued_at,first_sent_at,last_sent_at,result_at,sample\r\n").utf8)
        for command in commands {
            let value: String? =
                switch command.value {
                case nil: nil
                case .number(_, let number): number
                case .name(let name): name
                }
            let cells: [String?] = [
                command.id, command.endpoint, String(command.version), command.op.rawValue, command.type, value,
                command.unit, command.start?.text, command.end?.text, command.state.rawValue, command.reason,
                String(command.sent), command.queuedAt.text, command.firstSentAt?.text, command.lastSentAt?.text,
                command.resultAt?.text, command.sampleUUID,
            ]
            for (index, cell) in cells.enumerated() {
                if index > 0 { text.append(UInt8(ascii: ",")) }
                // What looks like a formula can only be a text that somebody chose, or a number, which is none.
                CSVWriter.append(
                    field: Array((cell ?? "").utf8).span, formulaQuoted: index != 5 || value.map(isName) ?? false,
                    to: &text)
            }
            text += CSVWriter.lineEnd
        }
        return text
    }

    private static func isName(_ value: String) -> Bool { Double(value) == nil }

    // MARK: Changes

    /// What a POST asks for.
    private struct Wish {
        var endpoint: String?
        var deletes: String?
        var type: String?
        var value: String?
        var unit: String?
        var start: String?
        var end: String?
        var id: String?

        init(_ members: inout MemberReader) throws(ConfigurationError) {
            endpoint = try members.optionalText("endpoint")
            deletes = try members.optionalText("delete")
            if deletes == nil {
                type = try members.text("type")
                value =
                    switch members.take("value") {
                    case .number(let number)?: number
                    case .text(let name)?: name
                    case nil: throw invalid("value is missing")
                    default: throw invalid("value must be a number or a text in quotes")
                    }
                unit = try members.optionalText("unit")
                start = try members.optionalText("start")
                end = try members.optionalText("end")
                id = try members.optionalText("id")
            }
            try members.finish()
        }
    }

    private static func add(_ request: APIRequest) throws -> APIAnswer {
        guard request.mediaType == "application/json" else { throw APIProblem.mediaType(["application/json"]) }
        var members = try request.jsonMembers()
        let wish = try members.api { (members) throws(ConfigurationError) in try Wish(&members) }
        let endpoint = try request.endpoint(named: wish.endpoint)
        if let id = wish.deletes {
            try request.checkType(ofCommand: id, of: endpoint)
            let row = try request.queue { queue throws(CommandFault) in
                try queue.delete(id: id, endpoint: endpoint.name, now: request.now)
            }
            return made(row, doubts: [])
        }
        if let refusal = endpoint.commandRefusal { throw APIProblem(400, "command_invalid", "\(refusal).") }
        let type = wish.type ?? ""
        try request.requireType(type, parameter: "type")
        let catalog = request.context.catalog
        let second = Timestamp(microseconds: request.now.microseconds / 1_000_000 * 1_000_000)
        let asked = WriteRequest(
            type: type, value: wish.value ?? "", unit: wish.unit,
            start: try time(wish.start, "start", request, endpoint) ?? second,
            end: try time(wish.end, "end", request, endpoint), id: wish.id)
        let checked: WriteRequest.Checked
        do throws(WriteFault) {
            checked = try asked.checked(facts: TypeFacts(type, in: catalog), now: request.now)
        } catch {
            throw APIProblem(400, "command_invalid", "This can't be asked of a phone: \(error.sentence).")
        }
        let row = try request.queue { queue throws(CommandFault) in
            try queue.add(checked.draft, endpoint: endpoint.name, now: request.now)
        }
        return made(row, doubts: checked.doubts)
    }

    private static func time(
        _ text: String?, _ member: String, _ request: APIRequest, _ endpoint: Endpoint
    ) throws(APIProblem) -> Timestamp? {
        guard let text else { return nil }
        let zone = endpoint.timeZone
        let reader = WriteTime(now: request.now) { () throws(ConfigurationError) in try TimeZoneName.rules(of: zone) }
        guard text.utf8.count > 8, let time = (try? reader.read(text)) ?? nil else {
            throw APIProblem(
                400, "body_invalid",
                "In the body \(member) must be a time such as 2026-10-14T07:00:00Z, or 2026-10-14T07:00 on the "
                    + "endpoint's clock.",
                parameter: member)
        }
        return time
    }

    private static func made(_ row: CommandRow, doubts: [String]) -> APIAnswer {
        let tree = JSONTree.object([
            .init(name: "id", value: .text(row.id)), .init(name: "version", value: .integer(row.version)),
            .init(
                name: "warnings", value: .array(doubts.map { .text("The app may refuse this command: \($0).") })),
        ])
        return .text(tree.written(), status: 201)
    }

    private static func withdraw(_ request: APIRequest) throws -> APIAnswer {
        let endpoint = try request.endpoint(named: request.text("endpoint"))
        let id = request.captures["id"] ?? ""
        try request.checkType(ofCommand: id, of: endpoint)
        _ = try request.queue { queue throws(CommandFault) in
            try queue.withdraw(id: id, endpoint: endpoint.name, now: request.now)
        }
        return .nothing()
    }
}

extension APIRequest {
    /// Those of the persons that the token is for, by name.
    var endpoints: [Endpoint] {
        context.currentSettings.endpoints.values.filter { grant.allows(person: $0.person) }.sorted { $0.name < $1.name }
    }

    /// The endpoint that was named, or the only one.
    fileprivate func endpoint(named name: String?) throws(APIProblem) -> Endpoint {
        let all = endpoints
        guard let name else {
            guard all.count == 1 else { throw APIProblem.missing("endpoint") }
            return all[0]
        }
        // One of somebody else is as unknown as one that isn't there.
        guard let endpoint = all.first(where: { $0.name.utf8.elementsEqual(name.utf8) }) else {
            throw APIProblem(404, "not_found", "This token has no endpoint of that name.", parameter: "endpoint")
        }
        return endpoint
    }

    /// - Throws: 404 when there is no such command, 403 when the token isn't for its type.
    fileprivate func checkType(ofCommand id: String, of endpoint: Endpoint) throws {
        let commands = try storeReader()?.commands(endpoint: endpoint.name) ?? []
        guard let command = commands.first(where: { $0.id.utf8.elementsEqual(id.utf8) }) else {
            throw APIProblem.notFound("No command of this endpoint has this id.")
        }
        try requireType(command.type)
    }

    fileprivate func queue(
        _ body: (CommandQueue) throws(CommandFault) -> CommandRow
    ) throws -> CommandRow {
        let queue = try CommandQueue(directory: context.directory)
        do throws(CommandFault) { return try body(queue) } catch {
            let detail = "This can't be asked of a phone: \(error.sentence)."
            switch error {
            case .store(let error): throw error
            case .unknown: throw APIProblem.notFound("No command of this endpoint has this id.")
            case .sent: throw APIProblem(409, "command_sent", "The phone has this command already.")
            case .otherType, .exhausted: throw APIProblem(409, "command_conflict", detail)
            default: throw APIProblem(400, "command_invalid", detail)
            }
        }
    }
}
