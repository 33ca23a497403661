import Foundation
import Receiver
import Samples
import Storage
import TestSupport
import Testing

/// What is exported and posted to another receiver is the same there.
@Suite struct ExportRoundTripTests {
    static let all = """
        person, device, uuid, part, type, kind, value, value_name, unit, start, "end", start_us, end_us, utc_offset, \
        source_app, source_device, body
        """
    /// What CSV has.
    static let csvColumns = """
        person, uuid, part, type, kind, value, value_name, unit, start_us, end_us, utc_offset, source_app, source_device
        """

    private func copy(_ store: ExportStore, as format: any ExportFormat, _ dialect: Dialect) throws -> ExportStore {
        let other = try ExportStore()
        let files = try store.export(as: format, maximumFileBytes: 200_000).files
        try other.take(files, as: dialect)
        return other
    }

    @Test func nativeOfEveryKind() throws {
        let store = try ExportStore()
        try store.take([nativeBody(HostileSamples.native)], as: .native)
        let rows = try store.samples(Self.all)
        #expect(rows.count == HostileSamples.native.count)
        let other = try copy(store, as: ExportStore.native(), .native)
        try expectSame(rows, other.samples(Self.all))
        // And the copy's export is, byte for byte, the same.
        #expect(try other.export(as: ExportStore.native()).files == store.export(as: ExportStore.native()).files)
    }

    /// A native body has no place for the time zone but the start itself.
    @Test func nativeOfOtherDialects() throws {
        let csv = try ExportStore()
        try csv.take([Array(Self.csv.utf8)], as: .csv)
        let other = try copy(csv, as: ExportStore.native(), .native)
        let known = "value_name IS NULL OR value_name NOT IN ('unheard', 'exact')"
        try expectSame(
            csv.samples(Self.all, where: known), other.samples(Self.all, where: known), without: ["start"])
        // Nor for the number of a name that the catalog doesn't have: all but the number is there.
        let unknown = "value_name IN ('unheard', 'exact')", columns = Self.all.replacing("value,", with: "")
        try expectSame(
            csv.samples(columns, where: unknown), other.samples(columns, where: unknown), without: ["start"])
        #expect(try csv.samples("utc_offset", where: "utc_offset = 120").count > 3)

        let influx = try ExportStore()
        try influx.take([Array(Self.influx.utf8)], as: .influx)
        let third = try copy(influx, as: ExportStore.native(), .native)
        try expectSame(influx.samples(Self.all), third.samples(Self.all))
    }

    /// The sender's own words must not be taken for native ones: neither a stage's name, a unit nor a time in UTC.
    @Test func nativeOfHealthAutoExport() throws {
        let store = try ExportStore()
        let body = #"{"data":{"metrics":[\#(Self.spelledMetrics)]}}"#
        try store.take([Array(body.utf8)], as: .hae)
        let other = try copy(store, as: ExportStore.native(), .native)
        let columns = Self.all.replacing(", body", with: "").replacing("start, \"end\", ", with: "")
        try expectSame(store.samples(columns), other.samples(columns))
        let names = try other.samples("value_name, value", where: "value_name = 'asleep_core' AND value = 3")
        #expect(names.count == 1)
        #expect(try other.samples("value", where: "value = 100 AND unit = 'kcal'").count == 1)
        #expect(try other.samples("body", where: #"body LIKE '%"hae_value":"Core"%'"#).count == 1)
    }

    static let spelledMetrics = [
        #"{"name":"sleep_analysis","units":"hr","data":[{"startDate":"2026-10-13 23:00:00 +0200","#
            + #""endDate":"2026-10-13 23:30:00 +0200","value":"Core","qty":0.5,"source":"Watch"}]}"#,
        #"{"name":"dietary_energy","units":"kcal","data":[{"date":"2026-10-14 12:00:00 +0200","qty":418.4,"unit":"kJ"}]}"#,
        #"{"name":"step_count","units":"count","data":[{"start":"2026-10-14T10:00:00Z","date":"2026-10-14T10:00:00Z","#
            + #""qty":7,"source":{"name":"Phone"}}]}"#,
    ].joined(separator: ",")

    @Test func csvOfCSV() throws {
        let store = try ExportStore()
        try store.take([Array(Self.csv.utf8)], as: .csv)
        let rows = try store.samples(Self.all)
        #expect(rows.count == 12)
        let other = try copy(store, as: CSVFormat(), .csv)
        try expectSame(rows, other.samples(Self.all))
        #expect(try other.export(as: CSVFormat()).files == store.export(as: CSVFormat()).files)
    }

    @Test func csvOfNative() throws {
        let store = try ExportStore()
        try store.take([nativeBody(HostileSamples.native)], as: .native)
        let (files, summary) = try store.export(as: CSVFormat())
        let kinds = [
            "workout_route", "heartbeat_series", "state_of_mind", "gad7_assessment", "phq9_assessment", "audiogram",
        ]
        for kind in kinds { #expect(summary.omitted[.kind(kind)] != nil) }
        #expect(summary.omitted[.kind("activity_summary")] == 1 && summary.omitted[.deletion] == 1)
        #expect(summary.written + summary.omitted.values.reduce(0, +) == HostileSamples.native.count)

        let other = try ExportStore()
        try other.take(files, as: .csv)
        #expect(try other.samples("uuid").count == summary.written)
        // What has a part gets another uuid in CSV, which knows none; all else must be the same.
        let before = try store.samples(Self.csvColumns, where: "part = 0"), after = try other.samples(Self.csvColumns)
        let uuids = Set(after.compactMap { text($0["uuid"]) })
        let expected = before.filter { uuids.contains(text($0["uuid"]) ?? "") }
        let known = Set(expected.compactMap { text($0["uuid"]) })
        try expectSame(expected, after.filter { known.contains(text($0["uuid"]) ?? "") })
        #expect(expected.count > 80 && after.count == expected.count + 1)
    }

    private func text(_ value: SQLValue?) -> String? {
        if case .text(let text)? = value { text } else { nil }
    }

    /// Every vector of every dialect, stored by a real server.
    @Test(arguments: VectorReplayTests.cases.filter { $0.expectStored?.isEmpty == false }) func vector(
        _ vector: VectorCase
    ) throws {
        let store = try ExportStore()
        #expect(VectorReplay.run(vector, in: store.path).differences == [])
        let rows = try store.samples(Self.all)
        let other = try copy(store, as: ExportStore.native(), .native)
        if rows.isEmpty { return }
        let native = try store.samples(Self.all, where: "dialect = 'native'")
        if native.count == rows.count { return try expectSame(native, other.samples(Self.all)) }
        // What is measured must be the same. A native category has its name alone, a native quantity its number.
        let measured = """
            device, uuid, part, type, iif(kind = 'category', NULL, value) AS value,
            iif(kind = 'quantity', NULL, value_name) AS value_name, unit, start_us, end_us, utc_offset
            """
        try expectSame(store.samples(measured), other.samples(measured))
    }

    /// The object that an export writes is the view's body.
    @Test func objectsAreTheViewsBodies() throws {
        let store = try ExportStore()
        try store.take([nativeBody(HostileSamples.native)], as: .native)
        try store.take([Array(Self.csv.utf8)], as: .csv)
        try store.take([Array(Self.influx.utf8)], as: .influx, device: "wh_2")
        let bodies = try store.lines(as: JSONLinesFormat()).map { line in
            guard case .object(let sample)? = try members(.text(line))["sample"] else { return [String: JSONValue]() }
            return sample
        }
        let rows = try StoreReader(directory: store.path).rows(
            "SELECT body FROM samples ORDER BY person, device, type, unit, ifnull(start_us, -9e18), uuid")
        #expect(bodies.count == rows.count)
        for row in rows { #expect(try bodies.contains(members(row["body"])), "\(row)") }
    }

    static let csv =
        [
            "type,uuid,start,end,value,unit,value_name,source,device,user_entered",
            "steps,\(HostileSamples.uuid(1)),2026-10-14T09:01:00+02:00,2026-10-14T09:01:59+02:00,412,count,,com.apple.Health,Apple Watch,false",
            "steps,\(HostileSamples.uuid(2)),2026-10-14T07:01:00Z,2026-10-14T07:01:59Z,0.30000000000000004,count,,\"a,\"\"b\"\"\r\nc\",'=1+2,true",
            "steps,\(HostileSamples.uuid(3)),2026-10-14T09:01:00.1234567+02:00,2026-10-14T08:01:59+01:00,1e-30,count,,'@x,''y,",
            "sleep_analysis,\(HostileSamples.uuid(4)),2026-10-14T01:10:00+02:00,2026-10-14T02:40:00+02:00,3,,asleep_core,a,b,false",
            "sleep_analysis,\(HostileSamples.uuid(5)),2026-10-14T01:10:00+02:00,,77,,unheard,a,,",
            "sleep_analysis,\(HostileSamples.uuid(6)),2026-10-14T01:10:00+02:00,,0.1000000000000000055511151231257827,,exact,a,,",
            "workout,\(HostileSamples.uuid(7)),2026-10-14T07:00:00+02:00,2026-10-14T07:31:10+02:00,1870,s,running,a,b,false",
            "characteristic,characteristic:blood_type,,,1,,a_positive,,,",
            "characteristic,characteristic:date_of_birth,,,1990-02-03,,,,,",
            "characteristic,characteristic:fitzpatrick_skin_type,,,3,,,,,",
            "steps,\"key, \"\"quoted\"\"\",2026-10-14T09:01:00+00:00,,1,,,,,",
            "heart_rate,\(HostileSamples.uuid(8)),,,61,count/min,,,,",
        ].joined(separator: "\r\n") + "\r\n"

    static let influx =
        [
            #"steps,device=Apple\ Watch,source=com.apple.Health,unit=count value=412 1791961260000000000"#,
            #"steps,device=a\,b\=c,unit=count value=0.1 1791961260000000001"#,
            #"sleep_analysis,device=Apple\ Watch,source=x value=3,value_name="asleep_core" 1791933000000000000"#,
            #"workout,activity=running,device=w,source=x duration_s=1870,energy_kcal=312.4,distance_m=5020 1791954000000000000"#,
        ].joined(separator: "\n") + "\n"
}
