import Samples
import Testing

@testable import Storage

/// Day totals of steps: what counts as news, and what a summary reads. Source: specs, daily-steps.
struct StepTotalTests {
    private static let hour: Int64 = 3_600_000_000

    private static func date(_ text: String) throws -> CivilDate {
        let bytes = Array(text.utf8)
        let found = CivilDate.parse(bytes.span)
        return try #require(found)
    }

    private static func submission(
        _ days: [String: Double], endpoint: String = "phone", person: String = "me", offsetHours: Int64 = 0
    ) throws -> Submission {
        var batch = SampleBatch()
        for (date, steps) in days.sorted(by: { $0.key < $1.key }) {
            let day = try Self.date(date)
            let start = Int64(day.daysSince1970) * 24 * hour - offsetHours * hour
            batch.add(
                Sent(
                    key: StepsDay.key(day), type: "steps", start: start, end: start + 24 * hour, value: steps,
                    unit: "count",
                    grain: .day, rest: "\"date\":\"\(date)\""))
        }
        batch.extras = .steps
        return Submission(batch, endpoint: endpoint, person: person, device: endpoint, dialect: .steps)
    }

    private static func updated(_ store: Store, _ submission: Submission) throws -> Int {
        try store.write(submission).get().updated
    }

    private func totals(
        _ folder: TestFolder, _ from: String, _ to: String, person: String = "me", device: String = "phone"
    ) throws -> [String] {
        try StoreReader(directory: folder.path).stepTotals(
            person: person, device: Array(device.utf8), from: Self.date(from), to: Self.date(to)
        ).map { "\($0.date.text)=\($0.steps)" }
    }

    @Test("N counts days whose total is new or changed, up or down, and no repeat")
    func news() throws {
        let folder = TestFolder()
        let store = try Store.open(directory: folder.path)
        defer { store.close() }
        #expect(try Self.updated(store, Self.submission(["2026-10-13": 10, "2026-10-14": 20])) == 2)
        #expect(try Self.updated(store, Self.submission(["2026-10-13": 10, "2026-10-14": 20])) == 0)
        #expect(try Self.updated(store, Self.submission(["2026-10-13": 9, "2026-10-14": 20, "2026-10-15": 0])) == 2)
        #expect(try Self.updated(store, Self.submission([:])) == 0)
        #expect(try totals(folder, "2026-10-01", "2026-10-31") == ["2026-10-13=9", "2026-10-14=20", "2026-10-15=0"])
    }

    @Test("Another time zone of the endpoint moves a day, makes no second one, and is no news")
    func anotherZone() throws {
        let folder = TestFolder()
        let store = try Store.open(directory: folder.path)
        defer { store.close() }
        _ = try Self.updated(store, Self.submission(["2026-10-13": 10]))
        let outcome = try store.write(Self.submission(["2026-10-13": 10], offsetHours: 9)).get()
        #expect(outcome.updated == 0 && outcome.changed == 1 && outcome.stored == 0)
        #expect(try rows(folder, "SELECT start FROM samples") == ["2026-10-12T15:00:00Z"])
        #expect(try totals(folder, "2026-10-13", "2026-10-13") == ["2026-10-13=10"])
    }

    @Test("A summary has both ends of its range, in the order of dates, of this person and endpoint alone")
    func range() throws {
        let folder = TestFolder()
        let store = try Store.open(directory: folder.path)
        defer { store.close() }
        #expect(try totals(folder, "2026-10-01", "2026-10-31") == [], "nothing was ever sent")
        _ = store.write(try Self.submission(["2026-09-30": 1, "2026-10-01": 2, "2026-10-31": 3, "2026-11-01": 4]))
        _ = store.write(try Self.submission(["2026-10-02": 50], endpoint: "other"))
        _ = store.write(try Self.submission(["2026-10-03": 60], person: "anna"))
        // A key that only looks like one of a day, and one of another dialect.
        var native = Submission([Sent(key: "steps:2026-10-05", type: "steps", start: 0, value: 7, unit: "count")])
        native.device = Array("phone".utf8)
        _ = store.write(native)
        var odd = try Self.submission([:])
        var batch = SampleBatch([Sent(key: "steps:2026-10-1x", type: "steps", start: 0, value: 7, unit: "count")])
        batch.extras = .steps
        odd.content = .batch(batch)
        _ = store.write(odd)
        #expect(try totals(folder, "2026-10-01", "2026-10-31") == ["2026-10-01=2", "2026-10-31=3"])
        #expect(try totals(folder, "2026-10-01", "2026-10-31", person: "anna") == ["2026-10-03=60"])
        #expect(try totals(folder, "2026-10-01", "2026-10-31", device: "nobody") == [])
    }

    @Test("The largest total comes back as it was sent")
    func largest() throws {
        let folder = TestFolder()
        let store = try Store.open(directory: folder.path)
        defer { store.close() }
        _ = store.write(try Self.submission(["2026-10-13": 9_007_199_254_740_992]))
        #expect(try totals(folder, "2026-10-13", "2026-10-13") == ["2026-10-13=9007199254740992"])
    }
}
