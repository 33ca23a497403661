/// Random numbers that are the same in every run (SplitMix64), so that a failing mutation can be seen again.
package struct SeededGenerator: RandomNumberGenerator {
    private var state: UInt64

    package init(seed: UInt64) { state = seed }

    package mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ mixed >> 30) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ mixed >> 27) &* 0x94D0_49BB_1331_11EB
        return mixed ^ mixed >> 31
    }
}

extension [UInt8] {
    /// A copy with one to four small damages: a byte changed, put in, taken out, or a piece repeated.
    ///
    /// - Parameter alphabet: bytes that matter to the grammar under test, from which new ones are drawn.
    package func mutated(alphabet: [UInt8], using generator: inout SeededGenerator) -> [UInt8] {
        var copy = self
        for _ in 0..<Int.random(in: 1...4, using: &generator) {
            let place = Int.random(in: 0...copy.count, using: &generator)
            let byte = alphabet.randomElement(using: &generator) ?? 0
            switch Int.random(in: 0..<4, using: &generator) {
            case 0 where place < copy.count: copy[place] = byte
            case 1 where place < copy.count: copy.remove(at: place)
            case 2:
                let start = Int.random(in: 0...place, using: &generator)
                copy.insert(contentsOf: Array(copy[start..<place].prefix(64)), at: place)
            default: copy.insert(byte, at: place)
            }
        }
        return copy
    }
}
