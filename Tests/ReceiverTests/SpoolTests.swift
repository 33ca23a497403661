import Foundation
import TestSupport
import Testing
import Wire

@testable import Receiver

/// Files for large bodies: what is in them, what they cost, and that nothing of them stays.
struct SpoolTests {
    private let folder: TestSupport.TemporaryFolder

    init() throws { folder = try TestSupport.TemporaryFolder() }

    private var directory: String { folder.url.path(percentEncoded: false) }

    private func makeSpool(pastBytes: Int = 1_000, maximumBytes: Int = 64 << 20, minimumFreeBytes: UInt64 = 0) -> Spool
    {
        Spool(
            directory: directory, pastBytes: pastBytes, maximumBytes: maximumBytes, minimumFreeBytes: minimumFreeBytes)
    }

    private func names() -> [String] {
        (try? FileManager.default.contentsOfDirectory(atPath: folder.path("spool"))) ?? []
    }

    private func content(_ count: Int) -> [UInt8] { (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 31 >> 3) | 1 } }

    /// What arrived in pieces is there as it was, with zeros behind it, wherever in a page it ends.
    @Test(arguments: [1_001, 4_031, 4_032, 4_033, 4_095, 4_096, 4_097, 300_000, 2_500_000])
    func aBodyInAFileIsWhatArrived(count: Int) throws {
        let spool = makeSpool()
        let bytes = content(count)
        var arriving = ArrivingBody(spool: spool)
        for start in stride(from: 0, to: count, by: 70_001) {
            arriving.memory.append(contentsOf: bytes[start..<min(count, start + 70_001)])
            try arriving.settle()
        }
        #expect(arriving.count == count && arriving.isInFile && arriving.memory.isEmpty)
        #expect(names() == [], "the file has no name")
        #expect(spool.fileCount == 1 && spool.usedBytes > count)
        do {
            let body = try arriving.take()
            #expect(arriving.count == 0)
            #expect(body.isMapped && body.count == count && Array(body.content) == bytes)
            body.withBytes(count..<count) { _ in }
            for offset in stride(from: 0, through: count, by: 100_000) { body.discard(before: offset) }
            body.discard(before: count)
            #expect(Array(body.content) == bytes, "what was given back comes again")
            var scanner = JSONScanner(body, at: count)  // looks into the padding
            #expect(throws: JSONFault.self) { try scanner.skip() }
        }
        #expect(spool.fileCount == 0 && spool.usedBytes == 0)
    }

    @Test func whatFitsStaysInMemory() throws {
        let spool = makeSpool()
        var arriving = ArrivingBody(spool: spool)
        arriving.memory = content(1_000)
        try arriving.settle()
        #expect(!arriving.isInFile && spool.fileCount == 0)
        #expect(try !arriving.take().isMapped)
        var unspooled = ArrivingBody()
        unspooled.memory = content(2_000)
        try unspooled.settle()
        #expect(!unspooled.isInFile)
        #expect(!FileManager.default.fileExists(atPath: folder.path("spool")), "no folder before it is needed")
    }

    @Test func theFolderIsItsOwnersAlone() throws {
        let file = try makeSpool().makeFile()
        let mode = try FileManager.default.attributesOfItem(atPath: folder.path("spool"))[.posixPermissions] as? Int
        #expect(mode == 0o700)
        withExtendedLifetime(file) {}
    }

    @Test func filesAreBounded() throws {
        let spool = makeSpool()
        var files = try (0..<Spool.maximumFiles).map { _ in try spool.makeFile() }
        #expect(throws: SpoolFault.busy) { try spool.makeFile() }
        files.removeLast()
        files.append(try spool.makeFile())
        #expect(spool.fileCount == Spool.maximumFiles)
    }

    @Test func bytesAreBounded() throws {
        let spool = makeSpool(maximumBytes: 8 << 20)
        let first = try spool.makeFile(), second = try spool.makeFile()
        try first.append(content(100).span)
        try second.append(content(100).span)
        #expect(spool.usedBytes == 8 << 20)
        #expect(throws: SpoolFault.busy) { try first.append(content(4 << 20).span) }
        #expect(first.count == 100)
        #expect(SpoolFault.busy.fault.status == 503 && SpoolFault.busy.fault.code == "overloaded")
    }

    @Test func theDiskKeepsRoomForTheDatabase() throws {
        let spool = makeSpool(minimumFreeBytes: 1 << 60)
        let file = try spool.makeFile()
        #expect(throws: SpoolFault.full) { try file.append(content(10).span) }
        #expect(spool.usedBytes == 0)
        #expect(SpoolFault.full.fault.status == 503 && SpoolFault.full.fault.code == "storage_unavailable")
    }

    @Test func aFolderThatCantBeWrittenIsAFaultOfOurs() throws {
        _ = FileManager.default.createFile(atPath: folder.path("spool"), contents: Data())
        #expect(throws: SpoolFault.self) { try makeSpool().makeFile() }
        #expect(makeSpool().fileCount == 0)
    }

    /// Where files can't be made without a name, a crash between making and unlinking one leaves it.
    @Test func leftoversGoAtTheStart() throws {
        try FileManager.default.createDirectory(
            atPath: folder.path("spool"), withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
        let left = "spool/" + String(repeating: "a", count: 43)
        _ = FileManager.default.createFile(atPath: folder.path(left), contents: Data())
        _ = FileManager.default.createFile(atPath: folder.path("spool/note.txt"), contents: Data())
        _ = makeSpool()
        #expect(names() == ["note.txt"], "what is not ours stays")
    }
}
