import Glibc
package import Samples

/// The two clocks of a server, passed in so that tests move time themselves.
package struct ServerClock: Sendable {
    /// Wall time, in microseconds since 1970-01-01T00:00:00Z.
    package var wallMicroseconds: @Sendable () -> Int64
    /// Time that only runs forward, in microseconds since some moment; for deadlines and durations.
    package var monotonicMicroseconds: @Sendable () -> Int64

    package init(
        wallMicroseconds: @escaping @Sendable () -> Int64, monotonicMicroseconds: @escaping @Sendable () -> Int64
    ) {
        self.wallMicroseconds = wallMicroseconds
        self.monotonicMicroseconds = monotonicMicroseconds
    }

    package static let system = ServerClock(
        wallMicroseconds: { read(CLOCK_REALTIME, ticksPerSecond: 1_000_000) },
        monotonicMicroseconds: { read(CLOCK_MONOTONIC, ticksPerSecond: 1_000_000) })

    package var wallSeconds: Int64 { floorDivided(wallMicroseconds(), by: 1_000_000) }
    package var timestamp: Timestamp { Timestamp(microseconds: wallMicroseconds()) }

    private static func read(_ clock: clockid_t, ticksPerSecond: Int64) -> Int64 {
        var time = timespec()
        _ = unsafe clock_gettime(clock, &time)
        return Int64(time.tv_sec) * ticksPerSecond + Int64(time.tv_nsec) / (1_000_000_000 / ticksPerSecond)
    }
}

/// Division that rounds down also below zero, as clocks need it.
private func floorDivided(_ dividend: Int64, by divisor: Int64) -> Int64 {
    let (quotient, remainder) = dividend.quotientAndRemainder(dividingBy: divisor)
    return remainder < 0 ? quotient - 1 : quotient
}
