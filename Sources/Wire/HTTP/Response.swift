/// An answer, before it is written out.
package struct Response: Sendable {
    package var status: Int
    /// Without Date, Content-Length and Connection, which `serialized` adds.
    package var fields: [(name: String, value: String)]
    package var body: [UInt8]

    /// The interim answer to `Expect: 100-continue`, whole.
    package static let continueBytes = Array("HTTP/1.1 100 Continue\r\n\r\n".utf8)

    package init(status: Int, fields: [(name: String, value: String)] = [], body: [UInt8] = []) {
        self.status = status
        self.fields = fields
        self.body = body
    }

    /// `json`, which must be a JSON text in UTF-8, with its media type.
    package static func json(status: Int, _ json: [UInt8]) -> Response {
        Response(status: status, fields: [("Content-Type", "application/json")], body: json)
    }

    /// Such as `Not Found`; empty for a status that nobody here uses.
    package static func reason(of status: Int) -> String { reasonPhrase(status) }

    /// The bytes to send.
    ///
    /// A control byte in a field's value is sent as a space: no value can begin a further field or answer.
    ///
    /// - Parameters:
    ///   - isHead: the request was HEAD: Content-Length tells the body's length, the body stays away.
    ///   - keepAlive: the connection stays open after this answer.
    ///   - minorVersion: the request's; HTTP/1.0 is told when the connection stays open.
    ///   - date: as `httpDate` makes it.
    ///   - isOpen: the body goes on behind `body` until the connection is closed (RFC 9112 section 6.3, rule 8), so that
    ///     there is no Content-Length; then `keepAlive` must be false.
    package func serialized(
        isHead: Bool, keepAlive: Bool, minorVersion: Int, date: [UInt8], isOpen: Bool = false
    ) -> [UInt8] {
        let mayHaveBody = status >= 200 && status != 204 && status != 304  // RFC 9110 section 8.6
        var text: [UInt8] = []
        text.reserveCapacity(256 + (mayHaveBody && !isHead ? body.count : 0))
        text += "HTTP/1.1 ".utf8
        text.append(decimal: status, digits: 3)
        text.append(UInt8(ascii: " "))
        text += reasonPhrase(status).utf8
        text += "\r\nDate: ".utf8
        text += date
        text += "\r\n".utf8
        for (name, value) in fields {
            text += name.utf8
            text += ": ".utf8
            text += value.utf8.lazy.map { $0 < 0x20 || $0 == 0x7F ? 0x20 : $0 }
            text += "\r\n".utf8
        }
        if mayHaveBody, !isOpen {
            text += "Content-Length: ".utf8
            text.append(decimal: body.count)
            text += "\r\n".utf8
        }
        if !keepAlive {
            text += "Connection: close\r\n".utf8
        } else if minorVersion == 0 {
            text += "Connection: keep-alive\r\n".utf8
        }
        text += "\r\n".utf8
        if mayHaveBody, !isHead { text += body }
        return text
    }
}

/// For people who read along; programs look at the number only. Source: RFC 9110 section 15, RFC 6585.
private func reasonPhrase(_ status: Int) -> String {
    switch status {
    case 100: "Continue"
    case 200: "OK"
    case 201: "Created"
    case 202: "Accepted"
    case 204: "No Content"
    case 206: "Partial Content"
    case 301: "Moved Permanently"
    case 302: "Found"
    case 303: "See Other"
    case 304: "Not Modified"
    case 400: "Bad Request"
    case 401: "Unauthorized"
    case 403: "Forbidden"
    case 404: "Not Found"
    case 405: "Method Not Allowed"
    case 406: "Not Acceptable"
    case 408: "Request Timeout"
    case 409: "Conflict"
    case 410: "Gone"
    case 411: "Length Required"
    case 412: "Precondition Failed"
    case 413: "Content Too Large"
    case 414: "URI Too Long"
    case 415: "Unsupported Media Type"
    case 416: "Range Not Satisfiable"
    case 417: "Expectation Failed"
    case 422: "Unprocessable Content"
    case 429: "Too Many Requests"
    case 431: "Request Header Fields Too Large"
    case 500: "Internal Server Error"
    case 501: "Not Implemented"
    case 503: "Service Unavailable"
    case 505: "HTTP Version Not Supported"
    case 507: "Insufficient Storage"
    default: ""
    }
}
