import Receiver
import Transport

/// Asks a running server whether it is ready.
enum HealthCommand: Subcommand {
    static let name = "health"
    static let summary = "exit 0 when a running server is ready"
    static let usage = ["health [options]"]
    static let details = """
        For the health checks of containers and monitors: asks GET /readyz on this
        machine, over plain HTTP or TLS, and waits 3 seconds at most. A server that is
        not ready, or not there, makes the exit status 69.
        """
    static let flags = [
        Flag("host", "ADDR", "address to ask; default this machine's own"),
        Flag("port", "P", "port to ask; default the receiver's own"),
    ]
    static let examples = ["health", "health --port 9000"]

    static func run(_ arguments: ParsedArguments, context: CommandContext) throws(CommandFailure) -> ExitStatus {
        // A running server goes on with its last good settings, so unreadable ones are no answer here.
        let settings = (try? context.settings(arguments).configuration) ?? Configuration()
        let environment = try? SettingOverrides(environment: context.environment).applied(to: settings)
        let configuration = (environment ?? settings).asServed(folder: try context.dataFolder(arguments))
        let port = UInt16(try arguments.integer("port", in: 1...65_535) ?? configuration.port)
        let addresses: [SocketAddress]
        if let host = arguments.value("host") {
            addresses = context.network.resolve(host, port)
            guard !addresses.isEmpty else {
                throw CommandFailure(.unavailable, "\(printable(host)) isn't known here.")
            }
        } else {
            addresses = ProbeNetwork.localAddresses(bind: configuration.bind, port: port)
        }
        return try ask(addresses, port: port, context)
    }

    private static func ask(
        _ addresses: [SocketAddress], port: UInt16, _ context: CommandContext
    ) throws(CommandFailure) -> ExitStatus {
        var failure = "nothing answers on port \(port)"
        for address in addresses {
            let status: Int
            do throws(ProbeError) {
                status = try context.network.ask(address, path: "/readyz").answer.status
            } catch {
                if error != .refused { failure = "\(address) gives no answer" }
                continue
            }
            guard status == 200 else {
                throw CommandFailure(.unavailable, "The server at \(address) is not ready: status \(status).")
            }
            context.say("ready")
            return .success
        }
        throw CommandFailure(.unavailable, sentence(failure))
    }
}
