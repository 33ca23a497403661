package import Insights
package import Samples
package import Storage
import Synchronization

/// What all routes share. Its settings are replaced as a whole when `receiver.json` changes.
package final class APIContext: Sendable {
    /// What can change while the server runs.
    package struct Settings: Sendable {
        package var endpoints: [String: Endpoint]
        package var tokens: [APIToken]
        package var readSetup: ReadModel.Setup

        package init(endpoints: [String: Endpoint], tokens: [APIToken], readSetup: ReadModel.Setup) {
            self.endpoints = endpoints
            self.tokens = tokens
            self.readSetup = readSetup
        }

        package init(_ configuration: Configuration, directory: String, catalog: Catalog) {
            self.init(
                endpoints: configuration.endpoints, tokens: configuration.api.tokens,
                readSetup: configuration.readSetup(directory: directory, catalog: catalog))
        }
    }

    /// The data folder.
    package let directory: String
    package let catalog: Catalog
    package let store: Store
    package let clock: ServerClock
    let counters: ServingCounters
    let readings = ReadingPool()
    let authenticator: APIAuthenticator
    /// The port speaks TLS.
    let isEncrypted: Bool
    /// Whether `/metrics` has health values.
    let showsValues: Bool
    /// How many connections the port for deliveries has.
    let connections: @Sendable () -> Int
    let startedAtSeconds: Int64
    private let feederBox = Mutex<EventFeeder?>(nil)
    private let settings: Mutex<(now: Settings, generation: Int)>

    init(
        directory: String, catalog: Catalog, store: Store, clock: ServerClock, counters: ServingCounters,
        settings: Settings, limits: Limits = Limits(), isEncrypted: Bool = false, showsValues: Bool = false,
        connections: @escaping @Sendable () -> Int = { 0 }
    ) {
        self.directory = directory
        self.catalog = catalog
        self.store = store
        self.clock = clock
        self.counters = counters
        authenticator = APIAuthenticator(limits: limits, clock: clock)
        self.isEncrypted = isEncrypted
        self.showsValues = showsValues
        self.connections = connections
        startedAtSeconds = clock.wallSeconds
        self.settings = Mutex((settings, 0))
    }

    package var currentSettings: Settings { settings.withLock { $0.now } }
    package var readSetup: ReadModel.Setup { currentSettings.readSetup }

    /// Feeds the streams; nil without any.
    var feeder: EventFeeder? { feederBox.withLock { $0 } }
    func install(_ feeder: EventFeeder?) { feederBox.withLock { $0 = feeder } }

    /// Whether what was lent is still of the present settings.
    func isCurrent(_ lease: ReadingLease) -> Bool { settings.withLock { $0.generation } == lease.generation }

    /// Whether the very token is still there, for the same person and types, and hasn't ended.
    func isGood(_ token: APIToken) -> Bool {
        let now = clock.wallSeconds
        return currentSettings.tokens.contains { $0 == token && $0.isValid(nowSeconds: now) }
    }

    func replace(_ settings: Settings) {
        self.settings.withLock { $0 = (settings, $0.generation + 1) }
    }

    /// Lends the calling thread what it needs to read the database.
    func lease() -> ReadingLease {
        let (now, generation) = settings.withLock { ($0.now, $0.generation) }
        return readings.lease(now.readSetup, generation: generation)
    }
}
