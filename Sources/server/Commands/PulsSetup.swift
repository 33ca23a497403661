import Receiver
import Samples
import Signing

extension EndpointFlags {
    /// PulsHealth sends a bearer token and can't sign: an endpoint for it asks for nothing else.
    static func checkPuls(_ auth: EndpointAuth, _ arguments: ParsedArguments) throws(CommandFailure) {
        guard case .bearer = auth.scheme else {
            throw .usage("PulsHealth sends a bearer token: --format puls goes with --auth bearer only.")
        }
    }

    /// How the phone takes the link.
    static func pairing(_ endpoint: Endpoint) -> String {
        endpoint.format == .puls
            ? "Scan the link's QR code with the phone's camera, which opens it in PulsHealth."
            : "Scan the link's QR code in the app: Settings › Connections › + › Paste a setup link."
    }

    /// The user of `--bind-user`, in lower case.
    static func boundUser(_ arguments: ParsedArguments, format: String) throws(CommandFailure) -> String? {
        guard let text = arguments.value("bind-user") else { return nil }
        guard format == Dialect.puls.rawValue else { throw .usage("--bind-user is for --format puls only.") }
        return try pulsUser(text, flag: "bind-user").text
    }

    static func pulsUser(_ text: String, flag: String) throws(CommandFailure) -> UUIDBits {
        guard let user = UUIDBits(text: text.utf8) else {
            throw .usage("--\(flag) takes a UUID such as \(PulsUser.standard.text).")
        }
        return user
    }
}

extension LinkCommand {
    /// The pairing link of an endpoint for PulsHealth.
    static func pulsLink(
        _ endpoint: Endpoint, _ url: PhoneURL, token: String, _ arguments: ParsedArguments
    ) throws(CommandFailure) -> String {
        for flag in ["scheme", "types"] where arguments.has(flag) {
            throw .usage("--\(flag) is for Syncky's links: \(endpoint.name) is for PulsHealth.")
        }
        let bound = endpoint.boundUser.flatMap { UUIDBits(text: $0.utf8) }
        let named = try arguments.value("user").map { (text) throws(CommandFailure) in
            try EndpointFlags.pulsUser(text, flag: "user")
        }
        if let bound, let named, bound != named {
            throw .usage("\(endpoint.name) is bound to the user \(bound.text), and takes no other.")
        }
        do throws(SetupFault) {
            return try PulsLink(url: url, token: token, user: named ?? bound ?? PulsUser.standard).encoded()
        } catch {
            throw CommandFailure(error)
        }
    }
}
