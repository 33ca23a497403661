import Wire

/// How a phone says who it is. Source: the guide's section 6.
package enum AuthScheme: Equatable, Sendable {
    case none
    case bearer
    case basic(user: String)
    /// A field of the owner's choice. `name` is in lower case.
    case header(name: String)
}

/// What one endpoint accepts.
package struct EndpointCredentials: Sendable, Equatable {
    package var scheme: AuthScheme
    /// Bearer tokens, Basic passwords or header values, the newest first; empty with `.none`.
    package var tokens: [RotatingSecret]
    /// Signing secrets, the newest first; empty when the endpoint's requests are not signed.
    package var secrets: [RotatingSecret]

    package init(scheme: AuthScheme, tokens: [RotatingSecret] = [], secrets: [RotatingSecret] = []) {
        self.scheme = scheme
        self.tokens = tokens
        self.secrets = secrets
    }

    /// Whether a request carries one of the valid tokens. Look at it before the body is read.
    ///
    /// Shape: exactly one field, `Bearer TOKEN`, `Basic BASE64(user:password)` or the bare value; the scheme's word in
    /// any case, one space, and the rest compared whole. Every valid token is compared, in constant time, so that the
    /// time tells nothing about which one came close. With `.none` everything is accepted.
    ///
    /// - Parameter authorization: the values of all `Authorization` fields.
    /// - Parameter header: the values of all fields named as the scheme's header; ignored by the other schemes.
    package func acceptsToken(
        authorization: [ArraySlice<UInt8>], header: [ArraySlice<UInt8>], nowSeconds: Int64
    ) -> Bool {
        switch scheme {
        case .none:
            return true
        case .bearer:
            guard authorization.count == 1, let token = credentials(in: authorization[0], word: "bearer") else {
                return false
            }
            return accepts(token, after: [], nowSeconds: nowSeconds)
        case .basic(let user):
            guard authorization.count == 1, let text = credentials(in: authorization[0], word: "basic"),
                var pair = base64Decoded(text)
            else { return false }
            defer { wipe(&pair) }
            return accepts(pair[...], after: Array(user.utf8) + [UInt8(ascii: ":")], nowSeconds: nowSeconds)
        case .header:
            guard header.count == 1 else { return false }
            return accepts(header[0], after: [], nowSeconds: nowSeconds)
        }
    }

    private func accepts(_ candidate: ArraySlice<UInt8>, after prefix: [UInt8], nowSeconds: Int64) -> Bool {
        var isAccepted = false
        for token in tokens where token.isValid(nowSeconds: nowSeconds) {
            var expected = prefix + token.secret.bytes
            defer { wipe(&expected) }
            let isEqual = equalInConstantTime(expected.span, candidate.span)
            isAccepted = isAccepted || isEqual
        }
        return isAccepted
    }
}

/// What follows `word` and one space; nil when another scheme is named. `word` is in lower case.
private func credentials(in value: ArraySlice<UInt8>, word: String) -> ArraySlice<UInt8>? {
    let word = word.utf8
    guard value.count > word.count else { return nil }
    let rest = value.dropFirst(word.count)
    guard zip(value, word).allSatisfy({ $0 | 0x20 == $1 }), rest.first == UInt8(ascii: " ") else { return nil }
    return rest.dropFirst()
}

extension EndpointCredentials {
    /// Whether one of several places holds a valid token: `Authorization: Bearer TOKEN`, or a field with the bare token.
    ///
    /// For senders that don't follow the endpoint's scheme; a Basic endpoint's password counts as the token. Each place
    /// counts once: a field that comes twice is none. Every valid token is compared, in constant time.
    ///
    /// - Parameter fields: the values of each field that may hold the token.
    package func acceptsToken(
        authorization: [ArraySlice<UInt8>], inAnyOf fields: [[ArraySlice<UInt8>]], nowSeconds: Int64
    ) -> Bool {
        var candidates = fields.filter { $0.count == 1 }.map { $0[0] }
        if authorization.count == 1, let token = credentials(in: authorization[0], word: "bearer") {
            candidates.append(token)
        }
        var isAccepted = false
        for candidate in candidates where accepts(candidate, after: [], nowSeconds: nowSeconds) { isAccepted = true }
        return isAccepted
    }
}
