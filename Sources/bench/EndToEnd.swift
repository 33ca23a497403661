import Receiver
import Samples
import Signing
import Storage
import Synchronization
import Threads
import Transport

/// Deliveries through a real socket into a store that was empty, until the 2xx: the commit is on the disk by then.
///
/// The store is as durable as `server serve` has it, whatever it costs.
enum EndToEnd {
    /// One measurement.
    private struct Plan {
        var dialect = BodyDialect.native
        /// About, in each body.
        var samples: Int
        var connections: Int
        var requests: Int
        var isTLS = false

        var name: String {
            "\(dialect.rawValue), \(samples) samples x \(connections)\(isTLS ? ", TLS" : "")"
        }
    }

    static func run() throws -> Section {
        let plans = [
            Plan(samples: 4_500, connections: 1, requests: 24), Plan(samples: 4_500, connections: 8, requests: 48),
            Plan(dialect: .csv, samples: 4_500, connections: 1, requests: 24),
            Plan(dialect: .influx, samples: 4_500, connections: 1, requests: 24),
            Plan(dialect: .hae, samples: 4_500, connections: 1, requests: 24),
            Plan(samples: 500, connections: 1, requests: 100), Plan(samples: 10, connections: 1, requests: 1_000),
            Plan(samples: 10, connections: 64, requests: 6_400),
        ]
        let certificate = try TLSCertificate()
        let findings = try plans.flatMap { plan in
            // Both right after each other, so that their ratio means something.
            var secured = plan
            secured.isTLS = true
            return try plan.dialect == .native
                ? [measure(plan, nil), measure(secured, certificate.files)] : [measure(plan, nil)]
        }
        return Section(title: "serve", findings: findings)
    }

    private static func measure(_ plan: Plan, _ files: TLSFiles?) throws -> Finding {
        let folder = try TemporaryFolder()
        let log = Log(format: .text, write: { _ in })
        let endpoint = Endpoint(
            name: "bench", label: "Bench", person: "me",
            credentials: EndpointCredentials(
                scheme: .bearer, tokens: [RotatingSecret(secret: Secret(text: Deliveries.token))],
                secrets: [RotatingSecret(secret: Deliveries.secret)]),
            format: .native, timeZone: "UTC")
        let server = try Server(
            Server.Setup(
                directory: folder.path, address: SocketAddress(host: "127.0.0.1", port: 0)!,
                settings: HookService.Settings(endpoints: ["bench": endpoint], limits: Limits()), tls: files, log: log,
                followsConfiguration: false))
        defer {
            server.stop()
            log.close()
        }
        let perConnection = plan.requests / plan.connections
        let now = ServerClock.system.wallSeconds
        var samples = 0
        let requests = (0..<plan.connections).map { index in
            var deliveries = Deliveries(seed: UInt64(index) &* 0x1234_5678_9ABC + UInt64(plan.samples))
            return (0..<perConnection).map { _ in
                let made = deliveries.request(plan.dialect, samples: plan.samples, nowSeconds: now)
                samples += made.samples
                return made.bytes
            }
        }
        let latencies = Mutex<[Double]>([])
        let failures = Atomic<Int>(0)
        let clients = try requests.map { _ in
            Handover(client: try Client(port: server.address.port, isTLS: plan.isTLS))
        }
        let before = server.storeCounters.transactions
        let start = ServerClock.system.monotonicMicroseconds()
        let threads = zip(requests, clients).map { requests, handover in
            SystemThread(named: "client") {
                var own: [Double] = []
                for request in requests {
                    let sent = ServerClock.system.monotonicMicroseconds()
                    guard let status = handover.client.send(request), (200..<300).contains(status) else {
                        failures.add(1, ordering: .relaxed)
                        return
                    }
                    own.append(Double(ServerClock.system.monotonicMicroseconds() - sent) / 1_000)
                }
                latencies.withLock { $0 += own }
            }
        }
        for thread in threads { thread.join() }
        let seconds = Double(ServerClock.system.monotonicMicroseconds() - start) / 1_000_000
        guard failures.load(ordering: .relaxed) == 0 else { throw BenchError.refused(plan.name) }
        let times = Times(latencies.withLock { $0 }), count = Double(plan.connections * perConnection)
        let transactions = Double(max(1, server.storeCounters.transactions - before))
        return Finding(
            name: plan.name,
            figures: [
                Figure("requests_per_second", count / seconds),
                Figure("samples_per_second", Double(samples) / seconds),
                Figure("p50_ms", times.median, decimals: 2),
                Figure("p99_ms", times.percentile(0.99), decimals: 2),
                Figure("max_ms", times.longest, decimals: 2),
                Figure("requests_per_transaction", count / transactions, decimals: 1),
            ])
    }

    /// `@unchecked`: made on one thread and used by one other, never by both.
    private struct Handover: @unchecked Sendable { let client: Client }
}
