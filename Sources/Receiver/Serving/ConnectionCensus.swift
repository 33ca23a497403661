import Synchronization
import Transport

/// How many connections there are, in all and for each address.
final class ConnectionCensus: Sendable {
    /// What to do with a connection that was just accepted.
    enum Admission: Equatable { case admit, admitAfterEviction, refuse }

    private let limit: Int
    private let limitPerAddress: Int
    private let isTrusted: @Sendable (SocketAddress) -> Bool
    private let perAddress = Mutex<[UInt128: Int]>([:])
    private let count = Atomic<Int>(0)
    private let departure = Signal()

    /// - Parameter isTrusted: a proxy of ours, behind which many clients share one address.
    init(limit: Int, limitPerAddress: Int, isTrusted: @escaping @Sendable (SocketAddress) -> Bool) {
        self.limit = limit
        self.limitPerAddress = limitPerAddress
        self.isTrusted = isTrusted
    }

    /// Counts a new connection unless it is refused; every admitted one must be followed by one `left`.
    func arrived(_ peer: SocketAddress) -> Admission {
        let isAdmitted = perAddress.withLock { perAddress in
            let already = perAddress[peer.limiterKey, default: 0]
            if already >= limitPerAddress && !isTrusted(peer) { return false }
            perAddress[peer.limiterKey] = already + 1
            return true
        }
        guard isAdmitted else { return .refuse }
        return count.add(1, ordering: .relaxed).newValue > limit ? .admitAfterEviction : .admit
    }

    func left(_ peer: SocketAddress) {
        count.subtract(1, ordering: .relaxed)
        perAddress.withLock { perAddress in
            let now = perAddress[peer.limiterKey, default: 1] - 1
            perAddress[peer.limiterKey] = now > 0 ? now : nil
        }
        departure.raise()
    }

    /// Waits until a connection has left, or so long.
    func waitForDeparture(milliseconds: Int64) { departure.wait(milliseconds: milliseconds) }

    var total: Int { count.load(ordering: .relaxed) }
    var isCrowded: Bool { total * 2 > limit }
}
