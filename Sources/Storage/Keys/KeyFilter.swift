import CLinux

/// A Bloom filter of one run: says "no" for sure, and "maybe" to about one of 1,200 that are not there.
///
/// Blocks of one cache line each, eight bits an entry, one in each word; the block follows from the upper bits of the hash, so
/// that entries that come in order fill the filter from its front: it can be written piece by piece.
/// Source: Putze, Sanders, Singler: Cache-, Hash- and Space-Efficient Bloom Filters, 2007.
struct KeyFilter {
    static let bitsPerEntry = 16
    private static let wordsPerBlock = 8
    /// Blocks of one row of `key_filter`, so that it fits a page.
    static let blocksPerPiece = 63
    private static let pieceWords = blocksPerPiece * wordsPerBlock

    let blocks: Int
    private var words: [UInt64]

    init(entries: Int) { self.init(blocks: max(1, (entries * Self.bitsPerEntry + 511) / 512)) }

    init(blocks: Int) {
        self.blocks = blocks
        words = Array(repeating: 0, count: blocks * Self.wordsPerBlock)
    }

    /// The block of a hash: never smaller for a greater hash.
    func block(of hash: UInt64) -> Int { Int(hash.multipliedFullWidth(by: UInt64(blocks)).high) }

    /// Eight times six bits that depend on all of the hash, whose lower bits are zero.
    private static func bits(_ hash: UInt64) -> UInt64 {
        let product = hash.multipliedFullWidth(by: 0x9E37_79B9_7F4A_7C15)
        return (product.high ^ product.low) >> 16
    }

    mutating func insert(_ hash: UInt64) {
        let base = block(of: hash) * Self.wordsPerBlock
        var bits = Self.bits(hash)
        for word in 0..<Self.wordsPerBlock {
            words[base + word] |= 1 << (bits & 63)
            bits >>= 6
        }
    }

    /// Has what `mayContain` looks at on its way: it is hardly ever in the processor's cache.
    func prefetch(_ hash: UInt64) {
        let base = block(of: hash) * Self.wordsPerBlock
        unsafe words.withUnsafeBufferPointer { words in
            if let start = words.baseAddress { unsafe linux_prefetch(start + base) }
        }
    }

    func mayContain(_ hash: UInt64) -> Bool {
        let base = block(of: hash) * Self.wordsPerBlock
        var bits = Self.bits(hash)
        // No branch a bit: the answer of each is as good as random. That of half of them is nearly always no.
        return unsafe words.withUnsafeBufferPointer { words in
            var all: UInt64 = 1
            for half in 0..<2 {
                for word in 0..<Self.wordsPerBlock / 2 {
                    unsafe all &= words[base &+ half &* (Self.wordsPerBlock / 2) &+ word] &>> (bits & 63)
                    bits >>= 6
                }
                if all == 0 { return false }
            }
            return true
        }
    }

    // MARK: Pieces

    var pieces: Int { Self.pieces(ofBlocks: blocks) }

    static func pieces(ofBlocks blocks: Int) -> Int { (blocks + blocksPerPiece - 1) / blocksPerPiece }

    /// Pieces that no entry with a hash of `hash` or more can change.
    func finishedPieces(before hash: UInt64) -> Int { block(of: hash) / Self.blocksPerPiece }

    func piece(_ index: Int) -> [UInt8] {
        let from = index * Self.pieceWords, to = min(words.count, from + Self.pieceWords)
        var bytes: [UInt8] = []
        bytes.reserveCapacity((to - from) * 8)
        for word in words[from..<to] {
            unsafe withUnsafeBytes(of: word.littleEndian) { unsafe bytes.append(contentsOf: $0) }
        }
        return bytes
    }

    /// - Returns: false when the bytes are not those of a piece.
    mutating func set(_ index: Int, _ bytes: [UInt8]) -> Bool {
        guard index >= 0, index < pieces else { return false }
        let from = index * Self.pieceWords, to = min(words.count, from + Self.pieceWords)
        guard bytes.count == (to - from) * 8 else { return false }
        unsafe bytes.withUnsafeBytes { raw in
            for word in from..<to {
                words[word] = unsafe UInt64(
                    littleEndian: raw.loadUnaligned(fromByteOffset: (word - from) * 8, as: UInt64.self))
            }
        }
        return true
    }
}
