package import Samples
package import Wire

/// Why a request is refused, before it has a shape: each sender's contract has its own.
package struct Refusal: Error, Sendable {
    package var status: Int
    /// Stable word for machines, in snake case.
    package var code: String
    /// One sentence for a person; no health value, no secret.
    package var message: String
    /// From 0, in bytes; nil when unknown.
    package var offset: Int?
    /// From 1; nil when unknown.
    package var line: Int?
    /// Such as `samples[3].start`; names only members that the contract knows.
    package var path: String?
    /// Header fields of the answer, such as Retry-After.
    package var fields: [(name: String, value: String)]

    package init(
        status: Int, code: String, message: String, offset: Int? = nil, line: Int? = nil, path: String? = nil,
        fields: [(name: String, value: String)] = []
    ) {
        self.status = status
        self.code = code
        self.message = message
        self.offset = offset
        self.line = line
        self.path = path
        self.fields = fields
    }

    package init(_ fault: HTTPFault) {
        self.init(
            status: fault.status, code: fault.code, message: fault.message, offset: fault.offset,
            fields: fault.status == 503 ? [("Retry-After", "30")] : [])
    }

    /// A body that makes no sense.
    package init(_ fault: DecodeFault) {
        self.init(
            status: fault.status, code: fault.code, message: fault.message, offset: fault.offset, line: fault.line,
            path: fault.path)
    }

    /// For apps that repeat after 429 and 5xx alone: a body that came too slowly may come in time on a better network.
    var withTimeoutAsBusy: Refusal {
        guard status == 408 else { return self }
        var copy = self
        copy.status = 503
        copy.fields.append(("Retry-After", "30"))
        return copy
    }

    /// The message and where: one sentence for senders whose answers have no place for more.
    package var sentence: String {
        var place: [String] = []
        if let path { place.append(path) }
        if let line { place.append("line \(line)") }
        if let offset { place.append("byte \(offset)") }
        return place.isEmpty ? message : "\(message) (\(place.joined(separator: ", ")))"
    }
}

extension Response {
    /// The shape that all of our own refusals have.
    package static func error(_ refusal: Refusal) -> Response {
        .error(
            status: refusal.status, code: refusal.code, message: refusal.message, offset: refusal.offset,
            line: refusal.line, path: refusal.path, fields: refusal.fields)
    }
}
