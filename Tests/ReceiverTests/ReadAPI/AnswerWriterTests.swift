import Insights
import Samples
import Storage
import TestSupport
import Testing

@testable import Receiver

/// Every answer as JSON and as CSV, byte for byte.
@Suite struct AnswerWriterTests {
    private static let berlin = Person(name: "me", zoneName: "Europe/Berlin", zone: berlinZone)
    /// In place of a zone file: two hours east of UTC until 2026-10-25T01:00:00Z, then one.
    private static let berlinZone: ZoneRules = {
        let end: [UInt8] = Array("\nCET-1CEST,M3.5.0,M10.5.0/3\n".utf8)
        func header(_ version: UInt8) -> [UInt8] {
            Array("TZif".utf8) + [version] + Array(repeating: 0, count: 15)
                + [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 4]
        }
        let block: [UInt8] = [0, 0, 0x0E, 0x10, 0, 0] + Array("CET\0".utf8)
        return try! ZoneRules(parsing: header(0x32) + block + header(0x32) + block + end)
    }()

    private static func time(_ text: String) -> Timestamp { Timestamp.parse(Array(text.utf8).span)!.timestamp }
    private func lines(_ lines: String...) -> String { lines.map { $0 + "\r\n" }.joined() }
    private func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }

    private static let watch = SourceName(app: "com.apple.Health", device: "Anna’s \"Watch\"")
    private static let formula = SourceName(app: "=1+2", device: nil)

    // MARK: Types and sources

    private static let types = [
        TypeSummary(
            type: "steps", kind: .quantity, unit: "count", aggregation: .cumulative, samples: 12_345,
            first: time("2026-10-01T00:00:00Z"), last: time("2026-10-14T07:01:00.25Z")),
        TypeSummary(
            type: "sleep_analysis", kind: .category, unit: nil, aggregation: nil, samples: 0, first: nil, last: nil),
    ]

    @Test func typesJSON() {
        #expect(
            text(TypesWriter.json(Self.types, of: Self.berlin))
                == #"{"person":"me","zone":"Europe/Berlin","types":[{"type":"steps","kind":"quantity","unit":"count","aggregation":"cumulative","samples":12345,"first":"2026-10-01T00:00:00Z","last":"2026-10-14T07:01:00.25Z"},{"type":"sleep_analysis","kind":"category","unit":null,"aggregation":null,"samples":0,"first":null,"last":null}]}"#
                + "\n")
    }

    @Test func typesCSV() {
        #expect(
            text(TypesWriter.csv(Self.types))
                == lines(
                    "type,kind,unit,aggregation,samples,first,last",
                    "steps,quantity,count,cumulative,12345,2026-10-01T00:00:00Z,2026-10-14T07:01:00.25Z",
                    "sleep_analysis,category,,,0,,"))
    }

    private static let ranks = [
        SourceRank(source: watch, sourceClass: .watch, samples: 9, isSet: true),
        SourceRank(source: formula, sourceClass: .phone, samples: 0, isSet: false),
        SourceRank(source: SourceName(app: nil, device: nil), sourceClass: .other, samples: 1, isSet: false),
    ]

    @Test func sourcesJSON() {
        #expect(
            text(SourcesWriter.json(Self.ranks))
                == #"{"sources":[{"app":"com.apple.Health","device":"Anna’s \"Watch\"","class":"watch","samples":9,"set":true},{"app":"=1+2","device":null,"class":"phone","samples":0,"set":false},{"app":null,"device":null,"class":"other","samples":1,"set":false}]}"#
                + "\n")
    }

    /// What a spreadsheet would run gets an apostrophe.
    @Test func sourcesCSV() {
        #expect(
            text(SourcesWriter.csv(Self.ranks))
                == lines(
                    "app,device,class,samples,set", #"com.apple.Health,"Anna’s ""Watch""",watch,9,true"#,
                    "'=1+2,,phone,0,false", ",,other,1,false"))
    }

    // MARK: Buckets

    private func series(_ figures: [Figures], withSources: Bool = false) -> BucketSeries {
        // The day on which the clocks go back has 25 hours.
        let start = Self.time("2026-10-24T22:00:00Z"), end = Self.time("2026-10-25T23:00:00Z")
        let query = BucketQuery(
            person: "me", type: "steps", from: start, to: end, size: .day, withSources: withSources)
        let shares = [SourceShare(source: Self.watch, value: 10, counted: 7.5, samples: 2)]
        return BucketSeries(
            query: query, zoneName: "Europe/Berlin", unit: "count", unconverted: 3, aggregation: .cumulative,
            buckets: figures.map {
                Bucket(
                    start: start, end: end, offsetMinutes: 120, samples: 120, figures: $0,
                    sources: withSources ? shares : [])
            })
    }

    private static let head =
        #"{"person":"me","type":"steps","zone":"Europe/Berlin","unit":"count","aggregation":"cumulative","by":"day","merge":"priority","unconverted":3,"buckets":["#
    private static let day = #"{"start":"2026-10-25T00:00:00+02:00","end":"2026-10-26T00:00:00+01:00","samples":120,"#

    @Test func bucketsJSON() {
        #expect(text(BucketsWriter.json(series([]), of: Self.berlin)) == Self.head + "]}\n")
        for (figures, members) in [
            (Figures.sum(8_123), #""sum":8123"#), (.sum(0.1 + 0.2), #""sum":0.30000000000000004"#),
            (.sum(.infinity), #""sum":null"#),
            (
                .discrete(minimum: 48, mean: 61.25, maximum: 181, last: 60),
                #""min":48,"mean":61.25,"max":181,"last":60"#
            ),
            (.duration(seconds: 27_000.5), #""seconds":27000.5"#),
        ] {
            #expect(
                text(BucketsWriter.json(series([figures]), of: Self.berlin)) == Self.head + Self.day + members + "}]}\n"
            )
        }
        #expect(
            text(BucketsWriter.json(series([.sum(1)], withSources: true), of: Self.berlin))
                == Self.head + Self.day
                + #""sum":1,"sources":[{"app":"com.apple.Health","device":"Anna’s \"Watch\"","value":10,"counted":7.5,"samples":2}]}]}"#
                + "\n")
    }

    /// A bucket that was elsewhere is shown by that clock, to its end.
    @Test func bucketsElsewhere() {
        var series = series([.sum(1)])
        series.buckets[0].offsetMinutes = -210
        #expect(
            text(BucketsWriter.json(series, of: Self.berlin)).contains(
                #""start":"2026-10-24T18:30:00-03:30","end":"2026-10-25T19:30:00-03:30""#))
    }

    @Test func bucketsCSV() {
        #expect(
            text(
                BucketsWriter.csv(
                    series([
                        .sum(8_123), .discrete(minimum: 1, mean: 2.5, maximum: 4, last: 3), .duration(seconds: 60),
                        .sum(.nan),
                    ]), of: Self.berlin))
                == lines(
                    "start,end,samples,sum,min,mean,max,last,seconds,unit",
                    "2026-10-25T00:00:00+02:00,2026-10-26T00:00:00+01:00,120,8123,,,,,,count",
                    "2026-10-25T00:00:00+02:00,2026-10-26T00:00:00+01:00,120,,1,2.5,4,3,,count",
                    "2026-10-25T00:00:00+02:00,2026-10-26T00:00:00+01:00,120,,,,,,60,count",
                    "2026-10-25T00:00:00+02:00,2026-10-26T00:00:00+01:00,120,,,,,,,count"))
    }

    // MARK: Nights

    private static let night: SleepSession = {
        let moments = ["2026-10-24T21:00:00Z", "2026-10-24T22:30:00Z", "2026-10-25T00:30:00Z", "2026-10-25T05:00:00Z"]
            .map(time)
        return SleepSession(
            date: CivilDate(year: 2026, month: 10, day: 25), start: moments[0], end: moments[3], offsetMinutes: 60,
            isNap: false, source: watch,
            segments: [
                SleepSegment(stage: .inBed, start: moments[0], end: moments[1]),
                SleepSegment(stage: .deep, start: moments[1], end: moments[2]),
                SleepSegment(stage: .rem, start: moments[2], end: moments[3]),
            ])
    }()

    /// In bed is from the first segment to the end of the last, on the night of 25 hours too.
    @Test func sleepJSON() {
        #expect(
            text(SleepWriter.json([Self.night], of: Self.berlin))
                == #"{"nights":[{"date":"2026-10-25","nap":false,"start":"2026-10-24T23:00:00+02:00","end":"2026-10-25T06:00:00+01:00","source":{"app":"com.apple.Health","device":"Anna’s \"Watch\""},"asleep_s":23400,"awake_s":0,"in_bed_s":28800,"stages":{"asleep_rem":16200,"asleep_deep":7200,"asleep_core":0,"asleep_unspecified":0,"awake":0,"in_bed":5400},"segments":[{"stage":"in_bed","start":"2026-10-24T23:00:00+02:00","end":"2026-10-25T00:30:00+02:00"},{"stage":"asleep_deep","start":"2026-10-25T00:30:00+02:00","end":"2026-10-25T02:30:00+02:00"},{"stage":"asleep_rem","start":"2026-10-25T02:30:00+02:00","end":"2026-10-25T06:00:00+01:00"}]}]}"#
                + "\n")
        #expect(text(SleepWriter.json([], of: Self.berlin)) == #"{"nights":[]}"# + "\n")
    }

    @Test func sleepCSV() {
        #expect(
            text(SleepWriter.csv([Self.night], of: Self.berlin))
                == lines(
                    "date,nap,start,end,source.app,source.device,asleep_s,awake_s,in_bed_s,stages.asleep_rem,stages.asleep_deep,stages.asleep_core,stages.asleep_unspecified,stages.awake,stages.in_bed",
                    #"2026-10-25,false,2026-10-24T23:00:00+02:00,2026-10-25T06:00:00+01:00,com.apple.Health,"Anna’s ""Watch""",23400,0,28800,16200,7200,0,0,0,5400"#
                ))
    }

    // MARK: Workouts

    private static let run = Workout(
        uuid: "0B6F0000-0000-4000-8000-000000000001", device: "d_1", activity: "running",
        start: time("2026-10-14T05:00:00Z"), end: time("2026-10-14T05:31:10Z"), offsetMinutes: 120,
        durationSeconds: 1_870, energyKilocalories: 312.4, distanceMetres: nil, source: watch, hasRoute: true)
    private static let runJSON =
        #""uuid":"0B6F0000-0000-4000-8000-000000000001","device":"d_1","activity":"running","start":"2026-10-14T07:00:00+02:00","end":"2026-10-14T07:31:10+02:00","duration_s":1870,"energy_kcal":312.4,"distance_m":null,"source":{"app":"com.apple.Health","device":"Anna’s \"Watch\""},"has_route":true"#

    @Test func workoutsJSON() {
        #expect(
            text(WorkoutsWriter.json([Self.run], next: "abc", of: Self.berlin))
                == #"{"workouts":[{\#(Self.runJSON)}],"next":"abc"}"# + "\n")
        #expect(text(WorkoutsWriter.json([], next: nil, of: Self.berlin)) == #"{"workouts":[],"next":null}"# + "\n")
    }

    @Test func workoutsCSV() {
        #expect(
            text(WorkoutsWriter.csv([Self.run], of: Self.berlin))
                == lines(
                    "uuid,device,activity,start,end,duration_s,energy_kcal,distance_m,source.app,source.device,has_route",
                    #"0B6F0000-0000-4000-8000-000000000001,d_1,running,2026-10-14T07:00:00+02:00,2026-10-14T07:31:10+02:00,1870,312.4,,com.apple.Health,"Anna’s ""Watch""",true"#
                ))
    }

    @Test func workoutJSON() {
        var detail = WorkoutDetail(
            workout: Self.run, heartRate: [], route: [], kilometreSplits: [], mileSplits: [], bodyJSON: [])
        #expect(
            text(WorkoutsWriter.json(detail, of: Self.berlin))
                == #"{\#(Self.runJSON),"heart_rate":null,"route":[],"splits":{"km":[],"mile":[]},"body":{}}"# + "\n")
        let start = Self.time("2026-10-14T05:00:00Z")
        detail.heartRate = [100, 142, 120].map { CurvePoint(time: start, value: $0) }
        detail.route = [
            RoutePoint(time: start, latitude: 52.520008, longitude: -13.404954, altitudeMetres: 34.5),
            RoutePoint(time: start, latitude: 1e-7, longitude: 0, altitudeMetres: nil),
        ]
        detail.kilometreSplits = [
            Split(metres: 1_000, seconds: 312, start: start, meanHeartRate: 151, climbMetres: 12)
        ]
        detail.mileSplits = [
            Split(metres: 804.672, seconds: 250.5, start: start, meanHeartRate: nil, climbMetres: nil)
        ]
        detail.bodyJSON = Array(#"{"events":[1, 2]}"#.utf8)
        #expect(
            text(WorkoutsWriter.json(detail, of: Self.berlin))
                == #"{\#(Self.runJSON),"heart_rate":{"min":100,"mean":120.66666666666667,"max":142,"points":[["2026-10-14T05:00:00Z",100],["2026-10-14T05:00:00Z",142],["2026-10-14T05:00:00Z",120]]},"route":[["2026-10-14T05:00:00Z",52.520008,-13.404954,34.5],["2026-10-14T05:00:00Z",1e-07,0,null]],"splits":{"km":[{"m":1000,"s":312,"start":"2026-10-14T05:00:00Z","heart_rate":151,"climb_m":12}],"mile":[{"m":804.672,"s":250.5,"start":"2026-10-14T05:00:00Z","heart_rate":null,"climb_m":null}]},"body":{"events":[1, 2]}}"#
                + "\n")
    }

    // MARK: Activity

    private static let day25 = ActivityDay(
        date: CivilDate(year: 2026, month: 3, day: 5),
        move: ActivityDay.Ring(phone: 500, goal: 600, computed: 512.5, explainedBy: watch),
        exercise: ActivityDay.Ring(computed: 30), stand: ActivityDay.Ring())

    @Test func activityJSON() {
        #expect(
            text(ActivityWriter.json([Self.day25]))
                == #"{"days":[{"date":"2026-03-05","move":{"phone":500,"goal":600,"computed":512.5,"drift":12.5,"explained_by":{"app":"com.apple.Health","device":"Anna’s \"Watch\""}},"exercise":{"phone":null,"goal":null,"computed":30,"drift":null,"explained_by":null},"stand":{"phone":null,"goal":null,"computed":null,"drift":null,"explained_by":null}}]}"#
                + "\n")
    }

    @Test func activityCSV() {
        let columns = ["move", "exercise", "stand"].flatMap { ring in
            ["phone", "goal", "computed", "drift", "explained_by.app", "explained_by.device"].map { "\(ring).\($0)" }
        }
        #expect(
            text(ActivityWriter.csv([Self.day25]))
                == lines(
                    "date," + columns.joined(separator: ","),
                    #"2026-03-05,500,600,512.5,12.5,com.apple.Health,"Anna’s ""Watch""",,,30,,,,,,,,,"#))
    }

    // MARK: Samples

    private func page(_ samples: [String], csv: Bool = false, includesBody: Bool = false) throws -> String {
        let store = try ExportStore()
        try store.take([nativeBody(samples)], as: .native)
        let model = try ReadModel(ReadModel.Setup(directory: store.path, catalog: .builtIn, persons: []))
        var json = JSONOut(), jsonWriter = SampleJSON(includesBody: includesBody)
        var csvWriter = SampleCSV(includesBody: includesBody)
        var out = csvWriter.emptyTable()
        let types = try StoreReader(directory: store.path).rows("SELECT DISTINCT type FROM samples ORDER BY type").map {
            row in
            if case .text(let type)? = row["type"] { type } else { "" }
        }
        json.beginArray()
        for type in types {
            _ = try model.samples(SampleQuery(person: "me", type: type, limit: 100)) {
                (sample, series) throws(StoreError) in
                try jsonWriter.append(sample, of: series, model.texts, to: &json)
                try csvWriter.append(sample, of: series, model.texts, to: &out)
                return true
            }
        }
        json.endArray()
        return text(csv ? out.bytes : json.bytes)
    }

    @Test func samplesJSON() throws {
        #expect(
            try page([ExportFormatTests.guide[0]])
                == #"[{"uuid":"5E1D0000-0000-4000-8000-000000000001","part":0,"type":"steps","kind":"quantity","value":412,"value_name":null,"unit":"count","start":"2026-10-14T07:01:00Z","end":"2026-10-14T07:01:59Z","utc_offset":120,"source":{"app":"com.apple.Health","device":"Apple Watch"},"device":"d_1","endpoint":"phone","received_at":"2026-10-14T07:05:00.25Z"}]"#
        )
        #expect(
            try page([#"{"uuid":"k","type":"steps","value":1}"#], includesBody: true)
                == #"[{"uuid":"k","part":0,"type":"steps","kind":"quantity","value":1,"value_name":null,"unit":null,"start":null,"end":null,"utc_offset":null,"source":{"app":null,"device":null},"device":"d_1","endpoint":"phone","received_at":"2026-10-14T07:05:00.25Z","body":{"uuid":"k","type":"steps","value":1}}]"#
        )
    }

    @Test func samplesCSV() throws {
        let header = SampleCSV.header
        #expect(
            try page(ExportFormatTests.guide, csv: true)
                == lines(
                    header,
                    "characteristic:blood_type,0,characteristic,characteristic,1,a_positive,,,,,,,d_1,phone,2026-10-14T07:05:00.25Z",
                    "51EE0000-0000-4000-8000-000000000001,0,sleep_analysis,category,3,asleep_core,,2026-10-13T23:10:00Z,2026-10-14T00:40:00Z,120,com.apple.Health,Apple Watch,d_1,phone,2026-10-14T07:05:00.25Z",
                    "5E1D0000-0000-4000-8000-000000000001,0,steps,quantity,412,,count,2026-10-14T07:01:00Z,2026-10-14T07:01:59Z,120,com.apple.Health,Apple Watch,d_1,phone,2026-10-14T07:05:00.25Z",
                    "0B6F0000-0000-4000-8000-000000000001,0,workout,workout,1870,running,s,2026-10-14T05:00:00Z,2026-10-14T05:31:10Z,120,com.apple.Health,Apple Watch,d_1,phone,2026-10-14T07:05:00.25Z"
                ))
        #expect(
            try page([#"{"uuid":"=k","type":"steps","value":-1,"unit":"@u"}"#], csv: true, includesBody: true)
                == lines(
                    header + ",body",
                    #"'=k,0,steps,quantity,-1,,'@u,,,,,,d_1,phone,2026-10-14T07:05:00.25Z,"{""uuid"":""=k"",""type"":""steps"",""value"":-1,""unit"":""@u""}""#
                ))
    }

    /// Every kind of sample and every hostile text gives JSON that a strict reader takes, and the same values as the view.
    @Test func hostileSamples() throws {
        let json = try page(HostileSamples.native, includesBody: true)
        guard case .array(let samples)? = JSONValue(parsing: json) else {
            Issue.record("no JSON")
            return
        }
        #expect(samples.count == HostileSamples.native.count)
        let csv = try page(HostileSamples.native, csv: true, includesBody: true)
        let fields = SampleCSV.header.split(separator: ",").count + 1
        #expect(parsedCSV(csv).allSatisfy { $0.count == fields })
        #expect(parsedCSV(csv).count == samples.count + 1)
    }
}

/// RFC 4180, for tests.
func parsedCSV(_ text: String) -> [[String]] {
    var rows: [[String]] = [], row: [String] = [], field = "", isQuoted = false
    var scalars = Array(text.unicodeScalars)[...]
    while let scalar = scalars.popFirst() {
        if isQuoted {
            if scalar == "\"" {
                if scalars.first == "\"" {
                    field.unicodeScalars.append(scalars.removeFirst())
                } else {
                    isQuoted = false
                }
            } else {
                field.unicodeScalars.append(scalar)
            }
        } else if scalar == "\"" {
            isQuoted = true
        } else if scalar == "," {
            row.append(field)
            field = ""
        } else if scalar == "\r", scalars.first == "\n" {
            scalars.removeFirst()
            rows.append(row + [field])
            (row, field) = ([], "")
        } else {
            field.unicodeScalars.append(scalar)
        }
    }
    return rows
}
