import Receiver
import Samples
import Signing

/// Prints what the phone scans.
enum LinkCommand: Subcommand {
    static let name = "link"
    static let summary = "print the setup link and its QR code for the phone"
    static let usage = ["link [NAME] [options]"]
    static let details = """
        The link is the only line on standard output; on a terminal its QR code follows.
        It holds the token and the signing secret: show it to nobody but the phone's
        owner. In the app: Settings › Connections › + › Paste a setup link. An endpoint
        for PulsHealth has that app's pairing link.

        For apps that no link of ours fills in (the formats relay and steps, and hae
        without a signature) it says what to type there.
        """
    static let operands = Operands(names: ["NAME"])
    static let flags =
        URLFlags.flags + [
            Flag(
                "scheme", "S", "syncky, syncky-dev or syncky-staging: which build of the\napp opens it; default syncky"),
            Flag("user", "UUID", "of an endpoint for PulsHealth: whose data the phone sends"),
            Flag("types", "A,B", "send only these data types, such as heart_rate,steps"),
            Flag("qr", nil, "print the QR code also when it isn't a terminal"),
            Flag("png", "FILE", "write the QR code as a picture for this user alone"),
        ]
    static let examples = [
        "link",
        "link phone --host 192.168.1.20",
        "link --host health.example.org --https --port 443 --png link.png",
    ]

    static func run(_ arguments: ParsedArguments, context: CommandContext) throws(CommandFailure) -> ExitStatus {
        if arguments.has("qr"), arguments.has("png") { throw .usage("--qr and --png exclude each other.") }
        let schemes = SetupLink.Scheme.allCases.map(\.rawValue)
        let scheme = try arguments.choice("scheme", of: schemes).flatMap(SetupLink.Scheme.init(rawValue:)) ?? .syncky
        let configuration = try context.settings(arguments).configuration
            .asServed(folder: try context.dataFolder(arguments))
        let endpoint = try configuration.endpoint(named: arguments.operands.first)
        let url = try URLFlags.url(arguments, endpoint: endpoint.name, port: configuration.port, context)
        if endpoint.isTypedByHand {
            for flag in ["qr", "png", "types", "scheme", "user"] where arguments.has(flag) {
                throw .usage(
                    "There is no setup link for the format \(endpoint.format.rawValue), so --\(flag) has no use.")
            }
        }
        let setup = endpoint.guestSetup(url: url.text, secret: try secret(of: endpoint, context))
        if endpoint.isTypedByHand {
            guard let setup else {
                throw CommandFailure(
                    .data,
                    "\(endpoint.name) asks for signatures, which no app of the format \(endpoint.format.rawValue) makes: "
                        + "take its secrets out of receiver.json, or make another endpoint with server add.")
            }
            context.print(setup)
            return .success
        }
        let link: String
        if endpoint.format == .puls {
            let token = try newest(endpoint.credentials.tokens, endpoint, context)
            link = try pulsLink(endpoint, url, token: token, arguments)
        } else {
            if arguments.has("user") { throw .usage("--user is for endpoints of PulsHealth only.") }
            link = try setupLink(scheme, endpoint, url, arguments, context)
        }
        notes(url, endpoint, context)
        context.say(link)
        // The link is for Syncky, whose format this is as well; the app that it is named for takes no link.
        if let setup { context.note(setup) }
        if let path = arguments.value("png") { return try writePicture(of: link, to: path, context) }
        if arguments.has("qr") || context.isTerminal { draw(link, isAsked: arguments.has("qr"), context) }
        return .success
    }

    private static func setupLink(
        _ scheme: SetupLink.Scheme, _ endpoint: Endpoint, _ url: PhoneURL, _ arguments: ParsedArguments,
        _ context: CommandContext
    ) throws(CommandFailure) -> String {
        let types = arguments.value("types").map { list in
            list.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
        }
        let auth = try auth(endpoint, context), hmac = try signingSecret(endpoint, context)
        do throws(SetupFault) {
            return try SetupLink(
                scheme: scheme, name: endpoint.label, url: url, format: endpoint.format.rawValue,
                auth: auth, hmac: hmac, types: types ?? []
            ).encoded()
        } catch {
            throw CommandFailure(error)
        }
    }

    private static func notes(_ url: PhoneURL, _ endpoint: Endpoint, _ context: CommandContext) {
        if url.warns { context.note("server: The app will warn: \(AddressClass.warning)") }
        if url.addressClass == .loopback {
            context.note("server: On a phone \(url.host) is the phone itself; --host takes this machine's address.")
        }
        let credentials = endpoint.credentials
        if !credentials.tokens.isEmpty || !credentials.secrets.isEmpty {
            context.note("server: The link holds secrets: show it to nobody but the phone's owner.")
        }
    }

    private static func secret(of endpoint: Endpoint, _ context: CommandContext) throws(CommandFailure) -> String? {
        endpoint.credentials.scheme == .none ? nil : try newest(endpoint.credentials.tokens, endpoint, context)
    }

    private static func auth(_ endpoint: Endpoint, _ context: CommandContext) throws(CommandFailure) -> SetupLink.Auth {
        switch endpoint.credentials.scheme {
        case .none: return .none
        case .bearer: return .bearer(token: try newest(endpoint.credentials.tokens, endpoint, context))
        case .basic(let user):
            return .basic(user: user, password: try newest(endpoint.credentials.tokens, endpoint, context))
        case .header(let name):
            let value = try newest(endpoint.credentials.tokens, endpoint, context)
            return .header(name: endpoint.headerName ?? name, value: value)
        }
    }

    private static func signingSecret(_ endpoint: Endpoint, _ context: CommandContext) throws(CommandFailure) -> String?
    {
        let secrets = endpoint.credentials.secrets
        return secrets.isEmpty ? nil : try newest(secrets, endpoint, context)
    }

    /// The first that still works: the newest stands first.
    private static func newest(
        _ secrets: [RotatingSecret], _ endpoint: Endpoint, _ context: CommandContext
    ) throws(CommandFailure) -> String {
        guard let valid = secrets.first(where: { $0.isValid(nowSeconds: context.nowSeconds) }),
            let text = secretText(valid.secret)
        else {
            throw CommandFailure(
                .data, "No secret of \(endpoint.name) works any more: server rotate \(endpoint.name) makes new ones.")
        }
        return text
    }

    private static func draw(_ link: String, isAsked: Bool, _ context: CommandContext) {
        do throws(QRCodeError) {
            let code = try QRCode(encoding: link)
            if !isAsked, let columns = context.terminalColumns, columns < code.terminalColumns {
                context.note(
                    "server: The QR code is \(code.terminalColumns) columns wide and the terminal \(columns): "
                        + "make it wider, or use --png FILE.")
                return
            }
            context.print(code.terminalText())
        } catch {
            context.note("server: \(sentence(for: error))")
        }
    }

    private static func sentence(for error: QRCodeError) -> String {
        switch error {
        case .libraryMissing:
            "There is no QR code without its library: apt install libqrencode4, or paste the link."
        case .tooLong: "The link is too long for a QR code: paste it."
        }
    }

    private static func writePicture(
        of link: String, to path: String, _ context: CommandContext
    ) throws(CommandFailure) -> ExitStatus {
        let code: QRCode
        do throws(QRCodeError) {
            code = try QRCode(encoding: link)
        } catch {
            throw CommandFailure(error == .libraryMissing ? .unavailable : .data, sentence(for: error))
        }
        try writePrivateFile(code.pngBytes(), to: path)
        context.note("server: Wrote \(path), which holds the same secrets.")
        return .success
    }
}
