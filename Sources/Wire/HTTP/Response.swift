/// An answer, before it is written out.
package struct Response: Sendable {
    package var status: Int
    /// Without Date, Content-Length and Connection, which `serialized` adds.
    package var fields: [(name: String, value: String)]
    package var body: [UInt8]

    package init(status: Int, fields: [(name: String, value: String)] = [], body: [UInt8] = []) {
        self.status = status
        self.fields = fields
        self.body = body
    }

    /// `json`, which must be a JSON text in UTF-8, with its media type.
    package static func json(status: Int, _ json: [UInt8]) -> Response {
        Response(status: status, fields: [("Content-Type", "application/json")], body: json)
    }

    /// The bytes to send.
    ///
    /// - Parameters:
    ///   - isHead: the request was HEAD: Content-Length tells the body's length, the body stays away.
    ///   - keepAlive: the connection stays open after this answer.
    ///   - minorVersion: the request's; HTTP/1.0 is told when the connection stays open.
    ///   - date: as `httpDate` makes it.
    package func serialized(isHead: Bool, keepAlive: Bool, minorVersion: Int, date: [UInt8]) -> [UInt8] {
        []
    }
}
