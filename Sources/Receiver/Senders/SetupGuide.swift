import Samples
import Signing
import Wire

/// What a person sets in an app that no setup link fills in: for the page that a browser shows and for the command line.
///
/// `guides` is the one table of them.
package struct SetupGuide: Sendable {
    /// A field of the app, and what belongs there.
    package struct Setting: Equatable, Sendable {
        package var name: String
        package var value: String

        package init(_ name: String, _ value: String) {
            self.name = name
            self.value = value
        }
    }

    /// Who sends to such an endpoint, as a title.
    package var app: String
    /// Where in the app, as the beginning of a sentence that the settings end.
    package var task: String
    /// Behind the URL and the header.
    package var settings: [Setting]
    /// What else is good to know, a sentence each.
    package var notes: [String]

    private static let guides: [Dialect: SetupGuide] = [
        .hae: SetupGuide(
            app: "Health Auto Export",
            task: "In Health Auto Export, make a REST API automation with",
            settings: [Setting("Format", "JSON, export version 2, Batch Requests on")],
            notes: [
                "Health Data Relay sends the same with its template \u{201C}Metrics JSON v2\u{201D}: the same URL and header.",
                "Sending the same data again does no harm: what is known stays as it is.",
            ]),
        .puls: SetupGuide(
            app: "PulsHealth",
            task: "In PulsHealth, set its server to",
            settings: [],
            notes: [
                "A pairing link fills all of this in: server link on the server shows it as a QR code.",
                "Sending the same data again does no harm: what is known stays as it is.",
            ]),
        .relay: SetupGuide(
            app: "Health Relay, Health Data Relay",
            task: "In Health Relay or Health Data Relay, make an HTTP destination with",
            settings: [Setting("Method", "POST, JSON")],
            notes: [
                "Test sends an empty push: the answer says that it arrived, and nothing is stored.",
                "A day that is sent again takes the place of what was there for it.",
            ]),
        .steps: SetupGuide(
            app: "Daily steps",
            task: "In the app that sends your daily steps, set its server to",
            settings: [],
            notes: [
                "The app adds /v1/trainee/health/days to this address by itself.",
                "A day that is sent again takes the place of what was there for it.",
            ]),
    ]

    /// The guide for an endpoint; nil where a setup link does it, or where the endpoint asks for signatures, which none of
    /// these apps makes.
    package static func of(_ endpoint: Endpoint) -> SetupGuide? {
        endpoint.credentials.secrets.isEmpty ? guides[endpoint.format] : nil
    }

    /// The header that says who sends; nil where the endpoint asks for none. These apps can set a header, and no user.
    ///
    /// - Parameter secret: the endpoint's token, password or value.
    package static func header(of endpoint: Endpoint, secret: String) -> String? {
        guard let place = headerPlace(of: endpoint) else { return nil }
        if case .basic(let user) = endpoint.credentials.scheme, endpoint.format != .hae {
            return place.before + String(decoding: base64("\(user):\(secret)".utf8), as: UTF8.self)
        }
        return place.before + secret
    }

    /// What stands in the header before its secret, and what that is called.
    static func headerPlace(of endpoint: Endpoint) -> (before: String, secret: String)? {
        switch endpoint.credentials.scheme {
        case .none: nil
        case .bearer: ("Authorization: Bearer ", "token")
        case .basic where endpoint.format == .hae: ("api-key: ", "password")
        case .basic: ("Authorization: Basic ", "code")
        case .header(let name): ("\(endpoint.headerName ?? name): ", "value")
        }
    }

    /// What to type, in order.
    package func settings(url: String, header: String?) -> [Setting] {
        [Setting("URL", url)] + (header.map { [Setting("Header", $0)] } ?? []) + settings
    }

    /// The same as text, a line a setting.
    package func text(url: String, header: String?) -> String {
        let all = settings(url: url, header: header)
        let width = max(7, all.map(\.name.count).max() ?? 0)
        let lines = all.map { setting in
            "  \(setting.name)\(String(repeating: " ", count: width - setting.name.count))  \(setting.value)\n"
        }
        let warning = header == nil ? "" : "\nThe header is a secret: show it to nobody but the phone's owner.\n"
        return "\(task)\n\n" + lines.joined() + warning
    }
}
