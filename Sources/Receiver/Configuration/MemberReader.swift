/// Takes the members of one object out by name, so that what is left over is known to be a mistake.
struct MemberReader {
    /// Where the object stands, such as `endpoints.phone`; empty for the whole text.
    let path: String
    private(set) var remaining: [(name: String, value: JSONTree)]

    init(_ tree: JSONTree, path: String) throws(ConfigurationError) {
        guard case .object(let members) = tree else {
            throw invalid(path.isEmpty ? "the text must be an object" : "\(path) must be an object")
        }
        self.path = path
        remaining = members.map { ($0.name, $0.value) }
    }

    private func place(_ name: String) -> String { path.isEmpty ? name : "\(path).\(name)" }

    /// The member's value; nil when it is absent or null.
    mutating func take(_ name: String) -> JSONTree? {
        guard let index = remaining.firstIndex(where: { $0.name == name }) else { return nil }
        let value = remaining.remove(at: index).value
        return value == .null ? nil : value
    }

    mutating func optionalText(_ name: String) throws(ConfigurationError) -> String? {
        guard let value = take(name) else { return nil }
        guard case .text(let text) = value else { throw invalid("\(place(name)) must be a text in quotes") }
        return text
    }

    mutating func text(_ name: String) throws(ConfigurationError) -> String {
        guard let text = try optionalText(name) else { throw invalid("\(place(name)) is missing") }
        return text
    }

    mutating func optionalInteger(_ name: String, _ range: ClosedRange<Int>) throws(ConfigurationError) -> Int? {
        guard let value = take(name) else { return nil }
        guard case .integer(let wide) = value, let integer = Int(exactly: wide), range.contains(integer) else {
            let bounds =
                range.upperBound == Int.max ? "\(range.lowerBound) up" : "\(range.lowerBound) to \(range.upperBound)"
            throw invalid("\(place(name)) must be a whole number from \(bounds)")
        }
        return integer
    }

    mutating func integer(_ name: String, _ range: ClosedRange<Int>) throws(ConfigurationError) -> Int {
        guard let integer = try optionalInteger(name, range) else { throw invalid("\(place(name)) is missing") }
        return integer
    }

    mutating func optionalObject(_ name: String) throws(ConfigurationError) -> MemberReader? {
        guard let value = take(name) else { return nil }
        return try MemberReader(value, path: place(name))
    }

    mutating func optionalArray(_ name: String) throws(ConfigurationError) -> [JSONTree] {
        guard let value = take(name) else { return [] }
        guard case .array(let values) = value else { throw invalid("\(place(name)) must be an array") }
        return values
    }

    /// Throws when a member is left that nobody asked for.
    func finish() throws(ConfigurationError) {
        guard let unknown = remaining.first else { return }
        // What is shown is cut and plain, since it may be anything, a secret that lost its name included.
        let isName =
            unknown.name.utf8.count <= 64 && unknown.name.unicodeScalars.allSatisfy { (0x21...0x7E).contains($0.value) }
        let owner = path.isEmpty ? "the text" : path
        throw invalid(isName ? "\(owner) has no member called \(unknown.name)" : "\(owner) has an unknown member")
    }
}
