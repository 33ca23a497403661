import Glibc

extension PaddedBytes {
    /// The byte at `index`, which must lie inside of the content or its padding.
    @inline(__always)
    func byte(_ index: Int) -> UInt8 {
        precondition(index >= 0 && index < count + Self.paddingBytes)
        return unsafe base[index]
    }

    /// Eight bytes from `index` on, the first in the lowest bits; all must lie inside of the content or its padding.
    @inline(__always)
    func word(_ index: Int) -> UInt64 {
        precondition(index >= 0 && index <= count + Self.paddingBytes - 8)
        return unsafe UInt64(
            littleEndian: UnsafeRawPointer(base).loadUnaligned(fromByteOffset: index, as: UInt64.self))
    }

    /// Whether the bytes of `range` stand at `index` too; both must lie inside of the content.
    @inline(__always)
    func hasSame(_ range: Range<Int>, at index: Int) -> Bool {
        precondition(range.lowerBound >= 0 && range.upperBound <= count && index >= 0 && index <= count - range.count)
        return unsafe memcmp(base + range.lowerBound, base + index, range.count) == 0
    }
}
