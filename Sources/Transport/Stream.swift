import COpenSSL
import Glibc

/// Why a connection can't go on.
package enum StreamError: Error, Equatable, Sendable {
    /// A call failed, such as ECONNRESET by the peer.
    case system(Errno)
    /// TLS broke; OpenSSL's own word for it, which holds no bytes of the peer.
    case tls(String)
    /// The TLS stream ended without close_notify: what came before may have been cut short.
    case truncated
}

/// SSL_get_error looks at the error queue and at errno, where an older failure may still lie.
private func clearErrors() {
    ERR_clear_error()
    errno = 0
}

/// One connection, plain or TLS, that never blocks. Used by one thread at a time; it owns its socket.
///
/// `@safe`: the SSL object is made in init, freed in deinit and never handed out.
@safe package final class Stream {
    package enum Progress: Equatable, Sendable {
        /// Bytes read or written: at least one, or none where no room or nothing to write was given.
        case bytes(Int)
        /// The peer has sent all it will send.
        case endOfStream
        /// Call again when the descriptor is ready for this; TLS may have to write in order to read.
        case wouldBlock(Poller.Interest)
    }

    private let socket: FileDescriptor
    private let ssl: OpaquePointer?
    /// OpenSSL forbids SSL_shutdown after a fatal error.
    private var hasFailed = false

    package var descriptor: CInt { socket.rawValue }

    /// Takes over a non-blocking socket; with `tls` nothing else can be done before the handshake.
    package init(socket: consuming FileDescriptor, tls: TLSContext?) throws(StreamError) {
        let rawValue = socket.rawValue
        self.socket = socket
        guard let tls else {
            unsafe ssl = nil
            return
        }
        ERR_clear_error()
        // The SSL keeps the context alive, so a reload leaves running connections theirs.
        guard let created = unsafe SSL_new(tls.pointer) else {
            unsafe ssl = nil
            throw .tls(takeOpenSSLError()?.reason ?? "no memory")
        }
        unsafe ssl = created
        guard unsafe SSL_set_fd(created, rawValue) == 1 else {
            throw .tls(takeOpenSSLError()?.reason ?? "no memory")
        }
        unsafe SSL_set_accept_state(created)
    }

    deinit { unsafe SSL_free(ssl) }  // before the socket is closed; nothing for nil

    /// Goes on with the TLS handshake.
    ///
    /// - Returns: what to wait for before calling again; nil when done, for a plain connection at once.
    package func handshake() throws(StreamError) -> Poller.Interest? {
        guard let ssl = unsafe ssl else { return nil }
        clearErrors()
        let result = unsafe SSL_do_handshake(ssl)
        if result == 1 { return nil }
        switch try unsafe progress(ssl, result) {
        case .wouldBlock(let interest): return interest
        case .bytes, .endOfStream: throw .truncated
        }
    }

    /// Appends what has arrived, at most `buffer.freeCapacity` bytes and at most one TLS record.
    package func read(into buffer: inout OutputSpan<UInt8>) throws(StreamError) -> Progress {
        guard buffer.freeCapacity > 0 else { return .bytes(0) }
        guard let ssl = unsafe ssl else { return try readPlain(into: &buffer) }
        clearErrors()
        return try unsafe buffer.withUnsafeMutableBufferPointer { (all, count) throws(StreamError) -> Progress in
            let free = all.extracting(count...)
            var n = 0
            let result = unsafe SSL_read_ex(ssl, free.baseAddress, free.count, &n)
            guard result == 1 else { return try unsafe progress(ssl, result) }
            count += n
            return .bytes(n)
        }
    }

    private func readPlain(into buffer: inout OutputSpan<UInt8>) throws(StreamError) -> Progress {
        do throws(Errno) {
            switch try socket.read(into: &buffer) {
            case nil: return .wouldBlock(.readable)
            case 0?: return .endOfStream
            case let n?: return .bytes(n)
            }
        } catch {
            throw .system(error)
        }
    }

    /// Decrypted bytes wait inside OpenSSL, of which a level-triggered poller knows nothing: read again at once.
    package var hasBufferedInput: Bool {
        guard let ssl = unsafe ssl else { return false }
        return unsafe SSL_pending(ssl) > 0
    }

    /// Sends some of `bytes`, at most one TLS record.
    ///
    /// After `.wouldBlock` the next call must begin with the same bytes; there may be more of them, not fewer.
    package func write(_ bytes: Span<UInt8>) throws(StreamError) -> Progress {
        guard !bytes.isEmpty else { return .bytes(0) }
        guard let ssl = unsafe ssl else {
            do throws(Errno) {
                guard let n = try socket.write(bytes) else { return .wouldBlock(.writable) }
                return .bytes(n)
            } catch {
                throw .system(error)
            }
        }
        clearErrors()
        return try unsafe bytes.withUnsafeBufferPointer { (buffer) throws(StreamError) -> Progress in
            var n = 0
            let result = unsafe SSL_write_ex(ssl, buffer.baseAddress, buffer.count, &n)
            guard result == 1 else {
                let progress = try unsafe progress(ssl, result)
                // close_notify by the peer ends its direction only; a write that meets it is a broken connection.
                guard progress != .endOfStream else { throw .system(Errno(rawValue: EPIPE)) }
                return progress
            }
            return .bytes(n)
        }
    }

    /// Tells the peer that nothing more comes; reading goes on. Errors are ignored: the peer may be gone.
    package func shutdownWrite() {
        if let ssl = unsafe ssl, !hasFailed, unsafe SSL_is_init_finished(ssl) == 1 {
            ERR_clear_error()
            _ = unsafe SSL_shutdown(ssl)
            ERR_clear_error()
        }
        _ = Glibc.shutdown(socket.rawValue, CInt(SHUT_WR))
    }

    /// What a call that did not succeed means. Call it right after, before anything changes errno.
    private func progress(_ ssl: OpaquePointer, _ result: CInt) throws(StreamError) -> Progress {
        let systemError = Errno.current
        switch unsafe SSL_get_error(ssl, result) {
        case SSL_ERROR_WANT_READ: return .wouldBlock(.readable)
        case SSL_ERROR_WANT_WRITE: return .wouldBlock(.writable)
        case SSL_ERROR_ZERO_RETURN: return .endOfStream
        case SSL_ERROR_SYSCALL:
            hasFailed = true
            throw systemError.rawValue == 0 ? .truncated : .system(systemError)
        default:
            hasFailed = true
            guard let error = takeOpenSSLError() else { throw .tls("unknown error") }
            throw ERR_GET_REASON(error.code) == SSL_R_UNEXPECTED_EOF_WHILE_READING ? .truncated : .tls(error.reason)
        }
    }
}
