import Receiver
import Samples

/// `--catalog` of every command that uses the catalog.
let catalogFlag = Flag(
    "catalog", "DIR", "read types.json and units.json from here instead of those built in (or SYNCKY_CATALOG)")

extension CommandContext {
    /// The catalog of `--catalog`, else of `SYNCKY_CATALOG`, else the one that is built in.
    func catalog(_ arguments: ParsedArguments) throws(CommandFailure) -> Catalog {
        guard let folder = arguments.value("catalog") ?? variable("SYNCKY_CATALOG") else { return .builtIn }
        guard !folder.isEmpty else { throw .usage("--catalog is empty.") }
        do throws(ConfigurationError) { return try Catalog.read(folder: folder) } catch { throw CommandFailure(error) }
    }
}

extension Catalog {
    /// ` (did you mean TYPE?)` for a name that the catalog doesn't have as a type's own; empty when nothing is close.
    func guess(_ name: String) -> String {
        if let type = type(named: name.utf8), type.name != name { return " (did you mean \(type.name)?)" }
        let end = suggestion(for: name, among: types.map(\.name))
        return end == "." ? "" : " (" + end.dropFirst(2) + ")"
    }
}
