import Testing

@testable import server

/// A command with every kind of flag and operand.
private enum SampleCommand: Subcommand {
    static let name = "sample"
    static let summary = "try the parser"
    static let usage = ["sample FIRST [SECOND] [options]"]
    static let details = "Two lines\nof details."
    static let operands = Operands(names: ["FIRST", "SECOND"], required: 1)
    static let flags = [
        Flag("port", "P", "a number"), Flag("json", nil, "a switch"),
        Flag("trust", "CIDR", "comes again\non two lines", repeats: true),
    ]
    static let examples = ["sample one --port 2"]
    static func run(_ arguments: ParsedArguments, context: CommandContext) throws(CommandFailure) -> ExitStatus {
        .success
    }
}

private enum ManyCommand: Subcommand {
    static let name = "many"
    static let summary = "take files"
    static let usage = ["many [FILE…]"]
    static let operands = Operands(names: ["FILE"], repeatsLast: true)
    static let flags: [Flag] = []
    static func run(_ arguments: ParsedArguments, context: CommandContext) throws(CommandFailure) -> ExitStatus {
        .success
    }
}

@Test func flagsAndOperandsInAnyOrder() throws {
    for words in [
        ["one", "--port", "80", "--json"], ["--port=80", "one", "--json"], ["--json", "--port", "80", "--", "one"],
    ] {
        let arguments = try ParsedArguments(words, for: SampleCommand.self)
        #expect(arguments.operands == ["one"] && arguments.value("port") == "80" && arguments.has("json"))
        #expect(arguments.value("data") == nil && !arguments.has("help"))
    }
    let repeated = try ParsedArguments(["one", "--trust", "a", "--trust=b=c", "--trust="], for: SampleCommand.self)
    #expect(repeated.all("trust") == ["a", "b=c", ""])
    #expect(try ParsedArguments(["-", "-5"], for: SampleCommand.self).operands == ["-", "-5"])
    #expect(try ParsedArguments(["--", "--port", "--"], for: SampleCommand.self).operands == ["--port", "--"])
    #expect(try ParsedArguments(["one", "--port", "-"], for: SampleCommand.self).value("port") == "-")
    #expect(try ParsedArguments(["one", "--port=--x"], for: SampleCommand.self).value("port") == "--x")
    #expect(try ParsedArguments(["-h"], for: SampleCommand.self).has("help"))
    #expect(try ParsedArguments(["--help"], for: SampleCommand.self).has("help"))
    #expect(try ParsedArguments(["a", "b", "c"], for: ManyCommand.self).operands == ["a", "b", "c"])
    #expect(try ParsedArguments([], for: ManyCommand.self).operands == [])
}

@Test func whatIsNotACommandLine() {
    let cases: [([String], String)] = [
        ([], "sample needs FIRST: see server sample --help."),
        (["a", "b", "c"], "c is one word too many: server sample FIRST [SECOND] [options]."),
        (["a", "--prot", "1"], "sample has no flag --prot; did you mean --port?"),
        (["a", "--prot=1"], "sample has no flag --prot; did you mean --port?"),
        (["a", "--jsn"], "sample has no flag --jsn; did you mean --json?"),
        (["a", "--xyzzy"], "sample has no flag --xyzzy."),
        (["a", "--por"], "sample has no flag --por; did you mean --port?"),
        (["a", "-p"], "sample has no flag -p."),
        (["a", "--Port", "1"], "sample has no flag --Port; did you mean --port?"),
        (["a", "--port"], "--port needs a value: --port P, or --port=P."),
        (["a", "--port", "--json"], "--port needs a value: --port P, or --port=P."),
        (["a", "--port", "1", "--port", "1"], "--port is given twice."),
        (["a", "--json", "--json"], "--json is given twice."),
        (["a", "--json=yes"], "--json takes no value."),
        (["a", "---"], "sample has no flag ---."),
        (["a", "--\u{1B}[31m"], "sample has no flag --?[31m."),
        (
            ["a", "--" + String(repeating: "x", count: 100)],
            "sample has no flag --" + String(repeating: "x", count: 58) + "…."
        ),
    ]
    for (words, message) in cases {
        #expect(throws: CommandFailure(.usage, message)) { try ParsedArguments(words, for: SampleCommand.self) }
    }
    #expect(throws: CommandFailure(.usage, "list takes flags only, and x is none.")) {
        try ParsedArguments(["x"], for: ListCommand.self)
    }
}

@Test(arguments: [
    ("1", 1), ("65535", 65_535), ("0080", 80), ("0", nil), ("65536", nil), ("", nil), ("+1", nil), ("-1", nil),
    ("1 ", nil), ("0x10", nil), ("١", nil), ("99999999999999999999", nil), ("1.0", nil),
])
func numberOfAFlag(text: String, expected: Int?) throws {
    let arguments = try ParsedArguments(["one", "--port=\(text)"], for: SampleCommand.self)
    if let expected {
        #expect(try arguments.integer("port", in: 1...65_535) == expected)
    } else {
        #expect(throws: CommandFailure(.usage, "--port takes a number from 1 to 65535.")) {
            try arguments.integer("port", in: 1...65_535)
        }
    }
}

@Test func wordOfAFlag() throws {
    let words = ["bearer", "basic", "none"]
    let one = try ParsedArguments(["one", "--port", "basic"], for: SampleCommand.self)
    #expect(try one.choice("port", of: words) == "basic")
    let other = try ParsedArguments(["one", "--port", "baerer"], for: SampleCommand.self)
    #expect(throws: CommandFailure(.usage, "--port is bearer, basic or none; did you mean bearer?")) {
        try other.choice("port", of: words)
    }
    #expect(try ParsedArguments(["one"], for: SampleCommand.self).choice("port", of: words) == nil)
}

@Test(arguments: [
    ("", "", 0), ("a", "", 1), ("", "ab", 2), ("port", "prot", 1), ("port", "part", 1), ("port", "ports", 1),
    ("kitten", "sitting", 3), ("ca", "abc", 3),
])
func distanceOfWords(a: String, b: String, expected: Int) {
    #expect(editDistance(a, b) == expected && editDistance(b, a) == expected)
}

@Test func helpIsLaidOut() {
    #expect(
        SampleCommand.help == """
            Try the parser.

            Usage: server sample FIRST [SECOND] [options]

            Two lines
            of details.

            Options:
              --port P      a number
              --json        a switch
              --trust CIDR  comes again
                            on two lines
              --data DIR    folder of the receiver (or SYNCKY_DATA);
                            default ~/.local/share/syncky-receiver
              --help        print this text

            Examples:
              server sample one --port 2

            """)
}

@Test(arguments: [
    ("90s", 90), ("30m", 1_800), ("24h", 86_400), ("7d", 604_800), ("0", 0), ("0s", 0), ("", nil), ("h", nil),
    ("24", nil), ("-1h", nil), ("1w", nil), ("1 h", nil), ("999999999999999999d", nil), ("1.5h", nil),
])
func span(text: String, expected: Int?) {
    #expect(parseSpan(text) == expected)
}

@Test(arguments: [
    ("plain/path-1.2_x:@+,", "plain/path-1.2_x:@+,"), ("two words", "'two words'"), ("it's", "'it'\\''s'"), ("", "''"),
    ("$(x)", "'$(x)'"),
])
func wordOfAShell(text: String, expected: String) {
    #expect(shellWord(text) == expected)
}
