package import Wire

/// The 32 bytes of a request's signature.
package struct Signature: Hashable, Sendable {
    private let a, b, c, d: UInt64

    init(_ code: [32 of UInt8]) {
        func word(_ start: Int) -> UInt64 {
            (start..<start + 8).reduce(0) { $0 << 8 | UInt64(code[$1]) }
        }
        (a, b, c, d) = (word(0), word(8), word(16), word(24))
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

/// Checks the signature of a request. Source: the guide's section 6.
///
/// The code is computed before the time is looked at, so that a stranger never learns the clock. A secret past its end
/// counts for nothing, but an endpoint whose secrets have all ended accepts no request.
///
/// - Parameter timestamps: the values of all `X-Syncky-Timestamp` fields, as they came.
/// - Parameter signatures: the values of all `X-Syncky-Signature` fields, as they came.
/// - Parameter body: the raw body, before any decoding.
/// - Parameter windowSeconds: largest difference from our clock that is accepted, either way.
package func verifySignature(
    timestamps: [ArraySlice<UInt8>], signatures: [ArraySlice<UInt8>], body: Span<UInt8>,
    credentials: EndpointCredentials, nowSeconds: Int64, windowSeconds: Int64 = 300
) -> SignatureVerdict {
    verify(timestamps, signatures, credentials, nowSeconds, windowSeconds) { key, prefix in
        key.code(prefix: prefix, body: body)
    }
}

/// The same for a body of any size, which is read piece by piece: of one that is mapped no more than a piece is in
/// memory at a time.
package func verifySignature(
    timestamps: [ArraySlice<UInt8>], signatures: [ArraySlice<UInt8>], body: PaddedBytes,
    credentials: EndpointCredentials, nowSeconds: Int64, windowSeconds: Int64 = 300
) -> SignatureVerdict {
    verify(timestamps, signatures, credentials, nowSeconds, windowSeconds) { key, prefix in
        key.code(prefix: prefix, body: body)
    }
}

private func verify(
    _ timestamps: [ArraySlice<UInt8>], _ signatures: [ArraySlice<UInt8>], _ credentials: EndpointCredentials,
    _ nowSeconds: Int64, _ windowSeconds: Int64, code: (HMACKey, Span<UInt8>) -> [32 of UInt8]
) -> SignatureVerdict {
    guard !credentials.secrets.isEmpty else { return .unsigned }
    guard !timestamps.isEmpty, !signatures.isEmpty else { return .missing }
    guard timestamps.count == 1, signatures.count == 1, let seconds = timestampSeconds(timestamps[0]),
        let given = signatureCode(signatures[0])
    else { return .malformed }

    let prefix = Array(timestamps[0]) + [UInt8(ascii: ".")]
    var matched: Int?
    for (index, secret) in credentials.secrets.enumerated() where secret.isValid(nowSeconds: nowSeconds) {
        let expected = code(secret.secret.key, prefix.span)
        if equalInConstantTime(expected.span, given.span) {
            matched = index
            break  // who is right here has the secret: the time saved tells him nothing new
        }
    }
    guard let matched else { return .mismatch }
    let difference = seconds - nowSeconds
    guard difference.magnitude <= windowSeconds.magnitude else { return .clock(differenceSeconds: difference) }
    return .accepted(signature: Signature(given), secretIndex: matched)
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
private func timestampSeconds(_ text: ArraySlice<UInt8>) -> Int64? {
    guard (1...15).contains(text.count) else { return nil }
    var seconds: Int64 = 0
    for byte in text {
        guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) else { return nil }
        seconds = seconds * 10 + Int64(byte - UInt8(ascii: "0"))
    }
    return seconds
}

/// The bytes behind `v1=` and 64 lower case hexadecimal digits; nil for any other text.
private func signatureCode(_ text: ArraySlice<UInt8>) -> [32 of UInt8]? {
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
