/// The URL that a phone posts to, as the app takes it.
///
/// Shape: `http[s]://HOST[:PORT]PATH`. Source: section 3 of the guide, RFC 3986.
package struct PhoneURL: Equatable, Sendable {
    package var isHTTPS: Bool
    /// A name or an address; IPv6 without brackets.
    package let host: String
    package var port: Int
    /// Starts with `/`; may have a query.
    package var path: String

    /// - Parameters:
    ///   - host: as a person writes it: IPv6 with or without brackets.
    ///   - path: put behind a `/` when it has none.
    /// - Throws: for what the app refuses: a user, a fragment, a host that is none, more than 2,048 characters.
    package init(isHTTPS: Bool, host: String, port: Int, path: String) throws(SetupFault) {
        self.isHTTPS = isHTTPS
        self.host = try Self.checkedHost(host)
        guard (1...65_535).contains(port) else { throw SetupFault("A port is a number from 1 to 65535.") }
        self.port = port
        self.path = try Self.checkedPath(path)
        guard text.utf8.count <= SetupRules.maximumURLCharacters else {
            throw SetupFault(
                "The URL has \(text.utf8.count) characters; the app takes \(SetupRules.maximumURLCharacters).")
        }
    }

    /// The URL itself; the scheme's own port is left out.
    package var text: String {
        let name = host.contains(":") ? "[\(host)]" : host
        let standard = isHTTPS ? 443 : 80
        return "\(isHTTPS ? "https" : "http")://\(name)\(port == standard ? "" : ":\(port)")\(path)"
    }

    package var addressClass: AddressClass { AddressClass(host: host) }

    /// Whether the app shows `AddressClass.warning` for it.
    package var warns: Bool { !isHTTPS && addressClass.warnsOverHTTP }

    private static func checkedHost(_ text: String) throws(SetupFault) -> String {
        guard !text.isEmpty else { throw SetupFault("The host is empty.") }
        guard !text.contains("://") else {
            throw SetupFault("The host is a name or an address alone, without http:// before it.")
        }
        guard !text.contains("@") else { throw SetupFault("The app refuses a URL with a user name or password.") }
        guard !text.contains("#") else { throw SetupFault("The app refuses a URL with a # fragment.") }
        guard !text.contains("/"), !text.contains("?") else {
            throw SetupFault("The host is a name or an address alone; --path takes the rest.")
        }
        if text.contains("%") { throw SetupFault("The host has a % in it; an address goes without its zone.") }
        if parseIPv6(text) != nil {
            return text.hasPrefix("[") ? String(text.dropFirst().dropLast()) : text
        }
        guard !text.contains(":") else {
            throw SetupFault("The host is a name or an address alone; --port takes the port.")
        }
        guard text.utf8.allSatisfy({ $0 < 0x80 }) else {
            throw SetupFault("The host has a character outside ASCII; write its xn-- form.")
        }
        guard isName(text) else { throw SetupFault("The host is neither a name nor an address.") }
        return text
    }

    /// A name of RFC 1123, with `_` as many home networks have it, and one dot at the end at most.
    private static func isName(_ text: String) -> Bool {
        var labels = text.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        if labels.count > 1, labels.last?.isEmpty == true { labels.removeLast() }
        guard text.utf8.count <= 253 else { return false }
        for label in labels {
            guard (1...63).contains(label.count), label.first != UInt8(ascii: "-"), label.last != UInt8(ascii: "-"),
                label.allSatisfy(isNameByte)
            else { return false }
        }
        // Four numbers that are no address are a mistyped address, not a name.
        return labels.last?.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) } != true
            || parseIPv4(text) != nil
    }

    private static func isNameByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"):
            true
        default: false
        }
    }

    private static func checkedPath(_ text: String) throws(SetupFault) -> String {
        let path = text.hasPrefix("/") ? text : "/" + text
        guard !path.contains("#") else { throw SetupFault("The app refuses a URL with a # fragment.") }
        let bytes = Array(path.utf8)
        for (i, byte) in bytes.enumerated() {
            switch byte {
            case UInt8(ascii: "%"):
                guard i + 2 < bytes.count, isHexDigit(bytes[i + 1]), isHexDigit(bytes[i + 2]) else {
                    throw SetupFault("The path has a % that two hexadecimal digits don't follow.")
                }
            case 0x21...0x7E where !"\"<>\\^`{|}".utf8.contains(byte): continue
            default: throw SetupFault("The path has a character in it that a URL takes as %XX only.")
            }
        }
        return path
    }

    private static func isHexDigit(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "F"),
            UInt8(ascii: "a")...UInt8(ascii: "f"):
            true
        default: false
        }
    }
}
