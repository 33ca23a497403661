/// A body that a decoder accepted.
package struct DecodedBody: Sendable {
    /// The device that the body names; nil where the dialect has none.
    package var device: [UInt8]?
    /// The delivery id that the body names (native: `delivery.id`); nil when it names none. No signature covers the
    /// header that should equal it, and the header counts.
    package var deliveryID: [UInt8]?
    /// The Check connection request: store nothing.
    package var isTest: Bool
    package var batch: SampleBatch

    package init(
        device: [UInt8]? = nil, deliveryID: [UInt8]? = nil, isTest: Bool = false,
        batch: SampleBatch = SampleBatch()
    ) {
        self.device = device
        self.deliveryID = deliveryID
        self.isTest = isTest
        self.batch = batch
    }
}

/// Why a body was refused, and where.
package struct DecodeFault: Error, Equatable, Sendable {
    /// Stable word for machines, in snake case: `json_invalid`, `member_missing`, … No peer input.
    package var code: String
    /// One sentence for a person; no health value, and of peer input at most what a sender's contract wants quoted.
    package var message: String
    /// The HTTP status that says so: 400, or 413 for what is too large.
    package var status: Int
    /// From 0, in bytes; nil when unknown.
    package var offset: Int?
    /// From 1; nil when unknown.
    package var line: Int?
    /// Such as `samples[3].start`; names only members that the contract knows.
    package var path: String?

    package init(
        code: String, message: String, status: Int = 400, offset: Int? = nil, line: Int? = nil, path: String? = nil
    ) {
        self.code = code
        self.message = message
        self.status = status
        self.offset = offset
        self.line = line
        self.path = path
    }
}
