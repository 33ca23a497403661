/// The member names seen so far in each open object, to find one that comes twice.
///
/// A name is its hash and where it starts; the caller compares names whose hashes are equal. Up to 24 names an object are
/// compared one by one behind a 64-bit filter, more through an open-addressed table, so that an object of thousands of
/// members stays linear. Memory: 8 bytes a name, 8 to 16 more in a table.
@usableFromInline
struct MemberNames: Sendable {
    @usableFromInline
    struct Entry: Sendable {
        @usableFromInline var hash: UInt32
        @usableFromInline var offset: UInt32
        @inlinable init(hash: UInt32, offset: UInt32) {
            self.hash = hash
            self.offset = offset
        }
    }

    /// One open object; an array has one too that stays empty.
    @usableFromInline
    struct Frame: Sendable {
        /// Index of the object's first name in `entries`.
        @usableFromInline var start = 0
        /// Bit n is set when a name with those six top bits of its hash is there.
        @usableFromInline var filter: UInt64 = 0
        @inlinable init() {}
    }

    @usableFromInline static let linearNames = 24

    @usableFromInline var entries: [Entry] = []
    @usableFromInline var frames: [Frame]
    /// A table a depth, of indices into `entries` plus one; 0 is a free place. Empty while names are compared one by one.
    @usableFromInline var tables: [[UInt32]]

    @usableFromInline
    init(maximumDepth: Int) {
        entries.reserveCapacity(64)
        frames = Array(repeating: Frame(), count: maximumDepth + 1)
        tables = Array(repeating: [], count: maximumDepth + 1)
    }

    @inlinable mutating func open(depth: Int) {
        frames[depth].start = entries.count
        frames[depth].filter = 0
    }

    @inlinable mutating func close(depth: Int) {
        let start = frames[depth].start
        if entries.count - start > Self.linearNames { tables[depth] = [] }
        entries.removeLast(entries.count - start)
    }

    @inlinable func count(depth: Int) -> Int { entries.count - frames[depth].start }

    /// Notes a name of the object at `depth`.
    ///
    /// - Returns: false when the name was there: `isSame` said so of an offset with an equal hash.
    @inlinable
    mutating func insert(hash: UInt64, offset: Int, depth: Int, isSame: (_ earlierOffset: Int) -> Bool) -> Bool {
        let short = UInt32(truncatingIfNeeded: hash)
        let bit: UInt64 = 1 << (hash >> 58)
        let start = frames[depth].start
        if entries.count - start >= Self.linearNames {
            return insertIntoTable(hash: short, offset: offset, depth: depth, isSame: isSame)
        }
        if frames[depth].filter & bit != 0 {
            var index = start
            while index < entries.count {
                if entries[index].hash == short && isSame(Int(entries[index].offset)) { return false }
                index += 1
            }
        }
        frames[depth].filter |= bit
        entries.append(Entry(hash: short, offset: UInt32(truncatingIfNeeded: offset)))
        return true
    }

    @usableFromInline
    mutating func insertIntoTable(hash: UInt32, offset: Int, depth: Int, isSame: (Int) -> Bool) -> Bool {
        let start = frames[depth].start
        if (entries.count - start + 1) * 2 > tables[depth].count { grow(depth: depth) }
        let mask = tables[depth].count - 1
        var place = Int(hash) & mask
        while tables[depth][place] != 0 {
            let entry = entries[Int(tables[depth][place]) - 1]
            if entry.hash == hash && isSame(Int(entry.offset)) { return false }
            place = (place + 1) & mask
        }
        entries.append(Entry(hash: hash, offset: UInt32(truncatingIfNeeded: offset)))
        tables[depth][place] = UInt32(truncatingIfNeeded: entries.count)
        return true
    }

    private mutating func grow(depth: Int) {
        let count = max(128, tables[depth].count * 2), mask = count - 1
        var table = [UInt32](repeating: 0, count: count)
        for index in frames[depth].start..<entries.count {
            var place = Int(entries[index].hash) & mask
            while table[place] != 0 { place = (place + 1) & mask }
            table[place] = UInt32(truncatingIfNeeded: index + 1)
        }
        tables[depth] = table
    }
}
