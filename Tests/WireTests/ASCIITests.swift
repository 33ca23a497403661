import Testing

@testable import Wire

@Test func asciiClasses() {
    let token = Set("!#$%&'*+-.^_`|~0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz".utf8)
    for byte in UInt8.min...UInt8.max {
        #expect(isTokenByte(byte) == token.contains(byte))
        #expect(isDigit(byte) == (0x30...0x39).contains(byte))
        #expect(asciiLowercased(byte) == ((0x41...0x5A).contains(byte) ? byte + 0x20 : byte))
    }
    #expect(equalsIgnoringCase("KeeP".utf8, "keep"))
    #expect(!equalsIgnoringCase("\u{212A}eep".utf8, "keep"))  // the Kelvin sign
    #expect(!equalsIgnoringCase("kee".utf8, "keep"))
    let bytes = Array("a \t b c\t ".utf8)
    #expect(trimmingBlanks(bytes[1...]).elementsEqual("b c".utf8))
    #expect(trimmingBlanks(bytes[1..<4]).isEmpty)
    var copy = Array("x".utf8)
    copy.append(copying: bytes.span.extracting(4..<7))
    copy.append(copying: bytes.span.extracting(0..<0))
    #expect(copy == Array("xb c".utf8))
}
