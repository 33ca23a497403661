/// Figures of a day, and counts of sources, as a blob of `insights.db`.
///
/// Shape: numbers as LEB128, doubles as 8 bytes little-endian. Unconverted samples; the union; how many shares; of each
/// its source, samples, carried samples, and the doubles that the kind has.
struct FigureBytes {
    private(set) var bytes: [UInt8] = []

    init() {}

    static func encode(_ figures: BucketFigures, _ kind: FigureKind) -> [UInt8] {
        var writer = FigureBytes()
        writer.add(figures.unconverted)
        writer.add(figures.union)
        writer.add(figures.shares.count)
        for share in figures.shares {
            writer.add(Int(share.source))
            writer.add(share.samples)
            writer.add(share.carried)
            switch kind {
            case .sum, .duration:
                writer.add(share.alone)
                writer.add(share.counted)
            case .arithmetic, .temporallyWeighted, .level:
                writer.add(share.minimum)
                writer.add(share.maximum)
                writer.add(share.weighted)
                writer.add(share.weight)
                writer.add(share.last)
                writer.add(Double(bitPattern: UInt64(bitPattern: share.lastEnd)))
                writer.add(Double(bitPattern: UInt64(bitPattern: share.lastStart)))
            }
        }
        return writer.bytes
    }

    /// - Returns: nil for bytes that `encode` doesn't make.
    static func decode(_ bytes: [UInt8], _ kind: FigureKind) -> BucketFigures? {
        var reader = Reader(bytes)
        var figures = BucketFigures()
        guard let unconverted = reader.number(), let union = reader.sum(), let count = reader.number() else {
            return nil
        }
        (figures.unconverted, figures.union) = (unconverted, union)
        for _ in 0..<count {
            guard let source = reader.number(), let samples = reader.number(), let carried = reader.number() else {
                return nil
            }
            var share = Share(source: Int64(source))
            (share.samples, share.carried) = (samples, carried)
            switch kind {
            case .sum, .duration:
                guard let alone = reader.sum(), let counted = reader.sum() else { return nil }
                (share.alone, share.counted) = (alone, counted)
            case .arithmetic, .temporallyWeighted, .level:
                guard let minimum = reader.double(), let maximum = reader.double(), let weighted = reader.sum(),
                    let weight = reader.sum(), let last = reader.double(), let end = reader.double(),
                    let start = reader.double()
                else { return nil }
                (share.minimum, share.maximum) = (minimum, maximum)
                (share.weighted, share.weight, share.last) = (weighted, weight, last)
                share.lastEnd = Int64(bitPattern: end.bitPattern)
                share.lastStart = Int64(bitPattern: start.bitPattern)
            }
            figures.shares.append(share)
        }
        return reader.isAtEnd ? figures : nil
    }

    /// How many rows each source has.
    static func encode(_ counts: [Int64: Int]) -> [UInt8] {
        var writer = FigureBytes()
        for (source, rows) in counts.sorted(by: { $0.key < $1.key }) {
            writer.add(Int(source))
            writer.add(rows)
        }
        return writer.bytes
    }

    static func decodeCounts(_ bytes: [UInt8]) -> [Int64: Int]? {
        var reader = Reader(bytes)
        var counts: [Int64: Int] = [:]
        while !reader.isAtEnd {
            guard let source = reader.number(), let rows = reader.number() else { return nil }
            counts[Int64(source)] = rows
        }
        return counts
    }

    static func encode(order: [Int64]) -> [UInt8] {
        var writer = FigureBytes()
        for source in order { writer.add(Int(source)) }
        return writer.bytes
    }

    static func decodeOrder(_ bytes: [UInt8]) -> [Int64]? {
        var reader = Reader(bytes)
        var order: [Int64] = []
        while !reader.isAtEnd {
            guard let source = reader.number() else { return nil }
            order.append(Int64(source))
        }
        return order
    }

    /// Not negative.
    private mutating func add(_ number: Int) {
        var rest = UInt64(number)
        while rest >= 0x80 {
            bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        bytes.append(UInt8(rest))
    }

    private mutating func add(_ number: Double) {
        let bits = number.bitPattern
        for shift in stride(from: UInt64(0), to: 64, by: 8) { bytes.append(UInt8(truncatingIfNeeded: bits >> shift)) }
    }

    private mutating func add(_ sum: ExactSum) {
        add(sum.sum)
        add(sum.rest)
    }

    private struct Reader {
        let bytes: [UInt8]
        var index = 0

        init(_ bytes: [UInt8]) { self.bytes = bytes }
        var isAtEnd: Bool { index == bytes.count }

        mutating func number() -> Int? {
            var number: UInt64 = 0, shift: UInt64 = 0
            while index < bytes.count, shift < 63 {
                let byte = bytes[index]
                index += 1
                number |= UInt64(byte & 0x7F) << shift
                if byte < 0x80 { return Int(exactly: number) }
                shift += 7
            }
            return nil
        }

        mutating func double() -> Double? {
            guard bytes.count - index >= 8 else { return nil }
            var bits: UInt64 = 0
            for offset in 0..<8 { bits |= UInt64(bytes[index + offset]) << UInt64(8 * offset) }
            index += 8
            return Double(bitPattern: bits)
        }

        mutating func sum() -> ExactSum? {
            guard let sum = double(), let rest = double() else { return nil }
            return ExactSum(sum: sum, rest: rest)
        }
    }
}

/// A check number behind a blob of `insights.db`, over its bytes and the numbers beside it in its row: SQLite notices damage
/// to its own structure alone, and a wrong number would be believed for good.
enum FigureSeal {
    static func sealed(_ bytes: [UInt8], _ numbers: Int64...) -> [UInt8] {
        let check = check(bytes[...], numbers)
        return bytes + (0..<8).map { UInt8(truncatingIfNeeded: check >> (8 * $0)) }
    }

    /// - Returns: what was sealed; nil when bytes or numbers are others.
    static func opened(_ bytes: [UInt8], _ numbers: Int64...) -> [UInt8]? {
        guard bytes.count >= 8 else { return nil }
        let content = bytes[..<(bytes.count - 8)]
        var found: UInt64 = 0
        for index in 0..<8 { found |= UInt64(bytes[content.count + index]) << UInt64(8 * index) }
        return found == check(content, numbers) ? Array(content) : nil
    }

    /// FNV-1a, 64 bits. Source: draft-eastlake-fnv.
    private static func check(_ bytes: ArraySlice<UInt8>, _ numbers: [Int64]) -> UInt64 {
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        for byte in bytes { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
        for number in numbers {
            for shift in stride(from: 0, to: 64, by: 8) {
                hash = (hash ^ UInt64(UInt8(truncatingIfNeeded: number >> shift))) &* 0x100_0000_01B3
            }
        }
        return hash
    }
}
