/// A keyed hash of bytes, 8 at a time, for tables that live no longer than the process.
///
/// The key is random for each process, so that a peer can't choose bytes that collide. Not for signatures.
package enum ByteHash {
    @usableFromInline static let seed = UInt64.random(in: .min ... .max)
    @usableFromInline static let factor = UInt64.random(in: .min ... .max) | 1

    @inlinable package static func hash(_ bytes: UnsafeBufferPointer<UInt8>) -> UInt64 {
        let count = bytes.count
        guard count > 0, let base = unsafe UnsafeRawPointer(bytes.baseAddress) else { return seed }
        var state = seed, offset = 0
        while count - offset > 8 {
            state = unsafe mix(state ^ word(base, offset), factor)
            offset += 8
        }
        // The last word overlaps the one before it; the length tells "a" from "aa" of a short text.
        let last: UInt64
        if count >= 8 {
            last = unsafe word(base, count - 8)
        } else if count >= 4 {
            last =
                unsafe UInt64(base.loadUnaligned(as: UInt32.self))
                | UInt64(base.loadUnaligned(fromByteOffset: count - 4, as: UInt32.self)) << 32
        } else {
            last =
                unsafe UInt64(base.load(as: UInt8.self))
                | UInt64(base.load(fromByteOffset: count / 2, as: UInt8.self)) << 8
                | UInt64(base.load(fromByteOffset: count - 1, as: UInt8.self)) << 16
        }
        return mix(state ^ last, factor &+ UInt64(truncatingIfNeeded: count) &* 0x9E37_79B9_7F4A_7C15)
    }

    @inlinable @inline(__always) static func word(_ base: UnsafeRawPointer, _ offset: Int) -> UInt64 {
        unsafe base.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
    }

    @inlinable @inline(__always) static func mix(_ a: UInt64, _ b: UInt64) -> UInt64 {
        let product = a.multipliedFullWidth(by: b)
        return product.high ^ product.low
    }
}
