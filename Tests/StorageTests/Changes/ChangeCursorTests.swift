import TestSupport
import Testing
import Wire

@testable import Storage

@Suite struct ChangeCursorTests {
    private static let uuid = KeyBytes(isUUID: true, bytes: Array(1...16))
    private static let cases: [ChangeCursor] = [
        ChangeCursor(epoch: 0, number: 0),
        ChangeCursor(ChangePoint(epoch: .min, number: .max)),
        ChangeCursor(epoch: -1, number: 7, position: .note(isRemoval: true, device: 1, type: 2, key: uuid, part: 0)),
        ChangeCursor(
            epoch: .max, number: 1 << 40,
            position: .note(
                isRemoval: false, device: .max, type: .max, key: KeyBytes(isUUID: false, bytes: []), part: .min)),
        ChangeCursor(epoch: 9, number: 8, position: .series(area: 3, series: 4)),
        ChangeCursor(
            epoch: .max, number: .max,
            position: .row(
                area: .max, series: .max, start: .min,
                key: KeyBytes(isUUID: false, bytes: Array(repeating: 0xFF, count: 256)), part: .max)),
        ChangeCursor(
            epoch: 5, number: 6, position: .row(area: 0, series: 1, start: 1_791_961_200_000_000, key: uuid, part: 1)),
    ]

    @Test(arguments: cases) func isItsText(_ cursor: ChangeCursor) {
        let text = cursor.text
        #expect(ChangeCursor(text) == cursor)
        #expect(text.utf8.count <= ChangeCursor.maximumTextBytes)
        #expect(text.utf8.allSatisfy { $0 == 0x2D || $0 == 0x5F || (0x30...0x7A).contains($0) })
    }

    @Test(arguments: cases) func cutOrChangedIsNone(_ cursor: ChangeCursor) {
        let text = Array(cursor.text.utf8)
        for count in text.indices {
            #expect(ChangeCursor(String(decoding: text.prefix(count), as: UTF8.self)) == nil)
            #expect(ChangeCursor(String(decoding: text.dropFirst(count + 1), as: UTF8.self)) == nil)
            var changed = text
            changed[count] = changed[count] == UInt8(ascii: "A") ? UInt8(ascii: "B") : UInt8(ascii: "A")
            #expect(ChangeCursor(String(decoding: changed, as: UTF8.self)) == nil)
        }
        for end in ["A", "=", " ", "\0", "é"] { #expect(ChangeCursor(cursor.text + end) == nil) }
    }

    @Test func whatNobodyWroteIsNone() {
        var random = SeededGenerator(seed: 3)
        for text in ["", "0", "-1", "null", String(repeating: "A", count: 22), String(repeating: "A", count: 100_000)] {
            #expect(ChangeCursor(text) == nil)
        }
        // With a check number that fits: shapes are still looked at.
        func signed(_ bytes: [UInt8]) -> String {
            let hash = Fingerprint.of(bytes)
            let check = (0..<4).map { UInt8(truncatingIfNeeded: hash >> UInt64(24 - 8 * $0)) }
            return String(decoding: base64(bytes + check, .url), as: UTF8.self)
        }
        let head: [UInt8] = [1] + Array(repeating: 0, count: 8)
        #expect(ChangeCursor(signed(head + [0, 0])) == ChangeCursor(epoch: 0, number: 0))
        let refused: [[UInt8]] = [
            head, head + [0], head + [1, 0], head + [0, 0, 0], head + [0, 5], [2] + head.dropFirst() + [0, 0],
            head + [0, 3, 0], head + [0, 3, 1, 0], head + [0, 3, 0, 0, 0], head + [0, 1, 0, 0, 0],
            head + [0, 1, 0, 0, 0, 2], head + [0, 1, 0, 0, 0, 1, 9], head + [0, 4, 1, 0, 0, 0, 0],
            head + [0x80, 0, 0],
        ]
        for bytes in refused { #expect(ChangeCursor(signed(bytes)) == nil, "\(bytes)") }
        for _ in 0..<20_000 {
            let noise =
                head
                + (0..<Int.random(in: 0...40, using: &random)).map { _ in
                    UInt8.random(in: 0...8, using: &random)
                }
            if let cursor = ChangeCursor(signed(noise)) { #expect(cursor.text == signed(noise)) }
        }
    }
}
