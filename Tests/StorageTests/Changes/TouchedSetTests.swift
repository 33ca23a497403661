import Samples
import TestSupport
import Testing

@testable import Storage

@Suite struct TouchedSetTests {
    private static func covers(_ areas: [TouchedSet.Area], _ series: Int64, _ start: Int64, _ end: Int64?) -> Bool {
        areas.contains { area in
            area.series.contains(series) && area.starts.contains(start)
                && (start == .min || area.reach >= end ?? start)
        }
    }

    private static let hour: Int64 = 3_600_000_000
    private static let now: Int64 = 1_791_961_200_000_000

    /// What is noted is covered, before and after it was bytes, and by a set that has two of them.
    @Test func allThatIsNotedIsCovered() {
        let seed = UInt64.random(in: .min ... .max)
        print("touched seed \(seed)")
        var random = SeededGenerator(seed: seed)
        let extremes: [Int64] = [.min, .min + 1, -1, 0, 1, .max - 1, .max]
        for round in 0..<400 {
            var sets = [TouchedSet(), TouchedSet()]
            var noted: [(series: Int64, start: Int64, end: Int64?)] = []
            let many: Int64 = round % 40 == 0 ? 5_000 : 5
            for _ in 0..<(many > 5 ? 3_000 : Int.random(in: 1...60, using: &random)) {
                var start = Self.now + Int64.random(in: -200...200, using: &random) * Self.hour / 3
                if Int.random(in: 0..<8, using: &random) == 0 { start = extremes.randomElement(using: &random)! }
                let end = [nil, .min, .max, start == .min ? 0 : start - 1, Self.now].randomElement(using: &random)!
                let series = Int64.random(in: 1...many, using: &random)
                noted.append((series, start, end))
                sets[Int.random(in: 0...1, using: &random)].note(series: series, start: start, end: end)
            }
            var union = TouchedSet()
            for index in sets.indices {
                let areas = sets[index].areas()
                let bytes = sets[index].encoded()
                #expect(TouchedSet.decode(bytes) == areas, "seed \(seed)")
                for area in areas { union.add(area) }
            }
            let areas = union.areas()
            #expect(noted.allSatisfy { Self.covers(areas, $0.series, $0.start, $0.end) }, "seed \(seed)")
            #expect(areas.count <= TouchedSet.maximumSeries * (TouchedSet.maximumStretches + 1))
            if many == 5 {
                for series in 1...many {
                    let list = areas.filter { $0.series == series...series }
                    #expect(list.count <= TouchedSet.maximumStretches + 1)
                    // Of which none could be one with its neighbour.
                    let stretches = list.compactMap(\.stretch)
                    for (one, other) in zip(stretches, stretches.dropFirst()) {
                        #expect(other.low - one.high > TouchedSet.gap, "seed \(seed)")
                    }
                }
            }
        }
    }

    /// What one more number costs is what a stretch is worth: a body of an hour is one, apart from one of last year.
    @Test func sizes() {
        struct Case { var starts: [Int64], series: Int64, stretches: Int, bytes: Int }
        let cases = [
            Case(starts: [Self.now], series: 1, stretches: 1, bytes: 9),
            Case(starts: (0..<500).map { Self.now + $0 * 5_000_000 }, series: 1, stretches: 1, bytes: 10),
            Case(starts: [Self.now, Self.now - 8_760 * Self.hour], series: 1, stretches: 2, bytes: 14),
            Case(starts: (0..<30).map { Self.now + $0 * 24 * Self.hour }, series: 3, stretches: 8, bytes: 60),
        ]
        for one in cases {
            var set = TouchedSet()
            for start in one.starts {
                for series in 1...one.series { set.note(series: series, start: start, end: nil) }
            }
            #expect(set.areas().count == one.stretches * Int(one.series))
            #expect(set.encoded().count <= one.bytes * Int(one.series), "\(set.encoded().count)")
        }
        var empty = TouchedSet()
        #expect(empty.isEmpty && empty.encoded() == [] && TouchedSet.decode([]) == [])
        empty.note(series: 1, start: .min, end: nil)
        #expect(!empty.isEmpty && empty.encoded().count == 3)
        empty.removeAll()
        #expect(empty.isEmpty && empty.encoded() == [])
    }

    @Test func seriesPastTheBoundAreOneStretch() {
        var set = TouchedSet()
        for series in 1...Int64(TouchedSet.maximumSeries) { set.note(series: series, start: Self.now, end: nil) }
        #expect(set.areas().count == TouchedSet.maximumSeries)
        set.note(series: 5_000, start: Self.now, end: nil)
        #expect(set.areas().map(\.series) == [1...5_000])
        set.note(series: 9, start: .min, end: nil)
        #expect(set.areas().map(\.series) == [1...5_000, 1...5_000])
        #expect(set.encoded().count < 24)
        #expect(TouchedSet.decode(set.encoded()) == set.areas())
    }

    /// Bytes of another hand: cut, changed and made up. None traps; what is read is written the same.
    @Test func hostileBytes() {
        var set = TouchedSet()
        for series in [1, 2, 300] as [Int64] {
            set.note(series: series, start: .min, end: nil)
            for day in 0..<4 as Range<Int64> {
                set.note(series: series, start: Self.now + day * 24 * Self.hour, end: .max)
            }
        }
        let bytes = set.encoded()
        for count in 1..<bytes.count { #expect(TouchedSet.decode(Array(bytes.prefix(count))) == nil) }
        #expect(TouchedSet.decode(bytes + [0]) == nil)
        var random = SeededGenerator(seed: 5)
        for _ in 0..<20_000 {
            var changed = bytes
            for _ in 0...Int.random(in: 0...2, using: &random) {
                changed[Int.random(in: bytes.indices, using: &random)] = .random(in: .min ... .max, using: &random)
            }
            if let areas = TouchedSet.decode(changed) { for area in areas { _ = (area.starts, area.reach) } }
            let noise = (0..<Int.random(in: 1...30, using: &random)).map { _ in
                [UInt8.random(in: .min ... .max, using: &random), 0xFF, 0].randomElement(using: &random)!
            }
            if let areas = TouchedSet.decode(noise) { for area in areas { _ = (area.starts, area.reach) } }
        }
        let longest: [UInt8] = Array(repeating: 0xFF, count: 9) + [1]
        let refused: [[UInt8]] = [
            [0x80], [0x80, 0], longest, [1], [1, 1, 0], [1, 1, 18], [1] + longest + [1], [2, 1, 1, 0, 1], [0, 2, 1, 1],
            [1, 1, 2] + longest + [0, 0], [1, 1, 2, 0] + longest + [0], [1, 1, 2, 0, 0] + longest,
            [0, 1] + longest + [1],
        ]
        for bytes in refused { #expect(TouchedSet.decode(bytes) == nil, "\(bytes)") }
    }

    @Test func variableLengthNumbers() {
        for value: UInt64 in [0, 1, 127, 128, 16_383, 16_384, 1 << 35, .max - 1, .max] {
            var bytes: [UInt8] = []
            VarInt.append(value, to: &bytes)
            var reader = VarInt.Reader(bytes)
            #expect(reader.next() == value && reader.isAtEnd)
            for count in 0..<bytes.count {
                var cut = VarInt.Reader(Array(bytes.prefix(count)))
                #expect(cut.next() == nil)
            }
        }
        for value: Int64 in [0, -1, 1, .min, .max] { #expect(VarInt.unzigzag(VarInt.zigzag(value)) == value) }
        #expect(VarInt.zigzag(-1) == 1 && VarInt.zigzag(1) == 2)
        var reader = VarInt.Reader([1, 2, 3])
        #expect(reader.take(4) == nil && reader.take(-1) == nil && reader.take(2) == [1, 2] && reader.rest == [3])
    }
}
