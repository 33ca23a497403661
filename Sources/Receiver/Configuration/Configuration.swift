package import Samples
package import Signing

/// What `receiver.json` holds, checked: whoever has one may rely on every rule of `ConfigurationRules.swift`.
package struct Configuration: Sendable, Equatable {
    /// The only shape there is so far; a file with another number is of a newer program and is refused.
    package static let schema: Int64 = 1

    /// An IPv4 or IPv6 address without brackets. `::` is every address of both kinds.
    package var bind = "::"
    /// 1 to 65535. Only a flag can make it 0, which lets the system choose.
    package var port = 8787
    package var limits = Limits()
    /// By NAME, the last part of the path `/hook/NAME`.
    package var endpoints: [String: Endpoint] = [:]
    package var api = APISettings()
    package var sources = SourceOrder()

    package init() {}

    /// The endpoints' names in the order in which they are shown and written.
    package var names: [String] { endpoints.keys.sorted { Array($0.utf8).lexicographicallyPrecedes($1.utf8) } }

    /// What the owner should hear about at start and in `status`.
    package var warnings: [ConfigurationWarning] {
        var warnings: [ConfigurationWarning] = []
        for (index, name) in names.enumerated() {
            guard let endpoint = endpoints[name] else { continue }
            let credentials = endpoint.credentials
            if credentials.scheme == .none && credentials.secrets.isEmpty {
                warnings.append(
                    ConfigurationWarning(
                        code: "open_endpoint",
                        message:
                            "Endpoint \(name) has neither a token nor a signing secret: whoever knows its URL can write."
                    ))
            }
            for other in names[..<index] where sharesSecret(name, other) {
                warnings.append(
                    ConfigurationWarning(
                        code: "shared_secret",
                        message:
                            "Endpoints \(other) and \(name) have the same signing secret: a request to one can be replayed at the other."
                    ))
            }
        }
        return warnings
    }

    private func sharesSecret(_ a: String, _ b: String) -> Bool {
        let (a, b) = (endpoints[a]?.credentials.secrets ?? [], endpoints[b]?.credentials.secrets ?? [])
        return a.contains { one in b.contains { $0.secret == one.secret } }
    }
}

/// One URL path, paired with one phone.
package struct Endpoint: Sendable, Equatable {
    /// `[a-z0-9-]{1,32}`; also its key in `Configuration.endpoints`.
    package var name: String
    /// Its name in the app, 1 to 64 characters.
    package var label: String
    /// Who the data is about, 1 to 64 characters.
    package var person: String
    package var credentials: EndpointCredentials
    /// The header's name as its owner wrote it, for the setup link; nil unless the scheme is `.header`.
    package var headerName: String?
    /// How the phone is told to write its bodies.
    package var format: Dialect
    /// A name of the time zone database, such as `Europe/Berlin`.
    package var timeZone: String
    /// The one user of PulsHealth whose data the endpoint takes, a UUID in lower case; nil for all.
    package var boundUser: String?

    package init(
        name: String, label: String, person: String, credentials: EndpointCredentials, headerName: String? = nil,
        format: Dialect, timeZone: String, boundUser: String? = nil
    ) {
        self.name = name
        self.label = label
        self.person = person
        self.credentials = credentials
        self.headerName = headerName
        self.format = format
        self.timeZone = timeZone
        self.boundUser = boundUser
    }

    /// Why no command would ever reach a phone by this endpoint, as a sentence without its end; nil where one may.
    package var commandRefusal: String? {
        guard Dialect.unsigned.contains(format) else { return nil }
        return "\(name) is for an app of the format \(format.rawValue), which writes nothing into Apple Health: "
            + "name an endpoint of Syncky's"
    }

    /// The kind of auth as flags name it: `bearer`, `basic`, `header` or `none`.
    package var authKind: String {
        switch credentials.scheme {
        case .none: "none"
        case .bearer: "bearer"
        case .basic: "basic"
        case .header: "header"
        }
    }
}
