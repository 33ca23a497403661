import Testing

@testable import Signing

/// What other tools made of the same bytes.
struct DigestTests {
    struct Keyed: Sendable {
        var key: [UInt8]
        var message: [UInt8]
        var code: String

        init(_ key: [UInt8], _ message: [UInt8], _ code: String) {
            self.key = key
            self.message = message
            self.code = code
        }
        init(_ key: [UInt8], _ message: String, _ code: String) { self.init(key, Array(message.utf8), code) }
    }

    /// Source: RFC 4231 sections 4.2 to 4.8, and keys around the length of a block (Python's `hmac`).
    static let keyed = [
        Keyed(
            repeated(0x0B, 20), "Hi There", "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7"),
        Keyed(
            Array("Jefe".utf8), "what do ya want for nothing?",
            "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"),
        Keyed(
            repeated(0xAA, 20), repeated(0xDD, 50),
            "773ea91e36800e46854db8ebd09181a72959098b3ef8c122d9635514ced565fe"),
        Keyed(
            Array(1...25), repeated(0xCD, 50), "82558a389a443c0ea4cc819899f2083a85f0faa3e578f8077a2e3ff46729665b"),
        Keyed(
            repeated(0xAA, 131), "Test Using Larger Than Block-Size Key - Hash Key First",
            "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54"),
        Keyed(
            repeated(0xAA, 131),
            "This is a test using a larger than block-size key and a larger than block-size data. "
                + "The key needs to be hashed before being used by the HMAC algorithm.",
            "9b09ffa71b942fcb27635fbcd5b0e944bfdc63644f0713938a7f51535c3a35e2"),
        Keyed([], "edge", "c24b2592df1c3888039fffc149c1fc9f6c5ca3824f4a3b0f574b64913ce8d858"),
        Keyed(repeated(0x6B, 63), "edge", "b414a00a80bac00c2788dccec9c37cacbc5c5d5fa019ab850f2a05f396448b87"),
        Keyed(repeated(0x6B, 64), "edge", "01aff17ef5e74f80ba23ab0da9066302e79e7f1190c82e30e2f6efb9d4e400e7"),
        Keyed(repeated(0x6B, 65), "edge", "636761aa0aca084843194250bab59077582294b3d305e5803b81af095596492a"),
    ]

    static func repeated(_ byte: UInt8, _ count: Int) -> [UInt8] { [UInt8](repeating: byte, count: count) }

    @Test(arguments: keyed) func messageIsCoded(vector: Keyed) {
        let key = HMACKey(vector.key.span)
        for cut in 0...vector.message.count {
            let code = key.code(
                prefix: vector.message.span.extracting(first: cut),
                body: vector.message.span.extracting(droppingFirst: cut))
            #expect(hex(code.span) == vector.code)
        }
    }

    @Test func messagesOfOneKeyDoNotMeet() {
        let vector = Self.keyed[1]
        let key = HMACKey(vector.key.span)
        let first = key.message()
        first.add(vector.message.span.extracting(first: 4))
        let second = key.message()
        second.add(vector.message.span)
        first.add(vector.message.span.extracting(droppingFirst: 4))
        #expect(hex(first.code().span) == vector.code && hex(second.code().span) == vector.code)
    }

    /// So many times the letter a, around the length of a block: `sha256sum` and `sha1sum`.
    @Test(arguments: [
        (
            0, "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
            "da39a3ee5e6b4b0d3255bfef95601890afd80709"
        ),
        (
            3, "9834876dcfb05cb167a5c24953eba58c4ac89b1adf57f28f2f9d09af107ee8f0",
            "7e240de74fb1ed08fa08d38063f6a6a91462a815"
        ),
        (
            55, "9f4390f8d30c2dd92ec9f095b65e2b9ae9b0a925a5258e241c9f1e910f734318",
            "c1c8bbdc22796e28c0e15163d20899b65621d65a"
        ),
        (
            56, "b35439a4ac6f0948b6d6f9e3c6af0f5f590ce20f1bde7090ef7970686ec6738a",
            "c2db330f6083854c99d4b5bfb6e8f29f201be699"
        ),
        (
            63, "7d3e74a05d7db15bce4ad9ec0658ea98e3f06eeecf16b4c6fff2da457ddc2f34",
            "03f09f5b158a7a8cdad920bddc29b81c18a551f5"
        ),
        (
            64, "ffe054fe7ae0cb6dc65c3af9b61d5209f439851db43d0ba5997337df154668eb",
            "0098ba824b5c16427bd7a1122a5a442a25ec644d"
        ),
        (
            65, "635361c48bb9eab14198e76ea8ab7f1a41685d6ad62aa9146d301d4f17eb0ae0",
            "11655326c708d70319be2610e8a57d9a5b959d3b"
        ),
        (
            1000, "41edece42d63e8d9bf515a9ba6932e1c20cbc9f5a5d134645adb5db1b9737ea3",
            "291e9a6c66994949b57ba5e650361e98fc36b1ba"
        ),
    ])
    func bytesAreNamed(count: Int, sha256: String, sha1: String) {
        let bytes = Self.repeated(UInt8(ascii: "a"), count)
        #expect(hex(Digest.sha256(bytes.span).span) == sha256)
        #expect(hex(Digest.sha1(bytes.span).span) == sha1)
    }

    @Test(arguments: [0, 1, 255, 256, 257, 1_000]) func randomBytesAreAsManyAsAskedFor(count: Int) {
        let bytes = SystemRandom.bytes(count)
        #expect(bytes.count == count)
        // That 32 bytes of the end are all zero, or come again, is out of the question.
        if count > 32 { #expect(bytes.suffix(32).contains { $0 != 0 } && bytes != SystemRandom.bytes(count)) }
    }

    private func hex(_ bytes: Span<UInt8>) -> String {
        var text = ""
        for index in bytes.indices {
            let digits = String(bytes[index], radix: 16)
            text += digits.count == 1 ? "0" + digits : digits
        }
        return text
    }
}
