/// Why a zone file was refused, and the byte at which that was seen.
package struct ZoneFault: Error, Equatable, Sendable {
    package enum Reason: String, Sendable {
        /// It doesn't begin with `TZif` and a version from 1 to 4.
        case notAZoneFile
        /// It ends before what it announces, or goes on after its end.
        case wrongLength
        /// Counts that RFC 9636 section 3.1 excludes.
        case wrongCounts
        /// Times that don't ascend.
        case wrongOrder
        /// A kind of local time that isn't there, or more than a day from UTC.
        case wrongType
        /// It counts leap seconds, which our times don't (the database's folder `right`).
        case leapSeconds
        /// The rule at the end doesn't follow the grammar.
        case wrongFooter
    }
    package var reason: Reason
    package var offset: Int
}

extension ZoneRules {
    /// How far a zone may be from UTC, in seconds: RFC 9636 section 3.2.
    static let offsets: ClosedRange<Int32> = -89_999...93_599

    /// Reads a whole zone file, versions 1 to 4; time and memory are bounded by its length.
    package init(parsing bytes: [UInt8]) throws(ZoneFault) {
        let first = try ZoneHeader(bytes, at: 0)
        guard first.version > 1 else {
            let block = try ZoneBlock(bytes, first, timeBytes: 4)
            guard block.end == bytes.count else { throw ZoneFault(reason: .wrongLength, offset: block.end) }
            try self.init(bytes, block, footer: nil)
            return
        }
        // The first block is for readers of version 1: only its length counts.
        let second = try ZoneHeader(bytes, at: try ZoneBlock(bytes, first, timeBytes: 4).end)
        let block = try ZoneBlock(bytes, second, timeBytes: 8)
        guard block.end < bytes.count, bytes[block.end] == UInt8(ascii: "\n"), let last = bytes.last,
            last == UInt8(ascii: "\n"), block.end + 1 < bytes.count
        else { throw ZoneFault(reason: .wrongLength, offset: min(block.end, bytes.count)) }
        let text = bytes[(block.end + 1)..<(bytes.count - 1)]
        var footer: ZoneFooter?
        if !text.isEmpty {
            footer = ZoneFooter(parsing: text)
            guard footer != nil else { throw ZoneFault(reason: .wrongFooter, offset: block.end + 1) }
        }
        try self.init(bytes, block, footer: footer)
    }

    private init(_ bytes: [UInt8], _ block: ZoneBlock, footer: ZoneFooter?) throws(ZoneFault) {
        var offsets: [Int32] = []
        for index in 0..<block.header.typeCount {
            let at = block.types + index * 6
            let offset = Int32(truncatingIfNeeded: bytes.bigEndian(at, 4))
            guard Self.offsets.contains(offset), bytes[at + 4] <= 1, bytes[at + 5] < block.header.nameBytes
            else { throw ZoneFault(reason: .wrongType, offset: at) }
            offsets.append(offset)
        }
        firstOffset = offsets[0]
        self.footer = footer
        changes = []
        changes.reserveCapacity(block.header.timeCount)
        for index in 0..<block.header.timeCount {
            let place = block.times + index * block.timeBytes
            let at = bytes.bigEndian(place, block.timeBytes)
            let type = Int(bytes[block.indices + index])
            guard type < offsets.count else { throw ZoneFault(reason: .wrongType, offset: block.indices + index) }
            let before = changes.last
            guard before.map({ $0.at < at }) ?? true else { throw ZoneFault(reason: .wrongOrder, offset: place) }
            let start = Self.localStart(at, before: before?.offset ?? firstOffset, after: offsets[type])
            changes.append(
                Change(at: at, localStart: max(start, before?.localStart ?? .min), offset: offsets[type]))
        }
    }
}

/// RFC 9636 section 3.1: 44 bytes.
private struct ZoneHeader {
    var end: Int
    var version: Int
    var utcCount: Int
    var standardCount: Int
    var leapCount: Int
    var timeCount: Int
    var typeCount: Int
    var nameBytes: Int

    init(_ bytes: [UInt8], at start: Int) throws(ZoneFault) {
        end = start + 44
        guard bytes.count >= end else { throw ZoneFault(reason: .wrongLength, offset: bytes.count) }
        switch bytes[start + 4] {
        case 0: version = 1
        case UInt8(ascii: "2")...UInt8(ascii: "4"): version = Int(bytes[start + 4] - UInt8(ascii: "0"))
        default: throw ZoneFault(reason: .notAZoneFile, offset: start + 4)
        }
        guard bytes[start..<(start + 4)].elementsEqual("TZif".utf8) else {
            throw ZoneFault(reason: .notAZoneFile, offset: start)
        }
        // Unsigned 32 bits each, so no sum of a few of them times a few bytes overflows.
        func count(_ index: Int) -> Int { Int(UInt32(truncatingIfNeeded: bytes.bigEndian(start + 20 + index * 4, 4))) }
        utcCount = count(0)
        standardCount = count(1)
        leapCount = count(2)
        timeCount = count(3)
        typeCount = count(4)
        nameBytes = count(5)
    }
}

/// RFC 9636 section 3.2: where the parts of a data block are.
private struct ZoneBlock {
    var header: ZoneHeader
    var timeBytes: Int
    var times: Int
    var indices: Int
    var types: Int
    var end: Int

    init(_ bytes: [UInt8], _ header: ZoneHeader, timeBytes: Int) throws(ZoneFault) {
        self.header = header
        self.timeBytes = timeBytes
        times = header.end
        indices = times + header.timeCount * timeBytes
        types = indices + header.timeCount
        let leaps = types + header.typeCount * 6 + header.nameBytes
        end = leaps + header.leapCount * (timeBytes + 4) + header.standardCount + header.utcCount
        guard end <= bytes.count else { throw ZoneFault(reason: .wrongLength, offset: bytes.count) }
        // A file with rules for newer readers may leave the block for old ones empty but for one type.
        guard header.typeCount > 0, header.nameBytes > 0, header.typeCount <= 256,
            header.utcCount == 0 || header.utcCount == header.typeCount,
            header.standardCount == 0 || header.standardCount == header.typeCount
        else { throw ZoneFault(reason: .wrongCounts, offset: header.end - 24) }
        guard header.leapCount == 0 else { throw ZoneFault(reason: .leapSeconds, offset: leaps) }
    }
}

extension [UInt8] {
    /// A signed number of that many bytes; they must be there.
    fileprivate func bigEndian(_ start: Int, _ count: Int) -> Int64 {
        let value = self[start..<(start + count)].reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        let unused = 64 - 8 * count
        return Int64(bitPattern: value << unused) >> unused
    }
}
