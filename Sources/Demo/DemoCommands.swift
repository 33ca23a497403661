import Samples
import Storage
import Wire

/// What was written back in the last weeks, and what was refused.
struct DemoCommands {
    /// A command with an end.
    struct Step {
        var id: String
        /// Seconds before the last moment at which it was queued.
        var before: Int64
        var type: String
        var value: String
        var unit: String
        /// The phone's word for a refusal; nil when it was written.
        var reason: String?
        var start: Int64 = 0

        var deliveryID: String { "0000de30-0000-4000-8000-00000000\(id == "water" ? "0001" : "0002")" }

        var resultJSON: [UInt8] {
            let rest = reason.map { #""rejected","reason":"\#($0)""# } ?? #""applied""#
            return Array(#"{"command_id":"\#(id)","version":1,"status":\#(rest)}"#.utf8)
        }

        /// A request with the sample that came of it; nil when none did.
        func echo(at time: Timestamp) -> [UInt8]? {
            guard reason == nil else { return nil }
            let uuid = deliveryID.uppercased()
            var body = Array(
                """
                {"v":1,"type":"sync","device":"\(DemoYear.device)","samples":[{"uuid":"\(uuid)","type":"\(type)",\
                "value":\(value),"unit":"\(unit)","start":"
                """.utf8)
            SampleText().append(time: start, to: &body)
            body += "\",\"end\":\"".utf8
            SampleText().append(time: start, to: &body)
            body +=
                """
                ","source":{"app":"app.syncky.health","device":"iPhone"},"metadata":{"HKMetadataKeySyncIdentifier":\
                "syncky:\(DemoYear.destination):\(id)"}}],"deleted":[],"acks":[],"more":false}
                """.utf8
            return body
        }
    }

    struct Refusal {
        var at: Timestamp
        var code: String
        var bodyBytes: Int
    }

    private let until: Int64
    private var steps = [
        Step(id: "water", before: 21 * 86_400, type: "dietary_water", value: "500", unit: "mL"),
        Step(id: "weight", before: 9 * 86_400, type: "body_mass", value: "79.2", unit: "kg"),
        Step(
            id: "pulse", before: 4 * 86_400, type: "heart_rate", value: "58", unit: "count/min",
            reason: "type_not_allowed"),
    ]
    private var refusals = [(12 * 86_400, "json_invalid", 48_213), (3 * 86_400, "member_invalid", 1_207)]

    init(until: Timestamp) { self.until = until.microseconds / 1_000_000 }

    /// Queues what is due, for the request that comes at `time`.
    mutating func queue(
        before time: Timestamp, _ directory: String, _ filler: DemoFiller
    ) throws(StoreError) -> [Step] {
        let now = time.microseconds / 1_000_000
        var due: [Step] = []
        while let step = steps.first, until - step.before <= now {
            steps.removeFirst()
            // A demo that is shorter than that has no such command.
            if until - step.before < now - 86_400 { continue }
            due.append(step)
        }
        if due.isEmpty { return [] }
        // The endpoint's numbers come from its first request.
        try filler.wait()
        for index in due.indices {
            due[index].start = now - 1_200
            try Self.add(due[index], directory, at: now - 900)
        }
        return due
    }

    /// Two that were withdrawn before a phone fetched them. None waits: a phone that is paired with the folder would write
    /// what was invented into Health.
    func queueLast(_ directory: String, _ filler: DemoFiller) throws(StoreError) {
        try filler.wait()
        let caffeine = Step(
            id: "coffee", before: 0, type: "dietary_caffeine", value: "95", unit: "mg", start: until - 2_400)
        let water = Step(id: "glass", before: 0, type: "dietary_water", value: "250", unit: "mL", start: until - 300)
        try Self.add(caffeine, directory, at: until - 2_300)
        try Self.add(water, directory, at: until - 240)
        let queue = try CommandQueue(directory: directory), now = Timestamp(microseconds: (until - 60) * 1_000_000)
        for step in [caffeine, water] {
            do throws(CommandFault) {
                _ = try queue.withdraw(id: step.id, endpoint: DemoStore.endpoint, now: now)
            } catch { throw Self.fault(error) }
        }
    }

    private static func add(_ step: Step, _ directory: String, at seconds: Int64) throws(StoreError) {
        let start = Timestamp(microseconds: step.start * 1_000_000)
        guard let number = Double(step.value) else { return }
        let draft = CommandDraft(
            id: step.id, type: step.type, value: .number(number, text: step.value), unit: step.unit, start: start,
            end: start)
        let queue = try CommandQueue(directory: directory)
        do throws(CommandFault) {
            _ = try queue.add(draft, endpoint: DemoStore.endpoint, now: Timestamp(microseconds: seconds * 1_000_000))
        } catch { throw fault(error) }
    }

    private static func fault(_ fault: CommandFault) -> StoreError {
        if case .store(let error) = fault { return error }
        return StoreError(.failed, detail: fault.sentence)
    }

    /// Those that happened before `time`.
    mutating func refusals(before time: Timestamp) -> [Refusal] {
        let now = time.microseconds / 1_000_000
        let due = refusals.filter { until - Int64($0.0) <= now }
        refusals.removeAll { until - Int64($0.0) <= now }
        return due.map {
            Refusal(
                at: Timestamp(microseconds: time.microseconds + 700_000), code: $0.1, bodyBytes: $0.2)
        }
    }
}
