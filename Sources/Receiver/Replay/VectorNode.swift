/// A value in a file of vectors, and where it stands.
struct VectorNode {
    let tree: JSONTree
    /// Such as `cases[0].label`; empty for the whole file.
    let path: String

    /// That this value, or the member called `name` that it should have, is not what a vector has there.
    func fault(_ name: String? = nil) -> VectorReplay.LoadFailure {
        .otherShape(path: name.map { place($0) } ?? path)
    }

    private func place(_ name: String) -> String { path.isEmpty ? name : "\(path).\(name)" }

    /// A member that must be there.
    func value<Value: VectorValue>(_ name: String) throws(VectorReplay.LoadFailure) -> Value {
        guard let value: Value = try optional(name) else { throw fault(name) }
        return value
    }

    /// A member that may be absent or null.
    func optional<Value: VectorValue>(_ name: String) throws(VectorReplay.LoadFailure) -> Value? {
        guard case .object(let members) = tree else { throw fault() }
        guard let member = members.first(where: { $0.name == name }), member.value != .null else { return nil }
        return try Value(VectorNode(tree: member.value, path: place(name)))
    }
}

extension JSONTree {
    /// For vectors and what a server answers: numbers as they are spelt, and room for samples of the greatest depth.
    init(vectors bytes: [UInt8]) throws(JSONTreeError) {
        self = try JSONTreeParser.parse(bytes, keepsNumbers: true, maximumDepth: 128)
    }
}

/// What a file of vectors is made of.
protocol VectorValue {
    init(_ node: VectorNode) throws(VectorReplay.LoadFailure)
}

extension String: VectorValue {
    init(_ node: VectorNode) throws(VectorReplay.LoadFailure) {
        guard case .text(let text) = node.tree else { throw node.fault() }
        self = text
    }
}

extension Int64: VectorValue {
    init(_ node: VectorNode) throws(VectorReplay.LoadFailure) {
        guard case .number(let text) = node.tree, let number = Int64(text) else { throw node.fault() }
        self = number
    }
}

extension Int: VectorValue {
    init(_ node: VectorNode) throws(VectorReplay.LoadFailure) {
        guard let number = Int(exactly: try Int64(node)) else { throw node.fault() }
        self = number
    }
}

extension Array: VectorValue where Element: VectorValue {
    init(_ node: VectorNode) throws(VectorReplay.LoadFailure) {
        guard case .array(let values) = node.tree else { throw node.fault() }
        self = []
        for (index, value) in values.enumerated() {
            append(try Element(VectorNode(tree: value, path: "\(node.path)[\(index)]")))
        }
    }
}

extension [String: String]: VectorValue {
    init(_ node: VectorNode) throws(VectorReplay.LoadFailure) {
        guard case .object(let members) = node.tree else { throw node.fault() }
        self = [:]
        for member in members { self[member.name] = try node.value(member.name) as String }
    }
}
