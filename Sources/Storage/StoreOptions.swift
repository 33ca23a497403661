package import Samples
import Glibc

/// How a store behaves. The defaults are what `serve` uses.
package struct StoreOptions: Sendable {
    /// The long-running server: looks after checkpoints, pruning and unclean stops. A command that writes a little
    /// beside it sets this to false.
    package var isServer = true
    /// What waiting submissions may hold together; one more is refused with `.overloaded`.
    package var queueBytes = 64 << 20
    /// One transaction takes no more than this, so that the first in it does not wait for ever more behind it.
    package var groupBytes = 64 << 20
    package var groupSubmissions = 256
    /// For a lock of another process.
    package var busyMilliseconds = 5_000
    /// Rows of `deliveries` that no sample refers to go when they are older.
    package var deliveryDays = 90
    /// Below this much free space `probe` says `.full`.
    package var minimumFreeBytes: UInt64 = 32 << 20
    /// How much is written to the write-ahead log from one checkpoint to the next, and its length that has it start anew.
    package var checkpointBytes = 4 << 20
    package var restartBytes = 64 << 20
    /// Sizes of the uuid index.
    var keys = KeyTuning()
    /// Decides what is old.
    package var now: @Sendable () -> Timestamp = { .now }
    /// Called on the writer thread after a commit that put, changed or took rows away, before the replies. Must not block.
    package var onChange: (@Sendable () -> Void)?

    package init() {}
}

extension Timestamp {
    /// The system's clock.
    package static var now: Timestamp {
        var time = timespec()
        unsafe _ = clock_gettime(CLOCK_REALTIME, &time)
        return Timestamp(microseconds: Int64(time.tv_sec) * 1_000_000 + Int64(time.tv_nsec) / 1_000)
    }
}

/// How the store is, for `readyz`, `status` and the log.
package struct StoreCondition: Equatable, Sendable {
    package enum State: String, Equatable, Sendable {
        case ok, full, locked, readOnly, damaged, rebuilding, failing
    }

    package var state = State.ok
    /// What went wrong last and what to do about it, for the log; nil while nothing has. Stays when the state is ok again.
    package var sentence: String?

    package init(state: State = .ok, sentence: String? = nil) {
        self.state = state
        self.sentence = sentence
    }

    init(_ error: StoreError) {
        self.init(state: State(error.fault), sentence: error.sentence)
    }
}

extension StoreCondition.State {
    init(_ fault: StoreFault) {
        self =
            switch fault {
            case .full: .full
            case .locked: .locked
            case .readOnly: .readOnly
            case .damaged: .damaged
            case .rebuilding: .rebuilding
            case .overloaded, .closed, .failed, .refused: .failing
            }
    }
}

/// What the writer has done since it was opened.
package struct StoreCounters: Equatable, Sendable {
    package var transactions = 0
    package var submissions = 0
    package var failures = 0
    package var checkpoints = 0
    package var prunedDeliveries = 0
    /// Slices of the uuid index's upkeep, and the longest of them.
    package var upkeepSlices = 0
    package var longestUpkeepMicroseconds: Int64 = 0
    package init() {}
}
