/// Checks the signature of a request while its body arrives. Source: the guide's section 6.
///
/// Each piece is hashed when it comes, so that the end of a large body costs no more than the end of a small one. The code
/// is computed before the time is looked at, so that a stranger never learns the clock. A secret past its end counts for
/// nothing, but an endpoint whose secrets have all ended accepts no request.
///
/// `@unchecked Sendable`: used by one thread at a time, by that which reads the body, then by that which takes it over, and at
/// last by that which answers.
package final class SignatureCheck: @unchecked Sendable {
    private struct Candidate {
        /// In `EndpointCredentials.secrets`.
        let index: Int
        let secret: RotatingSecret
        let message: HMACMessage
    }

    /// What the fields must say for a code to matter.
    private struct Claim {
        let seconds: Int64
        let code: [32 of UInt8]
    }

    /// What is known without the body.
    private let foregone: SignatureVerdict?
    private let claim: Claim?
    private let candidates: [Candidate]
    /// The secret that the request turned out to be signed with; nil until the verdict.
    package private(set) var matchedSecret: Secret?
    /// Bytes of the body so far that count in a code.
    package private(set) var hashedBytes = 0

    /// - Parameters:
    ///   - timestamps: the values of all `X-Syncky-Timestamp` fields, as they came.
    ///   - signatures: the values of all `X-Syncky-Signature` fields, as they came.
    package init(
        timestamps: [ArraySlice<UInt8>], signatures: [ArraySlice<UInt8>], credentials: EndpointCredentials,
        nowSeconds: Int64
    ) {
        (foregone, claim) = Self.read(timestamps, signatures, credentials)
        guard claim != nil else {
            candidates = []
            return
        }
        let prefix = Array(timestamps[0]) + [UInt8(ascii: ".")]
        candidates = credentials.secrets.enumerated().compactMap { index, secret in
            guard secret.isValid(nowSeconds: nowSeconds) else { return nil }
            let message = secret.secret.key.message()
            message.add(prefix.span)
            return Candidate(index: index, secret: secret, message: message)
        }
    }

    private static func read(
        _ timestamps: [ArraySlice<UInt8>], _ signatures: [ArraySlice<UInt8>], _ credentials: EndpointCredentials
    ) -> (SignatureVerdict?, Claim?) {
        guard !credentials.secrets.isEmpty else { return (.unsigned, nil) }
        guard !timestamps.isEmpty, !signatures.isEmpty else { return (.missing, nil) }
        guard timestamps.count == 1, signatures.count == 1, let seconds = timestampSeconds(timestamps[0]),
            let code = signatureCode(signatures[0])
        else { return (.malformed, nil) }
        return (nil, Claim(seconds: seconds, code: code))
    }

    /// Takes the next piece of the raw body, before any decoding.
    package func add(_ piece: Span<UInt8>) {
        guard !candidates.isEmpty else { return }
        for candidate in candidates { candidate.message.add(piece) }
        hashedBytes += piece.count
    }

    /// What the check found, once the body is whole. Asked for once.
    ///
    /// - Parameter windowSeconds: largest difference from our clock that is accepted, either way.
    package func verdict(nowSeconds: Int64, windowSeconds: Int64 = 300) -> SignatureVerdict {
        if let foregone { return foregone }
        guard let claim else { return .malformed }
        var matched: Int?
        for candidate in candidates where candidate.secret.isValid(nowSeconds: nowSeconds) {
            let expected = candidate.message.code()
            if equalInConstantTime(expected.span, claim.code.span) {
                matched = candidate.index
                matchedSecret = candidate.secret.secret
                break  // who is right here has the secret: the time saved tells him nothing new
            }
        }
        guard let matched else { return .mismatch }
        let difference = claim.seconds - nowSeconds
        guard difference.magnitude <= windowSeconds.magnitude else { return .clock(differenceSeconds: difference) }
        return .accepted(signature: Signature(claim.code), secretIndex: matched)
    }
}
