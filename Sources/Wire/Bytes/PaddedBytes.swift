/// Bytes followed by zeros, so that a scanner may look ahead without a bounds check a byte.
///
/// The padding belongs to the value: no reader can be handed bytes without it. The bytes are an array's, or a region of
/// memory that someone else made, such as a mapped file; both are read through one pointer, so that a scanner doesn't
/// ask which it is.
///
/// Memory safety: `base` points to `count + paddingBytes` bytes that stay where they are, and stay mapped, as long as
/// `owner` lives; `owner` lives as long as any copy of this value. An array's bytes don't move while nobody changes the
/// array, and nobody but its owner, who never does, can reach it. The initialiser for other memory is unsafe: it takes
/// the caller's word for the same.
///
/// `@unchecked Sendable`: nobody writes to the bytes, and owners are Sendable. `@safe`: `base` is never handed out.
@safe package struct PaddedBytes: @unchecked Sendable {
    /// Zero bytes behind the content; a scanner may read this far past the end and no further.
    package static let paddingBytes = 64

    @usableFromInline let base: UnsafePointer<UInt8>
    @usableFromInline let owner: any PaddedBytesOwner
    /// The content's length in bytes, padding not counted.
    package let count: Int

    /// Takes `content` over and pads it.
    package init(_ content: consuming [UInt8]) {
        count = content.count
        content.reserveCapacity(content.count + Self.paddingBytes)
        content.append(contentsOf: repeatElement(0, count: Self.paddingBytes))
        let owner = ArrayOwner(content)
        unsafe base = owner.base
        self.owner = owner
    }

    /// Reads memory of `owner`'s in place.
    ///
    /// - Parameter base: of `count` bytes and then `paddingBytes` zeros, which stay mapped and as they are until `owner`
    ///   is gone.
    @unsafe package init(unsafeBase base: UnsafePointer<UInt8>, count: Int, owner: any PaddedBytesOwner) {
        unsafe self.base = base
        self.count = count
        self.owner = owner
    }

    /// Whether the bytes are not the process's own memory, but of a file.
    package var isMapped: Bool { !(owner is ArrayOwner) }

    /// The content as an array, without the padding. Costs a copy when it is mapped.
    package var content: ArraySlice<UInt8> {
        if let owner = owner as? ArrayOwner { return owner.bytes[..<count] }
        return self[0..<count]
    }

    /// One byte of the content.
    package subscript(index: Int) -> UInt8 {
        precondition(index >= 0 && index < count)
        return unsafe base[index]
    }

    /// A copy of some of the content.
    package subscript(range: Range<Int>) -> ArraySlice<UInt8> {
        unsafe Array(bytes(range))[...]
    }

    /// Lends the content, without the padding.
    @inlinable
    package func withContent<Result, Failure: Error>(
        _ body: (Span<UInt8>) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try withBytes(0..<count, body)
    }

    /// Lends some of the content.
    @inlinable
    package func withBytes<Result, Failure: Error>(
        _ range: Range<Int>, _ body: (Span<UInt8>) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try unsafe body(bytes(range).span)
    }

    /// Some of the content where a closure costs too much: a generic one is not specialised for its caller.
    ///
    /// - Returns: memory that is good while the caller holds this value. The caller must hold it in a variable or a member:
    ///   Swift ends no such life before a load that comes earlier in the source.
    @inlinable @inline(__always) @unsafe
    package func bytes(_ range: Range<Int>) -> UnsafeBufferPointer<UInt8> {
        precondition(range.lowerBound >= 0 && range.upperBound <= count)
        return unsafe UnsafeBufferPointer(start: base + range.lowerBound, count: range.count)
    }

    /// Lends the content in order, piece by piece, and gives the memory of each back when it was read.
    package func forEachPiece<Failure: Error>(_ body: (Span<UInt8>) throws(Failure) -> Void) throws(Failure) {
        guard isMapped else { return try withContent(body) }
        var start = 0
        while start < count {
            let end = min(count, start + Self.pieceBytes)
            try withBytes(start..<end, body)
            discard(before: end)
            start = end
        }
    }

    private static let pieceBytes = 1 << 20

    /// Says that nothing before `offset` will be read again soon: memory that can be given back is. What is read again
    /// after all is still right.
    package func discard(before offset: Int) { owner.discard(before: min(max(0, offset), count)) }
}

/// Keeps the memory of a `PaddedBytes`; its end gives the memory back.
package protocol PaddedBytesOwner: AnyObject, Sendable {
    /// The bytes before `offset`, at most the content's length, won't be needed soon. They may leave memory when they
    /// come back by themselves where they are read again.
    func discard(before offset: Int)
}

/// Owns an array whose bytes are read through a pointer.
///
/// `@safe`: the pointer is to the array's own bytes, and used by `PaddedBytes` alone, which keeps this object.
@safe private final class ArrayOwner: PaddedBytesOwner {
    let bytes: [UInt8]
    /// An array of bytes is one block on the heap; it holds the padding at least, so there always is one.
    nonisolated(unsafe) let base: UnsafePointer<UInt8>

    init(_ bytes: consuming [UInt8]) {
        self.bytes = bytes
        unsafe base = self.bytes.withUnsafeBufferPointer { unsafe $0.baseAddress.unsafelyUnwrapped }
    }

    func discard(before offset: Int) {}
}
