import Samples
import Storage
import Synchronization
import Testing
import Threads

@testable import Receiver

/// Large bodies are decoded beside the thread that stores them, and come to it when there is something to store.
struct DecodeAheadTests {
    private static let limits: Limits = {
        var limits = Limits()
        limits.spoolPastBytes = 65_536
        return limits
    }()

    private func post(_ body: [UInt8], to server: TestServer) throws -> ClientResponse {
        try server.post(HealthAutoExportServingTests.request(body))
    }

    private func names(_ count: Int, end: String) -> [UInt8] {
        Array(("{\"data\":{" + (0..<count).map { "\"name-\($0)\":0" }.joined(separator: ",") + end).utf8)
    }

    /// The store sees the one row that says what became of it, and no transaction that was begun in vain.
    @Test func aBodyOfNothingButNamesNeverHoldsTheWriter() throws {
        let server = try TestServer(limits: Self.limits, isSigned: false, format: .hae)
        #expect(try post(names(20_000, end: "}}"), to: server).status == 200)
        #expect(try post(names(20_000, end: "}]"), to: server).errorCode == "json_invalid")
        #expect(server.server.storeCounters.failures == 0)
        #expect(server.server.storeCounters.transactions == 2)
    }

    @Test func aBodyThatIsRefusedInItsFirstSliceNeverHoldsTheWriter() throws {
        let server = try TestServer(limits: Self.limits, isSigned: false, format: .hae)
        for body in [
            Array(LargeBodyTests.body(points: 4_000).dropLast(1)),
            [UInt8](repeating: UInt8(ascii: "["), count: 200_000),
            Array(repeatElement(Array("{\"a\":".utf8), count: 40_000).joined()),
        ] {
            #expect(try post(body, to: server).status == 400)
        }
        #expect(server.server.storeCounters.failures == 0)
        #expect(try server.storedCount() == 0)
    }

    /// One of several slices is stored while it is decoded; what is wrong at its end takes all of it back.
    @Test func aFaultBehindSeveralSlicesStoresNothing() throws {
        let server = try TestServer(limits: Self.limits, isSigned: false, format: .hae)
        #expect(try post(Array(LargeBodyTests.body(points: 20_000).dropLast(1)), to: server).status == 400)
        #expect(server.server.storeCounters.failures == 1)
        #expect(try server.storedCount() == 0)
        let answer = try post(LargeBodyTests.body(points: 20_000), to: server)
        #expect(String(decoding: answer.body, as: UTF8.self).contains(#""stored":20000,"#))
        #expect(server.eventually { server.server.spooledBodies == 0 })
    }

    // MARK: Between the two threads

    private func slice(arenaBytes: Int = 10) -> SampleBatch {
        var batch = SampleBatch()
        _ = batch.append([UInt8](repeating: 1, count: arenaBytes))
        return batch
    }

    /// What the two sides did, in order.
    private final class Steps: Sendable {
        let list = Mutex<[String]>([])
        func add(_ step: String) { list.withLock { $0.append(step) } }
        var all: [String] { list.withLock { $0 } }
    }

    struct Fault: Error, Equatable {}

    @Test func slicesComeInOrderAndTheEndBehindThem() throws {
        for end in [Result<Void, any Error>.success(()), .failure(Fault())] {
            let ahead = SlicesAhead()
            let decoder = SystemThread(named: "decoder") { [self] in
                for bytes in 1...50 { try? ahead.put(slice(arenaBytes: bytes)) }
                ahead.finish(end)
            }
            var seen: [Int] = [], fault: Fault?
            do { try ahead.drain { slice in seen.append(slice.arenaBytes) } } catch { fault = error as? Fault }
            decoder.join()
            #expect(seen == Array(1...50))
            #expect((fault != nil) == ((try? end.get()) == nil))
        }
    }

    /// One slice is stored, one waits, and the decoder has a third in its hands: never more.
    @Test func theDecoderIsASliceAhead() throws {
        let ahead = SlicesAhead(), given = Atomic(0)
        let decoder = SystemThread(named: "decoder") { [self] in
            for _ in 0..<20 {
                try? ahead.put(slice())
                given.add(1, ordering: .sequentiallyConsistent)
            }
            ahead.finish(.success(()))
        }
        var taken = 0
        try ahead.drain { _ in
            taken += 1
            #expect(given.load(ordering: .sequentiallyConsistent) <= taken + 1)
        }
        decoder.join()
        #expect(taken == 20)
    }

    /// Of what is large there is one, stored or waiting.
    @Test func largeSlicesAreThereAlone() throws {
        let ahead = SlicesAhead(), steps = Steps()
        let decoder = SystemThread(named: "decoder") { [self] in
            for number in 1...4 {
                steps.add("decoded \(number)")
                try? ahead.put(slice(arenaBytes: SlicesAhead.largeSliceBytes + 1))
            }
            ahead.finish(.success(()))
        }
        var number = 0
        try ahead.drain { _ in
            number += 1
            steps.add("stored \(number)")
        }
        decoder.join()
        #expect(steps.all == (1...4).flatMap { ["decoded \($0)", "stored \($0)"] })
    }

    /// The store answers without having read anything, or in the midst of it: the decoder doesn't wait for ever.
    @Test func aStoreThatTakesNoMoreEndsTheDecoder() throws {
        let ahead = SlicesAhead(), steps = Steps()
        let decoder = SystemThread(named: "decoder") { [self] in
            do { while true { try ahead.put(slice()) } } catch { steps.add("\(type(of: error))") }
        }
        ahead.cancel()
        decoder.join()
        #expect(steps.all == ["Cancelled"])
    }

    @Test func aBodyIsReadOnce() throws {
        let ahead = SlicesAhead()
        ahead.finish(.success(()))
        try ahead.drain { _ in }
        #expect(throws: StoreError.self) { try ahead.drain { _ in } }
    }
}
