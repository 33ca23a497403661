import Foundation
import Receiver
import Samples
import Storage
import TestSupport
import Testing

/// What is written, byte for byte, and which samples.
@Suite struct ExportFormatTests {
    static let watch = #""source":{"app":"com.apple.Health","device":"Apple Watch"}"#

    /// The guide's own samples, section 4.
    static let guide = [
        #"{"uuid":"5E1D0000-0000-4000-8000-000000000001","type":"steps","value":412,"unit":"count","start":"2026-10-14T09:01:00+02:00","end":"2026-10-14T07:01:59Z",\#(watch)}"#,
        #"{"uuid":"51EE0000-0000-4000-8000-000000000001","type":"sleep_analysis","value":"asleep_core","start":"2026-10-14T01:10:00+02:00","end":"2026-10-14T00:40:00Z",\#(watch)}"#,
        #"{"uuid":"0B6F0000-0000-4000-8000-000000000001","type":"workout","activity":"running","start":"2026-10-14T07:00:00+02:00","end":"2026-10-14T05:31:10Z","duration_s":1870,"energy_kcal":312.4,"distance_m":5020,\#(watch)}"#,
        #"{"uuid":"characteristic:blood_type","type":"characteristic","name":"blood_type","value":"a_positive"}"#,
    ]

    private func store(_ samples: [String], device: String = "d_1") throws -> ExportStore {
        let store = try ExportStore()
        try store.take([nativeBody(samples, device: device)], as: .native)
        return store
    }

    @Test func csvIsTheGuides() throws {
        let text = String(decoding: try store(Self.guide).export(as: CSVFormat()).files[0], as: UTF8.self)
        #expect(
            text == """
                type,uuid,start,end,value,unit,value_name,source,device,user_entered\r
                characteristic,characteristic:blood_type,,,1,,a_positive,,,\r
                sleep_analysis,51EE0000-0000-4000-8000-000000000001,2026-10-14T01:10:00+02:00,2026-10-14T02:40:00+02:00,3,,asleep_core,com.apple.Health,Apple Watch,false\r
                steps,5E1D0000-0000-4000-8000-000000000001,2026-10-14T09:01:00+02:00,2026-10-14T09:01:59+02:00,412,count,,com.apple.Health,Apple Watch,false\r
                workout,0B6F0000-0000-4000-8000-000000000001,2026-10-14T07:00:00+02:00,2026-10-14T07:31:10+02:00,1870,s,running,com.apple.Health,Apple Watch,false\r

                """)
    }

    @Test func lineProtocolIsTheGuides() throws {
        let text = String(decoding: try store(Self.guide).export(as: LineProtocolFormat()).files[0], as: UTF8.self)
        #expect(
            text == #"""
                sleep_analysis,device=Apple\ Watch,source=com.apple.Health value=3,value_name="asleep_core" 1791933000000000000
                steps,device=Apple\ Watch,source=com.apple.Health,unit=count value=412 1791961260000000000
                workout,activity=running,device=Apple\ Watch,source=com.apple.Health duration_s=1870,energy_kcal=312.4,distance_m=5020 1791954000000000000

                """#)
    }

    @Test func nativeBodyIsWhole() throws {
        let lines = try store([#"{"uuid":"k","type":"steps","value":1}"#], device: "d \\\"1").lines(
            as: ExportStore.native())
        #expect(
            lines == [
                #"{"v":1,"type":"sync","device":"d \"1","samples":[{"uuid":"k","type":"steps","value":1}],"deleted":[],"acks":[],"more":false,"delivery":{"destination":"wh_export","id":"01a1393a-8960-7bab-abab-abababababab","index":0,"count":1,"sent_at":"2026-10-14T07:05:00Z"}}"#
            ])
    }

    @Test func jsonLinesHaveWhatTheViewTells() throws {
        let lines = try store(Self.guide).lines(as: JSONLinesFormat())
        #expect(
            lines[0]
                == #"{"person":"me","device":"d_1","endpoint":"phone","dialect":"native","kind":"characteristic","received_at":"2026-10-14T07:05:00.25Z","utc_offset":null,"value":1,"sample":{"uuid":"characteristic:blood_type","type":"characteristic","value":"a_positive","name":"blood_type"}}"#
        )
        #expect(lines[2].contains(#""utc_offset":120,"value":412,"sample":{"#))
    }

    /// Nanoseconds that no column holds come from the sender's own spelling.
    @Test(arguments: [
        ("2026-10-14T07:01:00.123456789Z", "1791961260123456789"),
        ("2026-10-14T07:01:00.1234567Z", "1791961260123456700"),
        ("2026-10-14T07:01:00.12345678912Z", "1791961260123456789"),
        ("2026-10-14T07:01:00.100Z", "1791961260100000000"),
        ("1969-12-31T23:59:59.999999999Z", "-1"), ("2262-04-11T23:47:16.854775807Z", "9223372036854775807"),
    ]) func nanoseconds(start: String, expected: String) throws {
        let lines = try store([#"{"uuid":"k","type":"steps","value":1,"start":"\#(start)"}"#]).lines(
            as: LineProtocolFormat())
        #expect(lines == ["steps value=1 \(expected)"])
    }

    @Test func whatLineProtocolHasNoPlaceFor() throws {
        let store = try store(
            HostileSamples.native + [#"{"uuid":"far","type":"steps","value":1,"start":"2262-04-11T23:47:16.854776Z"}"#])
        let summary = try store.export(as: LineProtocolFormat()).summary
        #expect(summary.omitted[.kind("characteristic")] == 5 && summary.omitted[.kind("workout_route")] == 3)
        #expect(summary.omitted[.time] ?? 0 >= 3)  // without a start, and past what 64 bits of nanoseconds reach
        #expect(summary.written + summary.omitted.values.reduce(0, +) == HostileSamples.native.count + 1)
        // Whatever the texts are, the lines can be read.
        let again = try ExportStore()
        try again.take(try store.export(as: LineProtocolFormat()).files, as: .influx)
        #expect(try !again.samples("uuid").isEmpty)
    }

    // MARK: Which samples

    private static let times: [String] =
        (0..<5).map {
            #"{"uuid":"k\#($0)","type":"steps","value":\#($0),"start":"2026-10-1\#($0)T00:00:00Z"}"#
        } + [#"{"uuid":"none","type":"steps","value":9}"#]

    private func values(_ store: ExportStore, _ change: (inout SampleFilter) -> Void) throws -> [String] {
        try store.lines(as: JSONLinesFormat(), change).map { line in
            guard case .object(let sample)? = try members(.text(line))["sample"], let value = sample["value"] else {
                return ""
            }
            return value.description
        }
    }

    @Test func rangesAreHalfOpen() throws {
        let store = try store(Self.times)
        func day(_ number: Int64) -> Timestamp {
            Timestamp(microseconds: 1_791_590_400_000_000 + number * 86_400_000_000)
        }
        #expect(try values(store) { _ in } == ["9.0", "0.0", "1.0", "2.0", "3.0", "4.0"])
        #expect(try values(store) { $0.from = day(2) } == ["2.0", "3.0", "4.0"])
        #expect(try values(store) { $0.to = day(2) } == ["0.0", "1.0"])
        #expect(try values(store) { ($0.from, $0.to) = (day(1), day(3)) } == ["1.0", "2.0"])
        #expect(try values(store) { ($0.from, $0.to) = (day(1), day(1)) } == [])
        let after = Timestamp(microseconds: day(2).microseconds + 1)
        #expect(
            try values(store) { ($0.from, $0.to) = (after, Timestamp(microseconds: day(3).microseconds + 1)) } == [
                "3.0"
            ])
        #expect(try values(store) { $0.to = Timestamp(microseconds: .max) }.count == 5)
    }

    @Test func filters() throws {
        let store = try ExportStore()
        for (number, place) in [("phone", "me", "d_1"), ("ipad", "me", "d_2"), ("anna", "anna", "d_1")].enumerated() {
            try store.take(
                [
                    nativeBody(
                        [
                            #"{"uuid":"k","type":"steps","value":\#(number)}"#,
                            #"{"uuid":"l","type":"other_type","value":5}"#,
                        ], device: place.2)
                ],
                as: .native, endpoint: place.0, person: place.1)
        }
        #expect(try values(store) { _ in } == ["5.0", "2.0", "5.0", "0.0", "5.0", "1.0"])
        #expect(try values(store) { $0.types = ["steps"] } == ["2.0", "0.0", "1.0"])
        #expect(
            try values(store) {
                $0.types = ["steps", "other_type"]; $0.person = "anna"
            } == ["5.0", "2.0"])
        #expect(
            try values(store) {
                $0.types = ["steps"]; $0.endpoint = "ipad"
            } == ["1.0"])
        #expect(
            try values(store) {
                $0.types = ["steps"]; $0.device = "d_1"
            } == ["2.0", "0.0"])
        for change in [
            { $0.endpoint = "nobody" }, { $0.person = "nobody" }, { $0.device = "nobody" }, { $0.types = ["nothing"] },
        ] as [(inout SampleFilter) -> Void] {
            #expect(try values(store, change) == [])
        }
        var filter = SampleFilter()
        filter.types = ["steps", "nothing"]
        let export = try SampleExport(directory: store.path, filter: filter)
        #expect(export.missingTypes == ["nothing"] && export.persons == 2 && export.devices == 3)
    }

    /// One body has one device of one person.
    @Test func bodiesByDevice() throws {
        let store = try ExportStore()
        for (person, device) in [("me", "d_1"), ("me", "d_2"), ("anna", "d_1")] {
            try store.take(
                [
                    nativeBody(
                        [#"{"uuid":"k","type":"steps","value":1}"#, #"{"uuid":"l","type":"heart_rate","value":5}"#],
                        device: device)
                ],
                as: .native, endpoint: person, person: person)
        }
        let lines = try store.lines(as: ExportStore.native())
        #expect(lines.count == 3 && lines.map { $0.contains("d_2") } == [false, false, true])
    }

    // MARK: Sizes

    @Test func bodiesStayBelowTheirLimit() throws {
        let samples = (0..<300).map {
            #"{"uuid":"k\#(1000 + $0)","type":"steps","value":1,"unit":"\#(String(repeating: "u", count: $0 % 50 + 1))"}"#
        }
        let store = try store(samples)
        for limit in [1_000, 1_001, 1_002, 1_003, 5_000, 1_000_000] {
            let lines = try store.lines(as: ExportStore.native(maximumBytes: limit))
            #expect(lines.allSatisfy { $0.utf8.count <= limit })
            let other = try ExportStore()
            try other.take(lines.map { Array($0.utf8) }, as: .native)
            #expect(try other.samples("uuid").count == 300)
        }
        // One sample alone may be too long for any body: it goes out all the same, alone.
        let (files, summary) = try store.export(as: ExportStore.native(maximumBytes: 100))
        #expect(files[0].split(separator: 0x0A).count == 300 && summary.oversized == 300)
    }

    @Test func filesCanBePostedAsTheyAre() throws {
        let samples = (0..<300).map {
            #"{"uuid":"k\#(1000 + $0)","type":"steps","value":\#($0),"start":"2026-10-14T07:01:00Z"}"#
        }
        let store = try store(samples)
        let whole = try store.export(as: CSVFormat()).files[0]
        let (files, summary) = try store.export(as: CSVFormat(), maximumFileBytes: 2_000)
        #expect(files.count == summary.files && files.count > 5)
        #expect(
            files.allSatisfy { $0.count <= 2_000 && $0.starts(with: CSVFormat.header) && $0.suffix(2) == [0x0D, 0x0A] })
        #expect(CSVFormat.header + files.flatMap { $0.dropFirst(CSVFormat.header.count) } == whole)
        let other = try ExportStore()
        try other.take(files, as: .csv)
        #expect(try other.samples("uuid").count == 300)

        let bodies = try store.export(as: ExportStore.native(maximumBytes: 2_000), maximumFileBytes: 2_001).files
        #expect(bodies.allSatisfy { $0.count <= 2_001 && $0.filter { $0 == 0x0A }.count == 1 } && bodies.count > 5)
        // A record that is longer than a file has one of its own.
        #expect(try store.export(as: CSVFormat(), maximumFileBytes: 1).files.count == 300)
        #expect(try ExportStore.empty().export(as: ExportStore.native(), maximumFileBytes: 2_000).files == [])
        #expect(try ExportStore.empty().export(as: CSVFormat(), maximumFileBytes: 2_000).files == [CSVFormat.header])
        #expect(try ExportStore.empty().export(as: LineProtocolFormat()).files == [[]])
    }

    /// The objects of a schema of `schemas/`.
    @Test func jsonLinesHaveTheMembersOfTheirSchema() throws {
        let url = RepositoryRoot.url.appending(path: "schemas/export.schema.json")
        guard case .object(let schema)? = JSONValue(parsing: try String(contentsOf: url, encoding: .utf8)),
            case .object(let properties)? = schema["properties"], case .array(let required)? = schema["required"]
        else { throw CocoaError(.coderInvalidValue) }
        let names = Set(properties.keys)
        let optional: Set = ["part", "grain", "merge"]
        #expect(Set(required.map(\.description)) == Set(names.subtracting(optional).map { "\"\($0)\"" }))
        for line in try store(HostileSamples.native).lines(as: JSONLinesFormat()) {
            #expect(try Set(members(.text(line)).keys).union(optional) == names)
        }
    }
}

extension ExportStore {
    /// A database without a sample.
    static func empty() throws -> ExportStore {
        let store = try ExportStore()
        try Store.open(directory: store.path).close()
        return store
    }
}
