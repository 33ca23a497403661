import Glibc
import Receiver
import Samples
import Storage
import Threads
import Wire

/// The first byte chooses dialect and format. What a body left in the store is exported, taken by another device and
/// exported again: both exports are the same, and the second store took every record of the first.
func fuzzExport(_ input: [UInt8]) {
    let (way, body) = choice(input)
    let dialect: Dialect, device: [UInt8]?, batch: SampleBatch
    do {
        (dialect, device, batch) = try decode(way, body)
    } catch {
        return
    }
    // Small bodies find what large ones do.
    guard !batch.samples.isEmpty, batch.samples.count <= 64 else { return }
    let store = ExportStores.next()
    guard store.take(batch, device ?? Array("wh_1".utf8), dialect, person: "one") else {
        return check(false, "the store refuses a batch")
    }
    let (format, target): (any ExportFormat, Dialect) =
        switch way >> 4 & 3 {
        case 0: (CSVFormat(), .csv)
        case 1: (LineProtocolFormat(), .influx)
        default: (nativeFormat, .native)
        }
    let first = store.export(person: "one", as: format)
    guard first.written > 0 else { return }
    for (index, file) in first.files.enumerated() where !file.isEmpty {
        do throws(DecodeFault) {
            let decoded = try decode(file, target)
            checkBatch(decoded.batch)
            check(store.take(decoded.batch, decoded.device ?? device ?? Array("wh_1".utf8), target, person: "two"), "the store refuses an export")
        } catch {
            check(false, "file \(index) of our own export is refused: \(error) in \(text(file))")
        }
    }
    let again: any ExportFormat =
        switch target {
        case .csv: CSVFormat()
        case .influx: LineProtocolFormat()
        default: nativeFormat
        }
    let second = store.export(person: "two", as: again)
    check(second.files.map(lines) == first.files.map(lines), "exported \(first.files.map(text)), and again \(second.files.map(text))")
}

/// Records in no order: those of one moment are sorted by series, and texts that one format drops may be one series then.
private func lines(_ file: [UInt8]) -> [[UInt8]] {
    file.split(separator: 0x0A).map(Array.init).sorted { $0.lexicographicallyPrecedes($1) }
}

private var nativeFormat: NativeFormat {
    NativeFormat(
        now: { Timestamp(microseconds: 1_791_961_500_000_000) }, randomBytes: { Array(repeating: 0xAB, count: $0) })
}

private func decode(_ way: UInt8, _ body: [UInt8]) throws(DecodeFault) -> (Dialect, [UInt8]?, SampleBatch) {
    let dialect = [Dialect.native, .hae, .csv, .influx][Int(way & 3)]
    let decoded = try decode(body, dialect)
    return (dialect, decoded.device, decoded.batch)
}

private func decode(_ body: [UInt8], _ dialect: Dialect) throws(DecodeFault) -> DecodedBody {
    let context = DecodeContext()
    return switch dialect {
    case .native: try NativeDecoder.decode(padded(body))
    case .hae: try HealthAutoExportDecoder.decode(padded(body), context: context)
    case .csv: try CSVDecoder.decode(padded(body), context: context)
    case .influx: try LineProtocolDecoder.decode(padded(body), context: context)
    }
}

/// Stores in memory-backed folders. Each input has a pair of persons of its own; a store is thrown away after 200.
private final class ExportStores {
    nonisolated(unsafe) private static var current: ExportStores?
    private let directory: String
    private let store: Store
    private var uses = 0

    static func next() -> ExportStores {
        if let current, current.uses < 200 {
            current.uses += 1
            return current
        }
        current?.remove()
        let new = ExportStores()
        current = new
        return new
    }

    private init() {
        let root = access("/dev/shm", W_OK) == 0 ? "/dev/shm" : getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp"
        var template = Array("\(root)/fuzz-export-XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else { fatalError("no folder in \(root)") }
        directory = template.withUnsafeBufferPointer { String(cString: $0.baseAddress!) }
        var options = StoreOptions()
        options.isServer = false
        do { store = try Store.open(directory: directory, options: options) } catch { fatalError("no store: \(error)") }
    }

    private func remove() {
        store.close()
        for name in ["health.db", "health.db-wal", "health.db-shm", "turnstile", "unclean", "serve.lock"] {
            unlink("\(directory)/\(name)")
        }
        rmdir(directory)
    }

    func take(_ batch: SampleBatch, _ device: [UInt8], _ dialect: Dialect, person: String) -> Bool {
        let result = Monitor<Result<StoreOutcome, StoreFault>?>(nil)
        store.submit(
            Submission(
                receivedAt: Timestamp(microseconds: 1_791_961_500_250_000), endpoint: "phone", person: "\(person)\(uses)",
                device: device, kind: .data, dialect: dialect, bodyBytes: 1, status: 204, content: .batch(batch))
        ) { outcome in
            result.withLock { $0 = outcome }
        }
        guard case .success = result.wait(milliseconds: 30_000, for: { $0 }) else { return false }
        return true
    }

    func export(person: String, as format: any ExportFormat) -> (files: [[UInt8]], written: Int) {
        struct Sink: ExportSink {
            var files: [[UInt8]] = []
            mutating func startFile() { files.append([]) }
            mutating func write(_ bytes: [UInt8]) { files[files.count - 1] += bytes }
        }
        var filter = SampleFilter(), sink = Sink()
        filter.person = "\(person)\(uses)"
        do {
            var exporter = SampleExporter(
                try SampleExport(directory: directory, filter: filter), as: format, maximumFileBytes: 1 << 20)
            _ = try exporter.run(to: &sink)
            return (sink.files, exporter.summary.written)
        } catch {
            fatalError("no export: \(error)")
        }
    }
}
