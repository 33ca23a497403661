import Samples
import Storage
import Transport

/// The API with all that is its own: port, reader threads, streams.
final class APIServer: Sendable {
    static let maximumConnections = 256
    /// For one address that is neither this machine nor a proxy: a browser opens six.
    private static let maximumConnectionsPerAddress = 64
    /// Bodies, and large answers that peers have not read yet.
    private static let maximumMemoryBytes = 64 << 20

    let port: ServingPort
    let service: APIService
    private let readers: WorkerPool
    private let context: APIContext
    private let feeder: EventFeeder
    private let ahead: WorkAhead

    /// - Returns: nil when the address can't be had and nobody asked for it.
    static func listener(_ setup: Server.API, _ log: Log) throws -> Listener? {
        do { return try Listener(address: setup.address) } catch {
            let failure = ServerError.cannotListen(on: setup.address, error)
            guard !setup.isRequired else { throw failure }
            log.log(
                .warning, "no API and no dashboard: \(failure); --api-bind chooses another address, or off")
            return nil
        }
    }

    init(
        _ setup: Server.API, listener: consuming Listener, tls: TLSContext?, receiving: HookService,
        connections: @escaping @Sendable () -> Int, log: Log
    ) throws {
        let now = receiving.currentSettings
        let limits = Self.limits(now.limits)
        let tls = setup.address.isLoopback ? nil : tls
        readers = WorkerPool(named: "api-read", threads: 2, niceness: 5)
        context = APIContext(
            directory: receiving.directory, catalog: receiving.catalog, store: receiving.store, clock: receiving.clock,
            counters: receiving.counters, settings: setup.settings, limits: limits, isEncrypted: tls != nil,
            showsValues: setup.showsValues, connections: connections)
        service = APIService(
            context: context, routes: setup.routes, trustedProxies: now.trustedProxies, readers: readers, log: log,
            strangers: receiving.strangers)
        feeder = EventFeeder(context: context, log: log)
        context.install(feeder)
        ahead = WorkAhead(context: context)
        receiving.counters.onCommit { [feeder] in feeder.committed() }
        let trusted = now.trustedProxies
        port = try ServingPort(
            prefix: "api-", listener: listener, handler: service, limits: limits, ioThreads: 1, tls: tls,
            clock: receiving.clock, log: log, chargesAnswers: true,
            isTrusted: { peer in peer.isLoopback || trusted.contains { $0.contains(peer) } })
        feeder.start()
        ahead.start()
    }

    /// Times and sizes of heads are the owner's; what is opened, held and read is our own.
    private static func limits(_ settings: Limits) -> Limits {
        var limits = settings
        limits.maximumConnections = maximumConnections
        limits.maximumConnectionsPerAddress = maximumConnectionsPerAddress
        limits.maximumBodyBytes = APIService.maximumBodyBytes
        limits.maximumDroppedBytes = 2 * APIService.maximumBodyBytes
        limits.maximumBodyMemoryBytes = maximumMemoryBytes
        // Megabytes over a phone's network take longer than a delivery's answer.
        limits.stalledWriteSeconds = max(limits.stalledWriteSeconds, 60)
        return limits
    }

    func replace(_ configuration: Configuration) {
        context.replace(
            APIContext.Settings(configuration, directory: context.directory, catalog: context.catalog))
        feeder.wake()
    }

    func sweep() {
        port.sweep()
        feeder.wake()
        ahead.wake()
    }

    func stopAccepting() {
        service.giveUp()
        context.readings.giveUp()
        ahead.stop()
        feeder.stop()
        _ = port.stopAccepting()
    }

    func end() {
        port.end()
        readers.close()
        feeder.join()
        ahead.join()
        // These hold one another.
        context.counters.onCommit(nil)
        context.install(nil)
        context.readings.close()
    }
}
