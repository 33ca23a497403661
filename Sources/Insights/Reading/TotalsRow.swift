import Samples
import Storage
import Wire

/// One sample as totals need it: its number in the unit of the type, its times, and what says whether it counts.
struct TotalsRow {
    /// Microseconds since 1970 UTC, half open; equal for a moment.
    var start: Int64 = 0
    var end: Int64 = 0
    /// A range without a mean has its middle.
    var value = 0.0
    var minimum = 0.0, maximum = 0.0
    /// A row of `source`, 0 for none: rows with equal names of app and device are one there.
    var source: Int64 = 0
    /// Seconds east of UTC that its own clock was; nil when it tells none.
    var ownOffset: Int64?
    var grain = Grain.raw
    /// Has HealthKit's own uuid.
    var isNative = true
    /// False of what has no number in the unit of the type, or is of another kind.
    var isUsable = true
    /// Nil for a key that is no uuid.
    var key: Key?

    /// What is one sample, whichever of the person's devices brought it.
    struct Key: Hashable {
        var high: UInt64
        var low: UInt64
        var part: Int64

        /// The uuid, big-endian.
        var bytes: [UInt8] {
            [high, low].flatMap { half in (0..<8).map { UInt8(truncatingIfNeeded: half >> UInt64(56 - 8 * $0)) } }
        }
    }

    /// How long it is, in microseconds.
    var length: Int64 { end - start }
}

/// How numbers of a type become one.
enum FigureKind: UInt8, Sendable {
    case sum = 0
    case arithmetic = 1
    case temporallyWeighted = 2
    case level = 3
    case duration = 4

    init(_ aggregation: CatalogType.Aggregation?) {
        self =
            switch aggregation {
            case .cumulative: .sum
            case .arithmetic: .arithmetic
            case .temporallyWeighted: .temporallyWeighted
            case .equivalentContinuousLevel: .level
            case nil: .duration
            }
    }
}

/// How numbers of a series become numbers in the unit of its type.
enum ToUnit: Equatable {
    case same
    case converted(UnitConversion)
    /// They don't.
    case unknown

    func callAsFunction(_ value: Double) -> Double {
        if case .converted(let conversion) = self { conversion(value) } else { value }
    }
}

/// Reads rows of one series.
struct TotalsRowReader {
    /// The columns that `read` takes, of `sample`.
    static let columns = """
        start, "end", value, source, kind, dialect, spelled, utc_offset, uuid, \
        iif((spelled >> 16 & 15) = 4, rest, NULL), part
        """

    let kind: FigureKind
    let unit: ToUnit

    func read(_ statement: Statement, into row: inout TotalsRow) throws(StoreError) {
        row.start = statement.integer(0)
        row.end = max(row.start, min(statement.optionalInteger(1) ?? row.start, LocalCalendar.times.upperBound))
        row.source = statement.optionalInteger(3) ?? 0
        row.ownOffset = statement.optionalInteger(7).map { max(-1_560, min(1_560, $0)) * 60 }
        guard let dialect = Dialect(code: statement.integer(5)) else {
            throw StoreError(.damaged, detail: "a code of sample is unknown")
        }
        row.key = statement.uuid(8).map { TotalsRow.Key(high: $0.high, low: $0.low, part: statement.integer(10)) }
        row.isNative = Self.isNative(dialect) { row.key?.high }
        let spelled = statement.integer(6)
        row.grain = row.isNative ? .raw : StoredSpelling.grain(ofColumn: spelled)
        let isQuantity = statement.integer(4) == Int64(SampleKind.quantity.rawValue)
        if kind == .duration {
            row.isUsable = !isQuantity
            return
        }
        row.isUsable = false
        guard isQuantity, unit != .unknown else { return }
        var low: Double?, high: Double?
        if StoredSpelling.rule(ofColumn: spelled) == .slotRange {
            (low, high) = RangeMembers.read(statement.bytes(9))
        }
        let middle = statement.double(2) ?? low.flatMap { low in high.map { low + ($0 - low) / 2 } } ?? low ?? high
        guard let middle else { return }
        row.value = unit(middle)
        row.minimum = min(row.value, low.map(unit.callAsFunction) ?? row.value)
        row.maximum = max(row.value, high.map(unit.callAsFunction) ?? row.value)
        row.isUsable = row.value.isFinite && row.minimum.isFinite && row.maximum.isFinite
    }

    /// Whether rows of a dialect have HealthKit's own uuids; InfluxDB's lines have them where a tag says so, else made ones
    /// of version 5.
    static func isNative(_ dialect: Dialect, high: () -> UInt64?) -> Bool {
        switch dialect {
        case .native, .csv, .puls: true
        case .influx: high().map { $0 >> 12 & 15 != 5 } ?? false
        case .hae, .relay, .steps, .apple: false
        }
    }
}

/// `Min` and `Max` of a Health Auto Export range.
enum RangeMembers {
    /// - Parameter rest: the inside of a JSON object without braces.
    static func read(_ rest: [UInt8]) -> (minimum: Double?, maximum: Double?) {
        var found: (minimum: Double?, maximum: Double?)
        let object = PaddedBytes([UInt8(ascii: "{")] + rest + [UInt8(ascii: "}")])
        do {
            var scanner = try JSONScanner(object, limits: .stored)
            try scanner.enterObject()
            while let name = try scanner.nextMember() {
                let isMinimum = scanner.withBytes(of: name) { $0.equals("Min") }
                let isMaximum = scanner.withBytes(of: name) { $0.equals("Max") }
                guard isMinimum || isMaximum, try scanner.kind() == .number else {
                    _ = try scanner.skip()
                    continue
                }
                let number = try scanner.number().value
                guard number.isFinite else { continue }
                if isMinimum { found.minimum = number } else { found.maximum = number }
            }
        } catch {
            // A decoder lets no such thing through; what was read counts.
        }
        return found
    }
}
