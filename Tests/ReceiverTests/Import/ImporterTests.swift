import Foundation
import Samples
import Storage
import TestSupport
import Testing

@testable import Receiver

@Suite struct ImporterTests {
    @Test func anArchiveIsImportedWithItsRoutes() throws {
        let bench = try ImportBench()
        let summary = try bench.importing(AppleFile.archive(records: 10))
        #expect(summary.damage == nil && summary.samples == 12 && summary.outcome.stored == 12)
        #expect(summary.types["heart_rate"]?.samples == 10 && summary.types["workout_route"]?.samples == 1)
        #expect(summary.skipped == ["other files in the archive": 1])
        let route = try #require(try bench.rows().first { $0.contains("\"workout_route\"") })
        for part in [
            #""device":"apple-health-export""#, #""utc_offset":120"#, #""source":{"app":"Alex’s Watch"}"#, #""part":0"#,
            #""count":5,"parts":1,"points":[{"t":0,"lat":59.3,"lon":18,"alt_m":12.5,"speed_m_s":2.5,"course_deg":90,"h_acc_m":3.25}"#,
        ] { #expect(route.contains(part), "\(route)") }
        let run = try #require(try bench.rows().first { $0.contains("\"running\"") })
        for part in [#""duration_s":1830"#, #""distance_m":5020"#, #""files":[{"path":"/workout-routes/route.gpx"}]"#] {
            #expect(run.contains(part), "\(run)")
        }
    }

    @Test func importedTwiceIsNothingNewAlsoWithOtherAddresses() throws {
        let bench = try ImportBench()
        _ = try bench.importing(AppleFile.export(50))
        let rows = try bench.rows()
        #expect(rows.count == 51 && !rows.contains { $0.contains("0x") })
        for address in [0x2810_0000, 0x2999_0000] {
            let again = try bench.importing(AppleFile.export(50, address: address))
            #expect(again.outcome.stored == 0 && again.outcome.changed == 0 && again.outcome.repeated == 51)
        }
        #expect(try bench.rows() == rows)
    }

    /// Two hundred times another place: what is read again behind an interruption ends in the same rows.
    @Test func interruptedAnywhereItResumesToTheSameRows() throws {
        let file = AppleFile.archive(records: 12, points: 1_100)
        let whole = try ImportBench()
        _ = try whole.importing(file)
        let expected = try whole.rows()
        #expect(expected.count == 15)
        var generator = SeededGenerator(seed: 5)
        var resumed = 0
        for round in 0..<200 {
            let bench = try ImportBench()
            // Interrupted up to three times, and at another size of transactions each time, as a kill leaves it: between two.
            for _ in 0..<(1 + round % 3) {
                let slice = Int.random(in: 1...6, using: &generator)
                let pieces = Int.random(in: 0...40, using: &generator)
                #expect(throws: ImportFault.self) {
                    try bench.importing(file, pieces: pieces, slice: slice, pieceBytes: 160)
                }
            }
            let summary = try bench.importing(file, slice: 4 + round % 9)
            if summary.resumedAt > 0 { resumed += 1 }
            #expect(try bench.rows() == expected, "round \(round)")
        }
        #expect(resumed > 50)
    }

    @Test func aFileThatEndsInTheMiddleIsTakenAsFarAsItIsWhole() throws {
        let file = AppleFile.export(20)
        let whole = try ImportBench()
        _ = try whole.importing(file)
        let rows = Set(try whole.rows())
        let start = try #require(file.firstRange(of: Array("<ExportDate".utf8))?.upperBound)
        for cut in stride(from: start, to: file.count - 12, by: 97) {
            let bench = try ImportBench()
            let summary = try bench.importing(Array(file[..<cut]))
            #expect(summary.damage != nil)
            let found = try bench.rows()
            #expect(Set(found).isSubset(of: rows) && found.count == summary.outcome.stored)
        }
    }

    @Test func aDamagedArchiveIsTakenAsFarAsItGoesAndSaysSo() throws {
        var files = [ZippedFile("export.xml", AppleFile.export(30))]
        files[0].checksum = 1
        let bench = try ImportBench()
        let summary = try bench.importing(zip(files))
        #expect(summary.outcome.stored == 31 && summary.damage?.contains("checksum") == true)
        files[0].isEncrypted = true
        let fault = #expect(throws: ImportFault.self) { try bench.importing(zip(files)) }
        #expect(fault?.kind == .data && fault?.message.contains("encrypted") == true)
    }

    @Test func aDryRunCountsAndWritesNothing() throws {
        let bench = try ImportBench()
        let summary = try bench.importing(AppleFile.archive(records: 10), isDryRun: true)
        #expect(summary.samples == 12 && summary.outcome == StoreOutcome())
        #expect(summary.types["heart_rate"]?.first.text == "2026-10-14T04:00:00Z")
        #expect(summary.types["heart_rate"]?.last.text == "2026-10-14T04:09:00Z")
        #expect(try bench.rows().isEmpty)
    }

    @Test func whatItIsShowsInItsContent() throws {
        let bench = try ImportBench()
        _ = try bench.importing(AppleFile.archive(records: 3))
        let rows = try bench.rows()
        let jsonLines = try bench.lines(as: JSONLinesFormat()).joined(separator: "\n") + "\n"
        let csv = try bench.lines(as: CSVFormat()).joined(separator: "\n") + "\n"
        // Our own lines, into the same store and into another.
        #expect(try bench.importing(Array(jsonLines.utf8), name: "a.txt").outcome.stored == 0)
        let other = try ImportBench()
        #expect(try other.importing(Array(jsonLines.utf8), name: "b.xml").outcome.stored == rows.count)
        #expect(try other.rows() == rows)
        // CSV of the same samples has keys of its own, and what is there is known by its content.
        #expect(try other.importing(Array(csv.utf8), name: "c.zip").outcome.stored == 0)
        let third = try ImportBench()
        let taken = try third.importing(Array(csv.utf8), slice: 2).outcome
        #expect(taken.stored == 4 && taken.repeated == 0)
        #expect(try third.importing(AppleFile.export(3)).outcome.stored == 0)
        #expect(try third.importing(AppleFile.route(points: 1_001), name: "r").outcome.stored == 2)
        let body =
            #"{"data":{"metrics":[{"name":"step_count","units":"count","data":[{"date":"2026-10-14 09:01:03 +0200","qty":5}]}]}}"#
        #expect(try third.importing(Array(body.utf8), name: "h").outcome.stored == 1)
        #expect(try third.importing(Array(body.utf8), name: "h").outcome.stored == 0)
        let native =
            #"{"v":1,"type":"sync","device":"d_1","samples":[{"uuid":"u","type":"steps","value":5,"unit":"count"}]}"#
        #expect(try third.importing(Array((native + "\n" + native + "\n").utf8), name: "n").outcome.stored == 1)
        for (text, words) in [
            ("hello", "is none of the files"), ("<html><body/></html>", "XML of another kind"),
            ("{}", "is none of the files"),
            ("PK\u{3}\u{4}", "has no directory"), ("", "is none of the files"),
        ] {
            let fault = #expect(throws: ImportFault.self, "\(text)") { try third.importing(Array(text.utf8)) }
            #expect(fault?.message.contains(words) == true, "\(fault?.message ?? "")")
        }
    }

    /// Before anything is stored, wherever the other person comes.
    @Test(arguments: 2...9) func linesOfSeveralPersonsAreRefused(mine: Int) throws {
        let bench = try ImportBench()
        let lines = ((0..<mine).map { ("me", "d\($0)") } + [("anna", "d"), ("me", "e")]).enumerated().map {
            #"{"person":"\#($1.0)","device":"\#($1.1)","endpoint":"e","dialect":"native","sample":{"uuid":"u\#($0)","type":"steps","value":1}}"#
        }
        let fault = #expect(throws: ImportFault.self) { try bench.importing(Array(lines.joined(separator: "\n").utf8)) }
        #expect(fault?.message.contains("several persons") == true)
        #expect(try bench.rows().isEmpty)
        // A line that is none is found where it stands, as before.
        let damaged = #expect(throws: ImportFault.self) { try bench.importing(Array((lines[0] + "\n{").utf8)) }
        #expect(damaged?.message.contains("line 2") == true)
    }

    /// A phone's own samples, before and after: in either order each fact is there once.
    @Test func aPhonesCSVAndAnExportOfTheSameAreOne() throws {
        let csv = """
            type,uuid,start,end,value,unit,value_name,source,device,user_entered
            heart_rate,5E1D0000-0000-4000-8000-000000000001,2026-10-14T06:00:00.25+02:00,2026-10-14T06:00:00.25+02:00,60,count/min,,com.apple.health.AB,Apple Watch,false

            """
        for isLiveFirst in [true, false] {
            let bench = try ImportBench()
            func live() throws { try bench.receive(Array(csv.utf8), as: .csv) }
            if isLiveFirst { try live() }
            _ = try bench.importing(AppleFile.export(3))
            if !isLiveFirst { try live() }
            let rows = try bench.rows()
            #expect(rows.count == 4 && rows.filter { $0.contains("5E1D0000") }.count == 1)
            #expect(rows.filter { $0.contains("2026-10-14T04:00:00") }.count == 1)
        }
    }
}
