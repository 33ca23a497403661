import Samples

/// One hint of the uuid index: a sample whose (device, uuid) has this hash was stored at this place.
///
/// Only a hint: the row may have moved or gone since, and another uuid may have the same hash.
struct KeyEntry: Equatable {
    var hash: UInt64
    var start: Int64
    var series: UInt32

    /// Bytes of an entry on a page: hash, start and series, little-endian.
    static let bytes = 20

    var place: SamplePlace { SamplePlace(series: Int64(series), start: start) }

    /// In the order of pages: by hash, and equal ones by place.
    static func precedes(_ left: KeyEntry, _ right: KeyEntry) -> Bool {
        if left.hash != right.hash { return left.hash < right.hash }
        return left.series != right.series ? left.series < right.series : left.start < right.start
    }
}

/// Entries as the bytes of a page or of the log.
enum KeyPage {
    static func encode(_ entries: some Collection<KeyEntry>) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: entries.count * KeyEntry.bytes)
        unsafe bytes.withUnsafeMutableBytes { raw in
            var offset = 0
            for entry in entries {
                unsafe raw.storeBytes(of: entry.hash.littleEndian, toByteOffset: offset, as: UInt64.self)
                unsafe raw.storeBytes(of: entry.start.littleEndian, toByteOffset: offset + 8, as: Int64.self)
                unsafe raw.storeBytes(of: entry.series.littleEndian, toByteOffset: offset + 16, as: UInt32.self)
                offset += KeyEntry.bytes
            }
        }
        return bytes
    }

    /// - Returns: false for bytes that are no whole number of entries.
    static func decode(_ bytes: [UInt8], into entries: inout [KeyEntry]) -> Bool {
        guard bytes.count.isMultiple(of: KeyEntry.bytes) else { return false }
        entries.reserveCapacity(entries.count + bytes.count / KeyEntry.bytes)
        for offset in stride(from: 0, to: bytes.count, by: KeyEntry.bytes) { entries.append(entry(bytes, offset)) }
        return true
    }

    /// The places of all entries of a sorted page that have `hash`.
    ///
    /// - Returns: false for bytes that are no whole number of entries.
    static func search(_ bytes: [UInt8], for hash: UInt64, found: inout [SamplePlace]) -> Bool {
        guard bytes.count.isMultiple(of: KeyEntry.bytes) else { return false }
        var low = 0, high = bytes.count / KeyEntry.bytes
        while low < high {
            let middle = (low + high) / 2
            if self.hash(bytes, middle * KeyEntry.bytes) < hash { low = middle + 1 } else { high = middle }
        }
        var offset = low * KeyEntry.bytes
        while offset < bytes.count, self.hash(bytes, offset) == hash {
            found.append(entry(bytes, offset).place)
            offset += KeyEntry.bytes
        }
        return true
    }

    private static func hash(_ bytes: [UInt8], _ offset: Int) -> UInt64 { load(bytes, offset, as: UInt64.self) }

    private static func entry(_ bytes: [UInt8], _ offset: Int) -> KeyEntry {
        KeyEntry(
            hash: load(bytes, offset, as: UInt64.self), start: load(bytes, offset + 8, as: Int64.self),
            series: load(bytes, offset + 16, as: UInt32.self))
    }

    private static func load<Number: FixedWidthInteger & BitwiseCopyable>(
        _ bytes: [UInt8], _ offset: Int, as type: Number.Type
    ) -> Number {
        precondition(offset >= 0 && offset + MemoryLayout<Number>.size <= bytes.count)
        return unsafe bytes.withUnsafeBytes {
            unsafe Number(littleEndian: $0.loadUnaligned(fromByteOffset: offset, as: Number.self))
        }
    }
}

/// 64 bits of (device, uuid), which nobody who doesn't know the database's seed can choose.
enum KeyHash {
    typealias Function = @Sendable (_ seed: UInt64, _ device: Int64, _ high: UInt64, _ low: UInt64) -> UInt64

    /// Two rounds of a folded 128-bit product.
    static func hash(_ seed: UInt64, _ device: Int64, _ high: UInt64, _ low: UInt64) -> UInt64 {
        let inner = fold(high ^ seed, low ^ 0xE703_7ED1_A0B4_28DB)
        return fold(inner ^ 0x8EBC_6AF0_9C88_C6E3, (seed ^ UInt64(bitPattern: device)) &* 2 &+ 0x5895_65D5_4D4A_97A1)
    }

    private static func fold(_ left: UInt64, _ right: UInt64) -> UInt64 {
        let product = left.multipliedFullWidth(by: right)
        return product.high ^ product.low
    }
}

/// Sizes of the uuid index; tests make them small, and hashes equal.
struct KeyTuning: Sendable {
    var hash: KeyHash.Function = KeyHash.hash
    /// Entries that memory and log hold before they become a run.
    var recentEntries = 65_536
    /// Runs of one level that are merged to one of the next.
    var fanIn = 8
    /// 200 entries with SQLite's own bytes fill a page of 4,096.
    var pageEntries = 200
    /// Entries of one slice of upkeep: a few milliseconds.
    var sliceEntries = 8_192
    /// Pages that one slice removes.
    var slicePages = 128
    /// Rows that are read for one slice of a rebuild.
    var rebuiltRows = 65_536
    /// So many entries of rows that are gone have all compared with the samples, once they are an eighth of all.
    var staleEntries = 4_096
    /// And any of them once it is so old.
    var staleMicroseconds: Int64 = 30 * 86_400_000_000
    var now: @Sendable () -> Int64 = { Timestamp.now.microseconds }
}
