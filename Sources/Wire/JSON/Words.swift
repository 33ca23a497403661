extension Span where Element == UInt8 {
    /// Eight bytes from `index` on, the first in the lowest bits; they must be there.
    @inlinable @inline(__always)
    package func word(at index: Int) -> UInt64 {
        precondition(index >= 0 && index &+ 8 <= count)
        return unsafe withUnsafeBufferPointer {
            unsafe UInt64(
                littleEndian: UnsafeRawPointer($0.baseAddress.unsafelyUnwrapped).loadUnaligned(
                    fromByteOffset: index, as: UInt64.self))
        }
    }

    /// Up to eight bytes from `index` on as `word` has them, zeros behind the end.
    @inlinable @inline(__always)
    package func partialWord(at index: Int) -> UInt64 {
        if index &+ 8 <= count { return word(at: index) }
        if count >= 8 {
            // The last eight bytes, with those in front of `index` shifted out.
            return word(at: count &- 8) >> UInt64(truncatingIfNeeded: (index &+ 8 &- count) &* 8)
        }
        var word: UInt64 = 0
        for (place, offset) in (index..<Swift.max(index, count)).enumerated() {
            word |= UInt64(self[offset]) &<< UInt64(truncatingIfNeeded: place &* 8)
        }
        return word
    }

    /// Whether both hold the same bytes.
    @inlinable
    package func equals(_ other: Span<UInt8>) -> Bool {
        guard count == other.count else { return false }
        var index = 0
        while index < count {
            if partialWord(at: index) != other.partialWord(at: index) { return false }
            index += 8
        }
        return true
    }

    /// Whether it holds the bytes of `text`, which must be ASCII.
    package func equals(_ text: StaticString) -> Bool {
        guard count == text.utf8CodeUnitCount else { return false }
        for index in indices where unsafe self[index] != text.utf8Start[index] { return false }
        return true
    }
}
