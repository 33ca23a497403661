import Samples
import Testing

@testable import Storage

/// A batch of PulsHealth as a test writes it.
struct PulsSent {
    struct Point {
        var workout: String
        var time: Int64
        /// Latitude of a route's point.
        var value = 0.0
        /// Of a curve; nil for a route.
        var type: String?
        var context = ""
    }
    struct Bucket {
        var type = "steps"
        var function = "sum"
        var interval: (value: Int64, unit: String) = (1, "day")
        var filter = "all"
        var start: Int64 = 0
        var end: Int64 = 86_400_000_000
        var value: Double?
        var unit = "count"
        var contexts = ""
    }

    var id: Int
    var label = "HKQuantityTypeIdentifierHeartRate"
    var lines: [Sent] = []
    var deleting: [String] = []
    /// Rows with text keys: rings and the profile.
    var rows: [Sent] = []
    var points: [Point] = []
    var buckets: [Bucket] = []

    init(
        _ id: Int, _ lines: [Sent] = [], deleting: [String] = [], rows: [Sent] = [], points: [Point] = [],
        buckets: [Bucket] = []
    ) {
        self.id = id
        self.lines = lines
        self.deleting = deleting
        self.rows = rows
        self.points = points
        self.buckets = buckets
    }

    var batch: SampleBatch {
        var batch = SampleBatch(lines + rows)
        for key in deleting { batch.delete(key, type: "noted") }
        var extras = PulsExtras(
            batchID: UUIDBits(high: 0xB, low: UInt64(id)), label: batch.intern(label.utf8),
            reason: batch.intern("manual".utf8), exportedAt: Timestamp(microseconds: 5))
        extras.sampleLines = lines.count
        for point in points {
            guard case .uuid(let high, let low) = batch.key(point.workout) else { continue }
            let workout = UUIDBits(high: high, low: low), time = Timestamp(microseconds: point.time)
            let context = point.context.isEmpty ? ArenaRange.empty : batch.append(point.context.utf8)
            if let type = point.type {
                let series = batch.series(type: batch.intern(type.utf8), unit: -1)
                extras.curvePoints.append(
                    CurvePointRecord(workout: workout, series: series, time: time, value: point.value, context: context)
                )
            } else {
                var route = RoutePointRecord(
                    workout: workout, time: time, latitude: point.value, longitude: 2, context: context)
                route.altitude = 31.5
                extras.routePoints.append(route)
            }
        }
        for bucket in buckets {
            let series = batch.series(type: batch.intern(bucket.type.utf8), unit: batch.intern(bucket.unit.utf8))
            extras.aggregates.append(
                AggregateRecord(
                    series: series, function: batch.intern(bucket.function.utf8), intervalValue: bucket.interval.value,
                    intervalUnit: batch.intern(bucket.interval.unit.utf8),
                    deviceFilter: batch.intern(bucket.filter.utf8), start: Timestamp(microseconds: bucket.start),
                    end: Timestamp(microseconds: bucket.end), value: bucket.value,
                    contexts: bucket.contexts.isEmpty ? .empty : batch.append(bucket.contexts.utf8)))
        }
        batch.extras = .puls(extras)
        return batch
    }

    static func ring(_ date: String, _ day: Int32, _ rest: String = "") -> Sent {
        Sent(
            key: "activity_summary:\(date)", type: "activity_summary", kind: .activitySummary, start: 0, day: day,
            rest: rest)
    }
}

/// A store with one endpoint of PulsHealth.
struct PulsHarness {
    let folder = TestFolder()
    let store: Store

    init() throws { store = try Store.open(directory: folder.path) }

    func submission(_ content: Submission.Content, person: String, endpoint: String, at: Int64) -> Submission {
        Submission(
            receivedAt: Timestamp(microseconds: at), endpoint: endpoint, person: person, device: Array("puls".utf8),
            kind: .data, dialect: .puls, bodyBytes: 1, status: 200, content: content,
            wake: PulsWake(id: UUIDBits(high: 1, low: 2), trigger: Array("observer".utf8)))
    }

    /// The seven counts, or the fault.
    @discardableResult func send(
        _ sent: PulsSent, person: String = "me", endpoint: String = "phone", at: Int64 = 1_000_000
    ) -> String {
        text(store.write(submission(.batch(sent.batch), person: person, endpoint: endpoint, at: at)))
    }

    /// Slices of one body, and the fault at its end.
    func stream(_ slices: [PulsSent], fault: DecodeFault? = nil) -> String {
        let batches = slices.map(\.batch)
        let stream = SampleStream(bytes: 100) { sink in
            for batch in batches { try sink(batch) }
            if let fault { throw fault }
        }
        return text(store.write(submission(.stream(stream), person: "me", endpoint: "phone", at: 1_000_000)))
    }

    private func text(_ result: Result<StoreOutcome, StoreFault>) -> String {
        switch result {
        case .failure(let fault): return "\(fault)"
        case .success(let outcome):
            guard let puls = outcome.puls else { return "no counts" }
            return """
                \(puls.accepted)/\(puls.duplicates)/\(puls.deleted) \(puls.routePoints)/\(puls.seriesPoints) \
                \(puls.aggregates)/\(puls.activitySummaries)
                """
        }
    }

    func rows(_ sql: String) throws -> [String] { try StorageTests.rows(folder, sql) }

    func queries(_ person: String = "me") throws -> PulsQueries {
        try PulsQueries(directory: folder.path, person: person, device: Array("puls".utf8))
    }

    /// `window rows digest` of each month of `heart_rate`.
    func months(_ person: String = "me", from: Int64 = .min + 1, to: Int64 = .max) throws -> [String] {
        try queries(person).months(
            ofTypes: [Array("heart_rate".utf8)], from: Timestamp(microseconds: from), to: Timestamp(microseconds: to)
        ).map { "\($0.start) \($0.rows) \(String($0.digest.high, radix: 16))-\(String($0.digest.low, radix: 16))" }
    }
}
