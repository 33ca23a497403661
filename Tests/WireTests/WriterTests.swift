import TestSupport
import Testing
import Wire

private func text(_ write: (inout [UInt8]) -> Void) -> String {
    var bytes: [UInt8] = []
    write(&bytes)
    return String(decoding: bytes, as: UTF8.self)
}

@Suite struct NumberTextTests {
    @Test(arguments: [
        (0.0, "0"), (-0.0, "-0"), (412, "412"), (-17.5, "-17.5"), (0.1, "0.1"), (0.000001, "0.000001"), (1e-7, "1e-07"),
        (0.30000000000000004, "0.30000000000000004"), (999_999_999_999_999, "999999999999999"),
        (1e15, "1000000000000000"), (0x1p54, "1.8014398509481984e+16"),
        (8.03275332, "8.03275332"), (123456789.123456789, "123456789.12345679"), (.leastNonzeroMagnitude, "5e-324"),
        (1.7976931348623157e308, "1.7976931348623157e+308"), (0.5, "0.5"), (999_999_999.999_999, "999999999.999999"),
    ]) func shortest(value: Double, expected: String) {
        #expect(text { $0.append(number: value) } == expected)
    }

    /// What is written reads back as the same double, and nothing shorter does.
    @Test func readsBack() {
        var random = SeededGenerator(seed: 7)
        for index in 0..<20_000 {
            let bits = Double(bitPattern: random.next())
            let value =
                index % 2 == 0 ? bits : Double(Int64.random(in: -9_999_999_999...9_999_999_999, using: &random)) / 1e4
            guard value.isFinite else { continue }
            let written = text { $0.append(number: value) }
            #expect(Double(written)?.bitPattern == value.bitPattern)
            #expect(written.utf8.count <= value.description.utf8.count)
        }
    }

    @Test(arguments: [
        (Int64.min, "-9223372036854775808"), (.max, "9223372036854775807"), (0, "0"), (9, "9"), (10, "10"),
        (-100, "-100"),
    ])
    func decimal(value: Int64, expected: String) {
        #expect(text { $0.append(decimal: value) } == expected)
    }
}

@Suite struct CSVWriterTests {
    /// RFC 4180 section 2, and the guide's rule for formulas.
    @Test(arguments: [
        ("", ""), ("plain", "plain"), ("a,b", "\"a,b\""), ("say \"hi\"", "\"say \"\"hi\"\"\""), ("a\nb", "\"a\nb\""),
        ("a\rb", "\"a\rb\""), ("  ", "  "), ("=1+2", "'=1+2"), ("+1", "'+1"), ("-1", "'-1"), ("@a", "'@a"),
        ("\ta", "'\ta"),
        ("\ra", "\"'\ra\""), ("=\"a\",1", "\"'=\"\"a\"\",1\""), ("'=1", "'=1"), ("a=1", "a=1"), ("é🍎", "é🍎"),
        ("\0", "\0"),
    ]) func field(value: String, expected: String) {
        #expect(text { CSVWriter.append(field: Array(value.utf8).span, formulaQuoted: true, to: &$0) } == expected)
        // A rule for two columns only.
        let plain = text { CSVWriter.append(field: Array(value.utf8).span, to: &$0) }
        #expect(plain == (value.hasPrefix("'") ? expected : expected.replacing("'", with: "")))
    }
}

@Suite struct LineProtocolWriterTests {
    @Test(arguments: [
        ("plain", "plain", "plain"), ("a b", "a\\ b", "a\\ b"), ("a,b=c", "a\\,b=c", "a\\,b\\=c"),
        ("a\tb\r\nc", "a\\ b\\ \\ c", "a\\ b\\ \\ c"),
        ("a\\b", "a\\b", "a\\b"), ("end\\", "end", "end"), ("\\\\", "", ""), ("\"q\"", "\"q\"", "\"q\""),
        ("é", "é", "é"),
    ]) func names(value: String, measurement: String, tag: String) {
        let bytes = Array(value.utf8)
        #expect(text { LineProtocolWriter.append(measurement: bytes.span, to: &$0) } == measurement)
        #expect(text { LineProtocolWriter.append(tag: bytes.span, to: &$0) } == tag)
        #expect(LineProtocolWriter.isEmpty(tag: bytes.span) == tag.isEmpty)
    }

    @Test(arguments: [
        ("asleep_core", "\"asleep_core\""), ("a \"b\" \\c", "\"a \\\"b\\\" \\\\c\""), ("a\nb", "\"a b\""), ("", "\"\""),
    ])
    func strings(value: String, expected: String) {
        #expect(text { LineProtocolWriter.append(string: Array(value.utf8).span, to: &$0) } == expected)
    }
}
