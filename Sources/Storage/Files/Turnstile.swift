import Glibc

/// `flock(DIR/turnstile)`: gives processes that want to write their turn.
///
/// A process that writes now and then holds it for its transaction; the busy writer thread only passes through, before
/// each BEGIN. So whoever holds it waits for one transaction at most: SQLite's busy timeout alone starves the second
/// process (`performance.md`).
@safe final class Turnstile {
    private let descriptor: Int32

    init(_ folder: DataFolder) throws(StoreError) {
        descriptor = unsafe open(folder.turnstile, O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0o600)
        if descriptor < 0 { throw StoreError(file: "turnstile", systemError: errno) }
        giveToOwnerOfFolder(descriptor, path: folder.turnstile)
    }

    deinit { _ = close(descriptor) }

    /// Takes it, for `leave` to give back.
    ///
    /// Polled, not blocked in the kernel: a holder that was stopped must not stop the server for good.
    ///
    /// - Returns: false when it could not be had in time.
    func enter(milliseconds: Int) -> Bool {
        let pauseMicroseconds: UInt32 = 500
        var left = max(milliseconds, 1) * 2
        while flock(descriptor, LOCK_EX | LOCK_NB) != 0 {
            if errno == EINTR { continue }
            if left <= 0 || errno != EWOULDBLOCK { return false }
            left -= 1
            usleep(pauseMicroseconds)
        }
        return true
    }

    func leave() { _ = flock(descriptor, LOCK_UN) }

    /// Waits until nobody is inside. Goes on when that takes too long: the transaction's own lock then decides.
    func pass(milliseconds: Int) {
        if enter(milliseconds: milliseconds) { leave() }
    }
}
