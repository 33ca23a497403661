import Samples
import Wire

/// One decode of one body, as the server does it.
enum DecodeOnce {
    /// Not inlined, and under a name that scripts/check-instructions.sh knows: it counts what runs between here and the return.
    ///
    /// - Returns: how many samples or results came out.
    @inline(never)
    static func countedPass(_ dialect: BodyDialect, _ body: PaddedBytes) throws -> Int { try decode(dialect, body) }

    /// Has everything ready that is made once a process, such as the catalog.
    static func warmUp() throws {
        for dialect in BodyDialect.allCases {
            _ = try decode(dialect, PaddedBytes(Bodies.make(dialect, bytes: 1_000).bytes))
        }
    }

    /// Decodes the body that scripts/check-instructions.sh has numbers for.
    static func count(_ dialect: BodyDialect) throws {
        let made = Bodies.make(dialect, bytes: 1_000_000)
        try warmUp()
        guard try countedPass(dialect, PaddedBytes(made.bytes)) == made.samples else {
            throw BenchError.refused(dialect.rawValue)
        }
        print("\(dialect.rawValue): \(made.samples) samples of \(made.bytes.count) bytes")
    }

    private static func decode(_ dialect: BodyDialect, _ body: PaddedBytes) throws -> Int {
        let context = DecodeContext()
        switch dialect {
        case .native: return try NativeDecoder.decode(body).batch.samples.count
        case .csv: return try CSVDecoder.decode(body, context: context).batch.samples.count
        case .influx: return try LineProtocolDecoder.decode(body, context: context).batch.samples.count
        case .results: return try ResultsDecoder.decode(body).count
        case .hae:
            var samples = 0
            _ = try HealthAutoExportDecoder.decode(body, context: context, sliceRecords: 8_000) {
                samples += $0.samples.count
            }
            return samples
        }
    }
}
