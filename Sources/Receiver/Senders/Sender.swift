import Samples
import Storage
import Wire

/// What a sender's contract dictates where it differs from Syncky's. `Sender.of` is the one table of them; all that
/// isn't in here (framing, credentials, limits, the transaction, the log) is the same for everyone.
struct Sender: Sendable {
    /// What it calls below `/hook/NAME`; Syncky's own requests come to the endpoint itself and are in no table.
    var calls: [SenderCall] = []
    /// Whether its bodies come in one piece however large they are, and go to a file while they arrive.
    var sendsLargeBodies = false
    /// Whether its bodies may be compressed with gzip.
    var sendsGzip = false
    /// Whether Content-Type tells JSON from other things that it can be set to send.
    var checksMediaType = false
    /// What a body of no bytes means; nil where the decoder will say.
    var emptyBody: HTTPFault?
    /// Whose data a request brings, by its head.
    ///
    /// - Throws: what is wrong with the head, before a byte of the body is read.
    var scope: @Sendable (Fields, Endpoint) throws(Refusal) -> SenderScope = { (_, endpoint) throws(Refusal) in
        SenderScope(person: endpoint.person)
    }
    /// What the head of a delivery must say beside, judged once the data's owner is known and before the body.
    var checkDelivery: @Sendable (Fields) throws(Refusal) -> Void = { (_) throws(Refusal) in }
    /// The shape of its refusals.
    var refusal: @Sendable (Refusal) -> Response = { .error($0) }

    static func of(_ dialect: Dialect) -> Sender {
        switch dialect {
        case .native, .csv, .influx, .apple: Sender()
        case .hae: .healthAutoExport
        case .puls: .puls
        case .relay: .relay
        case .steps: .steps
        }
    }
}

/// Whose data a request is about.
struct SenderScope: Equatable, Sendable {
    var person: String
    /// What keys are scoped to within the person; nil for the device that the body names, else the endpoint.
    var device: [UInt8]?
    /// When the phone's work began, for the store.
    var wake: PulsWake?
    /// What is wrong with the head, to be told where the body is right.
    var bodyFault: DecodeFault?
}

/// One call of a sender: a method and a path below its endpoint.
struct SenderCall: Sendable {
    enum Work: Sendable {
        /// A body for the store, answered when it is durable. The function makes the answer of success.
        case delivery(@Sendable (StoreOutcome, _ isTest: Bool) -> Response)
        /// A question to the store, asked on a thread of its own.
        case query(@Sendable (SenderQuery) throws -> Response)
        /// Anybody may ask; the answer holds no data and no secret.
        case open(@Sendable (SenderQuery) throws -> Response)
    }

    var method: String
    /// Empty for the endpoint itself, else with its slash, such as `/v1/batches`.
    var path: String
    var work: Work
}

/// What a question knows.
struct SenderQuery: Sendable {
    var endpoint: Endpoint
    var scope: SenderScope
    /// As sent, without the question mark; empty when there is none.
    var query: [UInt8]
    /// The Host field: where whoever asks believes this server to be. Anyone can write anything there.
    var host: [UInt8]
    /// The clock of the endpoint's zone, and the moment.
    var zone: ZoneRules
    var nowSeconds: Int64
    var catalog: Catalog
    var store: Store
    /// The data folder, for `StoreReader`.
    var directory: String

    /// The values of a name in the query, decoded; empty when it isn't there.
    func values(_ name: String) -> [String] { queryValues(query, named: name) }
}

/// Percent-encoded `name=value` pairs; a plus is a space, what is not UTF-8 when decoded is left out.
private func queryValues(_ query: [UInt8], named name: String) -> [String] {
    query.split(separator: UInt8(ascii: "&")).compactMap { pair in
        let sides = pair.split(separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
        guard percentDecoded(sides[0]) == name else { return nil }
        return sides.count == 2 ? percentDecoded(sides[1]) : ""
    }
}

private func percentDecoded(_ bytes: ArraySlice<UInt8>) -> String? {
    var decoded: [UInt8] = []
    var rest = bytes
    while let byte = rest.popFirst() {
        switch byte {
        case UInt8(ascii: "+"): decoded.append(UInt8(ascii: " "))
        case UInt8(ascii: "%"):
            guard let high = rest.popFirst().flatMap(hexValue), let low = rest.popFirst().flatMap(hexValue) else {
                return nil
            }
            decoded.append(high << 4 | low)
        default: decoded.append(byte)
        }
    }
    return String(validating: decoded, as: UTF8.self)
}

private func hexValue(_ byte: UInt8) -> UInt8? {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
    case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
    default: nil
    }
}
