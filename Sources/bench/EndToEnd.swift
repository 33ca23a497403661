import Receiver
import Samples
import Signing
import Storage
import Synchronization
import Threads
import Transport

/// Deliveries through a real socket into a store that was empty, until the 2xx: the commit is on the disk by then.
enum EndToEnd {
    static func run() throws -> [Result] {
        try [
            measure("4,300 samples (1 MB), 1 connection", samples: 4_300, connections: 1, requests: 24),
            measure("4,300 samples (1 MB), 8 connections", samples: 4_300, connections: 8, requests: 48),
            measure("500 samples, 1 connection", samples: 500, connections: 1, requests: 100),
            measure("10 samples, 1 connection", samples: 10, connections: 1, requests: 1_000),
            measure("10 samples, 64 connections", samples: 10, connections: 64, requests: 6_400),
        ]
    }

    private static func measure(_ name: String, samples: Int, connections: Int, requests: Int) throws -> Result {
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
                settings: HookService.Settings(endpoints: ["bench": endpoint], limits: Limits()), log: log,
                followsConfiguration: false))
        defer {
            server.stop()
            log.close()
        }
        let perConnection = requests / connections
        let now = ServerClock.system.wallSeconds
        let plans = (0..<connections).map { index in
            var deliveries = Deliveries(seed: UInt64(index) &* 0x1234_5678_9ABC + UInt64(samples))
            return (0..<perConnection).map { _ in deliveries.request(samples: samples, nowSeconds: now) }
        }
        let latencies = Mutex<[Double]>([])
        let failures = Atomic<Int>(0)
        let clients = try plans.map { _ in try LoopbackClient(port: server.address.port) }
        let before = server.storeCounters.transactions
        let start = ServerClock.system.monotonicMicroseconds()
        let threads = zip(plans, clients.map(Handover.init)).map { plan, client in
            SystemThread(named: "client") {
                var own: [Double] = []
                for request in plan {
                    let sent = ServerClock.system.monotonicMicroseconds()
                    guard (try? client.client.send(request)) != nil, let answer = try? client.client.receive(),
                        answer.status == 204
                    else {
                        failures.add(1, ordering: .relaxed)
                        continue
                    }
                    own.append(Double(ServerClock.system.monotonicMicroseconds() - sent) / 1000)
                }
                latencies.withLock { $0 += own }
            }
        }
        for thread in threads { thread.join() }
        let seconds = Double(ServerClock.system.monotonicMicroseconds() - start) / 1_000_000
        guard failures.load(ordering: .relaxed) == 0 else { throw BenchError.refused(name) }
        return Result(
            name: name, requests: connections * perConnection, samples: connections * perConnection * samples,
            seconds: seconds, latencies: latencies.withLock { $0.sorted() },
            transactions: server.storeCounters.transactions - before)
    }

    /// `@unchecked`: made on one thread and used by one other, never by both.
    private struct Handover: @unchecked Sendable { let client: LoopbackClient }
}

enum BenchError: Error {
    /// A request was not answered with 204, so the figures would mean nothing.
    case refused(String)
}
