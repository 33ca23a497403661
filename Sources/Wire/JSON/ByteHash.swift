/// A keyed hash of bytes, 8 at a time, for tables that live no longer than the process. Not for signatures.
package struct ByteHash: Sendable {
    @usableFromInline let seed: UInt64
    @usableFromInline let factor: UInt64

    /// Random for each process, so that a peer can't choose bytes that collide.
    package static let process = ByteHash(seed: .random(in: .min ... .max), factor: .random(in: .min ... .max) | 1)

    @usableFromInline init(seed: UInt64, factor: UInt64) {
        self.seed = seed
        self.factor = factor
    }

    @inlinable
    package func hash(_ bytes: Span<UInt8>) -> UInt64 {
        var state = seed, offset = 0
        while bytes.count - offset > 8 {
            state = mix(state ^ bytes.word(at: offset), factor)
            offset += 8
        }
        return last(state, word: bytes.partialWord(at: offset), count: bytes.count)
    }

    /// The hash of `count` bytes, at most eight: those of `word`, lowest first, with zeros behind them.
    @inlinable @inline(__always)
    package func hash(word: UInt64, count: Int) -> UInt64 { last(seed, word: word, count: count) }

    /// The length tells a text from the same with zeros behind it.
    @inlinable @inline(__always)
    func last(_ state: UInt64, word: UInt64, count: Int) -> UInt64 {
        mix(state ^ word, factor ^ UInt64(truncatingIfNeeded: count) &* 0x9E37_79B9_7F4A_7C15)
    }

    @inlinable @inline(__always)
    func mix(_ a: UInt64, _ b: UInt64) -> UInt64 {
        let product = a.multipliedFullWidth(by: b)
        return product.high ^ product.low
    }
}
