import Receiver

/// What `write` asks the catalog.
struct WriteCatalog {
    func facts(_ type: String) -> TypeFacts? { nil }
    func guess(_ type: String) -> String { "" }
}

extension CommandContext {
    func catalog(_ arguments: ParsedArguments) throws(CommandFailure) -> WriteCatalog { WriteCatalog() }
}
