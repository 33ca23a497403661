package import Insights
package import Samples
import Signing
import Wire

/// The member `api` of `receiver.json`: where questions are answered, and who may ask.
package struct APISettings: Sendable, Equatable {
    package static let defaultBind = "127.0.0.1:8788"
    /// Every token costs each request a comparison.
    package static let maximumTokens = 64

    /// `ADDR:PORT`, `[ADDR]:PORT` or `off`; nil: `defaultBind`, and going on without when that is taken.
    package var bind: String?
    /// By name.
    package var tokens: [APIToken] = []

    package init() {}
}

/// Who may ask, and for what. The token itself is not kept.
package struct APIToken: Sendable, Equatable {
    /// `[a-z0-9-]{1,32}`.
    package var name: String
    package var scope: APIGrant.Scope
    /// nil: everybody's data.
    package var person: String?
    /// nil: all types.
    package var types: [String]?
    /// SHA-256 of the token, 32 bytes. Sessions are signed with it, so it is as secret as a token.
    package var hash: [UInt8]
    package var createdSeconds: Int64
    /// First second at which it is good no more; nil when it has no end.
    package var expiresSeconds: Int64?

    package init(
        name: String, scope: APIGrant.Scope = .read, person: String?, types: [String]? = nil, hash: [UInt8],
        createdSeconds: Int64, expiresSeconds: Int64? = nil
    ) {
        self.name = name
        self.scope = scope
        self.person = person
        self.types = types
        self.hash = hash
        self.createdSeconds = createdSeconds
        self.expiresSeconds = expiresSeconds
    }

    /// A new token: `sat_` and 43 base64url characters of system randomness.
    package static func newToken() -> String { "sat_\(SystemRandom.token())" }

    package static func hash(of token: some Sequence<UInt8>) -> [UInt8] {
        let digest = Digest.sha256(Array(token).span)
        return digest.indices.map { digest[$0] }
    }

    package func isValid(nowSeconds: Int64) -> Bool { expiresSeconds.map { nowSeconds < $0 } ?? true }

    package var grant: APIGrant {
        APIGrant(name: name, scope: scope, person: person, types: types.map(Set.init))
    }
}

extension Configuration {
    /// Who data is about, by name; the clock of each is that of their first endpoint.
    package var persons: [Person] {
        var persons: [String: Person] = [:]
        for endpoint in names.compactMap({ endpoints[$0] }) where persons[endpoint.person] == nil {
            let zone = try? TimeZoneName.rules(of: endpoint.timeZone)
            persons[endpoint.person] = Person(
                name: endpoint.person, zoneName: zone == nil ? "UTC" : endpoint.timeZone, zone: zone ?? .utc)
        }
        return persons.values.sorted { Array($0.name.utf8).lexicographicallyPrecedes(Array($1.name.utf8)) }
    }

    package func readSetup(directory: String, catalog: Catalog) -> ReadModel.Setup {
        ReadModel.Setup(directory: directory, catalog: catalog, persons: persons, sourceOrder: sources.persons)
    }
}
