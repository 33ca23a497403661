import Foundation
import Samples
import TestSupport
import Testing
import Threads

@testable import Storage

extension Submission {
    /// A data request of `endpoint` that takes commands.
    static func asking(
        _ samples: [Sent] = [], deleting: [String] = [], endpoint: String = "phone", maximumBytes: Int = 65_536,
        destination: String? = nil, at microseconds: Int64 = 1_791_961_923_000_000
    ) -> Submission {
        var submission = Submission(SampleBatch(samples, deleting: deleting), endpoint: endpoint, at: microseconds)
        submission.commands = CommandRequest(
            maximumBytes: maximumBytes, destination: destination.map { Array($0.utf8) })
        return submission
    }

    /// A results request of `endpoint`.
    static func results(_ results: [CommandResult], endpoint: String = "phone") -> Submission {
        var submission = Submission(nil, endpoint: endpoint, at: 1_791_961_953_000_000)
        submission.kind = .results
        submission.dialect = nil
        submission.content = .results(results)
        return submission
    }
}

extension Store {
    /// The message that the reply to a submission has; empty when it has none.
    func message(_ submission: Submission) throws -> String {
        String(decoding: try write(submission).get().commandsMessage, as: UTF8.self)
    }

    /// Counts as `applied/rejected/late/repeated/unknown`.
    func take(_ results: [CommandResult], endpoint: String = "phone") throws -> String {
        let counts = try write(.results(results, endpoint: endpoint)).get().results
        return "\(counts.applied)/\(counts.rejected)/\(counts.late)/\(counts.repeated)/\(counts.unknown)"
    }
}

/// What goes out in replies, and what results do.
@Suite struct CommandReplyTests {
    let folder = TestFolder()
    let store: Store
    let queue: CommandQueue

    init() throws {
        store = try Store.open(directory: folder.path)
        queue = try CommandQueue(directory: folder.path)
    }

    @discardableResult
    func add(_ text: String, id: String? = nil, to endpoint: String = "phone") throws -> CommandRow {
        try queue.add(CommandQueueTests.number(text, id: id), endpoint: endpoint, now: CommandQueueTests.now)
    }

    func delete(_ id: String) throws { _ = try queue.delete(id: id, endpoint: "phone", now: CommandQueueTests.now) }

    /// `c_1` and the like, as a message lists them.
    func ids(_ message: String) -> [String] {
        message.components(separatedBy: #""command_id":""#).dropFirst().map { String($0.prefix { $0 != "\"" }) }
    }

    func row(_ id: String = "c_1") throws -> CommandRow {
        try #require(try StoreReader(directory: folder.path).commands().first { $0.id == id })
    }

    // MARK: Replies

    @Test func aReplyIsExactlyTheGuidesMessage() throws {
        try add("0.25")
        _ = try queue.add(
            CommandQueueTests.number("30", type: "apple_exercise_time", unit: "min"), endpoint: "phone",
            now: CommandQueueTests.now)
        let writes =
            #"{"v":1,"type":"commands","commands":[{"command_id":"c_1","version":1,"op":"write","type":"dietary_water","value":0.25,"unit":"L","start":"2026-10-14T07:00:00Z","end":"2026-10-14T07:00:00Z"},{"command_id":"c_2","version":1,"op":"write","type":"apple_exercise_time","value":30,"unit":"min","start":"2026-10-14T07:00:00Z","end":"2026-10-14T07:00:00Z"}]}"#
        #expect(try store.message(.asking()) == writes)
        #expect(
            try store.take([
                CommandResult(id: "c_1", version: 1, isApplied: true),
                CommandResult(id: "c_2", version: 1, isApplied: false, reason: "type_not_allowed"),
            ]) == "1/1/0/0/0")
        #expect(try store.message(.asking()) == "")
        try delete("c_1")
        #expect(
            try store.message(.asking())
                == #"{"v":1,"type":"commands","commands":[{"command_id":"c_1","version":2,"op":"delete","type":"dietary_water"}]}"#
        )
    }

    @Test func everyDataRequestIsAnsweredUntilTheResult() throws {
        try add("1")
        // Nothing in it, deletions alone, a repeat: each is a data request.
        for submission in [
            Submission.asking(), .asking(deleting: [Sent.uuid(9)]), .asking([WriterTests.one(1)]),
            .asking([WriterTests.one(1)]),
        ] {
            #expect(ids(try store.message(submission)) == ["c_1"])
        }
        let sent = try row()
        #expect(sent.sent == 4 && sent.state == .waiting && sent.resultAt == nil)
        #expect(
            sent.firstSentAt == Timestamp(microseconds: 1_791_961_923_000_000) && sent.lastSentAt == sent.firstSentAt)
        #expect(try rows(folder, "SELECT DISTINCT kind, status, code FROM deliveries") == ["data|200|-"])
    }

    @Test func nothingGoesOutWhereNoneIsAskedFor() throws {
        try add("1")
        var check = Submission(nil)
        check.commands = CommandRequest(maximumBytes: 65_536)
        var refusal = Submission(nil)
        refusal.kind = .data
        refusal.status = 400
        refusal.commands = CommandRequest(maximumBytes: 65_536)
        var results = Submission.results([])
        results.commands = CommandRequest(maximumBytes: 65_536)
        let plain = Submission([WriterTests.one(1)])
        for submission in [check, refusal, results, plain, .asking(endpoint: "watch")] {
            #expect(try store.message(submission) == "")
        }
        #expect(try row().sent == 0)
        #expect(try rows(folder, "SELECT DISTINCT status FROM deliveries ORDER BY 1") == ["204", "400"])
    }

    @Test func commandsGoToTheirOwnEndpointAlone() throws {
        try add("1")
        try add("2", id: "w", to: "watch")
        #expect(ids(try store.message(.asking(endpoint: "watch"))) == ["w"])
        #expect(ids(try store.message(.asking())) == ["c_1"])
        #expect(
            try store.take([CommandResult(id: "c_1", version: 1, isApplied: true)], endpoint: "watch") == "0/0/0/0/1")
        #expect(try row().state == .waiting)
    }

    @Test func aReplyFitsAndNoneStarves() throws {
        for number in 1...40 { try add("\(number)") }
        let one = try row("c_1").body.utf8.count
        // Room for three of one digit and for not a byte more.
        let exact = CommandText.messageHead.count + CommandText.messageTail.count + 3 * one + 2
        #expect(ids(try store.message(.asking(maximumBytes: exact - 1))) == ["c_1", "c_2"])
        #expect(ids(try store.message(.asking(maximumBytes: exact))) == ["c_3", "c_4", "c_5"])
        #expect(try store.message(.asking(maximumBytes: 10)) == "")
        var seen: [String: Int] = ["c_1": 1, "c_2": 1, "c_3": 1, "c_4": 1, "c_5": 1]
        for _ in 0..<200 {
            let message = try store.message(.asking(maximumBytes: 1_024))
            #expect(message.utf8.count <= 1_024)
            let listed = ids(message)
            let places = listed.map { Int($0.dropFirst(2)) ?? 0 }
            #expect(places == places.sorted() && !places.isEmpty)
            for id in listed { seen[id, default: 0] += 1 }
            let counts = (1...40).map { seen["c_\($0)"] ?? 0 }
            #expect((counts.max() ?? 0) - (counts.min() ?? 0) <= 1)
        }
        #expect(try store.message(.asking()).utf8.count < 65_536)
    }

    @Test func aSubmissionThatFailsSendsNothing() throws {
        try add("1")
        let stream = SampleStream(bytes: 10) { (_) throws in throw DecodeFault(code: "x", message: "y") }
        var submission = Submission.asking()
        submission.content = .stream(stream)
        #expect(store.write(submission) == .failure(.refused(DecodeFault(code: "x", message: "y"))))
        #expect(try row().sent == 0)
    }

    @Test func aStreamIsAnsweredAsABatchIs() throws {
        try add("1")
        var submission = Submission.asking()
        submission.content = .stream(SampleStream(bytes: 10) { sink in try sink(SampleBatch([WriterTests.one(1)])) })
        #expect(ids(try store.message(submission)) == ["c_1"])
    }

    // MARK: Results

    @Test func anOldVersionsResultEndsNoNewerCommand() throws {
        try add("1")
        _ = try store.message(.asking())
        try add("2", id: "c_1")
        #expect(try store.take([CommandResult(id: "c_1", version: 1, isApplied: true)]) == "0/0/1/0/0")
        #expect(try row().state == .waiting)
        #expect(ids(try store.message(.asking())) == ["c_1"])
        #expect(try store.take([CommandResult(id: "c_1", version: 2, isApplied: true)]) == "1/0/0/0/0")
        let ended = try row()
        #expect(ended.state == .applied && ended.resultAt == Timestamp(microseconds: 1_791_961_953_000_000))
    }

    @Test func aResultMayComeBeforeTheCommandCountsAsSentAndOneByOne() throws {
        try add("1")
        try add("2")
        #expect(try store.take([CommandResult(id: "c_2", version: 1, isApplied: true)]) == "1/0/0/0/0")
        #expect(ids(try store.message(.asking())) == ["c_1"])
        #expect(try store.take([CommandResult(id: "c_1", version: 1, isApplied: false)]) == "0/1/0/0/0")
        #expect(try row("c_1").reason == nil)
        #expect(try store.message(.asking()) == "")
    }

    @Test func unknownAndRepeatedResultsAreCounted() throws {
        try add("1")
        let applied = CommandResult(id: "c_1", version: 1, isApplied: true, json: Array(#"{"a":1}"#.utf8))
        #expect(
            try store.take([
                applied, applied, CommandResult(id: "c_9", version: 1, isApplied: true),
                CommandResult(id: "c_1", version: 7, isApplied: true),
            ]) == "1/0/0/1/2")
        // The phone's last word for one version counts.
        let rejected = CommandResult(
            id: "c_1", version: 1, isApplied: false, reason: "of_the_future",
            json: Array(#"{"status":"rejected","more":[1]}"#.utf8))
        #expect(try store.take([rejected]) == "0/0/0/1/0")
        let row = try row()
        #expect(row.state == .rejected && row.reason == "of_the_future")
        #expect(try rows(folder, "SELECT result FROM commands") == [#"{"status":"rejected","more":[1]}"#])
        var counts = StoreReader.ResultCounts()
        (counts.repeated, counts.unknown) = (2, 2)
        #expect(try StoreReader(directory: folder.path).resultCounts(endpoint: "phone") == counts)
        #expect(try rows(folder, "SELECT kind, status, stored FROM deliveries") == ["results|204|0", "results|204|0"])
        // Results are no data: silence is measured in rows stored.
        #expect(try StoreReader(directory: folder.path).endpoints().first?.lastStored == nil)
    }

    @Test func theNextVersionIsAboveWhatThePhoneKnows() throws {
        try add("1")
        _ = try store.take([CommandResult(id: "c_1", version: 7, isApplied: true)])
        #expect(try row().state == .waiting)
        #expect(try add("2", id: "c_1").version == 8)
        _ = try store.take([CommandResult(id: "c_1", version: 1 << 53, isApplied: true)])
        #expect(try add("3", id: "c_1").version == 9)
    }

    @Test func resultsOfAnEndpointWithoutCommandsAreTaken() throws {
        #expect(try store.take([CommandResult(id: "c_1", version: 1, isApplied: true)]) == "0/0/0/0/1")
        #expect(try store.take([]) == "0/0/0/0/0")
        #expect(try add("1").id == "c_1")
    }

    // MARK: Restarts and other processes

    @Test func commandsOutliveARestart() throws {
        try add("1")
        _ = try store.message(.asking())
        store.close()
        let again = try Store.open(directory: folder.path)
        defer { again.close() }
        #expect(ids(try again.message(.asking())) == ["c_1"])
        #expect(try row().sent == 2)
    }

    @Test func theLargestCommandFitsTheSmallestReply() throws {
        let row = try queue.add(
            CommandDraft(
                id: String(repeating: "i", count: 64), type: "t" + String(repeating: "y", count: 63),
                value: .name(String(repeating: "\"", count: 128)), start: Timestamp(microseconds: 1),
                end: Timestamp(microseconds: 2)),
            endpoint: "phone", now: CommandQueueTests.now)
        let number = try queue.add(
            CommandDraft(
                id: String(repeating: "j", count: 64), type: "t" + String(repeating: "y", count: 63),
                value: .number(-1, text: "-1." + String(repeating: "0", count: 61)),
                unit: String(repeating: "\\", count: 64), start: Timestamp(microseconds: 1),
                end: Timestamp(microseconds: 2)),
            endpoint: "phone", now: CommandQueueTests.now)
        for body in [row.body, number.body] { #expect(body.utf8.count < 700) }
        #expect(ids(try store.message(.asking(maximumBytes: 1_024))).count == 1)
    }

    /// The owner queues while deliveries come in: neither waits for long, and nothing is lost.
    @Test func queueingGoesOnBesideABusyWriter() throws {
        let answered = Monitor(0)
        for number in 0..<150 {
            store.submit(.asking([WriterTests.one(number)])) { result in
                if case .success = result { answered.withLock { $0 += 1 } }
            }
            if number % 10 == 0 { try add("\(number)") }
        }
        #expect(answered.wait(milliseconds: 60_000) { $0 == 150 ? true : nil } == true)
        #expect(
            try store.take((1...15).map { CommandResult(id: "c_\($0)", version: 1, isApplied: true) }) == "15/0/0/0/0")
        #expect(
            try rows(folder, "SELECT count(*), sum(sent > 0) FROM commands WHERE state = 'applied'").first?.hasPrefix(
                "15|") == true)
    }

    /// Many steps at random against a plain model: what goes out, what ends, what is counted.
    @Test(arguments: [UInt64(1), 2, 3]) func itBehavesAsAPlainList(seed: UInt64) throws {
        struct Entry {
            var id: String
            var version: Int64 = 1
            var body: String
            var sent = 0
            var isWaiting = true
        }
        var random = SeededGenerator(seed: seed), model: [Entry] = []
        for _ in 0..<300 {
            switch Int.random(in: 0..<10, using: &random) {
            case 0...2:
                let old = Bool.random(using: &random) ? model.randomElement(using: &random) : nil
                let row = try add("\(Int.random(in: 1...100_000, using: &random))", id: old?.id)
                model.removeAll { $0.id == row.id }
                #expect(row.version == (old?.version ?? 0) + 1)
                model.append(Entry(id: row.id, version: row.version, body: row.body))
            case 3...6:
                let limit = Int.random(in: 200...1_500, using: &random)
                var bytes = #"{"v":1,"type":"commands","commands":[]}"#.utf8.count
                var chosen: [Int] = []
                let order = model.indices.filter { model[$0].isWaiting }
                    .sorted { (model[$0].sent, $0) < (model[$1].sent, $1) }
                for index in order {
                    let more = model[index].body.utf8.count + (chosen.isEmpty ? 0 : 1)
                    if bytes + more > limit { break }
                    bytes += more
                    chosen.append(index)
                }
                for index in chosen { model[index].sent += 1 }
                let expected = chosen.sorted().map { model[$0].body }.joined(separator: ",")
                #expect(
                    try store.message(.asking(maximumBytes: limit))
                        == (chosen.isEmpty ? "" : #"{"v":1,"type":"commands","commands":[\#(expected)]}"#))
            default:
                guard let index = model.indices.randomElement(using: &random) else { continue }
                let version = max(1, model[index].version - Int64.random(in: 0...1, using: &random))
                let isLate = version < model[index].version, isRepeated = !isLate && !model[index].isWaiting
                let counts = try store.take([CommandResult(id: model[index].id, version: version, isApplied: true)])
                #expect(counts == (isLate ? "0/0/1/0/0" : isRepeated ? "0/0/0/1/0" : "1/0/0/0/0"))
                if !isLate { model[index].isWaiting = false }
            }
        }
        let found = try StoreReader(directory: folder.path).commands()
        #expect(
            found.map { "\($0.id) \($0.version) \($0.sent) \($0.state == .waiting)" }
                == model.map { "\($0.id) \($0.version) \($0.sent) \($0.isWaiting)" })
    }
}
