package import Transport

/// What checks ask the network, so that tests answer in its place.
package struct ProbeNetwork: Sendable {
    package typealias Probe =
        @Sendable (_ address: SocketAddress, _ host: String, _ path: String, _ trust: ProbeTrust) throws(ProbeError)
        -> ProbeAnswer

    /// One GET.
    package var probe: Probe
    /// The addresses of a name; empty when nobody knows it.
    package var resolve: @Sendable (_ host: String, _ port: UInt16) -> [SocketAddress]
    package var interfaces: @Sendable () -> [InterfaceAddress]
    /// Why nobody could listen there now; nil when it is free.
    package var listenError: @Sendable (SocketAddress) -> Errno?

    package init(
        probe: @escaping Probe, resolve: @escaping @Sendable (String, UInt16) -> [SocketAddress],
        interfaces: @escaping @Sendable () -> [InterfaceAddress],
        listenError: @escaping @Sendable (SocketAddress) -> Errno?
    ) {
        self.probe = probe
        self.resolve = resolve
        self.interfaces = interfaces
        self.listenError = listenError
    }

    /// The machine's own.
    ///
    /// - Parameter timeout: for one probe.
    package static func system(timeout: Duration = .seconds(3)) -> ProbeNetwork {
        ProbeNetwork(
            probe: { (address, host, path, trust) throws(ProbeError) in
                try Transport.probe(address, host: host, path: path, trust: trust, timeout: timeout)
            },
            resolve: { Transport.resolve(host: $0, port: $1) },
            interfaces: { interfaceAddresses() },
            listenError: { address in
                do throws(Errno) {
                    _ = try Listener(address: address, backlog: 1)
                    return nil
                } catch {
                    return error
                }
            })
    }

    /// Asks a server of this machine, which may speak plain HTTP or TLS: its flags aren't known here.
    ///
    /// - Returns: the answer, and whether it came over TLS.
    package func ask(_ address: SocketAddress, path: String) throws(ProbeError) -> (answer: ProbeAnswer, isTLS: Bool) {
        do throws(ProbeError) {
            return (try probe(address, "localhost", path, .plainHTTP), false)
        } catch {
            // A TLS port closes a plain connection: without a word, or with a reset.
            switch error {
            case .notHTTP, .system: break
            case .refused, .timedOut, .tls: throw error
            }
            do throws(ProbeError) {
                return (try probe(address, "localhost", path, .anyCertificate), true)
            } catch .tls {
                throw .notHTTP
            }
        }
    }

    /// Where a server that listens on `bind` is reached from this machine, the likeliest first.
    package static func localAddresses(bind: String, port: UInt16) -> [SocketAddress] {
        let loopback = ["127.0.0.1", "::1"]
        let hosts: [String] =
            switch bind {
            case "::", "[::]": loopback
            case "0.0.0.0": ["127.0.0.1"]
            default: [bind]
            }
        return hosts.compactMap { SocketAddress(host: $0, port: port) }
    }
}
