import Testing

@testable import Storage

/// The pieces of the uuid index, each alone.
@Suite struct KeyPartsTests {
    private static func entries(_ count: Int, seed: UInt64) -> [KeyEntry] {
        var random = SeededGenerator(seed: seed)
        return (0..<count).map { _ in
            KeyEntry(
                hash: UInt64.random(in: .min ... .max, using: &random) & KeyHash.mask,
                start: Int64.random(in: .min ... .max, using: &random),
                series: UInt32.random(in: .min ... .max, using: &random))
        }
    }

    // MARK: Filters

    @Test func aFilterNeverSaysNoToWhatIsThere() {
        for count in [0, 1, 42, 43, 5_000] {
            var filter = KeyFilter(entries: count)
            let entries = Self.entries(count, seed: 1)
            for entry in entries { filter.insert(entry.hash) }
            #expect(entries.allSatisfy { filter.mayContain($0.hash) })
            let wrong = Self.entries(20_000, seed: 2).count { filter.mayContain($0.hash) }
            #expect(wrong < 200, "\(wrong) of 20,000 at \(count) entries")
        }
        #expect(!KeyFilter(entries: 0).mayContain(.max))
    }

    /// A piece that was written while the rest was still to come is the one that is there at the end.
    @Test func aFilterFillsFromItsFront() {
        let entries = Self.entries(20_000, seed: 3).sorted(by: KeyEntry.precedes)
        var filter = KeyFilter(entries: entries.count), early: [[UInt8]] = []
        for entry in entries {
            while early.count < filter.finishedPieces(before: entry.hash) { early.append(filter.piece(early.count)) }
            filter.insert(entry.hash)
        }
        #expect(early.count >= filter.pieces - 1 && filter.pieces > 5)
        for (index, piece) in early.enumerated() { #expect(piece == filter.piece(index)) }
        var copy = KeyFilter(blocks: filter.blocks)
        for index in 0..<filter.pieces {
            let isTaken = copy.set(index, filter.piece(index))
            #expect(isTaken)
        }
        #expect(entries.allSatisfy { copy.mayContain($0.hash) })
        for (index, bytes) in [(filter.pieces, filter.piece(0)), (-1, []), (0, [1])] {
            let isTaken = copy.set(index, bytes)
            #expect(!isTaken)
        }
    }

    // MARK: Pages

    @Test func pagesAreWhatWasWritten() throws {
        var entries = Self.entries(200, seed: 4)
        entries[7].hash = entries[8].hash
        // Each spelling of a start at both of its ends, and one past them; series around each length.
        let starts: [Int64] = [
            0, 1_000_000, -1_000_000, 4_294_967_295_000_000, 4_294_967_296_000_000, 1_262_304_000_000_000,
            1_262_303_999_999_000, 1_262_304_000_001_000, (1_262_304_000_000 + 1 << 40 - 1) * 1_000,
            (1_262_304_000_000 + 1 << 40) * 1_000, 1, -1, .min, .min + 1, .max,
        ]
        for (index, start) in starts.enumerated() {
            entries.append(KeyEntry(hash: UInt64(index) << 40, start: start, series: UInt32(index)))
        }
        for series: UInt32 in [0, 31, 32, 4_095, 4_096, 1 << 19 - 1, 1 << 19, 1 << 26, .max] {
            entries.append(KeyEntry(hash: KeyHash.mask, start: -1, series: series))
        }
        entries.sort(by: KeyEntry.precedes)
        let bytes = KeyPage.encode(entries)
        var decoded: [KeyEntry] = []
        let isDecoded = KeyPage.decode(bytes, into: &decoded)
        #expect(isDecoded && decoded == entries)
        for hash in entries.map(\.hash) + [1 << 24, entries[50].hash &+ 1 << 24] {
            var found: [SamplePlace] = []
            let isPage = KeyPage.search(bytes, for: hash, found: &found)
            #expect(isPage && found == entries.filter { $0.hash == hash }.map(\.place))
        }
        var none: [SamplePlace] = []
        let isEmptyPage = KeyPage.search([], for: 5, found: &none)
        #expect(isEmptyPage && none.isEmpty)
    }

    @Test func entriesTakeAsManyBytesAsTheyNeed() {
        for (start, series, count) in [
            (1_700_000_000_000_000, 31, 10), (1_700_000_000_000_000, 32, 11), (1_700_000_000_123_000, 1, 11),
            (1_700_000_000_123_456, 1, 14), (Int64.min, 1, 6), (.max, .max, KeyPage.entryBytes),
        ] as [(Int64, UInt32, Int)] {
            #expect(KeyPage.encode([KeyEntry(hash: 1 << 63, start: start, series: series)]).count == count)
        }
    }

    /// Cut at every position; a number of a series without an end; one past 32 bits.
    @Test func whatIsNoPageIsSaidToBeNone() {
        let entries = Self.entries(3, seed: 6).sorted(by: KeyEntry.precedes)
        let bytes = KeyPage.encode(entries)
        let ends = (1...3).map { KeyPage.encode(entries[..<$0]).count }
        let cuts = bytes.indices.filter { $0 > 0 && !ends.contains($0) }.map { Array(bytes.prefix($0)) }
        let hash: [UInt8] = [1, 2, 3, 4, 5]
        for page in cuts + [hash + [0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 3], hash + [0xFF, 0xFF, 0xFF, 0xFF, 0x7F]] {
            var decoded: [KeyEntry] = [], found: [SamplePlace] = []
            let isDecoded = KeyPage.decode(page, into: &decoded)
            let isSearched = KeyPage.search(page, for: .max, found: &found)
            #expect(!isDecoded && !isSearched, "\(page)")
        }
    }

    @Test func aChangedRowDoesNotOpen() throws {
        let row = KeyPage.encode(Self.entries(7, seed: 8))
        var sealed = row
        KeySeal.close(&sealed, id: 3, seed: 9)
        func opens(_ bytes: [UInt8], id: Int64 = 3, seed: UInt64 = 9) -> [UInt8]? {
            var bytes = bytes
            return KeySeal.open(&bytes, id: id, seed: seed) ? bytes : nil
        }
        #expect(opens(sealed) == row)
        #expect(opens(sealed, id: 4) == nil && opens(sealed, seed: 8) == nil && opens(row) == nil)
        for index in sealed.indices {
            for bit in 0..<8 {
                var changed = sealed
                changed[index] ^= 1 << UInt8(bit)
                #expect(opens(changed) == nil)
            }
            #expect(opens(Array(sealed.prefix(index))) == nil)
        }
        #expect(opens(sealed + [0]) == nil)
        // Of any length, none included.
        for length in 0..<20 {
            var bytes = [UInt8](repeating: 0, count: length)
            KeySeal.close(&bytes, id: 1, seed: 2)
            #expect(opens(bytes, id: 1, seed: 2) == [UInt8](repeating: 0, count: length))
        }
    }

    /// What is in files: another spelling needs another migration and another `KeySeal.spelling`.
    @Test func rowsAreSpelledAsInFiles() {
        let entries = [
            KeyEntry(hash: 0x0102_0304_0500_0000, start: 1_700_000_000_000_000, series: 5),
            KeyEntry(hash: 0x0102_0304_0600_0000, start: 1_700_000_000_001_000, series: 300),
        ]
        #expect(
            KeyPage.encode(entries) == [
                1, 2, 3, 4, 5, 22, 0x00, 0xF1, 0x53, 0x65, 1, 2, 3, 4, 6, 0xB1, 9, 0x01, 0xF0, 0xB6, 0xE8, 0x65,
            ])
        var row: [UInt8] = [1, 2, 3]
        KeySeal.close(&row, id: 3, seed: 9)
        #expect(row == [1, 2, 3, 51, 166, 101, 236, 49, 153, 50, 82])
    }

    /// An older program that still runs spells entries in another way, so none of its rows may be read as if it were ours.
    @Test func aRowOfAnOlderProgramDoesNotOpen() {
        var row: [UInt8] = [1, 2, 3, 51, 166, 101, 146, 49, 153, 50, 44]
        let isOpened = KeySeal.open(&row, id: 3, seed: 9)
        #expect(!isOpened)
    }

    // MARK: Recent entries

    @Test func recentEntriesAreTakenBackInTurn() {
        let entries = Self.entries(3_000, seed: 5).map {
            KeyEntry(hash: (($0.hash >> 24) % 1_200) << 24, start: $0.start, series: 1)
        }
        var recent = RecentKeys(), model: [KeyEntry] = []
        var random = SeededGenerator(seed: 6)
        for entry in entries {
            recent.append(entry)
            model.append(entry)
            if Int.random(in: 0..<40, using: &random) == 0 {
                let count = Int.random(in: max(0, model.count - 60)...model.count, using: &random)
                recent.truncate(to: count)
                model.removeLast(model.count - count)
            }
            if Int.random(in: 0..<400, using: &random) == 0 {
                let from = Int.random(in: 0...model.count, using: &random)
                let range = from..<Int.random(in: from...model.count, using: &random)
                recent.remove(range)
                model.removeSubrange(range)
            }
            let hash = UInt64.random(in: 0..<1_200, using: &random) << 24
            var found: [SamplePlace] = []
            recent.find(hash, found: &found)
            let expected = model.filter { $0.hash == hash }.map(\.start).sorted()
            #expect(found.map(\.start).sorted() == expected)
        }
        #expect(recent.entries == model)
    }

    // MARK: Hashes

    @Test func hashesSpread() {
        var seen: Set<UInt64> = [], tops: [UInt64: Int] = [:]
        for number in 0..<UInt64(10_000) {
            for device in Int64(1)...2 {
                let hash = KeyHash.hash(77, device, 0x4000, 0x8000_0000_0000_0000 + number)
                seen.insert(hash)
                tops[hash >> 60, default: 0] += 1
            }
        }
        #expect(seen.count == 20_000)
        #expect(tops.count == 16 && tops.values.allSatisfy { (1_000...1_500).contains($0) })
        #expect(KeyHash.hash(1, 2, 3, 4) != KeyHash.hash(2, 2, 3, 4))
    }

    // MARK: Sorting

    /// As `sorted` does it, whatever the numbers are: spread, all in one bucket, equal, few, at both ends.
    @Test(arguments: [0, 1, 2, 8, 9, 100, 5_000]) func bucketsAreSorted(count: Int) {
        var random = SeededGenerator(seed: UInt64(count))
        let spreads: [(UInt64, UInt64)] = [(.min, .max), (0, 3), (.max - 2, .max), (7, 7), (1 << 32, 1 << 63)]
        for (least, greatest) in spreads {
            let elements = (0..<count).map { index in
                (number: UInt64.random(in: least...greatest, using: &random), index: index % 100)
            }
            func precedes(_ left: (number: UInt64, index: Int), _ right: (number: UInt64, index: Int)) -> Bool {
                left.number != right.number ? left.number < right.number : left.index < right.index
            }
            let made = BucketSort.sorted(elements, by: { $0.number }, precedes)
            let expected = elements.sorted(by: precedes)
            #expect(made.map(\.number) == expected.map(\.number) && made.map(\.index) == expected.map(\.index))
        }
    }
}
