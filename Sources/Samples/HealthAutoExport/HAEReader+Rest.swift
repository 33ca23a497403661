import Wire

extension HAEReader {
    /// Writes what no column holds of `object` into the arena.
    mutating func appendRest(_ record: HAERecord, dropped: [HAEName]) -> ArenaRange {
        let start = batch.arenaBytes
        for member in object.members where member.kind != .null && !isNullToken(member) {
            if member.name != .other && dropped.contains(member.name) { continue }
            if batch.arenaBytes > start { batch.extend(CollectionOfOne(UInt8(ascii: ","))) }
            appendName(member, record)
            appendValue(member)
        }
        if !record.extra.bytes.isEmpty {
            if batch.arenaBytes > start { batch.extend(CollectionOfOne(UInt8(ascii: ","))) }
            batch.extend(record.extra.bytes)
        }
        return batch.arenaRange(from: start)
    }

    /// `"name":`
    private mutating func appendName(_ member: HAEObject.Member, _ record: HAERecord) {
        if let new = record.renamed.first(where: { $0.from == member.name }) {
            batch.extend("\"\(new.to.rawValue)\":".utf8)
        } else if member.name == .other {
            let name = json.bytes(of: member.spelling)
            // The first of two spellings of a name may have the prefix already.
            let isTaken =
                member.isDoubled
                && record.prefixed.contains { $0.rawValue.utf8.elementsEqual(name) }
            let isOurs = member.isDoubled || name.starts(with: "hae_".utf8)
            batch.extend((isTaken ? "\"hae_2_" : isOurs ? "\"hae_" : "\"").utf8)
            batch.extend(member.spelling.range, of: body)
            batch.extend("\":".utf8)
        } else {
            let isOurs = member.name.isReserved || record.prefixed.contains(member.name)
            batch.extend("\"\(isOurs ? "hae_" : "")\(member.name.rawValue)\":".utf8)
        }
    }

    /// A token that JSON does not have and that is as good as null.
    private func isNullToken(_ member: HAEObject.Member) -> Bool {
        guard member.kind == .number, member.number.isNaN else { return false }
        return body.withContent { content in
            let last = content[member.range.upperBound - 1]
            return last == UInt8(ascii: "N") || last == UInt8(ascii: "y")
        }
    }

    private mutating func appendValue(_ member: HAEObject.Member) {
        guard member.kind == .array || member.kind == .object else { return copy(member.range) }
        let body = body
        body.withContent { content in appendCompact(member.range, of: content) }
    }

    /// Copies some of the body, letting go of what was copied.
    private mutating func copy(_ range: Range<Int>) {
        var start = range.lowerBound
        while range.upperBound - start > pieceBytes {
            batch.extend(start..<start + pieceBytes, of: body)
            start += pieceBytes
            body.discard(before: start)
        }
        batch.extend(start..<range.upperBound, of: body)
    }

    /// Copies an array or object without the white space between its tokens, tokens that JSON does not have as null.
    private mutating func appendCompact(_ range: Range<Int>, of content: Span<UInt8>) {
        // Bytes from `start` to `index` are still to be copied.
        var index = range.lowerBound, start = index, kept = index, isInText = false
        while index < range.upperBound {
            let byte = content[index]
            switch byte {
            case UInt8(ascii: "\\") where isInText: index += 1  // an escape has two bytes at least
            case UInt8(ascii: "\""): isInText.toggle()
            case 0x20 where !isInText, 0x0A where !isInText, 0x0D where !isInText, 0x09 where !isInText:
                copy(start..<index)
                start = index + 1
            case UInt8(ascii: "-") where !isInText, UInt8(ascii: "N") where !isInText,
                UInt8(ascii: "I") where !isInText:
                // Told by its sign already, which must not be copied.
                let word = byte == UInt8(ascii: "-") ? index + 1 : index
                guard content[word] == UInt8(ascii: "N") || content[word] == UInt8(ascii: "I") else { break }
                copy(start..<index)
                batch.extend("null".utf8)
                index = word + (content[word] == UInt8(ascii: "N") ? 2 : 7)
                start = index + 1
            default: break
            }
            index += 1
            if index - start >= pieceBytes {
                copy(start..<index)
                start = index
            }
            if start - kept >= pieceBytes {
                body.discard(before: start)
                kept = start
            }
        }
        copy(start..<range.upperBound)
    }
}
