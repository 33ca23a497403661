import Foundation
import Testing

@testable import Receiver

@Suite struct ConfigurationJSONRules {
    @Test(arguments: [
        ("null", JSONTree.null), (" [ ] ", .array([])), ("{}", .object([])), ("\t\r\n7", .integer(7)),
        ("-0", .integer(0)),
        ("-9223372036854775808", .integer(.min)), ("9223372036854775807", .integer(.max)),
        ("9223372036854775808", .otherNumber), ("1.0", .otherNumber), ("1e5", .otherNumber), ("0E-0", .otherNumber),
        ("1e99999", .otherNumber), ("true", .bool(true)), ("false", .bool(false)),
        (#""\"\\\/\b\f\n\r\t\u00e9""#, .text("\"\\/\u{8}\u{C}\n\r\t\u{E9}")), (#""\ud83e\udded""#, .text("🧭")),
        ("\"🧭\u{7F}\"", .text("🧭\u{7F}")),
        (
            #"{"b":[1,[true]],"a":{"":null}}"#,
            .object([
                .init(name: "b", value: .array([.integer(1), .array([.bool(true)])])),
                .init(name: "a", value: .object([.init(name: "", value: .null)])),
            ])
        ),
    ]) func accepted(text: String, tree: JSONTree) throws {
        #expect(try JSONTreeParser.parse(Array(text.utf8)) == tree)
        if !text.contains(where: { ".eE8".contains($0) }) {
            #expect(try JSONTreeParser.parse(Array(tree.written().utf8)) == tree)
        }
    }

    @Test(arguments: [
        ("", "the text ends too early", 1, 1), ("{\n \"a\": 1,\n}", "a member's name in quotes is expected here", 3, 1),
        ("[1,]", "a value is expected here", 1, 4), ("{\"a\" 1}", "a colon is expected here", 1, 6),
        ("{\"a\":1 \"b\":2}", "a comma or } is expected here", 1, 8), ("[1 2]", "a comma or ] is expected here", 1, 4),
        ("{'a':1}", "a member's name in quotes is expected here", 1, 2),
        ("{a:1}", "a member's name in quotes is expected here", 1, 2),
        ("{\n\"a\":1,\n  \"a\":2}", "this member comes twice", 3, 3),
        (#"{"a":1,"\u0061":2}"#, "this member comes twice", 1, 8),
        ("{} x", "there is text after the end", 1, 4), ("01", "there is text after the end", 1, 2),
        ("-", "a digit is expected here", 1, 2), ("1.", "a digit is expected here", 1, 3),
        ("1e+", "a digit is expected here", 1, 4),
        ("+1", "a value is expected here", 1, 1), (".5", "a value is expected here", 1, 1),
        ("NaN", "a value is expected here", 1, 1),
        ("tru", "a value is expected here", 1, 1), ("// c\n1", "a value is expected here", 1, 1),
        ("\u{FEFF}{}", "a value is expected here", 1, 1), ("\"a", "the text ends too early", 1, 3),
        ("\"a\nb\"", "a control character must be escaped", 1, 3), (#""\x""#, "this escape is unknown", 1, 3),
        (#""\u12g4""#, "four hexadecimal digits are expected", 1, 6), (#""\ud800""#, "half of a surrogate pair", 1, 3),
        (#""\ud800\u0041""#, "half of a surrogate pair", 1, 3), (#""\udc00""#, "half of a surrogate pair", 1, 3),
        (String(repeating: "[", count: 100_000), "this is nested too deeply", 1, 34),
        ("{}\0", "there is text after the end", 1, 3),
    ]) func refused(text: String, message: String, line: Int, column: Int) {
        #expect(throws: JSONTreeError(message: message, line: line, column: column)) {
            try JSONTreeParser.parse(Array(text.utf8))
        }
    }

    @Test func invalidUTF8() {
        for bytes in [[0x22, 0xFF, 0x22], [0x22, 0xC3], [0x22, 0xED, 0xA0, 0x80, 0x22], [0x22, 0xC0, 0x80, 0x22]]
            as [[UInt8]]
        {
            #expect(throws: JSONTreeError(message: "the text is not UTF-8", line: 1, column: 1)) {
                try JSONTreeParser.parse(bytes)
            }
        }
    }

    /// Names that are one as Swift strings but two as bytes are two members.
    @Test func namesAreBytes() throws {
        guard case .object(let members) = try JSONTreeParser.parse(Array("{\"\u{E9}\":1,\"e\u{301}\":2}".utf8)) else {
            Issue.record("no object")
            return
        }
        #expect(members.count == 2)
    }

    @Test func atTheDepthLimit() throws {
        for (depth, isGood) in [(33, true), (34, false)] {
            let text = String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
            #expect(((try? JSONTreeParser.parse(Array(text.utf8))) != nil) == isGood)
        }
    }
}
