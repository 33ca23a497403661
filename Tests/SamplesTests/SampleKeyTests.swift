import Foundation
import Samples
import TestSupport
import Testing

struct SampleKeyTests {
    private func key(_ text: [UInt8]) -> SampleKey? { SampleKey.uuid(parsing: text.span) }

    @Test func randomUUIDs() throws {
        var generator = SeededGenerator(seed: 7)
        for _ in 0..<2_000 {
            let (high, low) = (generator.next(), generator.next())
            let digits = [high, low].map { String(format: "%016llX", $0) }.joined()
            let text = [0..<8, 8..<12, 12..<16, 16..<20, 20..<32].map { String(Array(digits)[$0]) }.joined(
                separator: "-")
            #expect(key(Array(text.utf8)) == .uuid(high: high, low: low))
            #expect(key(Array(text.lowercased().utf8)) == .uuid(high: high, low: low))
        }
    }

    /// Every byte at every place: only hexadecimal digits, and hyphens where they belong.
    @Test func everyByteAtEveryPlace() {
        let whole = Array("5E1D0000-0000-4000-8000-00000000000a".utf8)
        for place in whole.indices {
            for byte in UInt8.min ... .max {
                var text = whole
                text[place] = byte
                let isHyphen = [8, 13, 18, 23].contains(place)
                let isRight =
                    isHyphen ? byte == UInt8(ascii: "-") : Character(Unicode.Scalar(byte)).isHexDigit && byte < 0x80
                #expect((key(text) != nil) == isRight, "\(byte) at \(place)")
            }
        }
        #expect(key(whole.dropLast()) == nil)
        #expect(key(whole + [0x30]) == nil)
    }
}
