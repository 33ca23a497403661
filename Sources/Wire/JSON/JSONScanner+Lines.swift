import Glibc

/// For texts that hold one JSON value a line.
extension JSONScanner {
    /// Where the line that goes on at `offset` ends: the offset of its line feed, or of the content's end.
    ///
    /// - Returns: nil when more than `limit` bytes come before that.
    package func lineEnd(from offset: Int, limit: Int) -> Int? {
        precondition(offset >= 0 && offset <= count && limit >= 0)
        let searched = min(count - offset, limit < Int.max ? limit + 1 : limit)
        // Memory safety: the bytes searched lie inside of the content.
        if let found = unsafe memchr(base + offset, CInt(UInt8(ascii: "\n")), searched) {
            return unsafe UnsafeRawPointer(found) - UnsafeRawPointer(base)
        }
        return searched <= limit ? count : nil
    }

    /// The first byte from `offset` on, before `end`, that is no blank of JSON; `end` when all are.
    package func firstNonBlank(from offset: Int, to end: Int) -> Int {
        precondition(offset >= 0 && end <= count)
        var at = offset
        while at < end, byte(at) == 0x20 || byte(at) == 0x0A || byte(at) == 0x0D || byte(at) == 0x09 { at += 1 }
        return at
    }

    /// Goes to a value outside of all others, which starts at `offset`. No array or object may be open.
    package mutating func restart(at offset: Int) {
        precondition(depth == 0 && offset >= 0 && offset <= count)
        position = offset
        isFirst = false
    }
}
