import Receiver
import Samples
import Signing

extension CommandFailure {
    /// What became of `receiver.json`, as an exit status.
    init(_ error: ConfigurationError) {
        let status: ExitStatus =
            switch error.kind {
            case .notJSON, .invalid: .data
            case .exists, .unwritable: .cannotCreate
            case .missing, .unreadable, .busy: .inputOutput
            }
        self.init(status, sentence(error.message))
    }

    init(_ fault: SetupFault) { self = .usage(fault.message) }
}

/// `text` with a capital at its start and a full stop at its end. One that starts with a file's name keeps its start.
func sentence(_ text: String) -> String {
    let isFile = text.prefix { $0 != " " && $0 != ":" }.contains { $0 == "." || $0 == "/" }
    return (isFile ? text : text.prefix(1).uppercased() + text.dropFirst()) + (text.hasSuffix(".") ? "" : ".")
}

extension CommandContext {
    /// The settings as `serve` would use them without flags, and what is wrong with them.
    func settings(_ arguments: ParsedArguments) throws(CommandFailure) -> ConfigurationFile.Loaded {
        let file = ConfigurationFile(directory: try dataFolder(arguments))
        do throws(ConfigurationError) {
            let overrides = try SettingOverrides(environment: environment)
            var loaded = try file.load()
            loaded.configuration = try overrides.applied(to: loaded.configuration)
            return loaded
        } catch {
            throw CommandFailure(error)
        }
    }

    /// Changes `receiver.json`.
    func updateSettings<Result>(
        _ arguments: ParsedArguments, _ change: (inout Configuration) throws -> Result
    ) throws(CommandFailure) -> Result {
        let file = ConfigurationFile(directory: try dataFolder(arguments))
        do {
            return try file.update(change)
        } catch let failure as CommandFailure {
            throw failure
        } catch let error as ConfigurationError {
            throw CommandFailure(error)
        } catch {
            throw CommandFailure(.software, "The settings could not be changed.")
        }
    }

    /// ` --data DIR` where it was given, for command lines that a person will copy.
    func dataFlag(_ arguments: ParsedArguments) -> String {
        arguments.value("data").map { " --data \(shellWord($0))" } ?? ""
    }

    /// A value of `--token` or `--hmac`: the flag's own, or the next line of standard input for `-`.
    ///
    /// - Parameter name: what it is called in messages.
    func secret(_ arguments: ParsedArguments, flag: String, called name: String) throws(CommandFailure) -> String? {
        guard let value = arguments.value(flag) else { return nil }
        guard value == "-" else {
            note(
                "server: Others on this machine can see the \(name) on the command line; --\(flag) - reads it instead.")
            return value
        }
        guard let line = readLine() else {
            throw CommandFailure(.data, "Standard input ended before the \(name), which is one line of UTF-8.")
        }
        return line
    }

    var nowSeconds: Int64 { now().microseconds / 1_000_000 }
}

extension Configuration {
    /// The endpoint called `name`; when it is nil the only one, or `phone` among several.
    func endpoint(named name: String?) throws(CommandFailure) -> Endpoint {
        guard let name = name ?? (endpoints.count == 1 ? names.first : endpoints["phone"]?.name) else {
            guard !endpoints.isEmpty else { throw .usage("There is no endpoint: add one with server add NAME.") }
            throw .usage("There are several endpoints, so name one: \(names.joined(separator: ", ")).")
        }
        guard let endpoint = endpoints[name] else {
            let others = names.isEmpty ? "there is none" : "there is \(names.joined(separator: ", "))"
            throw .usage("There is no endpoint \(printable(name)); \(others).")
        }
        return endpoint
    }
}

/// `text` as one word of a shell's command line.
func shellWord(_ text: String) -> String {
    let plain = text.utf8.allSatisfy { byte in
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "/"), UInt8(ascii: "."), UInt8(ascii: "_"),
            UInt8(ascii: "-"), UInt8(ascii: ":"), UInt8(ascii: "@"), UInt8(ascii: "+"), UInt8(ascii: ","):
            true
        default: false
        }
    }
    if plain, !text.isEmpty { return text }
    return "'" + text.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "'\\''") + "'"
}
