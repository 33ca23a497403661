/// Reads request heads as their bytes arrive.
package struct RequestHeadParser: Sendable {
    private let limits: HTTPLimits

    package init(limits: HTTPLimits) { self.limits = limits }

    /// Bytes of a head have arrived and its end has not.
    package var hasBegun: Bool { false }

    package mutating func consume(_ bytes: Span<UInt8>) throws(HTTPFault) -> (consumed: Int, head: RequestHead?) {
        (bytes.count, nil)
    }
}
