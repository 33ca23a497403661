import Samples
import Signing
import Wire

/// Who a request is from, as far as its head tells.
enum SenderRole: Sendable, Equatable {
    /// Syncky, or one who writes its headers, with a body of the shape of Health Auto Export.
    case synckyHealthAutoExport
    /// Syncky with any other request.
    case syncky
    /// Another sender, with a call of its own: no `X-Syncky-Format` and no `X-Syncky-Kind`, at an endpoint for it.
    case guest(Dialect)

    /// - Parameter isCall: whether the endpoint's sender has a call for this method and path.
    init(_ fields: Fields, at endpoint: Endpoint, isCall: Bool) {
        let formats = fields.values("x-syncky-format")
        if isCall && formats.isEmpty && fields.values("x-syncky-kind").isEmpty {
            self = .guest(endpoint.format)
        } else if formats.count == 1 && formats[0].elementsEqual(Dialect.hae.rawValue.utf8) {
            self = .synckyHealthAutoExport
        } else {
            self = .syncky
        }
    }

    /// What this sender's contract has of its own.
    var sender: Sender {
        switch self {
        case .syncky: Sender()
        case .synckyHealthAutoExport: Sender(sendsLargeBodies: true, sendsGzip: true)
        case .guest(let dialect): .of(dialect)
        }
    }

    var isGuest: Bool {
        if case .guest = self { true } else { false }
    }
}

extension Endpoint {
    /// Whether a request carries one of the valid tokens.
    ///
    /// Those who write like Health Auto Export put the token wherever their user was told to; an endpoint for them looks
    /// in every usual place.
    func acceptsToken(_ fields: Fields, nowSeconds: Int64) -> Bool {
        var header: [ArraySlice<UInt8>] = []
        if case .header(let name) = credentials.scheme { header = fields.values(name) }
        let authorization = fields.values("authorization")
        let isAccepted = credentials.acceptsToken(
            authorization: authorization, header: header, nowSeconds: nowSeconds)
        guard format == .hae, !isAccepted else { return isAccepted }
        return credentials.acceptsToken(
            authorization: authorization, inAnyOf: [fields.values("api-key"), fields.values("x-api-key"), header],
            nowSeconds: nowSeconds)
    }
}

extension Automation {
    /// Longest text that is looked at, in bytes; a longer one counts as absent.
    private static let maximumTextBytes = 64
    private static let maximumSessionBytes = 128

    /// What the `automation-…` headers say.
    init(_ fields: Fields, isSyncky: Bool) {
        func one(_ name: String, _ maximum: Int) -> ArraySlice<UInt8>? {
            let values = fields.values(name)
            return values.count == 1 && 1...maximum ~= values[0].count ? values[0] : nil
        }
        func text(_ name: String) -> String? {
            one(name, Self.maximumTextBytes).flatMap { String(validating: $0, as: UTF8.self) }
        }
        self.init(
            isSyncky: isSyncky,
            hasName: !fields.values("automation-name").isEmpty || !fields.values("automation-id").isEmpty,
            aggregation: text("automation-aggregation"), period: text("automation-period"),
            session: one("session-id", Self.maximumSessionBytes).map(Array.init))
    }
}
