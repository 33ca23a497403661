import COpenSSL
import Glibc
import Receiver

/// A blocking connection to a server on this machine that believes any certificate. Used by one thread at a time.
///
/// `@safe`: its SSL objects are made and freed here and never leave.
@safe final class Client {
    private let descriptor: CInt
    private var context: OpaquePointer?
    private var ssl: OpaquePointer?

    init(port: UInt16, isTLS: Bool) throws {
        descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        var address = sockaddr_in(), yes: CInt = 1
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        unsafe setsockopt(descriptor, CInt(IPPROTO_TCP), TCP_NODELAY, &yes, socklen_t(MemoryLayout<CInt>.size))
        let isConnected = unsafe withUnsafePointer(to: &address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                unsafe connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
            }
        }
        guard isConnected else { throw BenchError.refused("connect") }
        guard isTLS else { return }
        unsafe context = SSL_CTX_new(TLS_client_method())
        unsafe ssl = SSL_new(context)
        guard unsafe ssl != nil, unsafe SSL_set_fd(ssl, descriptor) == 1, unsafe SSL_connect(ssl) == 1 else {
            throw BenchError.refused("TLS")
        }
    }

    deinit {
        unsafe SSL_free(ssl)
        unsafe SSL_CTX_free(context)
        close(descriptor)
    }

    /// Sends a request and waits for its answer.
    ///
    /// - Returns: the answer's status; nil when the connection failed.
    func send(_ request: [UInt8]) -> Int? {
        var sent = 0
        while sent < request.count {
            let count = unsafe request.withUnsafeBytes { bytes in
                let rest = unsafe UnsafeRawBufferPointer(rebasing: bytes[sent...])
                return if unsafe ssl == nil {
                    unsafe Glibc.send(descriptor, rest.baseAddress, rest.count, CInt(MSG_NOSIGNAL))
                } else {
                    unsafe Int(SSL_write(ssl, rest.baseAddress, CInt(rest.count)))
                }
            }
            guard count > 0 else { return nil }
            sent += count
        }
        return receive()
    }

    private func receive() -> Int? {
        var answer = [UInt8](repeating: 0, count: 8_192), length = 0
        while length < answer.count {
            let count = unsafe answer.withUnsafeMutableBytes { bytes in
                let rest = unsafe UnsafeMutableRawBufferPointer(rebasing: bytes[length...])
                return if unsafe ssl == nil {
                    unsafe recv(descriptor, rest.baseAddress, rest.count, 0)
                } else {
                    unsafe Int(SSL_read(ssl, rest.baseAddress, CInt(rest.count)))
                }
            }
            guard count > 0 else { return nil }
            length += count
            if let status = status(answer[..<length]) { return status }
        }
        return nil
    }

    /// Of a whole answer; nil until all of it is there.
    private func status(_ answer: ArraySlice<UInt8>) -> Int? {
        let text = String(decoding: answer, as: UTF8.self)
        let lines = text.split(separator: "\r\n", omittingEmptySubsequences: false)
        guard let end = lines.firstIndex(where: \.isEmpty), end + 1 < lines.count else { return nil }
        let body = lines[(end + 1)...].reduce(-2) { $0 + $1.utf8.count + 2 }
        let field = lines[..<end].first { $0.lowercased().hasPrefix("content-length:") }
        let expected = field.flatMap { Int($0.dropFirst("content-length:".count).drop { $0 == " " }) } ?? 0
        return body >= expected ? Int(text.dropFirst(9).prefix(3)) : nil
    }
}
