import Wire

/// How a body is wrapped: what the head says of it, before a byte of it is read.
///
/// Syncky sends its bodies plain. Health Auto Export and those who write like it may compress theirs, or upload it as a
/// form's file. Nothing is unwrapped before the signature was found right: that covers the bytes as they came.
struct BodyEncoding: Sendable, Equatable {
    /// What Content-Type promises.
    enum Media: Sendable, Equatable {
        /// The decoder will see.
        case any
        /// Nothing, or plain text: JSON when it starts like it.
        case unknown
        case form(boundary: [UInt8])
    }

    var isGzip = false
    var media = Media.any

    /// As it came is as it is.
    static let plain = BodyEncoding()

    var isWrapped: Bool { self != .plain }

    /// - Throws: 415 for what is not taken.
    init(_ fields: Fields, from sender: Sender) throws(HTTPFault) {
        for coding in fields.values("content-encoding") where !coding.isEmpty {
            if equalsIgnoringCase(coding, "identity") { continue }
            guard sender.sendsGzip else {
                throw Self.unsupported("encoding_unsupported", "Bodies must not be compressed here.")
            }
            guard !isGzip, equalsIgnoringCase(coding, "gzip") || equalsIgnoringCase(coding, "x-gzip") else {
                throw Self.unsupported("encoding_unsupported", "A body may be compressed once, with gzip.")
            }
            isGzip = true
        }
        if sender.checksMediaType { media = try Self.media(fields.values("content-type")) }
    }

    private init() {}

    private static func media(_ types: [ArraySlice<UInt8>]) throws(HTTPFault) -> Media {
        guard types.count <= 1 else { throw wrongMedia }
        guard let type = types.first, !type.isEmpty else { return .unknown }
        let name = trimmingBlanks(type.prefix { $0 != UInt8(ascii: ";") })
        if equalsIgnoringCase(name, "application/json") || equalsIgnoringCase(name, "text/json") { return .any }
        if equalsIgnoringCase(name, "text/plain") { return .unknown }
        guard equalsIgnoringCase(name, "multipart/form-data") else { throw wrongMedia }
        guard let boundary = multipartBoundary(type) else {
            throw HTTPFault(
                status: 400, code: "multipart_invalid", message: "The Content-Type has no right boundary.", offset: nil)
        }
        return .form(boundary: boundary)
    }

    /// The body itself, unwrapped.
    ///
    /// - Parameters:
    ///   - limitBytes: of what comes out of a compressed body; past it 413.
    ///   - spool: where it goes when it is large.
    /// - Throws: 400 or 415 when it is not what the head says, 413, 503 when there is no room for it.
    func unwrap(_ body: PaddedBytes, limitBytes: Int, spool: Spool) throws(HTTPFault) -> PaddedBytes {
        var body = body
        if isGzip { body = try inflate(body, limitBytes: limitBytes, spool: spool) }
        switch media {
        case .any: break
        case .unknown:
            if body.count > 0 && !body.looksLikeJSON(0..<body.count) { throw Self.wrongMedia }
        case .form(let boundary):
            if body.count > 0 { body = try file(in: body, boundary: boundary, spool: spool) }
        }
        return body
    }

    /// Takes off the compression. A bomb costs no memory, and no more disk than a body may have.
    private func inflate(_ body: PaddedBytes, limitBytes: Int, spool: Spool) throws(HTTPFault) -> PaddedBytes {
        let decoder = GzipDecoder()
        var whole = ArrivingBody(spool: spool)
        do {
            try body.forEachPiece { piece in
                try decoder.decode(piece) { bytes in
                    guard bytes.count <= limitBytes - whole.count else { throw HTTPFault.bodyTooLarge() }
                    whole.memory.append(copying: bytes)
                    try whole.settle()
                }
            }
            try decoder.finish()
            return try whole.take()
        } catch let fault as SpoolFault {
            throw fault.fault
        } catch let fault as HTTPFault {
            throw fault
        } catch {
            let message =
                switch error as? GzipFault {
                case .truncated: "The compressed body is cut short."
                case .trailing: "Something follows the compressed body."
                default: "The body is not what gzip writes."
                }
            throw HTTPFault(status: 400, code: "encoding_invalid", message: message, offset: nil)
        }
    }

    /// The one part of a form that looks like JSON.
    private func file(in body: PaddedBytes, boundary: [UInt8], spool: Spool) throws(HTTPFault) -> PaddedBytes {
        let parts: [Range<Int>]
        do throws(MultipartFault) {
            parts = try body.withContent { bytes throws(MultipartFault) in
                try multipartContents(bytes, boundary: boundary)
            }
        } catch {
            throw HTTPFault(
                status: 400, code: "multipart_invalid", message: "The form can't be taken apart.", offset: error.offset)
        }
        let files = parts.filter { body.looksLikeJSON($0) }
        guard files.count == 1 else { throw Self.wrongMedia }
        // Copied: behind a part stands a boundary, and behind a body must be padding.
        var whole = ArrivingBody(spool: spool)
        do throws(SpoolFault) {
            var start = files[0].lowerBound
            while start < files[0].upperBound {
                let end = min(files[0].upperBound, start + (256 << 10))
                body.withBytes(start..<end) { whole.memory.append(copying: $0) }
                try whole.settle()
                body.discard(before: end)
                start = end
            }
            return try whole.take()
        } catch { throw error.fault }
    }

    private static let wrongMedia = unsupported(
        "media_unsupported",
        "This endpoint takes JSON: set the automation's format to JSON, which is sent as application/json.")

    private static func unsupported(_ code: String, _ message: String) -> HTTPFault {
        HTTPFault(status: 415, code: code, message: message, offset: nil)
    }
}

extension PaddedBytes {
    /// Whether the first byte in `range` that isn't white space opens an object.
    fileprivate func looksLikeJSON(_ range: Range<Int>) -> Bool {
        var start = range.lowerBound
        while start < range.upperBound {
            let end = min(range.upperBound, start + (256 << 10))
            let first = withBytes(start..<end) { bytes -> UInt8? in
                for index in bytes.indices {
                    switch bytes[index] {
                    case 0x20, 0x09, 0x0A, 0x0D: continue
                    case let byte: return byte
                    }
                }
                return nil
            }
            if let first { return first == UInt8(ascii: "{") }
            discard(before: end)
            start = end
        }
        return false
    }
}
