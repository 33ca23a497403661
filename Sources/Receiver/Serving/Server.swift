import Glibc
package import Storage
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
        /// Of `receiver.json` as it was read for `settings`; nil to take it for read as it is when the server starts.
        package var configuration: ConfigurationFile.Fingerprint?
        /// How long a stopping server waits for the next request of a connection: who sends one after the other learns
        /// from the answer's `Connection: close`, and no request meets a closed door.
        package var idleAtStopMilliseconds: Int64
        /// nil: no questions are answered.
        package var api: API?

        package init(
            directory: String, address: SocketAddress, settings: HookService.Settings, tls: TLSFiles? = nil,
            ioThreads: Int = Server.processorCount, clock: ServerClock = .system, log: Log,
            storeOptions: StoreOptions = StoreOptions(), followsConfiguration: Bool = true,
            configuration: ConfigurationFile.Fingerprint? = nil,
            idleAtStopMilliseconds: Int64 = 500, api: API? = nil
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
            self.configuration = configuration
            self.idleAtStopMilliseconds = idleAtStopMilliseconds
            self.api = api
        }
    }

    /// How the API is set up.
    package struct API: Sendable {
        package var address: SocketAddress
        /// Somebody asked for this address: without it the server doesn't start. Else it goes on without an API.
        package var isRequired: Bool
        package var settings: APIContext.Settings
        /// Whether `/metrics` has the newest value of each type.
        package var showsValues: Bool
        package var routes: [APIRoute]

        package init(
            address: SocketAddress, isRequired: Bool, settings: APIContext.Settings, showsValues: Bool = false,
            routes: [APIRoute] = APIRoutes.all
        ) {
            self.address = address
            self.isRequired = isRequired
            self.settings = settings
            self.showsValues = showsValues
            self.routes = routes
        }
    }

    /// Threads for connections, and for bodies: more than these would only be more memory, and more than a container allows.
    package static var processorCount: Int { max(1, min(16, Int(sysconf(Int32(_SC_NPROCESSORS_ONLN))))) }

    /// Where it listens; the port is the real one when 0 was asked for.
    package var address: SocketAddress { port.address }
    /// Where questions are answered; nil without an API.
    package var apiAddress: SocketAddress? { api?.port.address }
    package let service: HookService

    private let setup: Setup
    private let port: ServingPort
    private let api: APIServer?
    private let spool: Spool
    private let store: Store
    private let workers: WorkerPool
    private let decoders: WorkerPool
    private let readers: WorkerPool
    private let housekeeper: Housekeeper

    /// Opens the store and the socket and serves from then on.
    ///
    /// - Throws: `StoreError`, `TLSError` or `ServerError`, each with a sentence for the person who started it.
    package init(_ setup: Setup) throws {
        ignoreBrokenPipes()
        self.setup = setup
        let tls = try setup.tls.map { try $0.load() }
        let limits = setup.settings.limits
        raiseDescriptorLimit(to: limits.maximumConnections + 256 + APIServer.maximumConnections)
        let listener: Listener
        do { listener = try Listener(address: setup.address) } catch {
            throw ServerError.cannotListen(on: setup.address, error)
        }
        var apiListener: Listener?
        if let api = setup.api { apiListener = try APIServer.listener(api, setup.log) }
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
            maximumBytes: max(4 * limits.maximumLargeBodyBytes, Spool.minimumBytes),
            minimumFreeBytes: storeOptions.minimumFreeBytes)
        service = HookService(
            settings: setup.settings, directory: setup.directory, store: store, clock: setup.clock, log: setup.log,
            workers: workers, decoders: decoders, readers: readers, spool: spool)
        let trusted = setup.settings.trustedProxies
        port = try ServingPort(
            listener: listener, handler: service, limits: limits, ioThreads: setup.ioThreads, tls: tls,
            clock: setup.clock, log: setup.log, chargesAnswers: true,
            isTrusted: { peer in trusted.contains { $0.contains(peer) } })
        if let listener = apiListener.take(), let apiSetup = setup.api {
            api = try APIServer(
                apiSetup, listener: listener, tls: tls, receiving: service,
                connections: { [port] in port.census.total }, log: setup.log)
        } else {
            api = nil
        }
        housekeeper = Housekeeper(
            directory: setup.directory, followsConfiguration: setup.followsConfiguration,
            configuration: setup.configuration, service: service, api: api,
            store: store, ports: [port] + (api.map { [$0.port] } ?? []), tls: setup.tls,
            certificate: tls?.certificate, clock: setup.clock, log: setup.log)
        housekeeper.start()
    }

    /// Looks at `receiver.json` and the certificate now; what SIGHUP asks for.
    package func reload() { housekeeper.reloadNow() }

    /// Has the deadlines looked at now; for tests that moved the clock.
    package func sweep() {
        port.sweep()
        api?.sweep()
    }

    /// As `stop` does when its time is over; for tests.
    package func giveUpLargeBodies() { service.giveUpLargeBodies() }

    package var storeCounters: StoreCounters { store.counters }
    package var connectionCount: Int { port.census.total }
    package var apiConnectionCount: Int { api?.port.census.total ?? 0 }
    /// Bytes of request bodies that are held now.
    package var bodyMemoryBytes: Int { port.budget.usedBytes }
    /// Large bodies that are in files now.
    package var spooledBodies: Int { spool.fileCount }

    /// Stops: no new connection, those that are in a request get `limits.stopSeconds` to finish, then the store closes.
    ///
    /// Every request whose bytes have arrived is answered; what the store has taken up is committed, but for large bodies
    /// that are not whole in the store by then: they are given up, with a second more for their answers.
    package func stop() {
        guard port.stopAccepting() else { return }
        housekeeper.stop()
        api?.stopAccepting()
        var now = ServerClock.system.monotonicMicroseconds()
        let givesUpAt = now + Int64(setup.settings.limits.stopSeconds) * 1_000_000
        let deadline = givesUpAt + 1_000_000
        var nextDrain = now
        repeat {
            if now >= givesUpAt { service.giveUpLargeBodies() }
            if now >= nextDrain {
                port.drain(idleMicroseconds: setup.idleAtStopMilliseconds * 1000)
                api?.port.drain(idleMicroseconds: 0)
                nextDrain = now + 50_000
            }
            port.census.waitForDeparture(milliseconds: 50)
            now = ServerClock.system.monotonicMicroseconds()
        } while port.census.total + (api?.port.census.total ?? 0) > 0 && now < deadline
        service.giveUpLargeBodies()
        port.end()
        api?.end()
        workers.close()
        decoders.close()
        readers.close()
        store.close()
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
