import Synchronization

/// `PRAGMA quick_check` on a read-only connection: after an unclean stop, beside the work.
final class DamageCheck: Sendable {
    /// Guards the connection against being interrupted while it goes away.
    private struct Running: @unchecked Sendable {  // interrupt() is the one call that another thread may make
        var connection: Connection?
        var isCancelled = false
        var isFinished = false
    }
    private let running = Mutex(Running())

    init() {}

    /// - Returns: the damage; nil when none was found, the check was cancelled, or could not be made.
    func run(_ folder: DataFolder, busyMilliseconds: Int) -> StoreError? {
        do throws(StoreError) {
            let connection = try Connection(
                path: folder.database, access: .readOnly, busyMilliseconds: busyMilliseconds)
            let goesOn = running.withLock { running in
                if !running.isCancelled { running.connection = connection }
                return !running.isCancelled
            }
            defer { running.withLock { $0.connection = nil } }
            guard goesOn, let verdict = try connection.text("PRAGMA quick_check(1)") else { return nil }
            running.withLock { $0.isFinished = true }
            if verdict == "ok" { return nil }
            return StoreError(.damaged, detail: "found after an unclean stop")
        } catch {
            return error.reason == .damaged ? error : nil
        }
    }

    /// Whether there was a verdict.
    var isFinished: Bool { running.withLock { $0.isFinished } }

    func cancel() {
        running.withLock { running in
            running.isCancelled = true
            running.connection?.interrupt()
        }
    }
}
