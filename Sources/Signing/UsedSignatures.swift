import Synchronization

/// The signatures of requests that were stored, so that a repeat within the time window is recognised.
///
/// Times are those of the clock that the window is checked with: when that clock is set back, what was used stays used.
/// Bounded: when full, the oldest goes. A lost entry costs little, since storing a request twice changes nothing.
package final class UsedSignatures: Sendable {
    /// What a request with a signature may do.
    package enum Claim: Equatable, Sendable {
        /// Go on, and `release` the signature at the end.
        case granted
        /// It was used before.
        case used
        /// A request with the same signature is being worked on: wait to be called when that has ended.
        case waiting
    }

    private struct State {
        /// Of each signature that is being worked on, who waits for its end.
        var waiting: [Signature: [@Sendable () -> Void]] = [:]
        var rememberedAt: [Signature: Int64] = [:]
        /// In the order of remembering; those before `head` are forgotten.
        var order: [Signature] = []
        var head = 0

        mutating func forgetOldest() {
            rememberedAt[order[head]] = nil
            head += 1
            guard head > 1024, head * 2 > order.count else { return }
            order.removeFirst(head)  // rare enough that its cost, shared by all removals, is constant
            head = 0
        }
    }

    private let maximum: Int
    private let keptSeconds: Int64
    private let state = Mutex(State())

    /// - Parameter maximum: most signatures that are kept, at 80 to 120 bytes each.
    /// - Parameter keptSeconds: a timestamp may lie one window ahead and is good for one window after: twice 300.
    package init(maximum: Int = 65_536, keptSeconds: Int64 = 600) {
        precondition(maximum > 0)
        self.maximum = maximum
        self.keptSeconds = keptSeconds
    }

    /// How many are held, ended ones that nothing has swept yet included.
    package var count: Int { state.withLock { $0.rememberedAt.count } }

    /// Takes `signature` for one request, so that of several at once only one is worked on: else a copy that started
    /// before the first was stored could be stored after something newer.
    ///
    /// - Parameter afterRelease: called once when the answer is `waiting` and the other request has ended; then claim again.
    package func claim(
        _ signature: Signature, nowSeconds: Int64, afterRelease: @escaping @Sendable () -> Void
    ) -> Claim {
        state.withLock { state in
            if let time = state.rememberedAt[signature], nowSeconds - time <= keptSeconds { return .used }
            if state.waiting[signature] != nil {
                state.waiting[signature]?.append(afterRelease)
                return .waiting
            }
            state.waiting[signature] = []
            return .granted
        }
    }

    /// Ends a granted claim. One that wasn't stored can be claimed again: a refused request must be able to come again
    /// byte for byte.
    package func release(_ signature: Signature, isStored: Bool, nowSeconds: Int64) {
        if isStored { remember(signature, nowSeconds: nowSeconds) }
        let waiting = state.withLock { $0.waiting.removeValue(forKey: signature) }
        for proceed in waiting ?? [] { proceed() }
    }

    package func contains(_ signature: Signature, nowSeconds: Int64) -> Bool {
        state.withLock { state in
            guard let time = state.rememberedAt[signature] else { return false }
            return nowSeconds - time <= keptSeconds
        }
    }

    /// For a request that was stored.
    func remember(_ signature: Signature, nowSeconds: Int64) {
        state.withLock { state in
            while state.head < state.order.count, let time = state.rememberedAt[state.order[state.head]],
                nowSeconds - time > keptSeconds
            {
                state.forgetOldest()
            }
            guard state.rememberedAt[signature] == nil else { return }
            if state.rememberedAt.count >= maximum { state.forgetOldest() }
            state.rememberedAt[signature] = nowSeconds
            state.order.append(signature)
        }
    }
}
