import Foundation
import Receiver
import Samples
import Signing
import Testing

@testable import server

private func text(_ secrets: [RotatingSecret]) -> [String?] { secrets.map { secretText($0.secret) } }

@Test func initMakesAnEndpointThatIsSafe() throws {
    let harness = CommandHarness()
    let result = harness.run("init")
    #expect(
        result
            == .init(
                status: .success,
                output: """
                    Made \(harness.data) with the endpoint phone.

                    Next:
                      server serve
                      server link

                    Scan the link's QR code in the app: Settings › Connections › + › Paste a setup link.

                    """, errors: ""))
    let endpoint = try harness.endpoint()
    #expect(endpoint.label == "phone" && endpoint.person == "me" && endpoint.format == .native)
    #expect(endpoint.timeZone == "UTC" && endpoint.credentials.scheme == .bearer)
    let token = try #require(text(endpoint.credentials.tokens).first ?? nil)
    let secret = try #require(text(endpoint.credentials.secrets).first ?? nil)
    #expect(token.count == 43 && secret.count == 49 && secret.hasPrefix("whsec_"))
    #expect(try harness.mode("receiver.json") == 0o600 && harness.mode("") == 0o700)
    #expect(!result.output.contains(token) && !result.output.contains(secret))
}

@Test func initLeavesWhatIsThere() throws {
    let harness = CommandHarness()
    harness.run("init", "phone")
    harness.run("add", "anna")
    let before = try harness.configuration
    let path = harness.data
    #expect(
        harness.run("init", "watch")
            == .init(
                status: .cannotCreate, output: "",
                errors: "server: \(path) is set up already: it holds receiver.json with the endpoints anna, phone; "
                    + "server add NAME makes another endpoint.\n"))
    #expect(FileManager.default.createFile(atPath: "\(path)/health.db", contents: nil))
    #expect(harness.run("init").errors.contains("anna, phone, and health.db; "))
    #expect(try harness.configuration == before)
    try Data("{".utf8).write(to: URL(fileURLWithPath: "\(path)/receiver.json"))
    #expect(harness.run("init").errors.contains("it holds a receiver.json that can't be read, and health.db; "))
    #expect(try Data(contentsOf: URL(fileURLWithPath: "\(path)/receiver.json")) == Data("{".utf8))
}

@Test func initTakesWhatItIsGiven() throws {
    let harness = CommandHarness()
    let result = harness.run(
        "init", "box", "--name", "Kitchen box", "--person", "anna", "--format=csv", "--auth", "header", "--header",
        "X-Api-Key", "--token", "-", "--hmac", "-", "--time-zone", "UTC", input: ["tök en", "s3cret", "more"])
    #expect(result.status == .success && result.errors.isEmpty)
    let endpoint = try harness.endpoint("box")
    #expect(endpoint.label == "Kitchen box" && endpoint.person == "anna" && endpoint.format == .csv)
    #expect(endpoint.credentials.scheme == .header(name: "x-api-key") && endpoint.headerName == "X-Api-Key")
    #expect(text(endpoint.credentials.tokens) == ["tök en"] && text(endpoint.credentials.secrets) == ["s3cret"])

    let basic = CommandHarness()
    #expect(
        basic.run("init", "--auth", "basic", "--user", "me too", "--token", " p:w ", "--no-sign").status == .success)
    let credentials = try basic.endpoint().credentials
    #expect(credentials.scheme == .basic(user: "me too") && text(credentials.tokens) == [" p:w "])
    #expect(credentials.secrets.isEmpty)

    let other = CommandHarness()
    let place = other.folder + "/two words"
    let there = other.run("init", "--data", place)
    #expect(there.output.contains("server serve --data '\(place)'\n  server link --data '\(place)'\n"))
}

@Test func whatIsWorthANote() throws {
    let seen = CommandHarness().run("init", "--token", "abc", "--hmac=def")
    #expect(
        seen.errors == """
            server: Others on this machine can see the token on the command line; --token - reads it instead.
            server: Others on this machine can see the signing secret on the command line; --hmac - reads it instead.

            """)
    #expect(
        CommandHarness().run("init", "--auth", "none", "--no-sign").errors
            == "server: Warning: without a token and a signature, anyone who knows the path can send data to "
            + "/hook/phone.\n")
    #expect(CommandHarness().run("init", "--auth", "none").errors == "")
    #expect(
        CommandHarness().run("init", "--format", "hae").errors
            == "server: Syncky signs this format; the Health Auto Export app can't, and needs an endpoint made with "
            + "--no-sign.\n")
    #expect(CommandHarness().run("init", "--format", "hae", "--no-sign").errors == "")
    let harness = CommandHarness()
    harness.run("init", "--hmac", "-", input: ["same"])
    #expect(harness.run("add", "anna", "--hmac", "-", input: ["same"]).errors.contains("same signing secret"))
}

@Test func initSaysWhatToTypeIntoHealthAutoExport() {
    let harness = CommandHarness()
    let made = harness.run("init", "export", "--format", "hae", "--no-sign", "--token", "tok_invented")
    #expect(
        made.output.hasSuffix(
            """

            In Health Auto Export, make a REST API automation with

              URL      http://myserver.local:8787/hook/export
              Header   Authorization: Bearer tok_invented
              Format   JSON, export version 2, Batch Requests on

            The header is a secret: show it to nobody but the phone's owner.

            """))
    let cases: [([String], String?)] = [
        (["--auth", "header", "--header", "X-Key", "--token", "t-1"], "  Header   X-Key: t-1\n"),
        (["--auth", "basic", "--user", "me", "--token", "t-2"], "  Header   api-key: t-2\n"),
        (["--auth", "none"], nil),
    ]
    for (index, (flags, header)) in cases.enumerated() {
        let added = harness.run(words: ["add", "more-\(index)", "--format", "hae", "--no-sign"] + flags).output
        #expect(added.contains("/hook/more-\(index)\n"))
        #expect(header.map { added.contains($0) } ?? !added.contains("Header"))
    }
    #expect(!harness.run("add", "signed", "--format", "hae").output.contains("Health Auto Export"))
    #expect(!harness.run("add", "other", "--no-sign").output.contains("Health Auto Export"))
}

@Test func initRefusesWhatTheAppWould() {
    let long = String(repeating: "x", count: 5_000)
    let cases: [([String], String)] = [
        (["Phone"], "NAME is 1 to 32 of the characters a-z, 0-9 and -."),
        (["--name", ""], "The label is empty."),
        (["--name", String(repeating: "x", count: 65)], "The label has 65 characters; the app takes 64."),
        (["--person", " me"], "A person is 1 to 64 characters of text without a space at either end."),
        (["--format", "json"], "--format is native, hae, csv, influx, puls, relay or steps."),
        (["--auth", "digest"], "--auth is bearer, basic, header or none."),
        (["--auth", "basic"], "--auth basic needs --user NAME."),
        (["--auth", "header"], "--auth header needs --header NAME, for example X-Api-Key."),
        (["--user", "me"], "--user is for --auth basic only."),
        (["--header", "X-Key"], "--header is for --auth header only."),
        (["--auth", "none", "--token", "x"], "--auth none has no token."),
        (["--hmac", "x", "--no-sign"], "--hmac and --no-sign exclude each other."),
        (
            ["--auth", "header", "--header", "Host"],
            "The app sets the header Host itself: choose another one, for example X-Api-Key."
        ),
        (["--auth", "basic", "--user", "a:b"], "The user of Basic auth is printable ASCII without a colon."),
        (["--token=-"], "Standard input ended before the token, which is one line of UTF-8."),
        (["--time-zone", "Mars/Base"], "There is no time zone Mars/Base in /usr/share/zoneinfo."),
        (["--time-zone", "../../etc/passwd"], "There is no time zone ../../etc/passwd in /usr/share/zoneinfo."),
    ]
    for (flags, message) in cases {
        let harness = CommandHarness()
        let result = harness.run(words: ["init"] + flags)
        let status: ExitStatus = message.hasPrefix("Standard input") ? .data : .usage
        #expect(result == .init(status: status, output: "", errors: "server: \(message)\n"))
        #expect(!FileManager.default.fileExists(atPath: harness.data))
    }
    for (input, message) in [
        (long, "The token has 5000 bytes; the app takes 4096."), ("", "The token is empty."),
        ("a\u{7}b", "The token has a control character in it."),
        (" a", "The token has a space at its start or end, which HTTP takes away."),
    ] {
        let result = CommandHarness().run("init", "--token", "-", input: [input])
        #expect(result == .init(status: .usage, output: "", errors: "server: \(message)\n"))
    }
}

@Test func initWhereNothingCanBeMade() throws {
    let harness = CommandHarness()
    #expect(FileManager.default.createFile(atPath: harness.data, contents: nil))
    let result = harness.run("init")
    #expect(result.status == .cannotCreate && result.errors.hasPrefix("server: ") && result.output.isEmpty)
}

@Test func addMakesAnother() throws {
    let harness = CommandHarness()
    #expect(harness.run("add", "anna").status == .inputOutput)
    harness.run("init")
    #expect(
        harness.run("add", "anna")
            == .init(
                status: .success,
                output: "Added the endpoint anna.\nShow its link to the phone: server link anna\n", errors: ""))
    let anna = try harness.endpoint("anna"), phone = try harness.endpoint()
    #expect(anna.person == "anna" && anna.label == "anna")
    #expect(
        anna.credentials.tokens != phone.credentials.tokens && anna.credentials.secrets != phone.credentials.secrets)
    #expect(
        harness.run("add", "anna", "--token", "-", input: [])
            == .init(
                status: .cannotCreate, output: "",
                errors: "server: There is an endpoint anna already; server rotate anna gives it new secrets.\n"))
    #expect(harness.run("add").errors == "server: add needs NAME: see server add --help.\n")
    #expect(harness.run("add", "a/b").status == .usage)
}

@Test func listShowsNoSecret() throws {
    let harness = CommandHarness()
    harness.run("init", "--token", "-", "--hmac", "-", input: ["token-of-phone", "secret-of-phone"])
    harness.run("add", "anna", "--name", "Anna's", "--auth", "header", "--header", "X-Key", "--no-sign")
    harness.run("add", "box", "--auth", "basic", "--user", "boxer", "--format", "influx")
    let table = """
        NAME   LABEL   PERSON  FORMAT  AUTH          SIGNED  TIME ZONE  PATH
        anna   Anna's  anna    native  header X-Key  no      UTC        /hook/anna
        box    box     box     influx  basic         yes     UTC        /hook/box
        phone  phone   me      native  bearer        yes     UTC        /hook/phone

        """
    #expect(harness.run("list") == .init(status: .success, output: table, errors: ""))
    harness.run("rotate", "phone", seconds: 1_791_961_500)
    let later = "The old token and secret of phone work until 2026-10-15 07:05:00 UTC.\n"
    #expect(harness.run("list", seconds: 1_791_961_500 + 86_400).output == table + later)
    #expect(harness.run("list", seconds: 1_791_961_500 + 86_401).output == table)
}

@Test func removeRevokesAndKeeps() throws {
    let harness = CommandHarness()
    harness.run("init")
    harness.run("add", "anna")
    #expect(
        harness.run("remove", "ana")
            == .init(
                status: .usage, output: "", errors: "server: There is no endpoint ana; there is anna, phone.\n"))
    #expect(harness.run("remove", "anna").status == .success)
    #expect(try harness.configuration.names == ["phone"])
    #expect(harness.run("remove", "phone").status == .success)
    #expect(harness.run("remove", "phone").errors == "server: There is no endpoint phone; there is none.\n")
    #expect(harness.run("list").output == "There is no endpoint: add one with server add NAME.\n")
    #expect(harness.run("link").errors == "server: There is no endpoint: add one with server add NAME.\n")
}

@Test func rotateKeepsTheOldForAWhile() throws {
    let harness = CommandHarness()
    let now: Int64 = 1_791_961_500
    harness.run("init", "--token", "-", "--hmac", "-", input: ["t1", "s1"])
    #expect(
        harness.run("rotate", "phone", seconds: now)
            == .init(
                status: .success,
                output: """
                    The endpoint phone has new secrets; the old ones work until 2026-10-15 07:05:00 UTC.
                    The phone must take the new link: server link phone

                    """, errors: ""))
    var credentials = try harness.endpoint().credentials
    for secrets in [credentials.tokens, credentials.secrets] {
        #expect(secrets.count == 2 && secrets[0].untilSeconds == nil && secrets[1].untilSeconds == now + 86_400)
    }
    #expect(text(credentials.tokens)[1] == "t1" && text(credentials.secrets)[1] == "s1")

    harness.run(
        "rotate", "phone", "--grace", "30m", "--token", "-", "--hmac=-", input: ["t3", "s3"], seconds: now + 60)
    credentials = try harness.endpoint().credentials
    #expect(text(credentials.tokens)[0] == "t3" && text(credentials.secrets)[0] == "s3")
    #expect(credentials.tokens.map(\.untilSeconds) == [nil, now + 60 + 1_800, now + 60 + 1_800])

    let atOnce = harness.run("rotate", "phone", "--grace", "0")
    #expect(atOnce.output.hasPrefix("The endpoint phone has new secrets; the old ones don't work any more.\n"))
    credentials = try harness.endpoint().credentials
    #expect(credentials.tokens.count == 1 && credentials.secrets.count == 1)

    for _ in 0..<15 { #expect(harness.run("rotate", "phone").status == .success) }
    let tooMany = harness.run("rotate", "phone")
    #expect(tooMany.status == .data && tooMany.errors.contains("has 16 old secrets that still work"))
    #expect(try harness.endpoint().credentials.tokens.count == 16)
}

@Test func rotateRefuses() {
    let harness = CommandHarness()
    harness.run("init", "--auth", "none", "--no-sign")
    harness.run("add", "signed", "--auth", "none")
    harness.run("add", "plain", "--no-sign")
    let cases: [([String], String)] = [
        (["x"], "There is no endpoint x; there is phone, plain, signed."),
        (["phone"], "The endpoint phone has neither a token nor a signing secret."),
        (["signed", "--token", "x"], "The endpoint signed has no token."),
        (["plain", "--hmac", "x"], "The endpoint plain has no signing secret."),
        (["plain", "--grace", "tomorrow"], "--grace takes a time from 0 to 365d, such as 30m, 24h or 7d."),
        (["plain", "--grace", "366d"], "--grace takes a time from 0 to 365d, such as 30m, 24h or 7d."),
    ]
    for (words, message) in cases {
        #expect(
            harness.run(words: ["rotate"] + words) == .init(status: .usage, output: "", errors: "server: \(message)\n"))
    }
    #expect(harness.run("rotate", "plain", "--token", "-", input: ["a "]).status == .usage)
    #expect(harness.run("rotate", "plain").status == .success && harness.run("rotate", "signed").status == .success)
}

@Test func settingsThatAreBroken() throws {
    let harness = CommandHarness()
    harness.run("init")
    try Data("{\"schema\":1,\"port\":0}".utf8).write(to: URL(fileURLWithPath: harness.data + "/receiver.json"))
    for command in ["list", "link", "status"] {
        let result = harness.run(command)
        #expect(result.status == .data && result.output.isEmpty)
        #expect(result.errors.hasPrefix("server: \(harness.data)/receiver.json: ") && result.errors.hasSuffix(".\n"))
    }
    #expect(harness.run("list") { $0.environment["SYNCKY_PORT"] = "x" }.status == .data)
}

/// Commands that wait for a phone don't go to another one that is paired under the same name later.
@Test func removeWithdrawsCommands() throws {
    let harness = CommandHarness()
    harness.run("init")
    harness.run("write", "body_mass", "71", "kg")
    let removed = harness.run("remove", "phone")
    #expect(removed.output.hasSuffix("; its data stays.\n1 command for its phone will not go out any more.\n"))
    harness.run("add", "phone")
    let commands = harness.run("commands", "--json").output
    #expect(commands.contains("\"state\": \"rejected\"") && commands.contains("\"reason\": \"endpoint_removed\""))
    #expect(harness.run("commands", "--waiting", "--json").output == "[]\n")
    #expect(harness.run("write", "body_mass", "72", "kg").output == "c_2\n")
}
