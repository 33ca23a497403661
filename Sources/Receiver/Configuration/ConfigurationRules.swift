import Glibc
import Samples
package import Signing

/// Which values an endpoint may have: what the app would refuse is refused here too, since a setup link with it could
/// never be imported. Source: the guide's sections 8 and 9.
package enum ConfigurationRules {
    /// Names that the app doesn't let a custom header have, in lower case; nor any that starts with `x-syncky-`.
    package static let forbiddenHeaderNames: Set<String> = [
        "host", "content-type", "content-length", "user-agent", "authorization", "transfer-encoding", "upgrade",
        "connection", "keep-alive", "te", "trailer",
    ]
    /// Tokens or secrets of one endpoint. Every valid one costs each request a comparison.
    package static let maximumRotatingSecrets = 16

    /// `[a-z0-9-]{1,32}`.
    package static func isEndpointName(_ text: String) -> Bool {
        (1...32).contains(text.utf8.count)
            && text.utf8.allSatisfy {
                (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0)
                    || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) || $0 == UInt8(ascii: "-")
            }
    }

    /// 1 to 64 characters of at most 256 bytes, none of them a control character.
    package static func isLabel(_ text: String) -> Bool {
        (1...256).contains(text.utf8.count) && text.count <= 64 && isPrintable(text)
    }

    /// A field name of RFC 9110 section 5.1 of at most 256 characters that the app lets its user choose.
    package static func isCustomHeaderName(_ text: String) -> Bool {
        let marks = Set("!#$%&'*+-.^_`|~".utf8)
        let isToken = text.utf8.allSatisfy {
            (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0 | 0x20) && $0 < 0x80
                || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) || marks.contains($0)
        }
        let lowered = text.lowercased()
        return (1...256).contains(text.utf8.count) && isToken && !lowered.hasPrefix("x-syncky-")
            && !forbiddenHeaderNames.contains(lowered)
    }

    /// 1 to 256 printable ASCII characters without a colon, which would end the name.
    package static func isBasicUser(_ text: String) -> Bool {
        (1...256).contains(text.utf8.count)
            && text.utf8.allSatisfy { (0x20...0x7E).contains($0) && $0 != UInt8(ascii: ":") }
    }

    /// 1 to 4096 bytes of printable UTF-8. A value that stands bare in a field can't begin or end with a space: HTTP
    /// takes it away.
    package static func isToken(_ secret: Secret, scheme: AuthScheme) -> Bool {
        guard let text = printableText(secret) else { return false }
        if case .basic = scheme { return true }
        return text.utf8.first != 0x20 && text.utf8.last != 0x20
    }

    /// 1 to 4096 bytes of printable UTF-8: the link and the app carry it as text.
    package static func isSigningSecret(_ secret: Secret) -> Bool { printableText(secret) != nil }

    /// An IPv4 or IPv6 address; the latter may name an interface after `%`.
    package static func isAddress(_ text: String) -> Bool {
        let parts = text.split(separator: "%", omittingEmptySubsequences: false)
        // The call below stops at a NUL, so what stands behind one would pass unseen.
        guard let address = parts.first, parts.count <= 2, text.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
            return false
        }
        var space = in6_addr()
        if parts.count == 2 {
            guard (1...15).contains(parts[1].utf8.count) else { return false }
        } else if unsafe inet_pton(AF_INET, text, &space) == 1 {
            return true
        }
        return unsafe inet_pton(AF_INET6, String(address), &space) == 1
    }

    private static func printableText(_ secret: Secret) -> String? {
        guard (1...4096).contains(secret.count), let text = secretText(secret), isPrintable(text) else { return nil }
        return text
    }

    private static func isPrintable(_ text: String) -> Bool {
        !text.unicodeScalars.contains { $0.value < 0x20 || (0x7F...0x9F).contains($0.value) }
    }
}

/// The secret as text, to be written to `receiver.json` or a link; nil unless it is UTF-8.
package func secretText(_ secret: Secret) -> String? {
    secret.withBytes { bytes in String(validating: bytes.indices.map { bytes[$0] }, as: UTF8.self) }
}

extension Configuration {
    /// Throws for the first value that breaks a rule, naming its member.
    package func check() throws(ConfigurationError) {
        guard ConfigurationRules.isAddress(bind) else { throw invalid("bind must be an IPv4 or IPv6 address") }
        guard (1...65_535).contains(port) else { throw invalid("port must be a whole number from 1 to 65535") }
        try limits.check()
        for name in names {
            guard ConfigurationRules.isEndpointName(name), let endpoint = endpoints[name], endpoint.name == name else {
                throw invalid("each name in endpoints must be 1 to 32 of a-z, 0-9 and -")
            }
            try endpoint.check(path: "endpoints.\(name)")
        }
        try api.check()
        try sources.check()
    }
}

extension Endpoint {
    fileprivate func check(path: String) throws(ConfigurationError) {
        let labelRule = "must be 1 to 64 characters without control characters"
        guard ConfigurationRules.isLabel(label) else { throw invalid("\(path).label \(labelRule)") }
        guard ConfigurationRules.isLabel(person) else { throw invalid("\(path).person \(labelRule)") }
        try checkScheme(path: path)
        try checkSecrets(path: path)
        try checkFormat(path: path)
        guard TimeZoneName.exists(timeZone) else {
            throw invalid("\(path).time_zone must be a name of the time zone database, such as Europe/Berlin")
        }
    }

    private func checkScheme(path: String) throws(ConfigurationError) {
        switch credentials.scheme {
        case .none where !credentials.tokens.isEmpty: throw invalid("\(path).tokens must be empty when auth is none")
        case .none: break
        case _ where credentials.tokens.isEmpty:
            throw invalid("\(path).tokens must hold at least one token unless auth is none")
        case .basic(let user):
            guard ConfigurationRules.isBasicUser(user) else {
                throw invalid("\(path).user must be 1 to 256 printable ASCII characters without a colon")
            }
        case .header(let name):
            guard let headerName, ConfigurationRules.isCustomHeaderName(headerName), headerName.lowercased() == name
            else {
                throw invalid("\(path).header must be the name of a header field that the app lets you choose")
            }
        case .bearer: break
        }
        if headerName != nil {
            guard case .header = credentials.scheme else {
                throw invalid("\(path).header is only for auth header")
            }
        }
    }

    /// PulsHealth sends a bearer token and can't sign.
    private func checkFormat(path: String) throws(ConfigurationError) {
        if let boundUser {
            guard format == .puls else { throw invalid("\(path).bind_user is only for format puls") }
            guard UUIDBits(text: boundUser.utf8)?.text == boundUser else {
                throw invalid("\(path).bind_user must be a UUID")
            }
        }
        guard Dialect.ofEndpoints.contains(format) else {
            throw invalid(
                "\(path).format must be one of \(Dialect.ofEndpoints.map(\.rawValue).joined(separator: ", "))")
        }
        guard format == .puls else { return }
        guard case .bearer = credentials.scheme else { throw invalid("\(path).auth must be bearer for format puls") }
        guard credentials.secrets.isEmpty else {
            throw invalid("\(path).secrets must be empty for format puls: that app can't sign")
        }
    }

    private func checkSecrets(path: String) throws(ConfigurationError) {
        for (member, list) in [("tokens", credentials.tokens), ("secrets", credentials.secrets)] {
            guard list.count <= ConfigurationRules.maximumRotatingSecrets else {
                throw invalid("\(path).\(member) must hold at most \(ConfigurationRules.maximumRotatingSecrets)")
            }
        }
        for (index, token) in credentials.tokens.enumerated()
        where !ConfigurationRules.isToken(token.secret, scheme: credentials.scheme) {
            throw invalid(
                "\(path).tokens[\(index)].value must be 1 to 4096 bytes of printable text without a space at an end")
        }
        for (index, secret) in credentials.secrets.enumerated()
        where !ConfigurationRules.isSigningSecret(secret.secret) {
            throw invalid("\(path).secrets[\(index)].value must be 1 to 4096 bytes of printable text")
        }
    }
}
