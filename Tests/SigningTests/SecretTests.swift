import Foundation
import Signing
import Testing

@Suite struct SecretRules {
    @Test func neverShown() {
        let secret = Secret(text: "hunter2-hunter2")
        let credentials = EndpointCredentials(
            scheme: .bearer, tokens: [RotatingSecret(secret: secret)], secrets: [RotatingSecret(secret: secret)])
        var dumped = ""
        dump(credentials, to: &dumped)
        let texts = [
            "\(secret)", String(describing: secret), String(reflecting: secret), "\(credentials)",
            String(reflecting: credentials), dumped, "\(Optional(secret) as Any)", "\([secret])",
        ]
        for text in texts {
            #expect(!text.contains("hunter2"))
            #expect(!text.contains("104, 117, 110"))  // the same as decimal bytes
        }
        #expect(Mirror(reflecting: secret).children.isEmpty)
    }

    @Test func equality() {
        let secret = Secret(text: "abcdef")
        #expect(secret == Secret(Array("abcdef".utf8)))
        for other in ["", "abcde", "abcdefg", "Abcdef", "abcdeF", "abc\u{0}ef"] {
            #expect(secret != Secret(text: other))
            #expect(!secret.matches(Array(other.utf8)[...]))
        }
        #expect(secret.matches(Array("xxabcdefxx".utf8)[2..<8]))
        #expect(Secret([]) == Secret(text: ""))
        #expect(secret.count == 6)
        #expect(secret.withBytes { bytes in bytes.indices.map { bytes[$0] } } == Array("abcdef".utf8))
    }

    @Test func fresh() {
        let tokens = (0..<50).map { _ in SystemRandom.token() }
        #expect(Set(tokens).count == 50)
        for token in tokens + [String(SystemRandom.signingSecret().dropFirst(6))] {
            #expect(token.wholeMatch(of: /[A-Za-z0-9_-]{43}/) != nil)
        }
        #expect(SystemRandom.signingSecret().hasPrefix("whsec_"))
        #expect(SystemRandom.bytes(0).isEmpty)
        #expect(SystemRandom.bytes(1000).count == 1000)
        #expect(Set(SystemRandom.bytes(1000)).count > 200)
    }
}
