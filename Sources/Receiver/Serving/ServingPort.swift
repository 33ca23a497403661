import Glibc
import Synchronization
import Threads
import Transport

/// A port with all that serves it: the listening socket, the accepting thread, I/O threads, the count of connections and
/// the memory for bodies.
///
/// Two of them share no thread, no limit and no budget: what strangers do to one, the other doesn't feel.
final class ServingPort: Sendable {
    let acceptor: Acceptor
    let census: ConnectionCensus
    let budget: MemoryBudget
    private let loops: [IOLoop]
    private let threads: Mutex<(accepting: SystemThread?, io: [SystemThread])>

    /// Serves from then on.
    ///
    /// - Parameters:
    ///   - prefix: of the threads' names, of at most 8 bytes: the kernel keeps 15.
    ///   - isTrusted: addresses whose connections are not counted by address.
    ///   - chargesAnswers: whether large answers count into the budget until the peer has read them.
    init(
        prefix: String = "", listener: consuming Listener, handler: any RequestHandling, limits: Limits, ioThreads: Int,
        tls: TLSContext?, clock: ServerClock, log: Log, chargesAnswers: Bool = false,
        isTrusted: @escaping @Sendable (SocketAddress) -> Bool
    ) throws(Errno) {
        census = ConnectionCensus(
            limit: limits.maximumConnections, limitPerAddress: limits.maximumConnectionsPerAddress,
            isTrusted: isTrusted)
        budget = MemoryBudget(limitBytes: limits.maximumBodyMemoryBytes)
        let shared = SharedServing(
            handler: handler, limits: limits, budget: budget, clock: clock, census: census,
            chargesAnswers: chargesAnswers)
        var loops: [IOLoop] = []
        for _ in 0..<ioThreads { loops.append(try IOLoop(shared: shared)) }
        self.loops = loops
        acceptor = try Acceptor(listener: listener, loops: loops, shared: shared, tls: tls, log: log)
        let acceptor = acceptor
        threads = Mutex(
            (
                accepting: SystemThread(named: "\(prefix)accept") { Self.guarded(log) { try acceptor.run() } },
                io: loops.enumerated().map { index, loop in
                    SystemThread(named: "\(prefix)io-\(index)") { Self.guarded(log) { try loop.run() } }
                }
            ))
    }

    var address: SocketAddress { acceptor.address }

    /// Has the deadlines looked at now; for tests that moved the clock.
    func sweep() { for loop in loops { loop.send(.sweep) } }

    /// Takes no new connection from now on; false when that was so already.
    func stopAccepting() -> Bool {
        let accepting = threads.withLock { threads in
            defer { threads.accepting = nil }
            return threads.accepting
        }
        guard let accepting else { return false }
        acceptor.stop()
        accepting.join()
        return true
    }

    /// Closes what has idled for so long, and each other connection after its answer.
    func drain(idleMicroseconds: Int64) { for loop in loops { loop.send(.drain(idleMicroseconds: idleMicroseconds)) } }

    /// Closes every connection and ends the threads.
    func end() {
        for loop in loops { loop.send(.stop) }
        let io = threads.withLock { threads in
            defer { threads.io = [] }
            return threads.io
        }
        for thread in io { thread.join() }
    }

    private static func guarded(_ log: Log, _ body: () throws -> Void) {
        do { try body() } catch {
            // epoll itself failed: nothing can be served any more, and whoever started the process should restart it.
            log.log(.error, "a serving thread ended; the process stops", [("reason", .text("\(error)"))])
            // Lines that nobody takes must not keep a process alive that serves nobody.
            _ = SystemThread(named: "abort") {
                sleep(2)
                abort()
            }
            log.close()
            abort()
        }
    }
}
