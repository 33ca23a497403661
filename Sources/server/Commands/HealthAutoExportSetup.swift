import Receiver
import Samples
import Signing

extension EndpointFlags {
    /// What to type into the Health Auto Export app for a new endpoint; nil unless that app can use it: the format is its
    /// own and nothing need be signed.
    ///
    /// - Parameter port: the receiver's own.
    static func healthAutoExportSetup(_ endpoint: Endpoint, port: Int, _ context: CommandContext) -> String? {
        guard endpoint.format == .hae, endpoint.credentials.secrets.isEmpty else { return nil }
        let label = context.hostName.split(separator: ".").first.map(String.init) ?? ""
        let host = label.isEmpty || label.lowercased() == "localhost" ? "THIS-MACHINE" : "\(label).local"
        let token = endpoint.credentials.tokens.first.flatMap { secretText($0.secret) }
        let header: String?
        switch (endpoint.credentials.scheme, token) {
        case (.none, _), (_, nil): header = nil
        case (.bearer, let token?): header = "Authorization: Bearer \(token)"
        case (.basic, let token?): header = "api-key: \(token)"
        case (.header(let name), let token?): header = "\(endpoint.headerName ?? name): \(token)"
        }
        let lines =
            ["URL      http://\(host):\(port)/hook/\(endpoint.name)"] + (header.map { ["Header   \($0)"] } ?? [])
            + ["Format   JSON, export version 2, Batch Requests on"]
        let warning = header == nil ? "" : "\nThe header is a secret: show it to nobody but the phone's owner.\n"
        return "In Health Auto Export, make a REST API automation with\n\n"
            + lines.map { "  \($0)\n" }.joined() + warning
    }
}
