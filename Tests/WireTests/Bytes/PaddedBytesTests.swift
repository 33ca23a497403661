import Synchronization
import TestSupport
import Testing
import Wire

/// Memory of its own that notes what becomes of it.
private final class Block: PaddedBytesOwner {
    nonisolated(unsafe) let base: UnsafeMutablePointer<UInt8>
    let ended: EndCount
    let discarded = Mutex<[Int]>([])

    final class EndCount: Sendable { let value = Atomic<Int>(0) }

    init(_ bytes: [UInt8], _ ended: EndCount) {
        base = .allocate(capacity: bytes.count + PaddedBytes.paddingBytes)
        base.initialize(repeating: 0, count: bytes.count + PaddedBytes.paddingBytes)
        for (index, byte) in bytes.enumerated() { base[index] = byte }
        self.ended = ended
    }

    deinit {
        base.deallocate()
        ended.value.add(1, ordering: .relaxed)
    }

    func discard(before offset: Int) { discarded.withLock { $0.append(offset) } }
}

struct PaddedBytesTests {
    private let text = Array(#"{"a":["x\u00e9",1.5,true],"b":"ü"}"#.utf8)

    @Test func bothBackingsReadAlike() throws {
        let ended = Block.EndCount()
        let block = Block(text, ended)
        let bodies = [PaddedBytes(text), PaddedBytes(unsafeBase: block.base, count: text.count, owner: block)]
        #expect(!bodies[0].isMapped && bodies[1].isMapped)
        for body in bodies {
            #expect(body.count == text.count && Array(body.content) == text && Array(body[2..<5]) == Array(text[2..<5]))
            body.withContent { #expect($0.count == text.count && $0[0] == UInt8(ascii: "{")) }
            body.withBytes(1..<2) { #expect($0.count == 1 && $0[0] == UInt8(ascii: "\"")) }
            var scanner = try JSONScanner(body)
            #expect(try scanner.skip() == 0..<text.count)
            try scanner.finish()
            var all: [UInt8] = []
            body.forEachPiece { all.append(copying: $0) }
            #expect(all == text)
        }
    }

    @Test func theOwnerLivesAsLongAsAnyCopyAndNoLonger() {
        let ended = Block.EndCount()
        var copies: [PaddedBytes] = []
        do {
            let block = Block(text, ended)
            copies = [PaddedBytes(unsafeBase: block.base, count: text.count, owner: block)]
        }
        copies.append(copies[0])
        copies.removeFirst()
        #expect(ended.value.load(ordering: .relaxed) == 0)
        #expect(Array(copies[0].content) == text)
        copies = []
        #expect(ended.value.load(ordering: .relaxed) == 1)
    }

    @Test func discardIsKeptInsideOfTheContent() {
        let block = Block(text, Block.EndCount())
        let body = PaddedBytes(unsafeBase: block.base, count: text.count, owner: block)
        for offset in [-1, 0, 5, text.count, .max] { body.discard(before: offset) }
        #expect(block.discarded.withLock { $0 } == [0, 0, 5, text.count, text.count])
        PaddedBytes(text).discard(before: 5)  // nothing happens to an array
    }

    @Test func anEmptyBodyHasItsPadding() throws {
        let body = PaddedBytes([])
        #expect(body.count == 0 && body.content.isEmpty)
        body.withContent { #expect($0.count == 0) }
        var scanner = try JSONScanner(body)
        #expect(throws: JSONFault.self) { try scanner.skip() }
    }
}
