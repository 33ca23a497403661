import Samples
import Storage
import Threads

/// Slices of a large body on their way from the thread that decodes them to the one that stores them.
///
/// Bounded: the decoder is at most a slice ahead, and of large slices there is one at a time. Either side may end first:
/// the decoder with `finish`, the store with `cancel`.
final class SlicesAhead: Sendable {
    /// The storing side has its answer and takes no more.
    struct Cancelled: Error {}

    private struct State: Sendable {
        var waiting: [SampleBatch] = []
        /// Of all slices that wait or are being stored.
        var bytes = 0
        /// Of the one that is being stored.
        var bytesInStore = 0
        var end: Result<Void, any Error>?
        var isBegun = false
        var isCancelled = false
    }

    /// A slice past this is there alone: nothing is decoded beside it.
    static let largeSliceBytes = 4 << 20
    /// Of slices that wait or are being stored, where none is large.
    private static let maximumBytes = 2 * largeSliceBytes

    private let state = Monitor(State())

    /// Gives a slice away, as soon as there is room; of a large one it waits until that is stored.
    func put(_ slice: consuming SampleBatch) throws {
        let bytes = slice.arenaBytes
        let given = slice
        try wait { state in
            guard state.waiting.isEmpty, state.bytes == 0 || state.bytes + bytes <= Self.maximumBytes else {
                return false
            }
            state.waiting.append(given)
            state.bytes += bytes
            return true
        }
        if bytes > Self.largeSliceBytes { try wait { $0.bytes == 0 } }
    }

    private func wait(for isDone: (inout State) -> Bool) throws {
        while true {
            let result = state.wait(milliseconds: 60_000) { state -> Bool? in
                if state.isCancelled { return false }
                return isDone(&state) ? true : nil
            }
            // Not known to `wait`, whose threads wait for changes made under `withLock`.
            state.withLock { _ in }
            if let result {
                if result { return }
                throw Cancelled()
            }
        }
    }

    /// The decoder's end: all slices were given, or what went wrong.
    func finish(_ end: Result<Void, any Error>) { state.withLock { $0.end = end } }

    /// The store's end. The decoder stops at its next slice.
    func cancel() {
        state.withLock { state in
            state.isCancelled = true
            state.waiting = []
        }
    }

    /// Gives each slice to `sink`, on the calling thread, and waits for the decoder where it isn't ahead. Once.
    ///
    /// - Throws: the decoder's fault, or what `sink` throws.
    func drain(_ sink: SampleStream.Sink) throws {
        let isFirst = state.withLock { state in
            defer { state.isBegun = true }
            return !state.isBegun
        }
        guard isFirst else { throw StoreError(.failed, detail: "a body is read once") }
        while let slice = try next() { try sink(slice) }
    }

    private func next() throws -> SampleBatch? {
        state.withLock { state in
            state.bytes -= state.bytesInStore
            state.bytesInStore = 0
        }
        while true {
            let turn = state.wait(milliseconds: 60_000) { state -> Result<SampleBatch?, any Error>? in
                if let slice = state.waiting.first {
                    state.waiting = []
                    state.bytesInStore = slice.arenaBytes
                    return .success(slice)
                }
                return state.end.map { $0.map { nil } }
            }
            state.withLock { _ in }
            if let turn { return try turn.get() }
        }
    }
}
