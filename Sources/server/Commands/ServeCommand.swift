import Glibc
import Receiver
import Samples
import Storage
import Transport

/// Runs the receiver until it is told to stop.
enum ServeCommand: Subcommand {
    static let name = "serve"
    static let summary = "take deliveries until stopped"
    static let usage = ["serve [options]"]
    static let details = """
        Listens, checks who speaks, stores what comes, and logs one line a request on
        standard error. SIGTERM and Ctrl-C stop it after the running requests; SIGHUP
        reads receiver.json and the certificate again. receiver.json is followed anyway:
        an endpoint or a token of the API that was added or removed counts within a
        second. Limits, addresses and the catalog are read once.

        Questions are answered on an address of their own, with a dashboard at / and an
        API, for who has a token: see server token. Without --api-bind it is left out
        when its port is taken. On other addresses than this machine's own it speaks
        TLS when --tls-cert is given.
        """
    static let flags =
        [
            Flag("bind", "ADDR", "address to listen on; default :: (all of both kinds)"),
            Flag("port", "PORT", "port to listen on, 0 for any free one; default 8787"),
            Flag("api-bind", "ADDR:PORT", "where the API and the dashboard are, or off;\ndefault 127.0.0.1:8788"),
            Flag("metrics-values", nil, "let /metrics of the API tell the newest value of each type"),
            Flag("tls-cert", "FILE", "certificate chain in PEM; with --tls-key: speak TLS only"),
            Flag("tls-key", "FILE", "its private key in PEM, which only its owner may read"),
            Flag(
                "trust-proxy", "CIDR", "believe X-Forwarded-For of this address or range;\nmay be given again",
                repeats: true),
            catalogFlag,
            Flag("reject-replays", nil, "answer 401 to a signature that was used before, not 204"),
            Flag("log", "FORMAT", "text or json; default text"),
            Flag("init", nil, "make the folder with an endpoint phone if there is none yet"),
        ]
        + Limits.settings.map { setting in
            Flag(
                String(setting.flag.dropFirst(2)), "N",
                "\(setting.summary)\nDefault \(setting.defaultValue); past it: \(setting.pastIt)")
        }
    static let examples = [
        "serve",
        "serve --port 443 --tls-cert chain.pem --tls-key key.pem",
        "serve --bind 127.0.0.1 --trust-proxy 127.0.0.1 --log json",
        "serve --api-bind off",
    ]

    static func run(_ arguments: ParsedArguments, context: CommandContext) throws(CommandFailure) -> ExitStatus {
        let format = try arguments.choice("log", of: ["text", "json"]).flatMap(Log.Format.init(rawValue:)) ?? .text
        let proxies = try trustedProxies(arguments)
        let tls = try tlsFiles(arguments)
        let catalog = try context.catalog(arguments)
        let directory = try context.dataFolder(arguments)
        try initialise(directory, arguments, context)
        let loaded = try settings(directory, arguments, context)
        let configuration = loaded.configuration
        guard let address = SocketAddress(host: configuration.bind, port: UInt16(configuration.port)) else {
            throw .usage("--bind must be an IPv4 or IPv6 address.")
        }
        let lock = try takeLock(directory)
        defer { withExtendedLifetime(lock) {} }

        let api = try Self.api(configuration, directory, catalog, arguments)
        let signals = SignalWaiter([SIGTERM, SIGINT, SIGHUP])
        let log = Log(format: format, write: { context.printError($0) })
        defer { log.close() }
        for warning in loaded.warnings { log.log(.warning, warning.message) }
        let server: Server
        do {
            server = try Server(
                Server.Setup(
                    directory: directory, address: address,
                    settings: HookService.Settings(
                        endpoints: configuration.endpoints, limits: configuration.limits, trustedProxies: proxies,
                        rejectsReplays: arguments.has("reject-replays"), catalog: catalog),
                    tls: tls, log: log, configuration: loaded.fingerprint, api: api))
        } catch { throw failure(error) }
        lock.publish(
            host: server.address.host, port: server.address.port,
            api: server.apiAddress.map { ($0.host, $0.port) })
        announce(server, isEncrypted: tls != nil, directory, log)
        while true {
            if signals.wait() == SIGHUP {
                server.reload()
            } else {
                break
            }
        }
        log.log(.info, "stopping: running requests are finished first")
        server.stop()
        log.log(.info, "stopped")
        return .success
    }

    private static func announce(_ server: Server, isEncrypted: Bool, _ directory: String, _ log: Log) {
        let url = "\(isEncrypted ? "https" : "http")://\(server.address)"
        log.log(.info, "listening on \(url)", [("data", .text(directory))])
        if !isEncrypted && !server.address.isLoopback {
            log.log(
                .warning,
                "health data travels unencrypted on this port: fine at home, but use --tls-cert or a proxy beyond it")
        }
        guard let api = server.apiAddress else { return }
        let isPlain = !isEncrypted || api.isLoopback
        log.log(.info, "dashboard and API on \(isPlain ? "http" : "https")://\(api)")
        if isPlain && !api.isLoopback {
            log.log(
                .warning,
                "tokens and health data travel unencrypted on the API's port: use --tls-cert, or 127.0.0.1 and a proxy")
        }
    }

    /// Where questions are answered; nil for nowhere.
    private static func api(
        _ configuration: Configuration, _ directory: String, _ catalog: Catalog, _ arguments: ParsedArguments
    ) throws(CommandFailure) -> Server.API? {
        let bind = configuration.api.bind ?? APISettings.defaultBind
        guard bind != "off" else { return nil }
        guard let parts = APIAddress(bind), let address = SocketAddress(host: parts.host, port: parts.port) else {
            throw .usage("--api-bind must be an address with a port such as 127.0.0.1:8788, or off.")
        }
        return Server.API(
            address: address, isRequired: configuration.api.bind != nil,
            settings: APIContext.Settings(configuration, directory: directory, catalog: catalog),
            showsValues: arguments.has("metrics-values"))
    }

    private static func initialise(
        _ directory: String, _ arguments: ParsedArguments, _ context: CommandContext
    ) throws(CommandFailure) {
        guard arguments.has("init"), ConfigurationFile(directory: directory).fingerprint() == nil else { return }
        let words = ["--data", directory]
        _ = try InitCommand.run(try ParsedArguments(words, for: InitCommand.self), context: context)
    }

    private static func settings(
        _ directory: String, _ arguments: ParsedArguments, _ context: CommandContext
    ) throws(CommandFailure) -> ConfigurationFile.Loaded {
        var flags: [String: String] = [:]
        for name in SettingOverrides.names {
            if let value = arguments.value(String(name.flag.dropFirst(2))) { flags[name.flag] = value }
        }
        // By themselves first: a bad flag is the command line's fault, whatever the file and the environment say.
        do throws(ConfigurationError) { _ = try SettingOverrides(flags: flags) } catch {
            throw .usage(sentence(error.message))
        }
        do throws(ConfigurationError) {
            let overrides = try SettingOverrides(flags: flags, environment: context.environment)
            var loaded = try ConfigurationFile(directory: directory).load()
            loaded.configuration = try overrides.applied(to: loaded.configuration)
            return loaded
        } catch { throw CommandFailure(error) }
    }

    private static func trustedProxies(_ arguments: ParsedArguments) throws(CommandFailure) -> [AddressRange] {
        var ranges: [AddressRange] = []
        for text in arguments.all("trust-proxy") {
            guard let range = AddressRange(text) else {
                throw .usage("--trust-proxy takes an address or a range such as 10.0.0.0/8, not \(printable(text)).")
            }
            ranges.append(range)
        }
        return ranges
    }

    private static func tlsFiles(_ arguments: ParsedArguments) throws(CommandFailure) -> TLSFiles? {
        switch (arguments.value("tls-cert"), arguments.value("tls-key")) {
        case (let certificate?, let key?): return TLSFiles(certificate: certificate, key: key)
        case (nil, nil): return nil
        default: throw .usage("--tls-cert and --tls-key go together.")
        }
    }

    private static func takeLock(_ directory: String) throws(CommandFailure) -> ServeLock {
        let folder: DataFolder
        do throws(StoreError) { folder = try DataFolder.prepare(directory) } catch { throw failure(error) }
        do throws(ServeLock.Failure) { return try ServeLock(folder) } catch {
            switch error {
            case .unavailable(let reason): throw failure(reason)
            case .held(let process):
                let other = process.map { "Process \($0)" } ?? "Another process"
                throw CommandFailure(.cannotCreate, "\(other) serves \(directory) already.")
            }
        }
    }

    private static func failure(_ error: any Error) -> CommandFailure {
        let status: ExitStatus =
            switch error {
            case is ServerError: .cannotCreate
            case is TLSError: .data
            case let error as StoreError: status(of: error)
            default: .inputOutput
            }
        return CommandFailure(status, sentence("\(error)"))
    }

    private static func status(of error: StoreError) -> ExitStatus {
        switch error.reason {
        case .damaged, .foreign, .tooNew: .data
        default: .inputOutput
        }
    }
}
