/// A request that can't be read: the answer to give before the connection is closed.
///
/// Nothing behind a fault may be parsed as a further request.
package struct HTTPFault: Error, Equatable, Sendable {
    package var status: Int
    /// Stable word for machines, such as `bare_lf`. Never contains peer input.
    package var code: String
    /// One sentence for a person; no peer input.
    package var message: String
    /// Bytes from the start of the head or of the body; nil when no single byte is to blame.
    package var offset: Int?

    package init(status: Int, code: String, message: String, offset: Int? = nil) {
        self.status = status
        self.code = code
        self.message = message
        self.offset = offset
    }
}
