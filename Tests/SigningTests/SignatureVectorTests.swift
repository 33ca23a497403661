import Foundation
import Signing
import Testing

/// `test-vectors/webhook-signatures.json`.
struct SignatureVectors: Decodable {
    struct Request: Decodable, Sendable, CustomTestStringConvertible {
        var name: String, secret: String, clock: Int64
        var timestamp: [String], signature: [String]
        var body: String?, body_base64: Data?
        var expected: String, difference_seconds: Int64?
        var testDescription: String { name }
        var bodyBytes: [UInt8] { body_base64.map { Array($0) } ?? Array((body ?? "").utf8) }
    }
    struct Reply: Decodable, Sendable, CustomTestStringConvertible {
        var name: String, secret: String, delivery: String, t: Int64, body: String, signature: String
        var testDescription: String { name }
    }
    var cases: [Request], replies: [Reply]

    static let all: SignatureVectors = {
        var root = URL(filePath: #filePath)
        for _ in 0..<3 { root.deleteLastPathComponent() }
        let file = root.appending(path: "test-vectors/webhook-signatures.json")
        do {
            return try JSONDecoder().decode(SignatureVectors.self, from: Data(contentsOf: file))
        } catch {
            fatalError("\(file.path): \(error)")
        }
    }()
}

func slices(_ values: [String]) -> [ArraySlice<UInt8>] { values.map { Array($0.utf8)[...] } }

func word(_ verdict: SignatureVerdict) -> String {
    switch verdict {
    case .unsigned: "unsigned"
    case .accepted: "accepted"
    case .missing: "missing"
    case .malformed: "malformed"
    case .clock: "clock"
    case .mismatch: "mismatch"
    }
}

@Test(arguments: SignatureVectors.all.cases)
func requestSignatureCase(vector: SignatureVectors.Request) {
    func verdict(_ secrets: [String]) -> SignatureVerdict {
        verifySignature(
            timestamps: slices(vector.timestamp), signatures: slices(vector.signature), body: vector.bodyBytes.span,
            credentials: EndpointCredentials(
                scheme: .none, secrets: secrets.map { RotatingSecret(secret: Secret(text: $0)) }),
            nowSeconds: vector.clock)
    }
    let found = verdict([vector.secret])
    #expect(word(found) == vector.expected)
    if case .clock(let difference) = found { #expect(difference == vector.difference_seconds) }
    if case .accepted(_, let index) = found { #expect(index == 0) }

    // A second secret changes nothing but the index, and an endpoint without secrets looks at nothing.
    let second = verdict(["another one", vector.secret])
    #expect(word(second) == vector.expected)
    if case .accepted(_, let index) = second { #expect(index == 1) }
    #expect(verdict([]) == .unsigned)
}

/// The signer must agree with the vectors as well as the check does.
@Test(arguments: SignatureVectors.all.cases.filter { $0.expected == "accepted" })
func requestSignerAgrees(vector: SignatureVectors.Request) {
    let secret = Secret(text: vector.secret)
    let signature = requestSignature(secret: secret, timestamp: vector.timestamp[0], body: vector.bodyBytes)
    #expect([signature] == vector.signature)
}

@Test(arguments: SignatureVectors.all.replies)
func replySignatureCase(vector: SignatureVectors.Reply) {
    let signature = replySignature(
        secret: Secret(text: vector.secret), delivery: vector.delivery, timeSeconds: vector.t,
        body: Array(vector.body.utf8))
    #expect(signature == vector.signature)
}

@Suite struct SignatureRules {
    let secret = Secret(text: SystemRandom.signingSecret())
    let body = Array("{\"v\":1}".utf8)

    func verdict(_ credentials: EndpointCredentials, signature: String, now: Int64 = 5000, window: Int64 = 300)
        -> SignatureVerdict
    {
        verifySignature(
            timestamps: slices(["5000"]), signatures: slices([signature]), body: body.span, credentials: credentials,
            nowSeconds: now, windowSeconds: window)
    }

    /// A changed byte anywhere in the body or the signature, and a signature cut anywhere, never pass.
    @Test func everyByteCounts() {
        let credentials = EndpointCredentials(scheme: .none, secrets: [RotatingSecret(secret: secret)])
        let right = requestSignature(secret: secret, timestamp: "5000", body: body)
        for index in body.indices {
            var changed = body
            changed[index] ^= 1
            let verdict = verifySignature(
                timestamps: slices(["5000"]), signatures: slices([right]), body: changed.span,
                credentials: credentials, nowSeconds: 5000)
            #expect(verdict == .mismatch)
        }
        let bytes = Array(right.utf8)
        for index in bytes.indices {
            #expect(verdict(credentials, signature: String(right.prefix(index))) == .malformed)
            for bit in 0..<8 {
                var changed = bytes
                changed[index] ^= 1 << bit
                let found = verifySignature(
                    timestamps: slices(["5000"]), signatures: [changed[...]], body: body.span,
                    credentials: credentials, nowSeconds: 5000)
                #expect(found == .mismatch || found == .malformed)
            }
        }
    }

    @Test func endedSecretsAreNotUnsigned() {
        let credentials = EndpointCredentials(
            scheme: .none, secrets: [RotatingSecret(secret: secret, untilSeconds: 5000)])
        let right = requestSignature(secret: secret, timestamp: "5000", body: body)
        guard case .accepted = verdict(credentials, signature: right, now: 5000) else {
            Issue.record("the last valid second is refused")
            return
        }
        #expect(verdict(credentials, signature: right, now: 5001) == .mismatch)
    }

    @Test func windowIsASetting() {
        let credentials = EndpointCredentials(scheme: .none, secrets: [RotatingSecret(secret: secret)])
        let right = requestSignature(secret: secret, timestamp: "5000", body: body)
        #expect(word(verdict(credentials, signature: right, now: 5007, window: 7)) == "accepted")
        #expect(verdict(credentials, signature: right, now: 5008, window: 7) == .clock(differenceSeconds: -8))
        #expect(verdict(credentials, signature: right, now: 4992, window: 7) == .clock(differenceSeconds: 8))
    }

    /// Equal signatures are one entry of the used ones, others are not, whichever byte they differ in.
    @Test func signatureIdentity() throws {
        let credentials = EndpointCredentials(scheme: .none, secrets: [RotatingSecret(secret: secret)])
        var seen: Set<Signature> = []
        for second in 0..<200 {
            let text = requestSignature(secret: secret, timestamp: "\(second)", body: body)
            for _ in 0..<2 {
                let verdict = verifySignature(
                    timestamps: slices(["\(second)"]), signatures: slices([text]), body: body.span,
                    credentials: credentials, nowSeconds: 100)
                guard case .accepted(let signature, _) = verdict else { continue }
                seen.insert(signature)
            }
        }
        #expect(seen.count == 200)
    }

    /// The keyed state is shared by all I/O threads.
    @Test func keyedStateIsSharedSafely() async {
        let right = requestSignature(secret: secret, timestamp: "5000", body: body)
        let (secret, body) = (secret, body)
        let wrong = await withTaskGroup(of: Int.self) { group in
            for _ in 0..<8 {
                group.addTask {
                    (0..<500).count { _ in requestSignature(secret: secret, timestamp: "5000", body: body) != right }
                }
            }
            return await group.reduce(0, +)
        }
        #expect(wrong == 0)
    }

    /// `1,000,000` bytes of `a` under a 20-byte key of 0x0b: RFC 4231's first key, a long message by another tool.
    @Test func longBody() {
        let long = [UInt8](repeating: UInt8(ascii: "a"), count: 1_000_000)
        let signature = requestSignature(
            secret: Secret([UInt8](repeating: 0x0B, count: 20)), timestamp: "1", body: long)
        #expect(signature == "v1=40f1b502adcf022dfaa7ffdc978cc3ede2af3f7bb9e4077d34c539912e248880")
    }
}
