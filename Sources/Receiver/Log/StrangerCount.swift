import Synchronization
import Transport

/// Requests that nobody known sent, counted by address, of IPv6 by network: one log line a minute for each instead of one a
/// request. It names the first address seen.
final class StrangerCount: Sendable {
    /// Past so many addresses in one minute the rest are counted together.
    private static let maximumAddresses = 1024

    private struct State {
        var byNetwork: [UInt128: (host: String, count: Int)] = [:]
        var others = 0
    }

    private let state = Mutex(State())

    func count(_ peer: SocketAddress) {
        let network = peer.limiterKey
        state.withLock { state in
            if state.byNetwork[network] == nil && state.byNetwork.count >= Self.maximumAddresses {
                state.others += 1
            } else {
                state.byNetwork[network, default: (peer.host, 0)].count += 1
            }
        }
    }

    /// Logs and forgets what was counted.
    func flush(to log: Log) {
        let counted = state.withLock { state in
            defer { state = State() }
            return state
        }
        for (host, count) in counted.byNetwork.values.sorted(by: { $0.host < $1.host }) {
            log.log(.info, "refused strangers", [("address", .text(host)), ("requests", .int(count))])
        }
        if counted.others > 0 {
            log.log(.info, "refused strangers", [("address", "others"), ("requests", .int(counted.others))])
        }
    }
}
