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

extension HTTPFault {
    static func bad(_ code: String, _ message: String, _ offset: Int? = nil) -> HTTPFault {
        HTTPFault(status: 400, code: code, message: message, offset: offset)
    }

    static func bareLF(_ offset: Int) -> HTTPFault { bad("bare_lf", "A line ends in LF without CR.", offset) }

    /// For CR, NUL and the other control bytes.
    static func control(_ byte: UInt8, _ offset: Int) -> HTTPFault {
        byte == UInt8(ascii: "\r")
            ? bad("bare_cr", "A CR is not followed by LF.", offset)
            : bad("control_byte", "The head contains a control byte.", offset)
    }

    static func bodyTooLarge(_ offset: Int? = nil) -> HTTPFault {
        HTTPFault(
            status: 413, code: "body_too_large", message: "The body is larger than this server accepts.",
            offset: offset)
    }
}
