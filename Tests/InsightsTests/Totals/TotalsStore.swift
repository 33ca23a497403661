import Foundation
import Samples
import Storage
import Testing

@testable import Insights

/// One sample as a test writes it. Times are minutes since 1970 UTC.
struct TotalsSample: Equatable {
    var source: Int
    var start: Int
    /// Equal to `start` for a moment.
    var end: Int
    var value: Double = 0
    var key: Int = 0
    /// Of its own clock, in minutes.
    var offset: Int?
    var isNative = true
    var grain = Grain.raw
    var unit: String? = "count"
    var kind = SampleKind.quantity
    var range: ClosedRange<Double>?
    /// Whether `value` is stored.
    var hasValue = true
    /// Stored without start and end.
    var isTimeless = false

    var length: Int { end - start }
}

/// A store of its own with samples of one person, and the read model over it.
final class TotalsStore {
    static let sources = [
        SourceName(app: "com.apple.Health", device: "Apple Watch"),
        SourceName(app: "com.apple.Health", device: "iPhone"),
        SourceName(app: "Scale", device: nil), SourceName(app: nil, device: nil),
    ]

    let directory: String
    let store: Store
    let zoneName: String
    var type: String
    var order: [SourceName] = []
    private var model: ReadModel?

    init(_ zoneName: String = "UTC", type: String = "steps") throws {
        directory = FileManager.default.temporaryDirectory.appendingPathComponent("totals-\(UUID().uuidString)").path
        store = try Store.open(directory: directory)
        self.zoneName = zoneName
        self.type = type
    }

    deinit {
        store.close()
        try? FileManager.default.removeItem(atPath: directory)
    }

    static func zone(_ name: String) throws -> ZoneRules {
        if name == "UTC" { return .utc }
        return try ZoneRules(parsing: Array(Data(contentsOf: URL(fileURLWithPath: "/usr/share/zoneinfo/\(name)"))))
    }

    /// A new one when `reading` anew, as another process has it.
    func readModel(anew: Bool = false) throws -> ReadModel {
        if let model, !anew { return model }
        let person = Person(name: "me", zoneName: zoneName, zone: try Self.zone(zoneName))
        let new = try ReadModel(
            ReadModel.Setup(
                directory: directory, catalog: .builtIn, persons: [person], sourceOrder: ["me": order]))
        model = new
        return new
    }

    /// Stores samples and takes away others, in a request each for natives and others.
    ///
    /// - Parameter device: in place of the one that all have.
    func send(
        _ samples: [TotalsSample], deleting: [TotalsSample] = [], dialect: Dialect = .hae, type: String? = nil,
        device: String? = nil
    ) throws {
        for isNative in [true, false] {
            let chosen = samples.filter { $0.isNative == isNative }, gone = deleting.filter { $0.isNative == isNative }
            if chosen.isEmpty && gone.isEmpty { continue }
            var batch = SampleBatch()
            for sample in chosen { batch.add(sample, type: type ?? self.type) }
            for sample in gone {
                batch.deletions.append(DeletionRecord(key: .uuid(high: 0x4000, low: UInt64(sample.key)), type: -1))
            }
            let submission = Submission(
                receivedAt: Timestamp(microseconds: 1_791_961_500_000_000), endpoint: "phone", person: "me",
                device: Array((device ?? (isNative ? "d_1" : "guest")).utf8), deliveryID: nil, kind: .data,
                dialect: isNative ? .native : dialect, bodyBytes: 100, status: 204, content: .batch(batch))
            let done = DispatchSemaphore(value: 0)
            nonisolated(unsafe) var result: Result<StoreOutcome, StoreFault>?
            store.submit(submission) {
                result = $0
                done.signal()
            }
            done.wait()
            _ = try #require(result).get()
        }
    }

    func buckets(
        _ size: BucketSize, from: Int = -1_000_000_000, to: Int = 1_000_000_000, rule: SourceRule = .priority,
        withSources: Bool = false, anew: Bool = false
    ) throws -> BucketSeries {
        try readModel(anew: anew).buckets(
            BucketQuery(
                person: "me", type: type, from: Timestamp(microseconds: Int64(from) * 60_000_000),
                to: Timestamp(microseconds: Int64(to) * 60_000_000), size: size, rule: rule, withSources: withSources))
    }
}

extension SampleBatch {
    fileprivate mutating func add(_ sample: TotalsSample, type: String) {
        func number(_ text: String?, in batch: inout SampleBatch) -> BatchIndex {
            text.map { batch.intern($0.utf8) } ?? -1
        }
        let name = TotalsStore.sources[sample.source]
        let app = number(name.app, in: &self), device = number(name.device, in: &self)
        let type = number(type, in: &self), unit = number(sample.unit, in: &self)
        let rest = sample.range.map { "\"Min\":\($0.lowerBound),\"Max\":\($0.upperBound)" } ?? ""
        samples.append(
            SampleRecord(
                key: .uuid(high: 0x4000, low: UInt64(sample.key)),
                start: sample.isTimeless ? .none : Timestamp(microseconds: Int64(sample.start) * 60_000_000),
                end: sample.isTimeless ? .none : Timestamp(microseconds: Int64(sample.end) * 60_000_000),
                value: sample.hasValue && sample.kind == .quantity ? sample.value : nil,
                series: series(type: type, unit: unit),
                source: app < 0 && device < 0 ? -1 : source(app: app, device: device), valueName: -1, part: 0,
                utcOffsetMinutes: sample.offset.map { Int16($0) }, kind: sample.kind, spelled: [],
                merge: sample.range == nil ? .replace : .slotRange, grain: sample.grain,
                rest: rest.isEmpty ? .empty : append(rest.utf8)))
    }
}

extension Bucket {
    var sum: Double { if case .sum(let sum) = figures { sum } else { .nan } }
    var seconds: Double { if case .duration(let seconds) = figures { seconds } else { .nan } }
}

/// Minutes since 1970 of `14T08:30` in October 2026, UTC; `T` alone is the 14th.
func minute(_ text: Substring) -> Int {
    let halves = text.split(separator: "T", omittingEmptySubsequences: false)
    let day = halves.count == 2 && !halves[0].isEmpty ? Int(halves[0])! : 14
    let clock = halves.last!.split(separator: ":").map { Int($0)! }
    return (CivilDate(year: 2026, month: 10, day: 1).daysSince1970 + day - 1) * 1_440 + clock[0] * 60 + clock[1]
}

func minute(_ text: String) -> Int { minute(text[...]) }

/// Samples as `W 08:00-09:00 60; P 08:30 5; H+hour 08:00-09:00 70`: the source (W watch, P iPhone, S scale, N none; lower case
/// for samples without HealthKit's uuid), a grain perhaps, an offset perhaps as `@-240`, times, value.
func totals(_ text: String) -> [TotalsSample] {
    text.split(separator: ";").enumerated().map { index, piece in
        let words = piece.split(separator: " ")
        var head = words[0]
        let times = words[1].split(separator: "-")
        var sample = TotalsSample(
            source: ["W", "P", "S", "N"].firstIndex(of: head.prefix(1).uppercased())!, start: minute(times[0]),
            end: minute(times.last!), value: Double(words[2])!, key: index + 1)
        sample.isNative = head.first!.isUppercase
        if let at = head.firstIndex(of: "@") {
            sample.offset = Int(head[head.index(after: at)...])!
            head = head[..<at]
        }
        switch head.dropFirst(2) {
        case "second": sample.grain = .second
        case "minute": sample.grain = .minute
        case "hour": sample.grain = .hour
        case "day": sample.grain = .day
        case "week": sample.grain = .week
        case "month": sample.grain = .month
        default: break
        }
        return sample
    }
}
