import Samples

/// A sample's key as a value of its own, outside of any batch.
struct KeyBytes: Hashable {
    let isUUID: Bool
    let bytes: [UInt8]

    init(isUUID: Bool, bytes: [UInt8]) {
        self.isUUID = isUUID
        self.bytes = bytes
    }

    /// None stands behind it.
    static let last = KeyBytes(isUUID: true, bytes: [UInt8](repeating: 0xFF, count: 16))

    init(_ key: SampleKey, in batch: SampleBatch) {
        switch key {
        case .uuid(let high, let low):
            isUUID = true
            bytes = Array(capacity: 16) { spelling in
                for index in 0..<16 { spelling.append(Self.byte(index, of: high, low)) }
            }
        case .text(let range):
            isUUID = false
            bytes = Array(batch.bytes(range))
        }
    }

    init(_ key: StoredKey, in batch: SampleBatch) {
        self.init(key.isUUID ? .uuid(high: key.high, low: key.low) : .text(key.text), in: batch)
    }

    /// The key in `column` of a row.
    init(_ statement: Statement, _ column: Int32) {
        self.init(isUUID: statement.isBlob(column), bytes: statement.bytes(column))
    }

    private static func byte(_ index: Int, of high: UInt64, _ low: UInt64) -> UInt8 {
        UInt8(truncatingIfNeeded: (index < 8 ? high : low) >> UInt64(56 - 8 * (index & 7)))
    }

    /// 64 bits of it, the same in every run.
    var fingerprint: UInt64 { Fingerprint.of(bytes) }

    /// The fingerprint of a key that is still in its batch.
    static func fingerprint(_ key: SampleKey, in batch: SampleBatch) -> UInt64 {
        switch key {
        case .uuid(let high, let low): Fingerprint.of((0..<16).lazy.map { byte($0, of: high, low) })
        case .text(let range): Fingerprint.of(batch.bytes(range))
        }
    }

    /// Made from a name (`NameUUID`), not by the sender: version 5.
    var isNamed: Bool { isUUID && bytes.count == 16 && bytes[6] >> 4 == 5 }

    /// Lends the key as the tables' statements take it.
    func withBound<Result>(_ body: (BoundKey) throws(StoreError) -> Result) throws(StoreError) -> Result {
        try unsafe bytes.withUnsafeBufferPointer { (pointer) throws(StoreError) -> Result in
            try body(unsafe BoundKey(isUUID: isUUID, bytes: pointer))
        }
    }

    func bind(_ statement: Statement, _ index: Int32) {
        if isUUID { statement.bind(index, blob: bytes) } else { statement.bind(index, text: bytes) }
    }
}

/// FNV-1a, 64 bits: the same in every run, so that it can be stored. Whoever makes two texts collide harms only what he
/// sends himself.
enum Fingerprint {
    static func of(_ bytes: some Sequence<UInt8>) -> UInt64 {
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        for byte in bytes { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
        return hash
    }

    static func of(_ identity: SlotMember.Identity) -> UInt64 {
        var bytes: [UInt8] = []
        func add(_ number: UInt64?) {
            bytes.append(number == nil ? 0 : 1)
            for shift in stride(from: 0, to: 64, by: 8) {
                bytes.append(UInt8(truncatingIfNeeded: (number ?? 0) >> UInt64(shift)))
            }
        }
        for name in identity.sources.names { bytes += Array(name.utf8) + [0] }
        // -0 and 0 are equal, and must look so.
        add(identity.value.map { $0 == 0 ? 0 : $0.bitPattern })
        add(identity.end.map { UInt64(bitPattern: $0) })
        add(identity.name.map { UInt64(bitPattern: $0) })
        return of(bytes + identity.content)
    }
}
