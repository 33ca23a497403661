import Samples
import TestSupport
import Testing
import Wire

@Suite struct HealthAutoExportStreamTests {
    typealias Vector = HealthAutoExportVector

    private func slices(
        _ body: String, of records: Int = 8_000, automation: Automation = Automation(aggregation: "None")
    ) throws -> (slices: [SampleBatch], isTest: Bool) {
        var slices: [SampleBatch] = []
        let context = DecodeContext(automation: automation, offsetMinutes: { _ in 60 })
        let isTest = try HealthAutoExportDecoder.decode(
            PaddedBytes(Array(body.utf8)), context: context, sliceRecords: records
        ) { slices.append($0) }
        return (slices, isTest)
    }

    /// A metric's points, one a minute, `members` of each slot.
    private func points(_ count: Int, members: Int = 1) -> String {
        let points = (0..<count).map { index in
            let minute = index / members, hour = String(minute / 60), rest = String(minute % 60)
            let time = "\(hour.count < 2 ? "0" : "")\(hour):\(rest.count < 2 ? "0" : "")\(rest):00"
            return #"{"date":"2026-10-14 \#(time) +0200","qty":\#(index),"source":"Phone"}"#
        }
        return points.joined(separator: ",")
    }

    private func metric(_ points: String, name: String = "step_count") -> String {
        #"{"data":{"metrics":[{"name":"\#(name)","units":"count","data":[\#(points)]}]}}"#
    }

    @Test("Slices together are what one batch is", arguments: Vector.accepted)
    func slicesAreTheWhole(vector: Vector) throws {
        let body = PaddedBytes(vector.content)
        let whole = try HealthAutoExportDecoder.decode(body, context: vector.context)
        var records: [Vector.Record] = [], skipped: [Vector.Skipped] = []
        let isTest = try HealthAutoExportDecoder.decode(body, context: vector.context, sliceRecords: 8) { slice in
            #expect(slice.samples.count <= 8)
            #expect(!slice.samples.isEmpty || !slice.skipped.isEmpty)
            #expect(slice.window == whole.batch.window)
            records += slice.healthAutoExportRecords
            skipped += slice.healthAutoExportSkipped
        }
        #expect(isTest == whole.isTest)
        #expect(records == whole.batch.healthAutoExportRecords)
        #expect(skipped == whole.batch.healthAutoExportSkipped)
    }

    @Test func aSliceEndsBetweenTwoSlots() throws {
        let (slices, _) = try slices(metric(points(600, members: 3)), of: 100)
        #expect(slices.count > 5)
        #expect(slices.allSatisfy { $0.samples.count <= 100 })
        var ends: [String] = []
        for slice in slices {
            let keys = slice.healthAutoExportRecords.map(\.key)
            #expect(!ends.contains(keys[0]))
            ends.append(keys[keys.count - 1])
        }
    }

    @Test func aSlotOfMoreThanASliceIsCut() throws {
        let (slices, _) = try slices(metric(points(50, members: 50)), of: 20)
        #expect(slices.map(\.samples.count).reduce(0, +) == 50)
        #expect(slices.allSatisfy { $0.samples.count <= 20 })
    }

    @Test func aSliceIsGivenAwayBeforeItsArenaIsLarge() throws {
        let long = String(repeating: "x", count: 200_000)
        let workouts = (0..<40).map { index in
            #"{"id":"w\#(index)","name":"Running","start":"2026-10-14 09:00:00 +0200","note":"\#(long)"}"#
        }
        let (slices, _) = try slices(#"{"data":{"workouts":[\#(workouts.joined(separator: ","))]}}"#)
        #expect(slices.map(\.samples.count).reduce(0, +) == 40)
        #expect(slices.count > 1 && slices.allSatisfy { $0.arenaBytes < 5 << 20 })
    }

    @Test func whatTheSinkThrowsEndsTheBody() throws {
        struct Full: Error {}
        var count = 0
        #expect(throws: Full.self) {
            try HealthAutoExportDecoder.decode(
                PaddedBytes(Array(metric(points(100)).utf8)),
                context: DecodeContext(automation: Automation(aggregation: "None")), sliceRecords: 10
            ) { _ in
                count += 1
                if count == 2 { throw Full() }
            }
        }
        #expect(count == 2)
    }

    @Test func leftOutRecordsArePastAThousandCountedAlone() throws {
        let points = String(repeating: "1,", count: 2_499) + "1"
        let (slices, isTest) = try slices(metric(points))
        #expect(slices.map(\.skipped.count).reduce(0, +) == 1_000)
        #expect(slices.map(\.skippedBeyond).reduce(0, +) == 1_500)
        #expect(!isTest)
    }

    @Test("Wherever a long record is cut into pieces, the same comes of it", arguments: Vector.accepted)
    func piecesOfAnySize(vector: Vector) throws {
        let body = PaddedBytes(vector.content)
        let whole = try HealthAutoExportDecoder.decode(body, context: vector.context)
        for pieceBytes in 1...24 {
            var records: [Vector.Record] = []
            _ = try HealthAutoExportDecoder.decode(body, context: vector.context, pieceBytes: pieceBytes) { slice in
                records += slice.healthAutoExportRecords
            }
            #expect(records == whole.batch.healthAutoExportRecords, "\(pieceBytes)")
        }
    }

    @Test("Tokens as good as null are null wherever a record is cut into pieces")
    func tokensAtTheEndOfAPiece() throws {
        let body =
            #"{"data":{"workouts":[{"start":"2026-10-14 09:00:00 +0200","x":[-Infinity, "\\\"-I",Infinity,[NaN],-12]}]}}"#
        for pieceBytes in 1...40 {
            _ = try HealthAutoExportDecoder.decode(
                PaddedBytes(Array(body.utf8)), context: DecodeContext(), pieceBytes: pieceBytes
            ) { slice in
                let rest = String(decoding: slice.bytes(slice.samples[0].rest), as: UTF8.self)
                #expect(rest.contains(#""x":[null,"\\\"-I",null,[null],-12]"#), "\(pieceBytes): \(rest)")
            }
        }
    }

    @Test(
        "A section of another kind is left out, and refused only where there is nothing else",
        arguments: [
            (#""data":{"metrics":[$],"workouts":{}}"#, 1, 1), (#""data":{"workouts":7,"metrics":[$]}"#, 1, 1),
            (#""data":{"metrics":{"name":"x"}}"#, 0, 1), (#""data":{"metrics":7}"#, 0, 1), (#""data":[]"#, 0, 0),
            (#""data":[$]"#, 0, 1), (#""data":7,"metrics":[$]"#, 1, 1), (#""metrics":{},"workouts":7"#, 0, 2),
            (#""data":7"#, nil, 0), (#""metrics":7"#, nil, 0), (#""metrics":null"#, nil, 0),
        ] as [(String, Int?, Int)])
    func sectionsOfAnotherKind(members: String, stored: Int?, skipped: Int) throws {
        let metric = #"{"name":"step_count","units":"count","data":[\#(points(1))]}"#
        let body = "{\(members.replacing("$", with: metric))}"
        guard let stored else {
            let fault = #expect(throws: DecodeFault.self) { try slices(body) }
            #expect(fault?.code == "envelope_invalid")
            return
        }
        let (found, _) = try slices(body)
        #expect(found.map(\.samples.count).reduce(0, +) == stored)
        #expect(found.flatMap(\.skipped).map(\.code.description) == Array(repeating: "section_invalid", count: skipped))
    }

    @Test("Minimum and maximum are in the column's unit, also beside a mean of 0, whatever stands beside them")
    func rangesOfPercent() throws {
        let range = #""date":"2026-01-01 09:00:00 +0000","Min":0,"Avg":0,"Max":1.5"#
        func rest(_ point: String) throws -> String {
            let (found, _) = try slices(
                #"{"data":{"metrics":[{"name":"walking_asymmetry_percentage","units":"%","data":[\#(point)]}]}}"#)
            return String(decoding: found[0].bytes(found[0].samples[0].rest), as: UTF8.self)
        }
        for text in [try rest("{\(range)}"), try rest(#"{\#(range),"note":1}"#)] {
            #expect(text.contains(#""Max":0.015"#) && text.contains(#""hae_Max":1.5"#), "\(text)")
        }
    }

    @Test func rawTextOfWhatIsLeftOutIsCutBetweenCharacters() throws {
        let long = String(repeating: "é", count: 40_000)
        let (slices, _) = try slices(#"{"data":{"metrics":[],"later":["\#(long)"]}}"#)
        let skipped = try #require(slices.first?.skipped.first)
        #expect(slices[0].string(skipped.path) == "data.later")
        #expect(skipped.raw.count <= 64 << 10 && skipped.raw.count > (64 << 10) - 4)
        #expect(String(validating: slices[0].bytes(skipped.raw), as: UTF8.self)?.hasSuffix("é") == true)
    }

    @Test(
        "A window may cut buckets when its period says so",
        arguments: ["Since Last Sync", "since last sync", "REALTIME"])
    func windowsThatCut(period: String) throws {
        let app = Automation(aggregation: "Hours", period: period, session: Array("s".utf8))
        let slice = try #require(try slices(metric(points(1)), automation: app).slices.first)
        #expect(slice.window == MergeWindow(cutsBuckets: true, isPerSample: false, session: nil))
    }

    @Test(
        "Other windows hold whole buckets", arguments: ["Default", "Today", "Yesterday", "Previous 7 Days", "?", nil])
    func windowsThatDoNotCut(period: String?) throws {
        let app = Automation(aggregation: "Hours", period: period)
        let slice = try #require(try slices(metric(points(1)), automation: app).slices.first)
        #expect(slice.window == MergeWindow(cutsBuckets: false, isPerSample: false, session: nil))
    }

    @Test func synckysSamplesAreOnlyEverAdded() throws {
        let syncky = Automation(
            isSyncky: true, aggregation: "false", period: "Since Last Sync", session: Array("s1".utf8))
        let slice = try #require(try slices(metric(points(1)), automation: syncky).slices.first)
        var window = try #require(slice.window)
        // The same bytes are known again, others are told apart.
        let other = try slices(metric(points(2)), automation: syncky).slices.first?.window
        #expect(window.bodyHash != nil && other?.bodyHash != window.bodyHash)
        #expect(try slices(metric(points(1)), automation: syncky).slices.first?.window == window)
        window.bodyHash = nil
        #expect(window == MergeWindow(cutsBuckets: false, isPerSample: true, session: Array("s1".utf8)))
        #expect(slice.samples[0].grain == .raw)
    }

    @Test func aBareObjectIsAnEmptyRunOfAnAutomationAlone() throws {
        #expect(try slices("{}", automation: Automation(hasName: true)).isTest)
        #expect(throws: DecodeFault.self) { try slices("{}", automation: Automation()) }
    }

    @Test func aDayEndsAtTheNextMidnightOfTheZone() throws {
        // An hour more from 2026-10-25T01:00:00Z on, as in Berlin: that day has 25 hours.
        let autumn: @Sendable (Int64) -> Int16 = { $0 < 1_792_897_200 ? 120 : 60 }
        let context = DecodeContext(automation: Automation(aggregation: "Days"), offsetMinutes: autumn)
        let days = ["2026-10-25 00:00:00 +0200", "2026-10-25 00:00:00 -0500"].map { #"{"date":"\#($0)","qty":1}"# }
        let body = metric(days.joined(separator: ","))
        let batch = try HealthAutoExportDecoder.decode(PaddedBytes(Array(body.utf8)), context: context).batch
        #expect(batch.samples.map { $0.end.microseconds - $0.start.microseconds } == [90_000_000_000, 86_400_000_000])
        #expect(batch.samples[0].key == batch.samples[1].key)
    }

    // MARK: Hostile bodies

    @Test("Cut anywhere a body is refused or read, never more", arguments: Vector.accepted)
    func cutAnywhere(vector: Vector) {
        let content = vector.content
        for count in stride(from: 0, to: content.count, by: max(1, content.count / 20)) {
            #expect(throws: DecodeFault.self) {
                try HealthAutoExportDecoder.decode(PaddedBytes(Array(content[..<count])), context: vector.context)
            }
        }
    }

    @Test("Bytes changed at random end in a fault or a batch that holds together", arguments: Vector.accepted)
    func changedAtRandom(vector: Vector) {
        var generator = SeededGenerator(seed: UInt64(vector.body.utf8.count))
        let alphabet = Array(#"{}[],:"\0129.-+eNInt ;é"#.utf8) + [0, 0xFF, 0x80]
        for _ in 0..<12 {
            let content = vector.content.mutated(alphabet: alphabet, using: &generator)
            guard let decoded = try? HealthAutoExportDecoder.decode(PaddedBytes(content), context: vector.context)
            else {
                continue
            }
            for sample in decoded.batch.samples {
                #expect(sample.value?.isFinite != false)
                #expect(sample.series >= 0 && Int(sample.series) < decoded.batch.series.count)
                #expect(sample.rest.indices.upperBound <= decoded.batch.arenaBytes)
                #expect(sample.end == .none || sample.end >= sample.start)
            }
        }
    }

    /// What is read by the shape of the point before is what it is behind none.
    @Test func aPointIsReadAlikeBehindAnotherOrNone() throws {
        var random = SeededGenerator(seed: 11)
        let alphabet = Array(#"{}[],:"\019.-+enIN t;é"#.utf8) + [0x0A, 0xFF]
        let shapes = [
            #"{"date":"$D","qty":$N,"source":"$T"}"#, #"{"date":"$D","Min":$N,"Avg":$N,"Max":$N,"source":"$T"}"#,
            #"{ "date" : "$D" , "qty" : $N }"#, #"{"qty":$N,"date":"$D","\u0071ty":$V,"note":$V}"#,
            #"{"date":"$D","qty":$N,"on":$V,"source":$V,"more":$V}"#, #"{"date":"$D","qty":$N,"$T":1}"#, "{}",
        ]
        let values = [
            "D": ["2026-10-14 09:00:01 +0200", "2026-10-14 09:30:00 -0300", "2026-10-14T09:30:00Z", "1770000000", ""],
            "N": ["1", "12.50", "-0", "1e3", "NaN", "-Infinity", "null", "12345678901234567890", #""3""#],
            "T": ["Watch", #"W\u0061tch"#, "Jo\u{2019}s Phone", "", "qty"],
            "V": ["1", "true", "null", #""text""#, "[1, 2]", #"{"name": "Phone"}"#],
        ]
        func point(_ shape: String) -> [UInt8] {
            let pieces = shape.split(separator: "$", omittingEmptySubsequences: false)
            let filled = pieces.dropFirst().map {
                (values[String($0.prefix(1))]?.randomElement(using: &random) ?? "") + $0.dropFirst()
            }
            return Array((pieces[0] + filled.joined()).utf8)
        }
        func decode(_ points: [[UInt8]]) -> Result<DecodedBody, DecodeFault> {
            let frame = metric("§").split(separator: "§").map { Array($0.utf8) }
            let body = frame[0] + points.joined(separator: [UInt8(ascii: ",")]) + frame[1]
            let context = DecodeContext(automation: Automation(aggregation: "None"), offsetMinutes: { _ in 60 })
            return Result { () throws(DecodeFault) in
                try HealthAutoExportDecoder.decode(PaddedBytes(body), context: context)
            }
        }
        for round in 0..<6_000 {
            let shape = shapes.randomElement(using: &random) ?? "{}"
            let first = point(shape)
            var second = point(
                Int.random(in: 0..<4, using: &random) > 0 ? shape : shapes.randomElement(using: &random) ?? "{}")
            if Bool.random(using: &random) { second = second.mutated(alphabet: alphabet, using: &random) }
            // No object, and as long.
            let none = [UInt8(ascii: "\"")] + [UInt8](repeating: 0x78, count: first.count - 2) + [UInt8(ascii: "\"")]
            let comment: Comment = "round \(round): \(String(decoding: first + second, as: UTF8.self))"
            // Some have a name twice.
            guard case .success(let before) = decode([first]) else { continue }
            switch (decode([first, second]), decode([none, second])) {
            case (.success(let behind), .success(let alone)):
                let records = before.batch.healthAutoExportRecords + alone.batch.healthAutoExportRecords
                #expect(behind.batch.healthAutoExportRecords == records, comment)
                let skipped = before.batch.healthAutoExportSkipped + alone.batch.healthAutoExportSkipped.dropFirst()
                #expect(behind.batch.healthAutoExportSkipped == skipped, comment)
            case (.failure(let behind), .failure(let alone)): #expect(behind == alone, comment)
            default: Issue.record(comment)
            }
        }
    }

    @Test func numbersAndDatesAtTheEdgesDoNotTrap() throws {
        let dates = [
            "2200-12-31 23:59:60 -1800", "1900-01-01 00:00:00 +1800", "2026-12-31 00:00:00 +0000",
            "2024-02-29 00:00:00 +0000",
        ]
        for grain in ["None", "Seconds", "Minutes", "Hours", "Days", "Weeks", "Months", "Years"] {
            for date in dates {
                for qty in ["1e308", "-1e308", "5e-324", "0", "-0", "123456789012345678901234567890", "1e-300"] {
                    let body = metric(#"{"date":"\#(date)","qty":\#(qty)}"#, name: "active_energy")
                        .replacing("count", with: "kJ")
                    let slices = try slices(body, automation: Automation(aggregation: grain)).slices
                    #expect(slices.count == 1)
                }
            }
        }
        let durations = ["1e308", "-5", "1e15", "9e8"].map {
            #"{"start":"2026-10-14 09:00:00 +0200","duration":\#($0)}"#
        }
        let body = #"{"data":{"workouts":[\#(durations.joined(separator: ","))]}}"#
        #expect(try slices(body).slices[0].samples.count == 4)
        let segments = #"{"startDate":"2026-10-14 09:00:00 +0200","value":"Core","qty":1e300}"#
        #expect(try slices(metric(segments, name: "sleep_analysis")).slices[0].skipped.count == 1)
        let epochs = (["1e300", "-1", "0", "410000000", "7289654399999"]).map { #"{"date":\#($0),"qty":1}"# }
        #expect(try slices(metric(epochs.joined(separator: ","))).slices[0].samples.count == 2)
    }

    @Test func anObjectOfManyMembersIsReadInTime() throws {
        let members = (0..<3_000).map { #""m\#($0)":1"# }.joined(separator: ",")
        let (slices, _) = try slices(metric(#"{"date":"2026-10-14 09:00:00 +0200","qty":1,\#(members)}"#))
        #expect(slices[0].samples.count == 1)
        #expect(slices[0].samples[0].rest.count > 20_000)
    }
}

extension SampleBatch {
    fileprivate func string(_ range: ArenaRange) -> String { String(decoding: bytes(range), as: UTF8.self) }
}
