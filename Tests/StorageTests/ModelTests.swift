import Foundation
import Samples
import Testing

@testable import Storage

/// Thousands of random submissions against a dictionary that does the same the obvious way.
@Suite struct ModelTests {
    struct Key: Hashable { var device: String, key: String, part: Int32 }

    struct Model {
        var rows: [Key: Sent] = [:]
        var deleted: Set<String> = []

        /// The last of each key, one after the other, as if each were a body of its own.
        mutating func apply(_ samples: [Sent], deleting keys: [String], device: String) {
            for (index, sample) in samples.enumerated() {
                if samples[(index + 1)...].contains(where: { $0.key == sample.key && $0.part == sample.part }) {
                    continue
                }
                if sample.kind == .activitySummary, let day = sample.day {
                    let holder = rows.first {
                        $0.key.device == device && $0.value.kind == .activitySummary && $0.value.day == day
                    }
                    if let holder { rows[holder.key] = nil }
                }
                rows[Key(device: device, key: sample.key, part: sample.part)] = sample
            }
            for key in keys {
                let gone = rows.keys.filter { $0.device == device && $0.key == key }
                if !gone.isEmpty { deleted.insert("\(device)|\(key)") }
                for one in gone { rows[one] = nil }
            }
        }

        var lines: [String] {
            rows.map { key, sent in
                let columns: [String] = [
                    key.device, key.key, "\(key.part)", sent.type, sent.unit ?? "-", "\(sent.start ?? .min)",
                    "\(sent.end.map(String.init) ?? "-")", sent.value.map { "\($0)" } ?? "-", sent.name ?? "-",
                    sent.app ?? "-", "\(sent.kind.rawValue)", sent.rest.isEmpty ? "-" : sent.rest,
                ]
                return columns.joined(separator: "|")
            }.sorted()
        }
    }

    static let stored = """
        SELECT d.name, CASE typeof(k.uuid) WHEN 'blob' THEN (SELECT uuid FROM samples AS v WHERE hex(k.uuid) = replace(v.uuid, '-', '')
            LIMIT 1) ELSE k.uuid END, k.part, t.text, u.text, k.start, k."end", k.value, n.text, a.text, k.kind, k.rest
        FROM sample AS k JOIN series AS r ON r.id = k.series JOIN device AS d ON d.id = r.device JOIN text AS t ON t.id = r.type
          LEFT JOIN text AS u ON u.id = r.unit LEFT JOIN text AS n ON n.id = k.value_name
          LEFT JOIN source AS o ON o.id = k.source LEFT JOIN text AS a ON a.id = o.app
        """

    static func randomSample(_ random: inout SeededGenerator) -> Sent {
        let number = Int.random(in: 0..<12, using: &random)
        var sent = Sent(key: number < 9 ? Sent.uuid(number) : "key \(number)")
        sent.type = ["steps", "pulse", "mass"].randomElement(using: &random)!
        sent.unit = ["count", nil].randomElement(using: &random)!
        sent.start = [nil, 0, 1, 2, -5].randomElement(using: &random)!
        sent.end = [nil, 7].randomElement(using: &random)!
        sent.value = [nil, 1, 2.5].randomElement(using: &random)!
        sent.name = [nil, nil, "a"].randomElement(using: &random)!
        sent.app = [nil, "x", "y"].randomElement(using: &random)!
        sent.part = [0, 0, 0, 1, 2].randomElement(using: &random)!
        sent.rest = ["", "\"m\":1", "\"m\":2"].randomElement(using: &random)!
        if Int.random(in: 0..<4, using: &random) == 0 {
            sent.kind = .activitySummary
            sent.day = Int32.random(in: 0..<4, using: &random)
            sent.rest = "\"day\":\(sent.day!)"  // a summary's day is content
        }
        return sent
    }

    @Test(arguments: [KeyTuning(), KeyModelTests.real, KeyModelTests.colliding])
    func randomSubmissionsEndAsInTheModel(_ tuning: KeyTuning) throws {
        let seed = UInt64.random(in: .min ... .max)
        print("model seed \(seed)")
        var random = SeededGenerator(seed: seed)
        let folder = TestFolder()
        var options = StoreOptions()
        options.keys = tuning
        var store = try Store.open(directory: folder.path, options: options)
        defer { store.close() }
        var model = Model()
        for step in 0..<1_000 {
            let device = ["d_1", "d_2"].randomElement(using: &random)!
            let samples = (0..<Int.random(in: 0...6, using: &random)).map { _ in Self.randomSample(&random) }
            var deleted: [String] = []
            if Int.random(in: 0..<3, using: &random) == 0 {
                deleted = (0..<Int.random(in: 1...3, using: &random)).map { _ in Self.randomSample(&random).key }
            }
            let submission = Submission(
                SampleBatch(samples, deleting: deleted), endpoint: ["a", "b"].randomElement(using: &random)!,
                device: device)
            model.apply(samples, deleting: deleted, device: device)
            guard case .success(let outcome) = store.write(submission) else {
                Issue.record("step \(step), seed \(seed)")
                return
            }
            // The same again changes nothing, whatever it was.
            if step % 3 == 0, case .success(let repeated) = store.write(submission) {
                #expect(repeated.stored + repeated.changed + repeated.deleted == 0, "step \(step), seed \(seed)")
            }
            #expect(outcome.stored + outcome.changed + outcome.repeated <= samples.count, "step \(step), seed \(seed)")
            guard step % 50 == 49 else { continue }
            let lines = try rows(folder, Self.stored).sorted()
            #expect(lines == model.lines, "step \(step), seed \(seed)")
            #expect(try IdentityTests.keysMatchRows(folder, tuning), "step \(step), seed \(seed)")
            try expectAccountsToBalance(folder, "step \(step), seed \(seed)")
            #expect(
                try rows(folder, "SELECT count(*) FROM summary_day")
                    == rows(folder, "SELECT count(*) FROM sample WHERE kind = 9"),
                "step \(step), seed \(seed)")
            if lines != model.lines { return }
            if step % 500 == 499 {
                store.close()
                store = try Store.open(directory: folder.path, options: options)
            }
        }
        #expect(try model.deleted.isSubset(of: rows(folder, "SELECT device || '|' || uuid FROM deletions")))
        #expect(try rows(folder, "PRAGMA integrity_check") == ["ok"])
    }
}
