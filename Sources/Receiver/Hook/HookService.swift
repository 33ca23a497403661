package import Samples
import Signing
package import Storage
import Synchronization
package import Transport
package import Wire

/// The application on the port: finds the endpoint, checks who speaks, and takes deliveries into the store.
package final class HookService: RequestHandling {
    /// What can change while the server runs: replaced as a whole when `receiver.json` changes.
    package struct Settings: Sendable {
        package private(set) var endpoints: [String: Endpoint]
        /// Of each endpoint's time zone, by the zone's name: read with the endpoints, since files are not for I/O threads.
        private(set) var zones: [String: ZoneRules]
        package var limits: Limits
        package var trustedProxies: [AddressRange]
        package var rejectsReplays: Bool
        /// Read once, at start.
        package var catalog: Catalog

        package init(
            endpoints: [String: Endpoint], limits: Limits, trustedProxies: [AddressRange] = [],
            rejectsReplays: Bool = false, catalog: Catalog = .builtIn
        ) {
            self.endpoints = endpoints
            zones = Self.zones(of: endpoints)
            self.limits = limits
            self.trustedProxies = trustedProxies
            self.rejectsReplays = rejectsReplays
            self.catalog = catalog
        }

        /// - Parameter zones: those of `endpoints`.
        fileprivate mutating func replace(_ endpoints: [String: Endpoint], _ zones: [String: ZoneRules]) {
            self.endpoints = endpoints
            self.zones = zones
        }

        /// A zone whose rules can't be read is left out; whoever made the endpoint was told, and `check` says it again.
        fileprivate static func zones(of endpoints: [String: Endpoint]) -> [String: ZoneRules] {
            var zones: [String: ZoneRules] = [:]
            for endpoint in endpoints.values where zones[endpoint.timeZone] == nil {
                zones[endpoint.timeZone] = try? TimeZoneName.rules(of: endpoint.timeZone)
            }
            return zones
        }
    }

    let store: Store
    let clock: ServerClock
    let log: Log
    let catalog: Catalog
    let workers: WorkerPool
    /// For large bodies: these wait for the writer thread while they decode ahead of it.
    let decoders: WorkerPool
    /// For questions, so that a long one holds up no body.
    let readers: WorkerPool
    /// The data folder.
    let directory: String
    let spool: Spool
    /// Set once, by the thread that stops the server; decoders ask between two slices.
    private let givesUp = Atomic(false)
    let usedSignatures: UsedSignatures
    let strangers = StrangerCount()
    let counters = ServingCounters()
    private let failures: FailureLimiter<UInt128>
    private let settings: Mutex<Settings>
    /// How often the endpoints were replaced: a request looks whether they still are those that let it in.
    private let replacements = Atomic(0)

    package init(
        settings: Settings, directory: String, store: Store, clock: ServerClock, log: Log, workers: WorkerPool,
        decoders: WorkerPool, readers: WorkerPool, spool: Spool
    ) {
        self.settings = Mutex(settings)
        self.store = store
        self.clock = clock
        self.log = log
        catalog = settings.catalog
        self.directory = directory
        self.workers = workers
        self.decoders = decoders
        self.readers = readers
        self.spool = spool
        usedSignatures = UsedSignatures(
            maximum: settings.limits.maximumUsedSignatures, keptSeconds: Int64(settings.limits.usedSignatureSeconds))
        failures = FailureLimiter(
            capacity: settings.limits.maximumWrongCredentials,
            refillsPerMinute: settings.limits.wrongCredentialsRefillPerMinute,
            maximum: settings.limits.maximumWrongCredentialAddresses)
    }

    package func replaceEndpoints(_ endpoints: [String: Endpoint]) {
        let zones = Settings.zones(of: endpoints)
        settings.withLock { $0.replace(endpoints, zones) }
        replacements.add(1, ordering: .releasing)
    }
    var endpointsRevision: Int { replacements.load(ordering: .acquiring) }

    /// Has large bodies that are not stored yet refused with 503, from their next slice on: one of them can take minutes
    /// where the disk is slow, and whoever stops the server waits for it.
    package func giveUpLargeBodies() { givesUp.store(true, ordering: .relaxed) }
    var givesUpLargeBodies: Bool { givesUp.load(ordering: .relaxed) }

    package var currentSettings: Settings { settings.withLock { $0 } }

    // MARK: Heads

    package func decide(_ head: RequestHead, from peer: SocketAddress) -> HeadDecision {
        // First, so that what changes from here on is seen as a change.
        let revision = endpointsRevision
        let now = currentSettings
        let client = clientAddress(of: head, from: peer, trusted: now.trustedProxies)
        switch Route(path: head.path) {
        case .alive:
            guard head.method == "GET" || head.method == "HEAD" else { return .answer(methodNotAllowed(["GET"])) }
            return .answer(Answer(.text("ok\n")))
        case .ready:
            guard head.method == "GET" || head.method == "HEAD" else { return .answer(methodNotAllowed(["GET"])) }
            return .readBody(maximumBytes: 0, request: ReadinessRequest(store: store, workers: workers))
        case .hook(let name, let below):
            guard let endpoint = now.endpoints[name] else { return .answer(notFound(client)) }
            return decide(head, at: endpoint, below: below, from: client, settings: now, revision)
        case .server:
            return .answer(methodNotAllowed(["GET", "POST"]))
        case .unknown:
            return .answer(notFound(client))
        }
    }

    private func decide(
        _ head: RequestHead, at endpoint: Endpoint, below: [UInt8], from client: SocketAddress, settings: Settings,
        _ revision: Int
    ) -> HeadDecision {
        let startedAt = clock.monotonicMicroseconds()
        let fields = head.fields
        let guest = Sender.of(endpoint.format)
        let calls = guest.calls.filter { below.elementsEqual($0.path.utf8) }
        guard below.isEmpty || !calls.isEmpty else { return .answer(notFound(client, guest)) }
        let call = calls.first { $0.method == head.method || ($0.method == "GET" && head.method == "HEAD") }
        guard call != nil || (below.isEmpty && head.method == "POST") else {
            let methods = calls.map(\.method) + (below.isEmpty ? ["POST"] : [])
            return .answer(methodNotAllowed(methods, guest))
        }
        let role = SenderRole(fields, at: endpoint, isCall: call != nil)
        let sender = role.sender
        // Syncky posts to the endpoint itself, whatever calls the guests of the endpoint have.
        guard role.isGuest || below.isEmpty else { return .answer(notFound(client)) }
        guard role.isGuest || head.method == "POST" else { return .answer(methodNotAllowed(["POST"])) }
        if case .open(let answering) = call?.work, role.isGuest {
            let query = query(head, endpoint, SenderScope(person: endpoint.person), settings)
            return .readBody(
                maximumBytes: 0,
                request: QueryRequest(
                    query: query, sender: sender, answering: answering, workers: readers, isDelivery: false
                ) { _, _ in })
        }
        guard endpoint.acceptsToken(fields, nowSeconds: clock.wallSeconds) else {
            return .answer(
                refuseCredentials(client, sender, code: "unauthorized", message: "The credentials are not right."))
        }

        let scope: SenderScope
        do throws(Refusal) {
            scope = try sender.scope(fields, endpoint)
            if case .delivery = call?.work { try sender.checkDelivery(fields) }
        } catch {
            logRefusal(error, endpoint, startedAt)
            return .answer(Answer(sender.refusal(error), closes: true))
        }
        var succeed: (@Sendable (StoreOutcome, _ isTest: Bool) -> Response)?
        if role.isGuest {
            switch call?.work {
            case .query(let answering), .open(let answering):
                let request = QueryRequest(
                    query: query(head, endpoint, scope, settings), sender: sender, answering: answering,
                    workers: readers,
                    isDelivery: true
                ) { [self] status, code in log(status: status, code: code, endpoint, startedAt) }
                return .readBody(maximumBytes: 0, request: request)
            case .delivery(let answer): succeed = answer
            case nil: break
            }
        }
        var request = HookRequest(
            service: self, endpoint: endpoint, revision: revision, fields: fields, client: client, startedAt: startedAt,
            limits: settings.limits, rejectsReplays: settings.rejectsReplays, role: role, sender: sender, scope: scope,
            succeed: succeed, zone: settings.zones[endpoint.timeZone] ?? .utc,
            signatureCheck: SignatureCheck(
                timestamps: fields.values("x-syncky-timestamp"), signatures: fields.values("x-syncky-signature"),
                credentials: endpoint.credentials, nowSeconds: clock.wallSeconds))
        do throws(HTTPFault) { request.encoding = try BodyEncoding(fields, from: sender) } catch {
            return .answer(request.refuse(error))
        }
        let limit = sender.sendsLargeBodies ? settings.limits.maximumLargeBodyBytes : settings.limits.maximumBodyBytes
        if case .length(let count) = head.framing, count > limit {
            return .answer(request.refuse(.bodyTooLarge()))
        }
        if request.lacksSignature { return .answer(request.refuseSignature(bodyBytes: 0)) }
        return .readBody(maximumBytes: limit, spool: sender.sendsLargeBodies ? spool : nil, request: request)
    }

    private func query(
        _ head: RequestHead, _ endpoint: Endpoint, _ scope: SenderScope, _ settings: Settings
    ) -> SenderQuery {
        SenderQuery(
            endpoint: endpoint, scope: scope, query: Array(head.target.drop { $0 != UInt8(ascii: "?") }.dropFirst()),
            host: head.fields.values("host").first.map(Array.init) ?? [],
            zone: settings.zones[endpoint.timeZone] ?? .utc, nowSeconds: clock.wallSeconds, catalog: catalog,
            store: store, directory: directory)
    }

    private func logRefusal(_ refusal: Refusal, _ endpoint: Endpoint, _ startedAt: Int64) {
        log(status: refusal.status, code: refusal.code, endpoint, startedAt)
    }

    /// One line a question. Never a value, a header or a query.
    private func log(status: Int, code: String?, _ endpoint: Endpoint, _ startedAt: Int64) {
        var line: [(name: String, value: LogValue)] = [
            ("endpoint", .text(endpoint.name)), ("dialect", .text(endpoint.format.rawValue)), ("status", .int(status)),
        ]
        if let code { line.append(("code", .text(code))) }
        line.append(("ms", .milliseconds(Double(clock.monotonicMicroseconds() - startedAt) / 1000)))
        log.log(status >= 500 ? .error : status >= 400 ? .warning : .info, "question", line)
    }

    package func refuse(_ fault: HTTPFault, from peer: SocketAddress) -> Answer {
        countStranger(peer, fault.status)
        return Answer(.error(fault), closes: true)
    }

    func countStranger(_ client: SocketAddress, _ status: Int) {
        strangers.count(client)
        counters.refused(status: status)
    }

    // MARK: Refusals

    /// A 401, or a 429 when that address has failed too often. Right credentials never come here.
    func refuseCredentials(_ client: SocketAddress, _ sender: Sender, code: String, message: String) -> Answer {
        countStranger(client, 401)
        if let seconds = failures.recordFailure(
            client.limiterKey, nowMilliseconds: clock.monotonicMicroseconds() / 1000)
        {
            return Answer(
                sender.refusal(
                    Refusal(
                        status: 429, code: "too_many_failures", message: "Too many wrong credentials; try again later.",
                        fields: [("Retry-After", String(seconds))])))
        }
        return Answer(sender.refusal(Refusal(status: 401, code: code, message: message)))
    }

    /// What the endpoints of now say of a request that earlier ones let in.
    enum Admission { case admitted, refused, gone }

    /// - Parameter body: to check the signature over; nil where it was checked against these endpoints.
    func admission(of name: String, _ person: String, _ fields: Fields, _ body: PaddedBytes?) -> Admission {
        guard let endpoint = currentSettings.endpoints[name], endpoint.person == person else { return .gone }
        guard endpoint.acceptsToken(fields, nowSeconds: clock.wallSeconds) else { return .refused }
        guard let body, !endpoint.credentials.secrets.isEmpty else { return .admitted }
        let check = SignatureCheck(
            timestamps: fields.values("x-syncky-timestamp"), signatures: fields.values("x-syncky-signature"),
            credentials: endpoint.credentials, nowSeconds: clock.wallSeconds)
        body.forEachPiece(check.add)
        // The clock was checked when it came.
        if case .accepted = check.verdict(nowSeconds: clock.wallSeconds, windowSeconds: .max) { return .admitted }
        return .refused
    }

    /// The answer to a request that is admitted no more.
    func refuse(_ admission: Admission, _ client: SocketAddress, _ sender: Sender) -> Answer {
        admission == .gone
            ? notFound(client, sender)
            : refuseCredentials(client, sender, code: "unauthorized", message: "The credentials are not right.")
    }

    private func notFound(_ client: SocketAddress, _ sender: Sender = Sender()) -> Answer {
        countStranger(client, 404)
        return Answer(sender.refusal(Refusal(status: 404, code: "not_found", message: "There is nothing here.")))
    }

    private func methodNotAllowed(_ methods: [String], _ sender: Sender = Sender()) -> Answer {
        // Who may GET may ask for the head alone.
        let all = methods.contains("GET") ? Set(methods + ["HEAD"]) : Set(methods)
        let allowed = all.sorted().joined(separator: ", ")
        return Answer(
            sender.refusal(
                Refusal(
                    status: 405, code: "method_not_allowed", message: "This address takes \(allowed) only.",
                    fields: [("Allow", allowed)])))
    }

}

/// The peer, or behind a proxy of ours the last entry of X-Forwarded-For: the one that our proxy wrote.
func clientAddress(of head: RequestHead, from peer: SocketAddress, trusted: [AddressRange]) -> SocketAddress {
    guard trusted.contains(where: { $0.contains(peer) }),
        let last = head.fields.values("x-forwarded-for").last?.split(separator: UInt8(ascii: ",")).last
    else { return peer }
    let text = String(decoding: last, as: UTF8.self).filter { $0 != " " && $0 != "\t" }
    return forwardedAddress(text) ?? peer
}

/// An entry of X-Forwarded-For: an address, and from some proxies its port.
private func forwardedAddress(_ text: String) -> SocketAddress? {
    if let address = SocketAddress(host: text, port: 0) { return address }
    guard let colon = text.lastIndex(of: ":") else { return nil }
    return SocketAddress(host: String(text[..<colon]), port: 0)
}

/// `name` is lower case.
func equalsIgnoringCase(_ bytes: ArraySlice<UInt8>, _ name: String) -> Bool {
    bytes.elementsEqual(name.utf8) { byte, other in
        (byte >= UInt8(ascii: "A") && byte <= UInt8(ascii: "Z") ? byte | 0x20 : byte) == other
    }
}
