/// A link that fills in the whole server entry in the app.
///
/// Shape: `SCHEME://webhook?v=1&name=&url=&format=&auth=[&header=][&user=][&token=][&hmac=][&types=]`, parameters in
/// this order. It holds secrets and isn't signed. Source: section 9 of the guide.
package struct SetupLink: Sendable {
    /// Which build of the app opens the link when it is tapped.
    package enum Scheme: String, Sendable, CaseIterable {
        case syncky
        case synckyDev = "syncky-dev"
        case synckyStaging = "syncky-staging"
    }

    /// The credentials that the phone will send.
    package enum Auth: Sendable {
        case none
        case bearer(token: String)
        case header(name: String, value: String)
        case basic(user: String, password: String)
    }

    package var scheme: Scheme
    package var name: String
    package var url: PhoneURL
    /// `native`, `hae`, `csv` or `influx`.
    package var format: String
    package var auth: Auth
    /// Signing is on when there is one.
    package var hmac: String?
    /// Data types, in the order given; none means all.
    package var types: [String]

    package init(
        scheme: Scheme = .syncky, name: String, url: PhoneURL, format: String, auth: Auth, hmac: String? = nil,
        types: [String] = []
    ) {
        self.scheme = scheme
        self.name = name
        self.url = url
        self.format = format
        self.auth = auth
        self.hmac = hmac
        self.types = types
    }

    /// The link's text.
    ///
    /// - Throws: for what the app would refuse at import.
    package func encoded() throws(SetupFault) -> String {
        try SetupRules.checkLabel(name)
        guard Self.formats.contains(format) else {
            throw SetupFault("The app sends \(Self.formats.joined(separator: ", ")); no link can ask for another.")
        }
        var link = "\(scheme.rawValue)://webhook?v=1&name=\(percentEncode(name))&url=\(percentEncode(url.text))"
        link += "&format=\(format)&auth="
        switch auth {
        case .none: link += "none"
        case .bearer(let token):
            try SetupRules.checkHeaderValue(token, called: "token")
            link += "bearer&token=\(percentEncode(token))"
        case .header(let name, let value):
            try SetupRules.checkHeaderName(name)
            try SetupRules.checkHeaderValue(value, called: "header's value")
            link += "header&header=\(percentEncode(name))&token=\(percentEncode(value))"
        case .basic(let user, let password):
            try SetupRules.checkUser(user)
            try SetupRules.checkSecret(password, called: "password")
            link += "basic&user=\(percentEncode(user))&token=\(percentEncode(password))"
        }
        if let hmac {
            try SetupRules.checkSecret(hmac, called: "signing secret")
            link += "&hmac=\(percentEncode(hmac))"
        }
        if !types.isEmpty { link += "&types=\(try checkedTypes().joined(separator: ","))" }
        return link
    }

    /// What the app can send, in the guide's order.
    package static let formats = ["native", "hae", "csv", "influx"]

    private func checkedTypes() throws(SetupFault) -> [String] {
        var seen: Set<String> = []
        for type in types {
            try SetupRules.checkTypeName(type)
            guard seen.insert(type).inserted else { throw SetupFault("The type \(type) is named twice.") }
        }
        return types
    }
}
