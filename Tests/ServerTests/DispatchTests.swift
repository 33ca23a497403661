import Testing

@testable import server

private let programHelp = """
    Syncky Receiver takes the Apple Health data that an iPhone sends over HTTP and keeps it in SQLite.

    Usage: server COMMAND [options]

    Commands:

    """

@Test func withoutACommand() {
    let result = CommandHarness().run()
    #expect(result.status == .usage && result.output.isEmpty && result.errors.hasPrefix(programHelp))
}

@Test func helpOfTheProgram() {
    for result in [CommandHarness().run("--help"), CommandHarness().run("-h"), CommandHarness().run("help")] {
        #expect(result.status == .success && result.errors.isEmpty && result.output.hasPrefix(programHelp))
        for command in Subcommands.all { #expect(result.output.contains("\n  \(command.name) ")) }
        #expect(
            result.output.hasSuffix(
                """
                Options:
                  --help     print this text, or that of a command
                  --version  print the version

                Set up in two steps:
                  server init
                  server serve & server link

                More about a command: server COMMAND --help

                """))
    }
}

@Test func helpOfEachCommand() {
    for command in Subcommands.all {
        let harness = CommandHarness()
        let result = harness.run(command.name, "--help")
        #expect(result == .init(status: .success, output: command.help, errors: ""))
        #expect(harness.run("help", command.name) == result)
        #expect(harness.run(command.name, "--help", "too", "many", "words").status == .success)
        for line in command.help.split(separator: "\n") {
            #expect(line.count <= 80 && line.last != " ", "\(command.name): \(line)")
        }
        // The examples are command lines that parse.
        for example in command.examples where !example.contains("\"") && !example.contains("<") {
            let words = example.split(separator: " ").map(String.init)
            #expect(words[0] == command.name)
            #expect(throws: Never.self) { try ParsedArguments(Array(words.dropFirst()), for: command) }
        }
        #expect(Set(command.flags.map(\.name)).count == command.flags.count)
    }
    #expect(Set(Subcommands.all.map { $0.name }).count == Subcommands.all.count)
}

@Test func wordsThatAreNoCommand() {
    let cases = [
        (["lnk"], "There is no command lnk; did you mean link?"),
        (["xyzzy"], "There is no command xyzzy; server --help lists them."),
        (["help", "lnk"], "There is no command lnk; did you mean link?"),
        (["--data", "x", "list"], "The command comes before its flags: server COMMAND --data."),
        ([""], "There is no command ; server --help lists them."),
    ]
    for (words, message) in cases {
        let harness = CommandHarness()
        let result =
            words.count == 1
            ? harness.run(words[0])
            : words.count == 2 ? harness.run(words[0], words[1]) : harness.run(words[0], words[1], words[2])
        #expect(result == .init(status: .usage, output: "", errors: "server: \(message)\n"))
    }
}

@Test func versionOfAll() throws {
    let result = CommandHarness().run("--version")
    let lines = result.output.split(separator: "\n")
    #expect(result.status == .success && lines.count == 4)
    #expect(lines[0] == "syncky-receiver 0.1.0")
    for (line, name) in zip(lines.dropFirst(), ["OpenSSL ", "SQLite ", "Swift "]) {
        #expect(line.hasPrefix(name) && line.dropFirst(name.count).first?.isNumber == true)
    }
}

@Test func whereTheDataIs() throws {
    let cases: [(environment: [String: String], flag: String?, expected: String?)] = [
        (["HOME": "/h", "XDG_DATA_HOME": "/x", "SYNCKY_DATA": "/s"], "/f", "/f"),
        (["HOME": "/h", "XDG_DATA_HOME": "/x", "SYNCKY_DATA": "/s"], nil, "/s"),
        (["HOME": "/h", "XDG_DATA_HOME": "/x", "SYNCKY_DATA": ""], nil, "/x/syncky-receiver"),
        (["HOME": "/h", "XDG_DATA_HOME": "relative"], nil, "/h/.local/share/syncky-receiver"),
        (["HOME": "/h"], nil, "/h/.local/share/syncky-receiver"), ([:], nil, nil), ([:], "", nil),
    ]
    for (environment, flag, expected) in cases {
        let arguments = try ParsedArguments(flag.map { ["--data", $0] } ?? [], for: ListCommand.self)
        var context: CommandContext?
        CommandHarness().run { context = $0 }
        context?.environment = environment
        #expect((try? context?.dataFolder(arguments)) == expected)
    }
}

@Test func helpOfLink() {
    #expect(
        CommandHarness().run("link", "--help").output == """
            Print the setup link and its QR code for the phone.

            Usage: server link [NAME] [options]

            The link is the only line on standard output; on a terminal its QR code follows.
            It holds the token and the signing secret: show it to nobody but the phone's
            owner. In the app: Settings › Connections › + › Paste a setup link. An endpoint
            for PulsHealth has that app's pairing link.

            For apps that no link of ours fills in (the formats relay and steps, and hae
            without a signature) it says what to type there.

            Options:
              --host HOST  name or address that the phone uses; default this machine's
                           name and .local
              --port P     port that the phone uses; default the one that is served
              --https      https:// instead of http://
              --path P     path that the phone uses; default /hook/NAME
              --scheme S   syncky, syncky-dev or syncky-staging: which build of the
                           app opens it; default syncky
              --user UUID  of an endpoint for PulsHealth: whose data the phone sends
              --types A,B  send only these data types, such as heart_rate,steps
              --qr         print the QR code also when it isn't a terminal
              --png FILE   write the QR code as a picture for this user alone
              --data DIR   folder of the receiver (or SYNCKY_DATA);
                           default ~/.local/share/syncky-receiver
              --help       print this text

            Examples:
              server link
              server link phone --host 192.168.1.20
              server link --host health.example.org --https --port 443 --png link.png

            """)
}
