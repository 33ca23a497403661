/// A keyed hash of bytes, 8 at a time, for tables that live no longer than the process.
///
/// The key is random for each process, so that a peer can't choose bytes that collide. Not for signatures.
package enum ByteHash {
    @usableFromInline static let seed = UInt64.random(in: .min ... .max)
    @usableFromInline static let factor = UInt64.random(in: .min ... .max) | 1

    @inlinable
    package static func hash(_ bytes: Span<UInt8>) -> UInt64 {
        let factor = factor
        var state = seed, offset = 0
        while bytes.count - offset > 8 {
            state = mix(state ^ bytes.word(at: offset), factor)
            offset += 8
        }
        // The length tells a text from the same with zeros behind it.
        let length = UInt64(truncatingIfNeeded: bytes.count) &* 0x9E37_79B9_7F4A_7C15
        return mix(state ^ bytes.partialWord(at: offset), factor ^ length)
    }

    @inlinable @inline(__always) static func mix(_ a: UInt64, _ b: UInt64) -> UInt64 {
        let product = a.multipliedFullWidth(by: b)
        return product.high ^ product.low
    }
}
