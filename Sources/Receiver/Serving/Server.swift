import Glibc
package import Storage
import Synchronization
import Threads
package import Transport

/// A running receiver: the listening socket, its I/O threads, the store behind them, and what looks after them.
package final class Server: Sendable {
    /// How a server is set up; everything that a caller decides.
    package struct Setup: Sendable {
        package var directory: String
        package var address: SocketAddress
        package var settings: HookService.Settings
        package var tls: TLSFiles?
        package var ioThreads: Int
        package var clock: ServerClock
        package var log: Log
        package var storeOptions: StoreOptions
        /// Re-reads `receiver.json` when it changes; false for a server whose endpoints are given once.
        package var followsConfiguration: Bool
        /// How long a stopping server waits for the next request of a connection: who sends one after the other learns
        /// from the answer's `Connection: close`, and no request meets a closed door.
        package var idleAtStopMilliseconds: Int64

        package init(
            directory: String, address: SocketAddress, settings: HookService.Settings, tls: TLSFiles? = nil,
            ioThreads: Int = Server.processorCount, clock: ServerClock = .system, log: Log,
            storeOptions: StoreOptions = StoreOptions(), followsConfiguration: Bool = true,
            idleAtStopMilliseconds: Int64 = 500
        ) {
            self.directory = directory
            self.address = address
            self.settings = settings
            self.tls = tls
            self.ioThreads = ioThreads
            self.clock = clock
            self.log = log
            self.storeOptions = storeOptions
            self.followsConfiguration = followsConfiguration
            self.idleAtStopMilliseconds = idleAtStopMilliseconds
        }
    }

    package static var processorCount: Int { max(1, Int(sysconf(Int32(_SC_NPROCESSORS_ONLN)))) }

    /// Where it listens; the port is the real one when 0 was asked for.
    package var address: SocketAddress { acceptor.address }
    package let service: HookService

    private let setup: Setup
    private let acceptor: Acceptor
    private let loops: [IOLoop]
    private let census: ConnectionCensus
    private let budget: MemoryBudget
    private let spool: Spool
    private let store: Store
    private let workers: WorkerPool
    private let decoders: WorkerPool
    private let readers: WorkerPool
    private let housekeeper: Housekeeper
    private let threads: Mutex<(accepting: SystemThread?, io: [SystemThread])>

    /// Opens the store and the socket and serves from then on.
    ///
    /// - Throws: `StoreError`, `TLSError` or `ServerError`, each with a sentence for the person who started it.
    package init(_ setup: Setup) throws {
        ignoreBrokenPipes()
        self.setup = setup
        let tls = try setup.tls.map { try $0.load() }
        let limits = setup.settings.limits
        raiseDescriptorLimit(to: limits.maximumConnections + 256)
        let listener: Listener
        do { listener = try Listener(address: setup.address) } catch {
            throw ServerError.cannotListen(on: setup.address, error)
        }
        var storeOptions = setup.storeOptions
        storeOptions.queueBytes = limits.maximumQueuedBytes
        let clock = setup.clock
        storeOptions.now = { clock.timestamp }
        store = try Store.open(directory: setup.directory, options: storeOptions)
        workers = WorkerPool(named: "worker", threads: max(2, setup.ioThreads))
        // One decodes while another's slices wait for the writer thread, which takes one body at a time.
        decoders = WorkerPool(named: "decoder", threads: 2, niceness: 5)
        readers = WorkerPool(named: "reader", threads: 2)
        spool = Spool(
            directory: setup.directory, pastBytes: limits.spoolPastBytes,
            maximumBytes: 4 * limits.maximumLargeBodyBytes, minimumFreeBytes: storeOptions.minimumFreeBytes)
        service = HookService(
            settings: setup.settings, directory: setup.directory, store: store, clock: setup.clock, log: setup.log,
            workers: workers, decoders: decoders, readers: readers, spool: spool)
        let trusted = setup.settings.trustedProxies
        census = ConnectionCensus(
            limit: limits.maximumConnections, limitPerAddress: limits.maximumConnectionsPerAddress,
            isTrusted: { peer in trusted.contains { $0.contains(peer) } })
        budget = MemoryBudget(limitBytes: limits.maximumBodyMemoryBytes)
        let shared = SharedServing(
            handler: service, limits: limits, budget: budget, clock: setup.clock, census: census)
        loops = try (0..<setup.ioThreads).map { _ in try IOLoop(shared: shared) }
        acceptor = try Acceptor(listener: listener, loops: loops, shared: shared, tls: tls, log: setup.log)
        housekeeper = Housekeeper(
            directory: setup.directory, followsConfiguration: setup.followsConfiguration, service: service,
            store: store, acceptor: acceptor, budget: budget, tls: setup.tls, certificate: tls?.certificate,
            clock: setup.clock,
            log: setup.log)

        let (acceptor, log) = (acceptor, setup.log)
        threads = Mutex(
            (
                accepting: SystemThread(named: "accept") { Self.guarded(log) { try acceptor.run() } },
                io: loops.enumerated().map { index, loop in
                    SystemThread(named: "io-\(index)") { Self.guarded(log) { try loop.run() } }
                }
            ))
        housekeeper.start()
    }

    /// Looks at `receiver.json` and the certificate now; what SIGHUP asks for.
    package func reload() { housekeeper.reloadNow() }

    /// Has the deadlines looked at now; for tests that moved the clock.
    package func sweep() { for loop in loops { loop.send(.sweep) } }

    /// As `stop` does when its time is over; for tests.
    package func giveUpLargeBodies() { service.giveUpLargeBodies() }

    package var storeCounters: StoreCounters { store.counters }
    package var connectionCount: Int { census.total }
    /// Bytes of request bodies that are held now.
    package var bodyMemoryBytes: Int { budget.usedBytes }
    /// Large bodies that are in files now.
    package var spooledBodies: Int { spool.fileCount }

    /// Stops: no new connection, those that are in a request get `limits.stopSeconds` to finish, then the store closes.
    ///
    /// Every request whose bytes have arrived is answered; what the store has taken up is committed, but for large bodies
    /// that are not whole in the store by then: they are given up, with a second more for their answers.
    package func stop() {
        guard
            let accepting = threads.withLock({ threads in
                defer { threads.accepting = nil }
                return threads.accepting
            })
        else { return }
        housekeeper.stop()
        acceptor.stop()
        accepting.join()
        var now = ServerClock.system.monotonicMicroseconds()
        let givesUpAt = now + Int64(setup.settings.limits.stopSeconds) * 1_000_000
        let deadline = givesUpAt + 1_000_000
        var nextDrain = now
        repeat {
            if now >= givesUpAt { service.giveUpLargeBodies() }
            if now >= nextDrain {
                for loop in loops { loop.send(.drain(idleMicroseconds: setup.idleAtStopMilliseconds * 1000)) }
                nextDrain = now + 50_000
            }
            census.waitForDeparture(milliseconds: 50)
            now = ServerClock.system.monotonicMicroseconds()
        } while census.total > 0 && now < deadline
        service.giveUpLargeBodies()
        for loop in loops { loop.send(.stop) }
        for thread in threads.withLock({ $0.io }) { thread.join() }
        workers.close()
        decoders.close()
        readers.close()
        store.close()
    }

    private static func guarded(_ log: Log, _ body: () throws -> Void) {
        do { try body() } catch {
            // epoll itself failed: nothing can be served any more, and whoever started the process should restart it.
            log.log(.error, "a serving thread ended; the process stops", [("reason", .text("\(error)"))])
            log.close()
            abort()
        }
    }
}

/// Why a server could not be started.
package enum ServerError: Error, CustomStringConvertible {
    case cannotListen(on: SocketAddress, Errno)

    package var description: String {
        switch self {
        case .cannotListen(let address, let error):
            error.rawValue == EADDRINUSE
                ? "port \(address.port) is taken: another program, or another server, listens on \(address)"
                : "can't listen on \(address): \(error)"
        }
    }
}

/// Where the certificate chain and its key are, both PEM.
package struct TLSFiles: Equatable, Sendable {
    package var certificate: String
    package var key: String

    package init(certificate: String, key: String) {
        self.certificate = certificate
        self.key = key
    }

    package func load() throws(TLSError) -> TLSContext {
        try TLSContext(certificateFile: certificate, keyFile: key)
    }
}

/// Many systems start a process with room for 1,024 descriptors; each connection needs one.
private func raiseDescriptorLimit(to wanted: Int) {
    var limit = rlimit()
    guard unsafe getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0, limit.rlim_cur < wanted else {
        return
    }
    limit.rlim_cur = min(limit.rlim_max, rlim_t(wanted))
    _ = unsafe setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
}
