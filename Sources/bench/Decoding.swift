import Receiver
import Wire

/// Scanners and decoders alone, without a socket or a store, on bodies that are in memory.
enum Decoding {
    /// What the phone sends at most at once.
    private static let bodyBytes = 1_000_000
    private static let rounds = 15

    static func run() throws -> Section {
        try DecodeOnce.warmUp()
        let bodies = BodyDialect.allCases.map { dialect in
            let made = Bodies.make(dialect, bytes: bodyBytes)
            return (dialect: dialect, bytes: PaddedBytes(made.bytes), samples: made.samples)
        }
        var scans = bodies.map { _ in [Double]() }, decodes = bodies.map { _ in [Double]() }
        // One after the other in each round, so that what the machine does meanwhile meets all of them.
        for _ in 0..<rounds {
            for (index, body) in bodies.enumerated() {
                scans[index].append(try milliseconds { try scan(body.dialect, body.bytes) })
                var count = 0
                decodes[index].append(
                    try milliseconds { count = try DecodeOnce.countedPass(body.dialect, body.bytes) })
                guard count == body.samples else { throw BenchError.refused(body.dialect.rawValue) }
            }
        }
        let findings = bodies.indices.map { index in
            let body = bodies[index], scan = Times(scans[index]).median, decode = Times(decodes[index]).median
            return Finding(
                name: "\(body.dialect.rawValue), \(body.samples) samples",
                figures: [
                    Figure("scan_mb_per_second", Double(body.bytes.count) / scan / 1_000),
                    Figure("decode_mb_per_second", Double(body.bytes.count) / decode / 1_000),
                    Figure("decode_ms", decode, decimals: 2),
                    Figure("samples_per_second", Double(body.samples) / decode * 1_000),
                ])
        }
        return Section(title: "decode, bodies of 1 MB", findings: findings)
    }

    private static func milliseconds(_ body: () throws -> Void) rethrows -> Double {
        let start = ServerClock.system.monotonicMicroseconds()
        try body()
        return Double(max(1, ServerClock.system.monotonicMicroseconds() - start)) / 1_000
    }

    /// Reads all of the format's grammar and makes nothing of it.
    private static func scan(_ dialect: BodyDialect, _ body: PaddedBytes) throws {
        switch dialect {
        case .native, .hae, .results:
            var scanner = try JSONScanner(body)
            _ = try scanner.skip()
            try scanner.finish()
        case .csv:
            var reader = try CSVReader(body, maximumFields: 64)
            while try reader.next() {}
        case .influx:
            var reader = try LineProtocolReader(body, maximumLineBytes: 65_536)
            while try reader.next() {}
        }
    }
}
