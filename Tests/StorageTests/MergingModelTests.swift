import Samples
import TestSupport
import Testing

@testable import Storage

/// Random requests for slots against dictionaries that do the same the obvious way.
@Suite struct MergingModelTests {
    struct Member: Hashable {
        var source: String
        var value: Int
        var text: String { "\(source)=\(value)" }
    }

    static let sources = ["A", "B", "A|B"]

    static func randomMembers(_ random: inout SeededGenerator) -> [Member] {
        (0..<Int.random(in: 1...4, using: &random)).map { _ in
            Member(source: sources.randomElement(using: &random) ?? "A", value: Int.random(in: 1...3, using: &random))
        }
    }

    static func text(_ members: [Member]) -> String {
        // The order of source sets: A, then A|B, then B.
        members.sorted { ($0.source, $0.value) < ($1.source, $1.value) }.map(\.text).joined(separator: " ")
    }

    /// Whole windows: a slot is what the last request with it said.
    @Test func wholeWindows() throws {
        let seed = UInt64.random(in: .min ... .max)
        print("merging seed \(seed)")
        var random = SeededGenerator(seed: seed)
        let harness = try MergingHarness()
        var model: [Int: [Member]] = [:]
        for step in 0..<400 {
            let comment: Comment = "step \(step), seed \(seed)"
            harness.now += 1_000
            var body: [(slot: Int, member: Member)] = []
            for slot in (0..<6).shuffled(using: &random).prefix(Int.random(in: 1...4, using: &random)) {
                let members = Self.randomMembers(&random)
                model[slot] = members
                body += members.map { (slot, $0) }
            }
            // Neighbours or not, and in slices or not.
            let inSlices = Bool.random(using: &random)
            if !inSlices { body.shuffle(using: &random) }
            let sent = body.flatMap { MergingHarness.members($0.member.text, .slot, .raw, slot: $0.slot) }
            let size = Int.random(in: 1...5, using: &random)
            let slices = stride(from: 0, to: sent.count, by: size).map { Array(sent[$0..<min($0 + size, sent.count)]) }
            func send() -> String { inSlices ? harness.send(harness.stream(slices)) : harness.send(sent) }
            _ = send()
            for (slot, members) in model { #expect(try harness.slot(slot) == Self.text(members), comment) }
            let before = try harness.table()
            #expect(send() == "0/0/\(sent.count)", comment)
            #expect(try harness.table() == before, comment)
            if step % 40 == 39 {
                try harness.expectConsistency(comment)
                try harness.restart()
            }
        }
    }

    /// One sample of Apple Health as the phone has it, and whether it knows that the server has it.
    struct Kept { var slot: Int, member: Member, isAcknowledged = false }

    /// A phone that sends each sample until it is told that it arrived; some requests and some replies are lost. Twins
    /// within a slot are left out: one of them lost on its way can't be told from a repeat.
    @Test func aPhoneOverABadLine() throws {
        let seed = UInt64.random(in: .min ... .max)
        print("session seed \(seed)")
        var random = SeededGenerator(seed: seed)
        let harness = try MergingHarness()
        var phone: [Kept] = []
        var number = 0
        for session in 0..<60 {
            for _ in 0..<Int.random(in: 0...8, using: &random) {
                let kept = Kept(slot: Int.random(in: 0..<4, using: &random), member: Member(source: "A", value: number))
                number += 1
                phone.append(kept)
            }
            harness.window = MergeWindow(
                cutsBuckets: true, isPerSample: true, session: Array("session \(session)".utf8))
            let size = Int.random(in: 1...5, using: &random)
            var waiting = phone.indices.filter { !phone[$0].isAcknowledged }[...]
            while !waiting.isEmpty {
                let request = waiting.prefix(size)
                waiting = waiting.dropFirst(size)
                let sent = request.flatMap {
                    MergingHarness.members(phone[$0].member.text, .slot, .raw, slot: phone[$0].slot)
                }
                let fate = Int.random(in: 0..<6, using: &random)
                if fate == 0 { break }  // the request is lost
                let submission = harness.submission(sent)
                harness.send(submission)
                if fate == 1 { #expect(harness.send(submission) == "0/0/\(sent.count)", "seed \(seed)") }
                if fate == 2 { break }  // the reply is lost
                for index in request { phone[index].isAcknowledged = true }
            }
            if session % 10 == 9 { try harness.restart() }
            let stored = try rows(harness.folder, "SELECT value, count(*) FROM samples GROUP BY 1 HAVING count(*) > 1")
            #expect(stored == [], "seed \(seed), session \(session)")
        }
        harness.window.session = Array("last".utf8)
        for kept in phone where !kept.isAcknowledged {
            harness.send(MergingHarness.members(kept.member.text, .slot, .raw, slot: kept.slot))
        }
        for slot in 0..<4 {
            let members = phone.filter { $0.slot == slot }.map(\.member)
            #expect(try harness.slot(slot) == Self.text(members), "seed \(seed)")
        }
        try harness.expectConsistency("seed \(seed)")
    }

    /// Sums of days over a window that cuts them: the largest that came, of each source.
    @Test func cutDays() throws {
        let seed = UInt64.random(in: .min ... .max)
        print("guard seed \(seed)")
        var random = SeededGenerator(seed: seed)
        let harness = try MergingHarness()
        harness.window.cutsBuckets = true
        var model: [Int: [String: Int]] = [:]
        for step in 0..<200 {
            let slot = Int.random(in: 0..<3, using: &random)
            let sources =
                model[slot] == nil ? ["A", "B"] : [["A"], ["B"], ["B", "A"]].randomElement(using: &random) ?? []
            var sent: [Member] = []
            for source in sources {
                let value = Int.random(in: 1...50, using: &random)
                sent.append(Member(source: source, value: value))
                model[slot, default: [:]][source] = max(model[slot]?[source] ?? 0, value)
            }
            harness.send(MergingHarness.members(sent.map(\.text).joined(separator: " "), .slotSum, .day, slot: slot))
            let expected = (model[slot] ?? [:]).map { Member(source: $0.key, value: $0.value) }
            #expect(try harness.slot(slot) == Self.text(expected), "step \(step), seed \(seed)")
        }
        try harness.expectConsistency("seed \(seed)")
    }
}
