import Foundation
import Receiver
import Signing
import Testing

@testable import server

/// Endpoints for apps that no setup link fills in: what is made, and what to type.
struct GuestCommandTests {
    @Test(
        "init and add make an endpoint without a signature and say what to type",
        arguments: [
            ("relay", "In Health Relay or Health Data Relay, make an HTTP destination with", "  Method   POST, JSON\n"),
            ("steps", "In the app that sends your daily steps, set its server to", ""),
        ])
    func made(format: String, task: String, more: String) throws {
        let harness = CommandHarness()
        let made = harness.run("init", "guest", "--format", format, "--token", "tok_invented")
        #expect(made.status == .success && made.errors.hasSuffix("--token - reads it instead.\n"))
        #expect(try harness.endpoint("guest").credentials.secrets.isEmpty)
        let setup = """

            \(task)

              URL      http://myserver.local:8787/hook/guest
              Header   Authorization: Bearer tok_invented
            \(more)
            The header is a secret: show it to nobody but the phone's owner.

            """
        #expect(made.output.hasSuffix(setup), "\(made.output)")
        #expect(made.output.contains("  server serve\n") && !made.output.contains("QR code"))
        let added = harness.run("add", "second", "--format", format)
        #expect(added.output.hasPrefix("Added the endpoint second.\n\n\(task)\n"), "\(added.output)")
        #expect(try harness.endpoint("second").credentials.secrets.isEmpty)
    }

    @Test("link prints what to type, with the URL that its flags make")
    func link() {
        for format in ["relay", "steps"] {
            let harness = CommandHarness()
            harness.run("init", "guest", "--format", format, "--token", "tok_invented")
            let link = harness.run("link", "--host", "health.example.org", "--https", "--port", "443")
            #expect(link.status == .success && link.errors == "")
            #expect(link.output.contains("  URL      https://health.example.org/hook/guest\n"))
            #expect(
                link.output.contains("  Header   Authorization: Bearer tok_invented\n")
                    && !link.output.contains("://webhook"))
            for flags in [["--qr"], ["--png", "x.png"], ["--types", "steps"], ["--scheme", "syncky"]] {
                let refused = harness.run(words: ["link"] + flags)
                #expect(refused.status == .usage)
                #expect(
                    refused.errors
                        == "server: There is no setup link for the format \(format), so \(flags[0]) has no use.\n")
            }
        }
    }

    @Test("The header follows the endpoint's kind of credentials")
    func headers() {
        let cases: [([String], String?)] = [
            (["--auth", "header", "--header", "X-Key", "--token", "t-1"], "  Header   X-Key: t-1\n"),
            (["--auth", "basic", "--user", "me", "--token", "t-2"], "  Header   Authorization: Basic bWU6dC0y\n"),
            (["--auth", "none"], nil),
        ]
        for (flags, header) in cases {
            let harness = CommandHarness()
            harness.run(words: ["init", "guest", "--format", "relay"] + flags)
            let output = harness.run("link").output
            #expect(header.map { output.contains($0) } ?? !output.contains("Header"), "\(output)")
        }
    }

    @Test("An endpoint for Health Auto Export has Syncky's link on standard output, and what to type beside it")
    func healthAutoExport() {
        let harness = CommandHarness()
        harness.run("init", "export", "--format", "hae", "--no-sign", "--token", "tok_invented")
        let link = harness.run("link")
        #expect(link.output.hasPrefix("syncky://webhook?") && link.output.split(separator: "\n").count == 1)
        #expect(link.errors.contains("In Health Auto Export, make a REST API automation with"))
        #expect(link.errors.contains("  Header   Authorization: Bearer tok_invented\n"))
        let signed = CommandHarness()
        signed.run("init", "export", "--format", "hae")
        #expect(!signed.run("link").errors.contains("Health Auto Export"))
    }

    @Test("A signing secret is refused in a sentence, and --no-sign says nothing new")
    func signatures() throws {
        for format in ["relay", "steps"] {
            let refused = CommandHarness().run("init", "--format", format, "--hmac", "whsec_x")
            #expect(refused.status == .usage)
            #expect(
                refused.errors.hasSuffix(
                    "server: Apps of the format \(format) can't sign what they send: leave --hmac out.\n"))
            let harness = CommandHarness()
            #expect(harness.run("init", "--format", format, "--no-sign").status == .success)
            #expect(try harness.endpoint().credentials.secrets.isEmpty)
        }
    }

    @Test("An endpoint whose secrets were put in by hand has nothing to type")
    func signedByHand() throws {
        let harness = CommandHarness()
        harness.run("init", "guest", "--format", "native")
        let path = harness.data + "/receiver.json"
        let text = try String(contentsOfFile: path, encoding: .utf8)
        let changed = text.replacing("\"native\"", with: "\"relay\"")
        try changed.write(toFile: path, atomically: false, encoding: .utf8)
        let link = harness.run("link")
        #expect(link.status == .data && link.output == "" && link.errors.contains("guest asks for signatures"))
    }
}
