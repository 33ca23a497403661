import Samples
import Testing

@testable import Storage

/// A store with the requests of one sender whose samples share slots.
final class MergingHarness {
    static let hour: Int64 = 3_600_000_000
    /// 2026-10-14T07:00:00Z
    static let seven: Int64 = 1_791_961_200_000_000

    let folder = TestFolder()
    private(set) var store: Store
    var window = MergeWindow(cutsBuckets: false, isPerSample: false, session: nil)
    /// When the next request comes.
    var now = seven + 10 * hour
    private var deliveries = 0

    init() throws { store = try Store.open(directory: folder.path) }
    deinit { store.close() }

    func restart() throws {
        store.close()
        store = try Store.open(directory: folder.path)
    }

    /// Members of a slot as `Watch|Phone=12.5`, `Watch=60@55..66` (Min and Max) or `=3` (no source), by spaces.
    static func members(
        _ text: String, _ rule: MergeRule = .slotSum, _ grain: Grain = .minute, slot: Int = 1,
        start: Int64 = seven
    ) -> [Sent] {
        text.split(separator: " ").map { piece in
            let halves = piece.split(separator: "=", omittingEmptySubsequences: false)
            let numbers = halves[1].split(separator: "@")
            var sent = Sent(key: key(slot), type: "metric", start: start, value: Double(numbers[0]), unit: "count")
            sent.app = halves[0].isEmpty ? nil : String(halves[0].replacing("_", with: " "))
            (sent.merge, sent.grain) = (rule, grain)
            if numbers.count > 1, let dots = numbers[1].firstRange(of: "..") {
                sent.rest = "\"Min\":\(numbers[1][..<dots.lowerBound]),\"Max\":\(numbers[1][dots.upperBound...])"
            }
            return sent
        }
    }

    /// The uuid of a name, as a slot has one.
    static func key(_ number: Int) -> String {
        let digits = String(number, radix: 16, uppercase: true)
        return "00000000-0000-5000-8000-" + String(repeating: "0", count: 12 - digits.count) + digits
    }

    func submission(_ samples: [Sent], delivery: String? = nil) -> Submission {
        deliveries += 1
        var batch = SampleBatch(samples)
        batch.window = window
        return Submission(batch, delivery: delivery ?? "delivery-\(deliveries)", at: now, dialect: .hae)
    }

    /// A body in slices, each a batch of its own.
    func stream(_ slices: [[Sent]], fault: DecodeFault? = nil) -> Submission {
        var submission = submission([])
        let window = window
        submission.content = .stream(
            SampleStream(bytes: 1_000) { sink in
                for slice in slices {
                    var batch = SampleBatch(slice)
                    batch.window = window
                    try sink(batch)
                }
                if let fault { throw fault }
            })
        return submission
    }

    /// Counts as `stored/changed/repeated`, with `!n` when the guard acted.
    @discardableResult func send(_ samples: [Sent], delivery: String? = nil) -> String {
        send(submission(samples, delivery: delivery))
    }

    @discardableResult func send(_ submission: Submission) -> String {
        switch store.write(submission) {
        case .failure(let fault): return "\(fault)"
        case .success(let counts):
            let guarded = counts.guarded > 0 ? " !\(counts.guarded)" : ""
            return "\(counts.stored)/\(counts.changed)/\(counts.repeated)\(guarded)"
        }
    }

    /// The stored members in the notation of `members`, by part; `?` where the parts do not count from 0.
    func slot(_ number: Int = 1) throws -> String {
        let found = try rows(
            folder,
            """
            SELECT part, ifnull(replace(source_app, ' ', '_'), ''), value, body ->> '$.Min', body ->> '$.Max' FROM samples
            WHERE uuid = '\(Self.key(number))' ORDER BY part
            """)
        return found.enumerated().map { index, row in
            let columns = row.split(separator: "|", omittingEmptySubsequences: false)
            // A bar inside of a source is a column too many here.
            let source = columns[1..<(columns.count - 3)].joined(separator: "|")
            let tail = columns.suffix(3)
            let value = Double(tail.first ?? "").map { $0 == $0.rounded() ? "\(Int($0))" : "\($0)" } ?? "-"
            let range = tail.last == "-" ? "" : "@\(tail.dropFirst().joined(separator: ".."))"
            return (columns[0] == "\(index)" ? "" : "?") + "\(source)=\(value)\(range)"
        }.joined(separator: " ")
    }

    /// Everything of `sample` that is content, and whose it is.
    func table() throws -> [String] {
        try rows(
            folder,
            """
            SELECT hex(uuid), part, series, start, "end", value, value_name, source, spelled, utc_offset, rest, endpoint, delivery
            FROM sample ORDER BY 1, 2
            """)
    }

    /// Keys, counters and bodies fit together.
    func expectConsistency(_ comment: Comment? = nil) throws {
        #expect(try IdentityTests.keysMatchRows(folder), comment)
        try expectAccountsToBalance(folder, comment)
        #expect(try rows(folder, "SELECT body FROM samples WHERE NOT json_valid(body)") == [], comment)
        #expect(try rows(folder, "SELECT uuid FROM deletions") == [], comment)
        #expect(
            try rows(
                folder,
                """
                SELECT body FROM samples WHERE (SELECT count(*) FROM json_each(body)) <>
                  (SELECT count(DISTINCT key) FROM json_each(body))
                """) == [], comment)
    }
}
