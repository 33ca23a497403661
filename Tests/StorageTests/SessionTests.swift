import Samples
import TestSupport
import Testing

@testable import Storage

/// A sender whose every sample is one of Apple Health's, at least once: Syncky in the Health Auto Export shape.
@Suite struct SessionTests {
    struct Request: Sendable {
        var session: String?
        var delivery: String
        var sent: String
        var stored: String
        /// stored/changed/repeated
        var counts: String

        init(_ session: String?, _ delivery: String, _ sent: String, _ stored: String, _ counts: String) {
            (self.session, self.delivery, self.sent) = (session, delivery, sent)
            (self.stored, self.counts) = (stored, counts)
        }
    }

    struct Case: Sendable, CustomTestStringConvertible {
        var name: String
        var requests: [Request]
        var testDescription: String { name }
        init(_ name: String, _ requests: [Request]) { (self.name, self.requests) = (name, requests) }
    }

    static let cases: [Case] = [
        Case(
            "members are only ever added",
            [
                Request("s1", "d1", "A=4", "A=4", "1/0/0"), Request("s2", "d2", "B=1", "A=4 B=1", "1/0/0"),
                Request("s3", "d3", "A=2", "A=2 A=4 B=1", "1/0/0"), Request("s4", "d4", "A=4", "A=2 A=4 B=1", "0/0/1"),
            ]),
        Case(
            "the end of a request cuts a slot with twins",
            [
                Request("s1", "d1", "A=4 A=9", "A=4 A=9", "2/0/0"),
                Request("s1", "d2", "A=4", "A=4 A=4 A=9", "1/0/0"),
                Request("s1", "d3", "A=4 A=9", "A=4 A=4 A=4 A=9 A=9", "2/0/0"),
            ]),
        Case(
            "a request arrives twice",
            [
                Request("s1", "d1", "A=4 A=4", "A=4 A=4", "2/0/0"), Request("s1", "d1", "A=4 A=4", "A=4 A=4", "0/0/2"),
                Request("s1", "d2", "A=4", "A=4 A=4 A=4", "1/0/0"), Request("s1", "d2", "A=4", "A=4 A=4 A=4", "0/0/1"),
                Request("s1", "d1", "A=4 A=4", "A=4 A=4 A=4", "0/0/2"),
            ]),
        Case(
            "stored, the reply is lost: all of it again in a new session",
            [
                Request("s1", "d1", "A=4 A=4", "A=4 A=4", "2/0/0"), Request("s2", "d2", "A=4 A=4", "A=4 A=4", "0/0/2"),
                Request("s3", "d3", "A=4 A=4", "A=4 A=4", "0/0/2"),
            ]),
        Case(
            "the reply to the second of two requests is lost: only that one comes again",
            [
                Request("s1", "d1", "A=4 A=9", "A=4 A=9", "2/0/0"), Request("s1", "d2", "A=4", "A=4 A=4 A=9", "1/0/0"),
                Request("s2", "d3", "A=4", "A=4 A=4 A=9", "0/0/1"),
            ]),
        Case(
            "the first reply is lost, and the twin comes in the new session's second request",
            [
                Request("s1", "d1", "A=4", "A=4", "1/0/0"), Request("s2", "d2", "A=4", "A=4", "0/0/1"),
                Request("s2", "d3", "A=4", "A=4 A=4", "1/0/0"), Request("s2", "d3", "A=4", "A=4 A=4", "0/0/1"),
                Request("s3", "d4", "A=4", "A=4 A=4", "0/0/1"), Request("s3", "d5", "A=4", "A=4 A=4", "0/0/1"),
                Request("s3", "d6", "A=4", "A=4 A=4 A=4", "1/0/0"),
            ]),
        Case(
            "an earlier session's row stays its own when a new member gives it another part",
            [
                Request("s0", "d0", "A=10", "A=10", "1/0/0"), Request("s1", "d1", "A=4", "A=4 A=10", "1/0/0"),
                Request("s1", "d2", "A=10", "A=4 A=10", "0/0/1"), Request("s1", "d3", "A=10", "A=4 A=10 A=10", "1/0/0"),
            ]),
        Case(
            "cut in another place the second time",
            [
                Request("s1", "d1", "A=1 A=2 A=2", "A=1 A=2 A=2", "3/0/0"),
                Request("s2", "d2", "A=1 A=2", "A=1 A=2 A=2", "0/0/2"),
                Request("s2", "d3", "A=2", "A=1 A=2 A=2", "0/0/1"),
            ]),
        Case(
            "without a session each request stands alone",
            [
                Request(nil, "d1", "A=4", "A=4", "1/0/0"), Request(nil, "d2", "A=4", "A=4", "0/0/1"),
                Request(nil, "d3", "A=4 A=4", "A=4 A=4", "1/0/1"),
            ]),
        Case(
            "the same recorders in another spelling",
            [
                Request("s1", "d1", "Apple\u{A0}Watch=4", "Apple\u{A0}Watch=4", "1/0/0"),
                Request("s2", "d2", "Apple_Watch=4", "Apple\u{A0}Watch=4", "0/0/1"),
            ]),
        // What can't be told from a repeat: the twin's request never arrived, and the next session begins with it.
        Case(
            "the one case that is taken for a repeat",
            [Request("s1", "d1", "A=4", "A=4", "1/0/0"), Request("s2", "d2", "A=4", "A=4", "0/0/1")]),
    ]

    @Test(arguments: cases, [false, true]) func sessions(_ one: Case, restarts: Bool) throws {
        let harness = try MergingHarness()
        for (index, request) in one.requests.enumerated() {
            harness.window = MergeWindow(
                cutsBuckets: true, isPerSample: true, session: request.session.map { Array($0.utf8) })
            let sent = MergingHarness.members(request.sent, .slotSum, .raw)
            #expect(harness.send(sent, delivery: request.delivery) == request.counts, "request \(index)")
            #expect(try harness.slot() == request.stored, "request \(index)")
            try harness.expectConsistency("request \(index)")
            if restarts { try harness.restart() }
            let before = try harness.table()
            #expect(harness.send(sent, delivery: request.delivery) == "0/0/\(sent.count)", "request \(index)")
            #expect(try harness.table() == before, "request \(index)")
        }
    }

    /// The same bytes again, under another id: a session never sends them twice on purpose.
    @Test(arguments: [false, true]) func aBodyThatComesTwiceIsOneRequest(restarts: Bool) throws {
        let harness = try MergingHarness()
        func send(_ session: String, _ delivery: String, _ body: Int64, _ sent: String) -> String {
            harness.window = MergeWindow(
                cutsBuckets: true, isPerSample: true, session: Array(session.utf8), bodyHash: body)
            return harness.send(MergingHarness.members(sent, .slotSum, .raw), delivery: delivery)
        }
        #expect(send("s1", "d1", 1, "A=4 A=4 A=7") == "3/0/0")
        if restarts { try harness.restart() }
        let before = try harness.table()
        #expect(send("s1", "d2", 1, "A=4 A=4 A=7") == "0/0/3")
        #expect(send("s1", "d3", 1, "A=4 A=4 A=7") == "0/0/3")
        #expect(try harness.table() == before)
        #expect(send("s1", "d4", 2, "A=4") == "1/0/0")
        // In a later session, where nothing of it is stored, its requests are told apart by what they brought again.
        #expect(send("s2", "d5", 1, "A=4 A=4 A=7") == "0/0/3")
        if restarts { try harness.restart() }
        #expect(send("s2", "d6", 1, "A=4 A=4 A=7") == "0/0/3")
        #expect(send("s2", "d7", 3, "A=4 A=7") == "1/0/1")
        #expect(try harness.slot() == "A=4 A=4 A=4 A=7 A=7")
        try harness.expectConsistency()
    }

    @Test func oneRequestInSlicesIsOneRequest() throws {
        let harness = try MergingHarness()
        harness.window = MergeWindow(cutsBuckets: true, isPerSample: true, session: Array("s1".utf8))
        let four = MergingHarness.members("A=4", .slotSum, .raw)
        let other = MergingHarness.members("A=1", .slotSum, .raw, slot: 2)
        let body = [four + other, other + four, four + other]
        #expect(harness.send(harness.stream(body)) == "6/0/0")
        #expect(try harness.slot() == "A=4 A=4 A=4")
        harness.window.session = Array("s2".utf8)
        let before = try harness.table()
        #expect(harness.send(harness.stream(body)) == "0/0/6")
        #expect(try harness.table() == before)
    }

    /// One batch, where a new slot is taken as it is, and the same in slices, where each sample is counted.
    @Test func aBatchAndItsSlicesStoreTheSame() throws {
        var random = SeededGenerator(seed: 5)
        let whole = try MergingHarness(), sliced = try MergingHarness()
        for step in 0..<120 {
            let session = Array("s\(step / 8)".utf8), hasSession = step % 16 < 12
            for harness in [whole, sliced] {
                harness.window = MergeWindow(
                    cutsBuckets: true, isPerSample: true, session: hasSession ? session : nil)
            }
            let sent = (0..<Int.random(in: 1...6, using: &random)).flatMap { _ in
                let text = "\(["A", "B"].randomElement(using: &random) ?? "A")=\(Int.random(in: 1...3, using: &random))"
                return MergingHarness.members(text, .slot, .raw, slot: Int.random(in: 0..<(step + 4), using: &random))
            }
            let delivery = "d\(step - Int.random(in: 0...1, using: &random))"
            var stream = sliced.stream([[], sent])
            stream.deliveryID = delivery
            #expect(whole.send(sent, delivery: delivery) == sliced.send(stream), "step \(step)")
            #expect(try whole.table() == sliced.table(), "step \(step)")
        }
        try whole.expectConsistency()
    }

    @Test func onlyTheNewestSessionIsRemembered() throws {
        let harness = try MergingHarness()
        for number in 0..<20 {
            harness.window = MergeWindow(cutsBuckets: true, isPerSample: true, session: Array("s\(number)".utf8))
            harness.send(MergingHarness.members("A=4 B=4", .slotSum, .raw))
        }
        #expect(try rows(harness.folder, "SELECT count(*) FROM slot_claim") == ["2"])
        #expect(try Purge.run(directory: harness.folder.path, endpoint: "phone").samples == 2)
        #expect(try rows(harness.folder, "SELECT count(*) FROM slot_claim") == ["0"])
    }

    @Test(arguments: [[0xFF, 0xFE], Array("ü".utf8), [UInt8](repeating: 65, count: 10_000), [0]])
    func anySessionCanBeStored(_ session: [UInt8]) throws {
        let harness = try MergingHarness()
        harness.window = MergeWindow(cutsBuckets: true, isPerSample: true, session: session)
        harness.send(MergingHarness.members("A=4"))
        #expect(harness.send(MergingHarness.members("A=4")) == "1/0/0")
        #expect(
            try rows(harness.folder, "SELECT count(DISTINCT session), max(length(session)) <= 256 FROM delivery") == [
                "1|1"
            ])
    }
}
