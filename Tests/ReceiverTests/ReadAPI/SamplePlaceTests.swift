import Insights
import TestSupport
import Testing

/// What a cursor says, whoever wrote it.
@Suite struct SamplePlaceTests {
    private static let uuid = "AQAAAAAAAAAHAAXzEHpA0AAAAAAAAAAAAABeHQAAAABAAIAAAAAAAAAB"

    @Test func bothSortsOfKeysReadBack() throws {
        #expect(try #require(SamplePlace(text: Self.uuid)).text == Self.uuid)
        for length in [1, 2, 3, 255, 256] {
            let text = SamplePlace.text(series: 7, -5, Array(repeating: 0x61, count: length), .max)
            #expect(try #require(SamplePlace(text: text)).text == text)
        }
    }

    @Test func longerKeysThanThereAre() {
        for length in [257, 258, 1_000, 100_000] {
            #expect(SamplePlace(text: SamplePlace.text(series: 7, 0, Array(repeating: 0x61, count: length))) == nil)
        }
    }

    @Test func everyCutIsRefused() {
        for length in 0..<Self.uuid.utf8.count { #expect(SamplePlace(text: String(Self.uuid.prefix(length))) == nil) }
        #expect(SamplePlace(text: Self.uuid + "A") == nil && SamplePlace(text: Self.uuid + "AA") == nil)
        #expect(SamplePlace(text: Self.uuid + "=") == nil && SamplePlace(text: " " + Self.uuid) == nil)
    }

    /// Whatever is read is written the same: no two cursors mean one place.
    @Test func mutationsAreRefusedOrAnotherPlace() {
        var random = SeededGenerator(seed: 3)
        let original = Array(Self.uuid.utf8)
        var read = 0
        for _ in 0..<20_000 {
            var bytes = original
            for _ in 0..<Int.random(in: 1...3, using: &random) {
                let index = bytes.indices.randomElement(using: &random) ?? 0
                bytes[index] = UInt8.random(in: 0...255, using: &random)
            }
            let text = String(decoding: bytes, as: UTF8.self)
            guard let place = SamplePlace(text: text) else { continue }
            read += 1
            #expect(place.text == text)
        }
        #expect(read > 100)
    }
}
