import Receiver
import Samples
import Wire

/// Decoders alone, without a socket or a store: bodies of 14 MB, read three times.
enum Decoding {
    static func run() throws -> [Result] {
        let steps = healthAutoExport(#""name":"step_count","units":"count""#) { #""qty":\#($0 % 90 + 1)"# }
        let heart = healthAutoExport(#""name":"heart_rate","units":"count/min""#) {
            let lowest = $0 % 60 + 50
            return #""Min":\#(lowest),"Avg":\#(lowest + 3).5,"Max":\#(lowest + 9)"#
        }
        let energy = healthAutoExport(#""name":"active_energy","units":"kJ""#) { #""qty":\#($0 % 90).238"# }
        return try [
            measure("decode hae, steps", steps), measure("decode hae, heart rate", heart),
            measure("decode hae, energy to convert", energy),
        ]
    }

    private static let points = 200_000

    private static func healthAutoExport(_ metric: String, _ value: (Int) -> String) -> PaddedBytes {
        var body = "{\"data\":{\"metrics\":[{\(metric),\"data\":["
        for index in 0..<points {
            if index > 0 { body += "," }
            let time = Timestamp(microseconds: (1_700_000_000 + Int64(index) * 5) * 1_000_000).text
            body +=
                "{\"date\":\"\(time.prefix(10)) \(time.dropFirst(11).prefix(8)) +0000\",\(value(index)),\"source\":\"Watch\"}"
        }
        return PaddedBytes(Array((body + "]}]}}").utf8))
    }

    private static func measure(_ name: String, _ body: PaddedBytes) throws -> Result {
        var latencies: [Double] = [], count = 0
        for _ in 0..<3 {
            let start = ServerClock.system.monotonicMicroseconds()
            _ = try HealthAutoExportDecoder.decode(body, context: DecodeContext(), sliceRecords: 8_000) {
                count += $0.samples.count
            }
            latencies.append(Double(ServerClock.system.monotonicMicroseconds() - start) / 1000)
        }
        guard count == 3 * points else { throw BenchError.refused(name) }
        latencies.sort()
        let seconds = latencies.reduce(0, +) / 1000
        return Result(
            name: "\(name), \(Int(Double(3 * body.count) / seconds / 1e6)) MB/s", requests: 3, samples: count,
            seconds: seconds, latencies: latencies, transactions: 0)
    }
}
