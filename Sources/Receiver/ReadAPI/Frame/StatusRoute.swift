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
        let report = try report(endpoints, reader, request)
        var members = report.members
        members.append(.init(name: "rhythms", value: .array(try rhythms(endpoints, request))))
        let deliveries = try reader.map { try Self.deliveries(endpoints, $0) } ?? []
        members.append(.init(name: "deliveries", value: .array(deliveries.map(tree))))
        return .text(JSONTree.object(members).written())
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

    private static func rhythms(_ endpoints: [Endpoint], _ request: APIRequest) throws -> [JSONTree] {
        let names = Set(endpoints.map(\.name))
        let rhythms = try request.readModel()?.rhythms(now: request.now) ?? []
        return rhythms.filter {
            names.contains($0.endpoint) && request.grant.allows(person: $0.person)
                && request.grant.allows(type: $0.type)
        }.map(tree)
    }

    private static func tree(_ rhythm: Rhythm) -> JSONTree {
        .object([
            .init(name: "endpoint", value: .text(rhythm.endpoint)), .init(name: "person", value: .text(rhythm.person)),
            .init(name: "type", value: .text(rhythm.type)),
            .init(name: "last_stored", value: .text(rfc3339Text(rhythm.lastStored))),
            .init(name: "usual_s", value: .integer(wholeSeconds(rhythm.usualSeconds))),
            .init(name: "longest_s", value: .integer(wholeSeconds(rhythm.longestSeconds))),
            .init(name: "quiet", value: .bool(rhythm.isQuiet)),
        ])
    }

    /// Of a length of time between two requests: no more than the clock can have.
    private static func wholeSeconds(_ seconds: Double) -> Int64 { Int64(min(max(seconds.rounded(), 0), 1e12)) }

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
