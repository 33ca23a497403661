/// The member names seen so far in each open object, to find one that comes twice.
///
/// A name is 32 bits of its hash and where it starts. Up to 24 names an object are compared one by one behind a 64-bit
/// filter, more through an open-addressed table, so that an object of thousands of members stays linear. A hash that is
/// there already only says "perhaps": the caller compares the names then, which no sender can bring about at will since
/// the hash is keyed. Memory: 8 bytes a name, 8 to 16 more in a table.
@usableFromInline
@safe struct MemberNames: ~Copyable, @unchecked Sendable {  // the only owner of its memory, which nothing else sees
    @usableFromInline
    struct Entry: Sendable {
        @usableFromInline var hash: UInt32
        @usableFromInline var offset: UInt32
        @inlinable init(hash: UInt32, offset: UInt32) {
            self.hash = hash
            self.offset = offset
        }
    }

    /// An object with another one open in it.
    @usableFromInline
    struct Frame: Sendable {
        @usableFromInline var start: Int
        @usableFromInline var filter: UInt64
        @inlinable init(start: Int, filter: UInt64) {
            self.start = start
            self.filter = filter
        }
    }

    @usableFromInline static let linearNames = 24

    /// Names of all open objects, the innermost last: `used` of `capacity`.
    @usableFromInline var entries: UnsafeMutablePointer<Entry>
    @usableFromInline var capacity = 64
    @usableFromInline var used = 0
    /// Index of the innermost object's first name.
    @usableFromInline var start = 0
    /// Bit n is set when the innermost object has a name with those six top bits of its hash.
    @usableFromInline var filter: UInt64 = 0
    @usableFromInline var outer: [Frame] = []
    /// A table a level of `outer`, of indices into `entries` plus one; 0 is a free place, and there is none while names
    /// are compared one by one.
    @usableFromInline var tables: [[UInt32]] = []

    @usableFromInline init() {
        unsafe entries = .allocate(capacity: 64)
        outer.reserveCapacity(16)
    }

    deinit { unsafe entries.deallocate() }

    @inlinable mutating func open() {
        outer.append(Frame(start: start, filter: filter))
        start = used
        filter = 0
    }

    @inlinable mutating func close() {
        if used - start > Self.linearNames { tables[outer.count - 1] = [] }
        used = start
        guard let frame = outer.popLast() else { return }
        start = frame.start
        filter = frame.filter
    }

    /// How many names the innermost object has.
    @inlinable var count: Int { used - start }

    /// Where the names start that the innermost object had before its last one, with the same 32 bits.
    func offsetsLikeLast() -> [Int] {
        guard count > 0 else { return [] }
        let hash = unsafe entries[used - 1].hash
        var offsets: [Int] = []
        for index in start..<used - 1 where unsafe entries[index].hash == hash {
            offsets.append(unsafe Int(entries[index].offset))
        }
        return offsets
    }

    /// Notes a name of the innermost object.
    ///
    /// - Returns: false when a name with the same 32 bits was there before.
    @inlinable @inline(__always)
    mutating func insert(hash: UInt64, offset: Int) -> Bool {
        let short = UInt32(truncatingIfNeeded: hash)
        let bit: UInt64 = 1 &<< (hash >> 58)
        var isNew = true
        if count >= Self.linearNames {
            isNew = insertIntoTable(hash: short)
        } else {
            if filter & bit != 0 {
                var index = start
                while index < used {
                    if unsafe entries[index].hash == short { isNew = false }
                    index &+= 1
                }
            }
            filter |= bit
        }
        if used == capacity { grow() }
        unsafe entries[used] = Entry(hash: short, offset: UInt32(truncatingIfNeeded: offset))
        used &+= 1
        return isNew
    }

    @usableFromInline
    mutating func grow() {
        let larger = UnsafeMutablePointer<Entry>.allocate(capacity: capacity * 2)
        unsafe larger.moveInitialize(from: entries, count: used)
        unsafe entries.deallocate()
        unsafe entries = larger
        capacity *= 2
    }

    /// Gives the name that is about to become `entries[used]` its place in the table.
    @usableFromInline
    mutating func insertIntoTable(hash: UInt32) -> Bool {
        let level = outer.count - 1
        while tables.count <= level { tables.append([]) }
        if (count + 1) * 2 > tables[level].count { growTable(level) }
        let mask = tables[level].count - 1
        var place = Int(hash) & mask, isNew = true
        while tables[level][place] != 0 {
            if unsafe entries[Int(tables[level][place]) - 1].hash == hash { isNew = false }
            place = (place + 1) & mask
        }
        tables[level][place] = UInt32(truncatingIfNeeded: used + 1)
        return isNew
    }

    private mutating func growTable(_ level: Int) {
        let count = max(128, tables[level].count * 2), mask = count - 1
        var table = [UInt32](repeating: 0, count: count)
        for index in start..<used {
            var place = unsafe Int(entries[index].hash) & mask
            while table[place] != 0 { place = (place + 1) & mask }
            table[place] = UInt32(truncatingIfNeeded: index + 1)
        }
        tables[level] = table
    }
}
