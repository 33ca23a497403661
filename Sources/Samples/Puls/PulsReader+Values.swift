import Wire

/// One value each, with `json` at it. A value that is null is as good as absent: nil.
extension PulsReader {
    mutating func isNull() throws(JSONFault) -> Bool {
        guard try json.kind() == .null else { return false }
        try json.null()
        return true
    }

    mutating func readText(_ name: PulsName) throws(JSONFault) -> JSONText? {
        switch try json.kind() {
        case .string: return try json.text()
        case .null:
            try json.null()
            return nil
        default: throw invalid(name, "is no text", at: json.position)
        }
    }

    /// A text that must not be empty.
    mutating func readName(_ name: PulsName) throws(JSONFault) -> JSONText? {
        let at = json.position
        guard let text = try readText(name) else { return nil }
        guard text.count > 0 else { throw invalid(name, "is empty", at: at) }
        return text
    }

    mutating func readNumber(_ name: PulsName) throws(JSONFault) -> JSONNumber? {
        switch try json.kind() {
        case .number: return try json.number()
        case .null:
            try json.null()
            return nil
        default: throw invalid(name, "is no number", at: json.position)
        }
    }

    mutating func readInteger(_ name: PulsName) throws(JSONFault) -> Int64? {
        let at = json.position
        guard let number = try readNumber(name) else { return nil }
        guard let integer = Self.integer(number) else { throw invalid(name, "is no whole number", at: at) }
        return integer
    }

    /// The number where it is a whole one of 64 bits, in whatever spelling.
    static func integer(_ number: JSONNumber) -> Int64? {
        guard number.significantDigits > 0 else { return 0 }
        guard number.significantDigits <= 19, -19...18 ~= number.exponent else { return nil }
        var magnitude = number.mantissa
        if number.exponent >= 0 {
            for _ in 0..<number.exponent {
                let (product, isBeyond) = magnitude.multipliedReportingOverflow(by: 10)
                guard !isBeyond else { return nil }
                magnitude = product
            }
        } else {
            for _ in 0..<(-number.exponent) {
                guard magnitude.isMultiple(of: 10) else { return nil }
                magnitude /= 10
            }
        }
        guard number.isNegative else { return Int64(exactly: magnitude) }
        return magnitude == Int64.min.magnitude ? .min : Int64(exactly: magnitude).map { -$0 }
    }

    mutating func readTime(_ name: PulsName) throws(JSONFault) -> PulsTime? {
        let at = json.position
        switch try json.kind() {
        case .number:
            guard let time = PulsTime(milliseconds: try json.number()) else {
                throw refuse("time_invalid", "\(name.rawValue) is outside of the years 1 to 9999", at: at)
            }
            return time
        case .null:
            try json.null()
            return nil
        default:
            throw refuse("time_invalid", "\(name.rawValue) is no number of milliseconds since 1970", at: at)
        }
    }

    mutating func readUUID(_ name: PulsName) throws(JSONFault) -> UUIDBits? {
        let at = json.position
        guard let text = try readText(name) else { return nil }
        let key =
            text.hasEscapes
            ? SampleKey.uuid(parsing: json.bytes(of: text).span)
            : unsafe SampleKey.uuid(parsing: body.bytes(text.range).span)
        guard case .uuid(let high, let low) = key else { throw invalid(name, "is no UUID", at: at) }
        return UUIDBits(high: high, low: low)
    }

    /// Interns a text for a column; nil when no column holds it: empty, longer than `maximumTextBytes`, or with a NUL.
    mutating func column(_ text: JSONText) -> BatchIndex? {
        guard 1...Self.maximumTextBytes ~= text.count else { return nil }
        // Without an escape there is no NUL.
        guard text.hasEscapes else { return batch.intern(text.range, of: body) }
        let bytes = json.bytes(of: text)
        return bytes.contains(0) ? nil : batch.intern(bytes.span)
    }

    mutating func isOneOf(_ text: JSONText, _ words: [StaticString]) -> Bool {
        json.withBytes(of: text) { bytes in words.contains { bytes.equals($0) } }
    }

    // MARK: Types

    /// A type's identifier; `json` is left behind it.
    ///
    /// - Returns: its index in `knownTypes`; nil for null.
    mutating func readType(_ name: PulsName) throws(JSONFault) -> Int? {
        // Few types make a batch, each always in the same bytes.
        let at = json.position
        if let last = knownTypes.last, json.skip(repeating: knownTypes.entries[last].bytes) {
            knownTypes.entries[last].bytes = at..<json.position
            return last
        }
        guard let text = try readName(name) else { return nil }
        guard text.count <= Self.maximumTextBytes else {
            throw invalid(name, "is longer than 1,024 bytes", at: at)
        }
        let identifier = json.bytes(of: text)
        guard !identifier.contains(0) else { throw invalid(name, "has a NUL", at: at) }
        return knownTypes.index(of: identifier, bytes: at..<json.position, in: context.catalog)
    }

    /// The index of the type's name among the batch's texts.
    mutating func typeIndex(_ type: Int) -> BatchIndex {
        if knownTypes.entries[type].slice == sliceNumber { return knownTypes.entries[type].index }
        let index = batch.intern(knownTypes.entries[type].name)
        knownTypes.entries[type].slice = sliceNumber
        knownTypes.entries[type].index = index
        knownTypes.entries[type].unit = -2
        knownTypes.entries[type].valueNames = []
        return index
    }

    // MARK: Contexts

    /// A temporal context, checked.
    mutating func readContext(_ name: PulsName) throws(JSONFault) -> PulsContext? {
        let start = json.position
        for index in knownContexts.indices where json.skip(repeating: knownContexts[index].bytes) {
            // The newest of equal ones, so that memory of the first is not read for ever.
            knownContexts[index].bytes = start..<json.position
            return knownContexts[index]
        }
        guard try !isNull() else { return nil }
        guard try json.kind() == .object else { throw invalid(name, "is no object", at: start) }
        var hasZone = false, hasSource = false, hasConfidence = false
        var offset: Int64?
        try json.enterObject()
        while let member = try json.nextMember() {
            let known = json.withBytes(of: member) { PulsName($0) }
            switch known {
            case .timeZoneID: hasZone = try readText(known).map { $0.count > 0 } ?? false
            case .source: hasSource = try readText(known).map { $0.count > 0 } ?? false
            case .confidence: hasConfidence = try readText(known).map { $0.count > 0 } ?? false
            case .tzdbVersion: _ = try readText(known)
            case .utcOffsetSeconds: offset = try readInteger(known)
            default: _ = try json.skip()
            }
        }
        guard hasZone else { throw refuse("member_missing", "\(name.rawValue) has no timeZoneID", at: start) }
        guard hasSource else { throw refuse("member_missing", "\(name.rawValue) has no source", at: start) }
        guard hasConfidence else { throw refuse("member_missing", "\(name.rawValue) has no confidence", at: start) }
        guard let offset else {
            throw refuse("member_missing", "\(name.rawValue) has no utcOffsetSeconds", at: start)
        }
        guard -86_400...86_400 ~= offset else {
            throw refuse(
                "member_invalid", "utcOffsetSeconds of \(name.rawValue) is more than a day", at: start)
        }
        let context = PulsContext(bytes: start..<json.position, offsetSeconds: Int(offset))
        if knownContexts.count < 4 {
            knownContexts.append(context)
        } else {
            knownContexts[nextKnownContext] = context
            nextKnownContext = (nextKnownContext + 1) % 4
        }
        return context
    }

    /// The context's bytes in the arena, once for points of the same one in a row.
    mutating func arenaRange(of context: PulsContext?) -> ArenaRange {
        guard let context else { return .empty }
        if let last = lastContext, last.slice == sliceNumber, isSame(last.bytes, context.bytes) { return last.range }
        let start = batch.arenaBytes
        batch.extend(context.bytes, of: body)
        let range = batch.arenaRange(from: start)
        lastContext = (sliceNumber, context.bytes, range)
        return range
    }

    func isSame(_ left: Range<Int>, _ right: Range<Int>) -> Bool {
        guard left != right else { return true }
        return unsafe body.bytes(left).span.equals(body.bytes(right).span)
    }
}

/// A temporal context of the sender's.
struct PulsContext {
    /// Of the object in the body.
    var bytes: Range<Int>
    var offsetSeconds: Int

    /// Minutes east of UTC; nil when the offset has seconds.
    var offsetMinutes: Int16? { offsetSeconds.isMultiple(of: 60) ? Int16(offsetSeconds / 60) : nil }
}

/// The types of a batch and what is known of each.
struct PulsKnownTypes {
    struct Entry {
        /// Where the identifier stood last, with its quotes.
        var bytes: Range<Int>
        /// What it is stored under.
        var name: [UInt8]
        var type: CatalogType?
        /// The name's index in the batch of `slice`.
        var slice = -1
        var index: BatchIndex = -1
        /// The unit that came last in that batch (-2 before the first), what it makes of a series, and how its numbers
        /// become those of the type's own unit; nil when they stay.
        var unit: BatchIndex = -2
        var series: BatchIndex = -1
        var conversion: UnitConversion?
        /// Names of the category's values that came in that batch.
        var valueNames: [(raw: Int64, index: BatchIndex)] = []
    }

    var entries: [Entry] = []
    private(set) var last: Int?
    private var indices: [[UInt8]: Int] = [:]

    mutating func index(of identifier: [UInt8], bytes: Range<Int>, in catalog: Catalog) -> Int {
        if let known = indices[identifier] {
            entries[known].bytes = bytes
            last = known
            return known
        }
        let index = entries.count
        entries.append(
            Entry(
                bytes: bytes, name: catalog.pulsType(ofIdentifier: identifier),
                type: catalog.type(healthKit: identifier)))
        indices[identifier] = index
        last = index
        return index
    }
}
