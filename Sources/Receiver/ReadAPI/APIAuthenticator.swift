import Signing
import Transport
import Wire

/// Who asks: tokens, and the sessions of browsers that signed in with one.
///
/// A session is its own proof: name, end and a code under the token's stored hash, so that nothing is kept and a token that
/// was removed or replaced takes its sessions with it.
struct APIAuthenticator: Sendable {
    static let cookieName = "syncky_session"
    /// A browser signs in again after so long, or with its token's end.
    static let sessionSeconds: Int64 = 30 * 86_400
    /// Cookies of that name that are looked at: others on the same machine may have set one, too.
    private static let maximumCookies = 4

    let failures: FailureLimiter<UInt128>
    let clock: ServerClock

    init(limits: Limits, clock: ServerClock) {
        failures = FailureLimiter(
            capacity: limits.maximumWrongCredentials, refillsPerMinute: limits.wrongCredentialsRefillPerMinute,
            maximum: limits.maximumWrongCredentialAddresses)
        self.clock = clock
    }

    struct Caller: Sendable {
        var token: APIToken
        /// Came by itself with the browser's request, perhaps one that another site made.
        var isFromCookie: Bool
    }

    /// Whoever the head names: with `Authorization: Bearer TOKEN`, else with a session's cookie.
    ///
    /// - Throws: 401, or 429 for an address that has guessed too often. Right tokens are never refused.
    func caller(
        _ fields: Fields, _ tokens: [APIToken], client: SocketAddress
    ) throws(APIProblem) -> Caller {
        let authorization = fields.values("authorization")
        guard !authorization.isEmpty else {
            for cookie in cookies(fields) {
                if let token = session(cookie, tokens) { return Caller(token: token, isFromCookie: true) }
            }
            // Nothing was guessed: a browser whose session is over must not be counted as one who tries tokens.
            throw Self.unauthorized
        }
        guard authorization.count == 1, let candidate = bearer(authorization[0]),
            let token = token(candidate, among: tokens)
        else { throw failure(of: client) }
        return Caller(token: token, isFromCookie: false)
    }

    /// Every token that is still good is compared, in constant time.
    func token(_ candidate: some Sequence<UInt8>, among tokens: [APIToken]) -> APIToken? {
        let hash = APIToken.hash(of: candidate), now = clock.wallSeconds
        var found: APIToken?
        for token in tokens where token.isValid(nowSeconds: now) {
            let isEqual = equalInConstantTime(hash.span, token.hash.span)
            found = isEqual ? token : found
        }
        return found
    }

    private static let unauthorized = APIProblem(
        401, "unauthorized", "A token is needed, and none that is good was given.")

    /// Counts a wrong token.
    func failure(of client: SocketAddress) -> APIProblem {
        let now = clock.monotonicMicroseconds() / 1000
        guard let seconds = failures.recordFailure(client.limiterKey, nowMilliseconds: now) else {
            return Self.unauthorized
        }
        var problem = APIProblem(429, "too_many_failures", "Too many wrong tokens; try again later.")
        problem.retryAfterSeconds = seconds
        return problem
    }

    private func bearer(_ value: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
        let word = "bearer ".utf8
        guard value.count > word.count, equalsIgnoringCase(value.prefix(word.count), "bearer ") else { return nil }
        return value.dropFirst(word.count)
    }

    // MARK: Sessions

    /// What the cookie holds, and for how many seconds.
    func makeSession(_ token: APIToken) -> (value: String, seconds: Int64) {
        let now = clock.wallSeconds
        let end = min(now + Self.sessionSeconds, token.expiresSeconds ?? .max)
        let code = Self.code(token, end)
        return ("\(token.name).\(end).\(String(decoding: base64(code, .url), as: UTF8.self))", max(0, end - now))
    }

    private func session(_ cookie: ArraySlice<UInt8>, _ tokens: [APIToken]) -> APIToken? {
        let parts = cookie.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        guard parts.count == 3, (1...12).contains(parts[1].count),
            parts[1].allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }),
            let end = Int64(String(decoding: parts[1], as: UTF8.self)), let code = base64Decoded(parts[2], .url),
            let token = tokens.first(where: { $0.name.utf8.elementsEqual(parts[0]) })
        else { return nil }
        let now = clock.wallSeconds
        let isGenuine = equalInConstantTime(Self.code(token, end).span, code.span)
        return isGenuine && now < end && token.isValid(nowSeconds: now) ? token : nil
    }

    private static func code(_ token: APIToken, _ end: Int64) -> [UInt8] {
        authenticationCode(key: token.hash, message: Array("syncky session\n\(token.name)\n\(end)".utf8))
    }

    /// The values of our cookie. Source: RFC 6265 section 4.2.
    private func cookies(_ fields: Fields) -> [ArraySlice<UInt8>] {
        let name = Array("\(Self.cookieName)=".utf8)
        var found: [ArraySlice<UInt8>] = []
        for field in fields.values("cookie") {
            for pair in field.split(separator: UInt8(ascii: ";")) {
                let pair = pair.drop { $0 == 0x20 || $0 == 0x09 }
                guard pair.starts(with: name), found.count < Self.maximumCookies else { continue }
                found.append(pair.dropFirst(name.count))
            }
        }
        return found
    }
}

/// Whether a browser made a request for a page of ours, or for another site.
enum RequestOrigin: Equatable {
    case same, other
    /// No browser, or one that says nothing.
    case unknown

    /// `Sec-Fetch-Site` decides where there is one, since with our Referrer-Policy a form's `Origin` is `null`; browsers send
    /// it over TLS and to loopback only. Else `Origin` must be the request's own scheme and Host.
    init(_ fields: Fields, scheme: String) {
        let sites = fields.values("sec-fetch-site"), origins = fields.values("origin")
        if !sites.isEmpty {
            self = sites.count == 1 && sites[0].elementsEqual("same-origin".utf8) ? .same : .other
        } else if !origins.isEmpty {
            let hosts = fields.values("host")
            let own = Array("\(scheme)://".utf8) + (hosts.first.map(Array.init) ?? [])
            let isOwn = origins.count == 1 && hosts.count == 1 && !hosts[0].isEmpty
            self =
                isOwn && equalsIgnoringCase(origins[0], String(decoding: own, as: UTF8.self).lowercased())
                ? .same : .other
        } else {
            self = .unknown
        }
    }
}
