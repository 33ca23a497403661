import Insights
import Samples

/// Parameters that only these routes have.
extension APIRequest {
    /// `from` and `to`, either of them left out where that side is open; `from` not behind `to`.
    func range(of person: Person) throws(APIProblem) -> (from: Timestamp?, to: Timestamp?) {
        let from = try time("from", of: person), to = try time("to", of: person)
        if let from, let to, from > to {
            throw APIProblem.invalid("to", "The parameter to must not be before from.")
        }
        return (from, to)
    }

    /// The parameter's text; nil when it wasn't given.
    ///
    /// - Throws: 400 for one that is empty, which no name is.
    func filledText(_ name: String) throws(APIProblem) -> String? {
        guard let text = text(name) else { return nil }
        guard !text.isEmpty else { throw APIProblem.invalid(name, "The parameter \(name) must not be empty.") }
        return text
    }

    /// `APP`, or `@DEVICE`.
    func source() throws(APIProblem) -> SourceFilter? {
        guard let text = text("source") else { return nil }
        guard let source = SourceFilter(text) else {
            throw APIProblem.invalid("source", "The parameter source takes an app, or a device behind an @.")
        }
        return source
    }

    /// `cursor`, of `/samples`.
    func place() throws(APIProblem) -> SamplePlace? {
        guard let text = text("cursor") else { return nil }
        guard let place = SamplePlace(text: text) else { throw APIProblem.invalidCursor }
        return place
    }

    /// The field `Link` with this address and another cursor; none at the end. Source: RFC 8288.
    func link(toNext cursor: String?, parameter: String = "cursor") -> [(name: String, value: String)] {
        guard let cursor else { return [] }
        var parameters = query
        parameters[parameter] = cursor
        let pairs = parameters.sorted { $0.key < $1.key }.map { "\($0.key)=\(Self.escaped($0.value))" }
        // A reference to the same path: RFC 3986 section 5.2.2.
        return [("Link", "<?\(pairs.joined(separator: "&"))>; rel=\"next\"")]
    }

    /// All but the unreserved characters of RFC 3986 section 2.3 as `%XX`.
    static func escaped(_ text: String) -> String {
        var escaped: [UInt8] = []
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
                UInt8(ascii: "~"):
                escaped.append(byte)
            default:
                let digits = Array("0123456789ABCDEF".utf8)
                escaped += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
            }
        }
        return String(decoding: escaped, as: UTF8.self)
    }
}

extension APIProblem {
    /// A cursor that this question didn't give.
    static var invalidCursor: APIProblem {
        .invalid("cursor", "The parameter cursor takes what the answer before said as next, with all else as it was.")
    }

    static var tooManyBuckets: APIProblem {
        APIProblem(
            400, "too_many_buckets", "That is more than 10,000 buckets: ask for less time or larger ones.",
            parameter: "by")
    }
}
