import Receiver
import Samples
import Signing

/// Gives an endpoint a new token and a new signing secret.
enum RotateCommand: Subcommand {
    static let name = "rotate"
    static let summary = "give an endpoint a new token and signing secret"
    static let usage = ["rotate NAME [options]"]
    static let details = """
        The old token and secret work for a while longer, so that nothing is lost until
        the phone has taken the new link. With --grace 0 they end at once, which is
        right after they were seen by somebody.
        """
    static let operands = Operands(names: ["NAME"], required: 1)
    static let flags = [
        Flag("grace", "TIME", "how long the old ones still work, such as 30m, 24h or 7d;\nat most 365d, default 24h"),
        Flag("token", "T", "new token, password or header value; - reads a line of\nstandard input; default a new one"),
        Flag(
            "hmac", "SECRET",
            "new signing secret; - reads a line of standard input, after\nthe token's; default a new one"),
    ]
    static let examples = ["rotate phone", "rotate phone --grace 0"]

    static func run(_ arguments: ParsedArguments, context: CommandContext) throws(CommandFailure) -> ExitStatus {
        let name = arguments.operands[0]
        let graceSeconds = try graceSeconds(arguments)
        let endpoint = try context.settings(arguments).configuration.endpoint(named: name)
        let hasToken = endpoint.credentials.scheme != .none, hasSecret = !endpoint.credentials.secrets.isEmpty
        guard hasToken || hasSecret else {
            throw .usage("The endpoint \(name) has neither a token nor a signing secret.")
        }
        if !hasToken, arguments.has("token") { throw .usage("The endpoint \(name) has no token.") }
        if !hasSecret, arguments.has("hmac") { throw .usage("The endpoint \(name) has no signing secret.") }
        let token = try context.secret(arguments, flag: "token", called: "token")
        let secret = try context.secret(arguments, flag: "hmac", called: "signing secret")
        try check(token: token, secret: secret, for: endpoint)
        let nowSeconds = context.nowSeconds
        try context.updateSettings(arguments) { configuration in
            var credentials = try configuration.endpoint(named: name).credentials
            if credentials.scheme != .none {
                credentials.tokens.rotate(
                    to: Secret(text: token ?? SystemRandom.token()), graceSeconds: graceSeconds, nowSeconds: nowSeconds)
            }
            if !credentials.secrets.isEmpty {
                credentials.secrets.rotate(
                    to: Secret(text: secret ?? SystemRandom.signingSecret()), graceSeconds: graceSeconds,
                    nowSeconds: nowSeconds)
            }
            guard max(credentials.tokens.count, credentials.secrets.count) <= ConfigurationRules.maximumRotatingSecrets
            else {
                throw CommandFailure(
                    .data,
                    "The endpoint \(name) has \(ConfigurationRules.maximumRotatingSecrets) old secrets that still "
                        + "work: take a shorter --grace.")
            }
            configuration.endpoints[name]?.credentials = credentials
        }
        report(name, graceSeconds: graceSeconds, arguments, context)
        return .success
    }

    private static func report(
        _ name: String, graceSeconds: Int64, _ arguments: ParsedArguments, _ context: CommandContext
    ) {
        let end = Timestamp(microseconds: (context.nowSeconds + graceSeconds) * 1_000_000)
        context.say(
            graceSeconds == 0
                ? "The endpoint \(name) has new secrets; the old ones don't work any more."
                : "The endpoint \(name) has new secrets; the old ones work until \(utcText(end)).")
        context.say("The phone must take the new link: server link \(name)\(context.dataFlag(arguments))")
    }

    private static func check(token: String?, secret: String?, for endpoint: Endpoint) throws(CommandFailure) {
        do throws(SetupFault) {
            if let secret { try SetupRules.checkSecret(secret, called: "signing secret") }
            guard let token else { return }
            if case .basic = endpoint.credentials.scheme {
                try SetupRules.checkSecret(token, called: "password")
            } else {
                try SetupRules.checkHeaderValue(token, called: "token")
            }
        } catch {
            throw CommandFailure(error)
        }
    }

    private static func graceSeconds(_ arguments: ParsedArguments) throws(CommandFailure) -> Int64 {
        guard let text = arguments.value("grace") else { return 86_400 }
        guard let seconds = parseSpan(text), seconds <= 365 * 86_400 else {
            throw .usage("--grace takes a time from 0 to 365d, such as 30m, 24h or 7d.")
        }
        return Int64(seconds)
    }
}

/// Seconds of a span such as `90s`, `30m`, `24h`, `7d` or `0`; nil for other text.
func parseSpan(_ text: String) -> Int? {
    if text == "0" { return 0 }
    let units: [Character: Int] = ["s": 1, "m": 60, "h": 3_600, "d": 86_400]
    guard let last = text.last, let unit = units[last], let count = parseDigits(String(text.dropLast())) else {
        return nil
    }
    let (seconds, overflows) = count.multipliedReportingOverflow(by: unit)
    return overflows ? nil : seconds
}
