import Samples
import Wire

/// One hint of the uuid index: a sample whose (device, uuid) has this hash was stored at this place.
///
/// Only a hint: the row may have moved or gone since, and another uuid may have the same hash.
struct KeyEntry: Equatable {
    /// Of `KeyHash.mask`'s bits: one uuid of 40,000 meets another's hash among 30 million.
    var hash: UInt64
    var start: Int64
    var series: UInt32

    var place: SamplePlace { SamplePlace(series: Int64(series), start: start) }

    /// In the order of pages: by hash, and equal ones by place.
    static func precedes(_ left: KeyEntry, _ right: KeyEntry) -> Bool {
        if left.hash != right.hash { return left.hash < right.hash }
        return left.series != right.series ? left.series < right.series : left.start < right.start
    }
}

/// Entries as the bytes of a page or of the log: 5 bytes of hash, greatest first; series and the start's grain in one
/// variable-length number; the start in as many bytes as its grain needs, lowest first. 10 bytes for whole seconds.
enum KeyPage {
    /// How a start is spelled: the raw value is the two lowest bits of the number before it.
    private enum Grain: UInt64 {
        /// 8 bytes of microseconds since 1970.
        case microseconds
        /// 5 bytes of milliseconds since 2010, which reach 2044.
        case milliseconds
        /// 4 bytes of seconds since 1970, which reach 2106.
        case seconds
        /// No bytes: `SamplePlace` without a start.
        case none

        var bytes: Int {
            switch self {
            case .microseconds: 8
            case .milliseconds: 5
            case .seconds: 4
            case .none: 0
            }
        }

        /// - Returns: the grain and what stands in its bytes.
        static func spell(_ start: Int64) -> (Grain, UInt64) {
            if start == .min { return (.none, 0) }
            if start % 1_000_000 == 0, let seconds = UInt32(exactly: start / 1_000_000) {
                return (.seconds, UInt64(seconds))
            }
            if start % 1_000 == 0 {
                let milliseconds = start / 1_000 - epochMilliseconds
                if milliseconds >= 0 && milliseconds < 1 << 40 { return (.milliseconds, UInt64(milliseconds)) }
            }
            return (.microseconds, UInt64(bitPattern: start))
        }

        func start(_ number: UInt64) -> Int64 {
            switch self {
            case .microseconds: Int64(bitPattern: number)
            case .milliseconds: (Int64(number) + Self.epochMilliseconds) * 1_000
            case .seconds: Int64(number) * 1_000_000
            case .none: .min
            }
        }

        /// 2010-01-01.
        private static let epochMilliseconds: Int64 = 1_262_304_000_000
    }

    private static let hashBytes = 5
    /// Of one entry at most.
    static let entryBytes = hashBytes + 5 + 8

    static func encode(_ entries: some Collection<KeyEntry>) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(entries.count * (hashBytes + 6))
        for entry in entries { append(entry, to: &bytes) }
        return bytes
    }

    static func append(_ entry: KeyEntry, to bytes: inout [UInt8]) {
        let (grain, start) = Grain.spell(entry.start)
        bytes.append(addingCapacity: entryBytes) { output in
            append(entry.hash.byteSwapped, hashBytes, to: &output)
            var series = UInt64(entry.series) << 2 | grain.rawValue
            while series >= 0x80 {
                output.append(UInt8(truncatingIfNeeded: series) | 0x80)
                series >>= 7
            }
            output.append(UInt8(truncatingIfNeeded: series))
            append(start, grain.bytes, to: &output)
        }
    }

    /// The lower bytes of `number`, the lowest first.
    private static func append(_ number: UInt64, _ count: Int, to output: inout OutputSpan<UInt8>) {
        var rest = number
        for _ in 0..<count {
            output.append(UInt8(truncatingIfNeeded: rest))
            rest >>= 8
        }
    }

    /// - Returns: false for bytes that are no whole number of entries.
    static func decode(_ bytes: [UInt8], into entries: inout [KeyEntry]) -> Bool {
        entries.reserveCapacity(entries.count + bytes.count / (hashBytes + 6))
        var reader = Reader(bytes)
        while let entry = reader.next() { entries.append(entry) }
        return reader.isAtEnd
    }

    /// The places of all entries of a sorted page that have `hash`.
    ///
    /// - Returns: false for bytes that are no whole number of entries, as far as they were looked at.
    static func search(_ bytes: [UInt8], for hash: UInt64, found: inout [SamplePlace]) -> Bool {
        var reader = Reader(bytes)
        while let entry = reader.next() {
            if entry.hash > hash { return true }
            if entry.hash == hash { found.append(entry.place) }
        }
        return reader.isAtEnd
    }

    private struct Reader {
        /// With zeros behind them, so that eight can be loaded at each place.
        private let bytes: [UInt8]
        private let count: Int
        private var position = 0

        init(_ bytes: [UInt8]) {
            count = bytes.count
            self.bytes = bytes + [0, 0, 0, 0, 0, 0, 0, 0]
        }

        var isAtEnd: Bool { position == count }

        /// - Returns: nil at the end, and there too where an entry is cut or spelled as none is.
        mutating func next() -> KeyEntry? {
            var end = position + hashBytes + 1
            guard end <= count else { return nil }
            let head = bytes.span.word(at: position)
            var series = head >> UInt64(hashBytes * 8) & 0xFF
            if series >= 0x80 {
                guard let longer = longSeries(at: &end, series & 0x7F) else { return nil }
                series = longer
            }
            guard let grain = Grain(rawValue: series & 3), end + grain.bytes <= count else { return nil }
            let number = bytes.span.word(at: end) & ~(UInt64.max << UInt64(grain.bytes * 8))
            position = end + grain.bytes
            return KeyEntry(
                hash: head.byteSwapped & KeyHash.mask, start: grain.start(number),
                series: UInt32(truncatingIfNeeded: series >> 2))
        }

        /// The rest of a series' number behind its first seven bits.
        private func longSeries(at offset: inout Int, _ first: UInt64) -> UInt64? {
            var number = first, shift: UInt64 = 7
            while offset < count, shift < 35 {
                let byte = bytes[offset]
                offset += 1
                number |= UInt64(byte & 0x7F) << shift
                if byte < 0x80 { return number < 1 << 34 ? number : nil }
                shift += 7
            }
            return nil
        }
    }
}

/// 40 bits of (device, uuid), which nobody who doesn't know the database's seed can choose: the upper ones of a number.
enum KeyHash {
    static let mask: UInt64 = ~0xFF_FFFF

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
    /// So many bytes of entries, with what is behind them and SQLite's own, fill a page of 4,096.
    var pageBytes = 4_040
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
