import CLinux
import COpenSSL
import Glibc

/// How a probe speaks, and what it believes.
package enum ProbeTrust: Equatable, Sendable {
    case plainHTTP
    /// TLS with whatever certificate is shown: for this machine's own server, by an address it isn't made out to.
    case anyCertificate
    /// TLS; the chain must lead to one of `authorityFile`, or of the system's authorities when it is nil, and the
    /// certificate must be made out to the name.
    case verified(name: String, authorityFile: String? = nil)
}

/// What a server answered to a probe.
package struct ProbeAnswer: Equatable, Sendable {
    package let status: Int
    /// The answer's body as it came, 4,096 bytes at most with its head.
    package let body: [UInt8]
    /// Nil with plain HTTP.
    package let certificate: CertificateInfo?
    /// OpenSSL's word for why the certificate isn't trusted; nil when it is, or when nobody asked.
    package let trustFailure: String?

    package init(status: Int, body: [UInt8] = [], certificate: CertificateInfo? = nil, trustFailure: String? = nil) {
        self.status = status
        self.body = body
        self.certificate = certificate
        self.trustFailure = trustFailure
    }
}

/// Why there is no answer.
package enum ProbeError: Error, Equatable, Sendable {
    /// Nothing listens there.
    case refused
    case timedOut
    case system(Errno)
    /// The handshake failed; OpenSSL's word for it.
    case tls(String)
    /// Something listens, and what it says is not HTTP.
    case notHTTP
}

/// Sends one `GET` and reads its answer, waiting at most `timeout` for all of it.
///
/// - Parameter host: for the `Host` field.
package func probe(
    _ address: SocketAddress, host: String, path: String, trust: ProbeTrust = .plainHTTP, timeout: Duration
) throws(ProbeError) -> ProbeAnswer {
    let deadline = ContinuousClock.now + timeout
    let connection = try ProbeConnection(address, deadline: deadline)
    if trust != .plainHTTP { try connection.startTLS(trust) }
    try connection.send(Array("GET \(path) HTTP/1.1\r\nHost: \(host)\r\nConnection: close\r\n\r\n".utf8))
    let bytes = try connection.receive(maximumBytes: 4_096)
    guard let status = statusCode(bytes) else { throw .notHTTP }
    return ProbeAnswer(
        status: status, body: bodyBytes(bytes), certificate: connection.certificate,
        trustFailure: connection.trustFailure)
}

/// The status of an answer that starts with `HTTP/1.x NNN`; nil for anything else.
private func statusCode(_ bytes: [UInt8]) -> Int? {
    guard bytes.count >= 12, bytes.starts(with: "HTTP/1.".utf8), bytes[8] == UInt8(ascii: " ") else { return nil }
    var status = 0
    for byte in bytes[9..<12] {
        guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) else { return nil }
        status = status * 10 + Int(byte - UInt8(ascii: "0"))
    }
    return status
}

private func bodyBytes(_ bytes: [UInt8]) -> [UInt8] {
    let end: [UInt8] = [13, 10, 13, 10]
    for i in bytes.indices where bytes[i...].starts(with: end) { return Array(bytes[(i + 4)...]) }
    return []
}

/// A client's connection, used by one thread. `@safe`: its SSL objects are made and freed here and never leave.
@safe private final class ProbeConnection {
    private let descriptor: FileDescriptor
    private let deadline: ContinuousClock.Instant
    private var context: OpaquePointer?
    private var ssl: OpaquePointer?
    private(set) var certificate: CertificateInfo?
    private(set) var trustFailure: String?

    init(_ address: SocketAddress, deadline: ContinuousClock.Instant) throws(ProbeError) {
        self.deadline = deadline
        let rawValue = linux_stream_socket(address.family)
        guard rawValue >= 0 else { throw .system(.current) }
        descriptor = FileDescriptor(adopting: rawValue)
        if unsafe address.withSockaddr({ unsafe connect(rawValue, $0, $1) }) != 0 {
            let error = Errno.current
            guard error.rawValue == EINPROGRESS else { throw Self.connectError(error) }
            try wait(for: Int16(POLLOUT))
            var code: CInt = 0
            var length = socklen_t(MemoryLayout<CInt>.size)
            _ = unsafe getsockopt(rawValue, SOL_SOCKET, SO_ERROR, &code, &length)
            guard code == 0 else { throw Self.connectError(Errno(rawValue: code)) }
        }
    }

    deinit {
        unsafe SSL_free(ssl)
        unsafe SSL_CTX_free(context)
    }

    private static func connectError(_ error: Errno) -> ProbeError {
        error.rawValue == ECONNREFUSED ? .refused : .system(error)
    }

    func startTLS(_ trust: ProbeTrust) throws(ProbeError) {
        ERR_clear_error()
        unsafe context = SSL_CTX_new(TLS_client_method())
        guard let context = unsafe context, unsafe openssl_set_minimum_tls12(context) == 1 else { throw tlsError() }
        if case .verified(_, let file) = trust {
            // Without authorities every chain is refused, and the answer says so.
            _ =
                unsafe file.map { unsafe SSL_CTX_load_verify_locations(context, $0, nil) }
                ?? SSL_CTX_set_default_verify_paths(context)
            ERR_clear_error()
        }
        unsafe ssl = SSL_new(context)
        guard let ssl = unsafe ssl, unsafe SSL_set_fd(ssl, descriptor.rawValue) == 1 else { throw tlsError() }
        if case .verified(let name, _) = trust { try unsafe expect(name, ssl) }
        // The handshake goes on with a bad certificate, so that both it and the reason can be told.
        try transfer { unsafe SSL_connect(ssl) }
        guard let shown = unsafe SSL_get1_peer_certificate(ssl) else { throw .tls("no certificate") }
        defer { unsafe X509_free(shown) }
        unsafe certificate = CertificateInfo(shown)
        let result = unsafe SSL_get_verify_result(ssl)
        if case .verified = trust, result != X509_V_OK {
            trustFailure = unsafe String(cString: X509_verify_cert_error_string(result))
        }
    }

    /// An address is compared with the addresses, a name with the names of the subject alternative name.
    private func expect(_ name: String, _ ssl: OpaquePointer) throws(ProbeError) {
        if let address = SocketAddress(host: name, port: 0) {
            guard unsafe X509_VERIFY_PARAM_set1_ip_asc(SSL_get0_param(ssl), address.host) == 1 else {
                throw tlsError()
            }
        } else {
            unsafe SSL_set_hostflags(ssl, UInt32(X509_CHECK_FLAG_NEVER_CHECK_SUBJECT))
            guard unsafe openssl_set_server_name(ssl, name) == 1, unsafe SSL_set1_host(ssl, name) == 1 else {
                throw tlsError()
            }
        }
    }

    func send(_ bytes: [UInt8]) throws(ProbeError) {
        var sent = 0
        while sent < bytes.count {
            let rest = Array(bytes[sent...])
            if let ssl = unsafe ssl {
                sent += try transfer { unsafe SSL_write(ssl, rest, CInt(rest.count)) }
            } else {
                do throws(Errno) {
                    if let count = try descriptor.write(rest.span) { sent += count; continue }
                } catch {
                    throw .system(error)
                }
                try wait(for: Int16(POLLOUT))
            }
        }
    }

    /// Reads to the end of the stream, or to `maximumBytes`.
    func receive(maximumBytes: Int) throws(ProbeError) -> [UInt8] {
        var bytes: [UInt8] = []
        while bytes.count < maximumBytes {
            var buffer = [UInt8](repeating: 0, count: maximumBytes - bytes.count)
            let count: Int
            if let ssl = unsafe ssl {
                let capacity = CInt(buffer.count)
                count = (try? transfer { unsafe SSL_read(ssl, &buffer, capacity) }) ?? 0
                if count == 0, ContinuousClock.now >= deadline { throw .timedOut }
            } else {
                count = unsafe read(descriptor.rawValue, &buffer, buffer.count)
                if count < 0 {
                    let error = Errno.current
                    if error.rawValue == EINTR { continue }
                    if error.rawValue == ECONNRESET, !bytes.isEmpty { return bytes }
                    guard error.rawValue == EAGAIN else { throw .system(error) }
                    try wait(for: Int16(POLLIN))
                    continue
                }
            }
            guard count > 0 else { return bytes }
            bytes += buffer[..<count]
        }
        return bytes
    }

    /// Repeats an OpenSSL call until it is through.
    @discardableResult
    private func transfer(_ call: () -> CInt) throws(ProbeError) -> Int {
        while true {
            ERR_clear_error()
            let result = call()
            if result > 0 { return Int(result) }
            switch unsafe SSL_get_error(ssl, result) {
            case SSL_ERROR_WANT_READ: try wait(for: Int16(POLLIN))
            case SSL_ERROR_WANT_WRITE: try wait(for: Int16(POLLOUT))
            case SSL_ERROR_ZERO_RETURN: return 0
            default: throw tlsError()
            }
        }
    }

    private func tlsError() -> ProbeError { .tls(takeOpenSSLError()?.reason ?? "the connection was closed") }

    private func wait(for events: Int16) throws(ProbeError) {
        while true {
            let left = deadline - ContinuousClock.now
            guard left > .zero else { throw .timedOut }
            let milliseconds =
                min(left.components.seconds, 3_600) * 1_000 + 1
                + left.components.attoseconds / 1_000_000_000_000_000
            var entry = pollfd(fd: descriptor.rawValue, events: events, revents: 0)
            let result = unsafe poll(&entry, 1, CInt(milliseconds))
            if result > 0 { return }
            if result < 0, errno != EINTR { throw .system(.current) }
        }
    }
}
