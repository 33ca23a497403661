import Samples
import Testing

@testable import Storage

/// Days of Health Relay: who owns them, and what becomes of what was there. Source: specs, relay, section 2.
struct RelayDayTests {
    /// A store with the pushes of one phone.
    final class Harness {
        static let first: Int32 = 20_740
        let folder = TestFolder()
        let store: Store

        init() throws { store = try Store.open(directory: folder.path) }
        deinit { store.close() }

        static func submission(
            _ days: [Int32: [Int: Double]], at exported: Int64, device: String = "relay", endpoint: String = "phone"
        ) -> Submission {
            var batch = SampleBatch()
            var extras = RelayExtras(exportedAt: Timestamp(microseconds: exported * 1_000_000), days: [])
            for (day, rows) in days.sorted(by: { $0.key < $1.key }) {
                let start = batch.samples.count
                for (number, value) in rows.sorted(by: { $0.key < $1.key }) {
                    batch.add(
                        Sent(
                            key: Sent.uuid(Int(day - first) * 1_000 + number), type: "steps",
                            start: Int64(day) * 86_400_000_000, value: value, unit: "count", grain: .day))
                }
                extras.days.append(RelayExtras.Day(day: day, samples: start..<batch.samples.count))
            }
            batch.extras = .relay(extras)
            return Submission(batch, endpoint: endpoint, device: device, dialect: .relay)
        }

        /// Counts as `stored/changed/repeated/deleted`, with `!n` for days of newer pushes.
        func push(_ days: [Int32: [Int: Double]], at exported: Int64, device: String = "relay") -> String {
            push(Self.submission(days, at: exported, device: device))
        }

        func push(_ submission: Submission) -> String {
            let result = store.write(submission)
            guard case .success(let counts) = result, counts.guarded > 0 else { return Store.text(result) }
            return "\(Store.text(result)) !\(counts.guarded)"
        }

        /// `number=value` of each day.
        func stored(_ device: String = "relay") throws -> [String] {
            try rows(
                folder,
                """
                SELECT ltrim(substr(uuid, -12), '0') || '=' || CAST(value AS INTEGER) FROM samples
                WHERE device = '\(device)' ORDER BY uuid
                """)
        }

        /// All that can tell that something was written, but for the rows of deliveries.
        func everything() throws -> [String] {
            try rows(folder, "SELECT series, start, hex(uuid), value, delivery FROM sample ORDER BY uuid")
                + rows(
                    folder, "SELECT device, day, exported_at, hex(keys), endpoint FROM relay_day ORDER BY device, day")
        }
    }

    private static let one = Harness.first, two = Harness.first + 1, three = Harness.first + 2

    @Test("A listed day is owned by the push: what it had before and has no more goes")
    func ownership() throws {
        let harness = try Harness()
        #expect(harness.push([Self.one: [1: 10, 2: 20], Self.two: [1: 30]], at: 100) == "3/0/0/0")
        #expect(harness.push([Self.one: [2: 21, 3: 5]], at: 200) == "1/1/0/1")
        #expect(try harness.stored() == ["2=21", "3=5", "3E9=30"])
    }

    @Test("A day that is not listed is not touched")
    func otherDays() throws {
        let harness = try Harness()
        _ = harness.push([Self.one: [1: 10]], at: 100)
        #expect(harness.push([Self.two: [1: 20]], at: 200) == "1/0/0/0")
        #expect(try harness.stored() == ["1=10", "3E9=20"])
    }

    @Test("An empty listed day erases the day")
    func emptied() throws {
        let harness = try Harness()
        _ = harness.push([Self.one: [1: 10, 2: 20], Self.two: [1: 30]], at: 100)
        #expect(harness.push([Self.one: [:]], at: 200) == "0/0/0/2")
        #expect(try harness.stored() == ["3E9=30"])
        #expect(harness.push([Self.one: [1: 10]], at: 100) == "0/0/0/0 !1", "an older push brings nothing of it back")
        #expect(harness.push([Self.one: [1: 11]], at: 300) == "1/0/0/0", "and a newer one does")
    }

    @Test("The same bytes again change nothing")
    func again() throws {
        let harness = try Harness()
        let days: [Int32: [Int: Double]] = [Self.one: [1: 10, 2: 20], Self.two: [:]]
        _ = harness.push(days, at: 100)
        let before = try harness.everything()
        for _ in 0..<3 { #expect(harness.push(days, at: 100) == "0/0/2/0") }
        #expect(try harness.everything() == before)
    }

    @Test("A day owned by a newer push is skipped and counted, and the other days of the push are stored")
    func olderAfterNewer() throws {
        let harness = try Harness()
        _ = harness.push([Self.one: [1: 11]], at: 200)
        let before = try harness.everything()
        #expect(harness.push([Self.one: [1: 10, 2: 20]], at: 100) == "0/0/0/0 !1")
        #expect(try harness.everything() == before)
        #expect(harness.push([Self.one: [1: 10], Self.two: [1: 30]], at: 100) == "1/0/0/0 !1")
        #expect(try harness.stored() == ["1=11", "3E9=30"])
        let row = try rows(harness.folder, "SELECT skipped FROM deliveries ORDER BY id")
        #expect(row == ["0", "2", "1"])
    }

    @Test("In whatever order pushes come, and however often, the newest of each day is what is stored")
    func anyOrder() throws {
        let pushes: [(at: Int64, days: [Int32: [Int: Double]])] = [
            (100, [Self.one: [1: 10, 2: 20], Self.two: [1: 30]]), (200, [Self.two: [1: 31, 2: 5], Self.three: [:]]),
            (300, [Self.one: [:], Self.three: [4: 1]]), (400, [Self.two: [2: 6]]),
        ]
        var states: Set<[String]> = []
        for seed in 0..<24 {
            var order = Array(pushes.indices), number = seed, shuffled: [Int] = []
            for count in stride(from: order.count, to: 0, by: -1) {
                shuffled.append(order.remove(at: number % count))
                number /= count
            }
            let harness = try Harness()
            for index in shuffled + [shuffled[0], shuffled[seed % 4]] {
                _ = harness.push(pushes[index].days, at: pushes[index].at)
            }
            states.insert(try harness.stored())
        }
        #expect(states == [["3EA=6", "7D4=1"]])
    }

    @Test("Rows that go leave no line in deletions, and the counts of their deliveries go down")
    func noLine() throws {
        let harness = try Harness()
        _ = harness.push([Self.one: [1: 10]], at: 100)
        _ = harness.push([Self.one: [:]], at: 200)
        #expect(try rows(harness.folder, "SELECT count(*) FROM deletions") == ["0"])
        #expect(try rows(harness.folder, "SELECT refs FROM delivery ORDER BY id") == ["0", "0"])
        #expect(try rows(harness.folder, "SELECT samples FROM endpoint_count") == ["0"])
    }

    @Test("Days belong to a device: another one's are not touched")
    func devices() throws {
        let harness = try Harness()
        _ = harness.push([Self.one: [1: 10]], at: 100)
        _ = harness.push([Self.one: [:]], at: 200, device: "other")
        #expect(try harness.stored() == ["1=10"])
        #expect(harness.push([Self.one: [1: 12]], at: 150) == "0/1/0/0", "nor do they own the day")
    }

    @Test("What other dialects stored for the day stays")
    func otherDialects() throws {
        let harness = try Harness()
        var native = Submission(
            [
                Sent(
                    key: Sent.uuid(0xAA), type: "steps", start: Int64(Self.one) * 86_400_000_000, value: 1,
                    unit: "count")
            ])
        native.device = Array("relay".utf8)
        _ = harness.store.write(native)
        _ = harness.push([Self.one: [1: 10]], at: 100)
        _ = harness.push([Self.one: [:]], at: 200)
        #expect(try harness.stored() == ["AA=1"])
    }

    @Test("Values that were left out are kept with the push, even with no record")
    func keptAside() throws {
        let harness = try Harness()
        var submission = Harness.submission([Self.one: [:]], at: 100)
        guard case .batch(var batch) = submission.content else { return }
        batch.skipped.append(
            SkippedRecord(path: batch.append("metrics[0]".utf8), code: "record_invalid", raw: batch.append("7".utf8)))
        submission.content = .batch(batch)
        #expect(harness.push(submission) == "0/0/0/0")
        #expect(try rows(harness.folder, "SELECT path, raw FROM skipped") == ["metrics[0]|7"])
        #expect(try rows(harness.folder, "SELECT count(*) FROM relay_day") == ["1"])
    }

    @Test("A purge takes the days with the rows, so that an old push can be sent anew")
    func purge() throws {
        let harness = try Harness()
        _ = harness.push([Self.one: [1: 10]], at: 200)
        _ = try Purge.run(directory: harness.folder.path, endpoint: "phone")
        #expect(try rows(harness.folder, "SELECT count(*) FROM relay_day") == ["0"])
        #expect(harness.push([Self.one: [1: 9]], at: 100) == "1/0/0/0")
    }

    @Test("A push that fails half-way leaves nothing, its days included")
    func oneTransaction() throws {
        let harness = try Harness()
        _ = harness.push([Self.one: [1: 10]], at: 100)
        let before = try harness.everything()
        func limit(_ pages: Int) {
            _ = harness.store.onWriter { try? $0?.connection.execute("PRAGMA max_page_count=\(pages)") }
        }
        limit(1)  // as many as there are
        let many = Dictionary(uniqueKeysWithValues: (0..<900).map { ($0, Double($0)) })
        #expect(harness.push([Self.one: [:], Self.two: many], at: 200) == "full")
        #expect(try harness.everything() == before)
        limit(1 << 30)
        #expect(harness.push([Self.one: [:], Self.two: many], at: 200) == "900/0/0/1")
    }
}
