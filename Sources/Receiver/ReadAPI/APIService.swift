import Samples
import Signing
import Storage
import Synchronization
import Transport
import Wire

/// The application on the API's port: finds the route, checks who asks for what, and has a reader thread answer.
///
/// Everything that a head can be refused for is looked at before a body is read or a database asked.
final class APIService: RequestHandling {
    /// A command or a token, many times over.
    static let maximumBodyBytes = 64 << 10

    let context: APIContext
    private let routes: [APIRoute]
    private let trustedProxies: [AddressRange]
    private let readers: WorkerPool
    private let log: Log
    private let strangers: StrangerCount
    private let isStopping = Atomic<Bool>(false)

    init(
        context: APIContext, routes: [APIRoute] = APIRoutes.all, trustedProxies: [AddressRange],
        readers: WorkerPool, log: Log, strangers: StrangerCount
    ) {
        self.context = context
        self.routes = routes
        self.trustedProxies = trustedProxies
        self.readers = readers
        self.log = log
        self.strangers = strangers
    }

    /// Has questions that wait answered with 503, so that the end of the server doesn't wait for them.
    func giveUp() { isStopping.store(true, ordering: .relaxed) }

    // MARK: Heads

    func decide(_ head: RequestHead, from peer: SocketAddress) -> HeadDecision {
        let client = clientAddress(of: head, from: peer, trusted: trustedProxies)
        do throws(APIProblem) {
            if let asset = DashboardAssets.asset(at: head.path) { return .answer(try answer(head, with: asset)) }
            return try decide(head, from: peer, client: client)
        } catch {
            if error.status == 401 || error.status == 404 || error.status == 429 { strangers.count(client) }
            return .answer(answer(to: error))
        }
    }

    private func decide(
        _ head: RequestHead, from peer: SocketAddress, client: SocketAddress
    ) throws(APIProblem) -> HeadDecision {
        let (route, captures) = try route(of: head)
        let scheme = scheme(of: head, from: peer)
        let settings = context.currentSettings
        var caller: APIAuthenticator.Caller?
        if route.access == .open {
            // Others may not sign our user in or out.
            if route.method != .get, RequestOrigin(head.fields, scheme: scheme) == .other { throw Self.crossOrigin }
        } else {
            let known = try context.authenticator.caller(head.fields, settings.tokens, client: client)
            caller = known
            if known.isFromCookie, route.method != .get, RequestOrigin(head.fields, scheme: scheme) != .same {
                throw Self.crossOrigin
            }
            if route.access == .write, known.token.scope != .write {
                throw APIProblem(403, "forbidden", "This token may read and no more.")
            }
        }
        let question = head.target.drop { $0 != UInt8(ascii: "?") }.dropFirst()
        let query = try APIQuery(question, known: route.parameters.map(\.name))
        for parameter in route.parameters where parameter.isRequired && query.values[parameter.name] == nil {
            throw APIProblem.missing(parameter.name)
        }
        guard let format = APIFormat.negotiated(head.fields.values("accept"), offered: route.formats) else {
            throw APIProblem(
                406, "not_acceptable",
                "This address answers with \(route.formats.map(\.mediaType).joined(separator: " or ")).")
        }
        if route.takesBody,
            head.fields.values("content-encoding").contains(where: { !equalsIgnoringCase($0, "identity") })
        {
            throw APIProblem(415, "content_encoding_unsupported", "A body is taken as it is, without an encoding.")
        }
        let limit = route.takesBody ? Self.maximumBodyBytes : 0
        if case .length(let count) = head.framing, count > limit { throw APIProblem(.bodyTooLarge()) }
        return .readBody(
            maximumBytes: limit,
            request: Pending(
                service: self, route: route, captures: captures, query: query.values, format: format, caller: caller,
                client: client, isEncrypted: scheme == "https", fields: head.fields,
                startedAt: context.clock.monotonicMicroseconds()))
    }

    private static let crossOrigin = APIProblem(
        403, "cross_origin", "A browser's request that changes something must come from this server's own page.")

    private func route(of head: RequestHead) throws(APIProblem) -> (APIRoute, [String: String]) {
        guard head.path.first == UInt8(ascii: "/") else {
            // `OPTIONS *`, and CONNECT to somewhere else.
            throw APIProblem(405, "method_not_allowed", "This server takes GET, POST and DELETE.")
                .allowing(APIRoute.Method.allCases.map(\.rawValue))
        }
        let parts = head.path.dropFirst().split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
        guard parts.count <= 16 else { throw APIProblem.notFound() }
        var allowed: [String] = []
        for route in routes {
            guard let captures = route.captures(of: parts) else { continue }
            if route.method.rawValue == head.method || (route.method == .get && head.method == "HEAD") {
                return (route, captures)
            }
            allowed.append(route.method.rawValue)
        }
        guard !allowed.isEmpty else { throw APIProblem.notFound() }
        throw APIProblem.methodNotAllowed(allowed)
    }

    /// How the client speaks: as we do, or as a proxy of ours says.
    private func scheme(of head: RequestHead, from peer: SocketAddress) -> String {
        let forwarded = head.fields.values("x-forwarded-proto")
        if forwarded.count == 1, trustedProxies.contains(where: { $0.contains(peer) }) {
            return forwarded[0].elementsEqual("https".utf8) ? "https" : "http"
        }
        return context.isEncrypted ? "https" : "http"
    }

    // MARK: Answers

    func refuse(_ fault: HTTPFault, from peer: SocketAddress) -> Answer {
        strangers.count(peer)
        var answer = answer(to: APIProblem(fault))
        answer.closes = true
        return answer
    }

    fileprivate func answer(to problem: APIProblem) -> Answer {
        context.counters.answered(status: problem.status)
        return Answer(problem.response.secured)
    }

    private func answer(_ head: RequestHead, with asset: DashboardAsset) throws(APIProblem) -> Answer {
        guard head.method == "GET" || head.method == "HEAD" else { throw APIProblem.methodNotAllowed(["GET"]) }
        var response = Response(
            status: 200, fields: [("Content-Type", asset.contentType), ("Cache-Control", "no-cache")], body: asset.bytes
        )
        response.validate(tag: asset.tag, head.fields)
        context.counters.answered(status: response.status)
        return Answer(response.secured)
    }

    fileprivate func answer(_ pending: Pending, body: PaddedBytes) -> Answer {
        guard !isStopping.load(ordering: .relaxed) else { return answer(to: .storageUnavailable) }
        let lease = context.lease()
        do {
            let request = pending.request(context, body: body, lease: lease)
            let answer = try pending.route.answer(request)
            let response = try made(answer, of: pending)
            lease.end(isSound: true)
            note(pending, status: response.response.status, code: nil)
            return response
        } catch {
            let problem = error as? APIProblem
            lease.end(isSound: problem != nil)
            if problem == nil {
                log.log(
                    .error, "a question could not be answered",
                    [("route", .text(pending.route.path)), ("reason", .text("\(error)"))])
            }
            note(pending, status: (problem ?? .storageUnavailable).status, code: (problem ?? .storageUnavailable).code)
            return self.answer(to: problem ?? .storageUnavailable)
        }
    }

    private func made(_ answer: APIAnswer, of pending: Pending) throws -> Answer {
        var fields = answer.fields
        let isKept = answer.status == 200 && pending.route.method == .get
        fields.append(("Cache-Control", isKept ? "private, no-cache" : "no-store"))
        fields.append(("Vary", "Accept, Authorization, Cookie"))
        switch answer.content {
        case .stream(let stream):
            fields.append(("Content-Type", pending.format.contentType))
            context.counters.answered(status: answer.status)
            return Answer(Response(status: answer.status, fields: fields).secured, stream: stream)
        case .bytes(let make):
            let body = try make(pending.format)
            if answer.status != 204 { fields.append(("Content-Type", pending.format.contentType)) }
            var response = Response(status: answer.status, fields: fields, body: body)
            if isKept { response.validate(tag: entityTag(of: body), pending.fields) }
            context.counters.answered(status: response.status)
            return Answer(response.secured)
        }
    }

    /// A line for what was refused and what was changed; the rest is counted, and a dashboard asks often. Never a value, a
    /// header or a query.
    fileprivate func note(_ pending: Pending, status: Int, code: String?) {
        guard status >= 400 || pending.route.method != .get else { return }
        if pending.caller == nil && status < 500 {
            // Strangers leave a count a minute, not a line each; who signs in has come with a token.
            if status >= 400 { strangers.count(pending.client) }
            guard status < 400, pending.route.method == .post else { return }
        }
        var line: [(name: String, value: LogValue)] = [
            ("method", .text(pending.route.method.rawValue)), ("route", .text(pending.route.path)),
        ]
        if let token = pending.caller?.token.name { line.append(("token", .text(token))) }
        line.append(("status", .int(status)))
        if let code { line.append(("code", .text(code))) }
        let elapsed = context.clock.monotonicMicroseconds() - pending.startedAt
        line.append(("ms", .milliseconds(Double(elapsed) / 1000)))
        log.log(status >= 500 ? .error : status >= 400 ? .warning : .info, "api", line)
    }

    /// A request on its way to a reader thread.
    fileprivate struct Pending: PendingRequest {
        let service: APIService
        let route: APIRoute
        let captures: [String: String]
        let query: [String: String]
        let format: APIFormat
        let caller: APIAuthenticator.Caller?
        let client: SocketAddress
        let isEncrypted: Bool
        let fields: Fields
        let startedAt: Int64

        /// Whoever has a token may ask as often as it likes.
        var isDelivery: Bool { caller != nil }

        func request(_ context: APIContext, body: PaddedBytes, lease: ReadingLease) -> APIRequest {
            APIRequest(
                context: context, caller: caller,
                grant: caller?.token.grant ?? APIGrant(name: "", scope: .read, person: nil, types: []), format: format,
                captures: captures, query: query, fields: fields, body: body, now: context.clock.timestamp,
                client: client, isEncrypted: isEncrypted, lease: lease)
        }

        func finish(body: PaddedBytes, answer: @escaping @Sendable (Answer) -> Void) {
            service.readers.run { answer(service.answer(self, body: body)) }
        }

        func refuse(_ fault: HTTPFault) -> Answer {
            service.note(self, status: fault.status, code: fault.code)
            var answer = service.answer(to: APIProblem(fault))
            answer.closes = true
            return answer
        }
    }
}

extension APIProblem {
    func allowing(_ methods: [String]) -> APIProblem {
        var problem = self
        problem.allowed = Set(methods.contains("GET") ? methods + ["HEAD"] : methods).sorted()
        return problem
    }

    static func methodNotAllowed(_ methods: [String]) -> APIProblem {
        let problem = APIProblem(405, "method_not_allowed", "").allowing(methods)
        return APIProblem(
            405, "method_not_allowed", "This address takes \(problem.allowed.joined(separator: ", ")) only."
        )
        .allowing(methods)
    }
}

/// The first half of the body's SHA-256, in quotes.
func entityTag(of body: [UInt8]) -> String {
    "\"\(String(decoding: base64(APIToken.hash(of: body).prefix(16), .url), as: UTF8.self))\""
}

extension Response {
    /// Gives the answer its tag, and makes a 304 of it when the client has it already.
    ///
    /// Source: RFC 9110 sections 13.1.2 and 15.4.5.
    mutating func validate(tag: String, _ request: Fields) {
        fields.append(("ETag", tag))
        let known = request.values("if-none-match").flatMap { $0.split(separator: UInt8(ascii: ",")) }.contains {
            part in
            let text = String(decoding: part.filter { $0 != 0x20 && $0 != 0x09 }, as: UTF8.self)
            return text == "*" || (text.hasPrefix("W/") ? text.dropFirst(2) == tag : text == tag)
        }
        guard known else { return }
        status = 304
        body = []
        fields.removeAll { $0.name == "Content-Type" }
    }

    /// With what every answer of this port says to a browser: load from here alone, show in no frame, guess nothing.
    var secured: Response {
        var response = self
        response.fields += [
            (
                "Content-Security-Policy",
                "default-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'; object-src 'none'"
            ), ("X-Content-Type-Options", "nosniff"), ("Referrer-Policy", "no-referrer"),
            ("Cross-Origin-Resource-Policy", "same-origin"), ("Cross-Origin-Opener-Policy", "same-origin"),
        ]
        return response
    }
}
