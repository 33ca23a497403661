/// A PNG file of one bit a pixel, 1 being white.
///
/// The pixels are stored, not compressed, so nothing but two checksums is needed. Sources: the PNG specification
/// (chunks, CRC-32), RFC 1950 (zlib, Adler-32), RFC 1951 section 3.2.4 (stored blocks).
///
/// - Parameter rows: from the top; each of `(width + 7) / 8` bytes, the leftmost pixel in the highest bit.
package func encodePNG(width: Int, rows: [[UInt8]]) -> [UInt8] {
    precondition(rows.allSatisfy { $0.count == (width + 7) / 8 })
    var pixels: [UInt8] = []
    for row in rows {
        pixels.append(0)  // no filter
        pixels += row
    }
    var file: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
    let header = bigEndian(UInt32(width)) + bigEndian(UInt32(rows.count)) + [1, 0, 0, 0, 0]  // 1 bit, grey
    appendChunk("IHDR", header, to: &file)
    appendChunk("IDAT", zlibStored(pixels), to: &file)
    appendChunk("IEND", [], to: &file)
    return file
}

private func appendChunk(_ type: String, _ content: [UInt8], to file: inout [UInt8]) {
    let checked = Array(type.utf8) + content
    file += bigEndian(UInt32(content.count))
    file += checked
    file += bigEndian(crc32(checked))
}

/// `bytes` as a zlib stream of stored blocks, each of 65,535 bytes at most.
private func zlibStored(_ bytes: [UInt8]) -> [UInt8] {
    var stream: [UInt8] = [0x78, 0x01]
    var start = 0
    repeat {
        let end = min(start + 65_535, bytes.count)
        let length = UInt16(end - start)
        stream.append(end == bytes.count ? 1 : 0)
        for half in [length, ~length] { stream += [UInt8(half & 0xFF), UInt8(half >> 8)] }
        stream += bytes[start..<end]
        start = end
    } while start < bytes.count
    return stream + bigEndian(adler32(bytes))
}

private func bigEndian(_ value: UInt32) -> [UInt8] {
    [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: value >> $0) }
}

func crc32(_ bytes: [UInt8]) -> UInt32 {
    var crc: UInt32 = 0xFFFF_FFFF
    for byte in bytes {
        crc ^= UInt32(byte)
        for _ in 0..<8 { crc = crc & 1 == 1 ? crc >> 1 ^ 0xEDB8_8320 : crc >> 1 }
    }
    return ~crc
}

func adler32(_ bytes: [UInt8]) -> UInt32 {
    var a: UInt32 = 1, b: UInt32 = 0
    for byte in bytes {
        a = (a + UInt32(byte)) % 65_521
        b = (b + a) % 65_521
    }
    return b << 16 | a
}
