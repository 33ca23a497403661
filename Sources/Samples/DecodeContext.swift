package import Wire

/// What a decoder has to know beside the body.
package struct DecodeContext: Sendable {
    package var json: JSONLimits
    /// Longest line of InfluxDB line protocol, in bytes, its end not counted.
    package var maximumProtocolLineBytes: Int
    package var catalog: Catalog
    /// Minutes east of UTC that the endpoint's zone has at a local time, given as seconds since 1970-01-01T00:00:00 on
    /// that zone's own clock. For times that are written without a zone.
    package var offsetMinutes: @Sendable (_ localSeconds: Int64) -> Int16
    /// The moment; nil where nobody asks how far ahead a sender's clock is.
    package var now: Timestamp?
    /// The clock of a zone that a body names, or, for nil, of the endpoint's; nil when the zone is not known.
    package var zone: @Sendable (_ name: [UInt8]?) -> ZoneRules?
    /// What a sender of the Health Auto Export shape says in its headers.
    package var automation: Automation

    package init(
        json: JSONLimits = JSONLimits(), maximumProtocolLineBytes: Int = 65_536, catalog: Catalog = .builtIn,
        automation: Automation = Automation(),
        offsetMinutes: @escaping @Sendable (_ localSeconds: Int64) -> Int16 = { _ in 0 },
        now: Timestamp? = nil, zone: @escaping @Sendable (_ name: [UInt8]?) -> ZoneRules? = { _ in nil }
    ) {
        self.json = json
        self.maximumProtocolLineBytes = maximumProtocolLineBytes
        self.catalog = catalog
        self.automation = automation
        self.offsetMinutes = offsetMinutes
        self.now = now
        self.zone = zone
    }
}

/// The headers that come with a Health Auto Export body, as they came; nil where absent.
package struct Automation: Sendable, Equatable {
    /// Whether the sender is Syncky (`X-Syncky-Format: hae`).
    package var isSyncky: Bool
    /// `automation-name`, `automation-id`: never part of a key.
    package var hasName: Bool
    /// `automation-aggregation`.
    package var aggregation: String?
    /// `automation-period`.
    package var period: String?
    /// `session-id`: one value for all requests of a delivery from Syncky, new for every request elsewhere.
    package var session: [UInt8]?

    package init(
        isSyncky: Bool = false, hasName: Bool = false, aggregation: String? = nil, period: String? = nil,
        session: [UInt8]? = nil
    ) {
        self.isSyncky = isSyncky
        self.hasName = hasName
        self.aggregation = aggregation
        self.period = period
        self.session = session
    }
}
