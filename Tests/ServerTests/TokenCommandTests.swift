import Foundation
import Receiver
import Storage
import TestSupport
import Testing

@testable import server

/// At 2026-10-14T07:05:00Z.
@Suite struct TokenCommandTests {
    private let harness: CommandHarness

    init() {
        harness = CommandHarness()
        harness.run("init", "--time-zone", "UTC", "--person", "me")
    }

    private func token(_ name: String) throws -> APIToken {
        try #require(try harness.configuration.api.tokens.first { $0.name == name })
    }

    @Test func aTokenIsPrintedOnceAndKeptAsADigest() throws {
        let result = harness.run("token", "add", "browser")
        #expect(result.status == .success && result.output.hasPrefix("sat_") && result.output.utf8.count == 48)
        #expect(
            result.errors
                == "This is the token browser for the data of me. Keep it: it can't be shown again. It works once server serve runs.\n"
        )
        let secret = String(result.output.dropLast())
        let token = try token("browser")
        #expect(token.hash == APIToken.hash(of: secret.utf8) && token.scope == .read && token.person == "me")
        #expect(token.types == nil && token.expiresSeconds == nil && token.createdSeconds == 1_791_961_500)
        let text = try String(contentsOfFile: harness.data + "/receiver.json", encoding: .utf8)
        #expect(!text.contains(secret) && !text.contains(secret.dropFirst(4)))
        #expect(try harness.mode("receiver.json") == 0o600)
        for words in [["token", "list"], ["token", "list", "--json"], ["list"], ["status"], ["status", "--json"]] {
            let shown = harness.run(words: words)
            #expect(!(shown.output + shown.errors).contains("sat_"))
            let digest = token.hash.map { String(format: "%02x", $0) }.joined()
            #expect(!(shown.output + shown.errors).contains(digest.prefix(16)))
        }
    }

    @Test func whatATokenIsForIsChosen() throws {
        harness.run("token", "add", "a", "--scope", "write", "--types", "steps,heart_rate,steps", "--expires", "90d")
        let a = try token("a")
        #expect(a.scope == .write && a.types == ["steps", "heart_rate"])
        #expect(a.expiresSeconds == 1_799_737_500)
        harness.run("token", "add", "b", "--expires", "2027-01-01", "--all-persons")
        #expect(try token("b").expiresSeconds == 1_798_761_600 && token("b").person == nil)
        harness.run("token", "add", "c", "--person", "Kim K.")
        #expect(try token("c").person == "Kim K.")
        let odd = harness.run("token", "add", "d", "--types", "stepz,workout")
        #expect(odd.status == .success && odd.errors.hasPrefix("Warning: The catalog has no type stepz.\nThis is"))
    }

    @Test func whatCantBeAToken() throws {
        harness.run("token", "add", "taken")
        let before = try harness.configuration
        let cases: [(words: [String], message: String)] = [
            ([], "token needs add|list|remove: see server token --help."),
            (["ad", "x"], "token is followed by add, list or remove; did you mean add?"),
            (["xyzzy"], "token is followed by add, list or remove."),
            (["add"], "token add needs NAME: see server token --help."),
            (["remove"], "token remove needs NAME: see server token --help."),
            (["add", "A"], "A token's NAME is 1 to 32 of a-z, 0-9 and -."),
            (["add", ""], "A token's NAME is 1 to 32 of a-z, 0-9 and -."),
            (["add", "taken"], "There is a token taken already: remove it first, or choose another name."),
            (["add", "x", "--scope", "admin"], "--scope is read or write."),
            (["add", "x", "--types", "steps,"], "--types takes names such as steps,heart_rate, not ."),
            (["add", "x", "--types", "Steps"], "--types takes names such as steps,heart_rate, not Steps."),
            (["add", "x", "--expires", "0d"], "--expires takes days such as 90d, or a day such as 2027-01-01."),
            (["add", "x", "--expires", "36501d"], "--expires takes days such as 90d, or a day such as 2027-01-01."),
            (["add", "x", "--expires", "90"], "--expires takes days such as 90d, or a day such as 2027-01-01."),
            (
                ["add", "x", "--expires", "2027-02-30"],
                "--expires takes days such as 90d, or a day such as 2027-01-01."
            ),
            (["add", "x", "--expires", "2026-10-14"], "--expires must lie ahead."),
            (["add", "x", "--person", ""], "--person is 1 to 64 characters without control characters."),
            (["add", "x", "--person", "p", "--all-persons"], "--person and --all-persons exclude each other."),
            (["add", "x", "--json"], "--json goes with token list."),
            (["list", "x"], "x is one word too many: server token list [--json]."),
            (["list", "--scope", "read"], "--scope goes with token add."),
            (["remove", "taken", "--all-persons"], "--all-persons goes with token add."),
            (["remove", "x"], "There is no token x; there is taken."),
        ]
        for (words, message) in cases {
            let result = harness.run(words: ["token"] + words)
            #expect(result == .init(status: .usage, output: "", errors: "server: \(message)\n"), "\(words)")
        }
        #expect(try harness.configuration == before)
    }

    @Test func withSeveralPersonsOrNoneOneMustBeChosen() throws {
        harness.run("add", "tablet", "--person", "kim")
        let several = harness.run("token", "add", "x")
        #expect(
            several.errors
                == "server: There are several persons, so say whose data the token is for: --person P or --all-persons.\n"
        )
        #expect(harness.run("token", "add", "x", "--person", "kim").status == .success)
        for name in ["tablet", "phone"] { harness.run("remove", name) }
        #expect(harness.run("token", "add", "y").errors.contains("There is no endpoint, so say"))
        // What else is changed keeps the tokens.
        #expect(try harness.configuration.api.tokens.map(\.name) == ["x"])
        harness.run("add", "watch")
        harness.run("rotate", "watch")
        #expect(try harness.configuration.api.tokens.map(\.name) == ["x"])
    }

    @Test func tokensAreListedAndRemoved() throws {
        #expect(harness.run("token", "list").output == "There is no token: server token add NAME makes one.\n")
        harness.run("token", "add", "a", "--types", "steps", "--expires", "1d")
        harness.run("token", "add", "b", "--scope", "write", "--all-persons")
        #expect(
            harness.run("token", "list", seconds: 1_791_961_500 + 86_400).output == """
                NAME  SCOPE  PERSON  TYPES  CREATED                  EXPIRES
                a     read   me      steps  2026-10-14 07:05:00 UTC  2026-10-15 07:05:00 UTC (expired)
                b     write  all     all    2026-10-14 07:05:00 UTC  never

                """)
        let json =
            try JSONSerialization.jsonObject(
                with: Data(harness.run("token", "list", "--json").output.utf8)) as? [[String: Any]]
        #expect(json?.count == 2 && json?[0]["expired"] as? Bool == false && json?[1]["person"] is NSNull)
        #expect(json?[0]["expires"] as? String == "2026-10-15T07:05:00Z" && json?[0]["hash"] == nil)
        #expect(
            harness.run("token", "remove", "a").output
                == "Removed the token a: it is refused, and so are browsers that signed in with it.\n")
        #expect(try harness.configuration.api.tokens.map(\.name) == ["b"])
    }

    @Test func aBackupWithoutSecretsHasNoTokens() throws {
        _ = try Store.open(directory: harness.data).close()
        harness.run("token", "add", "browser")
        let file = harness.folder + "/a.backup", full = harness.folder + "/b.backup"
        #expect(harness.run("backup", file).status == .success)
        #expect(harness.run("backup", full, "--with-secrets").status == .success)
        for (file, names) in [(file, [String]()), (full, ["browser"])] {
            let data = harness.folder + "/restored-\(names.count)"
            #expect(harness.run("init", "--from", file, "--data", data).status == .success)
            #expect(try ConfigurationFile(directory: data).load().configuration.api.tokens.map(\.name) == names)
        }
    }

    @Test func helpOfToken() {
        #expect(
            harness.run("token", "--help").output == """
                Give and take tokens for the dashboard and the API.

                Usage: server token add NAME [options]
                       server token list [--json]
                       server token remove NAME

                add prints a new token, the only line on standard output, once: the receiver
                keeps a digest of it and can't show it again. Who has it may see what is
                stored, at the dashboard and with Authorization: Bearer TOKEN at the API; with
                --scope write also ask the phone to write. It is for one person's data, the
                only one's unless --person or --all-persons says otherwise.

                A running server takes a new token, and refuses one that was removed and the
                browsers that signed in with it, within a second. list --json prints an array
                of {"name","scope","person","types","created","expires","expired"}; times are
                UTC, null means everybody, all types, no end.

                Options:
                  --scope S       read or write; default read
                  --types A,B     only these data types, such as steps,heart_rate
                  --expires WHEN  after so many days, such as 90d, or when a day begins in UTC,
                                  such as 2027-01-01
                  --person P      whose data; needed when there are several persons
                  --all-persons   everybody's data
                  --json          print JSON for machines
                  --data DIR      folder of the receiver (or SYNCKY_DATA);
                                  default ~/.local/share/syncky-receiver
                  --help          print this text

                Examples:
                  server token add browser --scope write
                  server token add grafana --types steps,heart_rate --expires 90d
                  server token list
                  server token remove grafana

                """)
    }

    @Test func aRealServerTakesATokenAtOnce() throws {
        let data = harness.data
        let server = try ServingProcess(
            data: data, log: harness.folder + "/log", environment: [:], api: "127.0.0.1:0")
        let api = try #require(ServeLock.apiAddress(of: try DataFolder(existing: data)))
        let made = harness.run("token", "add", "browser")
        #expect(made.errors == "This is the token browser for the data of me. Keep it: it can't be shown again.\n")
        let secret = made.output.dropLast()
        func status() throws -> Int {
            let client = try Receiver.LoopbackClient(port: api.port)
            try client.send(
                Array("GET /api/v1/status HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer \(secret)\r\n\r\n".utf8))
            return try client.receive().status
        }
        var tries = 0
        while try status() != 200, tries < 300 {
            tries += 1
            usleep(10_000)
        }
        #expect(try status() == 200)
        #expect(server.stop() == 0)
        let log = try String(contentsOfFile: harness.folder + "/log", encoding: .utf8)
        #expect(log.contains("dashboard and API on http://127.0.0.1:\(api.port)"))
        // Asked for by name, a taken address is a reason not to start.
        let first = try ServingProcess(
            data: data, log: harness.folder + "/log", environment: [:], api: "127.0.0.1:0")
        let taken = try #require(ServeLock.apiAddress(of: try DataFolder(existing: data)))
        let other = harness.folder + "/other"
        #expect(try spawn(["init"], environment: ["SYNCKY_DATA": other]).status == 0)
        let refused = try spawn(
            ["serve", "--bind", "127.0.0.1", "--port", "0", "--api-bind", "127.0.0.1:\(taken.port)"],
            environment: ["SYNCKY_DATA": other])
        #expect(refused.status == 73 && refused.errors.contains("Port \(taken.port) is taken"))
        #expect(first.stop() == 0)
    }
}
