import Synchronization
import Testing

@testable import Receiver

/// A closure that was read from its lock hundreds of thousands of times was a tower of thunks: each delivery took longer than
/// the one before, until the stack was full.
@Test func theBellRingsAsFastAfterManyDeliveries() {
    let counters = ServingCounters()
    let rings = Mutex(0)
    counters.onCommit { rings.withLock { $0 += 1 } }
    for _ in 0..<300_000 { counters.wrote("phone", stored: 1, changed: 0, deleted: 0) }
    counters.wrote("phone", stored: 0, changed: 0, deleted: 0)
    #expect(rings.withLock { $0 } == 300_000)
    counters.onCommit(nil)
    counters.wrote("phone", stored: 1, changed: 0, deleted: 0)
    #expect(rings.withLock { $0 } == 300_000 && counters.now.rows["phone"]?.stored == 300_001)
}
