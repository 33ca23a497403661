import Transport
import Wire

/// Moves connections through their phases: reads, decides, writes. One for each I/O thread, used by that thread alone.
final class ConnectionDriver {
    /// What became of a connection after a step.
    enum Step { case keep, close }

    static let headReadBytes = 16 * 1024
    /// What is read of one connection before others get their turn: as much as is hashed and copied in half a millisecond.
    static let bytesPerTurn = 256 * 1024
    /// An answer of up to so many bytes is not charged: one that a connection may always have waiting.
    static let freeAnswerBytes = 64 * 1024
    /// A head of up to so many bytes is not charged.
    static let freeHeadBytes = 8 * 1024

    let handler: any RequestHandling
    let httpLimits: HTTPLimits
    let lingerBytes: Int
    let budget: MemoryBudget
    /// For heads past `freeHeadBytes`.
    let heads: MemoryBudget
    let clock: ServerClock
    let deadlines: Deadlines
    /// Sends an answer, from whatever thread has it, back to the thread that owns the connection.
    private let post: @Sendable (UInt64, Answer) -> Void
    /// The same for more of an answer that goes on; nil ends it.
    let postPiece: @Sendable (UInt64, [UInt8]?) -> Void
    let chargesAnswers: Bool
    var isDraining = false
    /// Half of the allowed connections are in use.
    var isCrowded = false

    var scratch: [UInt8] = []
    var dateSeconds = Int64.min
    var date: [UInt8] = []

    init(
        handler: any RequestHandling, limits: Limits, budget: MemoryBudget, heads: MemoryBudget, clock: ServerClock,
        chargesAnswers: Bool = false, post: @escaping @Sendable (UInt64, Answer) -> Void,
        postPiece: @escaping @Sendable (UInt64, [UInt8]?) -> Void = { _, _ in }
    ) {
        self.handler = handler
        self.httpLimits = HTTPLimits(limits)
        self.lingerBytes = limits.maximumDroppedBytes
        self.budget = budget
        self.heads = heads
        self.clock = clock
        self.deadlines = Deadlines(limits: limits)
        self.chargesAnswers = chargesAnswers
        self.post = post
        self.postPiece = postPiece
    }

    func makeConnection(id: UInt64, stream: Stream, peer: SocketAddress, isEncrypted: Bool) -> Connection {
        let now = clock.monotonicMicroseconds()
        let connection = Connection(
            id: id, stream: stream, peer: peer, isEncrypted: isEncrypted, parser: RequestHeadParser(limits: httpLimits),
            now: now)
        connection.deadlineMicroseconds =
            isEncrypted ? deadlines.handshake(startedAt: now) : deadlines.idle(since: now, isCrowded: isCrowded)
        return connection
    }

    // MARK: Events

    /// The socket can be read or written, or was closed.
    func ready(_ connection: Connection, _ event: Poller.Event) -> Step {
        if event.hangUp { return .close }
        do {
            switch connection.phase {
            case .handshaking: return try handshake(connection)
            case .idle where connection.hasTurn: return try goOn(connection)
            case .idle where !connection.pending.isEmpty || connection.isWaiting: return .keep
            case .idle, .head, .body: return try read(connection)
            case .working: return .keep
            case .writing: return try flush(connection)
            case .streaming: return try drop(connection) == .keep ? flushStream(connection) : .close
            case .lingering: return try drop(connection)
            }
        } catch { return .close }
    }

    /// The answer to the request that `connection` waits for.
    func answered(_ connection: Connection, _ answer: Answer) -> Step {
        guard case .working = connection.phase else { return .keep }
        do { return try begin(answer, on: connection) } catch { return .close }
    }

    /// The deadline of the present phase has passed.
    func expired(_ connection: Connection) -> Step {
        switch connection.phase {
        case .handshaking, .idle, .writing, .streaming, .lingering: return .close
        case .working: return .keep
        case .head, .body:
            let fault = HTTPFault(
                status: 408, code: "request_timeout", message: "The request did not arrive in time.", offset: nil)
            do { return try refuse(fault, on: connection) } catch { return .close }
        }
    }

    /// The server stops: a connection that has idled for so long goes, after one last look for a request that is here.
    func drain(_ connection: Connection, idleMicroseconds: Int64) -> Step {
        if case .streaming = connection.phase { return .close }
        guard connection.isIdle, !connection.hasTurn else { return .keep }
        do {
            if !connection.isWaiting { guard try read(connection) == .keep else { return .close } }
        } catch { return .close }
        let isDue = clock.monotonicMicroseconds() - connection.phaseStartMicroseconds >= idleMicroseconds
        return connection.isIdle && isDue ? .close : .keep
    }

    /// Gives back what the connection holds of shared budgets. Call once, when it is closed.
    func release(_ connection: Connection) {
        releaseHead(connection)
        releaseBody(connection)
        releaseOutput(connection)
        connection.answerStream?.ended()
        connection.answerStream = nil
    }

    // MARK: Reading

    private func handshake(_ connection: Connection) throws(StreamError) -> Step {
        if let interest = try connection.stream.handshake() {
            connection.interest = interest
            return .keep
        }
        enter(.idle, on: connection)
        return try read(connection)
    }

    private func read(_ connection: Connection) throws(StreamError) -> Step {
        var room = Self.bytesPerTurn
        while room > 0 {
            let progress = try readOnce(connection, atMost: room)
            switch progress {
            case .wouldBlock(let interest):
                connection.interest = interest
                return .keep
            case .endOfStream:
                connection.inputEnded = true
                return try inputEnded(connection)
            case .bytes(let count):
                room -= max(count, 1)
                if !scratch.isEmpty {
                    guard try feed(scratch, to: connection) == .keep else { return .close }
                } else if connection.bodyDecoder?.isComplete == true {
                    guard try finishBody(connection) == .keep else { return .close }
                }
            }
            // Idle again: a request was answered, and the next is for another turn.
            switch connection.phase {
            case .head, .body: break
            default: return .keep
            }
        }
        return .keep
    }

    /// Reads once, straight into the body when that is all there can be, else into `scratch`.
    private func readOnce(_ connection: Connection, atMost room: Int) throws(StreamError) -> Stream.Progress {
        scratch.removeAll(keepingCapacity: true)
        if case .body = connection.phase, let missing = connection.bodyDecoder?.missingBytes, missing > 0 {
            let wanted = min(missing, room)
            guard reserve(wanted, for: connection) else { return try overBudget(connection) }
            let start = connection.body.memory.count
            let progress = try append(upTo: wanted, from: connection.stream, to: &connection.body.memory)
            show(from: start, of: connection)
            if case .bytes(let count) = progress {
                connection.bodyDecoder?.advance(by: count)
                if let fault = bodyGrew(connection) {
                    return try refuse(fault, on: connection) == .keep ? .bytes(0) : .endOfStream
                }
            }
            return progress
        }
        return try append(upTo: min(Self.headReadBytes, room), from: connection.stream, to: &scratch)
    }

    func append(
        upTo count: Int, from stream: Stream, to bytes: inout [UInt8]
    ) throws(StreamError) -> Stream.Progress {
        var progress = Stream.Progress.endOfStream
        try bytes.append(addingCapacity: count) { (output: inout OutputSpan<UInt8>) throws(StreamError) in
            progress = try stream.read(into: &output)
        }
        return progress
    }

    /// Has the request see what was added to its body's memory, which may move to a file next.
    private func show(from start: Int, of connection: Connection) {
        guard let request = connection.request else { return }
        let memory = connection.body.memory
        if start < memory.count { request.take(memory.span.extracting(start..<memory.count)) }
    }

    /// Takes input through the phases until it is used up, a request was answered or the connection has to wait.
    ///
    /// Requests behind one that was answered stay where they are until the connection's next turn: else one that sends
    /// many at once would keep all others of its thread waiting.
    func feed(_ bytes: [UInt8], to connection: Connection) throws(StreamError) -> Step {
        var offset = 0
        while offset < bytes.count {
            switch connection.phase {
            case .idle, .head:
                let rest = bytes.span.extracting(offset..<bytes.count)
                let read: (consumed: Int, head: RequestHead?)
                do throws(HTTPFault) { read = try connection.parser.consume(rest) } catch {
                    return try refuse(error, on: connection)
                }
                offset += read.consumed
                if let head = read.head {
                    guard try begin(head, on: connection) == .keep else { return .close }
                    if connection.isIdle {
                        connection.pending.append(contentsOf: bytes[offset...])
                        return .keep
                    }
                } else {
                    if connection.isIdle && connection.parser.hasBegun { enter(.head, on: connection) }
                    if !chargeHead(connection) { return try overBudget(connection) == .endOfStream ? .close : .keep }
                }
            case .body:
                let rest = bytes.span.extracting(offset..<bytes.count)
                guard reserve(rest.count, for: connection) else {
                    _ = try overBudget(connection)
                    return .keep
                }
                let read: (consumed: Int, isComplete: Bool)
                let start = connection.body.memory.count
                do throws(HTTPFault) {
                    read = try connection.bodyDecoder!.consume(rest, into: &connection.body.memory)
                } catch { return try refuse(error, on: connection) }
                offset += read.consumed
                show(from: start, of: connection)
                if let fault = bodyGrew(connection) { return try refuse(fault, on: connection) }
                if read.isComplete { guard try finishBody(connection) == .keep else { return .close } }
            case .working, .writing:
                connection.pending.append(contentsOf: bytes[offset...])
                return .keep
            case .handshaking, .streaming, .lingering:
                return .keep
            }
        }
        return .keep
    }

    private func inputEnded(_ connection: Connection) throws(StreamError) -> Step {
        switch connection.phase {
        case .head, .body:
            let fault = HTTPFault(
                status: 400, code: "request_incomplete",
                message: "The connection was closed in the middle of the request.",
                offset: nil)
            return try refuse(fault, on: connection)
        case .handshaking, .idle, .working, .writing, .streaming, .lingering: return .close
        }
    }

    // MARK: Requests

    private func begin(_ head: RequestHead, on connection: Connection) throws(StreamError) -> Step {
        releaseHead(connection)
        connection.head = head
        connection.isDelivery = false
        switch handler.decide(head, from: connection.peer) {
        case .answer(var answer):
            // A body that is not read would be taken for a request.
            if head.framing != .none && head.framing != .length(0) { answer.closes = true }
            return try begin(answer, on: connection)
        case .readBody(let maximumBytes, let spool, let request):
            connection.request = request
            connection.isDelivery = request.isDelivery
            connection.body = ArrivingBody(spool: spool)
            let decoder = BodyDecoder(framing: head.framing, limits: httpLimits, maximumBodyBytes: maximumBytes)
            connection.bodyDecoder = decoder
            if let fault = decoder.fault { return try refuse(fault, on: connection) }
            enter(.body, on: connection)
            if decoder.isComplete {
                return try finishBody(connection)
            } else if head.expectsContinue {
                return try sendContinue(connection)
            }
            return .keep
        }
    }

    private func sendContinue(_ connection: Connection) throws(StreamError) -> Step {
        let interim = Response.continueBytes
        // 25 bytes fit every socket buffer that isn't stuffed already; a peer that stuffed it goes.
        return try connection.stream.write(interim.span) == .bytes(interim.count) ? .keep : .close
    }

    private func finishBody(_ connection: Connection) throws(StreamError) -> Step {
        guard let request = connection.request else { return .keep }
        let body: PaddedBytes
        do throws(SpoolFault) { body = try connection.body.take() } catch {
            return try refuse(error.fault, on: connection)
        }
        if body.isMapped { giveBackMemory(connection) }
        connection.bodyDecoder = nil
        connection.request = nil
        enter(.working, on: connection)
        let (id, post) = (connection.id, post)
        // The connection may be gone long before the request is done with the body.
        let lease = MemoryLease(of: connection.chargedBytes, from: budget)
        connection.chargedBytes = 0
        request.finish(body: body) { answer in
            lease.end()  // first: whoever has the answer may send the next body at once
            post(id, answer)
        }
        return .keep
    }

    /// Refuses what is being read; the connection ends with that.
    private func refuse(_ fault: HTTPFault, on connection: Connection) throws(StreamError) -> Step {
        var answer = connection.request?.refuse(fault) ?? handler.refuse(fault, from: connection.peer)
        answer.closes = true
        return try begin(answer, on: connection)
    }

    private func overBudget(_ connection: Connection) throws(StreamError) -> Stream.Progress {
        let fault = HTTPFault(
            status: 503, code: "overloaded", message: "Too much is being received at once; try again soon.", offset: nil
        )
        return try refuse(fault, on: connection) == .keep ? .bytes(0) : .endOfStream
    }

    // MARK: Phases

    func enter(_ phase: Connection.Phase, on connection: Connection) {
        let now = clock.monotonicMicroseconds()
        connection.phase = phase
        connection.phaseStartMicroseconds = now
        switch phase {
        case .handshaking: connection.deadlineMicroseconds = deadlines.handshake(startedAt: now)
        case .idle: connection.deadlineMicroseconds = deadlines.idle(since: now, isCrowded: isCrowded)
        case .head: connection.deadlineMicroseconds = deadlines.head(startedAt: now)
        case .body: connection.deadlineMicroseconds = deadlines.body(startedAt: now, receivedBytes: 0)
        case .working, .streaming: connection.deadlineMicroseconds = Deadlines.never
        case .writing: connection.deadlineMicroseconds = deadlines.write(startedAt: now)
        case .lingering: connection.deadlineMicroseconds = deadlines.linger(startedAt: now)
        }
        connection.interest =
            switch phase {
            case .working: []
            case .writing: .writable
            default: .readable
            }
    }
}
