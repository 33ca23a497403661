/// The check number at the end of each row of the index: a row that was changed, or that stands under another number, is not
/// taken for what was written.
enum KeySeal {
    static let bytes = 8

    static func close(_ bytes: inout [UInt8], id: Int64, seed: UInt64) {
        append(number(bytes, bytes.count, id, seed), to: &bytes)
    }

    /// Takes the check number off.
    ///
    /// - Returns: false when it is not that of the bytes.
    static func open(_ bytes: inout [UInt8], id: Int64, seed: UInt64) -> Bool {
        guard bytes.count >= Self.bytes else { return false }
        let count = bytes.count - Self.bytes
        guard load(bytes, count) == number(bytes, count, id, seed) else { return false }
        bytes.removeLast(Self.bytes)
        return true
    }

    static func append(_ number: UInt64, to bytes: inout [UInt8]) {
        unsafe withUnsafeBytes(of: number.littleEndian) { unsafe bytes.append(contentsOf: $0) }
    }

    /// Another one with each change of how rows are spelled: an older program that still runs behind the migration writes rows
    /// that this one must not take for its own, nor the other way round.
    private static let spelling: UInt64 = 6 << 56

    /// Eight bytes at `offset`.
    static func load(_ bytes: [UInt8], _ offset: Int) -> UInt64 {
        precondition(offset >= 0 && offset + 8 <= bytes.count)
        return unsafe bytes.withUnsafeBytes {
            unsafe UInt64(littleEndian: $0.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
        }
    }

    private static func number(_ bytes: [UInt8], _ count: Int, _ id: Int64, _ seed: UInt64) -> UInt64 {
        var sum = seed ^ UInt64(bitPattern: id) &* 0x9E37_79B9_7F4A_7C15 ^ UInt64(count) ^ spelling
        unsafe bytes.withUnsafeBytes { raw in
            var offset = 0
            while offset &+ 8 <= count {
                let word = unsafe raw.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
                sum = mix(sum ^ UInt64(littleEndian: word))
                offset &+= 8
            }
            var rest: UInt64 = 0
            while offset < count {
                rest = rest << 8 | UInt64(unsafe raw[offset])
                offset &+= 1
            }
            sum = mix(sum ^ rest)
        }
        return sum
    }

    /// One to one, so that a change of one word always shows.
    @inline(__always)
    private static func mix(_ word: UInt64) -> UInt64 {
        let product = word &* 0xD6E8_FEB8_6659_FD93
        return product ^ product >> 32
    }
}
