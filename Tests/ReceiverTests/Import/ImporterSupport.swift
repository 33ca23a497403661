import Foundation
import Samples
import Storage
import Synchronization
import TestSupport
import Wire

@testable import Receiver

/// An invented export, and a store to put it in.
final class ImportBench: Sendable {
    let folder: TestSupport.TemporaryFolder
    var data: String { folder.url.path(percentEncoded: false) }

    init() throws {
        folder = try TestSupport.TemporaryFolder()
        try Store.open(directory: data).close()
    }

    /// Imports bytes as a file.
    ///
    /// - Parameter pieces: questions whether to go on that are answered with yes; nil for all.
    func importing(
        _ bytes: [UInt8], name: String = "file", pieces: Int? = nil, slice: Int = 3, isDryRun: Bool = false,
        endpoint: String = "phone", person: String = "me", pieceBytes: Int = 256 << 10
    ) throws -> ImportSummary {
        let path = folder.path(name)
        try Data(bytes).write(to: URL(filePath: path))
        var options = Importer.Options()
        options.sliceRecords = slice
        options.isDryRun = isDryRun
        options.pieceBytes = pieceBytes
        options.store.now = { Timestamp(microseconds: 1_791_961_500_000_000) }
        let importer = try Importer(
            try ImportFile(path: path), directory: data,
            target: HistoryImport.Target(endpoint: endpoint, person: person), options: options)
        var left = pieces ?? .max
        return try importer.run { _ in
            left -= 1
            return left >= 0
        }
    }

    /// Stores a phone's body.
    func receive(_ body: [UInt8], as dialect: Dialect, device: [UInt8] = Array("wh_1".utf8)) throws {
        let store = try Store.open(directory: data)
        defer { store.close() }
        let batch = try dialect.decode(PaddedBytes(body), DecodeContext()).batch
        let answer = Mutex<Result<StoreOutcome, StoreFault>?>(nil), done = DispatchSemaphore(value: 0)
        store.submit(
            Submission(
                receivedAt: Timestamp(microseconds: 1_791_961_500_000_000), endpoint: "phone", person: "me",
                device: device, kind: .data, dialect: dialect, bodyBytes: 1, status: 204,
                content: .batch(batch))
        ) { result in
            answer.withLock { $0 = result }
            done.signal()
        }
        guard done.wait(timeout: .now() + 60) == .success else { return }
        _ = try answer.withLock { $0 }?.get()
    }

    /// Every row of the view.
    func rows() throws -> [String] {
        try lines(as: JSONLinesFormat()).sorted()
    }

    func lines(as format: any ExportFormat) throws -> [String] {
        var sink = CollectingSink()
        var exporter = SampleExporter(try SampleExport(directory: data, filter: SampleFilter()), as: format)
        _ = try exporter.run(to: &sink)
        return String(decoding: sink.files.flatMap { $0 }, as: UTF8.self).split(separator: "\n").map(String.init)
    }
}

enum AppleFile {
    static let head = """
        <?xml version="1.0" encoding="UTF-8"?>
        <!DOCTYPE HealthData [
        <!ATTLIST V
          type CDATA #REQUIRED
        <!ELEMENT R EMPTY>
        ]>
        <HealthData locale="en_SE">
         <ExportDate value="2026-10-15 08:00:00 +0200"/>

        """

    static func record(_ minute: Int, value: String = "72", address: Int = 0x2810_0000) -> String {
        let time = String(format: "2026-10-14 %02d:%02d:00 +0200", 6 + minute / 60, minute % 60)
        return """
             <Record type="HKQuantityTypeIdentifierHeartRate" sourceName="Alex’s Watch" sourceVersion="10.1" \
            device="&lt;&lt;HKDevice: 0x\(String(address, radix: 16))&gt;, name:Apple Watch, model:Watch&gt;" unit="count/min" \
            creationDate="\(time)" startDate="\(time)" endDate="\(time)" value="\(value)">
              <MetadataEntry key="HKMetadataKeyHeartRateMotionContext" value="1"/>
             </Record>

            """
    }

    static let workout = """
         <Workout workoutActivityType="HKWorkoutActivityTypeRunning" duration="30.5" durationUnit="min" sourceName="Alex’s Watch" \
        startDate="2026-10-14 07:00:00 +0200" endDate="2026-10-14 07:30:30 +0200">
          <WorkoutStatistics type="HKQuantityTypeIdentifierDistanceWalkingRunning" sum="5.02" unit="km"/>
          <WorkoutRoute sourceName="Alex’s Watch" startDate="2026-10-14 07:00:00 +0200" endDate="2026-10-14 07:30:30 +0200">
           <FileReference path="/workout-routes/route.gpx"/>
          </WorkoutRoute>
         </Workout>

        """
    static let tail = "</HealthData>\n"

    static func export(_ records: Int, address: Int = 0x2810_0000) -> [UInt8] {
        Array(
            (head + (0..<records).map { record($0, value: "\(60 + $0 % 5)", address: address) }.joined() + workout
                + tail).utf8)
    }

    static func route(points: Int) -> [UInt8] {
        var text = """
            <?xml version="1.0" encoding="UTF-8"?>
            <gpx version="1.1" creator="Apple Health Export"><metadata><time>2026-10-15T06:00:00Z</time></metadata>
             <trk><name>Route</name><trkseg>

            """
        for point in 0..<points {
            text += """
                <trkpt lon="18.0\(point)" lat="59.3\(point)"><ele>12.5</ele><time>2026-10-14T05:\(point / 60 + 10):\(point % 60 + 10)Z</time>\
                <extensions><speed>2.5</speed><course>90</course><hAcc>3.25</hAcc><vAcc>-1</vAcc></extensions></trkpt>

                """
        }
        return Array((text + "</trkseg></trk></gpx>\n").utf8)
    }

    static func archive(records: Int, points: Int = 5) -> [UInt8] {
        zip([
            ZippedFile("apple_health_export/workout-routes/route.gpx", route(points: points)),
            ZippedFile("apple_health_export/exporté.xml", export(records)),
            ZippedFile("apple_health_export/export_cda.xml", Array("<?xml version=\"1.0\"?><ClinicalDocument/>".utf8)),
        ])
    }
}
