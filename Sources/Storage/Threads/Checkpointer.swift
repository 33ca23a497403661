import Threads

/// Moves the write-ahead log into the database file, on a thread and connection of its own.
///
/// Passive checkpoints never make the writer wait. Under steady load they may never find the log fully moved, and it grows:
/// past a bound one checkpoint makes the writer wait for what is left, and has it begin again at the front of the file. The
/// file keeps its length: writing over what is there costs the file system less than a new end, and the writer's page
/// cache stays good.
final class Checkpointer: Sendable {
    struct State: Sendable {
        var logBytes = 0
        /// The log's length that is looked at next; lower after it was started anew.
        var threshold: Int
        var done = 0
        var isClosing = false
    }

    private static let pageBytes = 4_096
    /// A long reader keeps a log from starting anew. The writer waits behind us for this long at most.
    private static let restartWaitMilliseconds = 100

    let state: Monitor<State>
    private let options: StoreOptions
    private let folder: DataFolder
    private let onError: @Sendable (StoreError) -> Void

    init(_ folder: DataFolder, _ options: StoreOptions, onError: @escaping @Sendable (StoreError) -> Void) {
        self.folder = folder
        self.options = options
        self.onError = onError
        state = Monitor(State(threshold: options.checkpointBytes))
    }

    /// After each commit: how long the log is.
    func logIs(pages: Int) {
        let bytes = pages * Self.pageBytes
        let isDue = state.read { bytes >= $0.threshold || bytes < $0.logBytes }
        if isDue { state.withLock { $0.logBytes = bytes } }
    }

    /// Checkpoints that ran.
    var count: Int { state.read { $0.done } }

    func close() { state.withLock { $0.isClosing = true } }

    private func connect() throws(StoreError) -> Connection {
        try Connection(path: folder.database, access: .readWrite, busyMilliseconds: Self.restartWaitMilliseconds)
    }

    /// The thread's whole life.
    func run() {
        var connection: Connection?
        var identity: (device: UInt64, inode: UInt64)?
        var restartFrom = options.restartBytes
        while true {
            let isClosing = state.wait(milliseconds: 600_000) { state -> Bool? in
                if state.isClosing { return true }
                if state.logBytes < self.options.checkpointBytes {
                    state.threshold = self.options.checkpointBytes
                    return nil
                }
                return state.logBytes >= state.threshold ? false : nil
            }
            guard let isClosing else { continue }
            if isClosing { return }
            let bytes = state.read { $0.logBytes }
            do throws(StoreError) {
                let open: Connection
                // Of a database that was replaced the log would never be looked at again.
                let present = folder.databaseIdentity()
                if let known = identity, let present, known != present {
                    connection?.leaveLogOnClose()
                    connection = nil
                }
                if let connection { open = connection } else { open = try connect() }
                connection = open
                identity = present
                _ = try open.checkpoint(.passive)
                if bytes < options.restartBytes { restartFrom = options.restartBytes }
                if bytes >= restartFrom {
                    // Should a long reader be in the way, the writer waits for us again only after a quarter more.
                    restartFrom = bytes + options.restartBytes / 4
                    // Without the turnstile a busy writer takes the lock again before we see it free.
                    let turnstile = try Turnstile(folder)
                    let isMine = turnstile.enter(milliseconds: options.busyMilliseconds)
                    defer { if isMine { turnstile.leave() } }
                    _ = try open.checkpoint(.restart)
                    restartFrom = options.restartBytes
                }
            } catch {
                // A lock in the way is no fault: the next commit asks again.
                if error.reason != .locked {
                    onError(error)
                    connection = nil
                }
            }
            // As much again must be written before the next, whatever became of this one.
            state.withLock { state in
                state.done += 1
                state.threshold = max(state.logBytes, bytes) + self.options.checkpointBytes
            }
        }
    }
}
