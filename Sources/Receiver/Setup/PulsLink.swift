package import Samples

/// The link that pairs PulsHealth with an endpoint.
///
/// Shape: `puls://pair?url=&token=&user=`. It holds a secret. Source: specs/puls-v1, section 2.6.
package struct PulsLink: Sendable {
    /// Of the endpoint; the app puts `/v1/…` behind it.
    package var url: PhoneURL
    package var token: String
    package var user: UUIDBits

    package init(url: PhoneURL, token: String, user: UUIDBits) {
        self.url = url
        self.token = token
        self.user = user
    }

    /// The link's text.
    ///
    /// - Throws: for what the app would refuse.
    package func encoded() throws(SetupFault) -> String {
        try SetupRules.checkHeaderValue(token, called: "token")
        guard token.first?.isWhitespace != true, token.last?.isWhitespace != true else {
            throw SetupFault("The token has white space at its start or end, which the app takes away.")
        }
        guard !url.path.contains("?") else {
            throw SetupFault("The app puts paths of its own behind the URL, so that it can't have a query.")
        }
        guard url.isHTTPS || Self.takesPlainHTTP(url.host) else {
            throw SetupFault(
                "PulsHealth takes http:// only for localhost, names that end in .local, and addresses in 10.0.0.0/8, "
                    + "172.16.0.0/12 and 192.168.0.0/16: use --https.")
        }
        var base = url.text
        while base.hasSuffix("/") { base.removeLast() }
        return "puls://pair?url=\(percentEncode(base))&token=\(percentEncode(token))&user=\(user.text)"
    }

    private static func takesPlainHTTP(_ host: String) -> Bool {
        let host = host.lowercased()
        guard let address = parseIPv4(host) else { return host == "localhost" || host.hasSuffix(".local") }
        switch (address[0], address[1]) {
        case (10, _), (172, 16...31), (192, 168): return true
        default: return false
        }
    }
}
