import Glibc
@testable import Receiver
import Samples
import Storage
import Threads
import Wire

/// The first byte chooses dialect and format. What a body left in the store is exported, taken in by the store for another
/// person and exported again: no record gets lost, and the exports are the same, of another dialect's body from the
/// second on.
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
    let target = [Dialect.csv, .influx, .native, .native][Int(way >> 4 & 3)]
    // In line protocol other names are written too, for InfluxDB, which takes any; we take none of them.
    let types = batch.series.map { Array(batch.text($0.type)) }
    if target == .influx, !types.allSatisfy(isTypeName) { return }
    let first = store.export(person: "one", as: format(target))
    guard first.written > 0 else { return }
    let second = copy(first.files, in: store, to: "two", as: target, device: device)
    // A point's identity is its line without the fields; tags that are none of ours are not written, nor is what a tag can't hold.
    let written = target == .influx ? Set(lines(first.files).map(pointIdentity)).count : first.written
    check(second.written == written, "\(written) records, and \(second.written) in the copy")
    if dialect == target {
        check(
            lines(second.files) == lines(first.files),
            "exported \(first.files.map(text)), and again \(second.files.map(text))")
    } else {
        // Another dialect has other places for what its columns don't hold: once moved, it stays.
        let third = copy(second.files, in: store, to: "three", as: target, device: device)
        check(
            lines(third.files) == lines(second.files),
            "exported again \(second.files.map(text)), and once more \(third.files.map(text))")
    }
}

/// Has the store take what was exported, for another person, and exports that.
private func copy(
    _ files: [[UInt8]], in store: ExportStores, to person: String, as target: Dialect, device: [UInt8]?
) -> (files: [[UInt8]], written: Int) {
    for (index, file) in files.enumerated() where !file.isEmpty {
        do throws(DecodeFault) {
            let decoded = try decode(file, target)
            checkBatch(decoded.batch)
            let isTaken = store.take(
                decoded.batch, decoded.device ?? device ?? Array("wh_1".utf8), target, person: person)
            check(isTaken, "the store refuses an export")
        } catch {
            check(false, "file \(index) of our own export is refused: \(error) in \(text(file))")
        }
    }
    return store.export(person: person, as: format(target))
}

private func format(_ dialect: Dialect) -> any ExportFormat {
    switch dialect {
    case .csv: CSVFormat()
    case .influx: LineProtocolFormat()
    default: nativeFormat
    }
}

/// Records in no order: those of one moment are sorted by series, and texts that one format drops may be one series then.
private func lines(_ files: [[UInt8]]) -> [[UInt8]] {
    files.joined().split(separator: 0x0A).map(Array.init).sorted { $0.lexicographicallyPrecedes($1) }
}

/// Measurement, tags and time of a line of our own.
private func pointIdentity(_ line: [UInt8]) -> [UInt8] {
    var end = 0
    while end < line.count && line[end] != 0x20 { end += line[end] == 0x5C ? 2 : 1 }
    return line[..<min(end, line.count)] + line[(line.lastIndex(of: 0x20) ?? 0)...]
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
    // No export is written so.
    case .puls, .relay, .steps, .apple: throw DecodeFault(code: "format_unknown", message: "No export is written so.")
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
                receivedAt: Timestamp(microseconds: 1_791_961_500_250_000), endpoint: "phone",
                person: "\(person)\(uses)",
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
