import Samples
import Storage
import Wire

/// One row of type `workout` as it is read.
struct StoredWorkout {
    var series: HeldSeries
    var start: Int64
    /// 16 bytes, or a text that is no uuid.
    var key: SQLValue
    var end: Int64?
    var seconds: Double?
    var activity: Int64?
    var source: Int64
    var offset: Int16?
    var energyKilocalories: Double?
    var distanceMetres: Double?
    /// A member with points, as Health Auto Export has it.
    var hasOwnRoute: Bool
    /// Empty where it was not asked for: it may have a route's many points.
    var rest: RestMembers

    static let columns = #"start, uuid, "end", value, value_name, source, utc_offset, rest"#

    init(_ row: Statement, of series: HeldSeries, _ catalog: Catalog, keepsRest: Bool) {
        self.series = series
        start = row.integer(0)
        key = row.value(1)
        end = row.optionalInteger(2)
        seconds = row.double(3)
        activity = row.optionalInteger(4)
        source = row.integer(5)
        offset = row.optionalInteger(6).flatMap { Int16(exactly: $0) }
        let members = RestMembers(row.bytes(7))
        energyKilocalories = Self.energy(members, catalog)
        distanceMetres = Self.distance(members, catalog)
        hasOwnRoute = members.members["route"].map { $0.kind == .array && $0.range.count > 2 } ?? false
        rest = keepsRest ? members : RestMembers([])
    }

    /// Upper case with hyphens; another key as it is.
    var uuid: String { Self.text(of: key) }

    static func text(of key: SQLValue) -> String {
        switch key {
        case .text(let text): return text
        case .blob(let bytes):
            let digits = "0123456789ABCDEF".utf8.map { $0 }
            var text: [UInt8] = []
            for (index, byte) in bytes.enumerated() {
                if bytes.count == 16 && [4, 6, 8, 10].contains(index) { text.append(UInt8(ascii: "-")) }
                text += [digits[Int(byte >> 4)], digits[Int(byte & 15)]]
            }
            return String(decoding: text, as: UTF8.self)
        case .integer, .real, .null: return ""
        }
    }

    /// How the store has a key that is written so.
    static func key(of text: String) -> SQLValue {
        guard case .uuid(let high, let low) = SampleKey.uuid(parsing: Array(text.utf8).span) else { return .text(text) }
        var bytes: [UInt8] = []
        for half in [high, low] {
            for shift in stride(from: 56, through: 0, by: -8) {
                bytes.append(UInt8(truncatingIfNeeded: half >> UInt64(shift)))
            }
        }
        return .blob(bytes)
    }

    /// Seconds; of a workout that doesn't tell from start to end.
    var durationSeconds: Double {
        if let seconds, seconds.isFinite, seconds >= 0 { return seconds }
        guard let end, end > start else { return 0 }
        return Double(end) / 1e6 - Double(start) / 1e6
    }

    /// Its end, else start and duration; never before the start, and 31 days behind it at most.
    var endMicroseconds: Int64 {
        func behind(_ length: Double) -> Int64 {
            let (sum, isOver) = start.addingReportingOverflow(Int64(min(length, Self.maximumMicroseconds)))
            return isOver ? .max : sum
        }
        guard let end, end >= start else { return behind(durationSeconds * 1e6) }
        return min(end, behind(Self.maximumMicroseconds))
    }

    /// Longest stretch in which samples are looked for.
    static let maximumMicroseconds: Double = 31 * 86_400e6

    // MARK: Amounts

    /// Our own member, else the sender's with its unit.
    private static func energy(_ rest: RestMembers, _ catalog: Catalog) -> Double? {
        let others = ["activeEnergyBurned", "activeEnergy", "totalEnergyBurned", "totalEnergy"]
        return amount(rest, "energy_kcal", others, "kcal", catalog)
    }

    private static func distance(_ rest: RestMembers, _ catalog: Catalog) -> Double? {
        amount(rest, "distance_m", ["distance", "totalDistance"], "m", catalog)
    }

    private static func amount(
        _ rest: RestMembers, _ own: String, _ others: [String], _ unit: String, _ catalog: Catalog
    ) -> Double? {
        if let number = rest.number(own) { return number }
        for name in others {
            guard let object = rest.object(name), let number = object.number("qty") ?? object.number("value"),
                let sent = object.text("units") ?? object.text("unit"),
                let conversion = catalog.conversion(from: sent.utf8, to: unit.utf8)
            else { continue }
            return conversion(number)
        }
        return nil
    }
}

extension Statement {
    func bind(_ index: Int32, key: SQLValue) {
        switch key {
        case .text(let text): bind(index, text: text)
        case .blob(let bytes): bind(index, blob: bytes)
        case .integer, .real, .null: bindNull(index)
        }
    }
}
