import Testing
import Wire

/// `JSONLimits.takesAnyNumber`: for senders that write what is no number of JSON.
struct AnyNumberTests {
    private func scanner(_ text: String, takes: Bool = true) throws -> JSONScanner {
        try JSONScanner(PaddedBytes(Array(text.utf8)), limits: JSONLimits(takesAnyNumber: takes))
    }

    @Test("Tokens are numbers that are not finite", arguments: ["NaN", "Infinity", "-Infinity"])
    func tokens(text: String) throws {
        var read = try scanner(text)
        #expect(try read.kind() == .number)
        let number = try read.number()
        #expect(number.value.isNaN && !number.isExact && number.count == text.utf8.count)
        try read.finish()
        var skipped = try scanner("[\(text), {\"a\":\(text)}]")
        _ = try skipped.skip()
        try skipped.finish()
    }

    @Test("Numbers past a limit are read", arguments: ["1e400", "-1e400"])
    func numbersOutOfRange(text: String) throws {
        var read = try scanner(text)
        #expect(try read.number().value.isInfinite)
        var skipped = try scanner(text)
        _ = try skipped.skip()
        try skipped.finish()
    }

    @Test func aNumberOfTooManyCharactersIsNone() throws {
        var read = try scanner(String(repeating: "1", count: 65))
        #expect(try read.number().value.isNaN)
        try read.finish()
    }

    @Test(
        "Anything else stays a fault",
        arguments: ["nan", "NA", "Na", "NaNx", "Infinit", "-Infinit", "-", "+Infinity", "--Infinity", "I", "N", "-N"])
    func otherWords(text: String) {
        #expect(throws: JSONFault.self) {
            var read = try scanner(text)
            _ = try read.skip()
            try read.finish()
        }
    }

    @Test("Without the option every one of them is a fault", arguments: ["NaN", "Infinity", "-Infinity", "1e400"])
    func strict(text: String) {
        #expect(throws: JSONFault.self) {
            var read = try scanner(text, takes: false)
            _ = try read.number()
        }
        #expect(throws: JSONFault.self) {
            var read = try scanner(text, takes: false)
            _ = try read.skip()
        }
    }

    @Test(
        "What is only kept may be any number of JSON",
        arguments: ["1e400", "-1e99999999", String(repeating: "7", count: 90)])
    func skippedNumbers(text: String) throws {
        let limits = JSONLimits(skipsAnyNumber: true)
        var skipped = try JSONScanner(PaddedBytes(Array("[\(text)]".utf8)), limits: limits)
        _ = try skipped.skip()
        try skipped.finish()
        #expect(throws: JSONFault.self) {
            var read = try JSONScanner(PaddedBytes(Array(text.utf8)), limits: limits)
            _ = try read.number()
        }
        #expect(throws: JSONFault.self) {
            var token = try JSONScanner(PaddedBytes(Array("[NaN]".utf8)), limits: limits)
            _ = try token.skip()
        }
    }
}
