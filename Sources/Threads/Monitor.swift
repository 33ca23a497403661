import Glibc

/// State that threads share and wait for: a mutex with its condition. (`Synchronization.Mutex` can't be waited on.)
///
/// `@unchecked Sendable`: `state` and `waiting` are only touched with the mutex held, and the two C objects never move.
@safe package final class Monitor<State>: @unchecked Sendable {
    private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
    private let condition = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)
    private var state: State
    /// Threads that wait.
    private var waiting = 0

    package init(_ state: sending State) {
        self.state = state
        unsafe _ = pthread_mutex_init(mutex, nil)
        // The monotonic clock: setting the time of day must not stretch a wait.
        var attributes = pthread_condattr_t()
        unsafe _ = pthread_condattr_init(&attributes)
        unsafe _ = pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC)
        unsafe _ = pthread_cond_init(condition, &attributes)
        unsafe _ = pthread_condattr_destroy(&attributes)
    }

    deinit {
        unsafe _ = pthread_cond_destroy(condition)
        unsafe _ = pthread_mutex_destroy(mutex)
        unsafe condition.deallocate()
        unsafe mutex.deallocate()
    }

    /// Changes or reads the state, then wakes every thread that waits: behind the lock, which it would else find taken.
    package func withLock<Result>(_ body: (inout State) -> Result) -> Result {
        unsafe _ = pthread_mutex_lock(mutex)
        let result = body(&state)
        let hasWaiting = waiting > 0
        unsafe _ = pthread_mutex_unlock(mutex)
        if hasWaiting { unsafe _ = pthread_cond_broadcast(condition) }
        return result
    }

    /// Reads the state and wakes nobody.
    package func read<Result>(_ body: (State) -> Result) -> Result {
        unsafe _ = pthread_mutex_lock(mutex)
        defer { unsafe _ = pthread_mutex_unlock(mutex) }
        return body(state)
    }

    /// Waits until `body` answers; it is asked at once and after each change.
    ///
    /// - Returns: nil when `milliseconds` went by.
    package func wait<Result>(milliseconds: Int, for body: (inout State) -> Result?) -> Result? {
        var deadline = timespec()
        unsafe _ = clock_gettime(CLOCK_MONOTONIC, &deadline)
        deadline.tv_sec += milliseconds / 1000
        deadline.tv_nsec += milliseconds % 1000 * 1_000_000
        if deadline.tv_nsec >= 1_000_000_000 {
            deadline.tv_sec += 1
            deadline.tv_nsec -= 1_000_000_000
        }
        unsafe _ = pthread_mutex_lock(mutex)
        waiting += 1
        defer {
            waiting -= 1
            unsafe _ = pthread_mutex_unlock(mutex)
        }
        while true {
            if let result = body(&state) { return result }
            if unsafe pthread_cond_timedwait(condition, mutex, &deadline) == ETIMEDOUT { return body(&state) }
        }
    }
}
