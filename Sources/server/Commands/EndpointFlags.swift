import Receiver
import Samples
import Signing

/// The flags that describe an endpoint, of `init` and `add`.
enum EndpointFlags {
    static func flags(person: String) -> [Flag] {
        [
            Flag("name", "LABEL", "its name in the app; default NAME"),
            Flag("person", "P", "who the data is about; default \(person)"),
            Flag(
                "format", "F",
                "how the phone writes its data: native, hae, csv or influx\nfrom Syncky, puls, relay or steps from other apps; default\nnative"
            ),
            Flag("auth", "KIND", "bearer, basic, header or none: how the phone says who it is;\ndefault bearer"),
            Flag("user", "U", "user name, with --auth basic"),
            Flag("header", "H", "name of the header, with --auth header"),
            Flag("token", "T", "token, password or header value; - reads a line of standard\ninput; default a new one"),
            Flag(
                "hmac", "SECRET",
                "signing secret; - reads a line of standard input, after the\ntoken's; default a new one"),
            Flag("no-sign", nil, "take requests without a signature"),
            Flag("bind-user", "UUID", "with --format puls: take this user of PulsHealth alone"),
            Flag("time-zone", "ZONE", "time zone of its days, such as Europe/Berlin;\ndefault this machine's"),
        ]
    }

    /// The endpoint that the flags describe, with new secrets where none were given.
    static func endpoint(
        named name: String, defaultPerson: String, _ arguments: ParsedArguments, _ context: CommandContext
    ) throws(CommandFailure) -> Endpoint {
        do throws(SetupFault) {
            try SetupRules.checkEndpointName(name)
        } catch {
            throw CommandFailure(error)
        }
        let label = arguments.value("name") ?? name
        let person = arguments.value("person") ?? defaultPerson
        let format = try arguments.choice("format", of: Dialect.ofEndpoints.map(\.rawValue)) ?? Dialect.native.rawValue
        let timeZone = try timeZone(arguments, context)
        let auth = try auth(arguments)
        let boundUser = try boundUser(arguments, format: format)
        let isUnsigned = Dialect.unsigned.contains { $0.rawValue == format }
        if format == Dialect.puls.rawValue { try checkPuls(auth, arguments) }
        if isUnsigned, arguments.has("hmac") {
            throw .usage("Apps of the format \(format) can't sign what they send: leave --hmac out.")
        }
        let hasSignature = !isUnsigned && !arguments.has("no-sign")
        if !hasSignature, arguments.has("hmac") { throw .usage("--hmac and --no-sign exclude each other.") }

        let token = try context.secret(arguments, flag: "token", called: auth.secretName)
        let secret = try context.secret(arguments, flag: "hmac", called: "signing secret")
        do throws(SetupFault) {
            try SetupRules.checkLabel(label)
            try SetupRules.checkPerson(person)
            try auth.check(token: token)
            if let secret { try SetupRules.checkSecret(secret, called: "signing secret") }
        } catch {
            throw CommandFailure(error)
        }
        let tokens = auth.scheme == .none ? [] : [RotatingSecret(secret: Secret(text: token ?? SystemRandom.token()))]
        let secrets =
            hasSignature ? [RotatingSecret(secret: Secret(text: secret ?? SystemRandom.signingSecret()))] : []
        return Endpoint(
            name: name, label: label, person: person,
            credentials: EndpointCredentials(scheme: auth.scheme, tokens: tokens, secrets: secrets),
            headerName: auth.headerName, format: Dialect(rawValue: format) ?? .native, timeZone: timeZone,
            boundUser: boundUser)
    }

    /// What the person should know about a new endpoint.
    static func notes(on endpoint: Endpoint, _ context: CommandContext) {
        let isSigned = !endpoint.credentials.secrets.isEmpty
        if endpoint.credentials.scheme == .none, !isSigned {
            context.note(
                "server: Warning: without a token and a signature, anyone who knows the path can send data to "
                    + "/hook/\(endpoint.name).")
        }
        if endpoint.format == .hae, isSigned {
            context.note(
                "server: Syncky signs this format; the Health Auto Export app can't, and needs an endpoint made with "
                    + "--no-sign.")
        }
    }

    private static func timeZone(
        _ arguments: ParsedArguments, _ context: CommandContext
    ) throws(CommandFailure) -> String {
        guard let zone = arguments.value("time-zone") else {
            return TimeZoneName.system(timeZone: context.variable("TZ"))
        }
        guard TimeZoneName.exists(zone) else {
            throw .usage("There is no time zone \(printable(zone)) in \(TimeZoneName.databasePath).")
        }
        return zone
    }

    private static func auth(_ arguments: ParsedArguments) throws(CommandFailure) -> EndpointAuth {
        let kind = try arguments.choice("auth", of: ["bearer", "basic", "header", "none"]) ?? "bearer"
        if kind != "basic", arguments.has("user") { throw .usage("--user is for --auth basic only.") }
        if kind != "header", arguments.has("header") { throw .usage("--header is for --auth header only.") }
        switch kind {
        case "none":
            if arguments.has("token") { throw .usage("--auth none has no token.") }
            return EndpointAuth(scheme: .none, headerName: nil, secretName: "token")
        case "basic":
            guard let user = arguments.value("user") else { throw .usage("--auth basic needs --user NAME.") }
            return EndpointAuth(scheme: .basic(user: user), headerName: nil, secretName: "password")
        case "header":
            guard let name = arguments.value("header") else {
                throw .usage("--auth header needs --header NAME, for example X-Api-Key.")
            }
            return EndpointAuth(
                scheme: .header(name: name.lowercased()), headerName: name, secretName: "header's value")
        default: return EndpointAuth(scheme: .bearer, headerName: nil, secretName: "token")
        }
    }
}

/// Which credentials an endpoint asks for, before there are any.
struct EndpointAuth {
    let scheme: AuthScheme
    /// As it was written; nil but for `.header`.
    let headerName: String?
    /// What its secret is called.
    let secretName: String

    /// - Parameter token: as given; nil when one will be made.
    func check(token: String?) throws(SetupFault) {
        switch scheme {
        case .none: break
        case .bearer:
            if let token { try SetupRules.checkHeaderValue(token, called: secretName) }
        case .basic(let user):
            try SetupRules.checkUser(user)
            if let token { try SetupRules.checkSecret(token, called: secretName) }
        case .header:
            try SetupRules.checkHeaderName(headerName ?? "")
            if let token { try SetupRules.checkHeaderValue(token, called: secretName) }
        }
    }
}
