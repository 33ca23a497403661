import CZlib

/// Gives back the content of one file of a zip archive, piece by piece, and checks its length and checksum.
///
/// One byte in makes at most 1,032 out, in pieces of `pieceBytes`, so memory stays the same whatever the file claims.
/// `@safe`: zlib keeps a pointer to its state, which never moves and is freed with this object.
@safe package final class ZipExtractor {
    package static let pieceBytes = 256 << 10

    private let entry: ZipEntry
    private let stream: UnsafeMutablePointer<z_stream>?
    private var piece: [UInt8] = []
    private var checksum: UInt = 0
    private var made = 0
    private var isAtEnd = false

    package init(_ entry: ZipEntry) {
        self.entry = entry
        guard entry.method == 8 else {
            unsafe stream = nil
            return
        }
        let state = UnsafeMutablePointer<z_stream>.allocate(capacity: 1)
        unsafe state.initialize(to: z_stream())
        unsafe stream = state
        // Negative: deflate as it is, without a head or checksum of zlib's.
        let result = unsafe inflateInit2_(state, -15, ZLIB_VERSION, CInt(MemoryLayout<z_stream>.size))
        precondition(result == Z_OK, "zlib could not be set up: its memory or its version")
        piece = [UInt8](repeating: 0, count: Self.pieceBytes)
    }

    deinit {
        if let stream = unsafe stream {
            unsafe inflateEnd(stream)
            unsafe stream.deinitialize(count: 1)
            unsafe stream.deallocate()
        }
    }

    /// Takes some of the compressed data; hands what comes out to `output`, in order.
    ///
    /// - Throws: `ZipFault.data` or `.checksum`, or what `output` throws.
    package func extract(_ input: Span<UInt8>, _ output: (Span<UInt8>) throws -> Void) throws {
        guard let stream = unsafe stream else {
            try unsafe input.withUnsafeBufferPointer { try unsafe account($0) }
            return try output(input)
        }
        // What follows the end of the data is nobody's.
        if isAtEnd || input.isEmpty { return }
        try unsafe input.withUnsafeBufferPointer { input in
            unsafe stream.pointee.next_in = UnsafeMutablePointer(mutating: input.baseAddress)
            unsafe stream.pointee.avail_in = UInt32(clamping: input.count)
            defer {
                unsafe stream.pointee.next_in = nil
                unsafe stream.pointee.avail_in = 0
            }
            while true {
                let (result, count) = unsafe piece.withUnsafeMutableBufferPointer { piece in
                    unsafe stream.pointee.next_out = piece.baseAddress
                    unsafe stream.pointee.avail_out = UInt32(piece.count)
                    let result = unsafe inflate(stream, Z_NO_FLUSH)
                    return (result, unsafe piece.count - Int(stream.pointee.avail_out))
                }
                if count > 0 {
                    try account(piece, count)
                    try unsafe piece.withUnsafeBufferPointer { bytes in
                        try unsafe output(UnsafeBufferPointer(rebasing: bytes[..<count]).span)
                    }
                }
                switch result {
                case Z_STREAM_END:
                    isAtEnd = true
                    return
                case Z_OK, Z_BUF_ERROR:
                    if unsafe stream.pointee.avail_in == 0 && count < piece.count { return }
                    if result == Z_BUF_ERROR && count == 0 { throw ZipFault.data }
                default: throw ZipFault.data
                }
            }
        }
    }

    /// Says that all of the compressed data was given.
    package func finish() throws(ZipFault) {
        if entry.method == 8 && !isAtEnd { throw .data }
        guard made == entry.bytes, UInt32(truncatingIfNeeded: checksum) == entry.checksum else { throw .checksum }
    }

    private func account(_ piece: [UInt8], _ count: Int) throws(ZipFault) {
        try unsafe piece.withUnsafeBufferPointer { (bytes) throws(ZipFault) in
            try unsafe account(UnsafeBufferPointer(rebasing: bytes[..<count]))
        }
    }

    @unsafe private func account(_ bytes: UnsafeBufferPointer<UInt8>) throws(ZipFault) {
        // More than the directory says is not asked for, and might never end.
        guard bytes.count <= entry.bytes - made else { throw .checksum }
        made += bytes.count
        unsafe checksum = UInt(crc32_z(CUnsignedLong(checksum), bytes.baseAddress, bytes.count))
    }
}
