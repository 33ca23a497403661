import CLinux
import Glibc

/// Where the app thinks a host is, from the text of its address alone.
///
/// Nothing is looked up: a name that resolves to a private address is public. Only the usual spelling of an IPv4
/// address is one; `127.1`, `0177.0.0.1`, `2130706433`, an address with leading zeros and a name with a dot at its
/// end are names, so they are public, and the app warns. That errs on the side of the warning.
/// Source: sections 3 and 13 of the guide.
package enum AddressClass: String, Sendable, CaseIterable {
    /// `localhost`, `127.0.0.0/8`, `::1`.
    case loopback
    /// RFC 1918, link-local of both families, `*.local`, unique local addresses but Tailscale's.
    case lan
    /// `100.64.0.0/10`, `*.ts.net`, `fd7a:115c:a1e0::/48`.
    case overlay
    /// Everything else.
    case `public`

    /// What the app shows under an `http://` URL of a public host.
    package static let warning =
        "Health data will travel unencrypted over the internet. Use https:// if your server supports it."

    /// Whether the app shows `warning` for a plain HTTP URL of this host.
    package var warnsOverHTTP: Bool { self == .public }

    /// Whether iOS may ask for access to the local network. Over HTTPS as well.
    package var asksForLocalNetwork: Bool { self == .lan }

    /// - Parameter host: a name or an address, IPv6 with or without brackets and zone.
    package init(host: String) {
        let host = host.lowercased()
        if let address = parseIPv4(host) {
            self = Self.ofIPv4(address)
        } else if let address = parseIPv6(host) {
            self = Self.ofIPv6(address)
        } else if host == "localhost" {
            self = .loopback
        } else if host.utf8.count > 6, host.hasSuffix(".local") {
            self = .lan
        } else if host.utf8.count > 7, host.hasSuffix(".ts.net") {
            self = .overlay
        } else {
            self = .public
        }
    }

    private static func ofIPv4(_ bytes: [UInt8]) -> AddressClass {
        switch (bytes[0], bytes[1]) {
        case (127, _): .loopback
        case (10, _), (172, 16...31), (192, 168), (169, 254): .lan
        case (100, 64...127): .overlay
        default: .public
        }
    }

    private static func ofIPv6(_ bytes: [UInt8]) -> AddressClass {
        let mapped: [UInt8] = [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xFF, 0xFF]
        if bytes.starts(with: mapped) { return ofIPv4(Array(bytes[12...])) }
        if bytes.dropLast().allSatisfy({ $0 == 0 }) && bytes[15] == 1 { return .loopback }
        if bytes.starts(with: [0xFD, 0x7A, 0x11, 0x5C, 0xA1, 0xE0]) { return .overlay }
        if bytes[0] == 0xFE && bytes[1] & 0xC0 == 0x80 { return .lan }  // fe80::/10
        if bytes[0] & 0xFE == 0xFC { return .lan }  // fc00::/7
        return .public
    }
}

/// The four bytes of a dotted decimal IPv4 address without leading zeros; nil for any other text.
package func parseIPv4(_ text: String) -> [UInt8]? {
    let parts = text.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    guard parts.count == 4 else { return nil }
    var bytes: [UInt8] = []
    for part in parts {
        guard (1...3).contains(part.count), part.count == 1 || part.first != UInt8(ascii: "0") else { return nil }
        var value = 0
        for byte in part {
            guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) else { return nil }
            value = value * 10 + Int(byte - UInt8(ascii: "0"))
        }
        guard let byte = UInt8(exactly: value) else { return nil }
        bytes.append(byte)
    }
    return bytes
}

/// The sixteen bytes of an IPv6 address in RFC 4291's spellings, with or without brackets; its zone is left out.
package func parseIPv6(_ text: String) -> [UInt8]? {
    var text = Substring(text)
    if text.hasPrefix("["), text.hasSuffix("]") { text = text.dropFirst().dropLast() }
    if let zone = text.firstIndex(of: "%"), zone != text.startIndex { text = text[..<zone] }
    var address = in6_addr()
    guard text.contains(":"), !text.utf8.contains(0),
        unsafe inet_pton(AF_INET6, String(text), &address) == 1
    else { return nil }
    return unsafe withUnsafeBytes(of: &address) { unsafe Array($0) }
}
