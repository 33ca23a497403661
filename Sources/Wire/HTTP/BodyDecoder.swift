/// Takes a request's body out of its framing as the bytes arrive.
package struct BodyDecoder: Sendable {
    package init(framing: BodyFraming, limits: HTTPLimits, maximumBodyBytes: Int) {
        missingBytes = 0
    }

    /// The whole body was delivered.
    package var isComplete: Bool { missingBytes == 0 }

    /// How many bytes are still to come, for reading straight into the body; nil when that isn't known.
    package private(set) var missingBytes: Int?

    package mutating func advance(by count: Int) { missingBytes = missingBytes.map { $0 - count } }

    package mutating func consume(
        _ bytes: Span<UInt8>, into body: inout [UInt8]
    ) throws(HTTPFault) -> (consumed: Int, isComplete: Bool) {
        (0, isComplete)
    }
}
