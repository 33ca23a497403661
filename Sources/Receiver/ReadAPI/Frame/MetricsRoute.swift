import Insights
import Samples
import Storage

/// `/metrics`: what the server does, in Prometheus' text format.
enum MetricsRoute {
    static let all: [APIRoute] = [APIRoute(.get, "/metrics", formats: [.prometheus], answer: tell)]

    private static func tell(_ request: APIRequest) throws -> APIAnswer {
        let context = request.context
        let counts = context.counters.now
        let names = Set(request.endpoints.map(\.name))
        var text = MetricsText()
        text.family("syncky_deliveries_total", .counter, "Deliveries answered, by endpoint and status.")
        for (delivery, count) in counts.deliveries.sorted(by: {
            ($0.key.endpoint, $0.key.status) < ($1.key.endpoint, $1.key.status)
        })
        where names.contains(delivery.endpoint) {
            text.sample([("endpoint", delivery.endpoint), ("status", String(delivery.status))], Double(count))
        }
        text.family("syncky_rows_total", .counter, "Rows that deliveries stored, changed and deleted.")
        for (endpoint, rows) in counts.rows.sorted(by: { $0.key < $1.key }) where names.contains(endpoint) {
            for (change, count) in [("stored", rows.stored), ("changed", rows.changed), ("deleted", rows.deleted)] {
                text.sample([("endpoint", endpoint), ("change", change)], Double(count))
            }
        }
        text.family("syncky_refusals_total", .counter, "Requests of strangers, by status.")
        for (status, count) in counts.refusals.sorted(by: { $0.key < $1.key }) {
            text.sample([("status", String(status))], Double(count))
        }
        text.family("syncky_api_answers_total", .counter, "Questions answered, by status.")
        for (status, count) in counts.apiAnswers.sorted(by: { $0.key < $1.key }) {
            text.sample([("status", String(status))], Double(count))
        }
        text.single("syncky_received_bytes_total", .counter, "Bytes of deliveries' bodies.", Double(counts.bodyBytes))
        let store = context.store.counters
        text.single(
            "syncky_store_transactions_total", .counter, "Transactions committed.", Double(store.transactions))
        text.single("syncky_store_failures_total", .counter, "Submissions that failed.", Double(store.failures))
        text.single(
            "syncky_queue_bytes", .gauge, "Decoded deliveries that wait for the disk.",
            Double(context.store.queuedBytes))
        text.single(
            "syncky_connections", .gauge, "Open connections of senders.", Double(context.connections()))
        text.single(
            "syncky_ready", .gauge, "1 while deliveries can be stored.", context.store.condition.state == .ok ? 1 : 0)
        text.single(
            "syncky_uptime_seconds", .gauge, "Since the server started.",
            Double(context.clock.wallSeconds - context.startedAtSeconds))
        text.family("syncky_last_stored_seconds", .gauge, "When an endpoint stored something last, since 1970.")
        for endpoint in try request.storeReader()?.endpoints() ?? [] where names.contains(endpoint.name) {
            guard let last = endpoint.lastStored else { continue }
            text.sample([("endpoint", endpoint.name)], Double(last.microseconds) / 1e6)
        }
        if context.showsValues { try appendValues(request, to: &text) }
        return .text(text.text)
    }

    /// The newest value of each type that is a number, of all whom the token is for.
    private static func appendValues(_ request: APIRequest, to text: inout MetricsText) throws {
        guard let model = try request.readModel() else { return }
        text.family("syncky_latest", .gauge, "The newest value.")
        var persons = Set(request.context.readSetup.persons.map(\.name))
        persons.formUnion(try request.lease.storedPersons())
        for person in persons.sorted() where request.grant.allows(person: person) {
            var found: [(type: String, unit: String, value: Double)] = []
            try model.latest(of: person, types: request.grant.types) { (sample, series) throws(StoreError) in
                guard sample.kind == .quantity, let value = sample.value else { return }
                found.append(
                    (
                        String(decoding: series.type.bytes, as: UTF8.self),
                        String(decoding: series.unit?.bytes ?? [], as: UTF8.self), value
                    ))
            }
            for (type, unit, value) in found {
                text.sample([("person", person), ("type", type), ("unit", unit)], value)
            }
        }
    }
}

/// Prometheus' text exposition format, version 0.0.4.
struct MetricsText {
    enum Kind: String { case counter, gauge }

    private(set) var text = ""
    private var name = ""

    mutating func family(_ name: String, _ kind: Kind, _ help: String) {
        self.name = name
        text += "# HELP \(name) \(help)\n# TYPE \(name) \(kind.rawValue)\n"
    }

    mutating func single(_ name: String, _ kind: Kind, _ help: String, _ value: Double) {
        family(name, kind, help)
        sample([], value)
    }

    mutating func sample(_ labels: [(name: String, value: String)], _ value: Double) {
        let inside = labels.map { "\($0.name)=\"\(Self.escaped($0.value))\"" }.joined(separator: ",")
        text += "\(name)\(inside.isEmpty ? "" : "{\(inside)}") \(Self.number(value))\n"
    }

    private static func number(_ value: Double) -> String {
        let text = "\(value)"
        return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
    }

    private static func escaped(_ value: String) -> String {
        var text = ""
        for character in value.unicodeScalars {
            switch character {
            case "\\": text += "\\\\"
            case "\"": text += "\\\""
            case "\n": text += "\\n"
            default: text.unicodeScalars.append(character)
            }
        }
        return text
    }
}
