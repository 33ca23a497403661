package import Samples
import Transport

/// Checks of the way from a phone to this server.
package struct ReachChecks: Sendable {
    package var network: ProbeNetwork
    /// The address that `serve` listens on.
    package var bind: String
    package var port: UInt16
    /// What the phone will post to.
    package var url: PhoneURL
    /// Whether a person named it, so that an answer is expected there even while nothing serves here.
    package var isURLGiven: Bool
    package var now: Timestamp

    package init(
        network: ProbeNetwork, bind: String, port: UInt16, url: PhoneURL, isURLGiven: Bool, now: Timestamp
    ) {
        self.network = network
        self.bind = bind
        self.port = port
        self.url = url
        self.isURLGiven = isURLGiven
        self.now = now
    }

    package func lines() -> [CheckLine] {
        let (portLine, isServing) = portCheck()
        var lines = [portLine, MachineChecks.bind(bind, interfaces: network.interfaces()), addressCheck()]
        let (nameLine, addresses) = nameCheck()
        lines.append(nameLine)
        if !addresses.isEmpty, isServing || isURLGiven { lines += answerChecks(addresses) }
        return lines
    }

    /// Whether the port is ours, free, or taken; true when a server answers on it.
    package func portCheck() -> (line: CheckLine, isServing: Bool) {
        var failure: ProbeError?
        for address in ProbeNetwork.localAddresses(bind: bind, port: port) {
            do throws(ProbeError) {
                let (answer, isTLS) = try network.ask(address, path: "/healthz")
                if answer.status == 200 {
                    return (CheckLine(.ok, "port", "\(port) is served\(isTLS ? ", over TLS" : "")"), true)
                }
                return (taken("answers status \(answer.status) to /healthz"), false)
            } catch .refused {
                continue
            } catch {
                failure = error
            }
        }
        if let failure, failure == .notHTTP { return (taken("speaks something else than HTTP"), false) }
        guard let address = SocketAddress(host: bind, port: port) else {
            return (CheckLine(.fail, "port", "\(bind) is no address to listen on"), false)
        }
        if let error = network.listenError(address) {
            return (
                CheckLine(.fail, "port", "\(port) can't be listened on: \(error); choose another with --port"), false
            )
        }
        return (CheckLine(.ok, "port", "\(port) is free; nothing serves there until server serve runs"), false)
    }

    private func taken(_ what: String) -> CheckLine {
        CheckLine(.fail, "port", "\(port) is taken by another program, which \(what); choose another with --port")
    }

    /// What the app thinks of the URL's host.
    package func addressCheck() -> CheckLine {
        let text = "\(url.host) is \(Self.words[url.addressClass] ?? "")"
        if url.warns { return CheckLine(.warn, "url", "\(text), so the app warns: \(AddressClass.warning)") }
        if url.addressClass.asksForLocalNetwork {
            return CheckLine(.ok, "url", "\(text); iOS asks once whether Syncky may use the local network: allow it")
        }
        if url.addressClass == .loopback {
            return CheckLine(.warn, "url", "\(text): on a phone that is the phone itself; use --host")
        }
        return CheckLine(.ok, "url", text)
    }

    private static let words: [AddressClass: String] = [
        .loopback: "a loopback address", .lan: "an address of the local network",
        .overlay: "an address of a private overlay network", .public: "a public address",
    ]

    /// Whether the URL's host is known here, and as this machine.
    func nameCheck() -> (line: CheckLine, addresses: [SocketAddress]) {
        let addresses = network.resolve(url.host, UInt16(clamping: url.port))
        guard !addresses.isEmpty else {
            let isLocalName = url.host.lowercased().hasSuffix(".local")
            let advice =
                isLocalName
                ? "a phone finds it when avahi-daemon runs here, and this machine with libnss-mdns installed"
                : "no phone will find it either"
            return (CheckLine(isLocalName ? .warn : .fail, "name", "\(url.host) isn't known here: \(advice)"), [])
        }
        let ours = Set(network.interfaces().map(\.address.host))
        let hosts = addresses.map(\.host)
        let list = hosts.joined(separator: ", ")
        guard hosts.contains(where: ours.contains) else {
            return (
                CheckLine(.warn, "name", "\(url.host) is \(list), which is not this machine; right with a proxy only"),
                addresses
            )
        }
        return (CheckLine(.ok, "name", "\(url.host) is \(list)"), addresses)
    }

    /// A proxy may let the phone's own path through and nothing else: a browser's question is refused there, or answered
    /// with what to set.
    private func passesPathAlone(
        _ answer: ProbeAnswer, _ address: SocketAddress, _ trust: ProbeTrust
    ) throws(ProbeError) -> Bool {
        guard [403, 404, 405].contains(answer.status) else { return false }
        return [200, 405].contains(try network.probe(address, url.host, url.path, trust).status)
    }

    /// What the URL answers, and with which certificate.
    func answerChecks(_ addresses: [SocketAddress]) -> [CheckLine] {
        let trust: ProbeTrust = url.isHTTPS ? .verified(name: url.host) : .plainHTTP
        var failure = ProbeError.refused
        for address in addresses {
            do throws(ProbeError) {
                let answer = try network.probe(address, url.host, "/healthz", trust)
                var isReached = answer.status == 200
                if !isReached { isReached = try passesPathAlone(answer, address, trust) }
                let reached =
                    isReached
                    ? CheckLine(.ok, "reach", "\(url.host):\(url.port) answers from this machine")
                    : CheckLine(
                        .fail, "reach",
                        "\(url.host):\(url.port) answers status \(answer.status) to /healthz: "
                            + ((300..<400).contains(answer.status)
                                ? "the app follows no redirect" : "another program, or a proxy without this path"))
                return [reached] + (url.isHTTPS ? certificateChecks(answer) : [])
            } catch {
                failure = error
            }
        }
        return [CheckLine(.fail, "reach", "\(url.host):\(url.port) \(Self.reason(failure))")]
    }

    private static func reason(_ error: ProbeError) -> String {
        switch error {
        case .refused: "refuses connections: nothing listens there, or a firewall says no"
        case .timedOut: "doesn't answer in time: look at the firewall"
        case .system(let errno): "can't be reached: \(errno)"
        case .tls(let reason): "speaks no TLS that a phone accepts: \(reason)"
        case .notHTTP: "doesn't speak HTTP: perhaps TLS, use --https"
        }
    }

    /// What an iPhone thinks of the certificate.
    func certificateChecks(_ answer: ProbeAnswer) -> [CheckLine] {
        if let reason = answer.trustFailure {
            return [
                CheckLine(
                    .fail, "certificate",
                    "an iPhone refuses it: \(reason); it needs one of a public authority for \(url.host), "
                        + "sent with its intermediates")
            ]
        }
        guard let certificate = answer.certificate else {
            return [CheckLine(.fail, "certificate", "it can't be read")]
        }
        let nowSeconds = now.microseconds / 1_000_000
        let days = (certificate.notAfter - nowSeconds) / 86_400
        let text = "trusted for \(url.host), \(days) days left"
        if days < 14 { return [CheckLine(.warn, "certificate", "\(text): renew it")] }
        if (certificate.notAfter - certificate.notBefore) / 86_400 > 398 {
            return [CheckLine(.warn, "certificate", "\(text); an iPhone takes none that is valid for over 398 days")]
        }
        return [CheckLine(.ok, "certificate", text)]
    }
}
