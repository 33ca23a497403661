import Receiver

/// The flags that make the URL which a phone posts to, of `link` and `check`.
enum URLFlags {
    static let flags = [
        Flag("host", "HOST", "name or address that the phone uses; default this machine's\nname and .local"),
        Flag("port", "P", "port that the phone uses; default the one that is served"),
        Flag("https", nil, "https:// instead of http://"),
        Flag("path", "P", "path that the phone uses; default /hook/NAME"),
    ]

    /// - Parameter endpoint: its NAME.
    /// - Parameter port: the receiver's own.
    static func url(
        _ arguments: ParsedArguments, endpoint: String, port: Int, _ context: CommandContext
    ) throws(CommandFailure) -> PhoneURL {
        let host = if let given = arguments.value("host") { given } else { try localName(context) }
        let port = try arguments.integer("port", in: 1...65_535) ?? port
        do throws(SetupFault) {
            return try PhoneURL(
                isHTTPS: arguments.has("https"), host: host, port: port,
                path: arguments.value("path") ?? "/hook/\(endpoint)")
        } catch {
            throw CommandFailure(error)
        }
    }

    /// `NAME.local`, under which Bonjour announces this machine.
    private static func localName(_ context: CommandContext) throws(CommandFailure) -> String {
        let label = context.hostName.split(separator: ".").first.map(String.init) ?? ""
        guard !label.isEmpty, label.lowercased() != "localhost",
            (try? PhoneURL(isHTTPS: false, host: label + ".local", port: 80, path: "/")) != nil
        else { throw .usage("This machine has no name that a phone could use: say --host NAME-OR-ADDRESS.") }
        return label + ".local"
    }
}
