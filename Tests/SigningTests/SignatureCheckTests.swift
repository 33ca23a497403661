import Testing

@testable import Signing

/// A body that is hashed while it arrives.
struct SignatureCheckTests {
    private static let now: Int64 = 1_791_961_500

    private func check(
        _ vector: SignatureVectors.Request, credentials: EndpointCredentials
    ) -> SignatureCheck {
        SignatureCheck(
            timestamps: slices(vector.timestamp), signatures: slices(vector.signature), credentials: credentials,
            nowSeconds: vector.clock)
    }

    @Test(arguments: SignatureVectors.all.cases)
    func aBodyInPiecesIsTheSameBody(vector: SignatureVectors.Request) {
        let credentials = EndpointCredentials(
            scheme: .none, secrets: [RotatingSecret(secret: Secret(text: vector.secret))])
        let body = vector.bodyBytes
        let whole = verifySignature(
            timestamps: slices(vector.timestamp), signatures: slices(vector.signature), body: body.span,
            credentials: credentials, nowSeconds: vector.clock)
        for bytes in [1, 7, 64, max(1, body.count)] {
            let check = check(vector, credentials: credentials)
            for start in stride(from: 0, to: body.count, by: bytes) {
                check.add(body.span.extracting(start..<min(body.count, start + bytes)))
            }
            #expect(check.verdict(nowSeconds: vector.clock) == whole)
        }
    }

    /// What the end of a body costs doesn't depend on its length: all of it was hashed before.
    @Test func eachPieceIsHashedWhenItComes() {
        let secret = Secret(text: "s")
        let body = [UInt8](repeating: 0x5B, count: 100_000)
        let signature = requestSignature(secret: secret, timestamp: "\(Self.now)", body: body)
        let check = SignatureCheck(
            timestamps: slices(["\(Self.now)"]), signatures: slices([signature]),
            credentials: EndpointCredentials(scheme: .none, secrets: [RotatingSecret(secret: secret)]),
            nowSeconds: Self.now)
        for start in stride(from: 0, to: body.count, by: 10_000) {
            #expect(check.hashedBytes == start)
            check.add(body.span.extracting(start..<start + 10_000))
        }
        #expect(check.hashedBytes == body.count)
        #expect(word(check.verdict(nowSeconds: Self.now)) == "accepted")
    }

    /// What can't be right whatever the body is costs no hash.
    @Test func nothingIsHashedInVain() {
        let secrets = [RotatingSecret(secret: Secret(text: "s"))]
        let right = slices(["v1=" + String(repeating: "0", count: 64)])
        for (timestamps, signatures, secrets, expected) in [
            (slices(["1"]), right, [], "unsigned"), ([], right, secrets, "missing"),
            (slices(["1", "1"]), right, secrets, "malformed"), (slices(["x"]), right, secrets, "malformed"),
        ] {
            let check = SignatureCheck(
                timestamps: timestamps, signatures: signatures,
                credentials: EndpointCredentials(scheme: .none, secrets: secrets), nowSeconds: 1)
            check.add([UInt8](repeating: 1, count: 1_000).span)
            #expect(check.hashedBytes == 0)
            #expect(word(check.verdict(nowSeconds: 1)) == expected)
        }
    }

    @Test func aSecretThatEndsWhileTheBodyArrivesCountsForNothing() {
        let old = Secret(text: "old")
        let credentials = EndpointCredentials(
            scheme: .none,
            secrets: [
                RotatingSecret(secret: Secret(text: "new")), RotatingSecret(secret: old, untilSeconds: Self.now + 10),
            ])
        for (passed, expected) in [(0, "accepted"), (10, "accepted"), (11, "mismatch")] as [(Int64, String)] {
            let check = SignatureCheck(
                timestamps: slices(["\(Self.now)"]),
                signatures: slices([requestSignature(secret: old, timestamp: "\(Self.now)", body: [1, 2])]),
                credentials: credentials, nowSeconds: Self.now)
            check.add([1, 2].span)
            #expect(word(check.verdict(nowSeconds: Self.now + passed)) == expected)
        }
    }

    @Test(arguments: [0, 1, 43, 5_000]) func wipedBytesAreZero(count: Int) {
        var bytes = [UInt8](repeating: 0xA5, count: count)
        wipe(&bytes)
        #expect(bytes == [UInt8](repeating: 0, count: count))
    }

    /// A secret's bytes are its own: overwriting them at its end takes nobody else's.
    @Test func aSecretsEndTouchesNoOtherBytes() {
        let bytes = Array("whsec_invented".utf8)
        var secret: Secret? = Secret(bytes)
        let copy = secret
        secret = nil
        #expect(bytes == Array("whsec_invented".utf8))
        #expect(copy?.withBytes { $0.count == bytes.count && $0[0] == bytes[0] } == true)
    }
}
