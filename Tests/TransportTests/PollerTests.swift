import Glibc
import Synchronization
import TestSupport
import Testing
import Transport

@Test func pollerTellsWhatIsReady() throws {
    let server = try ServerSide()
    let poller = try Poller()
    var events: [Poller.Event] = []
    try poller.add(server.listener.rawValue, token: 1, interest: .readable)
    try poller.wait(milliseconds: 0, into: &events)
    #expect(events == [])

    let client = try server.client()
    try poller.wait(milliseconds: 1000, into: &events)
    #expect(events == [.init(token: 1, readable: true, writable: false, hangUp: false)])
    try server.turns { server.stream != nil }
    let descriptor = try #require(server.stream).descriptor

    try poller.add(descriptor, token: .max, interest: [.readable, .writable])
    try poller.wait(milliseconds: 1000, into: &events)
    #expect(events == [.init(token: .max, readable: false, writable: true, hangUp: false)])
    try poller.modify(descriptor, token: 7, interest: .readable)
    try poller.wait(milliseconds: 0, into: &events)
    #expect(events == [])

    try client.send("a")
    for _ in 0..<2 {  // level-triggered: what isn't read comes again
        try poller.wait(milliseconds: 1000, into: &events)
        #expect(events == [.init(token: 7, readable: true, writable: false, hangUp: false)])
    }
    try poller.modify(descriptor, token: 8, interest: [])
    try poller.wait(milliseconds: 0, into: &events)
    #expect(events == [])
    client.reset()
    try poller.wait(milliseconds: 1000, into: &events)
    #expect(events == [.init(token: 8, readable: true, writable: false, hangUp: true)])

    try poller.remove(descriptor)
    try poller.wait(milliseconds: 0, into: &events)
    #expect(events == [])
    #expect(throws: Errno(rawValue: ENOENT)) { try poller.remove(descriptor) }
    #expect(throws: Errno(rawValue: EBADF)) { try poller.add(-1, token: 0, interest: .readable) }
}

@Test func aHalfClosedPeerIsReadableAndNotHungUp() throws {
    let server = try ServerSide()
    let poller = try Poller()
    let client = try server.client()
    try server.turns { server.stream != nil }
    try poller.add(#require(server.stream).descriptor, token: 3, interest: .readable)
    client.closeWrite()
    var events: [Poller.Event] = []
    try poller.wait(milliseconds: 1000, into: &events)
    #expect(events == [.init(token: 3, readable: true, writable: false, hangUp: false)])
}

@Test func wakeUpEndsAWaitOfAnotherThread() throws {
    let poller = try Poller()
    let wakeUp = try WakeUp()
    try poller.add(wakeUp.rawValue, token: 5, interest: .readable)
    var events: [Poller.Event] = []
    let thread = try startThread { wakeUp.signal() }
    try poller.wait(milliseconds: 5000, into: &events)
    #expect(events == [.init(token: 5, readable: true, writable: false, hangUp: false)])
    pthread_join(thread, nil)
    for _ in 0..<3 { wakeUp.signal() }
    wakeUp.drain()
    try poller.wait(milliseconds: 0, into: &events)
    #expect(events == [])
    wakeUp.drain()  // with nothing to drain it must not block
    wakeUp.signal()
    try poller.wait(milliseconds: 0, into: &events)
    #expect(events.count == 1)
}

private func startThread(_ body: @escaping @Sendable () -> Void) throws -> pthread_t {
    final class Box {
        let body: @Sendable () -> Void
        init(_ body: @escaping @Sendable () -> Void) { self.body = body }
    }
    var thread = pthread_t()
    let context = Unmanaged.passRetained(Box(body)).toOpaque()
    let result = pthread_create(
        &thread, nil,
        { context in
            guard let context else { return nil }
            Unmanaged<Box>.fromOpaque(context).takeRetainedValue().body()
            return nil
        }, context)
    guard result == 0 else { throw Errno(rawValue: result) }
    return thread
}
