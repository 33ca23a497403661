import Samples
import TestSupport
import Testing
import Wire

func decodePuls(_ content: [UInt8], limits: PulsLimits = PulsLimits()) throws(DecodeFault) -> SampleBatch {
    try PulsDecoder.decode(PaddedBytes(content), context: DecodeContext(), limits: limits).batch
}

/// Slices of so many records, joined.
func slicePuls(
    _ content: [UInt8], records: Int, limits: PulsLimits = PulsLimits()
) throws -> (content: PulsContent, slices: [SampleBatch]) {
    var content_ = PulsContent(), slices: [SampleBatch] = []
    try PulsDecoder.decode(
        PaddedBytes(content), context: DecodeContext(), limits: limits, sliceRecords: records
    ) { slice in
        content_.add(slice)
        slices.append(slice)
    }
    return (content_, slices)
}

@Suite struct PulsDecoderTests {
    typealias Vector = PulsVector

    @Test("Every accepted batch becomes its records, points and buckets", arguments: Vector.accepted)
    func accepted(vector: Vector) throws {
        let batch = try decodePuls(vector.content)
        try batch.expectWholeRests()
        var content = PulsContent()
        content.add(batch)
        let expected = vector.records ?? []
        #expect(content.records.count == expected.count)
        for (record, var expected) in zip(content.records, expected) {
            if expected.rest == "" { expected.rest = nil }
            #expect(record == expected)
        }
        #expect(content.deletions == vector.deletions ?? [])
        #expect(content.route == vector.route ?? [])
        #expect(content.curve == vector.curve ?? [])
        #expect(content.aggregates == vector.aggregates ?? [])
        #expect(content.batchID == UUIDBits(high: 0xAB00_0000_0000_4000, low: 0x8000_0000_0000_0001))
        if let header = vector.batch {
            #expect(content.header?.reason == header.reason && content.header?.client == header.client)
            #expect(content.header?.zone == header.zone && content.header?.device == header.device)
            #expect(content.header?.exported == header.exported)
        }
        let label = vector.batch == nil ? "anything" : vector.batch?.label ?? content.header?.label
        #expect(content.header?.label == label)
        let rows = content.records.count { $0.key == "profile" || $0.key.hasPrefix("activity_summary:") }
        #expect(content.sampleLines == content.records.count - rows)
        for sample in batch.samples { #expect(sample.merge == .replace && sample.part == 0 && sample.grain == .raw) }
    }

    @Test("A refusal says which line and why, at its byte", arguments: Vector.refused)
    func refused(vector: Vector) throws {
        let fault = try #require(throws: DecodeFault.self) { try decodePuls(vector.content) }
        #expect(fault.code == vector.code)
        #expect(fault.message == vector.message)
        #expect(fault.status == vector.status ?? 400)
        #expect(fault.offset == vector.markOffset)
        #expect(fault.line == vector.line)
        let sliced = #expect(throws: DecodeFault.self) { try slicePuls(vector.content, records: 1) }
        #expect(sliced == fault)
    }

    @Test("Slices say together what the whole says", arguments: Vector.accepted)
    func slices(vector: Vector) throws {
        var whole = PulsContent()
        whole.add(try decodePuls(vector.content))
        for records in 1...4 {
            let (joined, slices) = try slicePuls(vector.content, records: records)
            #expect(joined == whole)
            #expect(!slices.isEmpty)
            for (index, slice) in slices.enumerated() {
                guard case .puls(let extras) = slice.extras else { continue }
                #expect(extras.batchID == whole.batchID)
                let count =
                    slice.samples.count + extras.routePoints.count + extras.curvePoints.count
                    + extras.aggregates.count
                #expect(count <= records && (count > 0 || index == slices.count - 1))
                #expect(slice.deletions.isEmpty || index == slices.count - 1)
                try slice.expectWholeRests()
            }
        }
    }

    // MARK: Hostile bodies

    /// A cut takes a line away or ends one in its middle; only the last line's end is free.
    @Test("Cut at any byte a batch is refused", arguments: Vector.accepted)
    func cutAnywhere(vector: Vector) throws {
        let content = vector.content
        let end = content.lastIndex { $0 > 0x20 } ?? 0
        for cut in 0...end {
            let fault = #expect(throws: DecodeFault.self, "cut at \(cut)") { try decodePuls(Array(content[..<cut])) }
            #expect(fault.map { ($0.offset ?? -1) <= cut && $0.status == 400 } == true)
        }
    }

    @Test func bytesChangedAtRandomEndInABatchOrAFault() throws {
        let codes: Set = [
            "version_unsupported", "header_missing", "count_invalid", "line_missing", "line_unexpected",
            "member_missing", "member_invalid", "time_invalid", "json_invalid", "json_too_deep", "number_invalid",
            "member_repeated",
        ]
        let seeds = Vector.accepted.map(\.content).filter { $0.count < 1_500 }
        let alphabet = Array(#"{}[],:"\0129.-+eEuntrfls é"#.utf8) + [0, 0x0A, 0x80, 0xFF]
        var generator = SeededGenerator(seed: 22), taken = 0
        for round in 0..<6_000 {
            let content = seeds[round % seeds.count].mutated(alphabet: alphabet, using: &generator)
            do throws(DecodeFault) {
                let batch = try decodePuls(content)
                taken += 1
                try? batch.expectWholeRests()
                for sample in batch.samples { #expect(sample.value?.isFinite != false) }
                let whole = [batch].reduce(into: PulsContent()) { $0.add($1) }
                #expect((try? slicePuls(content, records: 1))?.content == whole)
            } catch {
                #expect(codes.contains(error.code), "\(error)")
                #expect(0...content.count ~= error.offset ?? -1 && (error.line ?? 0) >= 1)
            }
        }
        #expect(taken > 100)
    }

    @Test(arguments: [#"{"a":1"#, #"{"a":"#, "{", "[", "\"", "\\", "\u{0}", "tru", "-", "1e", #"{"a":"\u12"#])
    func unfinishedLinesEndInAFault(line: String) {
        for body in [line, Self.header(samples: 1) + "\n" + line, Self.header(samples: 1) + "\n" + line + "\n"] {
            #expect(throws: DecodeFault.self) { try decodePuls(Array(body.utf8)) }
        }
    }

    /// The uuid that a refusal names is that of the line at fault, wherever in it that is.
    @Test func aRefusalNamesNoOtherLine() {
        let wrong = Self.sample(1).replacing("uuid", with: "deleted")
        let bodies = [
            (Self.body([Self.header(samples: 2), Self.sample(1)]).dropLast(), "sample 2: "),
            (Self.body([Self.header(more: ",\"deletionCount\":1"), Self.sample(1) + "}"])[...], "deletion 1: "),
            (Self.body([Self.header(more: ",\"deletionCount\":1"), wrong])[...], "deletion 1: "),
            (Self.body([Self.header(samples: 1), Self.sample(1, more: #","kind":1"#)])[...], "sample 1 (5E1D"),
        ]
        for (body, start) in bodies {
            let fault = #expect(throws: DecodeFault.self) { try decodePuls(Array(body)) }
            #expect(fault?.message.hasPrefix(start) == true, "\(fault?.message ?? "")")
        }
    }

    // MARK: Limits

    static func header(samples: Int = 0, more: String = "") -> String {
        #"{"batchID":"AB000000-0000-4000-8000-000000000001","type":"t","sampleCount":\#(samples)\#(more)}"#
    }

    static func sample(_ number: Int, more: String = "") -> String {
        let digits = String(number), zeros = String(repeating: "0", count: 12 - digits.count)
        return
            #"{"uuid":"5E1D0000-0000-4000-8000-\#(zeros)\#(digits)","type":"HKQuantityTypeIdentifierStepCount","kind":"quantity","start":1791961260123.456,"end":1791961320000,"value":\#(number % 100),"unit":"count"\#(more)}"#
    }

    static func body(_ lines: [String]) -> [UInt8] { Array((lines.joined(separator: "\n") + "\n").utf8) }

    @Test func aBatchOfTheMostBytesIsReadAndOneMoreIs413() throws {
        let content = Self.body([Self.header(samples: 1), Self.sample(1)])
        var limits = PulsLimits()
        limits.maximumBodyBytes = content.count
        #expect(try decodePuls(content, limits: limits).samples.count == 1)
        limits.maximumBodyBytes -= 1
        for fault in [
            #expect(throws: DecodeFault.self, performing: { try decodePuls(content, limits: limits) }),
            #expect(throws: DecodeFault.self, performing: { try slicePuls(content, records: 9, limits: limits) }),
        ] {
            #expect(fault?.code == "body_too_large" && fault?.status == 413 && fault?.offset == content.count - 1)
        }
    }

    @Test(arguments: [0, 1])
    func aLineOfTheMostBytesIsReadAndOneMoreIs413(place: Int) throws {
        // The header's is padded by an unknown member, the other line's likewise.
        let bytes = 400
        func padded(_ line: String, _ count: Int) -> String {
            let start = line.dropLast() + ",\"pad\":\""
            return start + String(repeating: "x", count: count - start.utf8.count - 2) + "\"}"
        }
        var limits = PulsLimits()
        limits.maximumLineBytes = bytes
        func content(_ count: Int) -> [UInt8] {
            var lines = [Self.header(samples: 1), Self.sample(1)]
            lines[place] = padded(lines[place], count)
            return Self.body(lines)
        }
        #expect(try decodePuls(content(bytes), limits: limits).samples.count == 1)
        for body in [content(bytes + 1), Array(content(bytes + 1).dropLast())] where place == 1 || body.last == 0x0A {
            let fault = #expect(throws: DecodeFault.self) { try decodePuls(body, limits: limits) }
            #expect(fault?.code == "line_too_long" && fault?.status == 413 && fault?.line == place + 1)
            #expect(fault?.message.hasSuffix(": the line is longer than 400 bytes") == true)
        }
        // The last line may lack its end.
        #expect(try decodePuls(Array(content(bytes).dropLast()), limits: limits).samples.count == 1)
    }

    @Test func aLineThatIsTooLongIsToldAsThatAndNotByWhatIsInIt() {
        var limits = PulsLimits()
        limits.maximumLineBytes = 400
        let body = Self.body([Self.header(samples: 1), String(repeating: "{", count: 500)])
        #expect(throws: (any Error).self) { try decodePuls(body, limits: limits) }
        let fault = #expect(throws: DecodeFault.self) { try decodePuls(body, limits: limits) }
        #expect(fault?.code == "line_too_long")
    }

    @Test func theHighestCountsAreReadAndOneMoreIsRefused() throws {
        var limits = PulsLimits()
        limits.maximumCount = 3
        limits.maximumTotal = 5
        func content(_ samples: Int, _ profiles: Int, rings: Int) -> [UInt8] {
            let rows = (0..<rings).map { #"{"activitySummary":{"date":\#(86_400_000 * ($0 + 1))}}"# }
            let header = Self.header(
                samples: samples, more: ",\"activitySummaryCount\":\(rings),\"profileCount\":\(profiles)")
            return Self.body(
                [header] + (0..<samples).map { Self.sample($0) } + rows
                    + [String](repeating: #"{"profile":{}}"#, count: profiles))
        }
        #expect(try decodePuls(content(3, 0, rings: 2), limits: limits).samples.count == 5)
        let above = #expect(throws: DecodeFault.self) { try decodePuls(content(4, 0, rings: 0), limits: limits) }
        #expect(above?.code == "count_invalid" && above?.message.hasSuffix("from 0 to 3") == true)
        let together = #expect(throws: DecodeFault.self) { try decodePuls(content(3, 1, rings: 2), limits: limits) }
        #expect(together?.code == "count_invalid" && together?.message.contains("more than 5") == true)
    }

    static func points(_ slot: String, _ counts: [Int]) -> [UInt8] {
        let lines = counts.map { count in
            let points = (0..<count).map { #"{"t":\#($0 + 1),"lat":1,"lon":2,"value":3}"# }.joined(separator: ",")
            return
                #"{"\#(slot)":{"workoutUUID":"77000000-0000-4000-8000-000000000001","type":"x","points":[\#(points)]}}"#
        }
        return body([header(more: ",\"\(slot)Count\":\(counts.count)")] + lines)
    }

    @Test(arguments: ["route", "series"])
    func theMostPointsOfALineAndOfABatchAreReadAndOneMoreIsRefused(slot: String) throws {
        var limits = PulsLimits()
        limits.maximumLinePoints = 3
        limits.maximumPoints = 5
        func count(_ counts: [Int]) throws -> Int? {
            guard case .puls(let extras) = try decodePuls(Self.points(slot, counts), limits: limits).extras else {
                return nil
            }
            return extras.routePoints.count + extras.curvePoints.count
        }
        #expect(try count([3, 2]) == 5)
        let line = #expect(throws: DecodeFault.self) { try count([4]) }
        #expect(line?.code == "count_invalid" && line?.message.hasSuffix("points are more than 3") == true)
        let batch = #expect(throws: DecodeFault.self) { try count([3, 3]) }
        #expect(batch?.code == "count_invalid" && batch?.message.contains("\(slot) 2 (77000000-") == true)
        #expect(batch?.message.hasSuffix("more than 5") == true)
    }

    @Test func theLimitsAreThoseOfTheContract() {
        let limits = PulsLimits()
        #expect(limits.maximumBodyBytes == 134_217_728 && limits.maximumLineBytes == 4_194_304)
        #expect(limits.maximumCount == 100_000 && limits.maximumTotal == 200_000)
        #expect(limits.maximumLinePoints == 4_000 && limits.maximumPoints == 100_000)
    }

    // MARK: Slices

    @Test func aSliceEndsWhereItsArenaIsFull() throws {
        let metadata = ",\"metadata\":{\"x\":\"\(String(repeating: "m", count: 700_000))\"}"
        let lines = (0..<9).map { Self.sample($0, more: metadata) }
        let (_, slices) = try slicePuls(Self.body([Self.header(samples: 9)] + lines), records: 1_000)
        #expect(slices.map(\.samples.count) == [3, 3, 3])
        #expect(slices.allSatisfy { $0.arenaBytes < 3 << 20 })
    }

    @Test func deletionsComeInTheLastSliceAlone() throws {
        let lines = (0..<5).map { Self.sample($0) }
        let gone = (0..<4).map {
            #"{"deleted":{"uuid":"5E1D0000-0000-4000-8000-00000000000\#($0)","type":"HKQuantityTypeIdentifierStepCount"}}"#
        }
        let points = String(decoding: Self.points("route", [3]), as: UTF8.self).split(separator: "\n")[1]
        let header = Self.header(samples: 5, more: ",\"deletionCount\":4,\"routeCount\":1")
        let (_, slices) = try slicePuls(Self.body([header] + lines + gone + [String(points)]), records: 2)
        #expect(slices.map(\.samples.count) == [2, 2, 1, 0])
        #expect(slices.map(\.deletions.count) == [0, 0, 0, 4])
        #expect(slices[3].deletions.map { slices[3].string($0.type) }.allSatisfy { $0 == "steps" })
    }

    @Test func whatTheSinkThrowsComesOut() {
        struct Full: Error {}
        let body = Self.body([Self.header(samples: 3)] + (0..<3).map { Self.sample($0) })
        #expect(throws: Full.self) {
            try PulsDecoder.decode(PaddedBytes(body), context: DecodeContext(), sliceRecords: 1) { _ in throw Full() }
        }
    }

    /// One line does not tell on the next.
    @Test func linesAreApart() throws {
        let zone = #"{"timeZoneID":"UTC","utcOffsetSeconds":60,"source":"s","confidence":"c"}"#
        let full = Self.sample(1, more: #","sourceName":"a","device":"b","startContext":\#(zone),"x":1"#)
        let bare = #"{"uuid":"5E1D0000-0000-4000-8000-000000000002","type":"t","kind":"quantity","start":1}"#
        let batch = try decodePuls(Self.body([Self.header(samples: 3), full, bare, full]))
        let record = batch.samples[1]
        #expect(record.source == -1 && record.value == nil && record.rest.count == 0)
        #expect(record.utcOffsetMinutes == nil && record.end == record.start)
        #expect(batch.string(batch.series[Int(record.series)].unit) == nil)
    }

    /// Texts, series and sources are interned, and contexts of points in a row are there once.
    @Test func interns() throws {
        let types = ["HKQuantityTypeIdentifierHeartRate", "HKQuantityTypeIdentifierStepCount", "x", "y"]
        let lines = (0..<400).map { index in
            Self.sample(index, more: #","sourceName":"app\#(index % 7)""#)
                .replacing("HKQuantityTypeIdentifierStepCount", with: types[index % 4])
                .replacing("\"count\"", with: "\"u\(index % 3)\"")
        }
        let batch = try decodePuls(Self.body([Self.header(samples: 400)] + lines))
        #expect(batch.series.count == 12 && batch.sources.count == 7)
        #expect(Set(batch.texts.map { Array(batch.bytes($0)) }).count == batch.texts.count)
        for (index, record) in batch.samples.enumerated() {
            let series = batch.series[Int(record.series)]
            #expect(batch.string(series.type) == ["heart_rate", "steps", "x", "y"][index % 4])
            #expect(batch.string(series.unit) == "u\(index % 3)")
        }
        let zone = #""temporalContext":{"timeZoneID":"UTC","utcOffsetSeconds":60,"source":"s","confidence":"c"}"#
        let points = String(decoding: Self.points("route", [1_000]), as: UTF8.self)
            .replacing("\"value\":3", with: zone)
        guard case .puls(let extras) = try decodePuls(Array(points.utf8)).extras else { return }
        #expect(Set(extras.routePoints.map(\.context.offset)).count == 1)
    }
}
