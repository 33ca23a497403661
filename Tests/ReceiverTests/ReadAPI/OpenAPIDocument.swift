import Receiver
import TestSupport

/// `schemas/openapi.json`, and as much of JSON Schema as it uses.
struct OpenAPIDocument: Sendable {
    static let shared: OpenAPIDocument = {
        do {
            let text = String(decoding: try RepositoryRoot.contents(of: "schemas/openapi.json"), as: UTF8.self)
            guard let root = JSONValue(parsing: text) else { fatalError("schemas/openapi.json is no JSON") }
            return OpenAPIDocument(root: root)
        } catch {
            fatalError("schemas/openapi.json: \(error)")
        }
    }()

    let root: JSONValue

    /// Methods in lower case by path.
    var paths: [String: [String: JSONValue]] { (root["paths"]?.members ?? [:]).mapValues { $0.members ?? [:] } }

    func operation(_ method: String, _ path: String) -> JSONValue? { paths[path]?[method.lowercased()] }

    /// Of an answer with this status and media type; nil when the document has no such answer.
    func schema(_ method: String, _ path: String, status: Int, mediaType: String) -> JSONValue? {
        let response = operation(method, path)?["responses"]?["\(status)"]
        return response.map(resolved)?["content"]?[mediaType]?["schema"]
    }

    private func resolved(_ node: JSONValue) -> JSONValue {
        guard let reference = node["$ref"]?.text else { return node }
        return reference.dropFirst(2).split(separator: "/").reduce(root) { $0[String($1)] ?? .null }
    }

    // MARK: Checking

    private static let known: Set<String> = [
        "$ref", "type", "const", "enum", "oneOf", "anyOf", "properties", "required", "additionalProperties", "items",
        "prefixItems", "minItems", "maxItems", "minimum", "maximum", "description", "format", "pattern", "default",
    ]

    /// What of `value` is not as `schema` has it, each with its place; empty when all is.
    func faults(_ value: JSONValue, _ schema: JSONValue, at place: String = "$") -> [String] {
        let schema = resolved(schema)
        var found = Set((schema.members ?? ["?": .null]).keys).subtracting(Self.known).map {
            "\(place): the schema's \($0) is not known here"
        }
        let types = schema["type"]?.elements?.compactMap(\.text) ?? schema["type"]?.text.map { [$0] }
        if let types, !types.contains(where: { value.isOf($0) }) {
            return found + ["\(place): not \(types.joined(separator: " or "))"]
        }
        if let constant = schema["const"], constant != value { found.append("\(place): not \(constant)") }
        if let values = schema["enum"]?.elements, !values.contains(value) {
            found.append("\(place): none of the values")
        }
        for (name, wanted) in [("oneOf", 1...1), ("anyOf", 1...100)] {
            guard let schemas = schema[name]?.elements else { continue }
            let fitting = schemas.count { faults(value, $0, at: place).isEmpty }
            if !wanted.contains(fitting) { found.append("\(place): \(fitting) of \(name) fit") }
        }
        if schema["format"]?.text == "date-time", let text = value.text, !Self.isTime(text) {
            found.append("\(place): no time")
        }
        if case .number(let minimum)? = schema["minimum"], case .number(let number) = value, number < minimum {
            found.append("\(place): too small")
        }
        if let members = value.members { found += faults(members, schema, at: place) }
        if let elements = value.elements { found += faults(elements, schema, at: place) }
        return found
    }

    private func faults(_ members: [String: JSONValue], _ schema: JSONValue, at place: String) -> [String] {
        var found = (schema["required"]?.elements ?? []).compactMap(\.text).filter { members[$0] == nil }
            .map { "\(place): no \($0)" }
        for (name, member) in members {
            if let property = schema["properties"]?[name] {
                found += faults(member, property, at: "\(place).\(name)")
            } else if schema["additionalProperties"] == .bool(false) {
                found.append("\(place): an unexpected \(name)")
            }
        }
        return found
    }

    private func faults(_ elements: [JSONValue], _ schema: JSONValue, at place: String) -> [String] {
        var found: [String] = []
        if case .number(let least)? = schema["minItems"], Double(elements.count) < least {
            found.append("\(place): few")
        }
        if case .number(let most)? = schema["maxItems"], Double(elements.count) > most {
            found.append("\(place): many")
        }
        let first = schema["prefixItems"]?.elements ?? []
        for (index, element) in elements.enumerated() {
            guard let schema = index < first.count ? first[index] : schema["items"] else { continue }
            found += faults(element, schema, at: "\(place)[\(index)]")
        }
        return found
    }

    private static func isTime(_ text: String) -> Bool {
        text.wholeMatch(of: /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)/) != nil
    }
}

extension JSONValue {
    var members: [String: JSONValue]? { if case .object(let members) = self { members } else { nil } }
    var elements: [JSONValue]? { if case .array(let elements) = self { elements } else { nil } }
    var text: String? { if case .text(let text) = self { text } else { nil } }

    subscript(name: String) -> JSONValue? { members?[name] }

    /// Whether it is of JSON Schema's type.
    func isOf(_ type: String) -> Bool {
        switch (self, type) {
        case (.null, "null"), (.bool, "boolean"), (.number, "number"), (.text, "string"), (.array, "array"),
            (.object, "object"):
            true
        case (.number(let number), "integer"): number == number.rounded()
        default: false
        }
    }
}
