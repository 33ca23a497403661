import Wire

/// How texts of this format are compared: senders translate them, change their case and put odd spaces into them.
enum HAEText {
    /// Longest type name.
    static let maximumTypeBytes = 64

    /// Lower case, accents of Latin letters taken off, white space, `-` and `_` as one `_`, none at the ends.
    static func fold(_ text: some Collection<UInt8>) -> [UInt8] {
        var folded: [UInt8] = []
        folded.reserveCapacity(text.count)
        for scalar in String(decoding: text, as: UTF8.self).unicodeScalars {
            if 0x300...0x36F ~= scalar.value { continue }  // accents that stand alone
            if scalar == "-" || scalar == "_" || scalar == ":" || scalar.properties.isWhitespace {
                if !folded.isEmpty && folded.last != UInt8(ascii: "_") { folded.append(UInt8(ascii: "_")) }
                continue
            }
            for lower in scalar.properties.lowercaseMapping.unicodeScalars where !(0x300...0x36F ~= lower.value) {
                if let plain = plainLetters[lower] {
                    folded.append(contentsOf: plain.utf8)
                } else {
                    folded.append(contentsOf: UTF8.encode(lower) ?? UTF8.encodedReplacementCharacter)
                }
            }
        }
        if folded.last == UInt8(ascii: "_") { folded.removeLast() }
        return folded
    }

    /// A metric's folded name made a type: other ASCII characters become `_`.
    ///
    /// - Returns: nil when that is no `^[a-z][a-z0-9_]{1,63}$`.
    static func typeName(_ folded: [UInt8]) -> [UInt8]? {
        var name: [UInt8] = []
        for byte in folded {
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"): name.append(byte)
            case 0x80...: return nil
            default: if name.last != UInt8(ascii: "_") { name.append(UInt8(ascii: "_")) }
            }
        }
        while name.last == UInt8(ascii: "_") { name.removeLast() }
        guard 2...maximumTypeBytes ~= name.count, UInt8(ascii: "a")...UInt8(ascii: "z") ~= name[0] else { return nil }
        // A type that is a kind of its own has other members than a metric.
        let isKind = SampleKind.allCases.contains { $0.isTypeOfItsOwn && $0.name.utf8.elementsEqual(name) }
        return isKind ? Array("hae_".utf8) + name : name
    }

    /// A source's parts (`Watch|Phone`) without odd spaces, each once and in order, so that equal sets are equal bytes.
    static func sourceSet(_ source: some Collection<UInt8>) -> [UInt8] {
        var parts: Set<[UInt8]> = []
        for part in source.split(separator: UInt8(ascii: "|")) {
            var plain: [UInt8] = []
            for scalar in String(decoding: part, as: UTF8.self).unicodeScalars {
                if scalar.properties.isWhitespace {
                    if !plain.isEmpty && plain.last != 0x20 { plain.append(0x20) }
                } else {
                    plain.append(contentsOf: UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter)
                }
            }
            if plain.last == 0x20 { plain.removeLast() }
            if !plain.isEmpty { parts.insert(plain) }
        }
        return Array(
            parts.sorted { $0.lexicographicallyPrecedes($1) }.joined(separator: CollectionOfOne(UInt8(ascii: "|"))))
    }

    private static let plainLetters: [Unicode.Scalar: String] = {
        let groups = [
            ("a", "àáâãäåāăą"), ("c", "çćč"), ("d", "ďđ"), ("e", "èéêëēėęě"), ("g", "ğģ"), ("i", "ìíîïīįı"),
            ("l", "łľļ"),
            ("n", "ñńňņ"), ("o", "òóôõöøōő"), ("r", "řŕ"), ("s", "śšşș"), ("t", "ťțţ"), ("u", "ùúûüūůűų"), ("y", "ýÿ"),
            ("z", "źžż"), ("ss", "ß"), ("ae", "æ"), ("oe", "œ"),
        ]
        var letters: [Unicode.Scalar: String] = [:]
        for (plain, accented) in groups {
            for scalar in accented.unicodeScalars { letters[scalar] = plain }
        }
        return letters
    }()
}

/// A number of a body as it was read.
enum HAENumber: Equatable {
    /// Absent, null, or one of the tokens that are as good as null.
    case missing
    /// Neither a number nor a text that is one.
    case invalid
    /// Finite. `isExact`: a column holds what the sender wrote, which was a number of JSON.
    case number(Double, isExact: Bool)

    var value: Double? { if case .number(let value, _) = self { value } else { nil } }

    init(_ member: HAEObject.Member?, in json: borrowing JSONScanner) {
        guard let member, member.kind != .null else { self = .missing; return }
        switch member.kind {
        case .number where member.number.isFinite: self = .number(member.number, isExact: member.isExact)
        case .number where member.number.isNaN: self = .missing
        case .string:
            let text = json.bytes(of: member.text)
            if HAEText.fold(text).isEmpty { self = .missing; return }
            self = Self.parse(text).map { .number($0, isExact: false) } ?? .invalid
        default: self = .invalid
        }
    }

    /// The number without what reckoning left in its last digits: 61.999999999999993 is 62. One of 16 digits or more is
    /// rounded to 15 when then at most 10 of them are not zero.
    static func cleaned(_ number: JSONNumber) -> Double {
        let value = number.value
        guard number.significantDigits >= 16, value.isFinite, value != 0 else { return value }
        var scale = 1.0
        // Powers of ten are exact up to the 22nd, so that the division rounds once.
        for _ in 0..<22 where value.magnitude * scale < 1e14 { scale *= 10 }
        let digits = (value * scale).rounded()
        guard 1e14...1e15 ~= digits.magnitude, digits.remainder(dividingBy: 100_000) == 0 else { return value }
        return digits / scale
    }

    /// Reads `-?digits` with at most one comma or point between digits; nil for anything else, such as two separators,
    /// of which nobody can say which is the decimal one.
    static func parse(_ text: [UInt8]) -> Double? {
        guard text.count <= 128 else { return nil }
        var plain = "", hasSeparator = false, digits = 0, hasEnded = false
        for scalar in String(decoding: text, as: UTF8.self).unicodeScalars {
            if scalar.properties.isWhitespace {
                hasEnded = !plain.isEmpty
                continue
            }
            guard !hasEnded else { return nil }
            switch scalar {
            case "-", "+", "\u{2212}":
                guard plain.isEmpty else { return nil }
                plain = scalar == "+" ? "+" : "-"
            case ",", ".", "\u{66B}":
                guard !hasSeparator, digits > 0 else { return nil }
                hasSeparator = true
                plain += "."
            default:
                guard scalar.properties.numericType == .decimal, let value = scalar.properties.numericValue else {
                    return nil
                }
                digits += 1
                plain += String(Int(value))
            }
        }
        guard digits > 0, plain.last != "." else { return nil }
        guard let value = Double(plain), value.isFinite else { return nil }
        return value
    }
}
