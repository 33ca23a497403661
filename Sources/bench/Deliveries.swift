import Signing

/// Signed deliveries of fresh samples.
struct Deliveries {
    static let token = "tok_bench"
    static let secret = Secret(text: "whsec_benchbenchbenchbenchbenchbenchbenchbenchben")

    private var samples: PhoneSamples

    init(seed: UInt64) { samples = PhoneSamples(seed: seed) }

    /// One whole HTTP request and how many samples are in it.
    mutating func request(_ dialect: BodyDialect, samples count: Int, nowSeconds: Int64) -> Bodies.Body {
        var body = Bodies.make(dialect, .samples(count), of: &samples)
        let signature = requestSignature(secret: Self.secret, timestamp: "\(nowSeconds)", body: body.bytes)
        let head = """
            POST /hook/bench HTTP/1.1\r
            Host: 127.0.0.1\r
            Content-Type: \(dialect.contentType)\r
            X-Syncky-Format: \(dialect.rawValue)\r
            X-Syncky-Delivery: \(samples.random.next())\r
            X-Syncky-Timestamp: \(nowSeconds)\r
            X-Syncky-Signature: \(signature)\r
            Authorization: Bearer \(Self.token)\r
            Content-Length: \(body.bytes.count)\r
            \r

            """
        body.bytes = Array(head.utf8) + body.bytes
        return body
    }
}

extension BodyDialect {
    fileprivate var contentType: String {
        switch self {
        case .native, .hae, .results: "application/json"
        case .csv: "text/csv"
        case .influx: "text/plain"
        }
    }
}
