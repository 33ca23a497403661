import Samples
import Storage
import Wire

/// Where a sample stands among those of its type and person: by start, device and unit, key and part. What a cursor holds.
package struct SamplePlace: Equatable, Sendable {
    enum Key: Equatable, Sendable {
        case uuid(high: UInt64, low: UInt64)
        /// UTF-8, as far as we wrote it ourselves: a cursor may have anything.
        case text([UInt8])
    }

    /// Its number in `series`, which is never used again.
    var series: Int64
    /// Microseconds; the lowest there are for a sample without a start.
    var start: Int64
    var key: Key
    var part: Int64

    init(series: Int64, start: Int64, key: Key, part: Int64) {
        self.series = series
        self.start = start
        self.key = key
        self.part = part
    }

    init(_ sample: borrowing StoredSample, series: Int64) {
        let key: Key
        switch sample.key {
        case .uuid(let high, let low): key = .uuid(high: high, low: low)
        case .text: key = .text(sample.keyText)
        }
        self.init(series: series, start: sample.start.microseconds, key: key, part: sample.part)
    }

    // MARK: As text

    private static let version: UInt8 = 1
    /// As `SampleKey` has it.
    private static let maximumKeyBytes = 256

    /// For addresses: RFC 4648 section 5 of version, series, start, part, and 16 bytes of a uuid or a text, told apart by
    /// a byte in front. Numbers have their highest byte first.
    package var text: String {
        var bytes = [Self.version]
        for number in [series, start, part] { bytes.append(bigEndian: UInt64(bitPattern: number)) }
        switch key {
        case .uuid(let high, let low):
            bytes.append(0)
            bytes.append(bigEndian: high)
            bytes.append(bigEndian: low)
        case .text(let text):
            bytes.append(1)
            bytes += text
        }
        return String(decoding: base64(bytes, .url), as: UTF8.self)
    }

    /// Reads what `text` writes; nil for anything else. That there is such a sample, or that the series is one that may be
    /// read, is not said.
    package init?(text: String) {
        guard text.utf8.count <= 4 * (26 + Self.maximumKeyBytes) / 3 + 4,
            let bytes = base64Decoded(Array(text.utf8), .url), bytes.count > 26, bytes[0] == Self.version
        else { return nil }
        let numbers = (0..<3).map { Int64(bitPattern: bytes.bigEndian(at: 1 + 8 * $0)) }
        let key: Key
        switch bytes[25] {
        case 0 where bytes.count == 42: key = .uuid(high: bytes.bigEndian(at: 26), low: bytes.bigEndian(at: 34))
        case 1 where bytes.count <= 26 + Self.maximumKeyBytes: key = .text(Array(bytes[26...]))
        default: return nil
        }
        self.init(series: numbers[0], start: numbers[1], key: key, part: numbers[2])
    }

    /// As the column `uuid` holds it.
    func bindKey(_ index: Int32, of statement: Statement) {
        switch key {
        case .text(let text): statement.bind(index, text: text)
        case .uuid(let high, let low):
            var bytes: [UInt8] = []
            bytes.append(bigEndian: high)
            bytes.append(bigEndian: low)
            statement.bind(index, blob: bytes)
        }
    }
}

extension [UInt8] {
    fileprivate mutating func append(bigEndian number: UInt64) {
        for shift in stride(from: 56, through: 0, by: -8) {
            append(UInt8(truncatingIfNeeded: number >> UInt64(shift)))
        }
    }

    /// Eight bytes, which must be there.
    fileprivate func bigEndian(at start: Int) -> UInt64 {
        self[start..<start + 8].reduce(0) { $0 << 8 | UInt64($1) }
    }
}
