import Glibc

/// Measures this build on this machine: `swift run -c release bench [--json] [--decoders]`, `bench store` for the store alone.
@main
struct Bench {
    static func main() throws {
        let arguments = Array(CommandLine.arguments.dropFirst())
        if arguments.first == "store" { return try StoreGrowth.run(Array(arguments.dropFirst())) }
        let results = try Decoding.run() + (arguments.contains("--decoders") ? [] : EndToEnd.run())
        if CommandLine.arguments.contains("--json") {
            print("[" + results.map(\.json).joined(separator: ",") + "]")
        } else {
            for line in Result.table(results) { print(line) }
        }
    }
}

/// What one measurement found.
struct Result {
    var name: String
    var requests: Int
    var samples: Int
    var seconds: Double
    /// Of single requests, in milliseconds, sorted.
    var latencies: [Double]
    /// Transactions that the requests shared.
    var transactions: Int

    func percentile(_ fraction: Double) -> Double {
        latencies.isEmpty ? 0 : latencies[min(latencies.count - 1, Int(Double(latencies.count) * fraction))]
    }

    var json: String {
        """
        {"name":"\(name)","requests":\(requests),"samples":\(samples),"seconds":\(seconds),\
        "requests_per_second":\(Double(requests) / seconds),"samples_per_second":\(Double(samples) / seconds),\
        "p50_ms":\(percentile(0.5)),"p99_ms":\(percentile(0.99)),"max_ms":\(latencies.last ?? 0),\
        "requests_per_transaction":\(Double(requests) / Double(max(1, transactions)))}
        """
    }

    static func table(_ results: [Result]) -> [String] {
        let header = ["", "requests/s", "samples/s", "p50 ms", "p99 ms", "max ms", "requests/transaction"]
        let rows = results.map { result in
            [
                result.name, text(Double(result.requests) / result.seconds, 0),
                text(Double(result.samples) / result.seconds, 0), text(result.percentile(0.5), 2),
                text(result.percentile(0.99), 2), text(result.latencies.last ?? 0, 2),
                text(Double(result.requests) / Double(max(1, result.transactions)), 1),
            ]
        }
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
