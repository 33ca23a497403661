package import Samples
package import Wire

extension Response {
    /// A refusal in the one shape that all of ours have.
    ///
    /// `{"error":{"code":"snake_case","message":"…","at":{"offset":N,"line":N,"path":"…"}}}`; `at` and its members only
    /// when known.
    package static func error(
        status: Int, code: String, message: String, offset: Int? = nil, line: Int? = nil, path: String? = nil,
        fields: [(name: String, value: String)] = []
    ) -> Response {
        var at: [String] = []
        if let offset { at.append("\"offset\":\(offset)") }
        if let line { at.append("\"line\":\(line)") }
        if let path { at.append("\"path\":\(LogValue.quoted(path))") }
        var body = "{\"error\":{\"code\":\(LogValue.quoted(code)),\"message\":\(LogValue.quoted(message))"
        if !at.isEmpty { body += ",\"at\":{\(at.joined(separator: ","))}" }
        body += "}}\n"
        // RFC 9110 section 15.5.2 wants a challenge. The same at every endpoint: a stranger learns no scheme from it.
        let challenge = status == 401 ? [(name: "WWW-Authenticate", value: "Bearer")] : []
        return Response(
            status: status, fields: [("Content-Type", "application/json")] + challenge + fields,
            body: Array(body.utf8))
    }

    package static func error(_ fault: HTTPFault, fields: [(name: String, value: String)] = []) -> Response {
        .error(
            status: fault.status, code: fault.code, message: fault.message, offset: fault.offset,
            fields: fault.status == 503 ? fields + [("Retry-After", "30")] : fields)
    }

    package static func error(_ fault: DecodeFault) -> Response {
        .error(
            status: 400, code: fault.code, message: fault.message, offset: fault.offset, line: fault.line,
            path: fault.path)
    }
}
