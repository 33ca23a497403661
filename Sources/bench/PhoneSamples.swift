import Samples

/// What a phone measures: fresh uuids, times that move on, a mix of types. The same seed makes the same samples.
struct PhoneSamples {
    struct Sample {
        var uuid: String
        var type: String
        var unit: String
        /// As JSON writes it.
        var value: String
        /// Since 1970-01-01T00:00:00Z.
        var startSeconds: Int64
        var endSeconds: Int64
    }

    var random: SplitMix
    private var second: Int64 = 1_700_000_000

    init(seed: UInt64) { random = SplitMix(state: seed) }

    private static let quantities: [(type: String, unit: String, values: [String])] = [
        ("heart_rate", "count/min", ["61", "72", "118", "143"]), ("steps", "count", ["12", "97", "412"]),
        ("active_energy_burned", "kcal", ["0.184", "1.25", "9.75"]),
        ("distance_walking_running", "m", ["8.03275332", "120.5511770726", "14.2"]),
        ("heart_rate_variability_sdnn", "ms", ["41.3301122", "77.25"]), ("oxygen_saturation", "%", ["0.97", "0.98"]),
    ]

    mutating func next() -> Sample {
        second += Int64(random.next() % 28) + 1
        let end = second + Int64(random.next() % 600)
        let kind = Self.quantities[Int(random.next() % UInt64(Self.quantities.count))]
        let value = kind.values[Int(random.next() % UInt64(kind.values.count))]
        return Sample(
            uuid: uuid(), type: kind.type, unit: kind.unit, value: value, startSeconds: second, endSeconds: end)
    }

    private mutating func uuid() -> String {
        let high = hex(random.next()), low = hex(random.next())
        return "\(high.prefix(8))-\(high.dropFirst(8).prefix(4))-4\(high.suffix(3))-A\(low.prefix(3))-\(low.suffix(12))"
    }

    private func hex(_ value: UInt64) -> String {
        let digits = String(value, radix: 16, uppercase: true)
        return String(repeating: "0", count: 16 - digits.count) + digits
    }
}

/// A small generator with a seed, so that two runs send the same. Source: Steele et al., SplitMix64.
struct SplitMix {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}
