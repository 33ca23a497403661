import Foundation
import Samples
import Storage
import TestSupport
import Testing

@testable import Receiver

/// What a store with history exports comes back: into itself, into another, as a file and as deliveries.
@Suite struct ExportedAgainTests {
    /// With a type that the catalog doesn't know, and a category without a value.
    private static func export() -> [UInt8] {
        let time = #"startDate="2026-10-14 06:30:00 +0200" endDate="2026-10-14 06:31:00 +0200""#
        let others = """
             <Record type="HKDataTypeSleepDurationGoal" sourceName="Health" unit="hr" \(time) value="8"/>
             <Record type="HKQuantityTypeIdentifierFromTheFuture" sourceName="Health" unit="furlong" \(time) value="3"/>
             <Record type="HKCategoryTypeIdentifierMindfulSession" sourceName="Health" \(time)/>

            """
        let text = AppleFile.head + (0..<5).map { AppleFile.record($0) }.joined() + others + AppleFile.workout
        return Array((text + AppleFile.tail).utf8)
    }

    private static let native = NativeFormat(
        now: { Timestamp(microseconds: 1_791_961_500_000_000) }, randomBytes: { [UInt8](repeating: 7, count: $0) })

    private func lines(_ bench: ImportBench, _ format: any ExportFormat) throws -> [UInt8] {
        Array((try bench.lines(as: format).joined(separator: "\n") + "\n").utf8)
    }

    @Test func linesKeepNamesAndKindsThatNoPhoneSends() throws {
        let bench = try ImportBench(), other = try ImportBench()
        _ = try bench.importing(Self.export())
        let rows = try bench.rows()
        #expect(rows.count == 9)
        #expect(rows.contains { $0.contains(#""kind":"category""#) && $0.contains("mindful_session") })
        #expect(rows.contains { $0.contains("HKDataTypeSleepDurationGoal") && $0.contains(#""apple_value":"8""#) })
        let text = try lines(bench, JSONLinesFormat())
        #expect(try other.importing(text).outcome.stored == 9)
        #expect(try other.rows() == rows)
        #expect(try bench.importing(text).outcome.stored == 0)
        #expect(try bench.rows() == rows)
    }

    /// Health Auto Export's decoder keeps what no double holds, and so must whoever reads it again.
    @Test func numbersThatNoDoubleHoldsComeBack() throws {
        let bench = try ImportBench()
        let names = ["foo", "value", "duration", "qty2", "metadata", "part"]
        let numbers = ["1e400", "-1e400", String(repeating: "7", count: 1_100), "NaN", "[1e999,{\"a\":-1E+999}]"]
        let points = names.enumerated().flatMap { row, name in
            numbers.enumerated().map { column, number in
                #"{"date":"2026-10-14 0\#(row):0\#(column):00 +0200","qty":\#(row + 1),"\#(name)":\#(number)}"#
            }
        }
        let body =
            #"{"data":{"metrics":[{"name":"step_count","units":"count","data":[\#(points.joined(separator: ","))]}]}}"#
        try bench.receive(Array(body.utf8), as: .hae)
        let rows = try bench.rows()
        #expect(rows.count == 30 && rows.contains { $0.contains("1e400") && $0.contains("foo") })
        let other = try ImportBench()
        #expect(try other.importing(try lines(bench, JSONLinesFormat())).outcome.stored == 30)
        #expect(try other.rows() == rows)
        let native = try ImportBench()
        #expect(try native.importing(try lines(bench, Self.native)).outcome.stored == 30)
    }

    /// Two sources of one minute are two rows under one uuid, and so are they in a file.
    @Test func partsThatTheStoreGaveComeBack() throws {
        let bench = try ImportBench(), other = try ImportBench()
        let points = [("Phone", 100), ("Watch", 250)].map {
            #"{"date":"2026-10-14 07:01:00 +0200","qty":\#($0.1),"source":"\#($0.0)"}"#
        }
        let body =
            #"{"data":{"metrics":[{"name":"step_count","units":"count","data":[\#(points.joined(separator: ","))]}]}}"#
        try bench.receive(Array(body.utf8), as: .hae)
        let rows = try bench.rows()
        #expect(rows.count == 2 && rows.filter { $0.contains(#","part":1,"#) }.count == 1)
        #expect(rows.allSatisfy { $0.contains(#","merge":"slot_sum","#) }, "\(rows)")
        let text = try lines(bench, JSONLinesFormat())
        #expect(try other.importing(text).outcome.stored == 2)
        #expect(try other.rows() == rows)
        let again = try bench.importing(text).outcome
        #expect(again.stored == 0 && again.changed == 0 && again.repeated == 2)
        #expect(try bench.rows() == rows)
    }

    /// What no export of ours has is as good as absent.
    @Test(arguments: ["-1", "1.5", "2147483648", "1e300", "\"1\"", "null"])
    func aPartThatIsNone(part: String) throws {
        let bench = try ImportBench()
        let line =
            #"{"person":"me","device":"d","endpoint":"e","dialect":"hae","part":\#(part),"grain":"eon","merge":"x","sample":{"uuid":"u","type":"steps","value":1}}"#
        #expect(try bench.importing(Array(line.utf8)).outcome.stored == 1)
        #expect(try bench.rows().allSatisfy { !$0.contains(#""part""#) && !$0.contains(#""grain""#) })
    }

    /// The catalog has 3 for the name, and nothing in another time.
    @Test func aNumberOfItsOwnComesBackWithItsName() throws {
        let bench = try ImportBench(), other = try ImportBench()
        let csv = """
            type,uuid,start,end,value,unit,value_name,source,device,user_entered
            sleep_analysis,k1,2026-10-14T01:00:00Z,2026-10-14T02:00:00Z,9,,asleep_core,,,
            sleep_analysis,k2,2026-10-14T02:00:00Z,2026-10-14T03:00:00Z,,,asleep_core,,,

            """
        try bench.receive(Array(csv.utf8), as: .csv)
        let rows = try bench.rows()
        #expect(rows.contains { $0.contains(#""value":9,"#) })
        #expect(try other.importing(try lines(bench, JSONLinesFormat())).outcome.stored == 2)
        #expect(try other.rows() == rows)
    }

    /// A row must not be taken for a twin of itself.
    @Test func nativeBodiesOfAnImportTakeNothingAway() throws {
        let bench = try ImportBench(), other = try ImportBench()
        _ = try bench.importing(Self.export())
        let rows = try bench.rows()
        let text = try lines(bench, Self.native)
        // Native times have the offset written out, so these bodies tell more once.
        let first = try bench.importing(text, name: "a").outcome
        #expect(first.stored == 0 && first.deleted == 0)
        let told = try bench.rows()
        #expect(told.count == rows.count)
        let second = try bench.importing(text, name: "b").outcome
        #expect(second.stored == 0 && second.changed == 0 && second.deleted == 0)
        #expect(try bench.rows() == told)
        #expect(try other.importing(text).outcome.stored == 7)
        #expect(try other.importing(Self.export(), name: "xml").outcome.stored == 2)
        // As deliveries, whose device says where they came from.
        for _ in 0..<2 {
            for body in text.split(separator: 0x0A) {
                try bench.receive(Array(body), as: .native, device: Array("apple-health-export".utf8))
            }
            #expect(try bench.rows().count == rows.count)
        }
    }

    /// In either order the route ends with the source that the archive knows.
    @Test func aRouteByItselfGetsItsSourceFromTheArchive() throws {
        var ends: [[String]] = []
        for isRouteFirst in [true, false] {
            let bench = try ImportBench()
            if isRouteFirst { _ = try bench.importing(AppleFile.route(points: 5), name: "route") }
            _ = try bench.importing(AppleFile.archive(records: 3))
            if !isRouteFirst { _ = try bench.importing(AppleFile.route(points: 5), name: "route") }
            ends.append(try bench.rows())
        }
        #expect(ends[0] == ends[1])
        #expect(ends[0].contains { $0.contains("workout_route") && $0.contains(#""source":{"app":"Alex’s Watch"}"#) })
    }

    @Test(arguments: ["export.xml", "route.gpx"], [true, false])
    func aDamagedFileInAnArchiveIsSaid(name: String, isHead: Bool) throws {
        var files = [
            ZippedFile("route.gpx", AppleFile.route(points: 5)), ZippedFile("export.xml", AppleFile.export(3)),
        ]
        for index in files.indices where files[index].name == name {
            files[index].checksum = 1
            // No compressed data at all, so that nothing shows what the file is.
            if isHead { (files[index].isDeflated, files[index].method) = (false, 8) }
        }
        let bench = try ImportBench()
        let summary = try bench.importing(zip(files))
        #expect(summary.damage?.contains(isHead ? "can't be read" : "checksum") == true)
        #expect(try !bench.rows().isEmpty)
    }
}
