import Glibc
import Receiver
import Samples
import Signing
import Storage
import Synchronization
import Testing
import Transport

/// A clock that stands still until a test moves it.
final class FakeClock: Sendable {
    private let wall: Atomic<Int64>
    private let monotonic = Atomic<Int64>(1_000_000_000)

    init(wallSeconds: Int64 = 1_791_961_500) { wall = Atomic(wallSeconds * 1_000_000) }

    func advance(seconds: Double) {
        wall.add(Int64(seconds * 1_000_000), ordering: .relaxed)
        monotonic.add(Int64(seconds * 1_000_000), ordering: .relaxed)
    }

    var wallSeconds: Int64 { wall.load(ordering: .relaxed) / 1_000_000 }

    var serverClock: ServerClock {
        ServerClock(
            wallMicroseconds: { self.wall.load(ordering: .relaxed) },
            monotonicMicroseconds: { self.monotonic.load(ordering: .relaxed) })
    }
}

/// Makes `receiver.json` before the server starts, and tells what of it the server is to take for read.
struct PreparedConfiguration {
    let make: (_ directory: String) throws -> ConfigurationFile.Fingerprint?
}

/// A server of its own for one test: temporary folder, loopback port, fake clock, captured log.
final class TestServer: Sendable {
    static let token = "tok_invented_for_tests_0123456789"
    static let secret = "whsec_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"

    let folder: TemporaryFolder
    let clock: FakeClock
    let server: Server
    let log: Log
    private let lines: LogLines

    final class LogLines: Sendable {
        let text = Mutex("")
    }

    init(
        limits: Limits = Limits(), scheme: AuthScheme = .bearer, isSigned: Bool = true, format: Dialect = .native,
        ioThreads: Int = 2,
        tls: TLSFiles? = nil, trustedProxies: [AddressRange] = [], rejectsReplays: Bool = false,
        idleAtStopMilliseconds: Int64 = 0, storeOptions: StoreOptions = StoreOptions(), boundUser: String? = nil,
        others: [Endpoint] = [], followsConfiguration: Bool = false,
        prepared: PreparedConfiguration? = nil,
        api: ((_ directory: String, _ endpoints: [String: Endpoint]) -> Server.API)? = nil
    ) throws {
        folder = try TemporaryFolder()
        clock = FakeClock()
        let lines = LogLines()
        self.lines = lines
        log = Log(format: .text, clock: clock.serverClock) { line in lines.text.withLock { $0 += line } }
        var endpoint = Self.endpoint(scheme: scheme, isSigned: isSigned, format: format)
        endpoint.boundUser = boundUser
        let endpoints = Dictionary(uniqueKeysWithValues: ([endpoint] + others).map { ($0.name, $0) })
        server = try Server(
            Server.Setup(
                directory: folder.path, address: SocketAddress(host: "127.0.0.1", port: 0)!,
                settings: HookService.Settings(
                    endpoints: endpoints, limits: limits, trustedProxies: trustedProxies,
                    rejectsReplays: rejectsReplays),
                tls: tls, ioThreads: ioThreads, clock: clock.serverClock, log: log, storeOptions: storeOptions,
                followsConfiguration: followsConfiguration, configuration: try prepared?.make(folder.path),
                idleAtStopMilliseconds: idleAtStopMilliseconds, api: api?(folder.path, endpoints)))
    }

    deinit { stop() }

    func stop() {
        server.stop()
        log.close()
    }

    var logText: String { lines.text.withLock { $0 } }

    static func endpoint(
        scheme: AuthScheme = .bearer, isSigned: Bool = true, format: Dialect = .native
    ) -> Endpoint {
        Endpoint(
            name: "phone", label: "Phone", person: "me",
            credentials: EndpointCredentials(
                scheme: scheme, tokens: scheme == .none ? [] : [RotatingSecret(secret: Secret(text: token))],
                secrets: isSigned ? [RotatingSecret(secret: Secret(text: secret))] : []),
            format: format, timeZone: "UTC")
    }

    func connect(timeoutSeconds: Int = 30) throws -> LoopbackClient {
        try LoopbackClient(port: server.address.port, timeoutSeconds: timeoutSeconds)
    }

    /// Sends `text` as it is and returns the first answer.
    func exchange(_ text: String) throws -> ClientResponse {
        let client = try connect()
        try client.send(Array(text.utf8))
        return try client.receive()
    }

    /// A whole signed native delivery.
    func delivery(
        _ body: String = TestServer.body(), id: String = "01a13940-fe30-7630-9d7f-9da6e6de1e3d",
        path: String = "/hook/phone",
        token: String? = TestServer.token, headers: [String] = [], timestamp: Int64? = nil, framing: String? = nil
    ) -> [UInt8] {
        let bytes = Array(body.utf8)
        let time = timestamp ?? clock.wallSeconds
        let signature = requestSignature(secret: Secret(text: Self.secret), timestamp: "\(time)", body: bytes)
        var head = [
            "POST \(path) HTTP/1.1", "Host: receiver.local", "Content-Type: application/json",
            "X-Syncky-Format: native", "X-Syncky-Delivery: \(id)", "X-Syncky-Timestamp: \(time)",
            "X-Syncky-Signature: \(signature)",
        ]
        if let token { head.append("Authorization: Bearer \(token)") }
        head += headers
        head.append(framing ?? "Content-Length: \(bytes.count)")
        return Array((head.joined(separator: "\r\n") + "\r\n\r\n").utf8) + (framing == nil ? bytes : [])
    }

    static func body(_ samples: [String] = [sample(1)]) -> String {
        #"{"v":1,"type":"sync","device":"d_invented","samples":[\#(samples.joined(separator: ","))],"deleted":[]}"#
    }

    static func sample(_ number: Int, value: Int = 70) -> String {
        let tail = String(String(number + 1_000_000_000_000, radix: 10).dropFirst())
        return
            #"{"uuid":"5E1D0000-0000-4000-8000-\#(tail)","type":"heart_rate","value":\#(value),"unit":"count/min","start":"2026-10-14T07:01:00Z","end":"2026-10-14T07:01:00Z"}"#
    }

    func post(_ request: [UInt8]) throws -> ClientResponse {
        let client = try connect()
        try client.send(request)
        return try client.receive()
    }

    /// The number of rows of the view `samples`.
    func storedCount() throws -> Int {
        let rows = try StoreReader(directory: folder.path).rows("SELECT count(*) AS n FROM samples")
        guard case .integer(let count)? = rows.first?["n"] else { return -1 }
        return Int(count)
    }

    /// Looks again, for at most five seconds, until `condition` holds.
    func eventually(_ condition: () throws -> Bool) rethrows -> Bool {
        for _ in 0..<500 {
            if try condition() { return true }
            server.sweep()
            usleep(10_000)
        }
        return false
    }
}
