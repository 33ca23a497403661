package import Samples

/// Looks up what rows of `sample` name by number, and remembers some of it.
package final class StoredTexts {
    /// Where a sample came from; at least one of both is there.
    package struct Source: Sendable {
        package var app: StoredText?
        package var device: StoredText?
    }

    /// A store has a few hundred texts; more than this are forgotten at once, so that no store takes more memory.
    private static let maximumRemembered = 8_192

    private let textStatement, sourceStatement, endpointStatement, deliveryStatement: Statement
    private var texts: [Int64: StoredText] = [:]
    private var sources: [Int64: Source] = [:]
    private var endpoints: [Int64: StoredText] = [:]
    private var deliveries: [Int64: Timestamp] = [:]

    package init(_ connection: Connection) throws(StoreError) {
        textStatement = try connection.prepare("SELECT text FROM text WHERE id = ?1")
        sourceStatement = try connection.prepare("SELECT app, device FROM source WHERE id = ?1")
        endpointStatement = try connection.prepare("SELECT name FROM endpoint WHERE id = ?1")
        deliveryStatement = try connection.prepare("SELECT received_at FROM delivery WHERE id = ?1")
    }

    package func text(_ id: Int64) throws(StoreError) -> StoredText {
        if let known = texts[id] { return known }
        let found = try single(textStatement, id)
        remember(found, id, in: &texts)
        return found
    }

    package func source(_ id: Int64) throws(StoreError) -> Source {
        if let known = sources[id] { return known }
        let row = sourceStatement
        row.bind(1, id)
        guard try row.step() else { throw Self.missing }
        let app = row.optionalInteger(0), device = row.optionalInteger(1)
        row.reset()
        var found = Source()
        if let app { found.app = try text(app) }
        if let device { found.device = try text(device) }
        remember(found, id, in: &sources)
        return found
    }

    /// An endpoint's NAME.
    package func endpoint(_ id: Int64) throws(StoreError) -> StoredText {
        if let known = endpoints[id] { return known }
        let found = try single(endpointStatement, id)
        remember(found, id, in: &endpoints)
        return found
    }

    /// When the request came that wrote the row; nil when its delivery is gone.
    package func receivedAt(delivery id: Int64) throws(StoreError) -> Timestamp? {
        if let known = deliveries[id] { return known }
        let row = deliveryStatement
        row.bind(1, id)
        guard try row.step() else { return nil }
        let found = Timestamp(microseconds: row.integer(0))
        row.reset()
        remember(found, id, in: &deliveries)
        return found
    }

    private func single(_ row: Statement, _ id: Int64) throws(StoreError) -> StoredText {
        row.bind(1, id)
        guard try row.step() else { throw Self.missing }
        let found = StoredText(row.bytes(0))
        row.reset()
        return found
    }

    private func remember<Value>(_ value: Value, _ id: Int64, in known: inout [Int64: Value]) {
        if known.count >= Self.maximumRemembered { known.removeAll(keepingCapacity: true) }
        known[id] = value
    }

    private static let missing = StoreError(.damaged, detail: "a row of sample names what is not there")
}
