import COpenSSL
import Glibc
package import Transport

/// What went wrong on the client's side of a test connection.
package enum ClientError: Error, Equatable {
    case system(Errno)
    /// OpenSSL's word, such as "tlsv1 alert protocol version".
    case tls(String)
    /// Nothing happened for `LoopbackClient.patienceMilliseconds`.
    case timedOut
}

/// How a test client speaks TLS. The server's certificate is not checked: tests make their own.
package struct ClientTLS: Sendable {
    package var minimumVersion = TLS1_2_VERSION
    package var maximumVersion = TLS1_3_VERSION
    /// For TLS 1.2, in OpenSSL's words.
    package var ciphers: String?
    /// Protocols offered by ALPN; none: the extension is not sent.
    package var protocols: [String] = []

    package init() {}
}

/// A client on 127.0.0.1 or ::1 that does one thing after the other.
///
/// A test that serves on its own thread passes `whileWaiting`, which is called whenever the client would block.
package final class LoopbackClient {
    /// Only reached when something is broken.
    package static let patienceMilliseconds: Int32 = 5000

    private var descriptor: CInt
    private var context: OpaquePointer?
    private var ssl: OpaquePointer?
    private let whileWaiting: (() throws -> Void)?

    /// Connects, and with `tls` shakes hands.
    package init(
        port: UInt16, host: String = "127.0.0.1", tls: ClientTLS? = nil, whileWaiting: (() throws -> Void)? = nil
    ) throws {
        self.whileWaiting = whileWaiting
        descriptor = try connectedSocket(host: host, port: port)
        if let tls { try startTLS(tls) }
    }

    deinit { close() }

    private func startTLS(_ tls: ClientTLS) throws {
        ERR_clear_error()
        context = SSL_CTX_new(TLS_client_method())
        SSL_CTX_set_security_level(context, 0)  // so that what the server must refuse can be offered
        ssl = SSL_new(context)
        SSL_set_fd(ssl, descriptor)
        SSL_set_connect_state(ssl)
        SSL_ctrl(ssl, SSL_CTRL_SET_MIN_PROTO_VERSION, CLong(tls.minimumVersion), nil)
        SSL_ctrl(ssl, SSL_CTRL_SET_MAX_PROTO_VERSION, CLong(tls.maximumVersion), nil)
        if let ciphers = tls.ciphers, SSL_set_cipher_list(ssl, ciphers) != 1 { throw tlsError() }
        let offered = tls.protocols.flatMap { [UInt8($0.utf8.count)] + Array($0.utf8) }
        if !offered.isEmpty { SSL_set_alpn_protos(ssl, offered, UInt32(offered.count)) }
        while true {
            let result = SSL_do_handshake(ssl)
            if result == 1 { return }
            guard try wait(afterTLS: result) else { throw ClientError.tls("ended during the handshake") }
        }
    }

    /// The version and cipher agreed on, such as `TLSv1.3` and `TLS_AES_128_GCM_SHA256`.
    package var agreement: (version: String, cipher: String) {
        (String(cString: SSL_get_version(ssl)), String(cString: SSL_CIPHER_get_name(SSL_get_current_cipher(ssl))))
    }

    /// The protocol that ALPN chose; nil for none.
    package var chosenProtocol: String? {
        var name: UnsafePointer<UInt8>?
        var length: UInt32 = 0
        SSL_get0_alpn_selected(ssl, &name, &length)
        guard let name, length > 0 else { return nil }
        return String(decoding: UnsafeBufferPointer(start: name, count: Int(length)), as: UTF8.self)
    }

    /// The server gave a ticket or an id to resume the session with.
    package var canResume: Bool { SSL_SESSION_is_resumable(SSL_get_session(ssl)) == 1 }

    /// Asks for a new handshake on a TLS 1.2 connection.
    package func renegotiate() throws {
        SSL_renegotiate(ssl)
        ERR_clear_error()
        while true {
            let result = SSL_do_handshake(ssl)
            // It returns when the request is sent; the answer is met by the next read.
            if result == 1 { break }
            guard try wait(afterTLS: result) else { throw ClientError.tls("ended during the handshake") }
        }
    }

    /// Sends so many key updates of TLS 1.3, records without data.
    package func updateKeys(count: Int) throws {
        for _ in 0..<count {
            SSL_key_update(ssl, SSL_KEY_UPDATE_NOT_REQUESTED)
            ERR_clear_error()
            while true {
                let result = SSL_do_handshake(ssl)
                if result == 1 { break }
                guard try wait(afterTLS: result) else { throw ClientError.tls("ended during a key update") }
            }
        }
    }

    package func send(_ text: String) throws { try send(Array(text.utf8)) }

    /// Sends all of `bytes`.
    package func send(_ bytes: [UInt8]) throws {
        var rest = bytes[...]
        while !rest.isEmpty {
            let sent = try rest.withUnsafeBytes { try sendSome($0) }
            rest = rest.dropFirst(sent)
        }
    }

    /// Sends bytes past TLS, as someone on the way could.
    package func sendUnencrypted(_ bytes: [UInt8]) throws {
        guard Glibc.send(descriptor, bytes, bytes.count, CInt(MSG_NOSIGNAL)) == bytes.count else {
            throw ClientError.system(.current)
        }
    }

    private func sendSome(_ bytes: UnsafeRawBufferPointer) throws -> Int {
        while true {
            if ssl != nil {
                ERR_clear_error()
                let result = SSL_write(ssl, bytes.baseAddress, CInt(min(bytes.count, 1 << 14)))
                if result > 0 { return Int(result) }
                guard try wait(afterTLS: result) else { throw ClientError.system(Errno(rawValue: EPIPE)) }
            } else {
                let result = Glibc.send(descriptor, bytes.baseAddress, bytes.count, CInt(MSG_NOSIGNAL))
                if result >= 0 { return result }
                try wait(for: POLLOUT, after: Errno.current)
            }
        }
    }

    /// What has arrived, at least one byte; empty at the end of the stream.
    package func receive() throws -> [UInt8] {
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            if ssl != nil {
                ERR_clear_error()
                let result = SSL_read(ssl, &buffer, CInt(buffer.count))
                if result > 0 { return Array(buffer.prefix(Int(result))) }
                guard try wait(afterTLS: result) else { return [] }
            } else {
                let result = recv(descriptor, &buffer, buffer.count, 0)
                if result >= 0 { return Array(buffer.prefix(result)) }
                try wait(for: POLLIN, after: Errno.current)
            }
        }
    }

    /// Receives until `isEnough` or the end of the stream.
    package func receive(until isEnough: ([UInt8]) -> Bool) throws -> [UInt8] {
        var all: [UInt8] = []
        while !isEnough(all) {
            let some = try receive()
            if some.isEmpty { break }
            all += some
        }
        return all
    }

    /// Everything up to the end of the stream.
    package func receiveAll() throws -> [UInt8] { try receive { _ in false } }

    /// Sends FIN, with TLS after close_notify unless `cutShort`.
    package func closeWrite(cutShort: Bool = false) {
        if ssl != nil, !cutShort { SSL_shutdown(ssl) }
        shutdown(descriptor, CInt(SHUT_WR))
    }

    /// Closes with RST instead of FIN.
    package func reset() {
        var linger = linger(l_onoff: 1, l_linger: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &linger, socklen_t(MemoryLayout<linger>.size))
        close()
    }

    package func close() {
        SSL_free(ssl)
        SSL_CTX_free(context)
        ssl = nil
        context = nil
        if descriptor >= 0 { _ = Glibc.close(descriptor) }
        descriptor = -1
    }

    /// Waits for what TLS needs; false at the end of the stream.
    private func wait(afterTLS result: CInt) throws -> Bool {
        let error = Errno.current
        switch SSL_get_error(ssl, result) {
        case SSL_ERROR_WANT_READ: try wait(for: POLLIN)
        case SSL_ERROR_WANT_WRITE: try wait(for: POLLOUT)
        case SSL_ERROR_ZERO_RETURN: return false
        case SSL_ERROR_SYSCALL: throw ClientError.system(error)
        default: throw tlsError()
        }
        return true
    }

    private func wait(for event: CInt, after error: Errno) throws {
        guard error.rawValue == EAGAIN else { throw ClientError.system(error) }
        try wait(for: event)
    }

    private func wait(for event: CInt) throws {
        var interest = pollfd(fd: descriptor, events: Int16(event), revents: 0)
        if let whileWaiting {
            // The server runs here, on this thread: a bounded number of turns instead of a time.
            for _ in 0..<Self.patienceMilliseconds {
                try whileWaiting()
                if poll(&interest, 1, 1) > 0 { return }
            }
            throw ClientError.timedOut
        }
        guard poll(&interest, 1, Self.patienceMilliseconds) > 0 else { throw ClientError.timedOut }
    }
}

private func tlsError() -> ClientError {
    let code = ERR_get_error()
    ERR_clear_error()
    return .tls(ERR_reason_error_string(code).map { String(cString: $0) } ?? "error \(code)")
}

private func connectedSocket(host: String, port: UInt16) throws -> CInt {
    ignoreBrokenPipes()
    var hints = addrinfo()
    hints.ai_flags = AI_NUMERICHOST
    hints.ai_socktype = CInt(SOCK_STREAM.rawValue)
    var list: UnsafeMutablePointer<addrinfo>?
    guard getaddrinfo(host, String(port), &hints, &list) == 0, let address = list?.pointee else {
        throw ClientError.system(Errno(rawValue: EINVAL))
    }
    defer { freeaddrinfo(list) }
    let descriptor = socket(address.ai_family, CInt(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    guard descriptor >= 0 else { throw ClientError.system(.current) }
    guard connect(descriptor, address.ai_addr, address.ai_addrlen) == 0 else {
        let error = Errno.current
        _ = Glibc.close(descriptor)
        throw ClientError.system(error)
    }
    _ = fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) | O_NONBLOCK)
    return descriptor
}
