import Foundation
import Testing
import Wire

@Suite struct Base64Rules {
    /// RFC 4648 section 10, and bytes that need the two characters in which the alphabets differ.
    @Test(arguments: [
        ("", "", ""), ("f", "Zg==", "Zg"), ("fo", "Zm8=", "Zm8"), ("foo", "Zm9v", "Zm9v"),
        ("foob", "Zm9vYg==", "Zm9vYg"),
        ("fooba", "Zm9vYmE=", "Zm9vYmE"), ("foobar", "Zm9vYmFy", "Zm9vYmFy"), ("?>?>", "Pz4/Pg==", "Pz4_Pg"),
        ("\u{7FF}>", "378+", "378-"),
    ]) func known(text: String, standard: String, url: String) {
        #expect(base64(Array(text.utf8)) == Array(standard.utf8))
        #expect(base64(Array(text.utf8), .url) == Array(url.utf8))
        #expect(base64Decoded(Array(standard.utf8)) == Array(text.utf8))
        #expect(base64Decoded(Array(url.utf8), .url) == Array(text.utf8))
    }

    @Test(arguments: [
        "Z", "Zg", "Zg=", "Zg===", "Zg==Zg==", "Z===", "====", "=", "Zh==", "Zm9=", "Zm8", "Zm8==", " Zg==", "Zg== ",
        "Z g=",
        "Zg\n=", "Zm9v\n", "Zm9v\r\n", "Zm9\u{E9}", "Zm9-", "Zm9_", "Zm9v=", "Zm9v====", "=m9v", "Zm=v", "Zm\0v",
        "Zm9.",
    ]) func refused(text: String) {
        #expect(base64Decoded(Array(text.utf8)) == nil)
    }

    @Test(arguments: ["Z", "Zg==", "Zm8=", "Zh", "Zm9", "Zm9+", "Zm9/", "Zm9vY", "Zg ", " Zg", "Zg\n", "="])
    func refusedAsURL(text: String) {
        #expect(base64Decoded(Array(text.utf8), .url) == nil)
    }

    @Test func agreesWithFoundationAtEveryLength() {
        for count in 0..<200 {
            let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 167 &+ count) }
            let text = base64(bytes)
            #expect(text == Array(Data(bytes).base64EncodedData()))
            #expect(base64Decoded(text) == bytes)
            #expect(base64Decoded(base64(bytes, .url), .url) == bytes)
        }
    }

    /// Every text of four characters from a few means one thing or nothing.
    @Test func noTwoTextsMeanTheSame() {
        let characters = Array("AQZg/+=-_ \n".utf8)
        var seen: [[UInt8]: [UInt8]] = [:]
        for a in characters {
            for b in characters {
                for c in characters {
                    for d in characters {
                        guard let bytes = base64Decoded([a, b, c, d]) else { continue }
                        #expect(seen.updateValue([a, b, c, d], forKey: bytes) == nil)
                        #expect(base64(bytes) == [a, b, c, d])
                    }
                }
            }
        }
    }
}
