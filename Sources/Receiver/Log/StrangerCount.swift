import Synchronization
import Transport

/// Requests that nobody known sent, counted by address: one log line a minute an address instead of one a request.
final class StrangerCount: Sendable {
    /// Past so many addresses in one minute the rest are counted together.
    private static let maximumAddresses = 1024

    private struct State {
        var byHost: [String: Int] = [:]
        var others = 0
    }

    private let state = Mutex(State())

    func count(_ peer: SocketAddress) {
        let host = peer.host
        state.withLock { state in
            if state.byHost[host] == nil && state.byHost.count >= Self.maximumAddresses {
                state.others += 1
            } else {
                state.byHost[host, default: 0] += 1
            }
        }
    }

    /// Logs and forgets what was counted.
    func flush(to log: Log) {
        let counted = state.withLock { state in
            defer { state = State() }
            return state
        }
        for (host, count) in counted.byHost.sorted(by: { $0.key < $1.key }) {
            log.log(.info, "refused strangers", [("address", .text(host)), ("requests", .int(count))])
        }
        if counted.others > 0 {
            log.log(.info, "refused strangers", [("address", "others"), ("requests", .int(counted.others))])
        }
    }
}
