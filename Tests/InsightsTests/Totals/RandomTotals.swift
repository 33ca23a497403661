import Foundation
import Samples
import TestSupport

@testable import Insights

/// Random samples around a moment, such as a change of the clocks.
struct RandomTotals {
    enum Mix: String, CaseIterable, Sendable {
        /// All with HealthKit's uuids, on the person's clock.
        case native
        /// Some with a clock of their own.
        case travel
        /// Natives and others.
        case guests
        /// Sums of several lengths beside raw ones, with and without natives.
        case grains
    }

    var generator: SeededGenerator
    let mix: Mix
    let zoneName: String
    /// Minutes since 1970.
    let center: Int
    private var key = 0

    init(seed: UInt64, _ mix: Mix, _ zoneName: String, center: Int) {
        generator = SeededGenerator(seed: seed)
        (self.mix, self.zoneName, self.center) = (mix, zoneName, center)
    }

    mutating func samples(_ count: Int) -> [TotalsSample] { (0..<count).map { _ in sample() } }

    mutating func sample() -> TotalsSample {
        key += 1
        var sample = TotalsSample(source: Int.random(in: 0..<4, using: &generator), start: 0, end: 0, key: key)
        sample.start = center + Int.random(in: -3 * 1_440..<3 * 1_440, using: &generator)
        let length =
            switch Int.random(in: 0..<10, using: &generator) {
            case 0, 1: 0
            case 2...6: Int.random(in: 1...30, using: &generator)
            case 7, 8: Int.random(in: 30...600, using: &generator)
            default: Int.random(in: 600...2_000, using: &generator)
            }
        sample.end = sample.start + length
        sample.value = Double(Int.random(in: 0...500, using: &generator))
        switch mix {
        case .native: break
        case .travel:
            if Bool.random(using: &generator) {
                sample.offset = [-720, -240, 60, 120, 330, 660, 840].randomElement(using: &generator)!
            }
        case .guests:
            sample.isNative = Int.random(in: 0..<5, using: &generator) == 0
            if sample.isNative { sample.end = min(sample.end, sample.start + 60) }
            if Int.random(in: 0..<4, using: &generator) == 0 { sample.offset = -300 }
        case .grains: makeGrain(&sample)
        }
        return sample
    }

    private mutating func makeGrain(_ sample: inout TotalsSample) {
        let roll = Int.random(in: 0..<20, using: &generator)
        sample.isNative = roll == 0
        if roll < 6 {
            sample.end = min(sample.end, sample.start + 40)
            return
        }
        let slow = SlowTotals(zoneName, [])
        func align(_ length: Int) {
            sample.start = slow.hour(sample.start)
            sample.end = sample.start + length
        }
        switch roll {
        case 6...8: (sample.grain, sample.end) = (.minute, sample.start + 1)
        case 9...14:
            sample.grain = .hour
            align(60)
        case 15...18:
            sample.grain = .day
            let day = slow.day(sample.start)
            while slow.day(sample.start - 1) == day { sample.start -= 1 }
            sample.end = sample.start + 1
            while slow.day(sample.end) == day { sample.end += 1 }
        default:
            sample.grain = .week
            align(7 * 1_440)
        }
    }
}
