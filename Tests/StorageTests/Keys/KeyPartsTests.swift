import Testing

@testable import Storage

/// The pieces of the uuid index, each alone.
@Suite struct KeyPartsTests {
    private static func entries(_ count: Int, seed: UInt64) -> [KeyEntry] {
        var random = SeededGenerator(seed: seed)
        return (0..<count).map { _ in
            KeyEntry(
                hash: UInt64.random(in: .min ... .max, using: &random),
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
        entries += [
            KeyEntry(hash: 0, start: .min, series: 0), KeyEntry(hash: .max, start: .max, series: .max),
            KeyEntry(hash: .max, start: -1, series: 1),
        ]
        entries.sort(by: KeyEntry.precedes)
        let bytes = KeyPage.encode(entries)
        #expect(bytes.count == entries.count * 20)
        var decoded: [KeyEntry] = []
        let isDecoded = KeyPage.decode(bytes, into: &decoded)
        #expect(isDecoded && decoded == entries)
        for hash in entries.map(\.hash) + [1, entries[50].hash &+ 1] {
            var found: [SamplePlace] = []
            let isPage = KeyPage.search(bytes, for: hash, found: &found)
            #expect(isPage && found == entries.filter { $0.hash == hash }.map(\.place))
        }
        var none: [SamplePlace] = []
        let isEmptyPage = KeyPage.search([], for: 5, found: &none)
        #expect(isEmptyPage && none.isEmpty)
        for length in 1..<20 {
            let cut = Array(bytes.prefix(length)), cutLater = Array(bytes.prefix(20 + length))
            let isSearched = KeyPage.search(cut, for: 5, found: &none),
                isCutDecoded = KeyPage.decode(cutLater, into: &decoded)
            #expect(!isSearched && !isCutDecoded)
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

    // MARK: Recent entries

    @Test func recentEntriesAreTakenBackInTurn() {
        let entries = Self.entries(3_000, seed: 5).map { KeyEntry(hash: $0.hash % 1_200, start: $0.start, series: 1) }
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
            let hash = UInt64.random(in: 0..<1_200, using: &random)
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
}
