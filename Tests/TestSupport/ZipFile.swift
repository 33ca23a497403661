import CZlib

/// A file on its way into a zip archive that a test makes.
package struct ZippedFile {
    package var name: String
    package var content: [UInt8]
    package var isDeflated = true
    /// Sizes and offset in the zip64 field, 0xFFFFFFFF in their own places.
    package var isLarge = false
    /// Sizes and checksum 0 in the head, and behind the data.
    package var hasDescriptor = false
    package var isEncrypted = false
    package var method: UInt16?
    /// What the directory says of the checksum, when it isn't the right one.
    package var checksum: UInt32?

    package init(_ name: String, _ content: [UInt8]) {
        self.name = name
        self.content = content
    }
}

/// An archive as bytes.
package func zip(_ files: [ZippedFile], comment: String = "") -> [UInt8] {
    var archive: [UInt8] = [], directory: [UInt8] = []
    for file in files {
        // gzip's head is 10 bytes, its end 8.
        let data = file.isDeflated ? Array(gzip(file.content).dropFirst(10).dropLast(8)) : file.content
        let sum = file.checksum ?? UInt32(truncatingIfNeeded: crc32(0, file.content, UInt32(file.content.count)))
        let method = file.method ?? (file.isDeflated ? 8 : 0)
        let flags: UInt16 = (file.isEncrypted ? 1 : 0) | (file.hasDescriptor ? 8 : 0)
        let offset = archive.count
        let sizes = file.isLarge ? [UInt64(file.content.count), UInt64(data.count), UInt64(offset)] : []
        let extra =
            sizes.isEmpty
            ? [] : bytes(7, 2) + bytes(2, 2) + [0, 0] + bytes(1, 2) + bytes(24, 2) + sizes.flatMap { bytes($0, 8) }
        let name = Array(file.name.utf8)
        archive +=
            bytes(0x0403_4B50, 4) + bytes(20, 2) + bytes(UInt64(flags), 2) + bytes(UInt64(method), 2) + bytes(0, 4)
        archive +=
            file.hasDescriptor
            ? bytes(0, 12) : bytes(UInt64(sum), 4) + bytes(UInt64(data.count), 4) + bytes(UInt64(file.content.count), 4)
        archive += bytes(UInt64(name.count), 2) + bytes(3, 2) + name + [9, 9, 9] + data
        if file.hasDescriptor {
            archive +=
                bytes(0x0807_4B50, 4) + bytes(UInt64(sum), 4) + bytes(UInt64(data.count), 4)
                + bytes(UInt64(file.content.count), 4)
        }
        let large: UInt64? = file.isLarge ? 0xFFFF_FFFF : nil
        directory +=
            bytes(0x0201_4B50, 4) + bytes(20, 2) + bytes(20, 2) + bytes(UInt64(flags), 2) + bytes(UInt64(method), 2)
        directory += bytes(0, 4) + bytes(UInt64(sum), 4) + bytes(large ?? UInt64(data.count), 4)
        directory += bytes(large ?? UInt64(file.content.count), 4) + bytes(UInt64(name.count), 2)
        directory += bytes(UInt64(extra.count), 2) + bytes(2, 2) + bytes(0, 8) + bytes(large ?? UInt64(offset), 4)
        directory += name + extra + [7, 7]
    }
    let start = archive.count
    archive += directory
    let isLarge = files.contains(where: \.isLarge)
    if isLarge {
        let record = archive.count
        archive += bytes(0x0606_4B50, 4) + bytes(44, 8) + bytes(45, 2) + bytes(45, 2) + bytes(0, 8)
        archive += bytes(UInt64(files.count), 8) + bytes(UInt64(files.count), 8) + bytes(UInt64(directory.count), 8)
        archive +=
            bytes(UInt64(start), 8) + bytes(0x0706_4B50, 4) + bytes(0, 4) + bytes(UInt64(record), 8) + bytes(1, 4)
    }
    archive += bytes(0x0605_4B50, 4) + bytes(0, 4) + bytes(isLarge ? 0xFFFF : UInt64(files.count), 2)
    archive +=
        bytes(isLarge ? 0xFFFF : UInt64(files.count), 2) + bytes(isLarge ? 0xFFFF_FFFF : UInt64(directory.count), 4)
    archive +=
        bytes(isLarge ? 0xFFFF_FFFF : UInt64(start), 4) + bytes(UInt64(comment.utf8.count), 2) + Array(comment.utf8)
    return archive
}

private func bytes(_ value: UInt64, _ count: Int) -> [UInt8] {
    (0..<count).map { $0 < 8 ? UInt8(truncatingIfNeeded: value >> UInt64(8 * $0)) : 0 }
}
