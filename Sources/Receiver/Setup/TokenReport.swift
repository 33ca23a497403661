import Samples

/// What `token list` tells. Holds no token and no digest of one.
package enum TokenReport {
    /// A JSON array with a line feed at its end; times are RFC 3339 in UTC.
    package static func json(_ tokens: [APIToken], nowSeconds: Int64) -> String {
        JSONTree.array(
            tokens.map { token in
                .object([
                    .init(name: "name", value: .text(token.name)),
                    .init(name: "scope", value: .text(token.scope.rawValue)),
                    .init(name: "person", value: token.person.map { .text($0) } ?? .null),
                    .init(name: "types", value: token.types.map { .array($0.map { .text($0) }) } ?? .null),
                    .init(name: "created", value: .text(time(token.createdSeconds))),
                    .init(name: "expires", value: token.expiresSeconds.map { .text(time($0)) } ?? .null),
                    .init(name: "expired", value: .bool(!token.isValid(nowSeconds: nowSeconds))),
                ])
            }
        ).written()
    }

    private static func time(_ seconds: Int64) -> String { rfc3339Text(Timestamp(microseconds: seconds * 1_000_000)) }
}
