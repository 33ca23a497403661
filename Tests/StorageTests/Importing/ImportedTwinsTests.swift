import Foundation
import Samples
import Testing

@testable import Storage

private let second: Int64 = 1_000_000
private let noon: Int64 = 1_791_979_200 * second

/// Stores a file's samples as an import does, into a store that is closed or beside one that is open.
func runImport(
    _ folder: TestFolder, _ samples: [Sent], file: UInt8 = 1, device: String = "apple-health-export",
    person: String = "me",
    slice: Int = 100, dialect: Dialect = .apple
) throws -> StoreOutcome {
    let history = try HistoryImport(
        directory: folder.path, target: HistoryImport.Target(endpoint: "phone", person: person),
        file: ImportedFile(size: samples.count, digest: [file]))
    for start in stride(from: 0, to: samples.count, by: slice) {
        var batch = SampleBatch(Array(samples[start..<min(samples.count, start + slice)]))
        batch.extras = .imported
        try history.store(
            batch, dialect: dialect, device: Array(device.utf8), elements: min(samples.count, start + slice))
    }
    try history.finish(skipped: 0)
    return history.outcome
}

/// The facts that are stored, one a sample, whoever brought it.
private func facts(_ folder: TestFolder) throws -> [String] {
    try rows(
        folder,
        "SELECT dialect, type, start_us, end_us, value, value_name, unit, source_app FROM samples ORDER BY 2, 3, 5, 1")
}

/// A live sample and the same one as an export tells it, and whether they are one.
struct TwinCase: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var live: Sent
    var imported: Sent
    var isSame: Bool

    init(
        _ name: String, _ isSame: Bool, live: (inout Sent) -> Void = { _ in }, imported: (inout Sent) -> Void = { _ in }
    ) {
        testDescription = name
        self.isSame = isSame
        self.live = Sent(
            key: Sent.uuid(1), start: noon, end: noon + second, value: 78.5, unit: "count/min", app: "Watch",
            hardware: "Apple Watch")
        self.imported = self.live
        self.imported.key = Sent.uuid(2)
        live(&self.live)
        imported(&self.imported)
    }
}

private let cases: [TwinCase] = [
    TwinCase("equal in all", true),
    TwinCase("another type", false) { $0.type = "resting_heart_rate" },
    TwinCase("another end", false) { $0.end = noon + 3 * second },
    TwinCase("another start", false) { $0.start = noon - 2 * second },
    TwinCase("another value", false) { $0.value = 78.6 },
    TwinCase("no value", false) { $0.value = nil },
    TwinCase("another app and device", false, live: { ($0.app, $0.hardware) = ("Phone", "iPhone") }),
    TwinCase("a fraction of a second that was cut", true) { ($0.start, $0.end) = (noon + 999_999, noon + second + 1) },
    TwinCase("a fraction of a second that was rounded", true) {
        ($0.start, $0.end) = (noon - 400_000, noon + second - 500_000)
    },
    TwinCase("cut at one end and rounded at the other", false) {
        ($0.start, $0.end) = (noon + 700_000, noon + second - 400_000)
    },
    TwinCase("the next second", false) { ($0.start, $0.end) = (noon + second, noon + 2 * second) },
    TwinCase("six digits of more", true) { $0.value = 78.500012 },
    TwinCase("the seventh digit", false) { $0.value = 78.5004 },
    TwinCase("another unit, the same amount", true) { ($0.value, $0.unit) = (78.5 / 60, "count/s") },
    TwinCase("another unit, another amount", false) { $0.unit = "count/s" },
    TwinCase("an identifier for the app, the same device", true) { $0.app = "com.apple.health.1A2B" },
    TwinCase("an identifier for the app, another device", false) {
        ($0.app, $0.hardware) = ("com.apple.health.1A2B", "iPhone")
    },
    TwinCase("an identifier for the app, no device", true) { ($0.app, $0.hardware) = ("com.example.scale", nil) },
    TwinCase("the device's name alone, as the app's", true) { ($0.app, $0.hardware) = ("Apple Watch", nil) },
    TwinCase("no source", true) { ($0.app, $0.hardware) = (nil, nil) },
    TwinCase("an hour's sum is no sample", false) { ($0.grain, $0.merge) = (.hour, .slotSum) },
    TwinCase(
        "a category by its name", true,
        live: {
            ($0.kind, $0.type, $0.unit, $0.value, $0.name) = (.category, "sleep_analysis", nil, nil, "asleep_core")
        },
        imported: {
            ($0.kind, $0.type, $0.unit, $0.value, $0.name) = (.category, "sleep_analysis", nil, 3, "asleep_core")
        }),
    TwinCase(
        "a category of another name", false,
        live: { ($0.kind, $0.type, $0.unit, $0.value, $0.name) = (.category, "sleep_analysis", nil, 4, "asleep_deep") },
        imported: {
            ($0.kind, $0.type, $0.unit, $0.value, $0.name) = (.category, "sleep_analysis", nil, 3, "asleep_core")
        }),
    TwinCase(
        "a workout whose length is rounded", true,
        live: { ($0.kind, $0.type, $0.unit, $0.value, $0.name) = (.workout, "workout", "s", 1, "running") },
        imported: { ($0.kind, $0.type, $0.unit, $0.value, $0.name) = (.workout, "workout", "s", 1.02, "running") }),
    TwinCase(
        "another workout at the same time", false,
        live: { ($0.kind, $0.type, $0.unit, $0.value, $0.name) = (.workout, "workout", "s", 1, "walking") },
        imported: { ($0.kind, $0.type, $0.unit, $0.value, $0.name) = (.workout, "workout", "s", 1, "running") }),
]

@Suite struct ImportedTwinsTests {
    /// Whichever comes first: the live one alone is left of the same sample, both of two.
    @Test(arguments: cases)
    func liveBeforeImportAndImportBeforeLiveEndEqual(twin: TwinCase) throws {
        var ends: [[String]] = []
        for isLiveFirst in [true, false] {
            let folder = TestFolder()
            let store = try Store.open(directory: folder.path)
            if isLiveFirst { #expect(store.outcome([twin.live]) == "1/0/0/0") }
            let outcome = try runImport(folder, [twin.imported])
            #expect(outcome.stored == (isLiveFirst && twin.isSame ? 0 : 1))
            if !isLiveFirst { #expect(store.outcome([twin.live]) == "1/0/0/0") }
            // Both again: nothing new.
            #expect(store.outcome([twin.live]) == "0/0/1/0")
            #expect(try runImport(folder, [twin.imported]).stored == 0)
            store.close()
            ends.append(try facts(folder))
            #expect(try rows(folder, "SELECT count(*) FROM deletions") == ["0"])
            let counted = try rows(folder, "SELECT samples FROM endpoint_count")
            #expect(counted == [twin.isSame ? "1" : "2"])
        }
        #expect(ends[0] == ends[1])
        #expect(ends[0].count == (twin.isSame ? 1 : 2))
        #expect(ends[0].contains { $0.hasPrefix("native|") })
    }

    @Test func anotherPersonsSampleIsAnother() throws {
        let folder = TestFolder()
        let store = try Store.open(directory: folder.path)
        defer { store.close() }
        let sent = Sent(key: Sent.uuid(1), start: noon, end: noon, value: 1)
        _ = store.outcome([sent])
        var imported = sent
        imported.key = Sent.uuid(2)
        #expect(try runImport(folder, [imported], person: "anna").stored == 1)
        #expect(try facts(folder).count == 2)
    }

    /// A store of live samples alone does nothing more for a row than it did: no row of an import is looked for.
    @Test func withoutAnImportNothingIsLookedFor() throws {
        let folder = TestFolder()
        let store = try Store.open(directory: folder.path)
        _ = store.outcome([Sent(key: Sent.uuid(1), start: noon, end: noon, value: 1)])
        store.close()
        let connection = try Connection(
            path: DataFolder(existing: folder.path).database, access: .readWrite, busyMilliseconds: 1_000)
        let twins = try ImportedTwins(connection), dictionaries = try Dictionaries(connection)
        let batch = SampleBatch([Sent(key: Sent.uuid(1), start: noon, end: noon, value: 1)])
        let ids = try BatchIDs(batch, device: 1, dictionaries)
        #expect(try !twins.prepare(batch, ids))
    }

    @Test func anImportTwiceBringsNothingNew() throws {
        let folder = TestFolder()
        try Store.open(directory: folder.path).close()
        let samples = (0..<500).map {
            Sent(key: Sent.uuid($0), start: noon + Int64($0) * second, end: nil, value: Double($0 % 3), app: "Watch")
        }
        #expect(try runImport(folder, samples).stored == 500)
        let before = try rows(folder, "SELECT * FROM samples ORDER BY uuid")
        let again = try runImport(folder, samples)
        #expect(again.stored == 0 && again.changed == 0 && again.repeated == 500)
        #expect(try rows(folder, "SELECT * FROM samples ORDER BY uuid") == before)
        // A row a run, with its counts.
        #expect(
            try rows(folder, "SELECT kind, dialect, stored, repeated FROM deliveries ORDER BY id")
                == ["data|apple|500|0", "data|apple|0|500"])
        #expect(try rows(folder, "SELECT sum(refs) FROM delivery") == ["500"])
    }

    /// Of records with one key the one that tells more stays, in any order and however they are cut.
    @Test func ofOneKeyTheOneThatTellsMoreStays() throws {
        let texts = [#""a":1"#, #""a":1,"b":2"#, #""a":1,"b":3"#, #""c":1"#]
        for slice in [1, 2, 4] {
            for order in [[0, 1, 2, 3], [3, 2, 1, 0], [2, 0, 3, 1]] {
                let folder = TestFolder()
                try Store.open(directory: folder.path).close()
                let samples = order.map {
                    Sent(key: Sent.uuid(7), start: noon, end: noon, value: 1, app: "W", rest: texts[$0])
                }
                _ = try runImport(folder, samples, slice: slice)
                #expect(try rows(folder, "SELECT rest FROM sample") == [texts[2]])
                #expect(try runImport(folder, samples, file: 2, slice: 3).changed == 0)
            }
        }
    }

    /// A uuid that comes again with other content is the newer one's, also when both come in files.
    @Test(arguments: ["value", "end", "start", "type", "name", "source", "unit"], [1, 2])
    func aKeyThatComesAgainWithOtherContentIsChanged(member: String, slice: Int) throws {
        let folder = TestFolder()
        try Store.open(directory: folder.path).close()
        let first = Sent(key: Sent.uuid(7), start: noon, end: noon + second, value: 4391, unit: "count", app: "W")
        var later = first
        switch member {
        case "value": later.value = 9120
        case "end": later.end = noon + 2 * second
        case "start": later.start = noon + 1
        case "type": later.type = "flights_climbed"
        case "name": later.name = "other"
        case "source": later.app = "X"
        default: later.unit = "furlong"
        }
        let neighbour = Sent(key: Sent.uuid(8), start: noon, end: noon, value: 2, unit: "count", app: "W")
        func `import`(_ samples: [Sent], _ file: UInt8) throws -> StoreOutcome {
            try runImport(folder, samples, file: file, device: "csv-import", slice: slice, dialect: .csv)
        }
        #expect(try `import`([first, neighbour], 1).stored == 2)
        let outcome = try `import`([later, neighbour], 2)
        #expect(outcome.changed == 1 && outcome.stored == 0 && outcome.repeated == 1)
        let rows = try facts(folder)
        #expect(rows.count == 2)
        let other = TestFolder()
        try Store.open(directory: other.path).close()
        _ = try runImport(other, [later, neighbour], device: "csv-import", dialect: .csv)
        #expect(try facts(other) == rows)
        // Within one file the last counts too, wherever it was cut.
        let third = TestFolder()
        try Store.open(directory: third.path).close()
        _ = try runImport(third, [first, later, neighbour], device: "csv-import", slice: slice, dialect: .csv)
        #expect(try facts(third) == rows)
    }

    /// Two in the same file are two, wherever a transaction ends between them.
    @Test func twinsWithinOneFileStay() throws {
        for slice in [1, 2] {
            let folder = TestFolder()
            try Store.open(directory: folder.path).close()
            let samples = [1, 2].map { Sent(key: Sent.uuid($0), start: noon, end: noon, value: 5, app: "W") }
            #expect(try runImport(folder, samples, slice: slice).stored == 2)
            #expect(try runImport(folder, samples, slice: slice).stored == 0)
        }
    }

    /// Another export, in another unit of the file, has another key for the same.
    @Test func theSameSampleUnderAnotherKeyOfALaterExportIsKnown() throws {
        let folder = TestFolder()
        try Store.open(directory: folder.path).close()
        _ = try runImport(
            folder, [Sent(key: Sent.uuid(1), start: noon, end: noon, value: 70.3068, unit: "kg", app: "S")])
        let later = [Sent(key: Sent.uuid(2), start: noon, end: noon, value: 70.30681, unit: "kg", app: "S")]
        #expect(try runImport(folder, later, file: 2).stored == 0)
        #expect(try facts(folder).count == 1)
    }

    @Test func aRouteThatALivePhoneBringsTakesTheImportedPartsAway() throws {
        let folder = TestFolder()
        let store = try Store.open(directory: folder.path)
        defer { store.close() }
        func route(_ key: Int, _ parts: Int32, at start: Int64) -> [Sent] {
            (0..<parts).map {
                Sent(
                    key: Sent.uuid(key), type: "workout_route", kind: .workoutRoute, start: start,
                    end: noon + 60 * second,
                    app: "W", part: $0, rest: #""parts":\#(parts)"#)
            }
        }
        #expect(try runImport(folder, route(1, 3, at: noon)).stored == 3)
        #expect(store.outcome(route(2, 2, at: noon + 300_000)) == "2/0/0/0")
        #expect(try rows(folder, "SELECT device, part FROM samples ORDER BY part") == ["d_1|0", "d_1|1"])
        #expect(try runImport(folder, route(1, 3, at: noon)).stored == 0)
    }

    /// What was purged is not taken for read.
    @Test func aPurgedImportBeginsAnew() throws {
        let folder = TestFolder()
        try Store.open(directory: folder.path).close()
        let target = HistoryImport.Target(endpoint: "phone", person: "me"), file = ImportedFile(size: 9, digest: [1])
        func history() throws -> HistoryImport { try HistoryImport(directory: folder.path, target: target, file: file) }
        var batch = SampleBatch([Sent(key: Sent.uuid(1), start: noon, end: noon, value: 5, app: "W")])
        batch.extras = .imported
        try history().store(batch, dialect: .apple, device: Array("apple-health-export".utf8), elements: 7)
        #expect(try history().done == 7)
        #expect(try Purge.run(directory: folder.path, endpoint: "phone").samples == 1)
        #expect(try history().done == 0)
    }

    /// A server that was open all the time learns of an import that another process made.
    @Test func aDeletedTwinLeavesNoKeyBehind() throws {
        let folder = TestFolder()
        let store = try Store.open(directory: folder.path)
        defer { store.close() }
        let imported = Sent(key: Sent.uuid(1), start: noon, end: noon, value: 5, app: "W")
        _ = store.outcome([Sent(key: Sent.uuid(9), start: noon, end: noon, value: 6, app: "W")])
        _ = try runImport(folder, [imported])
        var live = imported
        live.key = Sent.uuid(2)
        #expect(store.outcome([live]) == "1/0/0/0")
        #expect(try facts(folder).count == 2)
        // Its phone deletes it, and the next import brings it again under its own key.
        #expect(store.outcome([], deleting: [Sent.uuid(2)]) == "0/0/0/1")
        #expect(try runImport(folder, [imported]).stored == 1)
    }
}
