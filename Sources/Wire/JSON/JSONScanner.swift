/// What kind of value stands at a place.
package enum JSONKind: UInt8, Sendable { case object, array, string, number, bool, null }

/// A string of the text, still as the sender wrote it.
package struct JSONText: Equatable, Sendable {
    /// Of the first byte behind the opening quote.
    package var offset: Int
    /// Raw bytes between the quotes.
    package var count: Int
    /// Whether the raw bytes differ from the string's own.
    package var hasEscapes: Bool

    @inlinable package init(offset: Int, count: Int, hasEscapes: Bool) {
        self.offset = offset
        self.count = count
        self.hasEscapes = hasEscapes
    }

    /// The raw bytes between the quotes.
    @inlinable package var range: Range<Int> { offset..<offset + count }
    /// The raw bytes with their quotes.
    @inlinable package var quotedRange: Range<Int> { offset - 1..<offset + count + 1 }
}

/// What a JSON text may ask of its reader.
package struct JSONLimits: Equatable, Sendable {
    /// Arrays and objects in each other; 64 at most, since the reader keeps a bit for each.
    package var maximumDepth = 64
    /// Characters of one number: no sensor needs more, and what is dropped past 19 digits is read twice.
    package var maximumNumberBytes = 64
    /// Whether what is no number of JSON or of ours is read as a number that is not finite instead of a fault: the tokens
    /// `NaN`, `Infinity` and `-Infinity` (NaN), a number beyond a double's range (infinite), one of too many characters (NaN).
    package var takesAnyNumber = false
    /// Whether a number of JSON's grammar that is skipped, not read, may be beyond a double's range and of any length.
    package var skipsAnyNumber = false

    package init(
        maximumDepth: Int = 64, maximumNumberBytes: Int = 64, takesAnyNumber: Bool = false, skipsAnyNumber: Bool = false
    ) {
        self.maximumDepth = min(maximumDepth, 64)
        self.maximumNumberBytes = maximumNumberBytes
        self.takesAnyNumber = takesAnyNumber
        self.skipsAnyNumber = skipsAnyNumber
    }

    /// Of what is stored. It was checked when it came, by limits that a dialect or an owner may have widened; whoever
    /// reads it again refuses nothing that came through.
    package static let stored = JSONLimits(maximumNumberBytes: 1_024, takesAnyNumber: true)
    /// Of a file that `server export` wrote: what is stored, in whose columns every number is finite.
    package static let exported = JSONLimits(maximumNumberBytes: 1_024, skipsAnyNumber: true)
}

/// Reads a JSON text front to back, one value at a time, without building anything.
///
/// The reader asks for what it expects: `enterObject`, then `nextMember` until nil, then for each member one of
/// `enterObject`, `enterArray`, `text`, `number`, `bool`, `null` or `skip`; `finish` at the end. All of RFC 8259 is
/// checked on the way, in what is skipped too: grammar, UTF-8, escapes, depth, repeated member names.
///
/// Memory safety: `position` never passes `count`, since no byte of the padding is white space, a digit, a quote or any
/// other byte that moves it on; loads look ahead at most 16 bytes, which the padding of `PaddedBytes` covers. `base` is
/// `storage`'s, which lives as long as the scanner; that the scanner holds it itself spares a load and a retain a byte.
@safe package struct JSONScanner: ~Copyable, Sendable {
    /// Members of one object; 6 MB of names is the most that the check for repeated ones may take.
    package static let maximumMembers = 1 << 18
    /// Offsets are kept in 32 bits.
    package static let maximumBytes = Int(Int32.max)

    @usableFromInline let limits: JSONLimits
    @usableFromInline let storage: PaddedBytes
    @usableFromInline nonisolated(unsafe) let base: UnsafePointer<UInt8>
    @usableFromInline let count: Int
    /// Of the next byte to read.
    @usableFromInline package internal(set) var position: Int
    /// Arrays and objects that are open.
    @usableFromInline package internal(set) var depth = 0
    /// Bit n is set when the container at depth n + 1 is an object.
    @usableFromInline var objects: UInt64 = 0
    /// Whether a container was just opened, so that no comma comes before its next value.
    @usableFromInline var isFirst = true
    @usableFromInline var names = MemberNames()
    @usableFromInline let key = ByteHash.process

    /// Starts at the first value of `body`.
    ///
    /// - Throws: `.byteOrderMark`, `.tooLong`.
    package init(_ body: PaddedBytes, limits: JSONLimits = JSONLimits()) throws(JSONFault) {
        guard body.count <= Self.maximumBytes else { throw JSONFault(.tooLong, offset: Self.maximumBytes) }
        guard !(body.byte(0) == 0xEF && body.byte(1) == 0xBB && body.byte(2) == 0xBF) else {
            throw JSONFault(.byteOrderMark, offset: 0)
        }
        self.init(body, at: 0, limits: limits)
        skipSpace()
    }

    /// Starts at a value that is known to be there, such as a range that `skip` returned, to read it again.
    package init(_ body: PaddedBytes, at offset: Int, limits: JSONLimits = JSONLimits()) {
        precondition(offset >= 0 && offset <= body.count && body.count <= Self.maximumBytes)
        self.limits = limits
        storage = body
        unsafe base = body.base
        count = body.count
        position = offset
    }

    // MARK: Bytes

    /// The byte at `index`, which may lie up to 16 bytes behind the content.
    @inlinable @inline(__always)
    func byte(_ index: Int) -> UInt8 {
        assert(index >= 0 && index < count + PaddedBytes.paddingBytes)
        return unsafe base[index]
    }

    /// Eight bytes from `index` on, the first in the lowest bits.
    @inlinable @inline(__always)
    func word(_ index: Int) -> UInt64 {
        assert(index >= 0 && index + 8 <= count + PaddedBytes.paddingBytes)
        return unsafe UInt64(
            littleEndian: UnsafeRawPointer(base).loadUnaligned(fromByteOffset: index, as: UInt64.self))
    }

    @inlinable @inline(__always)
    mutating func skipSpace() {
        // Almost always none: one compare.
        if byte(position) <= 0x20 { skipSpaceRun() }
    }

    @usableFromInline
    mutating func skipSpaceRun() {
        var at = position
        while true {
            switch byte(at) {
            case 0x20, 0x0A, 0x0D, 0x09:
                at += 1
                giveBack(behind: at)
            default:
                position = at
                return
            }
        }
    }

    /// Lets memory go once a MiB, so that neither blanks nor a string nor what is skipped fills it, however long it is. To be
    /// called with each eighth byte at least.
    @inlinable @inline(__always)
    func giveBack(behind at: Int) {
        if at & 0xF_FFFF < 8 { storage.discard(before: at) }
    }

    /// The fault for a byte that the grammar does not have at `offset`.
    @usableFromInline
    func unexpected(_ offset: Int) -> JSONFault {
        JSONFault(offset >= count ? .truncated : .syntax, offset: min(offset, count))
    }

    // MARK: Structure

    /// What the value at `position` is; it is not read yet.
    ///
    /// - Throws: `.syntax`, `.truncated` when no value starts there.
    @inlinable @inline(__always)
    package func kind() throws(JSONFault) -> JSONKind {
        switch byte(position) {
        case UInt8(ascii: "\""): .string
        case UInt8(ascii: "{"): .object
        case UInt8(ascii: "["): .array
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"): .number
        case UInt8(ascii: "t"), UInt8(ascii: "f"): .bool
        case UInt8(ascii: "n"): .null
        default: try unusualKind()
        }
    }

    /// What starts at `position` with a byte that starts no value of JSON.
    @usableFromInline
    func unusualKind() throws(JSONFault) -> JSONKind {
        guard nonFiniteBytes(at: position) > 0 else { throw unexpected(position) }
        return .number
    }

    /// Opens the object at `position`.
    @inlinable
    package mutating func enterObject() throws(JSONFault) {
        guard byte(position) == UInt8(ascii: "{") else { throw otherKind() }
        try open(isObject: true)
    }

    /// Opens the array at `position`.
    @inlinable
    package mutating func enterArray() throws(JSONFault) {
        guard byte(position) == UInt8(ascii: "[") else { throw otherKind() }
        try open(isObject: false)
    }

    /// The name of the open object's next member, with `position` at its value; nil when the object has ended, and is
    /// closed.
    @inlinable
    package mutating func nextMember() throws(JSONFault) -> JSONText? {
        if isFirst {
            isFirst = false
            if byte(position) == UInt8(ascii: "}") {
                close()
                return nil
            }
        } else {
            skipSpace()
            switch byte(position) {
            case UInt8(ascii: ","):
                position += 1
                skipSpace()
            case UInt8(ascii: "}"):
                close()
                return nil
            default: throw unexpected(position)
            }
        }
        return try memberName()
    }

    /// Whether the open array has one more element, with `position` at it; false when the array has ended, and is closed.
    @inlinable
    package mutating func nextElement() throws(JSONFault) -> Bool {
        if isFirst {
            isFirst = false
            if byte(position) == UInt8(ascii: "]") {
                close()
                return false
            }
            return true
        }
        skipSpace()
        switch byte(position) {
        case UInt8(ascii: ","):
            position += 1
            skipSpace()
            return true
        case UInt8(ascii: "]"):
            close()
            return false
        default: throw unexpected(position)
        }
    }

    /// Checks that nothing but white space is left.
    package mutating func finish() throws(JSONFault) {
        skipSpace()
        guard position == count else { throw JSONFault(.trailing, offset: position) }
    }

    // MARK: Scalars

    /// Reads `true` or `false`.
    package mutating func bool() throws(JSONFault) -> Bool {
        switch byte(position) {
        case UInt8(ascii: "t"):
            try literal()
            return true
        case UInt8(ascii: "f"):
            try literal()
            return false
        default: throw otherKind()
        }
    }

    /// Reads `null`.
    package mutating func null() throws(JSONFault) {
        guard byte(position) == UInt8(ascii: "n") else { throw otherKind() }
        try literal()
    }

    /// Reads the value at `position` whatever it is, checking all of it.
    ///
    /// - Returns: where its bytes stand.
    package mutating func skip() throws(JSONFault) -> Range<Int> {
        let start = position, outer = depth
        var kept = start
        while true {
            if position &- kept > 1 << 20 {
                storage.discard(before: position)
                kept = position
            }
            switch byte(position) {
            case UInt8(ascii: "{"):
                try open(isObject: true)
                if byte(position) == UInt8(ascii: "}") {
                    close()
                } else {
                    isFirst = false
                    _ = try memberName()
                    continue
                }
            case UInt8(ascii: "["):
                try open(isObject: false)
                if byte(position) == UInt8(ascii: "]") { close() } else { continue }
            case UInt8(ascii: "\""): _ = try text()
            case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"): try skipNumber()
            case UInt8(ascii: "t"), UInt8(ascii: "f"), UInt8(ascii: "n"): try literal()
            default:
                _ = try unusualKind()
                try skipNumber()
            }
            if try leave(to: outer) { break }
        }
        isFirst = false
        return start..<position
    }

    /// Skips a value whose bytes are those of an earlier one, without reading it again.
    ///
    /// - Parameter earlier: what `skip` or the like found at the same depth; it must be an object, an array or a string,
    ///   since a number doesn't tell where it ends.
    /// - Returns: false, with nothing moved, when other bytes are there.
    package mutating func skip(repeating earlier: Range<Int>) -> Bool {
        guard earlier.count <= count - position, earlier.upperBound <= position else { return false }
        let isSame = storage.hasSame(earlier, at: position)
        if isSame {
            position += earlier.count
            isFirst = false
        }
        return isSame
    }

    /// Goes past what stands around the values of an object, when its bytes are those of an earlier stretch, which was read at
    /// this depth: brackets, commas and names that were checked once.
    ///
    /// An object is passed from its first byte to its last, its scalars read in between; or else `goBack` has to follow.
    ///
    /// - Returns: false, with nothing moved, when other bytes are there.
    package mutating func pass(repeating earlier: Range<Int>) -> Bool {
        guard depth < limits.maximumDepth, earlier.count <= count - position,
            storage.hasSame(earlier, at: position)
        else { return false }
        position += earlier.count
        isFirst = false
        return true
    }

    /// Returns to the beginning of an object that was passed in part.
    package mutating func goBack(to start: Int) {
        precondition(start >= 0 && start <= position)
        position = start
    }

    /// Closes what ends at `position`.
    ///
    /// - Returns: true when no more than `outer` containers are open; false with `position` at the next value.
    private mutating func leave(to outer: Int) throws(JSONFault) -> Bool {
        while depth > outer {
            let isObject = objects >> UInt64(depth - 1) & 1 == 1
            skipSpace()
            switch byte(position) {
            case UInt8(ascii: ","):
                position += 1
                skipSpace()
                if isObject { _ = try memberName() }
                return false
            case UInt8(ascii: "}") where isObject, UInt8(ascii: "]") where !isObject: close()
            default: throw unexpected(position)
            }
        }
        return true
    }

    // MARK: Pieces

    @usableFromInline
    func otherKind() -> JSONFault {
        // What is no value at all is a fault of the grammar.
        do throws(JSONFault) { _ = try kind() } catch { return error }
        return JSONFault(.otherKind, offset: position)
    }

    @inlinable
    mutating func open(isObject: Bool) throws(JSONFault) {
        guard depth < limits.maximumDepth else { throw JSONFault(.tooDeep, offset: position) }
        let bit: UInt64 = 1 << UInt64(depth)
        objects = isObject ? objects | bit : objects & ~bit
        depth += 1
        if isObject { names.open() }
        position += 1
        isFirst = true
        skipSpace()
    }

    @inlinable
    mutating func close() {
        if objects >> UInt64(depth - 1) & 1 == 1 { names.close() }
        depth -= 1
        isFirst = false
        position += 1
    }

    /// Reads a name, its colon and the white space around it.
    @inlinable @inline(__always)
    mutating func memberName() throws(JSONFault) -> JSONText {
        guard byte(position) == UInt8(ascii: "\"") else { throw unexpected(position) }
        let name = try text()
        try note(name)
        skipSpace()
        guard byte(position) == UInt8(ascii: ":") else { throw unexpected(position) }
        position += 1
        skipSpace()
        return name
    }

    @inlinable @inline(__always)
    mutating func note(_ name: JSONText) throws(JSONFault) {
        let hash: UInt64
        if name.count <= 8 && !name.hasEscapes {
            // The padding lets eight bytes be loaded; what is behind the name is cut off.
            let unused = UInt64(truncatingIfNeeded: (8 &- name.count) &* 8)
            hash = key.hash(word: name.count == 0 ? 0 : (word(name.offset) &<< unused) &>> unused, count: name.count)
        } else {
            hash = longHash(name)
        }
        if !names.insert(hash: hash, offset: name.offset) { try compare(name) }
        if names.count > Self.maximumMembers { throw JSONFault(.tooWide, offset: name.offset - 1) }
    }

    @usableFromInline
    func longHash(_ name: JSONText) -> UInt64 { withBytes(of: name) { [key] in key.hash($0) } }

    /// Compares the name noted last with those before it that have the same hash.
    @usableFromInline
    func compare(_ name: JSONText) throws(JSONFault) {
        let bytes = bytes(of: name)
        for offset in names.offsetsLikeLast() {
            if self.bytes(of: self.name(at: offset)) == bytes {
                throw JSONFault(.repeatedMember, offset: name.offset - 1)
            }
        }
    }

    /// The name, read before, whose first byte is at `offset`.
    private func name(at offset: Int) -> JSONText {
        var end = offset, hasEscapes = false
        while byte(end) != UInt8(ascii: "\"") {
            if byte(end) == UInt8(ascii: "\\") {
                hasEscapes = true
                end += 1
            }
            end += 1
        }
        return JSONText(offset: offset, count: end - offset, hasEscapes: hasEscapes)
    }

    /// Reads `true`, `false` or `null`, told apart by the first letter.
    private mutating func literal() throws(JSONFault) {
        let (spelling, length) =
            switch byte(position) {
            case UInt8(ascii: "t"): (0x6575_7274 as UInt64, 4)  // "true", lowest byte first
            case UInt8(ascii: "f"): (0x65_736C_6166 as UInt64, 5)
            default: (0x6C6C_756E as UInt64, 4)
            }
        let difference = word(position) ^ spelling
        let same = difference.trailingZeroBitCount / 8
        guard same >= length else { throw unexpected(position + same) }
        position += length
        isFirst = false
    }
}
