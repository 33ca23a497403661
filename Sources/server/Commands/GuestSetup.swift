import Receiver
import Samples
import Signing

extension Endpoint {
    /// What to type into the app that sends to this endpoint; nil where a setup link does it, or where requests must be
    /// signed, which no app but Syncky does.
    ///
    /// - Parameter url: where the phone finds it.
    /// - Parameter secret: the token, password or header value; nil when the endpoint has none.
    func guestSetup(url: String, secret: String?) -> String? {
        guard format != .puls, let guide = SetupGuide.of(self) else { return nil }
        return guide.text(url: url, header: secret.flatMap { SetupGuide.header(of: self, secret: $0) })
    }

    /// The same for an endpoint that was just made, by this machine's own name.
    ///
    /// - Parameter port: the receiver's own.
    func guestSetup(port: Int, _ context: CommandContext) -> String? {
        let label = context.hostName.split(separator: ".").first.map(String.init) ?? ""
        let host = label.isEmpty || label.lowercased() == "localhost" ? "THIS-MACHINE" : "\(label).local"
        return guestSetup(
            url: "http://\(host):\(port)/hook/\(name)",
            secret: credentials.tokens.first.flatMap { secretText($0.secret) })
    }

    /// Whether its senders have no setup link of ours, so that a person types what they need.
    var isTypedByHand: Bool { format == .relay || format == .steps }
}
