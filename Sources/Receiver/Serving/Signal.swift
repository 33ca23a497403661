import Threads

/// Wakes one waiting thread; raised while nobody waits, the next wait returns at once.
package final class Signal: Sendable {
    private let isRaised = Monitor(false)

    package init() {}

    package func raise() { isRaised.withLock { $0 = true } }

    package func wait() { while !take(within: 600_000) {} }

    /// Waits at most so long, whatever becomes of the time of day; a raise while nobody waited is not lost.
    package func wait(milliseconds: Int64) { _ = take(within: Int(milliseconds)) }

    /// - Returns: whether it was raised.
    private func take(within milliseconds: Int) -> Bool {
        isRaised.wait(milliseconds: milliseconds) { isRaised in
            defer { isRaised = false }
            return isRaised ? true : nil
        } ?? false
    }
}
