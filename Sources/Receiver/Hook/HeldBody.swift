import Synchronization
import Wire

/// A body that the store reads while it writes, and that goes before its sender is answered.
final class HeldBody: Sendable {
    private let body: Mutex<PaddedBytes?>

    init(_ body: PaddedBytes) { self.body = Mutex(body) }

    /// nil after `release`.
    var bytes: PaddedBytes? { body.withLock { $0 } }

    /// Gives its memory or its file back, as soon as nobody reads it.
    func release() { body.withLock { $0 = nil } }
}
