import Glibc
import Receiver
import Wire

/// The memory that a large body of Health Auto Export takes, read in place from a file and handed on slice by slice, as
/// the server does it. Measured before anything else, since what is in memory for others would count.
enum PeakMemory {
    private static let bodyBytes = 40_000_000

    static func run() throws -> Section {
        let folder = try TemporaryFolder()
        let made = try MappedBody(Bodies.make(.hae, bytes: bodyBytes), folder: folder.path)
        resetPeak()
        let start = ServerClock.system.monotonicMicroseconds()
        let count = try DecodeOnce.countedPass(.hae, made.body)
        let seconds = Double(ServerClock.system.monotonicMicroseconds() - start) / 1_000_000
        guard count == made.samples else { throw BenchError.refused("hae, 40 MB") }
        return Section(
            title: "decode, 40 MB from a file",
            findings: [
                Finding(
                    name: "hae, \(count) samples",
                    figures: [
                        Figure("peak_resident_mib", Self.mebibytes("VmHWM:"), decimals: 1),
                        Figure("decode_mb_per_second", Double(made.body.count) / seconds / 1e6),
                        Figure("samples_per_second", Double(count) / seconds),
                    ])
            ])
    }

    /// Lets the kernel count the peak from now on: proc(5), `/proc/pid/clear_refs`.
    private static func resetPeak() {
        guard let file = unsafe fopen("/proc/self/clear_refs", "w") else { return }
        unsafe fputs("5", file)
        unsafe fclose(file)
    }

    /// A line of `/proc/self/status`, such as `VmHWM:`; 0 when it isn't there.
    static func mebibytes(_ name: String) -> Double {
        guard let file = unsafe fopen("/proc/self/status", "r") else { return 0 }
        defer { unsafe _ = fclose(file) }
        var bytes = [UInt8](repeating: 0, count: 8_192)
        let count = unsafe fread(&bytes, 1, bytes.count, file)
        for line in String(decoding: bytes[..<count], as: UTF8.self).split(separator: "\n") where line.hasPrefix(name) {
            let fields = line.split(whereSeparator: { $0 == " " || $0 == "\t" })
            return (fields.count > 1 ? Double(fields[1]) ?? 0 : 0) / 1_024
        }
        return 0
    }
}

/// A body in a file without a name.
private struct MappedBody {
    let body: PaddedBytes
    let samples: Int

    init(_ made: Bodies.Body, folder: String) throws {
        samples = made.samples
        let path = "\(folder)/body", bytes = made.bytes.count + PaddedBytes.paddingBytes
        guard let file = unsafe fopen(path, "w+") else { throw BenchError.refused(path) }
        defer { unsafe _ = fclose(file) }
        unsafe _ = unlink(path)
        let written = unsafe made.bytes.withUnsafeBytes { unsafe fwrite($0.baseAddress, 1, $0.count, file) }
        guard written == made.bytes.count, unsafe fflush(file) == 0, unsafe ftruncate(fileno(file), bytes) == 0,
            let owner = unsafe FileMap(descriptor: fileno(file), bytes: bytes)
        else { throw BenchError.refused(path) }
        body = unsafe PaddedBytes(unsafeBase: owner.base, count: made.bytes.count, owner: owner)
    }
}

/// `@unchecked Sendable`: the bytes are only read. `@safe`: the map lasts as long as this object, which `PaddedBytes` keeps.
@safe private final class FileMap: PaddedBytesOwner, @unchecked Sendable {
    let base: UnsafePointer<UInt8>
    private let map: UnsafeMutableRawPointer
    private let bytes: Int

    init?(descriptor: CInt, bytes: Int) {
        guard let map = unsafe mmap(nil, bytes, PROT_READ, MAP_SHARED, descriptor, 0), unsafe map != MAP_FAILED else {
            return nil
        }
        unsafe self.map = map
        unsafe base = UnsafePointer(map.assumingMemoryBound(to: UInt8.self))
        self.bytes = bytes
    }

    deinit { unsafe _ = munmap(map, bytes) }

    func discard(before offset: Int) {
        unsafe _ = madvise(map, offset & ~(Int(getpagesize()) - 1), MADV_DONTNEED)
    }
}
