import Foundation
import Receiver
import Testing

@testable import server

/// A folder with one endpoint whose secrets are known.
private func paired(_ flags: String...) -> CommandHarness {
    let harness = CommandHarness()
    let isSigned = !flags.contains("--no-sign")
    harness.run(
        words: ["init"] + flags + (flags.contains("none") ? [] : ["--token", "-"]) + (isSigned ? ["--hmac", "-"] : []),
        input: flags.contains("none") ? ["s+1"] : ["t/1", "s+1"])
    return harness
}

private let secretNote = "server: The link holds secrets: show it to nobody but the phone's owner.\n"

@Test func linkOfTheDefaults() {
    #expect(
        paired().run("link")
            == .init(
                status: .success,
                output: "syncky://webhook?v=1&name=phone&url=http%3A%2F%2Fmyserver.local%3A8787%2Fhook%2Fphone"
                    + "&format=native&auth=bearer&token=t%2F1&hmac=s%2B1\n", errors: secretNote))
}

@Test func linkTheGuidePrints() {
    let harness = CommandHarness()
    harness.run(
        "init", "header", "--name", "Vector header", "--auth", "header", "--header", "X-Api-Key", "--no-sign",
        "--token",
        "-", input: ["vec_key_x9VHBdwKQo-KwlcOB9v4cwlAawCa0nF2NWQRO1qLDlI"])
    let result = harness.run(
        "link", "--host", "receiver.example", "--https", "--port", "443", "--types", "heart_rate,steps")
    #expect(
        result.output == """
            syncky://webhook?v=1&name=Vector%20header&url=https%3A%2F%2Freceiver.example%2Fhook%2Fheader&format=native\
            &auth=header&header=X-Api-Key&token=vec_key_x9VHBdwKQo-KwlcOB9v4cwlAawCa0nF2NWQRO1qLDlI\
            &types=heart_rate,steps

            """)
}

@Test func linkOfEveryFlag() {
    let prefix = "syncky-dev://webhook?v=1&name=phone&url=http%3A%2F%2F%5Bfd00%3A%3A1%5D%3A99%2Fx%3Fa%3Db"
    #expect(
        paired("--auth", "basic", "--user", "me", "--no-sign", "--format", "influx").run(
            "link", "phone", "--host", "fd00::1", "--port", "99", "--path", "x?a=b", "--scheme", "syncky-dev"
        ).output == prefix + "&format=influx&auth=basic&user=me&token=t%2F1\n")
    #expect(
        paired("--auth", "none", "--format", "hae").run("link", "--scheme=syncky-staging").output
            == "syncky-staging://webhook?v=1&name=phone&url=http%3A%2F%2Fmyserver.local%3A8787%2Fhook%2Fphone"
            + "&format=hae&auth=none&hmac=s%2B1\n")
    let open = CommandHarness()
    open.run("init", "--auth", "none", "--no-sign")
    #expect(open.run("link").errors.isEmpty)
}

@Test func linkAfterARotation() throws {
    let harness = paired()
    harness.run("rotate", "phone", "--token", "-", "--hmac", "-", input: ["t2", "s2"])
    #expect(harness.run("link").output.hasSuffix("&token=t2&hmac=s2\n"))
}

@Test func linkWithoutASecretThatWorks() throws {
    let harness = paired()
    let path = harness.data + "/receiver.json"
    let ended = try String(contentsOfFile: path, encoding: .utf8)
        .replacingOccurrences(of: "\"value\": \"t/1\"", with: "\"value\": \"t/1\", \"until\": 100")
    try ended.write(toFile: path, atomically: false, encoding: .utf8)
    #expect(
        harness.run("link")
            == .init(
                status: .data, output: "",
                errors: "server: No secret of phone works any more: server rotate phone makes new ones.\n"))
    #expect(harness.run("link", seconds: 100).output.contains("&token=t%2F1&"))
}

@Test func linkPicksTheEndpoint() {
    let harness = paired()
    harness.run("add", "anna")
    #expect(harness.run("link").output.contains("name=phone&"))
    #expect(harness.run("link", "anna").output.contains("name=anna&"))
    harness.run("remove", "phone")
    #expect(harness.run("link").output.contains("name=anna&"))
    harness.run("add", "bert")
    #expect(
        harness.run("link")
            == .init(
                status: .usage, output: "", errors: "server: There are several endpoints, so name one: anna, bert.\n"))
    #expect(harness.run("link", "x").errors == "server: There is no endpoint x; there is anna, bert.\n")
}

@Test func whatAddressTheLinkGets() {
    let harness = paired()
    #expect(harness.run("link") { $0.hostName = "Box.lan.example" }.output.contains("http%3A%2F%2FBox.local%3A8787%2F"))
    for name in ["", "localhost", "localhost.localdomain", "my box", ".x"] where name != ".x" {
        let result = harness.run("link") { $0.hostName = name }
        #expect(
            result
                == .init(
                    status: .usage, output: "",
                    errors: "server: This machine has no name that a phone could use: say --host NAME-OR-ADDRESS.\n"))
    }
    #expect(harness.run("link") { $0.environment["SYNCKY_PORT"] = "9000" }.output.contains("local%3A9000%2F"))
    #expect(
        harness.run("link", "--host", "8.8.8.8").errors
            == "server: The app will warn: Health data will travel unencrypted over the internet. Use https:// if your "
            + "server supports it.\n" + secretNote)
    #expect(harness.run("link", "--host", "8.8.8.8", "--https").errors == secretNote)
    #expect(
        harness.run("link", "--host", "127.0.0.1").errors.hasPrefix("server: On a phone 127.0.0.1 is the phone itself"))
}

@Test func linkThatTheAppWouldRefuse() {
    let harness = paired()
    let cases: [([String], String)] = [
        (["--host", "me@box"], "The app refuses a URL with a user name or password."),
        (["--path", "/a#b"], "The app refuses a URL with a # fragment."),
        (["--host", "a b"], "The host is neither a name nor an address."),
        (["--port", "0"], "--port takes a number from 1 to 65535."),
        (["--path", "/" + String(repeating: "p", count: 2_048)], "The URL has 2075 characters; the app takes 2048."),
        (["--scheme", "synky"], "--scheme is syncky, syncky-dev or syncky-staging; did you mean syncky?"),
        (["--qr", "--png", "x"], "--qr and --png exclude each other."),
        (
            ["--types", "steps,"],
            "A data type is 2 to 64 of a-z, 0-9 and _ and starts with a letter, like heart_rate."
        ),
        (["--types", "steps,steps"], "The type steps is named twice."),
    ]
    for (flags, message) in cases {
        let result = harness.run(words: ["link"] + flags)
        #expect(result.output.isEmpty && result.errors == "server: \(message)\n" && result.status == .usage)
    }
}

@Test func codeOnATerminal() throws {
    let harness = paired()
    let plain = harness.run("link")
    do {
        _ = try QRCode(encoding: "x")
    } catch QRCodeError.libraryMissing {
        let result = harness.run("link", "--qr")
        #expect(result.status == .success && result.output == plain.output)
        #expect(result.errors.contains("apt install libqrencode4"))
        #expect(harness.run("link", "--png", harness.folder + "/x.png").status == .unavailable)
        return
    }
    let code = try QRCode(encoding: String(plain.output.dropLast()))
    let drawn = plain.output + code.terminalText()
    #expect(harness.run("link", "--qr").output == drawn)
    #expect(harness.run("link") { $0.isTerminal = true }.output == drawn)
    #expect(harness.run("link") { ($0.isTerminal, $0.terminalColumns) = (true, code.terminalColumns) }.output == drawn)
    let narrow = harness.run("link") { ($0.isTerminal, $0.terminalColumns) = (true, code.terminalColumns - 1) }
    #expect(narrow.output == plain.output && narrow.errors.contains("columns wide and the terminal"))

    let path = harness.folder + "/link.png"
    try Data("old".utf8).write(to: URL(fileURLWithPath: path))
    let picture = harness.run("link", "--png", path)
    #expect(
        picture.output == plain.output
            && picture.errors.hasSuffix("server: Wrote \(path), which holds the same secrets.\n"))
    #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == Data(code.pngBytes()))
    #expect(try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int == 0o600)
    #expect(try FileManager.default.contentsOfDirectory(atPath: harness.folder).sorted() == ["data", "link.png"])
    let link = harness.folder + "/symlink.png"
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: path)
    for bad in [link, harness.folder, harness.folder + "/none/x.png", "/dev/null"] {
        #expect(harness.run("link", "--png", bad).status == .cannotCreate)
    }
}
