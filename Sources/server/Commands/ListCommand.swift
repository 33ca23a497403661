import Receiver
import Samples
import Signing

/// Lists the endpoints.
enum ListCommand: Subcommand {
    static let name = "list"
    static let summary = "list the endpoints, without their secrets"
    static let usage = ["list [options]"]
    static let flags: [Flag] = []
    static let examples = ["list"]

    static func run(_ arguments: ParsedArguments, context: CommandContext) throws(CommandFailure) -> ExitStatus {
        let configuration = try context.settings(arguments).configuration
        guard !configuration.endpoints.isEmpty else {
            context.say("There is no endpoint: add one with server add NAME.")
            return .success
        }
        var rows = [["NAME", "LABEL", "PERSON", "FORMAT", "AUTH", "SIGNED", "TIME ZONE", "PATH"]]
        for name in configuration.names {
            guard let endpoint = configuration.endpoints[name] else { continue }
            rows.append([
                name, endpoint.label, endpoint.person, endpoint.format.rawValue, endpoint.authText,
                endpoint.credentials.secrets.isEmpty ? "no" : "yes", endpoint.timeZone, "/hook/\(name)",
            ])
        }
        context.print(columns(rows))
        for name in configuration.names {
            if let until = configuration.endpoints[name]?.oldSecretsUntilSeconds, until >= context.nowSeconds {
                let time = utcText(Timestamp(microseconds: until &* 1_000_000))
                context.say("The old token and secret of \(name) work until \(time).")
            }
        }
        return .success
    }
}

extension Endpoint {
    /// For people: with the header's name.
    var authText: String { headerName.map { "\(authKind) \($0)" } ?? authKind }

    /// When the last of the secrets before a rotation ends; nil when there is none.
    var oldSecretsUntilSeconds: Int64? {
        (credentials.tokens + credentials.secrets).compactMap(\.untilSeconds).max()
    }
}

/// `rows` as a table, its columns two spaces apart; no spaces at the end of a line.
func columns(_ rows: [[String]]) -> String {
    let count = rows.map(\.count).max() ?? 0
    let widths = (0..<count).map { column in rows.map { column < $0.count ? $0[column].count : 0 }.max() ?? 0 }
    return rows.map { row in
        var line = ""
        for (column, cell) in row.enumerated() {
            line += cell
            if column + 1 < row.count { line += String(repeating: " ", count: widths[column] - cell.count + 2) }
        }
        return line + "\n"
    }.joined()
}
