/// How much of a request's framing is read before it is refused. All in bytes but `fieldCount`.
package struct HTTPLimits: Sendable {
    /// The request line without its CRLF; past it 414.
    package var requestLineBytes = 8192
    /// All field lines with their CRLFs and the empty line that ends them; past it 431. The same for trailers.
    package var headerBlockBytes = 32768
    /// One field line without its CRLF; past it 431.
    package var fieldBytes = 16384
    /// Field lines of a head, or of a trailer section; past it 431.
    package var fieldCount = 100
    /// A chunk's size and extensions without their CRLF; past it 400.
    package var chunkLineBytes = 256

    /// What a head can take at most.
    package var headBytes: Int { requestLineBytes + headerBlockBytes }

    package init() {}
}
