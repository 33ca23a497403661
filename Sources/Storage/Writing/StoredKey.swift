import Samples

/// A sample's key as it is compared, sorted and bound: a uuid's two halves, or text of the arena by its bytes.
struct StoredKey {
    /// Texts sort before uuids, as TEXT does before BLOB in SQLite.
    var isUUID: Bool
    /// A uuid's halves, or a text's first and next 8 bytes, so that most comparisons end here.
    var high: UInt64
    var low: UInt64
    /// The whole text; empty for a uuid.
    var text: ArenaRange

    init(_ key: SampleKey, in arena: [UInt8]) {
        switch key {
        case .uuid(let high, let low):
            isUUID = true
            self.high = high
            self.low = low
            text = .empty
        case .text(let range):
            isUUID = false
            text = range
            high = Self.prefix(range.indices, of: arena)
            low = Self.prefix(range.indices.dropFirst(8), of: arena)
        }
    }

    private static func prefix(_ range: Range<Int>, of arena: [UInt8]) -> UInt64 {
        var value: UInt64 = 0
        for index in range.prefix(8) { value = value << 8 | UInt64(arena[index]) }
        return value << (8 * (8 - UInt64(min(range.count, 8))))
    }

    /// -1, 0 or 1, in SQLite's order.
    func compare(_ other: StoredKey, in arena: [UInt8]) -> Int {
        if isUUID != other.isUUID { return isUUID ? 1 : -1 }
        if high != other.high { return high < other.high ? -1 : 1 }
        if low != other.low { return low < other.low ? -1 : 1 }
        if isUUID { return 0 }
        let left = arena[text.indices], right = arena[other.text.indices]
        if left.elementsEqual(right) { return 0 }
        return left.lexicographicallyPrecedes(right) ? -1 : 1
    }
}

/// A key that is ready to be bound: its bytes stay where they are while the batch is applied.
@safe struct BoundKey {
    let isUUID: Bool
    let bytes: UnsafeBufferPointer<UInt8>

    /// A uuid's halves; nil for a text.
    var uuid: (high: UInt64, low: UInt64)? {
        guard isUUID, unsafe bytes.count == 16 else { return nil }
        let raw = unsafe UnsafeRawBufferPointer(bytes)
        return unsafe (
            UInt64(bigEndian: raw.loadUnaligned(as: UInt64.self)),
            UInt64(bigEndian: raw.loadUnaligned(fromByteOffset: 8, as: UInt64.self))
        )
    }

    func bind(_ statement: Statement, _ index: Int32) {
        if isUUID {
            unsafe statement.bind(index, borrowedBlob: bytes)
        } else {
            unsafe statement.bind(index, borrowedText: bytes)
        }
    }
}

/// A batch's arena held still, and sixteen bytes to spell a uuid in.
///
/// Only made inside `withUnsafeBufferPointer` of the arena; nothing that it hands out may leave that closure.
@safe struct PinnedArena {
    private let arena: UnsafeBufferPointer<UInt8>
    private let scratch: UnsafeMutableBufferPointer<UInt8>

    @unsafe init(_ arena: UnsafeBufferPointer<UInt8>, scratch: UnsafeMutableBufferPointer<UInt8>) {
        unsafe self.arena = arena
        unsafe self.scratch = scratch
    }

    /// Bounds are checked: a range past the arena traps rather than reads on.
    @unsafe func bytes(_ range: ArenaRange) -> UnsafeBufferPointer<UInt8> {
        unsafe precondition(range.indices.upperBound <= arena.count, "a range of another batch")
        return unsafe UnsafeBufferPointer(rebasing: arena[range.indices])
    }

    /// Valid until the next call: bind it and step before asking for another.
    func key(_ key: StoredKey) -> BoundKey {
        guard key.isUUID else { return unsafe BoundKey(isUUID: false, bytes: bytes(key.text)) }
        let raw = unsafe UnsafeMutableRawBufferPointer(scratch)
        unsafe raw.storeBytes(of: key.high.bigEndian, as: UInt64.self)
        unsafe raw.storeBytes(of: key.low.bigEndian, toByteOffset: 8, as: UInt64.self)
        return unsafe BoundKey(isUUID: true, bytes: UnsafeBufferPointer(rebasing: scratch[..<16]))
    }
}
