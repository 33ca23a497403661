import Transport
import Wire

/// One connection as its I/O thread holds it: the socket, where in a request it is, and what is half read or half sent.
///
/// Lives and dies on one thread. The transitions are in `ConnectionDriver`.
final class Connection {
    enum Phase {
        /// TLS is being agreed on.
        case handshaking
        /// Between requests: no byte of the next one is here.
        case idle
        /// Some of a head is here.
        case head
        case body
        /// The request is with the store or a worker; nothing is read meanwhile.
        case working
        /// The answer waits for the peer to read.
        case writing
        /// The answer goes on for as long as the connection lives.
        case streaming
        /// Our side is closed; what the peer still sends is dropped, so that the answer isn't lost to a reset.
        case lingering
    }

    let id: UInt64
    let stream: Stream
    let peer: SocketAddress
    let isEncrypted: Bool

    var phase: Phase
    /// When patience with this phase ends, on the monotonic clock.
    var deadlineMicroseconds: Int64
    /// When the present phase began, on the monotonic clock.
    var phaseStartMicroseconds: Int64
    /// What epoll watches for.
    var interest: Poller.Interest = .readable

    var parser: RequestHeadParser
    /// The head being answered; says how to frame the answer.
    var head: RequestHead?
    var request: (any PendingRequest)?
    var bodyDecoder: BodyDecoder?
    var body = ArrivingBody()
    /// Taken from the budget of large heads for the one that is being read.
    var chargedHeadBytes = 0
    /// Taken from the memory budget for what `body` has in memory.
    var chargedBytes = 0
    /// Stands in its thread's queue for another turn.
    var isQueued = false
    /// Input behind the present request: pipelined, not looked at yet.
    var pending: [UInt8] = []
    /// Whether the present request is one of someone who may deliver.
    var isDelivery = false
    /// Answers that this connection gets before it has to wait, each but a delivery's success taking one.
    var patience = Connection.fullPatience

    var output: [UInt8] = []
    /// Taken from the memory budget for `output`.
    var chargedOutputBytes = 0
    /// What goes on behind the answer's head.
    var answerStream: (any AnswerStream)?
    /// Bytes of `output` in front of what the stream sent.
    var headBytes = 0
    var outputOffset = 0
    var closesAfterOutput = false
    var lingeredBytes = 0
    /// The peer has closed its side: the present request is its last.
    var inputEnded = false

    init(id: UInt64, stream: Stream, peer: SocketAddress, isEncrypted: Bool, parser: RequestHeadParser, now: Int64) {
        self.id = id
        self.stream = stream
        self.peer = peer
        self.isEncrypted = isEncrypted
        self.parser = parser
        phase = isEncrypted ? .handshaking : .idle
        phaseStartMicroseconds = now
        deadlineMicroseconds = Deadlines.never
    }

    /// Between two requests.
    var isIdle: Bool { if case .idle = phase { true } else { false } }

    /// Can be closed without harm to a request that could be served now.
    var isSpare: Bool { isIdle && (pending.isEmpty || isWaiting) }

    /// A request is here whose turn has come.
    var hasTurn: Bool { isIdle && !pending.isEmpty && patience > 0 }

    /// Has had so many answers without delivering anything that it must wait for the next.
    var isWaiting: Bool { isIdle && patience <= 0 }

    /// Someone who looks whether the server lives never uses it up; someone who floods does at once.
    static let fullPatience = 64
    private static let microsecondsAnAnswer: Int64 = 50_000

    /// Gives back what time has healed, at most all.
    func recover(_ now: Int64) {
        let healed = (now - phaseStartMicroseconds) / Self.microsecondsAnAnswer
        if healed > 0 { patience = Int(min(Int64(Self.fullPatience), Int64(patience) + healed)) }
    }

    /// Of someone who has not said what they want or may not deliver, or has had a refusal: first to go when there is no room.
    var isStranger: Bool {
        switch phase {
        case .handshaking, .head, .lingering: true
        case .body: !isDelivery
        case .idle, .working, .writing, .streaming: false
        }
    }
}
