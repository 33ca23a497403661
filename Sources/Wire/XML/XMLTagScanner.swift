import Glibc

/// Finds tags in XML that arrives piece by piece, and forgives what a parser must refuse.
///
/// For files whose shape is known and whose text is broken in the field. Taken: a document type with errors in it, attributes
/// that come twice (`attribute` gives the first), names with blanks, a missing space between attributes, `<`, `>` and `&` inside
/// of a value, a quote inside of a value that no blank, `/` or `>` follows, control characters. No entity but the five of
/// XML and numeric ones is known, so nothing expands; nothing is fetched. Memory is one piece and one tag.
package struct XMLTagScanner: Sendable {
    package enum Token: Equatable, Sendable {
        /// `<name …>` or `<name …/>` (`isEmptyElement`).
        case open
        case close
        /// Characters between tags, where `takesText` asks for them; white space alone is none.
        case text
        /// Bytes that were left out: a tag without an end, or one longer than the limit.
        case damaged
    }

    package struct Attribute: Sendable {
        package var name: Range<Int>
        package var value: Range<Int>
    }

    /// What is being skipped, which may be longer than the buffer.
    private enum Skip: Sendable { case comment, instruction, documentType, documentTypeComment, characterData }

    /// Longest tag, in bytes. Apple's longest are some hundred; one that misses a quote runs on to here.
    package let maximumTagBytes: Int
    package let takesText: Bool
    private var buffer: [UInt8] = []
    private var position = 0
    private var dropped = 0
    private var isEnded = false
    private var skip: Skip?
    /// Bytes of tags that were given up, each time they were looked at.
    private var inVain = 0
    private static let maximumInVain = 8 << 20

    /// Of the token that `next` gave; ranges are good until the next call of `next` or `feed`.
    package private(set) var name = 0..<0
    package private(set) var attributes: [Attribute] = []
    package private(set) var isEmptyElement = false
    /// Whether the tag's bytes are UTF-8.
    package private(set) var isUTF8 = true
    /// Of `.text`, white space around it left out.
    package private(set) var text = 0..<0
    /// The input ended inside of a tag or of something that is skipped.
    package private(set) var isCut = false

    package init(maximumTagBytes: Int = 1 << 18, takesText: Bool = false) {
        self.maximumTagBytes = maximumTagBytes
        self.takesText = takesText
        attributes.reserveCapacity(16)
    }

    /// Bytes of the input that are behind the scanner.
    package var offset: Int { dropped + position }

    /// Adds input behind what is there.
    package mutating func feed(_ bytes: Span<UInt8>) {
        if position > 0 {
            buffer.removeSubrange(..<position)
            dropped += position
            position = 0
        }
        buffer.append(copying: bytes)
    }

    /// Says that nothing more comes.
    package mutating func finish() { isEnded = true }

    /// The next tag.
    ///
    /// - Returns: nil when more input is needed, or when all is read after `finish`.
    package mutating func next() -> Token? {
        while true {
            if skip != nil {
                guard endSkip() else { return nil }
                continue
            }
            guard let open = find(UInt8(ascii: "<"), from: position) else { return takeLastText() }
            if takesText, open > position, hasText(position..<open) {
                position = open
                return .text
            }
            position = open
            guard open + 1 < buffer.count else { return wait() }
            switch buffer[open + 1] {
            case UInt8(ascii: "!"):
                // `<![CDATA[` is the longest that must be told from others.
                guard open + 9 <= buffer.count || isEnded else { return nil }
                skip = starts("<!--") ? .comment : starts("<![CDATA[") ? .characterData : .documentType
                position += skip == .comment ? 4 : 2
            case UInt8(ascii: "?"):
                skip = .instruction
                position += 2
            case UInt8(ascii: "/"):
                guard let end = find(UInt8(ascii: ">"), from: open + 2) else { return unfinished() }
                name = trimmed(open + 2..<end)
                attributes.removeAll(keepingCapacity: true)
                position = end + 1
                return .close
            case let byte where Self.isNameStart(byte):
                switch readTag() {
                case .whole: return .open
                case .unfinished: return unfinished()
                case .cut(let at):
                    position = at
                    return .damaged
                }
            default: position += 1  // a `<` of the text
            }
        }
    }

    // MARK: What the token has

    /// Lends bytes of the token.
    package func withBytes<Result>(_ range: Range<Int>, _ body: (Span<UInt8>) throws -> Result) rethrows -> Result {
        try unsafe buffer.withUnsafeBufferPointer { bytes in
            try unsafe body(UnsafeBufferPointer(rebasing: bytes[range]).span)
        }
    }

    /// Whether the bytes are those of `word`, which must be ASCII.
    package func equals(_ range: Range<Int>, _ word: StaticString) -> Bool {
        guard range.count == word.utf8CodeUnitCount else { return false }
        return unsafe buffer.withUnsafeBufferPointer { bytes in
            unsafe memcmp(bytes.baseAddress.unsafelyUnwrapped + range.lowerBound, word.utf8Start, range.count) == 0
        }
    }

    /// Whether the bytes are those of `other`.
    package func equals(_ range: Range<Int>, _ other: [UInt8]) -> Bool {
        guard range.count == other.count else { return false }
        if range.isEmpty { return true }
        return unsafe buffer.withUnsafeBufferPointer { bytes in
            unsafe other.withUnsafeBufferPointer { other in
                unsafe memcmp(
                    bytes.baseAddress.unsafelyUnwrapped + range.lowerBound, other.baseAddress.unsafelyUnwrapped,
                    range.count) == 0
            }
        }
    }

    /// One byte of the token.
    package func byte(_ index: Int) -> UInt8 { buffer[index] }

    /// The value of the first attribute of that name; nil when there is none.
    package func attribute(_ name: StaticString) -> Range<Int>? {
        for attribute in attributes where equals(attribute.name, name) { return attribute.value }
        return nil
    }

    /// The characters of a value or text: references replaced, control characters left out, line breaks and tabs as spaces.
    package func unescaped(_ range: Range<Int>) -> [UInt8] {
        var text: [UInt8] = []
        withBytes(range) { XMLText.append($0, to: &text) }
        return text
    }

    // MARK: Tags

    private enum TagEnd { case whole, unfinished, cut(Int) }

    /// Reads the tag at `position` into the members.
    private mutating func readTag() -> TagEnd {
        attributes.removeAll(keepingCapacity: true)
        let start = position
        let end = unsafe buffer.withUnsafeBufferPointer { bytes in
            unsafe Self.read(bytes, from: start + 1, &name, &attributes, &isEmptyElement)
        }
        switch end {
        case .at(let next):
            position = next
            isUTF8 = withBytes(start..<next) { $0.firstNonUTF8() } == nil
            return .whole
        case .cut(let next): return .cut(next)
        case .unfinished: return .unfinished
        }
    }

    private static let maximumAttributes = 128

    private enum ReadEnd { case at(Int), cut(Int), unfinished }

    private static func read(
        _ bytes: UnsafeBufferPointer<UInt8>, from start: Int, _ name: inout Range<Int>,
        _ attributes: inout [Attribute], _ isEmptyElement: inout Bool
    ) -> ReadEnd {
        let count = bytes.count
        var at = start
        while at < count, unsafe !isBlank(bytes[at]), unsafe bytes[at] != UInt8(ascii: ">"),
            unsafe bytes[at] != UInt8(ascii: "/"), unsafe bytes[at] != UInt8(ascii: "<")
        {
            at += 1
        }
        name = start..<at
        isEmptyElement = false
        while true {
            while at < count, unsafe isBlank(bytes[at]) { at += 1 }
            guard at < count else { return .unfinished }
            switch unsafe bytes[at] {
            case UInt8(ascii: ">"): return .at(at + 1)
            case UInt8(ascii: "<"): return .cut(at)
            case UInt8(ascii: "/"):
                guard at + 1 < count else { return .unfinished }
                at += 1
                if unsafe bytes[at] == UInt8(ascii: ">") {
                    isEmptyElement = true
                    return .at(at + 1)
                }
                continue
            default: break
            }
            let first = at
            while at < count, unsafe bytes[at] != UInt8(ascii: "="), unsafe bytes[at] != UInt8(ascii: ">"),
                unsafe bytes[at] != UInt8(ascii: "<")
            {
                at += 1
            }
            guard at < count else { return .unfinished }
            guard unsafe bytes[at] == UInt8(ascii: "=") else { continue }  // a name without a value
            var last = at
            while last > first, unsafe isBlank(bytes[last - 1]) { last -= 1 }
            at += 1
            while at < count, unsafe isBlank(bytes[at]) { at += 1 }
            guard at < count else { return .unfinished }
            let quote = unsafe bytes[at]
            var value: Range<Int>
            if quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") {
                guard let close = unsafe closingQuote(bytes, quote, from: at + 1) else { return .unfinished }
                value = at + 1..<close
                at = close + 1
            } else {
                let begin = at
                while at < count, unsafe !isBlank(bytes[at]), unsafe bytes[at] != UInt8(ascii: ">") { at += 1 }
                value = begin..<at
            }
            // More than any tag has: the others are no attributes of anything that is read.
            if attributes.count < maximumAttributes { attributes.append(Attribute(name: first..<last, value: value)) }
        }
    }

    /// The quote that ends a value: one with a blank, `/`, `>`, `?`, `<` or another attribute behind it.
    private static func closingQuote(_ bytes: UnsafeBufferPointer<UInt8>, _ quote: UInt8, from start: Int) -> Int? {
        guard let base = bytes.baseAddress else { return nil }
        var at = start
        while at < bytes.count {
            guard let found = unsafe memchr(base + at, CInt(quote), bytes.count - at) else { return nil }
            let close = unsafe UnsafeRawPointer(found) - UnsafeRawPointer(base)
            guard close + 1 < bytes.count else { return nil }
            switch unsafe bytes[close + 1] {
            case 0x09, 0x0A, 0x0D, 0x20, UInt8(ascii: "/"), UInt8(ascii: ">"), UInt8(ascii: "?"), UInt8(ascii: "<"):
                return close
            default:
                if unsafe startsAttribute(bytes, at: close + 1) { return close }
                at = close + 1
            }
        }
        return nil
    }

    /// Letters, an equals sign and a quote.
    private static func startsAttribute(_ bytes: UnsafeBufferPointer<UInt8>, at start: Int) -> Bool {
        var at = start
        let end = min(bytes.count, start + 64)
        while at < end, unsafe isLetter(bytes[at]) { at += 1 }
        return unsafe at > start && at + 1 < bytes.count && bytes[at] == UInt8(ascii: "=")
            && (bytes[at + 1] == UInt8(ascii: "\"") || bytes[at + 1] == UInt8(ascii: "'"))
    }

    private static func isLetter(_ byte: UInt8) -> Bool { asciiLowercased(byte) &- UInt8(ascii: "a") < 26 }
    private static func isNameStart(_ byte: UInt8) -> Bool {
        isLetter(byte) || byte == UInt8(ascii: "_") || byte == UInt8(ascii: ":") || byte >= 0x80
    }
    private static func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 }

    // MARK: Between tags

    /// A tag whose end has not come: waits, or gives it up where it is too long.
    private mutating func unfinished() -> Token? {
        let scanned = buffer.count - position
        if scanned > maximumTagBytes {
            // What is inside of it may be whole tags. But looking again may cost no more than a fixed part of all that
            // was read: of tags without an end one in each 32 KiB or so can be afforded.
            inVain += scanned
            position += inVain > Self.maximumInVain + 16 * offset ? maximumTagBytes : 1
            return .damaged
        }
        return wait()
    }

    private mutating func wait() -> Token? {
        if isEnded, position < buffer.count {
            isCut = true
            position = buffer.count
        }
        return nil
    }

    private mutating func takeLastText() -> Token? {
        if takesText, !isEnded, buffer.count - position <= maximumTagBytes { return nil }  // it may go on
        let range = position..<buffer.count
        position = buffer.count
        return takesText && isEnded && hasText(range) ? .text : nil
    }

    private mutating func hasText(_ range: Range<Int>) -> Bool {
        text = trimmed(range)
        return !text.isEmpty
    }

    private func trimmed(_ range: Range<Int>) -> Range<Int> {
        var (lower, upper) = (range.lowerBound, range.upperBound)
        while lower < upper, Self.isBlank(buffer[lower]) { lower += 1 }
        while upper > lower, Self.isBlank(buffer[upper - 1]) { upper -= 1 }
        return lower..<upper
    }

    private func starts(_ word: StaticString) -> Bool {
        let end = position + word.utf8CodeUnitCount
        return end <= buffer.count && equals(position..<end, word)
    }

    private func find(_ byte: UInt8, from start: Int) -> Int? {
        guard start < buffer.count else { return nil }
        return unsafe buffer.withUnsafeBufferPointer { bytes in
            let base = unsafe bytes.baseAddress.unsafelyUnwrapped
            guard let found = unsafe memchr(base + start, CInt(byte), bytes.count - start) else { return nil }
            return unsafe UnsafeRawPointer(found) - UnsafeRawPointer(base)
        }
    }

    // MARK: Skipping

    /// - Returns: false when the end of what is skipped has not come.
    private mutating func endSkip() -> Bool {
        switch skip {
        case .comment: return passes("-->")
        case .characterData: return passes("]]>")
        case .instruction: return passes("?>")
        case .documentType: return passesDocumentType()
        case .documentTypeComment: return passesDocumentTypeComment()
        case nil: return true
        }
    }

    private mutating func passes(_ end: StaticString) -> Bool {
        let length = end.utf8CodeUnitCount
        let last = unsafe end.utf8Start[length - 1]
        var at = position
        while let found = find(last, from: at) {
            if found - position + 1 >= length, equals(found + 1 - length..<found + 1, end) {
                position = found + 1
                skip = nil
                return true
            }
            at = found + 1
        }
        keepForSkip(length - 1)
        return false
    }

    /// Everything but the last bytes goes: the end may begin in them.
    private mutating func keepForSkip(_ count: Int) {
        position = max(position, buffer.count - count)
        if isEnded {
            isCut = true
            position = buffer.count
        }
    }

    /// A document type ends at `]>`, at a `>` where it has no `[`, or where an element starts: Apple's has declarations without
    /// an end, so that their brackets say nothing.
    private mutating func passesDocumentType() -> Bool {
        var at = position
        while at < buffer.count {
            switch buffer[at] {
            case UInt8(ascii: "["): hasSubset = true
            case UInt8(ascii: ">"):
                var before = at
                while before > position, Self.isBlank(buffer[before - 1]) { before -= 1 }
                if !hasSubset || (before > 0 && buffer[before - 1] == UInt8(ascii: "]")) {
                    return endDocumentType(at + 1)
                }
            case UInt8(ascii: "<"):
                // `<!--` needs four bytes.
                guard at + 4 <= buffer.count || isEnded else {
                    position = at
                    return false
                }
                if at + 1 < buffer.count, Self.isNameStart(buffer[at + 1]) { return endDocumentType(at) }
                position = at
                if starts("<!--") {
                    position += 4
                    skip = .documentTypeComment
                    return true
                }
            default: break
            }
            at += 1
        }
        // A `]` with blanks behind it may be the end's beginning.
        var kept = buffer.count
        while kept > position, buffer.count - kept < 64, Self.isBlank(buffer[kept - 1]) { kept -= 1 }
        keepForSkip(buffer.count - kept + 1)
        return false
    }

    private var hasSubset = false

    private mutating func endDocumentType(_ at: Int) -> Bool {
        position = at
        hasSubset = false
        skip = nil
        return true
    }

    /// A comment without its end goes no further than the document type does.
    private mutating func passesDocumentTypeComment() -> Bool {
        var at = position
        while let found = find(UInt8(ascii: ">"), from: at) {
            if found - position >= 2, equals(found - 2..<found + 1, "-->") {
                position = found + 1
                skip = .documentType
                return true
            }
            if found > position, buffer[found - 1] == UInt8(ascii: "]") { return endDocumentType(found + 1) }
            at = found + 1
        }
        keepForSkip(2)
        return false
    }
}
