/// Bytes followed by zeros, so that a scanner may look ahead without a bounds check a byte.
///
/// The padding belongs to the value: no reader can be handed bytes without it.
package struct PaddedBytes: Sendable {
    /// Zero bytes behind the content; a scanner may read this far past the end and no further.
    package static let paddingBytes = 64

    /// The content and its padding.
    package let storage: [UInt8]
    /// The content's length in bytes, padding not counted.
    package let count: Int

    /// Takes `content` over and pads it.
    package init(_ content: consuming [UInt8]) {
        count = content.count
        content.reserveCapacity(content.count + Self.paddingBytes)
        content.append(contentsOf: repeatElement(0, count: Self.paddingBytes))
        storage = content
    }

    /// A copy of the content, without the padding.
    package var content: ArraySlice<UInt8> { storage[..<count] }

    /// Lends the content, without the padding.
    package func withContent<Result, Failure: Error>(
        _ body: (Span<UInt8>) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try body(storage.span.extracting(0..<count))
    }

    /// Says that nothing before `offset` will be read again: memory that can be given back is.
    package func discard(before offset: Int) {}
}
