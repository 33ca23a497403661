/// One number that was measured.
struct Figure {
    /// In snake case with its unit, as `--json` has it: `samples_per_second`.
    var name: String
    var value: Double
    /// Of the table.
    var decimals: Int

    init(_ name: String, _ value: Double, decimals: Int = 0) {
        self.name = name
        self.value = value
        self.decimals = decimals
    }
}

/// What one measurement found.
struct Finding {
    var name: String
    var figures: [Figure]

    var json: String {
        let figures = figures.map { #""\#($0.name)":\#($0.value.isFinite ? $0.value : 0)"# }
        return #"{"name":"\#(name)",\#(figures.joined(separator: ","))}"#
    }
}

/// Findings that have the same figures.
struct Section {
    var title: String
    var findings: [Finding]

    /// The lines of a table.
    var table: [String] {
        guard let first = findings.first else { return [] }
        let header = [title] + first.figures.map { $0.name.split(separator: "_").joined(separator: " ") }
        let rows = findings.map { [$0.name] + $0.figures.map { Self.text($0.value, $0.decimals) } }
        let widths = header.indices.map { column in ([header] + rows).map { $0[column].count }.max() ?? 0 }
        return ([header] + rows).map { row in
            zip(row, widths).enumerated().map { index, cell in
                let space = String(repeating: " ", count: cell.1 - cell.0.count)
                return index == 0 ? cell.0 + space : space + cell.0
            }.joined(separator: "  ")
        }
    }

    private static func text(_ value: Double, _ decimals: Int) -> String {
        guard decimals > 0 else { return String(Int(value.rounded())) }
        let hundredths = Int((value * 100).rounded())
        return "\(hundredths / 100).\(String(hundredths % 100 + 100).dropFirst())"
    }
}

/// Times of single requests or passes, in milliseconds.
struct Times {
    private var sorted: [Double]

    init(_ times: [Double]) { sorted = times.sorted() }

    func percentile(_ fraction: Double) -> Double {
        sorted.isEmpty ? 0 : sorted[min(sorted.count - 1, Int(Double(sorted.count) * fraction))]
    }

    var median: Double { percentile(0.5) }
    var longest: Double { sorted.last ?? 0 }
}

enum BenchError: Error {
    /// Something was not answered or decoded as it must be, so the figures would mean nothing.
    case refused(String)
}
