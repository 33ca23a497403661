package import Wire

/// Why the API refuses, before it is written out as RFC 9457's `application/problem+json`.
package struct APIProblem: Error, Equatable, Sendable {
    package var status: Int
    /// Stable word for machines, in snake case. `docs/api.md` lists them.
    package var code: String
    /// One sentence for a person; no health value, no secret, nothing that the client sent but a name of ours.
    package var detail: String
    /// The parameter or member at fault; a name that the API knows, never what the client made up.
    package var parameter: String?
    /// Of a 405, what `Allow` says.
    package var allowed: [String] = []
    /// Of a 429 and 503, what `Retry-After` says.
    package var retryAfterSeconds: Int?

    package init(_ status: Int, _ code: String, _ detail: String, parameter: String? = nil) {
        self.status = status
        self.code = code
        self.detail = detail
        self.parameter = parameter
    }

    /// A value that can't be: 400 `parameter_invalid`.
    package static func invalid(_ parameter: String, _ detail: String) -> APIProblem {
        APIProblem(400, "parameter_invalid", detail, parameter: parameter)
    }

    /// 400 `parameter_missing`.
    package static func missing(_ parameter: String) -> APIProblem {
        APIProblem(400, "parameter_missing", "The parameter \(parameter) must be given.", parameter: parameter)
    }

    package static func notFound(_ detail: String = "There is nothing here.") -> APIProblem {
        APIProblem(404, "not_found", detail)
    }

    /// What the token's `--types` leave out.
    package static func typeForbidden(parameter: String? = nil) -> APIProblem {
        APIProblem(403, "type_forbidden", "This token is not for that type.", parameter: parameter)
    }

    /// A cursor from before a purge, or of another database.
    package static var cursorExpired: APIProblem {
        APIProblem(410, "cursor_expired", "That cursor leads nowhere any more: begin anew.")
    }

    package static var storageUnavailable: APIProblem {
        var problem = APIProblem(503, "storage_unavailable", "The data could not be read; ask again later.")
        problem.retryAfterSeconds = 30
        return problem
    }

    package init(_ fault: HTTPFault) {
        self.init(fault.status, fault.code, fault.message)
        if fault.status == 503 { retryAfterSeconds = 30 }
    }

    /// `{"type":"about:blank","title","status","code","detail","parameter"}`; the last only where there is one.
    var response: Response {
        var json = "{\"type\":\"about:blank\",\"title\":\(LogValue.quoted(Response.reason(of: status)))"
        json += ",\"status\":\(status),\"code\":\(LogValue.quoted(code)),\"detail\":\(LogValue.quoted(detail))"
        if let parameter { json += ",\"parameter\":\(LogValue.quoted(parameter))" }
        json += "}\n"
        var fields = [(name: "Content-Type", value: "application/problem+json"), ("Cache-Control", "no-store")]
        if status == 401 { fields.append(("WWW-Authenticate", "Bearer")) }  // RFC 9110 section 15.5.2
        if !allowed.isEmpty { fields.append(("Allow", allowed.joined(separator: ", "))) }
        if let retryAfterSeconds { fields.append(("Retry-After", String(retryAfterSeconds))) }
        return Response(status: status, fields: fields, body: Array(json.utf8))
    }
}
