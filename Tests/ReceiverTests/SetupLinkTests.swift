import Foundation
import Testing

@testable import Receiver

/// Decodes a link as a strict reader would: the scheme, and the parameters in their order.
private func decode(_ link: String) throws -> (scheme: String, parameters: [(name: String, value: String)]) {
    let parts = try #require(link.range(of: "://webhook?"))
    let pairs = link[parts.upperBound...].split(separator: "&", omittingEmptySubsequences: false)
    let parameters = try pairs.map { pair in
        let sides = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        let value = try #require(sides.count == 2 ? String(sides[1]).removingPercentEncoding : nil)
        return (String(sides[0]), value)
    }
    return (String(link[..<parts.lowerBound]), parameters)
}

private func url(_ host: String = "myserver.local", https: Bool = false) throws -> PhoneURL {
    try PhoneURL(isHTTPS: https, host: host, port: 8787, path: "/hook/phone")
}

@Test func theLinkPrintedInTheGuide() throws {
    let link = SetupLink(
        name: "Vector header",
        url: try PhoneURL(isHTTPS: true, host: "receiver.example", port: 443, path: "/hook/header"),
        format: "native",
        auth: .header(name: "X-Api-Key", value: "vec_key_x9VHBdwKQo-KwlcOB9v4cwlAawCa0nF2NWQRO1qLDlI"),
        types: ["heart_rate", "steps"])
    #expect(
        try link.encoded() == """
            syncky://webhook?v=1&name=Vector%20header&url=https%3A%2F%2Freceiver.example%2Fhook%2Fheader&format=native\
            &auth=header&header=X-Api-Key&token=vec_key_x9VHBdwKQo-KwlcOB9v4cwlAawCa0nF2NWQRO1qLDlI\
            &types=heart_rate,steps
            """)
}

@Test func linkOfEveryKindOfAuthAndScheme() throws {
    let kinds: [(SetupLink.Auth, String)] = [
        (.none, "auth=none"),
        (.bearer(token: "a+b/c="), "auth=bearer&token=a%2Bb%2Fc%3D"),
        (.header(name: "X-Key", value: "ü"), "auth=header&header=X-Key&token=%C3%BC"),
        (.basic(user: "me & you", password: "p:1"), "auth=basic&user=me%20%26%20you&token=p%3A1"),
    ]
    for scheme in SetupLink.Scheme.allCases {
        for format in SetupLink.formats {
            for (auth, expected) in kinds {
                for hmac in [nil, "whsec_x"] {
                    let link = SetupLink(
                        scheme: scheme, name: "Home", url: try url(), format: format, auth: auth, hmac: hmac)
                    #expect(
                        try link.encoded()
                            == "\(scheme.rawValue)://webhook?v=1&name=Home&"
                            + "url=http%3A%2F%2Fmyserver.local%3A8787%2Fhook%2Fphone&format=\(format)&\(expected)"
                            + (hmac == nil ? "" : "&hmac=whsec_x"))
                }
            }
        }
    }
}

@Test func whatIsEncodedComesBack() throws {
    var random = SeededGenerator(state: 7)
    for _ in 0..<300 {
        let text = randomText(using: &random, characters: 40)
        let encoded = percentEncode(text)
        #expect(encoded.removingPercentEncoding == text)
        #expect(
            encoded.utf8.allSatisfy {
                "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~%".utf8.contains($0)
            })
        #expect(encoded.filter { $0 == "%" }.count == text.utf8.filter { !isUnreserved($0) }.count)

        let link = SetupLink(
            name: "n" + text, url: try url(), format: "csv", auth: .basic(user: "me", password: "p" + text),
            hmac: "h" + text)
        let (scheme, parameters) = try decode(try link.encoded())
        #expect(scheme == "syncky")
        #expect(parameters.map(\.name) == ["v", "name", "url", "format", "auth", "user", "token", "hmac"])
        #expect(
            parameters.map(\.value) == [
                "1", "n" + text, "http://myserver.local:8787/hook/phone", "csv", "basic", "me", "p" + text, "h" + text,
            ])
    }
    for byte in UInt8.min...127 {
        let text = String(UnicodeScalar(byte))
        #expect(
            percentEncode(text)
                == (isUnreserved(byte) ? text : "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true))
        )
    }
}

private func isUnreserved(_ byte: UInt8) -> Bool {
    let scalar = UnicodeScalar(byte)
    return scalar.isASCII && (scalar.properties.isAlphabetic || "0123456789-._~".unicodeScalars.contains(scalar))
}

private struct SeededGenerator: RandomNumberGenerator {
    var state: UInt64
    mutating func next() -> UInt64 {  // SplitMix64
        state &+= 0x9E37_79B9_7F4A_7C15
        var z = state
        z = (z ^ z >> 30) &* 0xBF58_476D_1CE4_E5B9
        z = (z ^ z >> 27) &* 0x94D0_49BB_1331_11EB
        return z ^ z >> 31
    }
}

/// Text of every plane, without control characters.
private func randomText(using random: inout SeededGenerator, characters: Int) -> String {
    let ranges: [ClosedRange<UInt32>] = [0x20...0x7E, 0xA0...0x2FF, 0x4E00...0x4EFF, 0x1F600...0x1F64F]
    return (0..<Int.random(in: 0...characters, using: &random)).reduce(into: "") { text, _ in
        let range = ranges.randomElement(using: &random)!
        text.unicodeScalars.append(UnicodeScalar(UInt32.random(in: range, using: &random))!)
    }
}

@Test func linksThatTheAppWouldRefuse() throws {
    let good = SetupLink(name: "Home", url: try url(), format: "native", auth: .none)
    let cases: [(String, (inout SetupLink) -> Void)] = [
        ("The label is empty.", { $0.name = "  " }),
        ("The label has 65 characters; the app takes 64.", { $0.name = String(repeating: "n", count: 65) }),
        ("The label has a control character in it.", { $0.name = "a\u{1B}[m" }),
        ("The app sends native, hae, csv, influx; no link can ask for another.", { $0.format = "puls" }),
        ("The token is empty.", { $0.auth = .bearer(token: "") }),
        (
            "The token has 4097 bytes; the app takes 4096.",
            { $0.auth = .bearer(token: String(repeating: "t", count: 4_097)) }
        ),
        ("The token has a control character in it.", { $0.auth = .bearer(token: "a\r\nb") }),
        ("The token has a space at its start or end, which HTTP takes away.", { $0.auth = .bearer(token: "a ") }),
        ("The header's name is empty.", { $0.auth = .header(name: "", value: "v") }),
        (
            "The header's name has 257 characters; the app takes 256.",
            { $0.auth = .header(name: String(repeating: "h", count: 257), value: "v") }
        ),
        (
            "A header's name has only letters, digits and !#$%&'*+-.^_`|~ in it.",
            { $0.auth = .header(name: "X Key", value: "v") }
        ),
        ("The header's value is empty.", { $0.auth = .header(name: "X-Key", value: "") }),
        ("The user is empty.", { $0.auth = .basic(user: "", password: "p") }),
        (
            "The user of Basic auth is printable ASCII without a colon.",
            { $0.auth = .basic(user: "a:b", password: "p") }
        ),
        ("The user of Basic auth is printable ASCII without a colon.", { $0.auth = .basic(user: "ä", password: "p") }),
        (
            "The user has 257 characters; the app takes 256.",
            { $0.auth = .basic(user: String(repeating: "u", count: 257), password: "p") }
        ),
        ("The password is empty.", { $0.auth = .basic(user: "u", password: "") }),
        ("The signing secret is empty.", { $0.hmac = "" }),
        ("The signing secret has a control character in it.", { $0.hmac = "a\0" }),
        ("The type steps is named twice.", { $0.types = ["steps", "heart_rate", "steps"] }),
        (
            "A data type is 2 to 64 of a-z, 0-9 and _ and starts with a letter, like heart_rate.",
            { $0.types = ["Steps"] }
        ),
    ]
    #expect(throws: Never.self) { try good.encoded() }
    for (message, change) in cases {
        var link = good
        change(&link)
        #expect(throws: SetupFault(message)) { try link.encoded() }
    }
}

@Test func linkAtEachLimit() throws {
    let link = SetupLink(
        name: String(repeating: "é", count: 64), url: try url(), format: "native",
        auth: .basic(
            user: String(repeating: "u", count: 256), password: String(repeating: "p", count: 4_096)),
        hmac: String(repeating: "h", count: 4_096), types: ["ab", "a" + String(repeating: "0", count: 63)])
    #expect(throws: Never.self) { try link.encoded() }
}

@Test(
    arguments: [
        "Host", "content-type", "Content-Length", "USER-AGENT", "Authorization", "Transfer-Encoding", "Upgrade",
        "Connection", "Keep-Alive", "TE", "Trailer", "X-Syncky-", "x-syncky-format", "X-SYNCKY-ANYTHING",
        "Content-Encoding", "Expect",
    ])
func headerThatCannotBeChosen(name: String) {
    #expect(throws: SetupFault.self) { try SetupRules.checkHeaderName(name) }
}

@Test(arguments: ["X-Api-Key", "X-Syncky", "Cookie", "h", "!#$%&'*+-.^_`|~09aZ", "Accept", "X-Token"])
func headerThatCanBeChosen(name: String) {
    #expect(throws: Never.self) { try SetupRules.checkHeaderName(name) }
}

@Test(arguments: [
    ("phone", true), ("a-b-0", true), ("-", true), (String(repeating: "n", count: 32), true),
    (String(repeating: "n", count: 33), false), ("", false), ("Phone", false), ("a_b", false), ("a/b", false),
    ("..", false), ("é", false), ("a b", false), ("a\0", false),
])
func endpointName(name: String, isAccepted: Bool) {
    #expect(((try? SetupRules.checkEndpointName(name)) != nil) == isAccepted)
}

@Test func urlAsTheAppTakesIt() throws {
    let cases: [(isHTTPS: Bool, host: String, port: Int, path: String, expected: String)] = [
        (false, "myserver.local", 8787, "/hook/phone", "http://myserver.local:8787/hook/phone"),
        (false, "myserver.local", 80, "hook/phone", "http://myserver.local/hook/phone"),
        (true, "receiver.example", 443, "/hook/phone", "https://receiver.example/hook/phone"),
        (true, "receiver.example", 80, "/", "https://receiver.example:80/"),
        (false, "receiver.example", 443, "", "http://receiver.example:443/"),
        (false, "fd00::1", 8787, "/h", "http://[fd00::1]:8787/h"),
        (false, "[fd00::1]", 8787, "/h", "http://[fd00::1]:8787/h"),
        (false, "192.168.1.7", 8787, "/h?a=b%20c", "http://192.168.1.7:8787/h?a=b%20c"),
        (false, "my_server", 8787, "/h", "http://my_server:8787/h"),
        (false, "host.example.", 8787, "/h", "http://host.example.:8787/h"),
    ]
    for url in cases {
        let made = try PhoneURL(isHTTPS: url.isHTTPS, host: url.host, port: url.port, path: url.path)
        #expect(made.text == url.expected)
    }
    #expect(try PhoneURL(isHTTPS: false, host: "receiver.example", port: 80, path: "/").warns)
    #expect(try !PhoneURL(isHTTPS: true, host: "receiver.example", port: 80, path: "/").warns)
    #expect(try !PhoneURL(isHTTPS: false, host: "10.0.0.1", port: 80, path: "/").warns)
}

@Test func urlThatTheAppRefuses() {
    let alone = "The host is a name or an address alone"
    let neither = "The host is neither a name nor an address."
    let cases: [(host: String, port: Int, path: String, message: String)] = [
        ("", 1, "/", "The host is empty."),
        ("http://a", 1, "/", "\(alone), without http:// before it."),
        ("me:pw@a", 1, "/", "The app refuses a URL with a user name or password."),
        ("a#b", 1, "/", "The app refuses a URL with a # fragment."),
        ("a/b", 1, "/", "\(alone); --path takes the rest."),
        ("a?b", 1, "/", "\(alone); --path takes the rest."),
        ("a:80", 1, "/", "\(alone); --port takes the port."),
        ("fe80::1%eth0", 1, "/", "The host has a % in it; an address goes without its zone."),
        ("bücher.example", 1, "/", "The host has a character outside ASCII; write its xn-- form."),
        ("a b", 1, "/", neither), ("a..b", 1, "/", neither), (".", 1, "/", neither), ("-a", 1, "/", neither),
        ("a-", 1, "/", neither), ("[a]", 1, "/", neither), ("1.2.3", 1, "/", neither), ("256.1.1.1", 1, "/", neither),
        ("a\0", 1, "/", neither), ("a..", 1, "/", neither), (String(repeating: "a", count: 64), 1, "/", neither),
        (Array(repeating: "abc", count: 64).joined(separator: "."), 1, "/", neither),
        ("a", 0, "/", "A port is a number from 1 to 65535."), ("a", 65_536, "/", "A port is a number from 1 to 65535."),
        ("a", 1, "/#", "The app refuses a URL with a # fragment."),
        ("a", 1, "/%", "The path has a % that two hexadecimal digits don't follow."),
        ("a", 1, "/%4g", "The path has a % that two hexadecimal digits don't follow."),
        ("a", 1, "/a b", "The path has a character in it that a URL takes as %XX only."),
        ("a", 1, "/ü", "The path has a character in it that a URL takes as %XX only."),
        ("a", 1, "/<", "The path has a character in it that a URL takes as %XX only."),
        (
            "a", 80, "/" + String(repeating: "p", count: 2_048 - 8 + 0),
            "The URL has 2049 characters; the app takes 2048."
        ),
    ]
    for url in cases {
        #expect(throws: SetupFault(url.message), "\(url.host) \(url.path.prefix(20))") {
            try PhoneURL(isHTTPS: false, host: url.host, port: url.port, path: url.path)
        }
    }
    #expect(throws: Never.self) {
        try PhoneURL(isHTTPS: false, host: "a", port: 80, path: "/" + String(repeating: "p", count: 2_048 - 9))
    }
}
