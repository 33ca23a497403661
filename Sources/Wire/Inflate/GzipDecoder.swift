import CZlib

/// Why a gzip stream was refused.
package enum GzipFault: Error, Equatable, Sendable {
    /// Its header, its data or its checksum is wrong.
    case invalid
    /// It ends before its end.
    case truncated
    /// Something else follows it.
    case trailing
}

/// Takes the gzip coding off a body, piece by piece. Source: RFC 1952; several members one after the other are one body.
///
/// One byte in makes at most 1,032 out, so whoever uses this must stop at a size of his own: `decode` hands out no more
/// than `pieceBytes` at a time, and stops when its reader throws.
/// `@safe`: zlib keeps a pointer to its state, which never moves and is freed with this object.
@safe package final class GzipDecoder {
    package static let pieceBytes = 64 << 10

    private let stream: UnsafeMutablePointer<z_stream>
    private var piece = [UInt8](repeating: 0, count: GzipDecoder.pieceBytes)
    private var isBetweenMembers = true
    private var hasMember = false

    package init() {
        unsafe stream = .allocate(capacity: 1)
        unsafe stream.initialize(to: z_stream())
        // 15 is the largest window, which a sender may use; 16 more: gzip's header and checksum and no other's.
        let result = unsafe inflateInit2_(stream, 15 + 16, ZLIB_VERSION, CInt(MemoryLayout<z_stream>.size))
        precondition(result == Z_OK, "zlib could not be set up: its memory or its version")
    }

    deinit {
        unsafe inflateEnd(stream)
        unsafe stream.deinitialize(count: 1)
        unsafe stream.deallocate()
    }

    /// Takes all of `input`; hands what comes out to `output`, in order.
    ///
    /// - Throws: `GzipFault.invalid` or `.trailing`, or what `output` throws; nothing can be decoded afterwards.
    package func decode(_ input: Span<UInt8>, _ output: (Span<UInt8>) throws -> Void) throws {
        var offset = 0
        while offset < input.count {
            if isBetweenMembers {
                guard !hasMember || input[offset] == 0x1F else { throw GzipFault.trailing }
                guard unsafe inflateReset(stream) == Z_OK else { throw GzipFault.invalid }
                isBetweenMembers = false
                hasMember = true
            }
            offset += try step(input.extracting(offset..<input.count), output)
        }
    }

    /// Says that nothing more comes.
    package func finish() throws(GzipFault) {
        guard isBetweenMembers && hasMember else { throw .truncated }
    }

    /// Decodes to the end of `input` or of the member; returns how many bytes it took.
    private func step(_ input: Span<UInt8>, _ output: (Span<UInt8>) throws -> Void) throws -> Int {
        // zlib counts in 32 bits.
        let given = min(input.count, 1 << 30)
        return try unsafe input.withUnsafeBufferPointer { input in
            unsafe stream.pointee.next_in = UnsafeMutablePointer(mutating: input.baseAddress)
            unsafe stream.pointee.avail_in = UInt32(given)
            defer {
                unsafe stream.pointee.next_in = nil
                unsafe stream.pointee.avail_in = 0
            }
            while true {
                let (result, made) = unsafe piece.withUnsafeMutableBufferPointer { piece in
                    unsafe stream.pointee.next_out = piece.baseAddress
                    unsafe stream.pointee.avail_out = UInt32(piece.count)
                    let result = unsafe inflate(stream, Z_NO_FLUSH)
                    return (result, unsafe piece.count - Int(stream.pointee.avail_out))
                }
                if made > 0 { try output(piece.span.extracting(0..<made)) }
                let left = unsafe Int(stream.pointee.avail_in)
                switch result {
                case Z_STREAM_END:
                    isBetweenMembers = true
                    return given - left
                case Z_OK, Z_BUF_ERROR:
                    // A full piece may have more behind it although all input is taken.
                    if left == 0 && made < piece.count { return given }
                    if result == Z_BUF_ERROR && made == 0 { throw GzipFault.invalid }
                default: throw GzipFault.invalid
                }
            }
        }
    }
}
