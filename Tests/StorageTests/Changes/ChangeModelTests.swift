import Foundation
import Samples
import TestSupport
import Testing

@testable import Storage

/// Random submissions of every sort; whoever follows the changes has what the store has, and is told each thing as it is.
@Suite struct ChangeModelTests {
    private static let day: Int64 = 86_400_000_000

    /// One submission, and what it was, for messages.
    private static func submission(_ step: Int, _ random: inout SeededGenerator) -> (name: String, Submission) {
        let at = 1_791_961_200_000_000 + Int64(step) * 60_000_000
        switch Int.random(in: 0..<8, using: &random) {
        case 0, 1, 2:
            let samples = (0..<Int.random(in: 0...6, using: &random)).map { _ in ModelTests.randomSample(&random) }
            let deleted = (0..<max(0, Int.random(in: -3...3, using: &random))).map { _ in
                ModelTests.randomSample(&random).key
            }
            let batch = SampleBatch(samples, deleting: deleted)
            return ("native", Submission(batch, device: ["d_1", "d_2"].randomElement(using: &random)!, at: at))
        case 3, 4: return ("slots", slots(at, &random))
        case 5: return ("puls", puls(at, &random))
        case 6: return ("relay", relay(step, &random))
        default: return ("test", Submission(nil, at: at))
        }
    }

    /// Whole windows, cut ones, or a phone's sessions, in one body or in slices.
    private static func slots(_ at: Int64, _ random: inout SeededGenerator) -> Submission {
        let isPerSample = Int.random(in: 0..<3, using: &random) == 0
        let window = MergeWindow(
            cutsBuckets: Bool.random(using: &random), isPerSample: isPerSample,
            session: isPerSample ? Array("session \(Int.random(in: 0...3, using: &random))".utf8) : nil)
        var sent: [Sent] = []
        let rule: MergeRule = [.slot, .slotSum, .slotRange].randomElement(using: &random)!
        // Slots of a session have keys of their own: two rules for one are none that a sender has.
        let first = isPerSample ? 20 : rule == .slot ? 1 : rule == .slotSum ? 7 : 14
        for slot in (0..<5).shuffled(using: &random).prefix(Int.random(in: 1...3, using: &random)) {
            let members = MergingModelTests.randomMembers(&random).map(\.text).joined(separator: " ")
            sent += MergingHarness.members(
                members, isPerSample ? .slot : rule, rule == .slot ? .raw : .minute, slot: first + slot,
                start: MergingHarness.seven + Int64(slot) * day)
        }
        if Int.random(in: 0..<3, using: &random) == 0 {
            let start = MergingHarness.seven + Int64.random(in: 0...3, using: &random) * 60_000_000
            var night = Sent(
                key: MergingHarness.key(40 + Int.random(in: 0...1, using: &random)), type: "night", start: start,
                end: start + Int64.random(in: 1...9, using: &random) * MergingHarness.hour, value: 1)
            night.merge = [.night, .workout].randomElement(using: &random)!
            night.type = night.merge == .night ? "night" : "workout"
            night.kind = night.merge == .night ? .category : .workout
            if night.merge == .workout {
                night.key = [Sent.uuid(70), MergingHarness.key(50)].randomElement(using: &random)!
            }
            sent.append(night)
        }
        let size = Int.random(in: 1...6, using: &random)
        let slices = stride(from: 0, to: sent.count, by: size).map { Array(sent[$0..<min($0 + size, sent.count)]) }
        var batch = SampleBatch(sent)
        batch.window = window
        var submission = Submission(batch, device: "hae", delivery: "delivery \(at)", at: at, dialect: .hae)
        if Bool.random(using: &random) {
            submission.content = .stream(
                SampleStream(bytes: 1_000) { sink in
                    for slice in slices {
                        var batch = SampleBatch(slice)
                        batch.window = window
                        try sink(batch)
                    }
                })
        }
        return submission
    }

    private static func puls(_ at: Int64, _ random: inout SeededGenerator) -> Submission {
        let lines = (0..<Int.random(in: 0...4, using: &random)).map { _ in
            Sent(
                key: Sent.uuid(Int.random(in: 0..<9, using: &random)), type: "pulse",
                start: Int64.random(in: 0...3, using: &random) * day, value: 1, unit: "count")
        }
        let deleted = (0..<Int.random(in: 0...2, using: &random)).map { _ in
            Sent.uuid(Int.random(in: 0..<9, using: &random))
        }
        let ring = PulsSent.ring("2026-10-0\(Int.random(in: 1...3, using: &random))", 3, "\"n\":\(at % 7)")
        let sent = PulsSent(Int(at), lines, deleting: deleted, rows: Bool.random(using: &random) ? [ring] : [])
        // A device that a native sender has too: rows of both under one uuid.
        return Submission(
            receivedAt: Timestamp(microseconds: at), endpoint: "phone", person: "me", device: Array("d_1".utf8),
            kind: .data, dialect: .puls, bodyBytes: 1, status: 200, content: .batch(sent.batch))
    }

    private static func relay(_ step: Int, _ random: inout SeededGenerator) -> Submission {
        var days: [Int32: [Int: Double]] = [:]
        for _ in 0..<Int.random(in: 1...2, using: &random) {
            var rows: [Int: Double] = [:]
            for _ in 0..<Int.random(in: 0...3, using: &random) {
                rows[Int.random(in: 0...3, using: &random)] = Double(Int.random(in: 0...2, using: &random))
            }
            days[20_740 + Int32.random(in: 0...2, using: &random)] = rows
        }
        return RelayDayTests.Harness.submission(days, at: Int64(step))
    }

    @Test(arguments: [KeyTuning(), KeyModelTests.real]) func whoFollowsHasWhatTheStoreHas(_ tuning: KeyTuning) throws {
        let seed = UInt64.random(in: .min ... .max)
        print("changes seed \(seed)")
        var random = SeededGenerator(seed: seed)
        let folder = TestFolder()
        var options = StoreOptions()
        options.keys = tuning
        var store = try Store.open(directory: folder.path, options: options)
        defer { store.close() }
        let quick = try Follower(folder), slow = try Follower(folder)
        var point = try quick.reader.newestChange(), then = try quick.snapshot()
        for step in 0..<500 {
            let before = try quick.snapshot()
            let (name, submission) = Self.submission(step, &random)
            let comment: Comment = "step \(step), \(name), seed \(seed)"
            guard case .success = store.write(submission) else {
                Issue.record(comment)
                return
            }
            let after = try quick.snapshot()
            guard let told = try quick.follow(&random) else {
                Issue.record("expired, \(comment)")
                return
            }
            expectExact(told, before: before, after: after, comment)
            #expect(quick.copy == after, comment)
            guard step % 20 == 19 else { continue }
            _ = try slow.follow(&random)
            #expect(slow.copy == after, comment)
            let (touched, newest) = try quick.reader.touched(since: point)
            #expect(touched != .everything, comment)
            expectCovered(touched, before: then, after: after, comment)
            (point, then) = (newest, after)
            if quick.copy != after || slow.copy != after { return }
            if step % 100 == 99 {
                store.close()
                store = try Store.open(directory: folder.path, options: options)
            }
        }
        #expect(quick.anew == 1 && slow.anew == 1)
    }

    /// Imports write one delivery in many transactions, with others in between, and take over or give way to twins.
    @Test func importsBesideAServer() throws {
        let seed = UInt64.random(in: .min ... .max)
        print("import changes seed \(seed)")
        var random = SeededGenerator(seed: seed)
        let folder = TestFolder()
        let store = try Store.open(directory: folder.path)
        defer { store.close() }
        let quick = try Follower(folder), slow = try Follower(folder)
        let second: Int64 = 1_000_000
        func sample(_ number: Int, _ key: Int) -> Sent {
            let start = MergingHarness.seven + Int64(number) * 600 * second
            return Sent(
                key: Sent.uuid(key), start: start, end: start + second, value: Double(60 + number), unit: "count/min",
                app: "Watch")
        }
        let history = try HistoryImport(
            directory: folder.path, target: HistoryImport.Target(endpoint: "phone", person: "me"),
            file: ImportedFile(size: 1, digest: [1]))
        var point = try quick.reader.newestChange(), then = try quick.snapshot()
        for step in 0..<80 {
            let comment: Comment = "step \(step), seed \(seed)"
            let numbers = (0..<4).map { _ in Int.random(in: 0..<40, using: &random) }
            switch Int.random(in: 0..<3, using: &random) {
            case 0:
                var batch = SampleBatch(numbers.map { sample($0, 1_000 + $0) })
                batch.extras = .imported
                try history.store(
                    batch, dialect: .apple, device: Array("apple-health-export".utf8), elements: step + 1)
            case 1:
                let written = store.write(Submission(SampleBatch(numbers.map { sample($0, $0) })))
                #expect((try? written.get()) != nil)
            default:
                let written = store.write(
                    Submission(
                        SampleBatch([], deleting: numbers.map { Sent.uuid(1_000 + $0) }), device: "apple-health-export")
                )
                #expect((try? written.get()) != nil)
            }
            _ = try quick.follow(&random)
            let after = try quick.snapshot()
            #expect(quick.copy == after, comment)
            guard step % 9 == 8 else { continue }
            _ = try slow.follow(&random)
            #expect(slow.copy == after, comment)
            let (touched, newest) = try quick.reader.touched(since: point)
            #expect(touched != .everything, comment)
            expectCovered(touched, before: then, after: after, comment)
            (point, then) = (newest, after)
        }
        try history.finish(skipped: 0)
        #expect(quick.anew == 1 && slow.anew == 1)
        #expect(try rows(folder, "SELECT count(*) > 3 FROM delivery_slice") == ["1"])
    }
}
