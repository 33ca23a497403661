/// How a body is written. The raw value is the text of an endpoint's `format` and of the `dialect` column.
package enum Dialect: String, CaseIterable, Sendable {
    case native, hae, csv, influx
    /// PulsHealth's batches.
    case puls
    /// Health Relay's days.
    case relay
    /// Daily step counts.
    case steps
    /// Apple Health's own export, which `server import` reads.
    case apple

    /// Those that Syncky writes, and `X-Syncky-Format` names.
    package static let ofSyncky: [Dialect] = [.native, .hae, .csv, .influx]
    /// Those that an endpoint can be made for.
    package static let ofEndpoints: [Dialect] = ofSyncky + unsigned
    /// Those whose senders never sign.
    package static let unsigned: [Dialect] = [.puls, .relay, .steps]
}
