import Foundation
import Testing

@testable import Receiver

/// A code of 21 modules that is easy to recognise: dark where both coordinates are even.
private let sample = QRCode(width: 21, modules: (0..<441).map { ($0 / 21) % 2 == 0 && ($0 % 21) % 2 == 0 })

@Test func terminalDrawingHasEveryModule() throws {
    let lines = sample.terminalText().split(separator: "\n")
    #expect(lines.count == 15 && sample.terminalColumns == 29)
    for (i, line) in lines.enumerated() {
        let start = "\u{1B}[38;5;16;48;5;231m", end = "\u{1B}[0m"
        #expect(line.hasPrefix(start) && line.hasSuffix(end))
        let drawn = Array(line.dropFirst(start.count).dropLast(end.count))
        try #require(drawn.count == 29)
        for (j, character) in drawn.enumerated() {
            let upper = sample[column: j - 4, row: 2 * i - 4], lower = sample[column: j - 4, row: 2 * i - 3]
            #expect(character == (upper ? (lower ? "█" : "▀") : (lower ? "▄" : " ")))
        }
    }
}

@Test func checksumsOfTheStandards() {
    #expect(crc32(Array("123456789".utf8)) == 0xCBF4_3926)
    #expect(crc32([]) == 0)
    #expect(adler32(Array("Wikipedia".utf8)) == 0x11E6_0398)
    #expect(adler32([]) == 1)
}

/// Reads back what `encodePNG` writes: chunks, checksums, stored blocks, pixels.
private func readPNG(_ file: [UInt8]) throws -> (width: Int, rows: [[UInt8]]) {
    func number(_ at: Int) -> Int { file[at..<at + 4].reduce(0) { $0 << 8 | Int($1) } }
    try #require(file.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]))
    var at = 8, chunks: [String: [UInt8]] = [:]
    while at < file.count {
        let length = number(at), content = Array(file[at + 4..<at + 8 + length])
        try #require(number(at + 8 + length) == Int(crc32(content)))
        chunks[String(decoding: content.prefix(4), as: UTF8.self)] = Array(content.dropFirst(4))
        at += 12 + length
    }
    let header = try #require(chunks["IHDR"]), data = try #require(chunks["IDAT"])
    #expect(chunks["IEND"] == [] && header.suffix(5) == [1, 0, 0, 0, 0])
    let width = header[0..<4].reduce(0) { $0 << 8 | Int($1) }, height = header[4..<8].reduce(0) { $0 << 8 | Int($1) }
    #expect((Int(data[0]) << 8 | Int(data[1])) % 31 == 0)  // RFC 1950: FCHECK
    var block = 2, pixels: [UInt8] = [], isLast = false
    while !isLast {
        isLast = data[block] == 1
        let length = Int(data[block + 1]) | Int(data[block + 2]) << 8
        #expect(data[block + 3] == ~data[block + 1] && data[block + 4] == ~data[block + 2])
        pixels += data[block + 5..<block + 5 + length]
        block += 5 + length
    }
    #expect(data[block...].reduce(0) { $0 << 8 | Int($1) } == Int(adler32(pixels)) && data.count == block + 4)
    let stride = (width + 7) / 8 + 1
    try #require(pixels.count == stride * height)
    return (width, (0..<height).map { Array(pixels[$0 * stride + 1..<($0 + 1) * stride]) })
}

@Test(arguments: [1, 3, 8, 40])
func pictureHasEveryModule(scale: Int) throws {
    let (width, rows) = try readPNG(sample.pngBytes(scale: scale))
    try #require(width == 29 * scale && rows.count == 29 * scale)
    for (y, row) in rows.enumerated() where y % scale == 0 || y % scale == scale - 1 {
        for x in 0..<width where x % scale == 0 || x % scale == scale - 1 {
            let isWhite = row[x / 8] >> UInt8(7 - x % 8) & 1 == 1
            #expect(isWhite != sample[column: x / scale - 4, row: y / scale - 4])
        }
    }
}

@Test func codeOfTheLibraryIsOne() throws {
    let code: QRCode
    do {
        code = try QRCode(encoding: "syncky://webhook?v=1&name=Home")
    } catch QRCodeError.libraryMissing {
        return  // what `link` says then is tested with the command
    }
    #expect((code.width - 17) % 4 == 0)
    let finder = ["#######", "#.....#", "#.###.#", "#.###.#", "#.###.#", "#.....#", "#######"].map(Array.init)
    for y in 0..<7 {
        for x in 0..<7 {
            #expect(code[column: x, row: y] == (finder[y][x] == "#"))
            #expect(code[column: code.width - 7 + x, row: y] == (finder[y][x] == "#"))
            #expect(code[column: x, row: code.width - 7 + y] == (finder[y][x] == "#"))
        }
    }
    for i in 8..<code.width - 8 { #expect(code[column: i, row: 6] == (i % 2 == 0)) }  // timing pattern
    #expect(throws: Never.self) { try QRCode(encoding: String(repeating: "é", count: 1_476)) }
    #expect(throws: QRCodeError.tooLong) { try QRCode(encoding: String(repeating: "a", count: 2_954)) }
    #expect(throws: QRCodeError.tooLong) { try QRCode(encoding: "") }
}
