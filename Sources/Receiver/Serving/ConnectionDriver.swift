import Transport
import Wire

/// Moves connections through their phases: reads, decides, writes. One for each I/O thread, used by that thread alone.
final class ConnectionDriver {
    /// What became of a connection after a step.
    enum Step { case keep, close }

    private static let headReadBytes = 16 * 1024
    /// What is read of one connection before others get their turn: as much as is hashed and copied in half a millisecond.
    static let bytesPerTurn = 256 * 1024
    /// An answer of up to so many bytes is not charged: one that a connection may always have waiting.
    private static let freeAnswerBytes = 64 * 1024

    private let handler: any RequestHandling
    private let httpLimits: HTTPLimits
    let lingerBytes: Int
    private let budget: MemoryBudget
    let clock: ServerClock
    let deadlines: Deadlines
    /// Sends an answer, from whatever thread has it, back to the thread that owns the connection.
    private let post: @Sendable (UInt64, Answer) -> Void
    /// The same for more of an answer that goes on; nil ends it.
    let postPiece: @Sendable (UInt64, [UInt8]?) -> Void
    private let chargesAnswers: Bool
    var isDraining = false
    /// Half of the allowed connections are in use.
    var isCrowded = false

    private var scratch: [UInt8] = []
    private var dateSeconds = Int64.min
    private var date: [UInt8] = []

    init(
        handler: any RequestHandling, limits: Limits, budget: MemoryBudget, clock: ServerClock,
        chargesAnswers: Bool = false, post: @escaping @Sendable (UInt64, Answer) -> Void,
        postPiece: @escaping @Sendable (UInt64, [UInt8]?) -> Void = { _, _ in }
    ) {
        self.handler = handler
        self.httpLimits = HTTPLimits(limits)
        self.lingerBytes = limits.maximumDroppedBytes
        self.budget = budget
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
            case .writing: return try flush(connection) == .keep ? settle(connection) : .close
            case .streaming: return try drop(connection) == .keep ? flushStream(connection) : .close
            case .lingering: return try drop(connection)
            }
        } catch { return .close }
    }

    /// The answer to the request that `connection` waits for.
    func answered(_ connection: Connection, _ answer: Answer) -> Step {
        guard case .working = connection.phase else { return .keep }
        do {
            guard try begin(answer, on: connection) == .keep else { return .close }
            return settle(connection)
        } catch { return .close }
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
        becomeIdle(connection)
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
            switch connection.phase {
            case .idle where connection.pending.isEmpty && !connection.isWaiting: break
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

    private func append(
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
    private func feed(_ bytes: [UInt8], to connection: Connection) throws(StreamError) -> Step {
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
                } else if connection.isIdle && connection.parser.hasBegun {
                    enter(.head, on: connection)
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
        case .working, .writing: return .keep
        case .handshaking, .idle, .streaming, .lingering: return .close
        }
    }

    // MARK: Requests

    private func begin(_ head: RequestHead, on connection: Connection) throws(StreamError) -> Step {
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
        let interim = Array("HTTP/1.1 100 Continue\r\n\r\n".utf8)
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
        request.finish(body: body) { post(id, $0) }
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

    // MARK: Memory of bodies

    /// Makes room for `count` more bytes of body and its padding; false when the budget has no more.
    private func reserve(_ count: Int, for connection: Connection) -> Bool {
        let held = connection.body.memory.count
        let needed = held + count + PaddedBytes.paddingBytes
        guard needed > connection.chargedBytes else { return true }
        var capacity = max(needed, min(connection.chargedBytes * 4, needed + 4 * Self.bytesPerTurn))
        if let missing = connection.bodyDecoder?.missingBytes {
            // Who has sent a fifth of it is believed: each growth copies what is there.
            let whole = held + max(missing, count) + PaddedBytes.paddingBytes
            capacity = held >= missing / 4 ? whole : min(capacity, whole)
        }
        guard budget.take(capacity - connection.chargedBytes) else { return false }
        connection.chargedBytes = capacity
        connection.body.memory.reserveCapacity(capacity)
        return true
    }

    private func releaseBody(_ connection: Connection) {
        giveBackMemory(connection)
        connection.body = ArrivingBody()
        connection.bodyDecoder = nil
        connection.request = nil
    }

    private func giveBackMemory(_ connection: Connection) {
        budget.giveBack(connection.chargedBytes)
        connection.chargedBytes = 0
    }

    /// - Returns: why no more of it can be taken.
    private func bodyGrew(_ connection: Connection) -> HTTPFault? {
        do throws(SpoolFault) { try connection.body.settle() } catch { return error.fault }
        if connection.body.isInFile && connection.chargedBytes > 2 * Self.bytesPerTurn {
            connection.body.memory = []
            giveBackMemory(connection)
        }
        connection.deadlineMicroseconds = deadlines.body(
            startedAt: connection.phaseStartMicroseconds, receivedBytes: connection.body.count)
        return nil
    }

    // MARK: Answers

    private func begin(_ answer: Answer, on connection: Connection) throws(StreamError) -> Step {
        let head = connection.head
        let isHead = head.map { $0.method == "HEAD" } ?? connection.parser.isReadingHEAD
        let keepsAlive =
            head?.keepAlive == true && !answer.closes && !isDraining && !connection.inputEnded && answer.stream == nil
        connection.output = answer.response.serialized(
            isHead: isHead, keepAlive: keepsAlive, minorVersion: head?.minorVersion ?? 1, date: currentDate(),
            isOpen: answer.stream != nil)
        connection.outputOffset = 0
        connection.closesAfterOutput = !keepsAlive
        connection.head = nil
        if connection.isDelivery && (200..<400).contains(answer.response.status) {
            connection.patience = Connection.fullPatience
        } else {
            connection.patience -= 1
        }
        connection.isDelivery = false
        releaseBody(connection)
        guard chargeOutput(connection) else {
            let fault = HTTPFault(
                status: 503, code: "overloaded", message: "Too many answers wait to be read; ask again soon.")
            var refusal = handler.refuse(fault, from: connection.peer)
            refusal.closes = true
            return try begin(refusal, on: connection)
        }
        if let stream = answer.stream, !isHead { return try begin(stream, on: connection) }
        enter(.writing, on: connection)
        return try flush(connection)
    }

    /// - Returns: false when there is no room for what is to be sent.
    private func chargeOutput(_ connection: Connection) -> Bool {
        releaseOutput(connection)
        let count = connection.output.count
        guard chargesAnswers, count > Self.freeAnswerBytes else { return true }
        guard budget.take(count) else {
            connection.output = []
            return false
        }
        connection.chargedOutputBytes = count
        return true
    }

    private func releaseOutput(_ connection: Connection) {
        budget.giveBack(connection.chargedOutputBytes)
        connection.chargedOutputBytes = 0
    }

    /// Sends what waits; then goes on with what the peer has sent meanwhile.
    private func flush(_ connection: Connection) throws(StreamError) -> Step {
        while connection.outputOffset < connection.output.count {
            let output = connection.output
            switch try connection.stream.write(output.span.extracting(connection.outputOffset..<output.count)) {
            case .bytes(let count): connection.outputOffset += count
            case .wouldBlock(let interest):
                connection.interest = interest
                return .keep
            case .endOfStream: return .close
            }
        }
        connection.output = []
        releaseOutput(connection)
        guard connection.closesAfterOutput else {
            becomeIdle(connection)
            return .keep
        }
        connection.pending = []
        connection.stream.shutdownWrite()
        if connection.inputEnded { return .close }
        enter(.lingering, on: connection)
        return .keep
    }

    /// The next request of those that came behind one that was answered.
    private func goOn(_ connection: Connection) throws(StreamError) -> Step {
        let bytes = connection.pending
        connection.pending = []
        guard try feed(bytes, to: connection) == .keep else { return .close }
        return settle(connection)
    }

    /// After an answer: whether anything can still come.
    private func settle(_ connection: Connection) -> Step {
        connection.inputEnded && connection.isIdle && connection.pending.isEmpty ? .close : .keep
    }

    func drop(_ connection: Connection) throws(StreamError) -> Step {
        var room = Self.bytesPerTurn
        while room > 0 {
            scratch.removeAll(keepingCapacity: true)
            switch try append(upTo: Self.headReadBytes, from: connection.stream, to: &scratch) {
            case .wouldBlock(let interest):
                connection.interest = interest
                return .keep
            case .endOfStream: return .close
            case .bytes(let count):
                room -= max(count, 1)
                connection.lingeredBytes += count
                if connection.lingeredBytes > lingerBytes { return .close }
            }
        }
        return .keep
    }

    // MARK: Phases

    private func becomeIdle(_ connection: Connection) {
        enter(.idle, on: connection)
    }

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

    private func currentDate() -> [UInt8] {
        let seconds = clock.wallSeconds
        if seconds != dateSeconds {
            dateSeconds = seconds
            date = httpDate(unixSeconds: seconds)
        }
        return date
    }
}
