import Signing

/// The uuid of a sample whose sender gave none: version 5 of RFC 9562 section 5.5, so that the same parts give the same
/// uuid for ever, on every machine.
package struct NameUUID {
    /// A random namespace, made for these names alone. Never change it: stored keys depend on it.
    private static let namespace: [UInt8] = [
        0x8D, 0x0E, 0x3B, 0x52, 0x6F, 0x1A, 0x4C, 0x77, 0x9B, 0x35, 0x2C, 0xE4, 0x51, 0xA0, 0x97, 0x6E,
    ]
    private var bytes = namespace

    package init() {}

    /// Forgets the parts, keeping the memory.
    package mutating func reset() { bytes.removeSubrange(Self.namespace.count...) }

    /// Adds a part: its length and its bytes, so that no two lists of parts are one name.
    package mutating func add(_ part: Span<UInt8>) {
        add(Int64(part.count))
        unsafe part.withUnsafeBufferPointer { unsafe bytes.append(contentsOf: $0) }
    }

    package mutating func add(_ part: some Collection<UInt8>) {
        add(Int64(part.count))
        bytes.append(contentsOf: part)
    }

    package mutating func add(_ number: Int64) {
        unsafe withUnsafeBytes(of: number.bigEndian) { unsafe bytes.append(contentsOf: $0) }
    }

    /// The uuid of the parts so far and one number more, which is not added.
    borrowing func key(adding number: Int64) -> SampleKey {
        let count = bytes.count + 8
        // What a name consists of is short, as good as always: a copy on the stack costs less than one on the heap.
        return unsafe withUnsafeTemporaryAllocation(of: UInt8.self, capacity: count) { name in
            _ = unsafe name.initialize(fromContentsOf: bytes)
            unsafe UnsafeMutableRawBufferPointer(name).storeBytes(
                of: number.bigEndian, toByteOffset: count - 8, as: Int64.self)
            return unsafe key(of: UnsafeBufferPointer(name).span)
        }
    }

    /// The uuid of the parts so far.
    package var key: SampleKey { key(of: bytes.span) }

    private borrowing func key(of name: Span<UInt8>) -> SampleKey {
        let digest = Digest.sha1(name)
        var high: UInt64 = 0, low: UInt64 = 0
        for index in 0..<8 {
            high = high << 8 | UInt64(digest[index])
            low = low << 8 | UInt64(digest[index + 8])
        }
        high = high & ~0xF000 | 0x5000  // version 5
        low = low & ~(0b11 << 62) | 0b10 << 62  // the variant of RFC 9562
        return .uuid(high: high, low: low)
    }
}
