import Samples
import Wire

extension APISettings {
    init(members: MemberReader) throws(ConfigurationError) {
        var members = members
        bind = try members.optionalText("bind")
        for (index, value) in try members.optionalArray("tokens").enumerated() {
            tokens.append(
                try APIToken(members: try MemberReader(value, path: "\(members.path).tokens[\(index)]")))
        }
        try members.finish()
    }

    var tree: JSONTree {
        var members: [JSONTree.Member] = []
        if let bind { members.append(.init(name: "bind", value: .text(bind))) }
        members.append(.init(name: "tokens", value: .array(tokens.map(\.tree))))
        return .object(members)
    }

    /// Throws for the first value that breaks a rule, naming its member.
    func check() throws(ConfigurationError) {
        if let bind {
            guard bind == "off" || APIAddress(bind).map({ $0.port > 0 }) ?? false else {
                throw invalid("api.bind must be an address with a port such as 127.0.0.1:8788, or off")
            }
        }
        guard tokens.count <= Self.maximumTokens else {
            throw invalid("api.tokens must hold at most \(Self.maximumTokens)")
        }
        for (index, token) in tokens.enumerated() {
            try token.check(path: "api.tokens[\(index)]")
            if tokens[..<index].contains(where: { $0.name == token.name }) {
                throw invalid("api.tokens[\(index)].name must not be that of another token")
            }
        }
    }
}

extension APIToken {
    /// More than the catalog has.
    private static let maximumTypes = 512

    init(members: MemberReader) throws(ConfigurationError) {
        var members = members
        let path = members.path
        name = try members.text("name")
        guard let scope = APIGrant.Scope(rawValue: try members.text("scope")) else {
            throw invalid("\(path).scope must be read or write")
        }
        self.scope = scope
        person = try members.optionalText("person")
        types = try members.optionalTexts("types")
        guard let hash = Self.bytes(hex: try members.text("hash")) else {
            throw invalid("\(path).hash must be 64 hexadecimal digits in lower case")
        }
        self.hash = hash
        createdSeconds = try Self.seconds(try members.text("created"), "\(path).created")
        expiresSeconds = try members.optionalText("expires").map { text throws(ConfigurationError) in
            try Self.seconds(text, "\(path).expires")
        }
        try members.finish()
    }

    var tree: JSONTree {
        .object([
            .init(name: "name", value: .text(name)), .init(name: "scope", value: .text(scope.rawValue)),
            .init(name: "person", value: person.map { .text($0) } ?? .null),
            .init(name: "types", value: types.map { .array($0.map { .text($0) }) } ?? .null),
            .init(name: "hash", value: .text(String(decoding: lowercaseHex(hash), as: UTF8.self))),
            .init(name: "created", value: .text(Self.text(createdSeconds))),
            .init(name: "expires", value: expiresSeconds.map { .text(Self.text($0)) } ?? .null),
        ])
    }

    fileprivate func check(path: String) throws(ConfigurationError) {
        guard ConfigurationRules.isEndpointName(name) else {
            throw invalid("\(path).name must be 1 to 32 of a-z, 0-9 and -")
        }
        guard person.map(ConfigurationRules.isLabel) ?? true else {
            throw invalid("\(path).person must be 1 to 64 characters without control characters")
        }
        // None at all is refused: it must never be taken for all.
        guard (1...Self.maximumTypes).contains(types?.count ?? 1),
            types?.allSatisfy(ConfigurationRules.isTypeName) ?? true
        else {
            throw invalid("\(path).types must hold 1 to \(Self.maximumTypes) names of a-z, 0-9 and _")
        }
        guard hash.count == 32 else { throw invalid("\(path).hash must be 64 hexadecimal digits in lower case") }
    }

    private static func bytes(hex text: String) -> [UInt8]? {
        let digits = Array(text.utf8)
        guard digits.count == 64 else { return nil }
        var bytes: [UInt8] = []
        for index in stride(from: 0, to: 64, by: 2) {
            guard let high = hexValue(digits[index]), let low = hexValue(digits[index + 1]) else { return nil }
            bytes.append(high << 4 | low)
        }
        return lowercaseHex(bytes).elementsEqual(digits) ? bytes : nil
    }

    private static func seconds(_ text: String, _ place: String) throws(ConfigurationError) -> Int64 {
        guard let time = Timestamp.parse(Array(text.utf8).span) else {
            throw invalid("\(place) must be a time such as 2026-10-14T07:00:00Z")
        }
        let (quotient, remainder) = time.timestamp.microseconds.quotientAndRemainder(dividingBy: 1_000_000)
        return remainder < 0 ? quotient - 1 : quotient
    }

    private static func text(_ seconds: Int64) -> String { rfc3339Text(Timestamp(microseconds: seconds * 1_000_000)) }
}

extension MemberReader {
    /// An array of texts; nil when it is absent or null, which isn't the same as none.
    fileprivate mutating func optionalTexts(_ name: String) throws(ConfigurationError) -> [String]? {
        guard remaining.contains(where: { $0.name == name && $0.value != .null }) else {
            _ = try optionalArray(name)
            return nil
        }
        var texts: [String] = []
        for value in try optionalArray(name) {
            guard case .text(let text) = value else { throw invalid("\(path).\(name) must hold texts in quotes") }
            texts.append(text)
        }
        return texts
    }
}

extension ConfigurationRules {
    /// `[a-z][a-z0-9_]{0,63}`.
    package static func isTypeName(_ text: String) -> Bool {
        (1...64).contains(text.utf8.count) && text.utf8.first.map { (0x61...0x7A).contains($0) } ?? false
            && text.utf8.allSatisfy {
                (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0)
                    || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) || $0 == UInt8(ascii: "_")
            }
    }
}

/// `ADDR:PORT`, with brackets around an IPv6 address.
package struct APIAddress: Equatable, Sendable {
    package var host: String
    package var port: UInt16

    package init?(_ text: String) {
        guard let colon = text.lastIndex(of: ":") else { return nil }
        var host = text[..<colon]
        if host.hasPrefix("[") {
            guard host.hasSuffix("]") else { return nil }
            host = host.dropFirst().dropLast()
        } else if host.contains(":") {
            return nil
        }
        let digits = text[text.index(after: colon)...]
        guard (1...5).contains(digits.utf8.count),
            digits.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }),
            let port = UInt16(digits), ConfigurationRules.isAddress(String(host))
        else { return nil }
        self.host = String(host)
        self.port = port
    }
}
