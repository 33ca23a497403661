/// Reads request heads as their bytes arrive: strict, in linear time, each line checked when its LF is there.
///
/// Sources: RFC 9112 sections 2, 3, 5 and 6; RFC 9110 sections 5, 7 and 10.1.1.
package struct RequestHeadParser: Sendable {
    private let limits: HTTPLimits
    private var section = FieldSection()
    private var requestLine: RequestLine?
    private var facts = HeadFacts(minorVersion: 1)
    private var hasSkippedEmptyLine = false
    private var fault: HTTPFault?

    package init(limits: HTTPLimits) { self.limits = limits }

    /// Bytes of a head have arrived and its end has not. The empty line that may precede it is not counted.
    package var hasBegun: Bool {
        requestLine != nil || section.lines.bytes[section.lines.lineStart...].contains { $0 != UInt8(ascii: "\r") }
    }

    /// Bytes of the head that is being read.
    package var heldBytes: Int { section.lines.bytes.count }

    /// The head that is being read, or was refused, asks with HEAD: its answer, too, has no body.
    package var isReadingHEAD: Bool {
        guard let requestLine else { return false }
        return spells(section.lines.bytes.span, requestLine.method, "HEAD")
    }

    /// Takes bytes up to the head's final CRLF and none behind it.
    ///
    /// - Returns: how many were taken, all of them as long as `head` is nil. With the head the parser is ready for
    ///   the connection's next request.
    /// - Throws: the fault, and the same one again at every later call. Its offset counts from the first byte of
    ///   the head, an empty line before it included.
    package mutating func consume(_ bytes: Span<UInt8>) throws(HTTPFault) -> (consumed: Int, head: RequestHead?) {
        if let fault { throw fault }
        var position = 0
        do throws(HTTPFault) {
            while position < bytes.count {
                guard requestLine != nil else {
                    try readRequestLine(bytes, &position)
                    continue
                }
                switch try section.next(bytes, at: &position, limits: limits) {
                case .incomplete: continue
                case .field(let place):
                    var noted = facts  // a copy: the span borrows all of self
                    try noted.note(section.lines.bytes.span, name: place.name, value: place.value)
                    facts = noted
                case .end: return (position, try takeHead())
                }
            }
        } catch {
            fault = error
            throw error
        }
        return (position, nil)
    }

    private mutating func readRequestLine(_ bytes: Span<UInt8>, _ position: inout Int) throws(HTTPFault) {
        let limit = LineGatherer.Limit(
            bytes: limits.requestLineBytes, status: 414, code: "request_line_too_long",
            message: "The request line is too long.")
        guard let line = try section.lines.next(bytes, at: &position, limit: limit) else { return }
        if line.isEmpty, !hasSkippedEmptyLine {
            hasSkippedEmptyLine = true  // RFC 9112 section 2.2: some clients send one behind a body
            return
        }
        let parsed = try parseRequestLine(section.lines.bytes.span, line)
        requestLine = parsed
        section.start = section.lines.lineStart
        facts = HeadFacts(minorVersion: parsed.minorVersion)
    }

    /// Builds the head and starts over.
    private mutating func takeHead() throws(HTTPFault) -> RequestHead? {
        guard let requestLine else { return nil }
        let (framing, keepAlive, expectsContinue) = try facts.finish()
        let fields = Fields(bytes: section.lines.bytes, places: section.places)
        section = FieldSection()
        self.requestLine = nil
        hasSkippedEmptyLine = false
        return RequestHead(
            method: String(decoding: fields.bytes[requestLine.method], as: UTF8.self),
            target: Array(fields.bytes[requestLine.target]),
            path: requestLine.path.map { Array(fields.bytes[$0]) } ?? [UInt8(ascii: "/")],
            minorVersion: requestLine.minorVersion, fields: fields, framing: framing, keepAlive: keepAlive,
            expectsContinue: expectsContinue)
    }
}
