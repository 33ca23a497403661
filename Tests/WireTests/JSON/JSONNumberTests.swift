import Foundation
import TestSupport
import Testing
import Wire

struct JSONNumberTests {
    private func number(_ text: String) throws -> JSONNumber {
        var json = try JSONScanner(PaddedBytes(Array(text.utf8)))
        let number = try json.number()
        try json.finish()
        return number
    }

    struct Case: Sendable, CustomTestStringConvertible {
        var text: String, value: Double, isExact: Bool
        init(_ text: String, _ value: Double, exact: Bool) { (self.text, self.value, isExact) = (text, value, exact) }
        var testDescription: String { text }
    }

    static let cases = [
        Case("0", 0, exact: true), Case("-0", -0.0, exact: false), Case("0.000", 0, exact: true),
        Case("-0.0e5", -0.0, exact: false), Case("0e400", 0, exact: true), Case("1e-400", 0, exact: false),
        Case("412", 412, exact: true), Case("36.60", 36.6, exact: true), Case("-1.5E+2", -150, exact: true),
        Case("100e-2", 1, exact: true), Case("0.000001", 1e-6, exact: true), Case("1e22", 1e22, exact: false),
        Case("1e21", 1e21, exact: true), Case("1e-22", 1e-22, exact: true), Case("9e-23", 9e-23, exact: false),
        Case("1e23", 1e23, exact: false), Case("5e-324", .leastNonzeroMagnitude, exact: false),
        Case("123456789012345", 123_456_789_012_345, exact: true),
        Case("9007199254740992", 9_007_199_254_740_992, exact: true),
        Case("9007199254740993", 9_007_199_254_740_992, exact: false),
        Case("9007199254740993.00000000000001", 9_007_199_254_740_994, exact: false),
        Case("0.1000000000000000055511151231257827", 0.1, exact: false),
        Case("0.30000000000000004", 0.30000000000000004, exact: true),
        Case("0.30000000000000005", 0.30000000000000004, exact: false),
        Case("293.85285285285283", 293.85285285285283, exact: true),
        Case("1.50000000000000000000000000000000000000", 1.5, exact: true),
        Case("100000000000000000000", 1e20, exact: true),
        Case("100000000000000000000.0", 1e20, exact: true),
        Case("123456789012345678", 123456789012345680, exact: false),
        Case("123456789012345680", 123456789012345680, exact: true),
        Case("0.00000000000000000000000000000000001e35", 1, exact: true),
        Case("1.7976931348623157e308", .greatestFiniteMagnitude, exact: false),
        Case("17976931348623157" + String(repeating: "0", count: 40) + "e252", .greatestFiniteMagnitude, exact: false),
        Case("2.2250738585072011e-308", .leastNormalMagnitude.nextDown, exact: false),
        Case("8.5", 8.5, exact: true), Case("1e0000000000000000000000000000000000000000001", 10, exact: true),
    ]

    @Test(arguments: cases)
    func table(_ expected: Case) throws {
        let number = try number(expected.text)
        #expect(number.value == expected.value && number.value.sign == expected.value.sign)
        #expect(number.isExact == expected.isExact)
        #expect(number.range == 0..<expected.text.utf8.count)
    }

    /// Every spelling of a double reads back as that double, and only its shortest digits count as exact.
    @Test func randomDoubles() throws {
        var generator = SeededGenerator(seed: 2)
        for round in 0..<20_000 {
            let anyBits = Double(bitPattern: generator.next())
            let everyday = Double(Int64.random(in: -1_000_000_000...1_000_000_000, using: &generator)) / 977
            let double = round.isMultiple(of: 2) ? everyday : anyBits
            guard double.isFinite else { continue }
            let shortest = double.description
            let read = try number(shortest)
            #expect(read.value == double, "\(shortest)")
            if 1e-22..<1e22 ~= double.magnitude { #expect(read.isExact, "\(shortest)") }
            for digits in [17, 20, 30] {
                let spelling = String(format: "%.*e", digits - 1, double)
                let read = try number(spelling)
                #expect(read.value == double, "\(spelling)")
                // Exact means: these are the digits that the double prints.
                if read.isExact { #expect(Decimal(string: spelling) == Decimal(string: shortest), "\(spelling)") }
            }
        }
    }

    /// Random decimals agree with `strtod`, halves between doubles among them.
    @Test func randomDecimals() throws {
        var generator = SeededGenerator(seed: 3)
        for _ in 0..<20_000 {
            var digits = (0..<Int.random(in: 1...40, using: &generator)).map { _ in
                Character(String(Int.random(in: 0...9, using: &generator)))
            }
            if digits[0] == "0" { digits[0] = "1" }
            if Bool.random(using: &generator) {
                digits.insert(".", at: Int.random(in: 1...digits.count, using: &generator))
                digits.append("5")
            }
            let text = String(digits) + "e\(Int.random(in: -320...260, using: &generator))"
            #expect(try number(text).value == strtod(text, nil), "\(text)")
        }
        for _ in 0..<5_000 {
            // Exactly between two whole doubles past 2^53.
            let even = UInt64.random(in: 1 << 53...1 << 59, using: &generator)
            let half = Double(even).ulp / 2
            let text = "\(UInt64(Double(even)) + UInt64(half))"
            #expect(try number(text).value == strtod(text, nil), "\(text)")
        }
    }
}
