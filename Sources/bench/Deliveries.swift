import Samples
import Signing

/// Signed native deliveries with fresh uuids, times that move on, and the mix of types that a phone sends.
struct Deliveries {
    static let token = "tok_bench"
    static let secret = Secret(text: "whsec_benchbenchbenchbenchbenchbenchbenchbenchben")

    private var random: SplitMix
    private var second: Int64 = 1_700_000_000

    init(seed: UInt64) { random = SplitMix(state: seed) }

    private static let quantities: [(type: String, unit: String, values: [String])] = [
        ("heart_rate", "count/min", ["61", "72", "118", "143"]), ("steps", "count", ["12", "97", "412"]),
        ("active_energy_burned", "kcal", ["0.184", "1.25", "9.75"]),
        ("distance_walking_running", "m", ["8.03275332", "120.5511770726", "14.2"]),
        ("heart_rate_variability_sdnn", "ms", ["41.3301122", "77.25"]), ("oxygen_saturation", "%", ["0.97", "0.98"]),
    ]

    /// One whole HTTP request.
    mutating func request(samples: Int, nowSeconds: Int64) -> [UInt8] {
        var body = #"{"v":1,"type":"sync","device":"d_bench","samples":["#
        for index in 0..<samples {
            if index > 0 { body += "," }
            body += sample()
        }
        body += #"],"deleted":[],"acks":[],"more":false}"#
        let bytes = Array(body.utf8)
        let signature = requestSignature(secret: Self.secret, timestamp: "\(nowSeconds)", body: bytes)
        let head = """
            POST /hook/bench HTTP/1.1\r
            Host: 127.0.0.1\r
            Content-Type: application/json\r
            X-Syncky-Format: native\r
            X-Syncky-Delivery: \(random.next())\r
            X-Syncky-Timestamp: \(nowSeconds)\r
            X-Syncky-Signature: \(signature)\r
            Authorization: Bearer \(Self.token)\r
            Content-Length: \(bytes.count)\r
            \r

            """
        return Array(head.utf8) + bytes
    }

    private mutating func sample() -> String {
        second += Int64(random.next() % 28) + 1
        let start = Timestamp(microseconds: second * 1_000_000).text
        let end = Timestamp(microseconds: (second + Int64(random.next() % 600)) * 1_000_000).text
        let kind = Self.quantities[Int(random.next() % UInt64(Self.quantities.count))]
        let value = kind.values[Int(random.next() % UInt64(kind.values.count))]
        return """
            {"uuid":"\(uuid())","type":"\(kind.type)","value":\(value),"unit":"\(kind.unit)","start":"\(start)",\
            "end":"\(end)","source":{"app":"com.apple.health","device":"Apple Watch"}}
            """
    }

    private mutating func uuid() -> String {
        let high = hex(random.next()), low = hex(random.next())
        return "\(high.prefix(8))-\(high.dropFirst(8).prefix(4))-4\(high.suffix(3))-A\(low.prefix(3))-\(low.suffix(12))"
    }

    private func hex(_ value: UInt64) -> String {
        let digits = String(value, radix: 16, uppercase: true)
        return String(repeating: "0", count: 16 - digits.count) + digits
    }
}

/// A small generator with a seed, so that two runs send the same. Source: Steele et al., SplitMix64.
struct SplitMix {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}
