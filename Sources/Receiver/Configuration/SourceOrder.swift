package import Insights

/// The member `sources` of `receiver.json`: whose samples count first where several sources recorded the same moment.
///
/// Shape: `{"PERSON":[{"app","device"}…]}`, the first counts first; `app` or `device` may be absent, not both.
package struct SourceOrder: Sendable, Equatable {
    /// More than anybody has.
    package static let maximumSources = 256
    /// As long as a text in a column can be.
    private static let maximumTextBytes = 1_024

    /// By person; nobody has an empty one.
    package var persons: [String: [SourceName]] = [:]

    package init() {}

    init(members: MemberReader) throws(ConfigurationError) {
        for (person, value) in members.remaining {
            guard ConfigurationRules.isLabel(person) else {
                throw invalid("each name in \(members.path) must be 1 to 64 characters without control characters")
            }
            let path = "\(members.path).\(person)"
            guard case .array(let values) = value else { throw invalid("\(path) must be an array") }
            var sources: [SourceName] = []
            for (index, value) in values.enumerated() {
                var members = try MemberReader(value, path: "\(path)[\(index)]")
                sources.append(
                    SourceName(app: try members.optionalText("app"), device: try members.optionalText("device")))
                try members.finish()
            }
            if !sources.isEmpty { persons[person] = sources }
        }
    }

    /// Persons by name.
    var tree: JSONTree {
        let names = persons.keys.sorted { Array($0.utf8).lexicographicallyPrecedes($1.utf8) }
        return .object(
            names.map { name in
                .init(name: name, value: .array((persons[name] ?? []).map(Self.tree)))
            })
    }

    private static func tree(_ source: SourceName) -> JSONTree {
        var members: [JSONTree.Member] = []
        if let app = source.app { members.append(.init(name: "app", value: .text(app))) }
        if let device = source.device { members.append(.init(name: "device", value: .text(device))) }
        return .object(members)
    }

    /// Throws for the first value that breaks a rule, naming its member.
    func check() throws(ConfigurationError) {
        for person in persons.keys.sorted() {
            guard ConfigurationRules.isLabel(person) else {
                throw invalid("each name in sources must be 1 to 64 characters without control characters")
            }
            let sources = persons[person] ?? [], path = "sources.\(person)"
            guard sources.count <= Self.maximumSources else {
                throw invalid("\(path) must hold at most \(Self.maximumSources)")
            }
            for (index, source) in sources.enumerated() {
                let texts = [source.app, source.device].compactMap { $0 }
                guard !texts.isEmpty else { throw invalid("\(path)[\(index)] must have an app or a device") }
                guard texts.allSatisfy({ 1...Self.maximumTextBytes ~= $0.utf8.count && !$0.utf8.contains(0) }) else {
                    throw invalid("\(path)[\(index)] must hold texts of 1 to \(Self.maximumTextBytes) bytes")
                }
                guard !sources[..<index].contains(source) else {
                    throw invalid("\(path)[\(index)] must not be there twice")
                }
            }
        }
    }
}
