import Wire

/// The 32 bytes of a request's signature.
package struct Signature: Hashable, Sendable {
    private let a, b, c: UInt64
    private var d: UInt64

    /// One of the four is enough: nobody without the secret can choose any of it.
    package func hash(into hasher: inout Hasher) { hasher.combine(a) }

    init(_ code: [32 of UInt8]) {
        func word(_ start: Int) -> UInt64 {
            (start..<start + 8).reduce(0) { $0 << 8 | UInt64(code[$1]) }
        }
        (a, b, c, d) = (word(0), word(8), word(16), word(24))
    }

    /// As something used at one endpoint alone: a phone with two destinations sends the same bytes in the same second to
    /// both, and their owner may have given both the same secret.
    package func used(at endpoint: String) -> Signature {
        var one = self
        one.d ^= ByteHash.process.hash(endpoint.utf8.span)
        return one
    }
}

/// What the check of a request's signature found.
package enum SignatureVerdict: Equatable, Sendable {
    /// The endpoint has no secret: signature fields mean nothing to it.
    case unsigned
    /// Genuine and on time. `secretIndex` is the place in `EndpointCredentials.secrets`: sign the reply with that one.
    case accepted(signature: Signature, secretIndex: Int)
    /// One of the two fields is absent.
    case missing
    /// A field comes twice, the timestamp is not 1 to 15 digits, or the signature is not `v1=` and 64 lower case digits.
    case malformed
    /// Genuine, but outside of the window: the phone's clock minus ours. Only the owner of the secret gets this one.
    case clock(differenceSeconds: Int64)
    /// Another secret, another body or another timestamp.
    case mismatch
}

/// Checks the signature of a request whose body is whole; `SignatureCheck` says what is checked.
///
/// - Parameter body: the raw body, before any decoding.
package func verifySignature(
    timestamps: [ArraySlice<UInt8>], signatures: [ArraySlice<UInt8>], body: Span<UInt8>,
    credentials: EndpointCredentials, nowSeconds: Int64, windowSeconds: Int64 = 300
) -> SignatureVerdict {
    let check = SignatureCheck(
        timestamps: timestamps, signatures: signatures, credentials: credentials, nowSeconds: nowSeconds)
    check.add(body)
    return check.verdict(nowSeconds: nowSeconds, windowSeconds: windowSeconds)
}

/// The value of `X-Syncky-Signature` for a request: `v1=` and 64 digits.
package func requestSignature(secret: Secret, timestamp: String, body: [UInt8]) -> String {
    let code = secret.key.code(prefix: Array("\(timestamp).".utf8).span, body: body.span)
    return "v1=\(hexText(code))"
}

/// The value of `X-Syncky-Signature` for a reply: `t=SECONDS,v1=` and 64 digits. Source: the guide's section 10.
///
/// - Parameter delivery: the request's `X-Syncky-Delivery`. The caller has checked that it holds no `.`, which would
///   let one signature stand for two messages, and that the request was genuine.
/// - Parameter body: the reply's body, byte for byte as it is sent.
package func replySignature(secret: Secret, delivery: String, timeSeconds: Int64, body: [UInt8]) -> String {
    let code = secret.key.code(prefix: Array("\(delivery).\(timeSeconds).".utf8).span, body: body.span)
    return "t=\(timeSeconds),v1=\(hexText(code))"
}

/// 1 to 15 ASCII digits, so the value and any difference from it fit.
func timestampSeconds(_ text: ArraySlice<UInt8>) -> Int64? {
    guard (1...15).contains(text.count) else { return nil }
    var seconds: Int64 = 0
    for byte in text {
        guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) else { return nil }
        seconds = seconds * 10 + Int64(byte - UInt8(ascii: "0"))
    }
    return seconds
}

/// The bytes behind `v1=` and 64 lower case hexadecimal digits; nil for any other text.
func signatureCode(_ text: ArraySlice<UInt8>) -> [32 of UInt8]? {
    guard text.count == 67, text.starts(with: "v1=".utf8) else { return nil }
    var code = [32 of UInt8](repeating: 0)
    for (index, byte) in text.dropFirst(3).enumerated() {
        guard let digit = hexValue(byte), !(UInt8(ascii: "A")...UInt8(ascii: "F")).contains(byte) else { return nil }
        code[index / 2] = code[index / 2] << 4 | digit
    }
    return code
}

private func hexText(_ code: [32 of UInt8]) -> String {
    String(decoding: lowercaseHex(code.indices.map { code[$0] }), as: UTF8.self)
}
