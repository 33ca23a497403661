import TestSupport
import Testing

@testable import Wire

/// Everything that an archive holds, by name.
private func contents(_ archive: [UInt8], piece: Int = 1_000) throws -> [String: [UInt8]] {
    func read(_ offset: Int, _ count: Int) throws -> [UInt8] {
        // What is asked for is within the archive: the reader's promise.
        #expect(offset >= 0 && count >= 0 && offset + count <= archive.count)
        return Array(archive[offset..<offset + count])
    }
    var found: [String: [UInt8]] = [:]
    for entry in try ZipArchive(count: archive.count, read: read).entries {
        let start = try ZipArchive.dataOffset(of: entry, count: archive.count, read: read)
        let extractor = ZipExtractor(entry)
        var content: [UInt8] = []
        var at = 0
        while at < entry.compressedBytes {
            let count = min(piece, entry.compressedBytes - at)
            try extractor.extract(archive[start + at..<start + at + count].span) { bytes in
                #expect(bytes.count <= max(ZipExtractor.pieceBytes, piece))
                for index in bytes.indices { content.append(bytes[index]) }
            }
            at += count
        }
        try extractor.finish()
        found[String(decoding: entry.name, as: UTF8.self)] = content
    }
    return found
}

@Suite struct ZipArchiveTests {
    private static let text = Array(String(repeating: "all work and no play ", count: 500).utf8)

    @Test func storedDeflatedLargeAndDescribedFilesAreRead() throws {
        var files = [
            ZippedFile("deflated", Self.text), ZippedFile("stored", Self.text), ZippedFile("large", Self.text),
            ZippedFile("described", Self.text), ZippedFile("empty", []), ZippedFile("../../etc/passwd", [1, 2, 3]),
        ]
        files[1].isDeflated = false
        files[2].isLarge = true
        files[3].hasDescriptor = true
        for selection in [files, files.filter { !$0.isLarge }] {
            for comment in ["", "a comment with PK\u{5}\u{6} in it that goes on for twenty-two bytes and more"] {
                let found = try contents(zip(selection, comment: comment))
                #expect(found == Dictionary(uniqueKeysWithValues: selection.map { ($0.name, $0.content) }))
            }
        }
        #expect(try contents(zip(files), piece: 1).count == 6)
    }

    @Test func whatCannotBeReadIsRefusedWithItsReason() throws {
        var encrypted = ZippedFile("a", Self.text), other = ZippedFile("a", Self.text),
            wrong = ZippedFile("a", Self.text)
        encrypted.isEncrypted = true
        other.method = 14
        wrong.checksum = 5
        #expect(throws: ZipFault.encrypted) { try contents(zip([encrypted])) }
        #expect(throws: ZipFault.method(14)) { try contents(zip([other])) }
        #expect(throws: ZipFault.checksum) { try contents(zip([wrong])) }
        #expect(throws: ZipFault.noDirectory) { try contents(Array(zip([wrong]).dropLast(4))) }
        #expect(throws: ZipFault.noDirectory) { try contents([]) }
    }

    /// A megabyte of zeros is a thousand bytes: its pieces are bounded, and it stops at the length that is told.
    @Test func aBombIsAsLongAsItSaysAndNoLonger() throws {
        let zeros = [UInt8](repeating: 0, count: 20_000_000)
        #expect(try contents(zip([ZippedFile("a", zeros)]))["a"]?.count == zeros.count)
        var archive = zip([ZippedFile("a", zeros)])
        // The directory's length: 24 bytes into its only entry.
        let directory = try #require(archive.firstRange(of: [0x50, 0x4B, 1, 2])?.lowerBound)
        archive[directory + 24..<directory + 28] = [10, 0, 0, 0]
        #expect(throws: ZipFault.checksum) { try contents(archive) }
    }

    @Test func damagedArchivesNeverTrap() {
        var files = [ZippedFile("one", Array(Self.text.prefix(300))), ZippedFile("two", [1, 2, 3])]
        files[1].isLarge = true
        let archive = zip(files)
        for cut in archive.indices { _ = try? contents(Array(archive[..<cut])) }
        var generator = SeededGenerator(seed: 3)
        for _ in 0..<3_000 {
            _ = try? contents(archive.mutated(alphabet: [0, 1, 0x50, 0x4B, 0xFF, 0x7F, 0x80], using: &generator))
        }
        for index in archive.indices {
            var copy = archive
            for value: UInt8 in [0, 0xFF] {
                copy[index] = value
                _ = try? contents(copy)
            }
        }
    }
}
