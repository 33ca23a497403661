/// A JSON text as a tree, for files that people edit: small, checked strictly, and with the place of a mistake.
///
/// Not for bodies of requests, which never become trees. Foundation has a decoder, but it takes trailing commas and
/// repeated members, and tells neither line nor column.
enum JSONTree: Equatable, Sendable {
    case null
    case bool(Bool)
    case integer(Int64)
    /// A number with a fraction, an exponent or too many digits; no setting wants one.
    case otherNumber
    /// A number in JSON's own spelling, to be written; parsing makes one on demand.
    case number(String)
    case text(String)
    case array([JSONTree])
    case object([Member])

    struct Member: Equatable, Sendable {
        var name: String
        var value: JSONTree
    }
}

extension JSONTree {
    /// Indented by two spaces, members in their order, with a line feed at the end.
    func written() -> String {
        var text = ""
        write(to: &text, indentation: "\n")
        return text + "\n"
    }

    private func write(to text: inout String, indentation: String) {
        let inner = indentation + "  "
        switch self {
        case .null, .otherNumber: text += "null"
        case .bool(let value): text += value ? "true" : "false"
        case .integer(let value): text += String(value)
        case .number(let value): text += value
        case .text(let value): text += Self.quoted(value)
        case .array(let values):
            text += "["
            for (index, value) in values.enumerated() {
                text += index == 0 ? inner : ",\(inner)"
                value.write(to: &text, indentation: inner)
            }
            text += values.isEmpty ? "]" : "\(indentation)]"
        case .object(let members):
            text += "{"
            for (index, member) in members.enumerated() {
                text += (index == 0 ? inner : ",\(inner)") + Self.quoted(member.name) + ": "
                member.value.write(to: &text, indentation: inner)
            }
            text += members.isEmpty ? "}" : "\(indentation)}"
        }
    }

    private static func quoted(_ value: String) -> String {
        var text = "\""
        for scalar in value.unicodeScalars {
            switch scalar {
            case "\"": text += "\\\""
            case "\\": text += "\\\\"
            case "\u{0}"..."\u{1F}", "\u{7F}":
                let digits = String(scalar.value, radix: 16)
                text += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            default: text.unicodeScalars.append(scalar)
            }
        }
        return text + "\""
    }
}
