import Foundation
import Samples
import Testing

@testable import Insights

/// Each rule of docs/totals.md with the smallest samples that show it. All of 2026-10-14, UTC, unless a sample says otherwise.
struct BucketRuleTests {
    struct Case: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var samples: String
        /// `size rule: sums`, each bucket's.
        var expected: [String]

        init(_ name: String, _ samples: String, _ expected: String...) {
            (testDescription, self.samples, self.expected) = (name, samples, expected)
        }
    }

    static let cases = [
        Case("the watch counts before the iPhone", "W 08:00-09:00 60; P 08:00-09:00 600", "day 60", "hour 60"),
        Case("others fill the gaps of a source", "W 08:00-09:00 60; P 09:00-10:00 50; S 10:00-11:00 7", "day 117"),
        Case("what is covered in part counts in proportion", "W 08:00-08:30 60; P 08:00-09:00 100", "day 110"),
        Case("a gap within is filled in proportion", "W 08:00-08:15 10; W 08:45-09:00 10; P 08:00-09:00 100", "day 70"),
        Case(
            "samples of one source all count, also where they overlap", "W 08:00-09:00 60; W 08:30-09:30 60", "day 120"),
        Case(
            "the one behind two sources counts where both have nothing",
            "W 08:00-08:20 1; P 08:10-08:40 30; S 08:00-09:00 60", "day 41"),
        Case("a moment counts", "P 08:00 5; P 08:00 6", "day 11"),
        Case("a moment within a higher source's time doesn't", "W 08:00-09:00 60; P 08:30 5", "day 60"),
        Case("nor at its start", "W 08:00-09:00 60; P 08:00 5", "day 60"),
        Case("but at its end", "W 08:00-09:00 60; P 09:00 5", "day 65"),
        Case("a moment at exactly a higher source's doesn't", "W 08:00 60; P 08:00 5", "day 60"),
        Case("a higher source's moment covers no time", "W 08:30 60; P 08:00-09:00 5", "day 65"),
        Case("a lower source's time covers no higher moment", "P 08:00-09:00 5; W 08:30 60", "day 65"),
        Case(
            "a bucket can be less than its largest source", "W 08:00-09:00 10; P 08:00-09:00 600; P 10:00-11:00 1",
            "day 11", "day/highest-source 601"),
        Case("bucket edges cut in proportion", "W 08:30-10:30 120", "hour 30,60,30", "day 120"),
        Case("midnight cuts, too", "W 23:00-15T01:00 120", "day 60,60", "week 120", "month 120", "year 120"),
        Case("a week begins on Monday", "W 11T12:00 1; W 12T12:00 2; W 18T12:00 4; W 19T12:00 8", "week 1,6,8"),
        Case(
            "the highest source is chosen for each day", "W 08:00 10; P 09:00 20; W 15T08:00 20; P 15T09:00 10",
            "day/highest-source 20,20", "week/highest-source 40", "week 60"),
        Case("of equal sums the higher source is it", "W 08:00 10; P 09:00 10", "hour/highest-source 10,0"),
        Case(
            "hours have the day's chosen source", "W 08:00 10; P 08:30 1; P 10:00 20", "hour/highest-source 1,20"),
        Case(
            "the example of docs/totals.md",
            "W 08:00-08:30 3000; P 08:00-09:00 4000; P 12:00-12:10 800; S 12:05 50",
            "day 5800", "hour 5000,800", "day/highest-source 4800"),
        // One truth
        Case("guests count where no native is", "w 08:00-08:10 100", "day 100"),
        Case("a guest on a native's day doesn't", "w 08:00-08:10 100; P 20:00-20:10 7", "day 7"),
        Case("a day between two native days is theirs", "W 12T08:00 1; w 13T08:00 100; W 14T08:00 1", "day 1,1"),
        Case(
            "two days between them aren't", "W 12T08:00 1; w 13T08:00 100; w 14T09:00 10; W 15T08:00 1",
            "day 1,100,10,1"),
        Case("a guest over midnight counts on the day without natives", "W 08:00 1; w 23:00-15T01:00 100", "day 1,50"),
        // Grains
        Case("sums of a minute leave out that of their hour", "w+hour 08:00-09:00 60; w+minute 08:05-08:06 7", "day 7"),
        Case("but not that of the next", "w+hour 09:00-10:00 60; w+minute 08:05-08:06 7", "day 67"),
        Case("a finer sum leaves out its day's", "w+day 00:00-15T00:00 900; w+hour 08:00-09:00 60", "day 60"),
        Case(
            "a sum of a day counts where nothing finer is", "w+day 00:00-15T00:00 900; w+hour 15T08:00-15T09:00 60",
            "day 900,60"),
        Case(
            "a sum of a week counts on days without finer ones",
            "w+week 12T00:00-19T00:00 700; w+day 13T00:00-14T00:00 1",
            "day 100,1,100,100,100,100,100", "week 601"),
        Case("raw samples leave sums out", "w+minute 08:00-08:01 9; w 08:00 5; w+minute 08:01-08:02 9", "day 14"),
        Case("equal grains of two sources are merged", "w+day 00:00-15T00:00 900; s+day 00:00-15T00:00 500", "day 900"),
        // Own clocks
        Case("a sample's own clock says on which day it is", "W@-240 15T02:00-15T02:10 5", "day 5", "hour 5"),
        Case("its own midnight cuts it", "W@-240 15T03:00-15T05:00 120", "day 60,60"),
        Case(
            "sources are merged in real time all the same", "W@-240 15T02:00-15T03:00 5; P 15T02:00-15T03:00 50",
            "day 5,0"),
    ]

    @Test(arguments: cases)
    func rule(_ one: Case) throws {
        let store = try TotalsStore()
        try store.send(totals(one.samples))
        for expected in one.expected {
            let words = expected.split(separator: " "), kind = words[0].split(separator: "/")
            let size = try #require(BucketSize(rawValue: String(kind[0])))
            let rule = kind.count == 1 ? SourceRule.priority : try #require(SourceRule(rawValue: String(kind[1])))
            let found = try store.buckets(size, rule: rule, withSources: true)
            let sums = found.buckets.map { String(Int(($0.sum * 1_000).rounded()) / 1_000) }.joined(separator: ",")
            #expect(sums == words[1], "\(one.testDescription): \(expected)")
            for bucket in found.buckets {
                let alone = bucket.sources.reduce(0) { $0 + $1.value }
                #expect(bucket.sum <= alone * (1 + 1e-12), "never more than the sources together")
                #expect(abs(bucket.sources.reduce(0) { $0 + $1.counted } - bucket.sum) < 1e-9)
                #expect(bucket.sources.reduce(0) { $0 + $1.samples } == bucket.samples)
            }
        }
    }

    @Test("The person's order of sources goes before the default's")
    func ownOrder() throws {
        let store = try TotalsStore()
        store.order = [TotalsStore.sources[2], TotalsStore.sources[1]]
        try store.send(totals("W 08:00-09:00 1; P 08:00-09:00 2; S 08:00-09:00 4; W 09:00-10:00 8; P 09:00-10:00 16"))
        #expect(try store.buckets(.day).buckets.map(\.sum) == [20])
        let ranks = try store.readModel().sources(of: "me", type: "steps")
        #expect(ranks.map(\.source) == [TotalsStore.sources[2], TotalsStore.sources[1], TotalsStore.sources[0]])
        #expect(ranks.map(\.isSet) == [true, true, false])
        #expect(ranks.map(\.samples) == [1, 2, 2])
    }

    @Test("A source is a watch or an iPhone by the names of its device and app")
    func classes() {
        for (app, device, expected) in [
            ("com.apple.Health", "Apple Watch", SourceClass.watch), ("Ann's iPhone", nil, .phone),
            (nil, "IPHONE14,2", .phone),
            ("iPhone", "Watch6,1", .watch), ("Scale", nil, .other), (nil, nil, .other), ("wat", "ch", .other),
        ] as [(String?, String?, SourceClass)] {
            #expect(SourceClass(SourceName(app: app, device: device)) == expected)
        }
    }

    @Test("The rest are by amount of data, by its binary digits, then by name")
    func amounts() {
        func order(_ counts: [(String, Int)]) -> [String] {
            SourceRanking(
                counts.enumerated().map { ($0.offset + 1, SourceName(app: $0.element.0, device: nil), $0.element.1) }
                    .map {
                        (Int64($0.0), $0.1, $0.2)
                    }, order: []
            ).entries.map { $0.rank.source.app! }
        }
        #expect(order([("b", 100), ("a", 10)]) == ["b", "a"])
        #expect(order([("b", 100), ("a", 70)]) == ["a", "b"])
        #expect(order([("b", 1_000), ("my iphone", 1), ("a watch", 1)]) == ["a watch", "my iphone", "b"])
    }

    @Test("Numbers are converted to the catalog's unit, and counted where they can't be")
    func units() throws {
        let store = try TotalsStore(type: "distance_walking_running")
        var samples = totals("W 08:00 1000; W 09:00 1; W 10:00 5; W 11:00 7")
        (samples[0].unit, samples[1].unit, samples[2].unit, samples[3].unit) = ("m", "km", "kcal", nil)
        try store.send(samples)
        let found = try store.buckets(.day)
        let type = try #require(Catalog.builtIn.type(named: "distance_walking_running".utf8))
        #expect(found.unit == type.unit && found.unconverted == 2 && found.aggregation == .cumulative)
        #expect(found.buckets.map(\.sum) == [type.unit == "km" ? 2 : 2_000])
        #expect(found.buckets.map(\.samples) == [2])
    }

    @Test("Of an unknown type nothing is added up, and the unit is that of most samples")
    func unknownType() throws {
        let store = try TotalsStore(type: "brightness")
        var samples = totals("W 08:00 1; W 09:00 3; W 10:00 5")
        samples[2].unit = "cd"
        try store.send(samples)
        let found = try store.buckets(.day)
        #expect(found.unit == "count" && found.unconverted == 1 && found.aggregation == .arithmetic)
        #expect(found.buckets.map(\.figures) == [.discrete(minimum: 1, mean: 2, maximum: 3, last: 3)])
    }

    @Test("Means: arithmetic each sample alike, of heart rates by time, of levels by energy; a moment weighs a second")
    func means() throws {
        for (type, unit, samples, mean, last) in [
            ("body_mass", "kg", "W 08:00 70; S 09:00-10:00 80", 75, 80.0),
            ("heart_rate", "count/min", "W 08:00-08:01 60; P 08:01-08:03 90", 80, 90),
            ("heart_rate", "count/min", "W 08:00 60; W 09:00 100", 80, 100),
            ("heart_rate", "count/min", "W 08:00 182; W 09:00-09:01 60", 62, 60),
            ("headphone_audio_exposure", "dBASPL", "W 08:00-08:01 60; W 08:01-08:02 80", 10 * log10(0.5e6 + 0.5e8), 80),
        ] as [(String, String, String, Double, Double)] {
            let store = try TotalsStore(type: type)
            try store.send(
                totals(samples).map {
                    var sample = $0; sample.unit = unit; return sample
                })
            let values = totals(samples).map(\.value)
            let bucket = try #require(store.buckets(.day).buckets.first)
            guard case .discrete(let minimum, let found, let maximum, let newest) = bucket.figures else {
                Issue.record("\(type)")
                continue
            }
            #expect(abs(found - mean) < 1e-9 && newest == last, "\(type) \(samples)")
            #expect(minimum == values.min() && maximum == values.max())
        }
    }

    @Test("Ranges bring their Min and Max, and without a mean their middle")
    func ranges() throws {
        let store = try TotalsStore(type: "heart_rate")
        var samples = totals("w+hour 08:00-09:00 70; w+hour 09:00-10:00 0")
        for index in samples.indices { samples[index].unit = "count/min" }
        samples[0].range = 50...120
        samples[1].range = 60...100
        samples[1].hasValue = false
        try store.send(samples)
        #expect(
            try store.buckets(.day).buckets.map(\.figures) == [.discrete(minimum: 50, mean: 75, maximum: 120, last: 80)]
        )
    }

    @Test("Categories are the seconds of their union; numbers sent for them are counted as not converted")
    func durations() throws {
        let store = try TotalsStore(type: "mindful_session")
        var samples = totals("W 08:00-08:30 0; P 08:20-08:40 0; S 09:00 0; W 09:00-10:00 12")
        for index in samples.indices.dropLast() { samples[index].kind = .category }
        try store.send(samples)
        let found = try store.buckets(.day, withSources: true)
        #expect(found.unit == "s" && found.unconverted == 1 && found.aggregation == nil)
        #expect(found.buckets.map(\.figures) == [.duration(seconds: 2_400)])
        #expect(found.buckets[0].sources.map(\.value) == [1_800, 1_200, 0])
        #expect(found.buckets[0].samples == 3)
    }

    @Test("A uuid counts once, whichever devices brought it")
    func oneOfEachUUID() throws {
        let store = try TotalsStore()
        let samples = totals("W 08:00-09:00 60; W 23:30-15T00:30 8; P 12:00 5; W 20:00 4")
        try store.send(samples)
        let before = try store.buckets(.day, withSources: true).buckets
        // The app was installed anew: its last weeks come again, under another device, and a new sample with them.
        try store.send(samples, device: "d_2")
        for size in BucketSize.allCases {
            #expect(
                try store.buckets(size, anew: true).buckets.reduce(0) { $0 + ($1.figures == .sum(0) ? 0 : 1) } > 0)
        }
        #expect(try store.buckets(.day, withSources: true, anew: true).buckets == before)
        var more = totals("W 21:00 16")
        more[0].key = 9_999
        try store.send(more, device: "d_2")
        #expect(try store.buckets(.year, anew: true).buckets.map(\.sum) == [93])
        try store.send([], deleting: samples, device: "d_2")
        #expect(try store.buckets(.year, anew: true).buckets.map(\.sum) == [93])
    }

    @Test("Buckets that the asked time touches come whole")
    func edges() throws {
        let store = try TotalsStore()
        try store.send(totals("W 13T12:00 1; W 08:00 2; W 20:00 4; W 15T12:00 8"))
        #expect(try store.buckets(.day, from: minute("12:00"), to: minute("12:01")).buckets.map(\.sum) == [6])
        #expect(try store.buckets(.day, from: minute("00:00"), to: minute("15T00:00")).buckets.map(\.sum) == [6])
        #expect(try store.buckets(.day, from: minute("00:00"), to: minute("15T00:01")).buckets.map(\.sum) == [6, 8])
        #expect(try store.buckets(.hour, from: minute("08:30"), to: minute("20:00")).buckets.map(\.sum) == [2])
        #expect(try store.buckets(.day, from: minute("12:00"), to: minute("12:00")).buckets == [])
        #expect(try store.buckets(.day, from: minute("12:00"), to: minute("11:00")).buckets == [])
        #expect(try store.buckets(.year, from: minute("12:00"), to: minute("12:01")).buckets.map(\.sum) == [15])
        let week = try #require(store.buckets(.week, from: minute("12:00"), to: minute("12:01")).buckets.first)
        #expect(week.start.text == "2026-10-12T00:00:00Z" && week.end.text == "2026-10-19T00:00:00Z")
    }

    @Test("Days have 23 to 25 hours, and an hour that is shown twice is two")
    func clockChanges() throws {
        for (zone, date, hours, doubled) in [
            ("Europe/Berlin", "2026-10-24T22:00:00Z", 25, ["2026-10-25T00:00:00Z", "2026-10-25T01:00:00Z"]),
            ("Europe/Berlin", "2026-03-28T23:00:00Z", 23, []),
            ("Australia/Lord_Howe", "2026-04-04T13:00:00Z", 24.5, ["2026-04-04T14:00:00Z", "2026-04-04T15:00:00Z"]),
        ] as [(String, String, Double, [String])] {
            let store = try TotalsStore(zone)
            let start = Int(Timestamp.parse(Array(date.utf8).span)!.timestamp.microseconds / 60_000_000)
            let minutes = Int(hours * 60)
            try store.send([TotalsSample(source: 0, start: start, end: start + minutes, value: Double(minutes), key: 1)]
            )
            let days = try store.buckets(.day).buckets
            #expect(days.map(\.sum) == [Double(minutes)], "\(zone)")
            #expect(days.map(\.start.text) == [date])
            #expect(days[0].end.microseconds - days[0].start.microseconds == Int64(minutes) * 60_000_000)
            let found = try store.buckets(.hour).buckets
            #expect(found.map(\.sum).reduce(0, +) == Double(minutes))
            for bucket in found {
                #expect(bucket.sum == Double(bucket.end.microseconds - bucket.start.microseconds) / 60e6)
            }
            #expect(doubled.allSatisfy { text in found.contains { $0.start.text == text } }, "\(zone)")
            #expect(zip(found, found.dropFirst()).allSatisfy { $0.end == $1.start })
        }
    }

    @Test("What was added up is finite, whatever was sent")
    func hugeNumbers() throws {
        for type in ["steps", "body_mass", "heart_rate", "headphone_audio_exposure"] {
            let store = try TotalsStore(type: type)
            let unit = try #require(Catalog.builtIn.type(named: type.utf8)?.unit)
            try store.send(
                totals(
                    "W 08:00 1e308; W 09:00 1e308; W 10:00-11:00 -1e308; P 08:00 -1e308; P 12:00 1.7e308; S 12:00 5e-324"
                )
                .map {
                    var sample = $0; sample.unit = unit; return sample
                })
            for size in BucketSize.allCases {
                for bucket in try store.buckets(size, withSources: true).buckets {
                    switch bucket.figures {
                    case .sum(let sum): #expect(sum.isFinite)
                    case .discrete(let minimum, let mean, let maximum, let last):
                        let areFinite = [minimum, mean, maximum, last].allSatisfy { $0.isFinite }
                        #expect(areFinite)
                    case .duration: Issue.record("no duration")
                    }
                    #expect(bucket.sources.allSatisfy { $0.value.isFinite && $0.counted.isFinite })
                }
            }
        }
    }

    @Test("What begins before 1900 or after 2199 is in no bucket; what lasts for years is in all of them")
    func farTimes() throws {
        let store = try TotalsStore("Europe/Berlin")
        let years = [
            (-36_000_000, 1), (120_000_000, 1), (-1_035_000_000, 1), (4_200_000_000, 1), (-40_000_000, 1_000),
            (0, 10_519_200),
        ]
        try store.send(
            years.enumerated().map { index, one in
                TotalsSample(source: 0, start: one.0, end: one.0 + one.1, value: 1, key: index + 1)
            })
        for size in [BucketSize.year, .day] {
            let found = try store.readModel().buckets(
                BucketQuery(
                    person: "me", type: "steps", from: Timestamp(microseconds: .min), to: Timestamp(microseconds: .max),
                    size: size))
            #expect(found.buckets.count == (size == .year ? 23 : 7_308))
            #expect(abs(found.buckets.reduce(0) { $0 + $1.sum } - 3) < 1e-9)
        }
        let summary = try #require(store.readModel().types(of: "me").first)
        #expect(summary.samples == 6 && summary.first == Timestamp(microseconds: -1_035_000_000 * 60_000_000))
    }

    @Test("Who has no samples has no buckets, types and sources")
    func nobody() throws {
        let store = try TotalsStore()
        let model = try store.readModel()
        #expect(
            try model.buckets(BucketQuery(person: "x", type: "steps", from: .none, to: .none, size: .day)).buckets == []
        )
        #expect(try model.types(of: "x") == [] && model.sources(of: "x", type: nil) == [])
        #expect(try model.persons().map(\.name) == ["me"])
        try store.send(totals("W 08:00 1; W 09:00 2"))
        #expect(
            try model.types(of: "me") == [
                TypeSummary(
                    type: "steps", kind: .quantity, unit: "count", aggregation: .cumulative, samples: 2,
                    first: Timestamp(microseconds: Int64(minute("08:00")) * 60_000_000),
                    last: Timestamp(microseconds: Int64(minute("09:00")) * 60_000_000))
            ])
    }

    /// Its own clock is another than the person's where it begins, or it is not: not where a run begins.
    @Test(arguments: [60, 120, 540])
    func aLongSampleIsCutByOneClock(offset: Int) throws {
        let store = try TotalsStore("Europe/Berlin")
        // October by its own clock at +02:00, in which Berlin's went back by an hour.
        let begin = minute("1T00:00") - offset
        try store.send([
            TotalsSample(
                source: 0, start: begin, end: begin + 745 * 60, value: 745, key: 1, offset: offset, isNative: false,
                grain: .month)
        ])
        for size in [BucketSize.hour, .day, .week, .month, .year] {
            let sums = try store.buckets(size).buckets.map(\.sum)
            #expect(abs(sums.reduce(0, +) - 745) < 1e-6, "\(size)")
        }
        let days = try store.buckets(.day, anew: true).buckets
        for day in 0..<33 {
            let from = minute("1T00:00") - 120 + (day - 1) * 1_440
            let alone = try store.buckets(.day, from: from, to: from + 1_440, anew: true).buckets
            for bucket in alone { #expect(days.contains(bucket), "\(day)") }
        }
    }

    /// One piece of a row at a time, so that many rows of a year are as much as many of an hour.
    @Test func longRowsByTheHour() throws {
        let store = try TotalsStore()
        let rows = (0..<60).map {
            TotalsSample(
                source: $0 % 3, start: minute("08:00") - 200 * 1_440 + $0, end: minute("08:00") + 160 * 1_440 + $0,
                value: 360 * 1_440, key: $0 + 1)
        }
        try store.send(rows)
        let hours = try store.buckets(.hour, from: minute("14T00:00"), to: minute("15T00:00")).buckets
        #expect(hours.count == 24)
        // Twenty of the highest source, a unit each minute.
        for hour in hours { #expect(abs(hour.sum - 20 * 60) < 1e-6) }
    }
}
