import Insights
import Samples
import Signing
import Storage

/// `/api/v1/status`: the senders of the token's person, what they sent, and what should be looked at.
enum StatusRoute {
    private static let maximumDeliveries = 50

    static let all: [APIRoute] = [APIRoute(.get, "/api/v1/status", formats: [.json], answer: tell)]

    private static func tell(_ request: APIRequest) throws -> APIAnswer {
        let endpoints = request.endpoints
        let reader = try request.storeReader()
        let rhythms = try rhythms(endpoints, request)
        var report = try report(endpoints, reader, request)
        // Of some types alone nobody can tell whether an endpoint is quiet.
        if request.grant.types == nil {
            report.warnings += QuietWarnings.sentences(rhythms, now: request.now).map {
                StatusReport.Warning(code: "quiet", message: $0)
            }
        }
        var members = report.members
        // Counts of everything that came say something of types that the token is not for.
        if request.grant.types != nil { members = members.map(withoutCounts) }
        members.append(.init(name: "rhythms", value: .array(rhythms.map(tree))))
        let deliveries =
            request.grant.types == nil ? try reader.map { try Self.deliveries(endpoints, $0) } ?? [] : []
        members.append(.init(name: "deliveries", value: .array(deliveries.map(tree))))
        return .text(JSONTree.object(members).written())
    }

    private static func withoutCounts(_ member: JSONTree.Member) -> JSONTree.Member {
        guard member.name == "endpoints", case .array(let endpoints) = member.value else { return member }
        return .init(
            name: member.name,
            value: .array(
                endpoints.map { endpoint in
                    guard case .object(let members) = endpoint else { return endpoint }
                    return .object(
                        members.map { $0.name == "samples" ? .init(name: $0.name, value: .null) : $0 })
                }))
    }

    private static func report(
        _ endpoints: [Endpoint], _ reader: StoreReader?, _ request: APIRequest
    ) throws(StoreError) -> StatusReport {
        let names = Set(endpoints.map(\.name))
        var figures: [String: StoreReader.EndpointStatus] = [:]
        for endpoint in try reader?.endpoints() ?? [] { figures[endpoint.name] = endpoint }
        let commands = try (reader?.commands() ?? []).filter {
            names.contains($0.endpoint) && request.grant.allows(type: $0.type)
        }
        let rows = endpoints.map { endpoint in
            StatusReport.EndpointStatus(
                name: endpoint.name, person: endpoint.person, format: endpoint.format.rawValue,
                auth: endpoint.authKind, isSigned: !endpoint.credentials.secrets.isEmpty,
                lastStored: figures[endpoint.name]?.lastStored, samples: figures[endpoint.name]?.samples ?? 0)
        }
        var configuration = Configuration()
        for endpoint in endpoints { configuration.endpoints[endpoint.name] = endpoint }
        var warnings = configuration.warnings.map(StatusReport.Warning.init)
        warnings += StatusReport.warnings(rows, guards: try reader?.windowGuards() ?? [], isReadable: true)
        let condition = request.context.store.condition
        if condition.state != .ok {
            let reason = condition.sentence.map { ": \($0)" } ?? ""
            warnings.append(
                StatusReport.Warning(code: "not_ready", message: "The server can't store anything now\(reason)."))
        }
        for endpoint in endpoints {
            warnings += CommandReport.warnings(
                commands.filter { $0.endpoint == endpoint.name }, endpoint: endpoint.name,
                isSigned: !endpoint.credentials.secrets.isEmpty)
        }
        return StatusReport(endpoints: rows, commands: commands, warnings: warnings)
    }

    private static func rhythms(_ endpoints: [Endpoint], _ request: APIRequest) throws -> [Rhythm] {
        let names = Set(endpoints.map(\.name))
        let all = try request.readModel()?.rhythms(now: request.now, person: request.grant.person) ?? []
        return all.filter { names.contains($0.endpoint) && request.grant.allows(type: $0.type) }
    }

    private static func tree(_ rhythm: Rhythm) -> JSONTree {
        func seconds(_ value: Double) -> JSONTree { value.isFinite ? .number("\(value)") : .null }
        return .object([
            .init(name: "endpoint", value: .text(rhythm.endpoint)), .init(name: "person", value: .text(rhythm.person)),
            .init(name: "type", value: .text(rhythm.type)),
            .init(name: "last_stored", value: .text(rfc3339Text(rhythm.lastStored))),
            .init(name: "usual_s", value: seconds(rhythm.usualSeconds)),
            .init(name: "longest_s", value: seconds(rhythm.longestSeconds)),
            .init(name: "quiet", value: .bool(rhythm.isQuiet)),
        ])
    }

    /// The last ones of these endpoints, the newest first.
    private static func deliveries(
        _ endpoints: [Endpoint], _ reader: StoreReader
    ) throws(StoreError) -> [StoreReader.DeliveryRow] {
        let names = Set(endpoints.map(\.name))
        var limit = maximumDeliveries
        while true {
            let rows = try reader.deliveries(limit: limit)
            let own = rows.filter { names.contains($0.endpoint) }
            // Further back only where others send much more, and not for ever.
            guard own.count < maximumDeliveries, rows.count == limit, limit < 12_800 else {
                return Array(own.prefix(maximumDeliveries))
            }
            limit *= 4
        }
    }

    private static func tree(_ row: StoreReader.DeliveryRow) -> JSONTree {
        .object([
            .init(name: "endpoint", value: .text(row.endpoint)),
            .init(name: "received_at", value: .text(rfc3339Text(row.receivedAt))),
            .init(name: "dialect", value: row.dialect.map { .text($0) } ?? .null),
            .init(name: "status", value: .integer(Int64(row.status))),
            .init(name: "code", value: row.code.map { .text($0) } ?? .null),
            .init(name: "stored", value: .integer(Int64(row.outcome.stored))),
            .init(name: "changed", value: .integer(Int64(row.outcome.changed))),
            .init(name: "deleted", value: .integer(Int64(row.outcome.deleted))),
            .init(name: "skipped", value: .integer(Int64(row.skipped))),
        ])
    }
}
