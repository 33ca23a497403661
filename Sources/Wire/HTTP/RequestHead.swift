/// How a request's body is delimited (RFC 9112 section 6).
package enum BodyFraming: Equatable, Sendable {
    case none
    /// Content-Length in bytes; `Int.max` for a number that doesn't fit.
    case length(Int)
    case chunked
}

/// A request's head, checked: what it says about framing can be relied on.
package struct RequestHead: Sendable {
    /// A token in the sender's case, such as `POST`.
    package var method: String
    /// The request target as sent, query included.
    package var target: [UInt8]
    /// The path without its query, nothing decoded; `*` of OPTIONS; empty for CONNECT.
    package var path: [UInt8]
    /// 0 or 1: HTTP/1.x with a higher x is treated as 1.1.
    package var minorVersion: Int
    package var fields: Fields
    package var framing: BodyFraming
    /// The sender wants the connection to stay open.
    package var keepAlive: Bool
    /// The sender waits for 100 before it sends its body; only set where there is a body to wait for.
    package var expectsContinue: Bool
}
