import TestSupport
import Testing
import Wire

/// RFC 1952, as a body may come.
struct GzipDecoderTests {
    private struct TooMuch: Error {}

    private func decode(_ pieces: [[UInt8]], limit: Int = .max) throws -> [UInt8] {
        let decoder = GzipDecoder()
        var all: [UInt8] = []
        for piece in pieces {
            try decoder.decode(piece.span) { bytes in
                #expect(bytes.count <= GzipDecoder.pieceBytes)
                guard bytes.count <= limit - all.count else { throw TooMuch() }
                all.append(copying: bytes)
            }
        }
        try decoder.finish()
        return all
    }

    private let text = Array(#"{"data":{"metrics":[{"name":"step_count","units":"count","data":[]}]}}"#.utf8)

    @Test func aBodyComesBackHoweverItIsCut() throws {
        let whole = gzip(text)
        #expect(try decode([whole]) == text)
        for cut in whole.indices { #expect(try decode([Array(whole[..<cut]), Array(whole[cut...])]) == text) }
        #expect(try decode(whole.map { [$0] }) == text)
        #expect(try decode([gzip([])]) == [])
        let large = (0..<3_000_000).map { UInt8(truncatingIfNeeded: $0 &* $0 >> 7) }
        #expect(try decode([gzip(large)]) == large)
    }

    @Test func severalMembersAreOneBody() throws {
        let (head, tail) = (Array(text[..<20]), Array(text[20...]))
        #expect(try decode([gzip(head) + gzip([]) + gzip(tail)]) == text)
        #expect(try decode((gzip(head) + gzip(tail)).map { [$0] }) == text)
    }

    @Test func whatIsCutShortIsTruncated() {
        let whole = gzip(text)
        for cut in whole.indices {
            #expect(throws: GzipFault.truncated, "cut at \(cut)") { try decode([Array(whole[..<cut])]) }
        }
        #expect(throws: GzipFault.truncated) { try decode([]) }
        #expect(throws: GzipFault.truncated) { try decode([whole + whole.prefix(5)]) }
    }

    @Test func whatFollowsIsRefused() {
        #expect(throws: GzipFault.trailing) { try decode([gzip(text) + [0]]) }
        #expect(throws: GzipFault.trailing) { try decode([gzip(text), text]) }
        #expect(throws: GzipFault.invalid) { try decode([gzip(text) + [0x1F, 0x00, 0x08]]) }
    }

    @Test func otherBytesAreInvalid() {
        #expect(throws: GzipFault.invalid) { try decode([text]) }
        #expect(throws: GzipFault.invalid, "zlib's own header") { try decode([[0x78, 0x9C, 0x03, 0x00, 0, 0, 0, 1]]) }
        var whole = gzip(text)
        whole[whole.count - 6] ^= 1  // in the checksum
        #expect(throws: GzipFault.invalid) { try decode([whole]) }
    }

    @Test func damageNeverTrapsOrHangs() {
        var generator = SeededGenerator(seed: 1952)
        let whole = gzip(text + text.reversed())
        for _ in 0..<2_000 {
            let damaged = whole.mutated(alphabet: Array(0...255), using: &generator)
            _ = try? decode([damaged], limit: 1 << 20)
        }
    }

    @Test func aBombStopsAtItsReadersLimit() {
        let bomb = gzip([UInt8](repeating: 0x20, count: 64 << 20), level: 9)
        #expect(bomb.count < 100_000)
        #expect(throws: TooMuch.self) { try decode([bomb], limit: 1 << 20) }
    }
}
