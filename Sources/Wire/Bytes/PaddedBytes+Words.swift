extension PaddedBytes {
    /// The byte at `index`, which must lie inside of the content or its padding.
    @inline(__always)
    func byte(_ index: Int) -> UInt8 { storage[index] }

    /// Eight bytes from `index` on, the first in the lowest bits; all must lie inside of the content or its padding.
    @inline(__always)
    func word(_ index: Int) -> UInt64 { storage.span.word(at: index) }
}
