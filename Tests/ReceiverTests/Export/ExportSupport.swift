import Foundation
import Samples
import Storage
import Synchronization
import TestSupport
import Testing
import Wire

@testable import Receiver

/// Collects an export's files.
struct CollectingSink: ExportSink {
    var files: [[UInt8]] = []
    mutating func startFile() { files.append([]) }
    mutating func write(_ bytes: [UInt8]) { files[files.count - 1] += bytes }
}

/// A store of its own for a test, filled with bodies as a server decodes them.
final class ExportStore: Sendable {
    let folder: TestSupport.TemporaryFolder
    var path: String { folder.url.path(percentEncoded: false) }

    init() throws { folder = try TestSupport.TemporaryFolder() }

    /// Decodes each body and stores it.
    func take(
        _ bodies: [[UInt8]], as dialect: Dialect, device: String = "wh_1", endpoint: String = "phone",
        person: String = "me"
    ) throws {
        let batches = try bodies.map { body in
            let decoded = try dialect.decode(PaddedBytes(body), DecodeContext())
            return (decoded.batch, decoded.device ?? Array(device.utf8))
        }
        try take(batches, as: dialect, endpoint: endpoint, person: person)
    }

    func take(
        _ batches: [(batch: SampleBatch, device: [UInt8])], as dialect: Dialect, endpoint: String = "phone",
        person: String = "me"
    ) throws {
        let store = try Store.open(directory: path)
        defer { store.close() }
        for (batch, device) in batches {
            let done = DispatchSemaphore(value: 0)
            let outcome = Mutex<Result<StoreOutcome, StoreFault>?>(nil)
            store.submit(
                Submission(
                    receivedAt: Timestamp(microseconds: 1_791_961_500_250_000), endpoint: endpoint, person: person,
                    device: device, kind: .data, dialect: dialect, bodyBytes: 1, status: 204, content: .batch(batch))
            ) { result in
                outcome.withLock { $0 = result }
                done.signal()
            }
            try #require(done.wait(timeout: .now() + 60) == .success)
            _ = try #require(outcome.withLock { $0 }).get()
        }
    }

    func export(
        as format: any ExportFormat, _ change: (inout SampleFilter) -> Void = { _ in }, maximumFileBytes: Int? = nil
    ) throws -> (files: [[UInt8]], summary: ExportSummary) {
        var filter = SampleFilter()
        change(&filter)
        var sink = CollectingSink()
        var exporter = SampleExporter(
            try SampleExport(directory: path, filter: filter), as: format, maximumFileBytes: maximumFileBytes)
        #expect(try exporter.run(to: &sink))
        return (sink.files, exporter.summary)
    }

    /// The lines of an export, without their ends.
    func lines(as format: any ExportFormat, _ change: (inout SampleFilter) -> Void = { _ in }) throws -> [String] {
        let bytes = try export(as: format, change).files.flatMap { $0 }
        return String(decoding: bytes, as: UTF8.self).split(separator: "\n", omittingEmptySubsequences: false)
            .dropLast()
            .map(String.init)
    }

    /// Every row of `samples` in `columns`, texts as JSON values where they are one.
    func samples(_ columns: String, where condition: String = "true") throws -> [[String: SQLValue]] {
        try StoreReader(directory: path).rows(
            "SELECT \(columns) FROM samples WHERE \(condition) ORDER BY person, device, uuid, part")
    }

    static func native(maximumBytes: Int = NativeFormat.standardBodyBytes) -> NativeFormat {
        NativeFormat(
            maximumBytes: maximumBytes, now: { Timestamp(microseconds: 1_791_961_500_000_000) },
            randomBytes: { Array(repeating: 0xAB, count: $0) })
    }
}

/// A native body of these samples.
func nativeBody(_ samples: [String], device: String = "d_1") -> [UInt8] {
    Array("{\"v\":1,\"type\":\"sync\",\"device\":\"\(device)\",\"samples\":[\(samples.joined(separator: ","))]}".utf8)
}

/// A JSON object's members by name; `without` leaves some out.
func members(_ value: SQLValue?, without names: Set<String> = []) throws -> [String: JSONValue] {
    guard case .text(let text)? = value, case .object(let object)? = JSONValue(parsing: text) else {
        throw CocoaError(.coderInvalidValue)
    }
    return object.filter { !names.contains($0.key) }
}

/// Whether two lists of rows are the same, their `body` compared as JSON.
func expectSame(
    _ left: [[String: SQLValue]], _ right: [[String: SQLValue]], without names: Set<String> = [],
    _ place: SourceLocation = #_sourceLocation
) throws {
    #expect(left.count == right.count, sourceLocation: place)
    for (one, other) in zip(left, right) {
        #expect(
            one.filter { $0.key != "body" } == other.filter { $0.key != "body" }, sourceLocation: place)
        if one["body"] != nil {
            #expect(
                try members(one["body"], without: names) == members(other["body"], without: names),
                sourceLocation: place)
        }
    }
}

enum HostileSamples {
    static func uuid(_ number: Int) -> String {
        let digits = String(number)
        return "5E1D0000-0000-4000-8000-" + String(repeating: "0", count: 12 - digits.count) + digits
    }

    /// Native samples: every kind, and everything that a column doesn't hold.
    static let native: [String] = {
        let times = #""start":"2026-10-14T07:01:00Z","end":"2026-10-14T07:01:59.25Z""#
        let numbers = [
            "412", "0", "-0", "-17.5", "1.0", "0.1", "0.30000000000000004", "1e-7", "5e-324", "1e300", "1e22", "1e15",
            "999999999999999", "123456789.123456789", "12345678901234567890", "0.1000000000000000055511151231257827",
            "1.7976931348623157e308", "0.000001", "8.03275332", "100000000000000000000000", "2.50", "1E2",
        ]
        var samples = numbers.map { #""type":"steps","value":\#($0),"unit":"count",\#(times)"# }
        let spelledTimes = [
            "2026-10-14T09:01:00+02:00", "2026-10-14T07:01:00.123456789Z", "2026-10-14t07:01:00z",
            "2026-10-14T07:01:00.500Z", "2026-10-14T07:01:60Z", "2026-10-14T07:01:00-00:00", "0001-01-01T00:00:00Z",
            "9999-12-31T23:59:59.999999Z", "1969-12-31T23:59:59.5Z", "2026-10-14T07:01:00+00:00",
        ]
        samples += spelledTimes.map {
            #""type":"heart_rate","value":61,"unit":"count/min","start":"\#($0)","end":"\#($0)""#
        }
        let texts = [
            #"plain"#, #"a,b"#, #"say \"hi\""#, #"two\r\nlines"#, #"lone\nline"#, #"=1+2"#, #"+49"#, #"-x"#, #"@home"#,
            #"\ttab"#, #"\rcr"#, #"'quoted"#, #"back\\slash\\"#, #"é\u2028🍎"#, #"  spaces  "#, #"=\",\""#, #"#hash"#,
            #"\u0001\u001f\u007f"#, #"e=mc2"#,
        ]
        samples += texts.map {
            #""type":"dietary_water","value":0.25,"unit":"L",\#(times),"source":{"app":"\#($0)","device":"\#($0)"}"#
        }
        samples += texts.map { #""type":"sleep_analysis","value":"\#($0)",\#(times)"# }
        samples += texts.map { #""type":"workout","activity":"\#($0)","duration_s":1870.5,\#(times)"# }
        let long = String(repeating: "x", count: 2_000)
        samples += [
            #""type":"steps","value":1,"unit":"count""#,
            #""type":"steps","value":1,"unit":null,"start":null,"end":null"#,
            #""type":"steps","value":1,"unit":5,\#(times)"#,
            #""type":"steps","value":1,"unit":"\#(long)",\#(times)"#,
            #""type":"steps","value":1,"unit":"",\#(times)"#,
            #""type":"steps","value":1,"part":3,\#(times)"#,
            #""type":"steps","value":{"nested":[1,2]},\#(times)"#,
            #""type":"steps","value":null,\#(times)"#,
            #""type":"steps",\#(times)"#,
            #""type":"sleep_analysis","value":"asleep_core",\#(times)"#,
            #""type":"sleep_analysis","value":"",\#(times)"#,
            #""type":"sleep_analysis","value":"\#(long)",\#(times)"#,
            #""type":"sleep_analysis","value":"nul\u0000byte",\#(times)"#,
            #""type":"sleep_analysis","value":"deleted""#,
            #""type":"steps","value":1,\#(times),"source":{"app":"a","device":"b","version":"1"}"#,
            #""type":"steps","value":1,\#(times),"source":{"device":"only"}"#,
            #""type":"steps","value":1,\#(times),"source":{"app":"only"}"#,
            #""type":"steps","value":1,\#(times),"source":"text""#,
            #""type":"steps","value":1,\#(times),"source":{}"#,
            #""type":"steps","value":1,\#(times),"source":null"#,
            #""type":"steps","value":1,\#(times),"metadata":{"HKWasUserEntered":true,"x":[1,{"y":"z"}]}"#,
            #""type":"steps","value":1,\#(times),"metadata" : {\#n  "a" :\#r\#n [ 1,\#t2 ]\#n}"#,
            #""type":"workout","activity":"running","duration_s":1870,"energy_kcal":312.4,"distance_m":5020,"location":"unknown","metadata":{},"events":[],\#(times)"#,
            #""type":"workout","activity":null,"duration_s":null,\#(times)"#,
            #""type":"workout","duration_s":1e-30,"unit":"min",\#(times)"#,
            #""type":"state_of_mind","valence":-0.5,"labels":["calm"],\#(times)"#,
            #""type":"gad7_assessment","answers":[0,1,2],"score":3,\#(times)"#,
            #""type":"phq9_assessment","answers":[0,1,2],"score":3,\#(times)"#,
            #""type":"audiogram","points":[{"hz":1000,"left":5.5}],"unit":"dB",\#(times)"#,
            #""type":"activity_summary","date":"2026-10-14","active_energy_burned":412.5"#,
            #""type":"unheard_of","device":"own","person":"own","endpoint":"own","sample":{"a":1},\#(times)"#,
        ]
        var objects = samples.enumerated().map { #"{"uuid":"\#(uuid($0.offset))",\#($0.element)}"# }
        for part in 0..<3 {
            objects.append(
                #"{"uuid":"\#(uuid(900))","type":"workout_route","part":\#(part),"parts":3,"count":6,"locations":[[1,2],[3,4]],\#(times)}"#
            )
            objects.append(
                #"{"uuid":"\#(uuid(901))","type":"heartbeat_series","part":\#(part),"parts":3,"count":3,"beats":[[\#(part),0]],\#(times)}"#
            )
        }
        for (key, value) in [
            ("blood_type", #""a_positive""#), ("fitzpatrick_skin_type", "3"), ("date_of_birth", #""1990-02-03""#),
            ("biological_sex", "null"), ("wheelchair_use", #""invented""#),
        ] {
            objects.append(
                #"{"uuid":"characteristic:\#(key)","type":"characteristic","name":"\#(key)","value":\#(value)}"#)
        }
        objects.append(#"{"uuid":"key, with \"quotes\"\nand lines","type":"steps","value":1,\#(times)}"#)
        objects.append(#"{"uuid":"=formula()","type":"steps","value":1,\#(times)}"#)
        return objects
    }()
}
