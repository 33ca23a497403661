package import Samples
package import Storage
import Wire

/// `server import`: reads a file of history and stores what it holds.
package final class Importer {
    /// Devices that imported samples belong to, which no sender can take for its own: keys are scoped to them.
    static let appleDevice = Array("apple-health-export".utf8)
    static let csvDevice = Array("csv-import".utf8)

    /// How the file is to be read.
    package struct Options: Sendable {
        /// Samples of a transaction: so many that its wait for the disk hardly counts, so few that a server beside it hardly waits.
        package var sliceRecords = 5_000
        /// Of the file that are read at once.
        package var pieceBytes = 256 << 10
        package var context = DecodeContext()
        /// Counts only, and writes nothing.
        package var isDryRun = false
        package var store = StoreOptions()
        package init() {}
    }

    let file: ImportFile
    let options: Options
    let history: HistoryImport?
    let target: HistoryImport.Target
    var summary: ImportSummary
    /// Of what was left out, how many the row of the run counts.
    var accounted = 0
    private var goesOn: (ImportSummary) -> Bool = { _ in true }

    /// - Parameter directory: the data folder.
    /// - Throws: an `ImportFault` or a `StoreError`.
    package init(_ file: ImportFile, directory: String, target: HistoryImport.Target, options: Options) throws {
        self.file = file
        self.options = options
        self.target = target
        summary = ImportSummary(totalBytes: file.count)
        history =
            options.isDryRun
            ? nil
            : try HistoryImport(
                directory: directory, target: target, file: try file.identity(), options: options.store)
        summary.resumedAt = history?.done ?? 0
    }

    /// Reads the file to its end.
    ///
    /// - Parameter progress: asked between two pieces; false ends the import there.
    /// - Returns: what was found; `damage` says what is wrong with a file that could be read in part.
    /// - Throws: an `ImportFault` when nothing could be read or `progress` said so, a `StoreError`.
    package func run(progress: (ImportSummary) -> Bool) throws -> ImportSummary {
        try withoutActuallyEscaping(progress) { progress in
            goesOn = progress
            defer { goesOn = { _ in true } }
            try read(ImportKind(try file.read(0, min(file.count, ImportKind.headBytes))))
        }
        try history?.finish(skipped: summary.skippedTotal - accounted)
        if let history { summary.outcome = history.outcome }
        return summary
    }

    private func read(_ kind: ImportKind) throws {
        switch kind {
        case .zip: try readArchive()
        case .appleExport: try readExport()
        case .route: try readRoute()
        case .csv: try readCSV()
        case .jsonLines: try readJSONLines()
        case .native: try readNative()
        case .healthAutoExport: try readHealthAutoExport()
        case .otherXML:
            throw fault(
                "is XML of another kind: the export's largest file, with HealthData as its root, is the one to import")
        case .unknown:
            throw fault(
                "is none of the files that can be imported: Apple's export.zip or export.xml, a GPX route, the phone's CSV, JSON of "
                    + "Health Auto Export, or server export's jsonl or native")
        }
    }

    func fault(_ words: String) -> ImportFault { ImportFault(kind: .data, message: "\(file.path) \(words).") }

    /// Tells how far it is.
    ///
    /// - Throws: `.interrupted`.
    func step(readBytes: Int) throws {
        summary.readBytes = readBytes
        if let history { summary.outcome = history.outcome }
        if !goesOn(summary) {
            throw ImportFault(
                kind: .interrupted,
                message: options.isDryRun
                    ? "Interrupted: nothing was written."
                    : "Interrupted: what was read so far is stored. The same command goes on from there.")
        }
    }

    /// Stores a batch, or counts it only.
    func take(_ batch: SampleBatch, _ dialect: Dialect, device: [UInt8], elements: Int) throws {
        summary.count(batch)
        try history?.store(batch, dialect: dialect, device: device, elements: elements)
    }
}
