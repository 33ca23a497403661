import Foundation
import Samples
import Signing
import Testing

@testable import Receiver

func exampleConfiguration() -> Configuration {
    var configuration = Configuration()
    configuration.port = 9000
    configuration.bind = "127.0.0.1"
    configuration.limits.maximumBodyBytes = 2_000_000
    configuration.endpoints["phone"] = Endpoint(
        name: "phone", label: "Küche \"1\" \\ / 🧭", person: "me",
        credentials: EndpointCredentials(
            scheme: .bearer,
            tokens: [
                RotatingSecret(secret: Secret(text: "tok-new")),
                RotatingSecret(secret: Secret(text: "tok-old"), untilSeconds: 1_791_961_500),
            ], secrets: [RotatingSecret(secret: Secret(text: "whsec_one"))]),
        format: .native, timeZone: "UTC")
    configuration.endpoints["a-2"] = Endpoint(
        name: "a-2", label: "a", person: "a-2",
        credentials: EndpointCredentials(
            scheme: .basic(user: "jo"), tokens: [RotatingSecret(secret: Secret(text: " pass:wörd "))]),
        format: .hae, timeZone: "UTC")
    configuration.endpoints["key"] = Endpoint(
        name: "key", label: "k", person: "me",
        credentials: EndpointCredentials(
            scheme: .header(name: "x-api-key"), tokens: [RotatingSecret(secret: Secret(text: "v"))]),
        headerName: "X-Api-Key", format: .csv, timeZone: "UTC")
    configuration.endpoints["open"] = Endpoint(
        name: "open", label: "o", person: "me", credentials: EndpointCredentials(scheme: .none), format: .influx,
        timeZone: "UTC")
    return configuration
}

/// One edit of a good text and what is said about it; nil when it is good as well.
struct Edit: Sendable, CustomTestStringConvertible {
    var old: String, new: String, message: String?
    init(_ old: String, _ new: String, _ message: String?) { (self.old, self.new, self.message) = (old, new, message) }
    var testDescription: String { "\(old) -> \(new.prefix(60))" }
}

private let goodText = """
    {"schema": 1, "bind": "::", "port": 8787, "limits": {"max_body_bytes": 1000000}, "endpoints": {"phone":
      {"label": "Phone", "person": "me", "auth": "bearer", "tokens": [{"value": "tok"}, {"value": "two", "until": 5}],
       "secrets": [{"value": "whsec_x", "until": null}], "format": "native", "time_zone": "UTC"}}}
    """

private let name = "each name in endpoints must be 1 to 32 of a-z, 0-9 and -"
private let labelRule = "must be 1 to 64 characters without control characters"
private let tokenRule = "must be 1 to 4096 bytes of printable text without a space at an end"
private let bearer = #""auth": "bearer""#
private let limit = #""max_body_bytes": 1000000"#
private let label = #""label": "Phone""#
private let tokens = #"[{"value": "tok"}, {"value": "two", "until": 5}]"#
private let scheme = "endpoints.phone"

private let edits: [Edit] = [
    Edit("::", "::", nil), Edit(#", "limits": {"max_body_bytes": 1000000}"#, "", nil),
    Edit(#""bind": "::", "port": 8787, "#, "", nil), Edit("8787", "null", nil),

    Edit(#""schema": 1, "#, "", "schema is missing"),
    Edit(#""schema": 1"#, #""schema": 2"#, "schema 2 is of a newer program; this one reads schema 1"),
    Edit(#""schema": 1"#, #""schema": 0"#, "schema must be a whole number from 1 up"),
    Edit(#""schema": 1"#, #""schema": "1""#, "schema must be a whole number from 1 up"),
    Edit(#""schema": 1"#, #""schema": 1.0"#, "schema must be a whole number from 1 up"),
    Edit(#""schema": 1"#, #""schema": true"#, "schema must be a whole number from 1 up"),

    Edit("8787", "0", "port must be a whole number from 1 to 65535"),
    Edit("8787", "65535", nil), Edit("8787", "65536", "port must be a whole number from 1 to 65535"),
    Edit("8787", "-1", "port must be a whole number from 1 to 65535"),
    Edit("8787", "1e3", "port must be a whole number from 1 to 65535"),
    Edit("8787", "99999999999999999999", "port must be a whole number from 1 to 65535"),
    Edit("8787", #""8787""#, "port must be a whole number from 1 to 65535"),
    Edit(#""::""#, #""0.0.0.0""#, nil), Edit(#""::""#, #""fe80::1%eth0""#, nil),
    Edit(#""::""#, #""localhost""#, "bind must be an IPv4 or IPv6 address"),
    Edit(#""::""#, #""[::]""#, "bind must be an IPv4 or IPv6 address"),
    Edit(#""::""#, #""1.2.3""#, "bind must be an IPv4 or IPv6 address"),
    Edit(#""::""#, #""1.2.3.4%eth0""#, "bind must be an IPv4 or IPv6 address"),
    Edit(#""::""#, #""fe80::1%""#, "bind must be an IPv4 or IPv6 address"),
    Edit(#""::""#, #""::\u0000""#, "bind must be an IPv4 or IPv6 address"),
    Edit(#""::""#, #""""#, "bind must be an IPv4 or IPv6 address"),
    Edit(#""::""#, "7", "bind must be a text in quotes"),

    Edit("max_body_bytes", "max_body_byte", "limits has no member called max_body_byte"),
    Edit(
        limit, #""max_body_bytes": 999999"#, "limits.max_body_bytes must be a whole number from 1000000 to 1073741824"),
    Edit(
        limit, #""max_body_memory_bytes": 1000000"#,
        "limits.max_body_memory_bytes must not be under max_body_bytes: no such body would ever fit"),
    Edit("{\(limit)}", "[]", "limits must be an object"), Edit("{\(limit)}", "null", nil),
    Edit(#""port""#, #""prot""#, "the text has no member called prot"),
    Edit(#""port""#, #""a secret value""#, "the text has an unknown member"),

    Edit(#""phone":"#, #""Phone":"#, name), Edit(#""phone":"#, #""":"#, name), Edit(#""phone":"#, #""a b":"#, name),
    Edit(#""phone":"#, #""a/b":"#, name), Edit(#""phone":"#, #""fön":"#, name),
    Edit(#""phone":"#, "\"\(String(repeating: "a", count: 33))\":", name),
    Edit(#""phone":"#, "\"\(String(repeating: "-", count: 32))\":", nil),

    Edit("\(label), ", "", "endpoints.phone.label is missing"),
    Edit(label, #""label": """#, "endpoints.phone.label \(labelRule)"),
    Edit(label, #""label": "a\u0007""#, "endpoints.phone.label \(labelRule)"),
    Edit(label, #""label": "a\n""#, "endpoints.phone.label \(labelRule)"),
    Edit(label, #""label": "\#(String(repeating: "ü", count: 64))""#, nil),
    Edit(label, #""label": "\#(String(repeating: "x", count: 65))""#, "endpoints.phone.label \(labelRule)"),
    Edit(label, #""label": "e\#(String(repeating: "\u{301}", count: 5000))""#, "endpoints.phone.label \(labelRule)"),
    Edit(#""person": "me""#, #""person": """#, "endpoints.phone.person \(labelRule)"),
    Edit(#""person": "me", "#, "", "endpoints.phone.person is missing"),

    Edit(bearer, #""auth": "Bearer""#, "\(scheme).auth must be none, bearer, basic or header"),
    Edit("\(bearer), ", "", "\(scheme).auth is missing"),
    Edit(bearer, #""auth": "none""#, "\(scheme).tokens must be empty when auth is none"),
    Edit(bearer, #""auth": "bearer", "user": "jo""#, "\(scheme).user is only for auth basic"),
    Edit(bearer, #""auth": "bearer", "header": "x-k""#, "\(scheme).header is only for auth header"),
    Edit(bearer, #""auth": "basic""#, "\(scheme).user must be 1 to 256 printable ASCII characters without a colon"),
    Edit(bearer, #""auth": "basic", "user": "jo""#, nil),
    Edit(bearer, #""auth": "basic", "user": "\#(String(repeating: "u", count: 256))""#, nil),
    Edit(
        bearer, #""auth": "basic", "user": "\#(String(repeating: "u", count: 257))""#,
        "\(scheme).user must be 1 to 256 printable ASCII characters without a colon"),
    Edit(
        bearer, #""auth": "basic", "user": "j:o""#,
        "\(scheme).user must be 1 to 256 printable ASCII characters without a colon"),
    Edit(
        bearer, #""auth": "basic", "user": "jö""#,
        "\(scheme).user must be 1 to 256 printable ASCII characters without a colon"),

    Edit(tokens, "[]", "\(scheme).tokens must hold at least one token unless auth is none"),
    Edit(tokens, "{}", "\(scheme).tokens must be an array"),
    Edit(tokens, "[7]", "\(scheme).tokens[0] must be an object"),
    Edit(tokens, "[{}]", "\(scheme).tokens[0].value is missing"),
    Edit(#""until": 5"#, #""until": -1"#, "\(scheme).tokens[1].until must be a whole number from 0 up"),
    Edit(#""until": 5"#, #""until": "5""#, "\(scheme).tokens[1].until must be a whole number from 0 up"),
    Edit(#""until": 5"#, #""unitl": 5"#, "\(scheme).tokens[1] has no member called unitl"),
    Edit("two", "", "\(scheme).tokens[1].value \(tokenRule)"),
    Edit("two", " two", "\(scheme).tokens[1].value \(tokenRule)"),
    Edit("two", "two ", "\(scheme).tokens[1].value \(tokenRule)"), Edit("two", "t w o", nil),
    Edit("two", #"t\u0000o"#, "\(scheme).tokens[1].value \(tokenRule)"),
    Edit("two", #"t\r\no"#, "\(scheme).tokens[1].value \(tokenRule)"),
    Edit("two", #"t\u0085o"#, "\(scheme).tokens[1].value \(tokenRule)"),
    Edit("two", String(repeating: "t", count: 4096), nil),
    Edit("two", String(repeating: "t", count: 4097), "\(scheme).tokens[1].value \(tokenRule)"),
    Edit(tokens, "[" + Array(repeating: #"{"value":"t"}"#, count: 16).joined(separator: ",") + "]", nil),
    Edit(
        tokens, "[" + Array(repeating: #"{"value":"t"}"#, count: 17).joined(separator: ",") + "]",
        "\(scheme).tokens must hold at most 16"),
    Edit("whsec_x", "", "\(scheme).secrets[0].value must be 1 to 4096 bytes of printable text"),
    Edit("whsec_x", " any text at all ", nil), Edit("whsec_x", String(repeating: "s", count: 4096), nil),
    Edit(
        "whsec_x", String(repeating: "s", count: 4097),
        "\(scheme).secrets[0].value must be 1 to 4096 bytes of printable text"),
    Edit(
        #""format": "native""#, #""format": "xml""#,
        "\(scheme).format must be one of native, hae, csv, influx, puls, relay, steps"),
    Edit(#""format""#, #""from""#, "\(scheme).format is missing"),
    Edit(
        #""UTC""#, #""Nowhere/Land""#,
        "\(scheme).time_zone must be a name of the time zone database, such as Europe/Berlin"),
    Edit(#""UTC""#, "{}", "\(scheme).time_zone must be a text in quotes"),
    Edit(#""format""#, #""note": "", "format""#, "\(scheme) has no member called note"),
]

@Test(arguments: edits)
func configurationEdit(edit: Edit) throws {
    let text = goodText.replacingOccurrences(of: edit.old, with: edit.new)
    if edit.old != edit.new { try #require(text != goodText) }
    do {
        let configuration = try Configuration(parsing: Array(text.utf8))
        #expect(edit.message == nil)
        #expect(try Configuration(parsing: Array(configuration.text().utf8)) == configuration)
    } catch {
        #expect(error == ConfigurationError(.invalid, edit.message ?? "is good"))
    }
}

@Test(
    arguments: ConfigurationRules.forbiddenHeaderNames.sorted() + [
        "X-Syncky-Kind", "HOST", "a b", "a:b", "ä", "[x]", "", "@",
    ])
func headerThatTheAppForbids(header: String) {
    let replaced = goodText.replacingOccurrences(of: bearer, with: #""auth": "header", "header": "\#(header)""#)
    #expect(
        throws: ConfigurationError(
            .invalid, "endpoints.phone.header must be the name of a header field that the app lets you choose")
    ) { try Configuration(parsing: Array(replaced.utf8)) }
    #expect(!ConfigurationRules.isCustomHeaderName(header))
}

@Test func headerNamesThatTheAppTakes() {
    for header in [
        "X-Api-Key", "x", "X-Synckey", "Proxy-Authorization", "!#$%&'*+-.^_`|~09azAZ",
        String(repeating: "h", count: 256),
    ] {
        #expect(ConfigurationRules.isCustomHeaderName(header))
    }
    #expect(!ConfigurationRules.isCustomHeaderName(String(repeating: "h", count: 257)))
}

@Suite struct ConfigurationTextRules {
    @Test func roundTrip() throws {
        let configuration = exampleConfiguration()
        let text = configuration.text()
        let read = try Configuration(parsing: Array(text.utf8))
        #expect(read == configuration)
        #expect(read.text() == text)
        #expect(read.names == ["a-2", "key", "open", "phone"])
        #expect(text.contains(#""header": "X-Api-Key""#))
        #expect(read.endpoints["key"]?.credentials.scheme == .header(name: "x-api-key"))
        // Another program reads the same.
        let tree = try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any]
        #expect((tree?["limits"] as? [String: Int])?["max_body_bytes"] == 2_000_000)
        #expect(tree?["port"] as? Int == 9000)
    }

    @Test func wholeText() {
        var configuration = Configuration()
        configuration.endpoints["phone"] = Endpoint(
            name: "phone", label: "Phone", person: "me",
            credentials: EndpointCredentials(
                scheme: .bearer, tokens: [RotatingSecret(secret: Secret(text: "t"), untilSeconds: 7)]),
            format: .native, timeZone: "UTC")
        #expect(
            configuration.text() == """
                {
                  "schema": 1,
                  "bind": "::",
                  "port": 8787,
                  "limits": {},
                  "endpoints": {
                    "phone": {
                      "label": "Phone",
                      "person": "me",
                      "auth": "bearer",
                      "tokens": [
                        {
                          "value": "t",
                          "until": 7
                        }
                      ],
                      "secrets": [],
                      "format": "native",
                      "time_zone": "UTC"
                    }
                  }
                }

                """)
    }

    @Test func cutAnywhere() {
        let bytes = Array(exampleConfiguration().text().utf8)
        let end = bytes.lastIndex(of: UInt8(ascii: "}")) ?? 0
        for cut in 0...end {
            do {
                _ = try Configuration(parsing: Array(bytes[..<cut]))
                Issue.record("cut at \(cut) is accepted")
            } catch {
                #expect(error.kind == .notJSON)
            }
        }
    }

    /// Any byte changed: accepted or refused with a sentence, never a crash, and no secret in the sentence.
    @Test func changedAnywhere() {
        let bytes = Array(exampleConfiguration().text().utf8)
        for index in bytes.indices {
            for byte in [0, 0x22, 0x30, 0x5C, 0x7D, 0xFF] as [UInt8] {
                var changed = bytes
                changed[index] = byte
                do {
                    _ = try Configuration(parsing: changed)
                } catch {
                    #expect(error.kind == .invalid || error.kind == .notJSON)
                    for secret in ["tok-", "whsec_", "pass:"] { #expect(!error.message.contains(secret)) }
                }
            }
        }
    }

    @Test func saveChecksWhatCommandsGive() {
        var configuration = exampleConfiguration()
        configuration.endpoints["phone"]?.credentials.tokens = [RotatingSecret(secret: Secret([0xFF]))]
        #expect(throws: ConfigurationError(.invalid, "endpoints.phone.tokens[0].value \(tokenRule)")) {
            try configuration.check()
        }
        configuration = exampleConfiguration()
        configuration.endpoints["other"] = configuration.endpoints["phone"]
        #expect(throws: ConfigurationError(.invalid, name)) { try configuration.check() }
        configuration = exampleConfiguration()
        configuration.endpoints["key"]?.headerName = "X-Other"
        #expect(throws: ConfigurationError.self) { try configuration.check() }
    }

    @Test func warnings() {
        var configuration = exampleConfiguration()
        #expect(configuration.warnings.map(\.code) == ["open_endpoint"])
        configuration.endpoints["open"] = nil
        configuration.endpoints["key"]?.credentials.secrets = [
            RotatingSecret(secret: Secret(text: "x")), RotatingSecret(secret: Secret(text: "whsec_one")),
        ]
        #expect(configuration.warnings.map(\.code) == ["shared_secret"])
        #expect(
            configuration.warnings.map(\.message) == [
                "Endpoints key and phone have the same signing secret: a request to one can be replayed at the other."
            ])
    }
}
