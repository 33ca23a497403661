import Transport

/// An I/O thread from outside: a mailbox, and the thread that empties it.
///
/// Each has its own epoll set and connections; nothing is shared between two of them but atomics and the budget.
final class IOLoop: Sendable {
    enum Message: Sendable {
        case adopt(Handover)
        case answer(connection: UInt64, Answer)
        /// More of an answer that goes on; nil at its end.
        case piece(connection: UInt64, [UInt8]?)
        /// Close what has idled for so long, let the rest finish and keep no connection after an answer.
        case drain(idleMicroseconds: Int64)
        /// Close everything and end the thread.
        case stop
        /// No descriptor is left: close the connection that idled longest.
        case evictOldestIdle
        /// Look at the deadlines now; tests send it after they moved the clock.
        case sweep
    }

    /// An accepted connection on its way from the accepting thread to this one.
    /// `@unchecked`: the sender gives the stream away and keeps nothing of it.
    struct Handover: @unchecked Sendable {
        let stream: Stream
        let peer: SocketAddress
        let isEncrypted: Bool
        /// Close the connection that idled longest first; if none idles, close this one.
        let evictsOldestIdle: Bool
    }

    fileprivate static let mailboxToken: UInt64 = 0

    fileprivate let mailbox: Mailbox<Message>
    fileprivate let shared: SharedServing
    /// Made here and not by the thread: once others accept, the first strangers may have taken every descriptor.
    fileprivate let poller: Poller

    init(shared: SharedServing) throws(Errno) {
        mailbox = try Mailbox()
        self.shared = shared
        poller = try Poller()
        try poller.add(mailbox.wakeUp.rawValue, token: Self.mailboxToken, interest: .readable)
    }

    func send(_ message: Message) { mailbox.put(message) }

    /// Runs until `.stop`; the body of an I/O thread.
    func run() throws(Errno) {
        let driver = ConnectionDriver(
            handler: shared.handler, limits: shared.limits, budget: shared.budget, heads: shared.heads,
            clock: shared.clock,
            chargesAnswers: shared.chargesAnswers,
            post: { [self] id, answer in mailbox.put(.answer(connection: id, answer)) },
            postPiece: { [self] id, piece in mailbox.put(.piece(connection: id, piece)) })
        try IOThread(self, driver).run()
    }
}

/// What all I/O threads and the accepting thread look at.
struct SharedServing: Sendable {
    let handler: any RequestHandling
    let limits: Limits
    let budget: MemoryBudget
    /// Of large heads, which strangers send too.
    let heads = MemoryBudget(limitBytes: 32 << 20)
    let clock: ServerClock
    let census: ConnectionCensus
    /// Whether large answers count into the budget.
    var chargesAnswers = false
}

/// The state of one I/O thread; never seen by another.
private final class IOThread {
    /// Connections that get a turn before epoll is asked again.
    private static let turnsPerRound = 32
    /// How often deadlines are looked at while there are connections.
    private static let sweepMilliseconds: Int32 = 200

    private let loop: IOLoop
    private let shared: SharedServing
    private let driver: ConnectionDriver
    private var connections: [UInt64: Connection] = [:]
    /// What epoll was last told for each connection.
    private var watched: [UInt64: Poller.Interest] = [:]
    private var nextID: UInt64 = 1
    private var nextSweepMicroseconds: Int64 = 0
    /// Connections with input of which epoll knows nothing: inside OpenSSL, or requests behind one that was answered.
    private var again: [UInt64] = []
    /// Connections that are out of patience: not read from before it is back.
    private var waiting: Set<UInt64> = []
    private var isStopped = false

    init(_ loop: IOLoop, _ driver: ConnectionDriver) {
        self.loop = loop
        self.driver = driver
        shared = loop.shared
    }

    func run() throws(Errno) {
        var events: [Poller.Event] = []
        while !isStopped {
            let timeout = !again.isEmpty ? 0 : connections.isEmpty ? -1 : Self.sweepMilliseconds
            try loop.poller.wait(milliseconds: timeout, into: &events)
            driver.isCrowded = shared.census.isCrowded
            for event in events {
                if event.token == IOLoop.mailboxToken {
                    for message in loop.mailbox.takeAll() { handle(message) }
                } else if let connection = connections[event.token] {
                    let isUnwanted = wanted(connection).isEmpty
                    settle(connection, driver.ready(connection, event), isUnwanted: isUnwanted)
                }
            }
            let turns = Array(again.prefix(Self.turnsPerRound))
            again.removeFirst(turns.count)
            for id in turns {
                guard let connection = connections[id] else { continue }
                connection.isQueued = false
                settle(connection, driver.ready(connection, .readable(token: id)))
            }
            let now = shared.clock.monotonicMicroseconds()
            if now >= nextSweepMicroseconds { sweep(now) }
        }
    }

    private func handle(_ message: IOLoop.Message) {
        switch message {
        case .adopt(let handover): adopt(handover)
        case .answer(let id, let answer):
            guard let connection = connections[id] else { return }
            settle(connection, driver.answered(connection, answer))
        case .piece(let id, let piece):
            guard let connection = connections[id] else { return }
            settle(connection, driver.streamed(connection, piece))
        case .drain(let idleMicroseconds):
            driver.isDraining = true
            for connection in connections.values {
                settle(connection, driver.drain(connection, idleMicroseconds: idleMicroseconds))
            }
        case .stop:
            for connection in connections.values { close(connection) }
            isStopped = true
        case .evictOldestIdle: evictOldestIdle()
        case .sweep: sweep(shared.clock.monotonicMicroseconds())
        }
    }

    private func adopt(_ handover: IOLoop.Handover) {
        if handover.evictsOldestIdle && !evictOldestIdle() {
            shared.census.left(handover.peer)
            return
        }
        let connection = driver.makeConnection(
            id: nextID, stream: handover.stream, peer: handover.peer, isEncrypted: handover.isEncrypted)
        nextID += 1
        do {
            try loop.poller.add(connection.stream.descriptor, token: connection.id, interest: .readable)
        } catch {
            shared.census.left(handover.peer)
            return
        }
        connections[connection.id] = connection
        watched[connection.id] = .readable
        // Most peers have sent their request by now: reading at once spares a round through epoll.
        settle(connection, driver.ready(connection, .readable(token: connection.id)))
    }

    @discardableResult private func evictOldestIdle() -> Bool {
        // Without an idle one it is the slowest of strangers, most of whom have not even sent a head: the usual way to fill a
        // server.
        guard let oldest = oldest(\.isSpare) ?? oldest(\.isStranger) else { return false }
        close(oldest)
        return true
    }

    private func oldest(_ condition: (Connection) -> Bool) -> Connection? {
        connections.values.lazy.filter(condition).min { $0.phaseStartMicroseconds < $1.phaseStartMicroseconds }
    }

    private func wanted(_ connection: Connection) -> Poller.Interest {
        let isStill = connection.isIdle && (!connection.pending.isEmpty || connection.isWaiting)
        return isStill ? [] : connection.interest
    }

    /// Brings epoll up to what the step left behind.
    ///
    /// A peer that waits for its answer hardly ever says more before it has it: epoll is told not to listen only once it
    /// did, which spares two calls a request.
    ///
    /// - Parameter isUnwanted: epoll had something to say of a connection that nothing was wanted of.
    private func settle(_ connection: Connection, _ step: ConnectionDriver.Step, isUnwanted: Bool = false) {
        guard step == .keep else { return close(connection) }
        if connection.isWaiting { waiting.insert(connection.id) }
        let interest = wanted(connection), former = watched[connection.id]
        let mayStay = interest.isEmpty && former == .readable && !isUnwanted
        if former != interest && !mayStay {
            do {
                try loop.poller.modify(connection.stream.descriptor, token: connection.id, interest: interest)
                watched[connection.id] = interest
            } catch { return close(connection) }
        }
        let isUnread = interest.contains(.readable) && connection.stream.hasBufferedInput
        if !connection.isQueued && (connection.hasTurn || isUnread) {
            connection.isQueued = true
            again.append(connection.id)
        }
    }

    private func close(_ connection: Connection) {
        guard connections.removeValue(forKey: connection.id) != nil else { return }
        watched[connection.id] = nil
        waiting.remove(connection.id)
        try? loop.poller.remove(connection.stream.descriptor)
        driver.release(connection)
        shared.census.left(connection.peer)
    }

    private func sweep(_ now: Int64) {
        nextSweepMicroseconds = now + Int64(Self.sweepMilliseconds) * 1000
        for connection in connections.values where connection.deadlineMicroseconds <= now {
            settle(connection, driver.expired(connection))
        }
        for id in waiting {
            guard let connection = connections[id] else { continue }
            connection.recover(now)
            guard !connection.isWaiting else { continue }
            waiting.remove(id)
            settle(connection, .keep)
        }
        // The idle time shrinks when the house fills up, also for those who are idle already.
        if driver.isCrowded {
            for connection in connections.values where connection.isIdle {
                let deadline = driver.deadlines.idle(since: connection.phaseStartMicroseconds, isCrowded: true)
                if deadline <= now { close(connection) }
            }
        }
    }
}
