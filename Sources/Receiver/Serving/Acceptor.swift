import Glibc
import Synchronization
import Transport

/// The accepting thread: takes connections from the listening socket and hands them to the I/O threads in turn.
final class Acceptor: Sendable {
    let address: SocketAddress
    private let listener: Listener
    private let wakeUp: WakeUp
    /// Made before the I/O threads get connections, which may take every descriptor.
    private let poller: Poller
    private let loops: [IOLoop]
    private let shared: SharedServing
    private let log: Log
    private let tls: Mutex<TLSContext?>
    private let isStopping = Atomic<Bool>(false)
    /// Ends the pause behind an error.
    private let stopping = Signal()
    private static let acceptedAtOnce = 4_096
    private static let pauseMilliseconds: Int64 = 1_000
    /// Kept so that, with no descriptor left, one can be freed to accept a connection and close it: otherwise it would
    /// stay in the queue and epoll would report it for ever.
    private let spareDescriptor = Mutex<CInt>(-1)

    init(
        listener: consuming Listener, loops: [IOLoop], shared: SharedServing, tls: TLSContext?, log: Log
    ) throws(Errno) {
        address = listener.localAddress
        self.listener = listener
        self.loops = loops
        self.shared = shared
        self.tls = Mutex(tls)
        self.log = log
        wakeUp = try WakeUp()
        poller = try Poller()
        try poller.add(self.listener.rawValue, token: 0, interest: .readable)
        try poller.add(wakeUp.rawValue, token: 1, interest: .readable)
        spareDescriptor.withLock { $0 = openSpare() }
    }

    deinit { spareDescriptor.withLock { if $0 >= 0 { _ = Glibc.close($0) } } }

    /// New connections use `context`; those that run keep theirs. One without TLS stays so.
    func replaceTLS(with context: TLSContext) { tls.withLock { if $0 != nil { $0 = context } } }

    func stop() {
        isStopping.store(true, ordering: .releasing)
        stopping.raise()
        wakeUp.signal()
    }

    /// Runs until `stop`; then takes what the kernel has queued, once more, and has it refuse the rest.
    func run() throws(Errno) {
        var events: [Poller.Event] = []
        var turn = 0
        while !isStopping.load(ordering: .acquiring) {
            try poller.wait(milliseconds: -1, into: &events)
            acceptAll(&turn)
        }
        acceptAll(&turn)
        listener.stop()
    }

    /// Takes what waits, as much as fits the kernel's queue: epoll tells of more.
    private func acceptAll(_ turn: inout Int) {
        for _ in 0..<Self.acceptedAtOnce {
            do {
                guard let accepted = try listener.accept() else { return }
                admit(accepted, to: loops[turn % loops.count])
                turn &+= 1
            } catch {
                guard error.rawValue == EMFILE || error.rawValue == ENFILE else {
                    log.log(.error, "a connection could not be accepted", [("reason", .text("\(error)"))])
                    // No memory: the connection stays in the queue, and epoll would report it at once.
                    stopping.wait(milliseconds: Self.pauseMilliseconds)
                    return
                }
                if !makeRoom(&turn) { return }
            }
        }
    }

    private func admit(_ accepted: consuming AcceptedConnection, to loop: IOLoop) {
        let peer = accepted.peer
        let admission = shared.census.arrived(peer)
        guard admission != .refuse else { return }
        let context = tls.withLock { $0 }
        do {
            let stream = try Stream(socket: accepted.takeDescriptor(), tls: context)
            loop.send(
                .adopt(
                    IOLoop.Handover(
                        stream: stream, peer: peer, isEncrypted: context != nil,
                        evictsOldestIdle: admission == .admitAfterEviction)))
        } catch {
            shared.census.left(peer)
            log.log(.error, "a connection could not be set up", [("reason", .text("\(error)"))])
        }
    }

    /// With no descriptor left: has the oldest idle connection closed, or else drops the one at the head of the queue.
    ///
    /// One at a time, and waits for it: asked for without waiting, a burst of connections would end every idle one.
    private func makeRoom(_ turn: inout Int) -> Bool {
        for _ in loops where !isStopping.load(ordering: .acquiring) {
            shared.census.waitForDeparture(milliseconds: 0)  // an older departure must not count
            let before = shared.census.total
            loops[turn % loops.count].send(.evictOldestIdle)
            turn &+= 1
            shared.census.waitForDeparture(milliseconds: 10)
            if shared.census.total < before { return true }
        }
        return dropOneWithSpare()
    }

    private func dropOneWithSpare() -> Bool {
        spareDescriptor.withLock { spare in
            guard spare >= 0 else {
                spare = openSpare()
                return false
            }
            _ = Glibc.close(spare)
            spare = -1
            if let accepted = try? listener.accept() { _ = accepted }
            spare = openSpare()
            return true
        }
    }
}

private func openSpare() -> CInt { unsafe Glibc.open("/dev/null", O_RDONLY | O_CLOEXEC) }
