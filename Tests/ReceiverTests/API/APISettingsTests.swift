import Foundation
import Receiver
import Testing

/// The member `api` of `receiver.json`.
struct APISettingsTests {
    private static let hash = String(repeating: "0a", count: 32)
    private static let token =
        #"{"name":"grafana","scope":"read","person":"me","types":["steps"],"hash":"\#(hash)","created":"2026-10-14T07:05:00Z","expires":"2027-01-12T07:05:00Z"}"#

    private static func text(_ api: String) -> [UInt8] { Array(#"{"schema":1,"api":\#(api)}"#.utf8) }

    @Test func itIsWrittenAsItIsRead() throws {
        let configuration = try Configuration(
            parsing: Self.text(#"{"bind":"[::1]:9000","tokens":[\#(Self.token)]}"#))
        let token = try #require(configuration.api.tokens.first)
        #expect(token.name == "grafana" && token.scope == .read && token.person == "me" && token.types == ["steps"])
        #expect(token.hash == [UInt8](repeating: 10, count: 32))
        #expect(token.createdSeconds == 1_791_961_500 && token.expiresSeconds == 1_799_737_500)
        #expect(configuration.api.bind == "[::1]:9000")
        #expect(try Configuration(parsing: Array(configuration.text().utf8)) == configuration)
        // What nobody set isn't written.
        #expect(!Configuration().text().contains("api"))
        #expect(try Configuration(parsing: Self.text("null")) == Configuration())
        #expect(try Configuration(parsing: Self.text(#"{"bind":null,"tokens":[]}"#)) == Configuration())
        #expect(try Configuration(parsing: Self.text(#"{"bind":"off"}"#)).text().contains(#""bind": "off""#))
    }

    static let edits: [Edit] = [
        Edit("grafana", "graf-1", nil), Edit("\"read\"", "\"write\"", nil), Edit("\"me\"", "null", nil),
        Edit("[\"steps\"]", "null", nil),
        Edit("[\"steps\"]", "[]", "api.tokens[0].types must hold 1 to 512 names of a-z, 0-9 and _"),
        Edit("\"2027-01-12T07:05:00Z\"", "null", nil), Edit("2027-01-12T07:05:00Z", "2027-01-12T09:05:00+02:00", nil),
        Edit("[::1]:9000", "0.0.0.0:1", nil), Edit("[::1]:9000", "off", nil),
        Edit("grafana", "Grafana", "api.tokens[0].name must be 1 to 32 of a-z, 0-9 and -"),
        Edit("grafana", "", "api.tokens[0].name must be 1 to 32 of a-z, 0-9 and -"),
        Edit("grafana", "a.b", "api.tokens[0].name must be 1 to 32 of a-z, 0-9 and -"),
        Edit("\"read\"", "\"admin\"", "api.tokens[0].scope must be read or write"),
        Edit("\"read\"", "1", "api.tokens[0].scope must be a text in quotes"),
        Edit("\"me\"", "\"\"", "api.tokens[0].person must be 1 to 64 characters without control characters"),
        Edit("[\"steps\"]", "[\"St\"]", "api.tokens[0].types must hold 1 to 512 names of a-z, 0-9 and _"),
        Edit("[\"steps\"]", "[\"\"]", "api.tokens[0].types must hold 1 to 512 names of a-z, 0-9 and _"),
        Edit("[\"steps\"]", "[1]", "api.tokens[0].types must hold texts in quotes"),
        Edit("[\"steps\"]", "\"steps\"", "api.tokens[0].types must be an array"),
        Edit("0a0a", "0A0a", "api.tokens[0].hash must be 64 hexadecimal digits in lower case"),
        Edit("0a0a", "0a0", "api.tokens[0].hash must be 64 hexadecimal digits in lower case"),
        Edit("0a0a", "0x0a", "api.tokens[0].hash must be 64 hexadecimal digits in lower case"),
        Edit("2026-10-14T07:05:00Z", "2026-10-14", "api.tokens[0].created must be a time such as 2026-10-14T07:00:00Z"),
        Edit("2027-01-12T07:05:00Z", "soon", "api.tokens[0].expires must be a time such as 2026-10-14T07:00:00Z"),
        Edit("\"name\"", "\"nam\"", "api.tokens[0].name is missing"),
        Edit("\"scope\"", "\"more\":1,\"scope\"", "api.tokens[0] has no member called more"),
        Edit("\"tokens\"", "\"more\":1,\"tokens\"", "api has no member called more"),
        Edit("[::1]:9000", "::1:9000", "api.bind must be an address with a port such as 127.0.0.1:8788, or off"),
        Edit("[::1]:9000", "127.0.0.1", "api.bind must be an address with a port such as 127.0.0.1:8788, or off"),
        Edit("[::1]:9000", "127.0.0.1:0", "api.bind must be an address with a port such as 127.0.0.1:8788, or off"),
        Edit("[::1]:9000", "127.0.0.1:65536", "api.bind must be an address with a port such as 127.0.0.1:8788, or off"),
        Edit("[::1]:9000", "localhost:8788", "api.bind must be an address with a port such as 127.0.0.1:8788, or off"),
        Edit("[::1]:9000", "[::1:9000", "api.bind must be an address with a port such as 127.0.0.1:8788, or off"),
        Edit("[::1]:9000", ":9000", "api.bind must be an address with a port such as 127.0.0.1:8788, or off"),
        Edit("[::1]:9000", "on", "api.bind must be an address with a port such as 127.0.0.1:8788, or off"),
    ]

    @Test(arguments: edits) func eachRuleIsChecked(edit: Edit) throws {
        let text = #"{"schema":1,"api":{"bind":"[::1]:9000","tokens":[\#(Self.token)]}}"#
        let place = try #require(text.range(of: edit.old))
        let edited = text.replacingCharacters(in: place, with: edit.new)
        do throws(ConfigurationError) {
            let configuration = try Configuration(parsing: Array(edited.utf8))
            #expect(edit.message == nil)
            #expect(try Configuration(parsing: Array(configuration.text().utf8)) == configuration)
        } catch {
            #expect(error.message == edit.message)
        }
    }

    @Test func namesAreGivenOnceAndTokensAreBounded() throws {
        func parse(_ names: [String]) throws -> Configuration {
            let tokens = names.map { Self.token.replacingOccurrences(of: "grafana", with: $0) }
            return try Configuration(parsing: Self.text(#"{"tokens":[\#(tokens.joined(separator: ","))]}"#))
        }
        #expect(throws: ConfigurationError(.invalid, "api.tokens[1].name must not be that of another token")) {
            try parse(["a", "a"])
        }
        #expect(try parse((1...64).map { "t\($0)" }).api.tokens.count == 64)
        #expect(throws: ConfigurationError(.invalid, "api.tokens must hold at most 64")) {
            try parse((1...65).map { "t\($0)" })
        }
    }

    @Test func aTextThatIsCutAnywhereIsRefused() throws {
        let text = Self.text(#"{"bind":"off","tokens":[\#(Self.token)]}"#)
        for count in 0..<text.count {
            #expect(throws: ConfigurationError.self) { try Configuration(parsing: Array(text[..<count])) }
        }
    }

    @Test func newTokensCantBeGuessed() {
        let tokens = Set((0..<100).map { _ in APIToken.newToken() })
        #expect(tokens.count == 100)
        for token in tokens { #expect(token.hasPrefix("sat_") && token.utf8.count == 47) }
    }

    @Test func theAddressComesFromFlagEnvironmentOrFile() throws {
        func bind(_ flags: [String: String], _ environment: [String: String]) throws -> String? {
            var configuration = Configuration()
            configuration.api.bind = "127.0.0.1:1"
            return try SettingOverrides(flags: flags, environment: environment).applied(to: configuration).api.bind
        }
        #expect(try bind([:], [:]) == "127.0.0.1:1")
        #expect(try bind([:], ["SYNCKY_API_BIND": "off"]) == "off")
        #expect(try bind(["--api-bind": "127.0.0.1:0"], ["SYNCKY_API_BIND": "off"]) == "127.0.0.1:0")
        #expect(try bind([:], ["SYNCKY_API_BIND": ""]) == "127.0.0.1:1")
        for flags in [["--api-bind": "8788"], ["--api-bind": ""], ["--api-bind": "localhost:1"]] {
            #expect(throws: ConfigurationError.self) { try bind(flags, [:]) }
        }
        #expect(throws: ConfigurationError.self) { try bind([:], ["SYNCKY_API_BIND": "127.0.0.1:0"]) }
    }
}
