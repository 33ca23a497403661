import Foundation
import Samples
import Storage
import TestSupport
import Testing

@testable import Insights

/// What is kept equals what is worked out from the samples alone, whatever happens to them.
struct RollupTests {
    /// The days that a model works out to keep them.
    private final class Worked {
        var days: [Int] = []
    }

    private func watch(_ model: ReadModel) -> Worked {
        let worked = Worked()
        model.workedOut = { worked.days += Array($0) }
        return worked
    }

    private func scratch(_ store: TotalsStore) throws -> ReadModel {
        let model = try store.readModel(anew: true)
        model.keepsRollups = false
        return model
    }

    private func query(_ store: TotalsStore, _ size: BucketSize, _ rule: SourceRule = .priority) -> BucketQuery {
        BucketQuery(
            person: "me", type: store.type, from: Timestamp(microseconds: .min), to: Timestamp(microseconds: .max),
            size: size, rule: rule, withSources: true)
    }

    private func expectSame(_ kept: ReadModel, _ store: TotalsStore, _ comment: Comment) throws {
        let scratch = try scratch(store)
        for size in [BucketSize.hour, .day, .week, .month, .year] {
            for rule in SourceRule.allCases {
                let query = query(store, size, rule)
                #expect(try kept.buckets(query) == scratch.buckets(query), "\(comment) \(size) \(rule)")
            }
        }
        #expect(try kept.types(of: "me") == scratch.types(of: "me"), comment)
        #expect(try kept.sources(of: "me", type: nil) == scratch.sources(of: "me", type: nil), comment)
    }

    @Test(
        "Late, changed and deleted samples end in what working out all from scratch gives",
        arguments: RandomTotals.Mix.allCases)
    func randomEdits(mix: RandomTotals.Mix) throws {
        for (type, unit, kind) in [
            ("steps", "count", SampleKind.quantity), ("heart_rate", "count/min", .quantity),
            ("mindful_session", nil as String?, .category),
        ] {
            let seed = UInt64(mix.rawValue.utf8.count)
            let clock = ClockCase.all[Int(seed) % 6]
            var random = RandomTotals(seed: seed, mix, clock.zoneName, center: clock.minute)
            func next() -> TotalsSample {
                var sample = random.sample()
                (sample.unit, sample.kind) = (unit, kind)
                return sample
            }
            let store = try TotalsStore(clock.zoneName, type: type)
            store.order = Array(TotalsStore.sources.dropLast())
            var stored = (0..<40).map { _ in next() }
            try store.send(stored)
            let model = try store.readModel()
            for round in 0..<6 {
                try expectSame(model, store, "seed \(seed) \(mix) \(type) round \(round)")
                switch round % 4 {
                case 0:
                    let new = (0..<3).map { _ in next() }
                    stored += new
                    try store.send(new)
                case 1:
                    let index = Int.random(in: stored.indices, using: &random.generator)
                    stored[index].value += 7
                    stored[index].start += 30
                    stored[index].end += 50
                    try store.send([stored[index]])
                case 2: try store.send([], deleting: [stored.remove(at: 0), stored.remove(at: 3)])
                default:
                    // Far away, and long.
                    var new = next()
                    new.start += 40 * 1_440
                    new.end = new.start + 9 * 1_440
                    stored.append(new)
                    try store.send([new])
                }
            }
        }
    }

    /// A sample of ten minutes every `hours` from `day` of October 2026 on.
    private func row(from day: Int, _ count: Int, everyHours hours: Int, key: Int, source: Int = 0) -> [TotalsSample] {
        let first = minute("01T08:00") + (day - 1) * 1_440
        return (0..<count).map { index in
            let start = first + index * hours * 60
            return TotalsSample(
                source: source, start: start, end: start + 10, value: Double(index % 97), key: key + index)
        }
    }

    @Test("History that arrives with a gap behind newer rows is looked over as a whole")
    func historyWithAGap() throws {
        for isFirst in [true, false] {
            let store = try TotalsStore()
            try store.send(row(from: 1, 3, everyHours: 24, key: 1))
            let model = try store.readModel()
            _ = try model.buckets(query(store, .year))
            let old = row(from: -4_290, 1, everyHours: 1, key: 10, source: 1)
            let dense = row(from: -3_190, 1_300, everyHours: 20, key: 100, source: 2)
            // In one request, and the wide stretch in front.
            if isFirst { try store.send(old + dense) } else { try store.send(dense) }
            if !isFirst { try store.send(old) }
            try expectSame(model, store, "in one request: \(isFirst)")
        }
    }

    @Test("Rows that arrive while a large series is first looked over are in it")
    func rowsDuringTheFirstLook() throws {
        for late in 1...12 {
            let store = try TotalsStore()
            try store.send(row(from: 1, 120, everyHours: 24, key: 1))
            let model = try store.readModel()
            model.stepRows = 20
            var asked = 0
            model.goesOn = {
                asked += 1
                if asked == late { try? store.send(self.row(from: -300, 2, everyHours: 24, key: 1_000, source: 1)) }
                if asked == late { try? store.send(self.row(from: 3, 2, everyHours: 24, key: 2_000, source: 2)) }
                return true
            }
            _ = try model.buckets(query(store, .day))
            model.goesOn = { true }
            try expectSame(model, store, "at \(late)")
        }
    }

    @Test("Months whose rows all go are gone")
    func deletedMonths() throws {
        let store = try TotalsStore("Europe/Berlin")
        let before = row(from: -200, 40, everyHours: 24, key: 1),
            after = row(from: 200, 40, everyHours: 24, key: 500, source: 1)
        let between = row(from: -100, 200, everyHours: 24, key: 1_000)
        try store.send(before + between + after)
        let model = try store.readModel()
        _ = try model.buckets(query(store, .day))
        try store.send([], deleting: between)
        try expectSame(model, store, "deleted")
        try store.send(Array(between.dropFirst(50).dropLast(60)))
        try expectSame(model, store, "and some of them again")
    }

    @Test("Stretches of any width, rows between the steps, deletions and other sources in any order", arguments: 0..<5)
    func anyStretches(seed: Int) throws {
        var random = SeededGenerator(seed: UInt64(seed))
        func number(_ range: Range<Int>) -> Int { Int.random(in: range, using: &random) }
        let store = try TotalsStore("Europe/Berlin")
        var stored: [TotalsSample] = [], key = 1
        func some(_ count: Int, everyHours hours: Int) -> [TotalsSample] {
            let new = row(from: number(-3_000..<300), count, everyHours: hours, key: key, source: number(0..<4))
            key += count
            return new
        }
        func change() throws {
            switch number(0..<5) {
            case 0:
                let new = some(number(880..<960), everyHours: 20) + some(2, everyHours: 24)
                stored += new
                try store.send(new)
            case 1 where stored.count > 100:
                let first = number(0..<stored.count / 2), gone = Array(stored[first..<first + stored.count / 3])
                stored.removeSubrange(first..<first + gone.count)
                try store.send([], deleting: gone)
            default:
                let new = some(number(1..<5), everyHours: number(1..<2_000))
                stored += new
                try store.send(new)
            }
        }
        try change()
        let model = try store.readModel()
        model.stepRows = number(5..<400)
        for round in 0..<4 {
            var between = number(0..<3)
            model.goesOn = {
                if between > 0 && number(0..<3) == 0 {
                    between -= 1
                    try? change()
                }
                return true
            }
            _ = try model.buckets(query(store, .month))
            model.goesOn = { true }
            try expectSame(model, store, "seed \(seed) round \(round)")
            try change()
        }
    }

    @Test("Exactly the days that a sample touches are worked out again")
    func touchedDays() throws {
        let store = try TotalsStore("Europe/Berlin")
        let base = totals("W 12T08:00-12T08:10 100; P 13T08:00-13T08:10 50; W 20T08:00-20T08:10 10")
        try store.send(base)
        let model = try store.readModel()
        let worked = watch(model)
        _ = try model.buckets(query(store, .day))
        let october = CivilDate(year: 2026, month: 10, day: 1).daysSince1970
        #expect(worked.days == Array(october..<october + 31))
        for (text, days, name) in [
            ("W 15T08:00-15T08:10 1", [15], "a late sample"), ("W 15T21:30-15T22:30 1", [15, 16], "one over midnight"),
            ("W 09T08:00-11T23:00 1", [9, 10, 11, 12], "one of several days"),
            ("W 08T10:00 1; W 25T10:00 1", [8, 25], "two far apart"),
        ] {
            worked.days = []
            var samples = totals(text)
            for index in samples.indices { samples[index].key += 100 + days[0] * 10 }
            try store.send(samples)
            _ = try model.buckets(query(store, .day))
            #expect(worked.days == days.map { october + $0 - 1 }, "\(name)")
            worked.days = []
            try store.send([], deleting: [samples[0]])
            _ = try model.buckets(query(store, .day))
            #expect(
                Set(worked.days).isSubset(of: Set(days.map { october + $0 - 1 })) && !worked.days.isEmpty,
                "\(name) deleted")
            worked.days = []
            _ = try model.buckets(query(store, .day))
            #expect(worked.days == [], "\(name) again")
        }
        // A changed sample: where it was, and where it is.
        worked.days = []
        var moved = base[2]
        moved.start += 2 * 1_440
        moved.end += 2 * 1_440
        try store.send([moved])
        _ = try model.buckets(query(store, .day))
        #expect(worked.days == [october + 19, october + 21])
        try expectSame(model, store, "in the end")
    }

    @Test("Natives that come later take the days around them from guests")
    func lateNatives() throws {
        let store = try TotalsStore()
        try store.send(totals("p 12T08:00-12T08:10 100; p 13T08:00-13T08:10 100; p 14T08:00-14T08:10 100"))
        let model = try store.readModel()
        #expect(try model.buckets(query(store, .month)).buckets.map(\.sum) == [300])
        try store.send(
            totals("W 12T09:00 1").map {
                var sample = $0; sample.key = 10; return sample
            })
        #expect(try model.buckets(query(store, .month)).buckets.map(\.sum) == [201])
        try store.send(
            totals("W 14T09:00 1").map {
                var sample = $0; sample.key = 11; return sample
            })
        #expect(try model.buckets(query(store, .month)).buckets.map(\.sum) == [2])
        try expectSame(model, store, "natives")
    }

    @Test("Another order of sources, another zone and another unit of the catalog are seen at once")
    func otherSetup() throws {
        let store = try TotalsStore()
        try store.send(totals("W 08:00-09:00 60; P 08:00-09:00 600; P 23:30-23:50 5"))
        #expect(try store.buckets(.day).buckets.map(\.sum) == [65])
        store.order = [TotalsStore.sources[1]]
        #expect(try store.buckets(.day, anew: true).buckets.map(\.sum) == [605])
        let berlin = try ReadModel(
            ReadModel.Setup(
                directory: store.directory, catalog: .builtIn,
                persons: [Person(name: "me", zoneName: "Europe/Berlin", zone: TotalsStore.zone("Europe/Berlin"))]))
        #expect(try berlin.buckets(query(store, .day)).buckets.map(\.sum) == [60, 5])
        #expect(try store.buckets(.day).buckets.map(\.sum) == [605])
    }

    @Test("A new source changes no day that it has nothing in, and works none out again")
    func newSource() throws {
        let store = try TotalsStore()
        try store.send(totals("W 12T08:00-12T09:00 60; P 13T08:00-13T09:00 600"))
        let model = try store.readModel()
        _ = try model.buckets(query(store, .day))
        let worked = watch(model)
        try store.send(
            totals("S 20T08:00 5").map {
                var sample = $0; sample.key = 9; return sample
            })
        _ = try model.buckets(query(store, .day))
        #expect(worked.days == [CivilDate(year: 2026, month: 10, day: 20).daysSince1970])
        try expectSame(model, store, "new source")
    }

    @Test("A file that was deleted, damaged or made by another version is made anew")
    func otherFile() throws {
        let store = try TotalsStore()
        try store.send(totals("W 08:00-09:00 60"))
        let path = "\(store.directory)/insights.db"
        let model = try store.readModel()
        #expect(try model.buckets(query(store, .day)).buckets.map(\.sum) == [60])
        let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
        #expect(mode == 0o600)
        try FileManager.default.removeItem(atPath: path)
        #expect(try model.buckets(query(store, .day)).buckets.map(\.sum) == [60])
        #expect(FileManager.default.fileExists(atPath: path))
        model.rollups = nil
        for content in [Data("nonsense".utf8), Data(repeating: 7, count: 10_000), Data()] {
            for suffix in ["-wal", "-shm"] { try? FileManager.default.removeItem(atPath: path + suffix) }
            try content.write(to: URL(fileURLWithPath: path))
            let model = try store.readModel(anew: true)
            #expect(try model.buckets(query(store, .day)).buckets.map(\.sum) == [60])
            #expect(try Data(contentsOf: URL(fileURLWithPath: path)).starts(with: Data("SQLite format 3".utf8)))
        }
        let file = try RollupFile(directory: store.directory)
        try file.connection.execute("PRAGMA user_version=99")
        #expect(try store.readModel(anew: true).buckets(query(store, .day)).buckets.map(\.sum) == [60])
        #expect(try RollupFile(directory: store.directory).connection.integer("PRAGMA user_version") == 4)
        // Rows that nobody could have written.
        let opened = try RollupFile(directory: store.directory).connection
        try opened.execute("UPDATE day SET content = x'00'")
        #expect(try store.readModel(anew: true).buckets(query(store, .day)).buckets.map(\.sum) == [60])
    }

    @Test(
        "Numbers that are not as they were written are worked out again",
        arguments: [
            "UPDATE day SET content = CAST(substr(content, 1, 4) || x'41' || substr(content, 6) AS BLOB)",
            "UPDATE day SET content = CAST(substr(content, 1, length(content) - 1) || x'00' AS BLOB)",
            "UPDATE day SET day = day + 1", "UPDATE week SET rows = rows + 1", "UPDATE week SET latest_end = 0",
            "UPDATE series SET known_before = 5", "UPDATE series SET flags = flags + 8",
            "UPDATE figure_set SET sources = x'0102030405060708'",
        ])
    func changedNumbers(_ change: String) throws {
        let store = try TotalsStore()
        try store.send(totals("W 08:00-09:00 60; P 08:30-09:30 30"))
        #expect(try store.buckets(.day).buckets.map(\.sum) == [75])
        let connection = try RollupFile(directory: store.directory).connection
        try connection.execute(change)
        #expect(connection.changes > 0)
        #expect(try store.readModel(anew: true).buckets(query(store, .day)).buckets.map(\.sum) == [75])
        #expect(try store.readModel(anew: true).types(of: "me").map(\.samples) == [2])
    }

    @Test("A file that is deleted while others have it open, log and all, harms no one")
    func deletedWhileOpen() throws {
        let store = try TotalsStore()
        try store.send(totals("W 08:00-09:00 60"))
        let path = "\(store.directory)/insights.db"
        var models = [try store.readModel(anew: true), try store.readModel(anew: true)]
        let days = query(store, .day)
        for model in models { _ = try model.buckets(days) }
        // Its log stays behind.
        try FileManager.default.removeItem(atPath: path)
        try store.send(
            totals("W 09:00-10:00 60").map {
                var sample = $0; sample.key = 9; return sample
            })
        for model in models { #expect(try model.buckets(days).buckets.map(\.sum) == [120]) }
        RollupFile.discard(directory: store.directory)
        #expect(!FileManager.default.fileExists(atPath: path + "-wal"))
        #expect(try models[0].buckets(days).buckets.map(\.sum) == [120])
        models.remove(at: 1)
        #expect(try models[0].buckets(days).buckets.map(\.sum) == [120])
        #expect(try store.readModel(anew: true).buckets(days).buckets.map(\.sum) == [120])
        #expect(try RollupFile(directory: store.directory).connection.text("PRAGMA integrity_check") == "ok")
    }

    @Test("Where nothing can be kept answers come from the samples")
    func unwritable() throws {
        let store = try TotalsStore()
        try store.send(totals("W 08:00-09:00 60"))
        // A folder of that name can be neither opened nor removed.
        try FileManager.default.createDirectory(
            atPath: "\(store.directory)/insights.db", withIntermediateDirectories: false)
        #expect(try store.buckets(.day).buckets.map(\.sum) == [60])
        #expect(try store.readModel().types(of: "me").map(\.samples) == [1])
    }

    @Test("A purge takes what was worked out along")
    func purge() throws {
        let store = try TotalsStore()
        try store.send(totals("W 08:00-09:00 60"))
        let model = try store.readModel()
        #expect(try model.buckets(query(store, .day)).buckets.count == 1)
        _ = try Purge.run(directory: store.directory, endpoint: "phone")
        #expect(try model.buckets(query(store, .day)).buckets == [])
        let connection = try RollupFile(directory: store.directory).connection
        #expect(try connection.integer("SELECT count(*) FROM day") == 0)
        #expect(try connection.integer("SELECT ifnull(sum(rows), 0) FROM week") == 0)
    }

    @Test("Two models share the file, whichever is behind")
    func shared() throws {
        let store = try TotalsStore()
        try store.send(totals("W 08:00-09:00 60"))
        let one = try store.readModel(), other = try store.readModel(anew: true)
        let days = query(store, .day)
        #expect(try one.buckets(days) == other.buckets(days))
        for round in 0..<6 {
            try store.send(
                totals("W 1\(round)T10:00-1\(round)T10:10 7").map {
                    var sample = $0; sample.key = 50 + round; return sample
                })
            let first = round.isMultiple(of: 2) ? one : other, second = round.isMultiple(of: 2) ? other : one
            let worked = watch(second)
            #expect(try first.buckets(days) == scratch(store).buckets(days))
            #expect(try second.buckets(days) == scratch(store).buckets(days))
            #expect(worked.days == [])
        }
    }

    @Test("A long question can be given up, and what it worked out is kept")
    func givenUp() throws {
        let store = try TotalsStore()
        try store.send(
            (0..<20).map { month in
                TotalsSample(
                    source: 0, start: minute("00:00") + month * 44_640, end: minute("00:10") + month * 44_640, value: 1,
                    key: month + 1)
            })
        let model = try store.readModel()
        let worked = watch(model)
        model.goesOn = { worked.days.count < 100 }
        #expect(throws: StoreError(.givenUp)) { try model.buckets(query(store, .day)) }
        let before = worked.days.count
        #expect(before >= 100)
        model.goesOn = { true }
        #expect(try model.buckets(query(store, .day)).buckets.count == 20)
        #expect(Set(worked.days).count == worked.days.count)
    }

    @Test("Rows without a time are in no day, however many stretches were touched")
    func timelessRows() throws {
        let store = try TotalsStore("Europe/Berlin")
        try store.send(totals("W@120 1T08:00-08:10 5; w 2T08:00-08:10 5"))
        let model = try store.readModel()
        _ = try model.buckets(query(store, .day))
        for number in 0..<45 {
            var sample = totals("W 08:00-08:10 3")[0]
            sample.key = 100 + number
            sample.start += number * 5 * 1_440
            sample.end += number * 5 * 1_440
            if number % 20 == 7 { sample.isTimeless = true }
            try store.send([sample])
            _ = try model.types(of: "me")
        }
        try expectSame(model, store, "timeless")
    }

    @Test(
        "A stretch that a file has from elsewhere may have any numbers", arguments: [Int64.min, -1, .max],
        [Int64.min, .max])
    func anyNumbersInAStretch(low: Int64, reach: Int64) throws {
        let store = try TotalsStore("Europe/Berlin")
        try store.send(totals("W@120 1T08:00-08:10 5; w 2T08:00-08:10 5"))
        _ = try store.readModel().buckets(query(store, .day))
        let file = try Connection(
            path: "\(store.directory)/insights.db", access: .readWrite, busyMilliseconds: 1_000)
        try file.execute(
            "INSERT INTO stale (series, low, high, reach, has_facts) SELECT id, \(low), \(low), \(reach), 1 FROM series"
        )
        try expectSame(try store.readModel(anew: true), store, "\(low) \(reach)")
    }

    @Test("A uuid that two devices brought with other ends counts once, wherever a run begins")
    func oneKeyTwoEnds() throws {
        let store = try TotalsStore()
        func sample(_ end: String, _ value: Double, key: Int = 1, start: String = "08:00") -> TotalsSample {
            TotalsSample(source: 0, start: minute(start), end: minute(end), value: value, key: key)
        }
        try store.send([sample("08:10", 100)], device: "d_1")
        try store.send([sample("16T08:10", 100)], device: "d_2")
        let model = try store.readModel()
        #expect(try model.buckets(query(store, .day)).buckets.map(\.sum) == [100])
        // Of the next day alone.
        try store.send([sample("15T09:00", 0, key: 2, start: "15T08:00")], device: "d_2")
        #expect(try model.buckets(query(store, .day)).buckets.map(\.sum) == [100, 0])
        try expectSame(model, store, "two ends")
        // Without the one that stood for both the longer one counts, on all of its days.
        try store.send([], deleting: [sample("08:10", 100)], device: "d_1")
        try expectSame(model, store, "one went")
        try store.send([sample("08:10", 70)], device: "d_1")
        try expectSame(model, store, "and came")
    }

    @Test("With time to spare all is worked out before it is asked for")
    func ahead() throws {
        let store = try TotalsStore()
        try store.send(totals("W 08:00-09:00 60; P 20T08:00 1"))
        try store.send(
            totals("W 08:00 60").map {
                var sample = $0; sample.key = 7; sample.unit = "kg"; return sample
            }, type: "body_mass")
        let model = try store.readModel()
        let worked = watch(model)
        var steps = 0
        while try model.workAhead() { steps += 1 }
        #expect(steps >= 2)
        worked.days = []
        _ = try model.buckets(query(store, .day))
        #expect(worked.days == [])
        try expectSame(model, store, "ahead")
    }
}
