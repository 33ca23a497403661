import Glibc
import Synchronization

/// Wakes one waiting thread; raised while nobody waits, the next wait returns at once.
package final class Signal: Sendable {
    private let raised = Atomic<UInt32>(0)
    private let semaphore: Semaphore

    /// A POSIX semaphore at a fixed address.
    /// `@unchecked`: sem_post and sem_wait are made to be called from any thread.
    /// `@safe`: made in init, freed in deinit and never handed out.
    @safe private final class Semaphore: @unchecked Sendable {
        private let storage: UnsafeMutablePointer<sem_t>
        init() {
            unsafe storage = .allocate(capacity: 1)
            unsafe sem_init(storage, 0, 0)
        }
        deinit {
            unsafe sem_destroy(storage)
            unsafe storage.deallocate()
        }
        func post() { unsafe sem_post(storage) }
        func wait() { while unsafe sem_wait(storage) != 0 && errno == EINTR {} }
        func wait(milliseconds: Int64) {
            var until = timespec()
            unsafe clock_gettime(CLOCK_REALTIME, &until)
            let nanoseconds = Int64(until.tv_nsec) + milliseconds % 1000 * 1_000_000
            until.tv_sec += Int(milliseconds / 1000 + nanoseconds / 1_000_000_000)
            until.tv_nsec = Int(nanoseconds % 1_000_000_000)
            while unsafe sem_timedwait(storage, &until) != 0 && errno == EINTR {}
        }
    }

    package init() { semaphore = Semaphore() }

    package func raise() {
        if raised.exchange(1, ordering: .acquiringAndReleasing) == 0 { semaphore.post() }
    }

    package func wait() {
        semaphore.wait()
        raised.store(0, ordering: .releasing)
    }

    /// Waits at most so long; a raise while nobody waited is not lost.
    package func wait(milliseconds: Int64) {
        semaphore.wait(milliseconds: milliseconds)
        raised.store(0, ordering: .releasing)
    }
}
