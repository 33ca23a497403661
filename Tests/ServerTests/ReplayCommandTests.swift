import Foundation
import TestSupport
import Testing

@testable import server

/// `server replay` over the repository's own files, and over files that are wrong in one place.
struct ReplayCommandTests {
    private let harness = CommandHarness()

    private func path(_ name: String) -> String { RepositoryRoot.url.appending(path: "test-vectors/" + name).path }

    /// The file `name` of the repository with `text` in place of `other`.
    private func changed(_ name: String, _ other: String, to text: String) throws -> String {
        let content = try String(contentsOfFile: path(name), encoding: .utf8)
        try #require(content.contains(other))
        let copy = "\(harness.folder)/changed.json"
        try content.replacingOccurrences(of: other, with: text).write(toFile: copy, atomically: true, encoding: .utf8)
        return copy
    }

    @Test func signaturesOfRequestsAndReplies() {
        let result = harness.run("replay", path("webhook-signatures.json"))
        #expect(result.status == .success && result.errors == "")
        #expect(result.output.hasPrefix("ok   check connection\n"))
        #expect(result.output.contains("ok   two writes\n") && result.output.hasSuffix(" passed, 0 failed\n"))
    }

    @Test func aLinkThatIsNotTheBuildersFails() throws {
        let file = try changed("webhook-exchanges.json", "&token=vec_token_N", to: "&token=vec_token_M")
        let result = harness.run("replay", "--only", "delete", file)
        #expect(result.status == .data)
        #expect(result.output.hasPrefix("FAIL delete\n     link should be syncky://webhook?v=1&name="))
    }

    @Test func aReplysWrongSignatureFails() throws {
        let file = try changed("webhook-exchanges.json", "v1=73d9", to: "v1=73d8")
        let result = harness.run("replay", "--only", "writes_and_results", file)
        #expect(result.status == .data)
        #expect(result.output.contains("     reply 0: signature should be t=1791961923,v1=73d9d986"))
    }

    @Test func aSignatureWithAnotherVerdictFails() throws {
        let file = try changed("webhook-signatures.json", "\"clock\": 1791961500", to: "\"clock\": 1791971500")
        let result = harness.run("replay", "--only", "check connection", file)
        #expect(
            result.output
                == "FAIL check connection\n     the verdict should be accepted and is clock\n0 passed, 1 failed\n")
    }

    @Test func vectorsOfParsersAreSkipped() {
        let file = path("native-accepted.json")
        let both = harness.run("replay", "--only", "parts_one", file, path("series-parts.json"))
        #expect(both.status == .success)
        #expect(both.output.hasPrefix("skip "))
        #expect(both.output.hasSuffix(", which has no cases for a server\nok   parts_one\n1 passed, 0 failed\n"))
    }

    @Test func filesThatAreNone() throws {
        #expect(
            harness.run("replay", "/nowhere.json")
                == .init(status: .inputOutput, output: "", errors: "server: /nowhere.json can't be read.\n"))
        let file = try changed("series-parts.json", "{", to: "[")
        let result = harness.run("replay", file)
        #expect(result.status == .data && result.output == "" && result.errors.hasSuffix(" is not JSON.\n"))
    }
}

struct ServeUsageTests {
    /// A flag's bad value is the command line's fault, also where the folder has no settings yet.
    @Test(arguments: [
        ("--port", "65536", "--port must be a whole number from 0 to 65535."),
        ("--bind", "localhost", "--bind must be an IPv4 or IPv6 address."),
        ("--max-body-bytes", "999999", "--max-body-bytes must be a whole number from 1000000 to 1073741824."),
    ])
    func aBadValueIsUsage(flag: String, value: String, message: String) {
        #expect(
            CommandHarness().run("serve", flag, value)
                == .init(status: .usage, output: "", errors: "server: \(message)\n"))
    }

    @Test func aFileKeepsItsName() {
        #expect(sentence("health.db is damaged") == "health.db is damaged.")
        #expect(sentence("/data/receiver.json: line 1") == "/data/receiver.json: line 1.")
        #expect(sentence("no space is left for health.db") == "No space is left for health.db.")
    }
}
