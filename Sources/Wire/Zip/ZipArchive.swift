/// Why a zip archive, or a file in it, can't be read.
package enum ZipFault: Error, Equatable, Sendable {
    /// No directory at the end: no archive, or one that was cut off.
    case noDirectory
    /// The directory, or the head of a file, says what can't be.
    case damaged
    /// More files, or a longer directory, than any export has.
    case tooLarge
    case encrypted
    /// A way of compressing other than none and deflate.
    case method(UInt16)
    /// The content is not what its checksum or its length says.
    case checksum
    /// The compressed data is wrong or ends too early.
    case data

    /// One sentence without its subject and full stop.
    package var message: String {
        switch self {
        case .noDirectory: "has no directory at its end: it is incomplete, or no zip archive"
        case .damaged: "has a damaged directory"
        case .tooLarge: "has more files in it than this program reads"
        case .encrypted: "is encrypted: export it again, or unpack it first"
        case .method(let method): "is compressed in a way that this program doesn't read (method \(method))"
        case .checksum: "is damaged: a checksum is wrong"
        case .data: "is damaged: its compressed data can't be read"
        }
    }
}

/// A file in a zip archive, as the directory tells it.
package struct ZipEntry: Equatable, Sendable {
    /// As it is in the archive. Never a path: nothing is unpacked to a disk.
    package var name: [UInt8]
    package var method: UInt16
    package var checksum: UInt32
    package var compressedBytes: Int
    package var bytes: Int
    /// Of its own head in the archive.
    package var headOffset: Int
    package var isEncrypted: Bool
}

/// The directory of a zip archive. Source: PKWARE's APPNOTE 6.3, sections 4.3 and 4.5.3 (zip64).
///
/// Pure: whoever uses it hands in a function that reads the archive. Sizes are the directory's, so files that were written with
/// their sizes behind them are read like others.
package struct ZipArchive: Sendable {
    package typealias Read = (_ offset: Int, _ count: Int) throws -> [UInt8]

    package static let maximumDirectoryBytes = 64 << 20
    package static let maximumEntries = 500_000
    private static let endBytes = 22
    private static let maximumCommentBytes = 65_535
    private static let headBytes = 30

    /// In the order of the directory.
    package private(set) var entries: [ZipEntry] = []

    /// - Parameters:
    ///   - count: the archive's length in bytes.
    ///   - read: exactly the bytes asked for, which are within the archive.
    /// - Throws: a `ZipFault`, and what `read` throws.
    package init(count: Int, read: Read) throws {
        guard count >= Self.endBytes else { throw ZipFault.noDirectory }
        let tailStart = max(0, count - Self.endBytes - Self.maximumCommentBytes)
        let tail = try read(tailStart, count - tailStart)
        guard let end = Self.end(in: tail) else { throw ZipFault.noDirectory }
        var place = DirectoryPlace(
            entries: Int(tail.number(end + 10, 2)), bytes: Int(tail.number(end + 12, 4)),
            offset: Int(tail.number(end + 16, 4)))
        let needs64 = place.entries == 0xFFFF || place.bytes == 0xFFFF_FFFF || place.offset == 0xFFFF_FFFF
        if needs64, let large = try Self.end64(before: tailStart + end, count: count, read: read) { place = large }
        guard place.bytes <= Self.maximumDirectoryBytes, place.entries <= Self.maximumEntries else {
            throw ZipFault.tooLarge
        }
        guard place.offset >= 0, place.bytes >= 0, place.offset <= count - place.bytes else { throw ZipFault.damaged }
        try readEntries(try read(place.offset, place.bytes), count: place.entries, archiveBytes: count)
    }

    /// Where the compressed data of a file begins.
    package static func dataOffset(of entry: ZipEntry, count: Int, read: Read) throws -> Int {
        if entry.isEncrypted { throw ZipFault.encrypted }
        guard entry.method == 0 || entry.method == 8 else { throw ZipFault.method(entry.method) }
        guard entry.headOffset >= 0, entry.headOffset <= count - headBytes else { throw ZipFault.damaged }
        let head = try read(entry.headOffset, headBytes)
        guard head.number(0, 4) == 0x0403_4B50 else { throw ZipFault.damaged }
        let start = entry.headOffset + headBytes + Int(head.number(26, 2)) + Int(head.number(28, 2))
        guard start <= count, entry.compressedBytes <= count - start else { throw ZipFault.damaged }
        return start
    }

    private struct DirectoryPlace {
        var entries: Int
        var bytes: Int
        var offset: Int
    }

    /// The last end record whose comment reaches exactly to the archive's end; else the last one at all.
    private static func end(in tail: [UInt8]) -> Int? {
        var at = tail.count - endBytes
        var fallback: Int?
        while at >= 0 {
            if tail[at] == 0x50, tail.number(at, 4) == 0x0605_4B50 {
                if at + endBytes + Int(tail.number(at + 20, 2)) == tail.count { return at }
                fallback = fallback ?? at
            }
            at -= 1
        }
        return fallback
    }

    private static func end64(before end: Int, count: Int, read: Read) throws -> DirectoryPlace? {
        guard end >= 20 else { return nil }
        let locator = try read(end - 20, 20)
        guard locator.number(0, 4) == 0x0706_4B50 else { return nil }
        guard let at = Int(exactly: locator.number(8, 8)), at <= count - 56 else { throw ZipFault.damaged }
        let record = try read(at, 56)
        guard record.number(0, 4) == 0x0606_4B50, let entries = Int(exactly: record.number(32, 8)),
            let bytes = Int(exactly: record.number(40, 8)), let offset = Int(exactly: record.number(48, 8))
        else { throw ZipFault.damaged }
        return DirectoryPlace(entries: entries, bytes: bytes, offset: offset)
    }

    private mutating func readEntries(_ directory: [UInt8], count: Int, archiveBytes: Int) throws {
        var at = 0
        while entries.count < count {
            guard at + 46 <= directory.count, directory.number(at, 4) == 0x0201_4B50 else { throw ZipFault.damaged }
            let nameBytes = Int(directory.number(at + 28, 2)), extraBytes = Int(directory.number(at + 30, 2))
            let commentBytes = Int(directory.number(at + 32, 2))
            let nameStart = at + 46, extraStart = nameStart + nameBytes
            guard extraStart + extraBytes + commentBytes <= directory.count else { throw ZipFault.damaged }
            var sizes = [directory.number(at + 24, 4), directory.number(at + 20, 4), directory.number(at + 42, 4)]
            try Self.take64(&sizes, from: directory[extraStart..<extraStart + extraBytes])
            guard let bytes = Int(exactly: sizes[0]), let compressed = Int(exactly: sizes[1]),
                let offset = Int(exactly: sizes[2]), compressed <= archiveBytes, offset <= archiveBytes
            else { throw ZipFault.damaged }
            entries.append(
                ZipEntry(
                    name: Array(directory[nameStart..<extraStart]), method: UInt16(directory.number(at + 10, 2)),
                    checksum: UInt32(directory.number(at + 16, 4)), compressedBytes: compressed, bytes: bytes,
                    headOffset: offset, isEncrypted: directory.number(at + 8, 2) & 1 == 1))
            at = extraStart + extraBytes + commentBytes
        }
    }

    /// Length, compressed length and offset that 32 bits don't hold are in the extra field 1, in that order.
    private static func take64(_ sizes: inout [UInt64], from extra: ArraySlice<UInt8>) throws {
        guard sizes.contains(0xFFFF_FFFF) else { return }
        var at = extra.startIndex
        while at + 4 <= extra.endIndex {
            let bytes = Int(extra.number(at + 2, 2))
            let end = at + 4 + bytes
            guard end <= extra.endIndex else { throw ZipFault.damaged }
            if extra.number(at, 2) == 1 {
                var field = at + 4
                for index in sizes.indices where sizes[index] == 0xFFFF_FFFF {
                    guard field + 8 <= end else { throw ZipFault.damaged }
                    sizes[index] = extra.number(field, 8)
                    field += 8
                }
                return
            }
            at = end
        }
    }
}

extension RandomAccessCollection<UInt8> where Index == Int {
    /// A little-endian number of `count` bytes, which must be there.
    fileprivate func number(_ at: Int, _ count: Int) -> UInt64 {
        var value: UInt64 = 0
        for index in (0..<count).reversed() { value = value << 8 | UInt64(self[at + index]) }
        return value
    }
}
