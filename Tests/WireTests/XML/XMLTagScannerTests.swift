import TestSupport
import Testing

@testable import Wire

struct TagVector: Decodable, Sendable, CustomTestStringConvertible {
    var name: String, xml: String, tags: [String]
    var testDescription: String { name }
    var bytes: [UInt8] {
        xml.replacing("§", with: "\u{0B}").utf8.map { $0 }
    }
}

/// The tags of a text that arrives in pieces, as the vectors write them.
private func tags(_ pieces: [ArraySlice<UInt8>], maximumTagBytes: Int = 1 << 18) -> (tags: [String], isCut: Bool) {
    var scanner = XMLTagScanner(maximumTagBytes: maximumTagBytes)
    var found: [String] = []
    func read() {
        while let token = scanner.next() {
            switch token {
            case .open:
                var text = String(decoding: scanner.unescaped(scanner.name), as: UTF8.self)
                for attribute in scanner.attributes {
                    text += " " + String(decoding: scanner.unescaped(attribute.name), as: UTF8.self)
                    text += "=" + String(decoding: scanner.unescaped(attribute.value), as: UTF8.self)
                }
                found.append(text + (scanner.isEmptyElement ? "/" : ""))
            case .close: found.append("</" + String(decoding: scanner.unescaped(scanner.name), as: UTF8.self))
            case .damaged: found.append("damaged")
            case .text: found.append("text")
            }
        }
    }
    for piece in pieces {
        scanner.feed(piece.span)
        read()
    }
    scanner.finish()
    read()
    return (found, scanner.isCut)
}

@Suite struct XMLTagScannerTests {
    @Test(arguments: Vectors.load("apple/tags.json", as: TagVector.self))
    func tolerantTags(vector: TagVector) {
        let bytes = vector.bytes
        #expect(tags([bytes[...]]).tags == vector.tags)
        for cut in bytes.indices {
            #expect(tags([bytes[..<cut], bytes[cut...]]).tags == vector.tags, "in two pieces at \(cut)")
        }
        #expect(tags(bytes.indices.map { bytes[$0..<$0 + 1] }).tags == vector.tags, "byte by byte")
    }

    @Test func aFileThatEndsInATagIsCut() {
        for text in ["<A x=\"1", "<A x=", "<A", "<!-- x", "<!DOCTYPE H [", "<?xml", "<A x=\"1\"/><B x=\"1\""] {
            #expect(tags([Array(text.utf8)[...]]).isCut, "\(text)")
        }
        #expect(!tags([Array("<A></A>\n".utf8)[...]]).isCut)
    }

    @Test func aTagPastTheLimitIsLeftOut() {
        let short = Array("<A x=\"\(String(repeating: "y", count: 100))\"/><B/>".utf8)
        #expect(tags([short[...]], maximumTagBytes: 64).tags.count == 2)  // it is all there, so it is read
        let pieces = Array("<A x=\"\(String(repeating: "y", count: 100)) <B/>".utf8)
        let found = tags(pieces.indices.map { pieces[$0..<$0 + 1] }, maximumTagBytes: 64)
        #expect(found.tags == ["damaged", "B/"])
    }

    @Test("Tags without an end cost no more than a part of what is read, and a few of them hide nothing")
    func tagsWithoutAnEnd() {
        let open = Array(repeatElement(Array(#"<a b="x"#.utf8), count: 1 << 19).joined())
        #expect(
            tags(stride(from: 0, to: open.count, by: 1 << 18).map { open[$0..<min($0 + 1 << 18, open.count)] }).tags
                .count < 500)
        let few = Array(
            "<A><a b=\"\(String(repeating: "y", count: 1 << 19)) <B/><c d='\(String(repeating: "z", count: 1 << 19)) <D/></A>"
                .utf8)
        #expect(tags([few[...]]).tags == ["A", "damaged", "B/", "damaged", "D/", "</A"])
    }

    @Test func aTagOfOtherBytesThanUTF8IsMarked() {
        var scanner = XMLTagScanner()
        scanner.feed((Array("<A x=\"".utf8) + [0xFF] + Array("\"/><B/>".utf8)).span)
        #expect(scanner.next() == .open && !scanner.isUTF8)
        #expect(scanner.next() == .open && scanner.isUTF8)
    }

    @Test func textIsTakenWhereItIsAskedFor() {
        let bytes = Array("<a>\n <ele> 12.5\n</ele>x</a>".utf8)
        for size in [1, 2, 7, 100] {
            var scanner = XMLTagScanner(takesText: true), texts: [String] = []
            for start in stride(from: 0, to: bytes.count, by: size) {
                scanner.feed(bytes[start..<min(bytes.count, start + size)].span)
                while let token = scanner.next() {
                    if token == .text { texts.append(String(decoding: scanner.unescaped(scanner.text), as: UTF8.self)) }
                }
            }
            #expect(texts == ["12.5", "x"])
        }
    }

    @Test func damagedTextsNeverTrap() {
        let seeds = Vectors.load("apple/tags.json", as: TagVector.self).map(\.bytes)
        var generator = SeededGenerator(seed: 11)
        for round in 0..<4_000 {
            let text = seeds[round % seeds.count].mutated(
                alphabet: Array("<>\"'=/!-[]? &;#x".utf8) + [0, 0xFF, 0x80], using: &generator)
            let whole = tags([text[...]])
            let cut = Int.random(in: 0...text.count, using: &generator)
            let parts = tags([text[..<cut], text[cut...]])
            #expect(whole.tags == parts.tags && whole.isCut == parts.isCut, "\(String(decoding: text, as: UTF8.self))")
        }
    }

    @Test func decimalNumbers() {
        let right: [(String, Double)] = [
            ("0", 0), ("-0", 0), ("5", 5), ("-5", -5), ("+5", 5), ("5.", 5), (".5", 0.5), ("78.4321", 78.4321),
            ("1e-05", 1e-05), ("1E+3", 1000), ("29.73371916611989", 29.73371916611989), ("00012", 12),
            ("123456789012345678901234567890", 0x1.8ee90ff6c373ep+96),
            ("0.1000000000000000055511151231257827", 0.1), ("1e-400", 0), ("2.5e-324", .leastNonzeroMagnitude),
        ]
        for (text, value) in right {
            #expect(DecimalText.parse(Array(text.utf8).span)?.value == value, "\(text)")
        }
        for text in [
            "", "-", ".", "e5", "1e", "1e+", "1x", "NaN", "inf", "0x10", " 1", "1 ", "1e400", "1,5", "--1", "1.2.3",
        ] {
            #expect(DecimalText.parse(Array(text.utf8).span) == nil, "\(text)")
        }
        #expect(DecimalText.parse(Array("100.2500".utf8).span)?.significantDigits == 5)
    }
}
