/// What the fields of a head say about framing and the connection, gathered line by line.
struct HeadFacts: Sendable {
    let minorVersion: Int
    private var hasHost = false
    private var contentLength: Int?
    private var isChunked = false
    private var wantsClose = false
    private var wantsKeepAlive = false
    private var wantsContinue = false

    init(minorVersion: Int) { self.minorVersion = minorVersion }

    /// Takes note of a field that matters here, and refuses it where it is wrong.
    ///
    /// - Parameters:
    ///   - name: in lower case already.
    ///   - value: without white space around it.
    mutating func note(
        _ text: Span<UInt8>, name: Range<Int>, value: Range<Int>
    ) throws(HTTPFault) {
        switch name.count {
        case 4 where spells(text, name, "host"): try noteHost(text, value)
        case 6 where spells(text, name, "expect"): try noteExpect(text, value)
        case 10 where spells(text, name, "connection"): try noteConnection(text, value)
        case 14 where spells(text, name, "content-length"): try noteContentLength(text, value)
        case 17 where spells(text, name, "transfer-encoding"): try noteTransferEncoding(text, value)
        default: break
        }
    }

    private mutating func noteHost(_ text: Span<UInt8>, _ value: Range<Int>) throws(HTTPFault) {
        guard !hasHost else { throw .bad("host_repeated", "There is more than one Host field.", value.lowerBound) }
        hasHost = true
        guard isAuthority(text, value, needsPort: false) else {
            throw .bad("host_invalid", "The Host field is not a host with an optional port.", value.lowerBound)
        }
    }

    private mutating func noteContentLength(_ text: Span<UInt8>, _ value: Range<Int>) throws(HTTPFault) {
        guard contentLength == nil else {
            throw .bad("content_length_repeated", "There is more than one Content-Length field.", value.lowerBound)
        }
        guard !value.isEmpty else {
            throw .bad("content_length_invalid", "Content-Length must be digits only.", value.lowerBound)
        }
        var length = 0
        for index in value {
            guard isDigit(text[index]) else {
                throw .bad("content_length_invalid", "Content-Length must be digits only.", index)
            }
            let (tens, overflow) = length.multipliedReportingOverflow(by: 10)
            let (sum, overflowToo) = tens.addingReportingOverflow(Int(text[index] - UInt8(ascii: "0")))
            length = overflow || overflowToo ? Int.max : sum  // stays there: every further digit overflows again
        }
        contentLength = length
        try refuseConflict(value)
    }

    private mutating func noteTransferEncoding(_ text: Span<UInt8>, _ value: Range<Int>) throws(HTTPFault) {
        guard minorVersion > 0 else {
            throw .bad("transfer_encoding_in_http10", "HTTP/1.0 has no Transfer-Encoding.", value.lowerBound)
        }
        guard !isChunked else {
            throw .bad(
                "transfer_encoding_repeated", "There is more than one Transfer-Encoding field.", value.lowerBound)
        }
        guard spells(text, value, "chunked", ignoringCase: true) else {
            throw .bad("transfer_encoding_invalid", "Transfer-Encoding must be chunked.", value.lowerBound)
        }
        isChunked = true
        try refuseConflict(value)
    }

    /// A proxy may believe the one and this server the other: the classic way to smuggle a request.
    private func refuseConflict(_ value: Range<Int>) throws(HTTPFault) {
        guard contentLength == nil || !isChunked else {
            throw .bad(
                "framing_conflict", "Content-Length and Transfer-Encoding exclude each other.", value.lowerBound)
        }
    }

    private mutating func noteExpect(_ text: Span<UInt8>, _ value: Range<Int>) throws(HTTPFault) {
        guard minorVersion > 0 else { return }  // RFC 9110 section 10.1.1
        guard spells(text, value, "100-continue", ignoringCase: true) else {
            throw HTTPFault(
                status: 417, code: "expectation_failed", message: "The only expectation that is met is 100-continue.",
                offset: value.lowerBound)
        }
        wantsContinue = true
    }

    /// Reads `#connection-option`: tokens, commas, and white space and empty elements between them.
    private mutating func noteConnection(_ text: Span<UInt8>, _ value: Range<Int>) throws(HTTPFault) {
        var start = value.lowerBound
        while start < value.upperBound {
            var end = start
            while end < value.upperBound, text[end] != UInt8(ascii: ",") { end += 1 }
            let next = end + 1
            while start < end, text[start] == 0x20 || text[start] == 0x09 { start += 1 }
            while end > start, text[end - 1] == 0x20 || text[end - 1] == 0x09 { end -= 1 }
            for index in start..<end where !isTokenByte(text[index]) {
                throw .bad("connection_invalid", "The Connection field is not a list of words.", index)
            }
            wantsClose = wantsClose || spells(text, start..<end, "close", ignoringCase: true)
            wantsKeepAlive = wantsKeepAlive || spells(text, start..<end, "keep-alive", ignoringCase: true)
            start = next
        }
    }

    /// What can be told only at the head's end.
    func finish() throws(HTTPFault) -> (framing: BodyFraming, keepAlive: Bool, expectsContinue: Bool) {
        guard hasHost || minorVersion == 0 else { throw .bad("host_missing", "The request has no Host field.") }
        let framing: BodyFraming = isChunked ? .chunked : contentLength.map { .length($0) } ?? .none
        return (
            framing, !wantsClose && (minorVersion > 0 || wantsKeepAlive),
            wantsContinue && framing != .none && framing != .length(0)
        )
    }
}
