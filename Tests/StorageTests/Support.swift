import Foundation
import Samples
import Testing
import Threads

@testable import Storage

/// A temporary data folder that goes with the test.
final class TestFolder: Sendable {
    let path: String

    init() {
        path = FileManager.default.temporaryDirectory.appendingPathComponent("store-\(UUID().uuidString)").path
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    var database: String { "\(path)/health.db" }
}

/// One sample as a test writes it.
struct Sent {
    var key: String
    var type = "heart_rate"
    var kind = SampleKind.quantity
    var start: Int64?
    var end: Int64?
    var value: Double?
    var name: String?
    var unit: String?
    var app: String?
    var hardware: String?
    var part: Int32 = 0
    var day: Int32?
    var offset: Int16?
    var spelled: SpelledMembers = []
    var merge = MergeRule.replace
    var grain = Grain.raw
    var rest = ""

    /// A uuid that counts.
    static func uuid(_ number: Int) -> String {
        let digits = String(number, radix: 16, uppercase: true)
        return "00000000-0000-4000-8000-" + String(repeating: "0", count: 12 - digits.count) + digits
    }
}

extension SampleBatch {
    /// As a decoder does it: 36 characters of hex and hyphens are a uuid, all else is text.
    mutating func key(_ text: String) -> SampleKey {
        let digits = text.replacingOccurrences(of: "-", with: "")
        if text.utf8.count == 36 && digits.utf8.count == 32, let high = UInt64(digits.prefix(16), radix: 16),
            let low = UInt64(digits.suffix(16), radix: 16)
        {
            return .uuid(high: high, low: low)
        }
        return .text(append(text.utf8))
    }

    mutating func add(_ sent: Sent) {
        func number(_ text: String?, in batch: inout SampleBatch) -> BatchIndex {
            text.map { batch.intern($0.utf8) } ?? -1
        }
        let type = number(sent.type, in: &self), unit = number(sent.unit, in: &self)
        let app = number(sent.app, in: &self), device = number(sent.hardware, in: &self)
        samples.append(
            SampleRecord(
                key: key(sent.key), start: sent.start.map(Timestamp.init) ?? .none,
                end: sent.end.map(Timestamp.init) ?? .none, value: sent.value, series: series(type: type, unit: unit),
                source: app < 0 && device < 0 ? -1 : source(app: app, device: device),
                valueName: number(sent.name, in: &self), part: sent.part, day: sent.day,
                utcOffsetMinutes: sent.offset, kind: sent.kind, spelled: sent.spelled,
                merge: sent.merge, grain: sent.grain, rest: sent.rest.isEmpty ? .empty : append(sent.rest.utf8)))
    }

    mutating func delete(_ text: String, type: String? = nil) {
        deletions.append(DeletionRecord(key: key(text), type: type.map { intern($0.utf8) } ?? -1))
    }

    init(_ samples: [Sent], deleting: [String] = []) {
        self.init()
        for sample in samples { add(sample) }
        for key in deleting { delete(key) }
    }
}

extension Submission {
    /// A data request of the endpoint `phone`.
    init(
        _ batch: SampleBatch?, endpoint: String = "phone", person: String = "me", device: String = "d_1",
        delivery: String? = nil, at microseconds: Int64 = 1_791_961_500_000_000, dialect: Dialect = .native
    ) {
        self.init(
            receivedAt: Timestamp(microseconds: microseconds), endpoint: endpoint, person: person,
            device: Array(device.utf8), deliveryID: delivery, kind: batch == nil ? .test : .data, dialect: dialect,
            bodyBytes: 100, status: 204,
            content: batch.map { .batch($0) } ?? .none)
    }

    init(_ samples: [Sent], deleting: [String] = []) { self.init(SampleBatch(samples, deleting: deleting)) }
}

extension Store {
    /// Submits and waits for the reply.
    func write(_ submission: Submission) -> Result<StoreOutcome, StoreFault> {
        let slot = Monitor(Result<StoreOutcome, StoreFault>?.none)
        submit(submission) { result in slot.withLock { $0 = result } }
        return slot.wait(milliseconds: 60_000) { $0 } ?? .failure(.failed(code: -1))
    }

    /// Counts as `stored/changed/repeated/deleted`, or the fault.
    func outcome(_ samples: [Sent], deleting: [String] = []) -> String {
        Self.text(write(Submission(samples, deleting: deleting)))
    }

    static func text(_ result: Result<StoreOutcome, StoreFault>) -> String {
        switch result {
        case .success(let counts): "\(counts.stored)/\(counts.changed)/\(counts.repeated)/\(counts.deleted)"
        case .failure(let fault): "\(fault)"
        }
    }
}

/// Rows as text, columns joined by `|`, NULL as `-`, read through a connection of its own.
func rows(_ folder: TestFolder, _ sql: String) throws -> [String] {
    let connection = try Connection(
        path: DataFolder(existing: folder.path).database, access: .readOnly, busyMilliseconds: 5_000)
    return try rows(connection, sql)
}

func rows(_ connection: Connection, _ sql: String) throws -> [String] {
    let statement = try connection.prepare(sql)
    var found: [String] = []
    while try statement.step() {
        found.append((0..<statement.columns).map { statement.text($0) ?? "-" }.joined(separator: "|"))
    }
    return found
}
