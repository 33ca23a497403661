import Glibc
import Storage
import Synchronization
import Threads
import Transport

/// What has to be looked at now and then: the configuration, the certificate, the store's health, the strangers.
final class Housekeeper: Sendable {
    private static let tickMilliseconds: Int64 = 500
    private static let certificateCheckMicroseconds: Int64 = 3_600_000_000
    private static let strangersMicroseconds: Int64 = 60_000_000
    private static let dayMicroseconds: Int64 = 86_400_000_000
    private static let certificateWarningSeconds: Int64 = 14 * 86_400

    private struct State {
        var configuration: ConfigurationFile.Fingerprint?
        /// Why the last reading failed; nil when it didn't.
        var configurationFault: String?
        var certificateFile: FileStamp?
        var keyFile: FileStamp?
        var certificate: CertificateInfo?
        var storeCondition = StoreCondition.State.ok
        var nextCertificateCheck: Int64 = 0
        var nextStrangers: Int64 = 0
        var nextExpiryWarning: Int64 = 0
        var burst = BurstWatch()
    }

    private let directory: String
    private let followsConfiguration: Bool
    private let service: HookService
    private let api: APIServer?
    private let store: Store
    private let ports: [ServingPort]
    private let tls: TLSFiles?
    private let clock: ServerClock
    private let log: Log
    private let state: Mutex<State>
    private let signal = Signal()
    private let isStopping = Atomic<Bool>(false)
    private let isReloadAsked = Atomic<Bool>(false)
    private let thread = Mutex<SystemThread?>(nil)

    init(
        directory: String, followsConfiguration: Bool, configuration: ConfigurationFile.Fingerprint?,
        service: HookService, api: APIServer?, store: Store,
        ports: [ServingPort], tls: TLSFiles?, certificate: CertificateInfo?, clock: ServerClock, log: Log
    ) {
        self.directory = directory
        self.followsConfiguration = followsConfiguration
        self.service = service
        self.api = api
        self.store = store
        self.ports = ports
        self.tls = tls
        self.clock = clock
        self.log = log
        var state = State()
        // As it was read: a change since then, while the store was opened, is a change.
        state.configuration =
            followsConfiguration ? configuration ?? ConfigurationFile(directory: directory).fingerprint() : nil
        state.certificateFile = tls.flatMap { FileStamp($0.certificate) }
        state.keyFile = tls.flatMap { FileStamp($0.key) }
        state.certificate = certificate
        let now = clock.monotonicMicroseconds()
        state.nextCertificateCheck = now + Self.certificateCheckMicroseconds
        state.nextStrangers = now + Self.strangersMicroseconds
        self.state = Mutex(state)
    }

    func start() {
        thread.withLock { thread in
            thread = SystemThread(named: "housekeeper") { [self] in
                while !isStopping.load(ordering: .acquiring) {
                    tick(isForced: isReloadAsked.exchange(false, ordering: .acquiringAndReleasing))
                    signal.wait(milliseconds: Self.tickMilliseconds)
                }
                service.strangers.flush(to: log)
            }
        }
    }

    func reloadNow() {
        isReloadAsked.store(true, ordering: .releasing)
        signal.raise()
    }

    func stop() {
        isStopping.store(true, ordering: .releasing)
        signal.raise()
        let thread = self.thread.withLock { thread in
            defer { thread = nil }
            return thread
        }
        thread?.join()
    }

    private func tick(isForced: Bool) {
        state.withLock { state in
            let now = clock.monotonicMicroseconds()
            if followsConfiguration { followConfiguration(&state, isForced: isForced) }
            if isForced || now >= state.nextCertificateCheck {
                state.nextCertificateCheck = now + Self.certificateCheckMicroseconds
                followCertificate(&state, isForced: isForced)
            }
            if now >= state.nextExpiryWarning {
                state.nextExpiryWarning = now + Self.dayMicroseconds
                warnOfExpiry(state)
            }
            if now >= state.nextStrangers {
                state.nextStrangers = now + Self.strangersMicroseconds
                service.strangers.flush(to: log)
            }
            if state.burst.isOver(takenBytes: ports.reduce(0) { $0 + $1.budget.takenBytes }) {
                HostState.returnFreeMemory()
            }
            let condition = store.condition
            if condition.state != state.storeCondition {
                state.storeCondition = condition.state
                if condition.state == .ok {
                    log.log(.info, "the database can be written again")
                } else {
                    log.log(.error, condition.sentence ?? "the database can't be written")
                }
            }
        }
    }

    private func followConfiguration(_ state: inout State, isForced: Bool) {
        let fingerprint = ConfigurationFile(directory: directory).fingerprint()
        guard isForced || fingerprint != state.configuration else { return }
        state.configuration = fingerprint
        do throws(ConfigurationError) {
            let configuration = try ConfigurationFile(directory: directory).load().configuration
            service.replaceEndpoints(configuration.endpoints)
            api?.replace(configuration)
            log.log(
                .info, "receiver.json read again",
                [("endpoints", .text(configuration.endpoints.keys.sorted().joined(separator: ",")))])
            state.configurationFault = nil
        } catch {
            // What could not be read may be readable the next second, without another edit: once a reason is enough to tell.
            if ![.invalid, .notJSON].contains(error.kind) { state.configuration = nil }
            if state.configurationFault == "\(error)" && !isForced { return }
            state.configurationFault = "\(error)"
            log.log(
                .error, "receiver.json can't be used; the one before stays in force", [("reason", .text("\(error)"))])
        }
    }

    private func followCertificate(_ state: inout State, isForced: Bool) {
        guard let tls else { return }
        let (certificateFile, keyFile) = (FileStamp(tls.certificate), FileStamp(tls.key))
        guard isForced || certificateFile != state.certificateFile || keyFile != state.keyFile else { return }
        (state.certificateFile, state.keyFile) = (certificateFile, keyFile)
        do {
            let context = try tls.load()
            for port in ports { port.acceptor.replaceTLS(with: context) }
            state.certificate = context.certificate
            state.nextExpiryWarning = 0
            log.log(.info, "certificate read again; new connections use it")
        } catch {
            // Looked at again next time: rights may be given without another change of the file.
            (state.certificateFile, state.keyFile) = (nil, nil)
            log.log(.error, "the certificate can't be used; the one before stays", [("reason", .text("\(error)"))])
        }
    }

    private func warnOfExpiry(_ state: State) {
        guard let certificate = state.certificate else { return }
        let left = certificate.notAfter - clock.wallSeconds
        guard left < Self.certificateWarningSeconds else { return }
        log.log(
            .warning, left < 0 ? "the certificate has expired: phones refuse it" : "the certificate expires soon",
            [("days", .int(Int(left / 86_400)))])
    }
}

/// Tells whether a file was replaced or written to.
struct FileStamp: Equatable, Sendable {
    private let inode: UInt64
    private let seconds: Int
    private let nanoseconds: Int
    private let size: Int

    /// nil when there is no such file.
    init?(_ path: String) {
        var status = stat()
        guard unsafe stat(path, &status) == 0 else { return nil }
        inode = UInt64(status.st_ino)
        seconds = status.st_mtim.tv_sec
        nanoseconds = status.st_mtim.tv_nsec
        size = Int(status.st_size)
    }
}
