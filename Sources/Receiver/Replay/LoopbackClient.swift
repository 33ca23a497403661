import CLinux
import Glibc
package import Transport

/// An answer as a client sees it.
package struct ClientResponse: Sendable {
    package var status: Int
    /// Names in lower case, in the order they came.
    package var fields: [(name: String, value: String)]
    package var body: [UInt8]

    package func field(_ lowercaseName: String) -> String? {
        fields.first { $0.name == lowercaseName }?.value
    }
}

/// Why a client got no answer.
package enum ClientError: Error, Equatable, Sendable {
    case system(Errno)
    /// The connection ended before the answer was whole.
    case closed
    /// What came is not an answer.
    case invalid
}

/// A blocking HTTP/1.1 connection to a server on this machine, for replaying vectors and for measurements.
///
/// It sends exactly the bytes it is given and trusts the server: not for the open internet.
package final class LoopbackClient {
    private static let maximumResponseBytes = 1 << 20

    private let socket: FileDescriptor
    private var input: [UInt8] = []

    /// Connects to 127.0.0.1; every call after that fails with EAGAIN when it takes longer than `timeoutSeconds`.
    package init(port: UInt16, timeoutSeconds: Int = 10) throws(ClientError) {
        let descriptor = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { throw .system(Errno.current) }
        socket = FileDescriptor(adopting: descriptor)
        var patience = timeval(tv_sec: timeoutSeconds, tv_usec: 0)
        let size = socklen_t(MemoryLayout<timeval>.size)
        unsafe setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &patience, size)
        unsafe setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &patience, size)
        var yes: CInt = 1
        unsafe setsockopt(descriptor, CInt(IPPROTO_TCP), TCP_NODELAY, &yes, socklen_t(MemoryLayout<CInt>.size))
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        let result = unsafe withUnsafePointer(to: &address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                unsafe connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard result == 0 else { throw .system(Errno.current) }
    }

    package func send(_ bytes: [UInt8]) throws(ClientError) {
        var sent = 0
        while sent < bytes.count {
            do throws(Errno) {
                guard let count = try socket.write(bytes.span.extracting(sent..<bytes.count)) else {
                    throw Errno(rawValue: EAGAIN)
                }
                sent += count
            } catch { throw .system(error) }
        }
    }

    /// The next whole answer; interim ones (1xx) are passed over.
    ///
    /// - Parameter isHead: the request was HEAD, so no body follows.
    package func receive(isHead: Bool = false) throws(ClientError) -> ClientResponse {
        while true {
            let response = try receiveOne(isHead: isHead)
            if response.status >= 200 { return response }
        }
    }

    /// The status of the next answer, an interim one too.
    package func receiveInterim() throws(ClientError) -> Int { try receiveOne(isHead: false).status }

    /// Sends no more; the server sees the end of the stream.
    package func closeWrite() { shutdown(socket.rawValue, CInt(SHUT_WR)) }

    /// Whatever the server still sends until it closes.
    package func receiveToEnd() throws(ClientError) -> [UInt8] {
        while try fill() {}
        defer { input = [] }
        return input
    }

    private func receiveOne(isHead: Bool) throws(ClientError) -> ClientResponse {
        while true {
            if let end = endOfHead() {
                var response = try parseHead(input[..<end])
                let length = response.field("content-length").flatMap { Int($0) } ?? 0
                let bodyBytes = isHead || response.status < 200 || response.status == 204 ? 0 : length
                while input.count < end + bodyBytes {
                    guard try fill() else { throw .closed }
                }
                response.body = Array(input[end..<end + bodyBytes])
                input.removeFirst(end + bodyBytes)
                return response
            }
            guard input.count < Self.maximumResponseBytes else { throw .invalid }
            guard try fill() else { throw .closed }
        }
    }

    private func endOfHead() -> Int? {
        guard input.count >= 4 else { return nil }
        let end = Array("\r\n\r\n".utf8)
        return (4...input.count).first { input[($0 - 4)..<$0].elementsEqual(end) }
    }

    private func parseHead(_ head: ArraySlice<UInt8>) throws(ClientError) -> ClientResponse {
        let lines = String(decoding: head, as: UTF8.self).split(separator: "\r\n")
        guard let first = lines.first, first.hasPrefix("HTTP/1.1 "), let status = Int(first.dropFirst(9).prefix(3))
        else {
            throw .invalid
        }
        let fields = lines.dropFirst().compactMap { line -> (name: String, value: String)? in
            guard let colon = line.firstIndex(of: ":") else { return nil }
            let value = line[line.index(after: colon)...].drop { $0 == " " }
            return (line[..<colon].lowercased(), String(value))
        }
        return ClientResponse(status: status, fields: fields, body: [])
    }

    /// Reads once; false at the end of the stream.
    private func fill() throws(ClientError) -> Bool {
        var count = 0
        do throws(Errno) {
            try input.append(addingCapacity: 65536) { (output: inout OutputSpan<UInt8>) throws(Errno) in
                guard let read = try socket.read(into: &output) else { throw Errno(rawValue: EAGAIN) }
                count = read
            }
        } catch { throw .system(error) }
        return count > 0
    }
}
