import Foundation
import TestSupport
import Testing

@testable import Transport

/// Serves `connections` connections on a thread of its own: reads a head, sends `reply`, closes.
private func serve(_ reply: String, tls: TLSContext? = nil, connections: Int = 1) throws -> SocketAddress {
    ignoreBrokenPipes()
    let listener = try Listener(address: try #require(SocketAddress(host: "127.0.0.1", port: 0)))
    let address = listener.localAddress
    let held = Held(listener: listener)
    Thread.detachNewThread {
        for _ in 0..<connections { held.answerOne(reply, tls) }
    }
    return address
}

/// Gives a listener to a thread's closure, which can't take a value that is moved.
private final class Held: Sendable {
    let listener: Listener
    init(listener: consuming Listener) { self.listener = listener }

    func answerOne(_ reply: String, _ tls: TLSContext?) {
        guard isReady(listener.rawValue), let accepted = try? listener.accept(),
            let stream = try? Stream(socket: accepted.takeDescriptor(), tls: tls)
        else { return }
        var received: [UInt8] = []
        while (try? stream.handshake()) != nil, let next = try? stream.handshake(), isReady(stream.descriptor) {
            _ = next
        }
        while !received.reversed().starts(with: [10, 13, 10, 13]) {
            var isAtEnd = false
            let bytes = try? [UInt8](capacity: 4_096) { (span) throws(StreamError) in
                if case .endOfStream = try stream.read(into: &span) { isAtEnd = true }
            }
            // A client that gave up is always ready to be read, and never has anything.
            guard let bytes, !isAtEnd else { return }
            received += bytes
            if bytes.isEmpty, !isReady(stream.descriptor) { return }
        }
        _ = try? stream.write(Array(reply.utf8).span)
        stream.shutdownWrite()
    }

    private func isReady(_ descriptor: CInt) -> Bool {
        var interest = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        return poll(&interest, 1, 5_000) > 0
    }
}

private func get(_ address: SocketAddress, _ trust: ProbeTrust = .plainHTTP) throws(ProbeError) -> ProbeAnswer {
    try probe(address, host: "localhost", path: "/healthz", trust: trust, timeout: .seconds(5))
}

@Test func probeOfPlainHTTP() throws {
    let address = try serve("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi")
    #expect(try get(address) == ProbeAnswer(status: 200, body: Array("hi".utf8)))
}

@Test(arguments: [
    "", "\r\n", "SSH-2.0-OpenSSH_9.2\r\n", "HTTP/1.1", "HTTP/1.1 20", "HTTP/1.1 2x0 OK\r\n\r\n", "HTTP/2 200\r\n\r\n",
    "http/1.1 200 OK\r\n\r\n",
])
func probeOfSomethingElse(reply: String) throws {
    let address = try serve(reply)
    #expect(throws: ProbeError.notHTTP) { try get(address) }
}

@Test func probeReadsNoMoreThanItWants() throws {
    let address = try serve("HTTP/1.1 503 Busy\r\n\r\n" + String(repeating: "x", count: 20_000))
    let answer = try get(address)
    #expect(answer.status == 503 && answer.body.count == 4_096 - 21)
}

@Test func probeOfNothing() throws {
    let listener = try Listener(address: try #require(SocketAddress(host: "127.0.0.1", port: 0)))
    let address = listener.localAddress
    // It is connected by the kernel, and nobody ever answers.
    #expect(throws: ProbeError.timedOut) {
        try probe(address, host: "x", path: "/", timeout: .milliseconds(50))
    }
    #expect(throws: ProbeError.timedOut) {
        try probe(address, host: "x", path: "/", trust: .anyCertificate, timeout: .milliseconds(50))
    }
    _ = consume listener
    #expect(throws: ProbeError.refused) { try probe(address, host: "x", path: "/", timeout: .seconds(5)) }
}

@Test func probeOverTLS() throws {
    let certificate = try TestCertificate.shared.get()
    let tls = try TLSContext(certificateFile: certificate.certificateFile, keyFile: certificate.keyFile)
    let address = try serve("HTTP/1.1 200 OK\r\n\r\n", tls: tls, connections: 5)
    let file = certificate.certificateFile

    let trusted = try get(address, .verified(name: "localhost", authorityFile: file))
    #expect(trusted.status == 200 && trusted.trustFailure == nil && trusted.certificate == tls.certificate)
    let byAddress = try get(address, .verified(name: "127.0.0.1", authorityFile: file))
    #expect(byAddress.trustFailure == nil)
    let otherName = try get(address, .verified(name: "other.example", authorityFile: file))
    #expect(otherName.status == 200 && otherName.trustFailure?.lowercased().contains("hostname mismatch") == true)
    let unknown = try get(address, .verified(name: "localhost"))
    #expect(unknown.trustFailure != nil && unknown.certificate == tls.certificate)
    let any = try get(address, .anyCertificate)
    #expect(any.status == 200 && any.trustFailure == nil)
}

@Test func probeThatSpeaksTheOtherWay() throws {
    let plain = try serve("HTTP/1.1 400 Bad Request\r\n\r\n")
    var failure: ProbeError?
    do throws(ProbeError) {
        _ = try probe(plain, host: "x", path: "/", trust: .anyCertificate, timeout: .milliseconds(200))
    } catch {
        failure = error
    }
    // The plain server waits for the end of a head that never comes, or answers: neither is TLS.
    switch failure {
    case .tls, .timedOut: break
    default: Issue.record("\(String(describing: failure))")
    }
    let certificate = try TestCertificate.shared.get()
    let tls = try TLSContext(certificateFile: certificate.certificateFile, keyFile: certificate.keyFile)
    let address = try serve("HTTP/1.1 200 OK\r\n\r\n", tls: tls)
    #expect(throws: ProbeError.self) { try get(address) }
}

@Test func addressesOfTheLoopback() throws {
    #expect(interfaceAddresses().contains { $0.address.host == "127.0.0.1" && $0.address.port == 0 })
    #expect(resolve(host: "127.0.0.1", port: 80).map(\.description) == ["127.0.0.1:80"])
    #expect(resolve(host: "::1", port: 80).map(\.description) == ["[::1]:80"])
    #expect(resolve(host: "no such name", port: 80).isEmpty && resolve(host: "127.0.0.1\0", port: 80).isEmpty)
}

@Test func versionOfTheLibrary() {
    #expect(HostState.openSSLVersion.split(separator: ".").count == 3)
    #expect(HostState.terminalColumns(-1) == nil)
}
