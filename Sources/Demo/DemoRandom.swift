/// A small generator with a seed, so that two runs make the same year. Source: Steele et al., SplitMix64.
struct DemoRandom {
    private var state: UInt64

    /// - Parameter stream: keeps what one part of a day draws apart from the others.
    init(seed: UInt64, day: Int, stream: UInt64) {
        state = seed &* 0x9E37_79B9_7F4A_7C15 ^ UInt64(bitPattern: Int64(day)) &* 0xD1B5_4A32_D192_ED03 ^ stream << 56
        _ = next()
    }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }

    mutating func int(_ range: ClosedRange<Int>) -> Int {
        range.lowerBound + Int(next() % UInt64(range.upperBound - range.lowerBound + 1))
    }

    /// From 0 up to 1.
    mutating func unit() -> Double { Double(next() >> 11) / 0x1p53 }

    mutating func chance(_ probability: Double) -> Bool { unit() < probability }

    /// Around 0, most within 1 either way: a sum of twelve draws is as good as a bell.
    mutating func bell() -> Double {
        var sum = 0.0
        for _ in 0..<12 { sum += unit() }
        return sum - 6
    }

    /// Around `middle`, within two widths of it.
    mutating func around(_ middle: Int, _ width: Int) -> Int {
        middle + Int((max(-2, min(2, bell())) * Double(width)).rounded())
    }

    /// 36 characters, as HealthKit writes a random uuid.
    mutating func uuid() -> [UInt8] {
        let words = [next(), next()]
        var text: [UInt8] = []
        text.reserveCapacity(36)
        for index in 0..<16 {
            if index == 4 || index == 6 || index == 8 || index == 10 { text.append(UInt8(ascii: "-")) }
            var byte = UInt8(truncatingIfNeeded: words[index / 8] >> (UInt64(index % 8) * 8))
            if index == 6 { byte = byte & 0x0F | 0x40 }
            if index == 8 { byte = byte & 0x3F | 0x80 }
            for digit in [byte >> 4, byte & 15] {
                text.append(digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "A") + digit - 10)
            }
        }
        return text
    }
}
