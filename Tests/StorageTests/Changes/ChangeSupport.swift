import Foundation
import Samples
import TestSupport
import Testing

@testable import Storage

/// Which sample, for whoever keeps a copy.
struct CopyKey: Hashable, CustomStringConvertible {
    var device: String
    var key: String
    var part: Int64
    var description: String { "\(device)/\(key)/\(part)" }

    init(device: StoredText, key: StoredSample.Key, keyText: [UInt8], part: Int64) {
        self.device = String(decoding: device.bytes, as: UTF8.self)
        switch key {
        case .text: self.key = "t:" + String(decoding: keyText, as: UTF8.self)
        case .uuid(let high, let low): self.key = "\(high):\(low)"
        }
        self.part = part
    }
}

/// A row as a copy has it.
struct CopyRow: Equatable {
    var type: String
    var series: Int64
    var start: Int64
    var end: Int64?
    var delivery: Int64
    /// All that is content, and what else a copy is told.
    var content: String

    init(_ sample: StoredSample, _ series: StoredSeries) {
        type = String(decoding: series.type.bytes, as: UTF8.self)
        self.series = series.id
        start = sample.start.microseconds
        end = sample.end == .none ? nil : sample.end.microseconds
        delivery = sample.delivery
        content = """
            \(sample.end.microseconds) \(sample.value ?? .nan) \(sample.valueName ?? 0) \(sample.source ?? 0) \(sample.kind) \
            \(sample.spelled.rawValue) \(sample.utcOffsetMinutes ?? 0) \(String(decoding: sample.rest, as: UTF8.self))
            """
    }

    func hasSameContent(as other: CopyRow) -> Bool {
        type == other.type && series == other.series && start == other.start && content == other.content
    }
}

typealias Snapshot = [CopyKey: CopyRow]

/// Whoever keeps a copy by following the changes.
final class Follower {
    let reader: StoreReader
    let feed: ChangeFeed
    private(set) var cursor: ChangeCursor
    private(set) var copy: Snapshot = [:]
    private(set) var anew = 0

    init(_ folder: TestFolder) throws {
        reader = try StoreReader(directory: folder.path)
        feed = try ChangeFeed(reader)
        cursor = try feed.current()
        try begin()
    }

    /// The cursor first, then the samples: as a copy elsewhere does it.
    func begin() throws {
        cursor = try feed.current()
        copy = try snapshot()
        anew += 1
    }

    func snapshot() throws -> Snapshot {
        let statement = try reader.connection.prepare("SELECT \(StoredSample.columns), k.series FROM sample AS k")
        var found: Snapshot = [:]
        while try statement.step() {
            var sample = StoredSample()
            try sample.read(statement)
            let series = try feed.series(statement.integer(14))
            let key = CopyKey(device: series.device, key: sample.key, keyText: sample.keyText, part: sample.part)
            #expect(found[key] == nil, "two rows of \(key)")
            found[key] = CopyRow(sample, series)
        }
        return found
    }

    /// One change as it was told.
    struct Told {
        var operation: Change.Operation
        var key: CopyKey
        var type: String
        var row: CopyRow?
    }

    /// Reads to the end, and each cursor through its text.
    ///
    /// - Returns: nil when it had to begin anew.
    func follow(_ random: inout SeededGenerator, filter: ChangeFilter = ChangeFilter()) throws -> [Told]? {
        var told: [Told] = []
        while true {
            var limits = ChangeLimits(changes: Int.random(in: 1...6, using: &random))
            limits.rows = [1, 2, 7, 50_000].randomElement(using: &random)!
            switch try feed.read(since: cursor, limits: limits, filter: filter) {
            case .expired:
                try begin()
                return nil
            case .changes(let changes, let next, let more):
                #expect(changes.count <= limits.changes)
                #expect(!more || next != cursor, "no progress")
                let before = cursor, text = next.text
                cursor = try #require(ChangeCursor(text))
                #expect(cursor == next && text.utf8.count <= ChangeCursor.maximumTextBytes)
                // The connection may break behind any change: the rest is told again from there.
                let breaks = Int.random(in: 0..<4, using: &random) == 0
                let received = breaks ? changes.prefix(Int.random(in: 0...changes.count, using: &random)) : changes[...]
                if received.count < changes.count { cursor = received.last?.cursor ?? before }
                for change in received {
                    let key = CopyKey(
                        device: change.device, key: change.key, keyText: change.keyText, part: change.part)
                    let row = change.stored.map { CopyRow($0.sample, $0.series) }
                    #expect((row == nil) == (change.operation == .delete))
                    copy[key] = row
                    told.append(
                        Told(
                            operation: change.operation, key: key,
                            type: String(decoding: change.type.bytes, as: UTF8.self), row: row))
                }
                if !more && received.count == changes.count { return told }
            }
        }
    }
}

/// Each change that one submission made is told once, and as what it is.
func expectExact(_ told: [Follower.Told], before: Snapshot, after: Snapshot, _ comment: Comment) {
    struct Name: Hashable { var key: CopyKey, type: String }
    var seen: Set<Name> = []
    for change in told {
        #expect(seen.insert(Name(key: change.key, type: change.type)).inserted, "twice: \(change) \(comment)")
        let had = before[change.key]?.type == change.type, has = after[change.key]?.type == change.type
        let expected: Change.Operation? = has ? (had ? .update : .insert) : had ? .delete : nil
        #expect(change.operation == expected, "\(change.key) \(change.type) \(comment)")
        if has { #expect(change.row == after[change.key], comment) }
    }
    for (key, row) in before where after[key]?.type != row.type {
        #expect(seen.contains(Name(key: key, type: row.type)), "\(key) went, \(comment)")
    }
    for (key, row) in after where before[key].map({ !$0.hasSameContent(as: row) }) ?? true {
        #expect(seen.contains(Name(key: key, type: row.type)), "\(key) came, \(comment)")
    }
}

/// Every place whose row is another one, or that has one no longer, is in the ranges.
func expectCovered(_ touched: TouchedRanges, before: Snapshot, after: Snapshot, _ comment: Comment) {
    guard case .ranges(let ranges) = touched else { return }
    func isCovered(_ row: CopyRow) -> Bool {
        ranges.contains {
            $0.series == row.series && $0.low.microseconds <= row.start && row.start <= $0.high.microseconds
                && (row.start == .min || $0.reach.microseconds >= row.end ?? .min)
        }
    }
    for (key, row) in before where after[key].map({ !$0.hasSameContent(as: row) }) ?? true {
        #expect(isCovered(row), "before: \(key) \(row), \(comment)")
    }
    for (key, row) in after where before[key].map({ !$0.hasSameContent(as: row) }) ?? true {
        #expect(isCovered(row), "after: \(key) \(row), \(comment)")
    }
}
