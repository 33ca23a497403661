import TestSupport
import Testing
import Transport

/// The server's end of one connection, run by the test itself between the steps of its client.
final class ServerSide {
    let listener: Listener
    private var tls: TLSContext?
    private(set) var stream: Stream?
    private(set) var peer: SocketAddress?
    private(set) var isReady = false
    /// What has been read.
    var received: [UInt8] = []
    private(set) var hasEnded = false
    private(set) var error: StreamError?
    /// What is still to be sent.
    var outgoing: [UInt8] = []
    /// Everything that is read is sent back.
    var echoes = true
    /// Nothing is read while it is false.
    var reads = true
    /// How often a write had to wait or was taken in part.
    private(set) var partialWrites = 0

    init(tls: TLSContext? = nil, host: String = "127.0.0.1") throws {
        ignoreBrokenPipes()
        self.tls = tls
        listener = try Listener(address: #require(SocketAddress(host: host, port: 0)))
    }

    var port: UInt16 { listener.localAddress.port }

    func client(_ tls: ClientTLS? = nil, host: String = "127.0.0.1") throws -> LoopbackClient {
        try LoopbackClient(port: port, host: host, tls: tls, whileWaiting: { [unowned self] in turn() })
    }

    /// Does what can be done without waiting.
    func turn() {
        do throws(StreamError) {
            try acceptIfNeeded()
            guard let stream, error == nil else { return }
            if !isReady {
                guard try stream.handshake() == nil else { return }
                isReady = true
            }
            while reads, !hasEnded, try readOnce(stream, capacity: 1 << 14) {}
            while !outgoing.isEmpty {
                switch try stream.write(outgoing.span) {
                case .bytes(let count):
                    if count < outgoing.count { partialWrites += 1 }
                    outgoing.removeFirst(count)
                case .wouldBlock, .endOfStream:
                    partialWrites += 1
                    return
                }
            }
        } catch {
            self.error = error
        }
    }

    func acceptIfNeeded() throws(StreamError) {
        guard stream == nil else { return }
        do throws(Errno) {
            guard let accepted = try listener.accept() else { return }
            peer = accepted.peer
            do throws(StreamError) {
                stream = try Stream(socket: accepted.takeDescriptor(), tls: tls)
            } catch {
                self.error = error
            }
        } catch {
            throw .system(error)
        }
    }

    /// False when nothing more can be read now.
    func readOnce(_ stream: Stream, capacity: Int) throws(StreamError) -> Bool {
        var progress = Stream.Progress.endOfStream
        let bytes = try [UInt8](capacity: capacity) { (span) throws(StreamError) in
            progress = try stream.read(into: &span)
        }
        switch progress {
        case .bytes(let count):
            precondition(count == bytes.count && count > 0)
            received += bytes
            if echoes { outgoing += bytes }
            return true
        case .endOfStream:
            hasEnded = true
            return false
        case .wouldBlock: return false
        }
    }

    /// Takes turns until `condition` holds; the kernel needs a moment to hand loopback data over.
    func turns(until condition: () -> Bool) throws {
        let poller = try Poller()
        var events: [Poller.Event] = []
        for _ in 0..<2000 {
            turn()
            if condition() { return }
            try poller.wait(milliseconds: 1, into: &events)
        }
        throw ClientError.timedOut
    }

    /// A connection waited to be accepted; it is closed.
    func refuseWaiting() throws -> Bool {
        guard let waiting = try listener.accept() else { return false }
        _ = consume waiting
        return true
    }

    /// Lets go of the context that connections were made with.
    func forgetTLS() { tls = nil }

    /// Closes the connection.
    func drop() { stream = nil }
}
