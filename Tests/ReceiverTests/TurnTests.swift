import Glibc
import Samples
import Synchronization
import Testing
import Threads
import Transport
import Wire

@testable import Receiver

/// What one connection gets before the others of its thread do.
struct TurnTests {
    /// Answers heads for `/answer` at once and reads the bodies of all others, as a delivery's.
    private final class Handler: RequestHandling {
        let heads = Atomic(0)
        let request = Request()

        final class Request: PendingRequest {
            let pieces = Mutex<[Int]>([])
            /// Held as long as the request is in work.
            let answer = Mutex<(@Sendable (Answer) -> Void)?>(nil)
            let hash = Atomic<UInt64>(0)
            /// The body's length once it is whole; -1 before.
            let bytes = Atomic(-1)
            var isDelivery: Bool { true }

            func take(_ piece: Span<UInt8>) {
                pieces.withLock { $0.append(piece.count) }
                var sum = hash.load(ordering: .relaxed)
                for index in piece.indices { sum = sum &* 31 &+ UInt64(piece[index]) }
                hash.store(sum, ordering: .relaxed)
            }
            func finish(body: PaddedBytes, answer: @escaping @Sendable (Answer) -> Void) {
                self.answer.withLock { $0 = answer }
                bytes.store(body.count, ordering: .relaxed)
            }
            func refuse(_ fault: HTTPFault) -> Answer { Answer(.error(fault), closes: true) }
        }

        func decide(_ head: RequestHead, from peer: SocketAddress) -> HeadDecision {
            heads.add(1, ordering: .relaxed)
            return head.path.elementsEqual("/answer".utf8)
                ? .answer(Answer(.text("ok\n"))) : .readBody(maximumBytes: 8 << 20, request: request)
        }
        func refuse(_ fault: HTTPFault, from peer: SocketAddress) -> Answer { Answer(.error(fault), closes: true) }
    }

    /// A connection without a thread: a test gives it its turns.
    private final class Side {
        let handler = Handler()
        let clock = FakeClock()
        let driver: ConnectionDriver
        let connection: Connection
        let peer: CInt
        let budget = MemoryBudget(limitBytes: 64 << 20)
        let heads: MemoryBudget

        /// - Parameter headBytes: what all large heads may take together.
        convenience init(headBytes: Int = 32 << 20) throws { try self.init(heads: MemoryBudget(limitBytes: headBytes)) }

        convenience init(sharing other: Side) throws { try self.init(heads: other.heads) }

        private init(heads: MemoryBudget) throws {
            self.heads = heads
            var ends: [CInt] = [-1, -1]
            guard socketpair(AF_UNIX, CInt(SOCK_STREAM.rawValue), 0, &ends) == 0 else { throw Errno.current }
            _ = fcntl(ends[0], F_SETFL, O_NONBLOCK)
            peer = ends[1]
            driver = ConnectionDriver(
                handler: handler, limits: Limits(), budget: budget, heads: heads, clock: clock.serverClock,
                post: { _, _ in })
            connection = driver.makeConnection(
                id: 1, stream: try Stream(socket: FileDescriptor(adopting: ends[0]), tls: nil),
                peer: SocketAddress(host: "127.0.0.1", port: 1)!, isEncrypted: false)
        }

        deinit { close(peer) }

        func send(_ bytes: [UInt8]) {
            var rest = bytes[...]
            while !rest.isEmpty {
                let sent = rest.withUnsafeBytes { write(peer, $0.baseAddress, $0.count) }
                guard sent > 0 else { return }
                rest = rest.dropFirst(sent)
            }
        }

        func setSendBuffer(bytes: CInt) {
            var bytes = bytes
            let size = socklen_t(MemoryLayout<CInt>.size)
            setsockopt(connection.stream.descriptor, SOL_SOCKET, SO_SNDBUF, &bytes, size)
        }

        func turn() -> ConnectionDriver.Step { driver.ready(connection, .readable(token: 1)) }
    }

    private static let ask = Array("GET /answer HTTP/1.1\r\nHost: a\r\n\r\n".utf8)

    /// However many requests are there, each turn is one: nobody waits for a whole flood.
    @Test func pipelinedRequestsAreAnsweredOneATurn() throws {
        let side = try Side()
        side.send(Array(repeatElement(Self.ask, count: 20).joined()))
        for count in 1...20 {
            #expect(side.turn() == .keep)
            #expect(side.handler.heads.load(ordering: .relaxed) == count)
            #expect(side.connection.hasTurn == (count < 20))
        }
        side.send(Self.ask)
        #expect(side.turn() == .keep)
        #expect(side.handler.heads.load(ordering: .relaxed) == 21)
    }

    /// The same where each read brings one whole request, as TLS and the largest heads do.
    @Test func requestsThatComeOneAReadAreAnsweredOneATurn() throws {
        let side = try Side()
        let head = "GET /answer HTTP/1.1\r\nHost: a\r\n"
        // Two fields, since one alone may not be so long.
        let fill = String(repeating: "a", count: (16_384 - head.utf8.count - 2 * "X: \r\n".utf8.count - 2) / 2)
        let request = Array("\(head)X: \(fill)\r\nX: \(fill)\r\n\r\n".utf8)
        let padded = request.count == 16_384 ? request : Array("\(head)X: \(fill)a\r\nX: \(fill)\r\n\r\n".utf8)
        #expect(padded.count == 16_384)
        for _ in 0..<5 { side.send(padded) }
        for count in 1...5 {
            #expect(side.turn() == .keep)
            #expect(side.handler.heads.load(ordering: .relaxed) == count)
        }
    }

    /// Large heads that are not whole have a budget of their own; those of a usual size need none.
    @Test func largeHeadsTakeFromTheirBudget() throws {
        let side = try Side(headBytes: 50_000)
        let line = "X: \(String(repeating: "a", count: 9_000))\r\n"
        side.send(Array("GET /answer HTTP/1.1\r\nHost: a\r\n\(line)".utf8))
        #expect(side.turn() == .keep)
        #expect(side.heads.usedBytes == 40_960)
        let other = try Side(sharing: side)
        other.send(Array("GET /answer HTTP/1.1\r\nHost: a\r\nX: \(String(repeating: "a", count: 4_000))\r\n".utf8))
        #expect(other.turn() == .keep)
        other.send(Array(line.utf8))
        #expect(other.turn() == .keep)
        var answer = [UInt8](repeating: 0, count: 1_000)
        let count = read(other.peer, &answer, 1_000)
        #expect(String(decoding: answer.prefix(max(0, count)), as: UTF8.self).hasPrefix("HTTP/1.1 503 "))
        side.send(Array("\r\n".utf8))
        #expect(side.turn() == .keep)
        #expect(side.handler.heads.load(ordering: .relaxed) == 1)
        #expect(side.heads.usedBytes == 0)
    }

    /// A reset frees nothing that a worker still holds: whoever sends and resets would have more in work than the bound.
    @Test func aBodyCountsUntilItsRequestIsDone() throws {
        let side = try Side()
        side.send(Array("POST /body HTTP/1.1\r\nHost: a\r\nContent-Length: 100000\r\n\r\n".utf8))
        #expect(side.turn() == .keep)
        let request = side.handler.request
        while request.bytes.load(ordering: .relaxed) < 0 {
            side.send([UInt8](repeating: 0x20, count: 10_000))
            #expect(side.turn() == .keep)
        }
        #expect(side.budget.usedBytes >= 100_000)
        side.driver.release(side.connection)
        #expect(side.budget.usedBytes >= 100_000)
        request.answer.withLock { $0 = nil }
        #expect(side.budget.usedBytes == 0)
    }

    /// Whoever has the answer may send the next body at once: the memory of this one is free by then.
    @Test func aBodysMemoryIsFreeBeforeItsAnswerIsOnItsWay() throws {
        let side = try Side()
        side.send(Array("POST /body HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\nabcde".utf8))
        #expect(side.turn() == .keep)
        let answer = try #require(side.handler.request.answer.withLock { $0 })
        #expect(side.budget.usedBytes > 0)
        answer(Answer(Response(status: 204)))
        // Still held, as by a worker on its way home.
        withExtendedLifetime(answer) { #expect(side.budget.usedBytes == 0) }
        side.handler.request.answer.withLock { $0 = nil }
        #expect(side.budget.usedBytes == 0)
    }

    /// A body is hashed as it comes, at most 256 KiB a turn, and none of it is left for its end.
    @Test func aTurnTakesABoundedPieceOfABody() throws {
        let side = try Side()
        let body = (0..<3_000_000).map { UInt8(truncatingIfNeeded: $0 &* 7) }
        let peer = side.peer
        let sender = SystemThread(named: "sender") {
            let all = Array("POST /body HTTP/1.1\r\nHost: a\r\nContent-Length: \(body.count)\r\n\r\n".utf8) + body
            var rest = all[...]
            while !rest.isEmpty {
                let sent = rest.withUnsafeBytes { write(peer, $0.baseAddress, $0.count) }
                guard sent > 0 else { return }
                rest = rest.dropFirst(sent)
            }
        }
        let request = side.handler.request
        var before = 0
        for _ in 0..<1_000_000 where request.bytes.load(ordering: .relaxed) < 0 {
            #expect(side.turn() == .keep)
            let sum = request.pieces.withLock { $0.reduce(0, +) }
            #expect(sum - before <= 256 << 10)
            before = sum
            sched_yield()
        }
        sender.join()
        #expect(request.bytes.load(ordering: .relaxed) == body.count)
        #expect(before == body.count)
        #expect(request.hash.load(ordering: .relaxed) == body.reduce(0) { $0 &* 31 &+ UInt64($1) })
    }

    /// Chunks are seen without their framing.
    @Test func piecesOfAChunkedBodyHaveNoFraming() throws {
        let side = try Side()
        side.send(Array("POST /body HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n3;x=y\r\nabc\r\n".utf8))
        _ = side.turn()
        side.send(Array("2\r\nde\r\n0\r\nX: 1\r\n\r\n".utf8))
        _ = side.turn()
        let request = side.handler.request
        #expect(request.bytes.load(ordering: .relaxed) == 5)
        #expect(request.hash.load(ordering: .relaxed) == Array("abcde".utf8).reduce(0) { $0 &* 31 &+ UInt64($1) })
    }

    /// Who only asks and never delivers gets 64 answers, then as many as time heals; who delivers starts anew.
    @Test func whoOnlyAsksHasToWait() throws {
        let side = try Side()
        side.send(Array(repeatElement(Self.ask, count: 200).joined()))
        for _ in 0..<200 { #expect(side.turn() == .keep) }
        #expect(side.handler.heads.load(ordering: .relaxed) == Connection.fullPatience)
        #expect(side.connection.isWaiting && side.connection.isSpare)
        for (seconds, more) in [(0.01, 0), (0.2, 4), (3_600, Connection.fullPatience)] {
            let before = side.handler.heads.load(ordering: .relaxed)
            side.clock.advance(seconds: seconds)
            side.connection.recover(side.clock.serverClock.monotonicMicroseconds())
            for _ in 0..<100 { #expect(side.turn() == .keep) }
            #expect(side.handler.heads.load(ordering: .relaxed) - before == more)
        }
    }

    @Test func whoDeliversNeverWaits() throws {
        let side = try Side()
        let deliver = Array("POST /body HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\n\r\nx".utf8)
        for _ in 0..<200 {
            side.send(deliver)
            #expect(side.turn() == .keep)
            #expect(side.handler.request.bytes.load(ordering: .relaxed) == 1)
            #expect(side.driver.answered(side.connection, Answer(Response(status: 204, fields: [], body: []))) == .keep)
            #expect(side.connection.patience == Connection.fullPatience)
            var answer = [UInt8](repeating: 0, count: 1_000)
            _ = read(side.peer, &answer, 1_000)
        }
        side.send(deliver)
        _ = side.turn()
        _ = side.driver.answered(side.connection, Answer(.error(status: 401, code: "x", message: "y")))
        #expect(side.connection.patience == Connection.fullPatience - 1)
    }

    /// Nothing is read from it and nothing more made for it, and its time is absolute.
    @Test func aPeerThatNeverReadsIsClosed() throws {
        let side = try Side()
        side.setSendBuffer(bytes: 4_096)
        side.send(Array(repeatElement(Self.ask, count: Connection.fullPatience).joined()))
        for _ in 0..<100 { #expect(side.turn() == .keep) }
        guard case .writing = side.connection.phase else {
            Issue.record("all answers fit")
            return
        }
        let count = side.handler.heads.load(ordering: .relaxed)
        let now = side.clock.serverClock.monotonicMicroseconds()
        #expect(side.connection.deadlineMicroseconds == now + 10_000_000 && side.connection.interest == .writable)
        side.clock.advance(seconds: 9)
        #expect(side.turn() == .keep)
        #expect(side.handler.heads.load(ordering: .relaxed) == count)
        #expect(side.connection.deadlineMicroseconds == now + 10_000_000)
        #expect(side.driver.expired(side.connection) == .close)
    }

    /// The same through a server: what waited is answered when its time has come.
    @Test func aFloodOnOneConnectionIsAnsweredInTime() throws {
        let server = try TestServer(ioThreads: 1)
        let client = try server.connect()
        try client.send(
            Array(repeatElement(Array("GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n".utf8), count: 150).joined()))
        for _ in 0..<64 { #expect(try client.receive().status == 200) }
        // Another is served meanwhile, and a delivery behind the flood is not lost.
        #expect(try server.post(server.delivery()).status == 204)
        for _ in 0..<2 {
            server.clock.advance(seconds: 4)
            server.server.sweep()
            for _ in 0..<43 { #expect(try client.receive().status == 200) }
        }
    }
}
