import Samples
import Storage
import Wire

/// What the `X-Syncky-…` headers say about a body. None of them is covered by the signature, so each is checked.
struct DeliveryHeaders {
    /// 1 to 64 of `[A-Za-z0-9-]`; nil from a sender that writes no such headers.
    let id: String?
    let dialect: Dialect
    /// `wh_…`: names the sender's entry for this server; nil when absent.
    let destination: [UInt8]?

    init(_ fields: Fields, from role: SenderRole) throws(DecodeFault) {
        if case .guest(let dialect) = role {
            id = Self.deliveryID(fields)
            self.dialect = dialect
            destination = nil
            return
        }
        let formats = fields.values("x-syncky-format")
        guard let format = formats.first else {
            throw DecodeFault(
                code: "format_missing", message: "X-Syncky-Format is missing: native, hae, csv or influx.")
        }
        guard formats.count == 1, let text = String(validating: format, as: UTF8.self),
            let dialect = Dialect(rawValue: text), Dialect.ofSyncky.contains(dialect)
        else {
            throw DecodeFault(
                code: "format_unknown", message: "X-Syncky-Format must be one of native, hae, csv or influx.")
        }
        guard let id = Self.deliveryID(fields) else {
            throw DecodeFault(
                code: "delivery_invalid",
                message: "X-Syncky-Delivery must be there once, as 1 to 64 letters, digits or hyphens.")
        }
        let destinations = fields.values("x-syncky-destination")
        guard destinations.count <= 1 else {
            throw DecodeFault(code: "destination_invalid", message: "X-Syncky-Destination must be there at most once.")
        }
        self.id = id
        self.dialect = dialect
        destination = destinations.first.flatMap { $0.isEmpty ? nil : Array($0) }
        // Where the body names no device, this is the samples' own.
        guard let destination else { return }
        guard destination.count <= 1_024, String(validating: destination, as: UTF8.self) != nil else {
            throw DecodeFault(
                code: "destination_invalid", message: "X-Syncky-Destination must be UTF-8 of at most 1,024 bytes.")
        }
    }

    /// nil when the request names none, or not as it should.
    static func deliveryID(_ fields: Fields) -> String? {
        let ids = fields.values("x-syncky-delivery")
        guard ids.count == 1, let id = ids.first, (1...64).contains(id.count), id.allSatisfy(isIDByte) else {
            return nil
        }
        return String(decoding: id, as: UTF8.self)
    }

    private static func isIDByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"):
            true
        default: false
        }
    }
}

extension Dialect {
    /// Decodes a body of this dialect: the one table that says which decoder is whose.
    func decode(_ body: PaddedBytes, _ context: DecodeContext) throws(DecodeFault) -> DecodedBody {
        switch self {
        case .native: try NativeDecoder.decode(body, limits: context.json, catalog: context.catalog)
        case .hae: try HealthAutoExportDecoder.decode(body, context: context)
        case .csv: try CSVDecoder.decode(body, context: context)
        case .influx: try LineProtocolDecoder.decode(body, context: context)
        case .puls: try PulsDecoder.decode(body, context: context)
        case .relay: try RelayDecoder.decode(body, context: context)
        case .steps: try StepsDecoder.decode(body, context: context)
        case .apple: throw DecodeFault(code: "format_unknown", message: "No body is written so.")
        }
    }

    /// Decodes a body of any size, of which no more than a slice is held.
    ///
    /// - Throws: `DecodeFault`, or what `sink` throws.
    func decode(_ body: PaddedBytes, _ context: DecodeContext, sliceRecords: Int, sink: (SampleBatch) throws -> Void)
        throws
    {
        switch self {
        case .hae:
            _ = try HealthAutoExportDecoder.decode(body, context: context, sliceRecords: sliceRecords, sink: sink)
        case .puls: try PulsDecoder.decode(body, context: context, sliceRecords: sliceRecords, sink: sink)
        case .native, .csv, .influx, .relay, .steps, .apple: try sink(decode(body, context).batch)
        }
    }
}
