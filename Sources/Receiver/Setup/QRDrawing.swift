extension QRCode {
    /// Light modules around a code: what its standard, ISO/IEC 18004, asks for.
    package static let quietModules = 4

    /// Columns that `terminalText` takes.
    package var terminalColumns: Int { width + 2 * Self.quietModules }

    /// The code in half blocks, two rows of modules a line, each line ending in LF.
    ///
    /// Black on white whatever the terminal's colours are: 16 and 231 of the 256-colour cube, which themes leave
    /// alone while they change the first sixteen.
    package func terminalText() -> String {
        let quiet = Self.quietModules
        var text = ""
        var row = -quiet
        while row < width + quiet {
            text += "\u{1B}[38;5;16;48;5;231m"
            for column in -quiet..<width + quiet {
                switch (self[column: column, row: row], self[column: column, row: row + 1]) {
                case (true, true): text += "█"
                case (true, false): text += "▀"
                case (false, true): text += "▄"
                case (false, false): text += " "
                }
            }
            text += "\u{1B}[0m\n"
            row += 2
        }
        return text
    }

    /// The code as a PNG picture of one bit a pixel, its quiet zone included.
    ///
    /// - Parameter scale: pixels on a side of a module.
    package func pngBytes(scale: Int = 8) -> [UInt8] {
        let quiet = Self.quietModules
        let side = (width + 2 * quiet) * scale
        var rows: [[UInt8]] = []
        for row in -quiet..<width + quiet {
            var line = [UInt8](repeating: 0, count: (side + 7) / 8)
            for x in 0..<side where !self[column: x / scale - quiet, row: row] { line[x / 8] |= 0x80 >> UInt8(x % 8) }
            rows += repeatElement(line, count: scale)
        }
        return encodePNG(width: side, rows: rows)
    }
}
