import Foundation
import TestSupport
import Testing
import Wire

struct JSONScannerTests {
    @Test(arguments: JSONVector.accepted)
    func accepted(vector: JSONVector) {
        #expect(faultOfSkipping(vector.content) == nil)
        #expect(faultOfWalking(vector.content) == nil)
    }

    @Test(arguments: JSONVector.refused)
    func refused(vector: JSONVector) throws {
        let fault = try #require(faultOfSkipping(vector.content))
        #expect("\(fault.reason)" == vector.reason)
        #expect(fault.offset == vector.offset)
        #expect(faultOfWalking(vector.content) == fault)
    }

    @Test func cutAtEveryByte() {
        let whole = Array(
            #"{"a":[1.5e3,true,false,null,"é\n😀","€"],"b":{"c":[[],{}]},"long name past eight bytes":"x"}"#.utf8)
        #expect(faultOfSkipping(whole) == nil)
        for cut in whole.indices {
            let piece = Array(whole[..<cut])
            let fault = faultOfSkipping(piece)
            #expect(fault != nil && fault == faultOfWalking(piece), "cut at \(cut)")
            #expect(fault.map { $0.offset <= cut } == true)
        }
    }

    /// Both ways of reading agree with each other, and with Foundation but for what is named here.
    @Test func mutated() {
        var generator = SeededGenerator(seed: 1)
        let seeds = JSONVector.accepted + JSONVector.refused
        let alphabet = Array("{}[]:,\"\\ue0123.+-E tfn\n\u{0}\u{1f}aé\u{7f}".utf8) + [0x80, 0xC0, 0xED, 0xF4, 0xFF]
        for round in 0..<6_000 {
            let content = seeds[round % seeds.count].content.mutated(alphabet: alphabet, using: &generator)
            let fault = faultOfSkipping(content)
            #expect(fault == faultOfWalking(content), "\(content)")
            switch fault?.reason {
            // Foundation takes repeated names, long numbers and byte order marks; depth is ours.
            case .repeatedMember, .numberTooLong, .byteOrderMark, .tooDeep, .tooWide: break
            case nil: #expect(foundationAccepts(content) || underflows(content), "\(String(latin1: content))")
            case let reason?:
                // Foundation guesses UTF-16 and UTF-32 from NUL bytes, and takes a comma before a closing bracket.
                let isLax =
                    content.contains(0) || reason == .syntax && isCommaBeforeClosing(content, fault?.offset ?? 0)
                #expect(isLax || !foundationAccepts(content), "\(String(latin1: content)) \(reason)")
            }
        }
    }

    private func isCommaBeforeClosing(_ content: [UInt8], _ offset: Int) -> Bool {
        content[offset...].first.map { $0 == UInt8(ascii: "]") || $0 == UInt8(ascii: "}") } == true
            && content[..<offset].last { $0 > 0x20 } == UInt8(ascii: ",")
    }

    /// Foundation refuses numbers that round to zero; we take them.
    private func underflows(_ content: [UInt8]) -> Bool { String(latin1: content).lowercased().contains("e-") }

    // MARK: Limits

    @Test(arguments: [("[", "]"), (#"{"a":"#, "}")])
    func depth(open: String, close: String) {
        func nested(_ depth: Int) -> [UInt8] {
            Array((String(repeating: open, count: depth) + "0" + String(repeating: close, count: depth)).utf8)
        }
        #expect(faultOfSkipping(nested(64)) == nil && faultOfWalking(nested(64)) == nil)
        let fault = JSONFault(.tooDeep, offset: 64 * open.utf8.count)
        #expect(faultOfSkipping(nested(65)) == fault && faultOfWalking(nested(65)) == fault)
        let hostile = Array(String(repeating: open, count: 200_000).utf8)
        #expect(faultOfSkipping(hostile) == fault && faultOfWalking(hostile) == fault)
    }

    /// A wide object is linear: what is quadratic takes minutes here.
    @Test func manyMembers() {
        func object(_ names: [String]) -> [UInt8] {
            Array(("{" + names.map { "\"\($0)\":0" }.joined(separator: ",") + "}").utf8)
        }
        let names = (0..<60_000).map { "member\($0)" }
        #expect(faultOfSkipping(object(names)) == nil)
        for repeated in ["member0", "member23", "member24", "member59999", "\\u006dember30000"] {
            #expect(faultOfSkipping(object(names + [repeated]))?.reason == .repeatedMember)
        }
    }

    /// The names of an inner object neither hide nor repeat those of the outer one, in tables as in short lists.
    @Test(arguments: [1, 23, 24, 25, 26, 100, 300])
    func nestedNames(count: Int) {
        let members = (0..<count).map { "\"n\($0)\":0" }.joined(separator: ",")
        let body = "{\(members),\"o\":[{\(members)},{\(members)}],\"p\":{\(members),\"p\":{}}"
        #expect(faultOfSkipping(Array((body + "}").utf8)) == nil)
        for index in [0, count / 2, count - 1] {
            let whole = Array((body + ",\"n\(index)\":1}").utf8)
            #expect(faultOfSkipping(whole) == JSONFault(.repeatedMember, offset: body.utf8.count + 1))
        }
    }

    @Test func tooManyMembers() {
        var content = Array("{\"\":0".utf8)
        for index in 1..<JSONScanner.maximumMembers { content += ",\"\(index)\":0".utf8 }
        #expect(faultOfSkipping(content + "}".utf8) == nil)
        #expect(faultOfSkipping(content + ",\"one\":0}".utf8) == JSONFault(.tooWide, offset: content.count + 1))
    }

    // MARK: The pull interface

    @Test func readsWhatWasAskedFor() throws {
        let content = PaddedBytes(Array(#" {"a" : "x\u0041", "b":[1,{"c":2}], "d":true} "#.utf8))
        var json = try JSONScanner(content)
        try json.enterObject()
        let a = try #require(try json.nextMember())
        #expect(json.bytes(of: a) == Array("a".utf8) && !a.hasEscapes)
        let text = try json.text()
        #expect(text.hasEscapes && json.bytes(of: text) == Array("xA".utf8))
        #expect(Array(content[text.quotedRange]) == Array(#""x\u0041""#.utf8))
        let b = try #require(try json.nextMember())
        #expect(b.count == 1)
        let range = try json.skip()
        #expect(Array(content[range]) == Array(#"[1,{"c":2}]"#.utf8))
        _ = try #require(try json.nextMember())
        #expect(try json.bool())
        #expect(try json.nextMember() == nil)
        try json.finish()

        var again = JSONScanner(content, at: range.lowerBound)
        try again.enterArray()
        #expect(try again.nextElement())
        #expect(try again.number().value == 1)
    }

    @Test func anotherKindIsAFault() throws {
        let texts = ["1", "\"a\"", "{}", "[]", "true", "null"]
        for (index, text) in texts.enumerated() {
            let reads: [(inout JSONScanner) throws -> Void] = [
                { _ = try $0.number() }, { _ = try $0.text() }, { try $0.enterObject() }, { try $0.enterArray() },
                { _ = try $0.bool() }, { try $0.null() },
            ]
            for (wanted, read) in reads.enumerated() {
                var json = try JSONScanner(PaddedBytes(Array(text.utf8)))
                if wanted == index {
                    try read(&json)
                } else {
                    #expect(throws: JSONFault(.otherKind, offset: 0)) { try read(&json) }
                }
            }
        }
    }

    @Test func skipsARepeatedValue() throws {
        var json = try JSONScanner(PaddedBytes(Array(#"[{"a":1},{"a":1},{"a":2},"x"]"#.utf8)))
        try json.enterArray()
        #expect(try json.nextElement())
        let first = try json.skip()
        #expect(try json.nextElement())
        #expect(json.skip(repeating: first) == true)
        #expect(try json.nextElement())
        #expect(json.skip(repeating: first) == false)
        #expect(try json.skip().count == first.count)
        #expect(try json.nextElement())
        #expect(json.skip(repeating: first) == false)  // shorter than what is left
        _ = try json.text()
        #expect(try json.nextElement() == false)
    }

    @Test func hashesDifferByLength() {
        let hash = ByteHash.process
        var seen: Set<UInt64> = []
        for count in 0..<64 { seen.insert(hash.hash([UInt8](repeating: 0, count: count).span)) }
        #expect(seen.count == 64)
        #expect(hash.hash(word: 0x6362_61, count: 3) == hash.hash(Array("abc".utf8).span))
    }
}
