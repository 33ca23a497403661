package import Samples

extension Dialect {
    /// The number in `sample.dialect`. Stored: never reuse one.
    package var code: Int64 {
        switch self {
        case .native: 0
        case .hae: 1
        case .csv: 2
        case .influx: 3
        case .puls: 4
        case .relay: 5
        case .steps: 6
        case .apple: 7
        }
    }
}

/// What the column `spelled` holds: the raw value of `SpelledMembers` in its low eight bits, and bits of ours.
package enum StoredSpelling {
    /// The value needs more than 15 significant digits, so the view prints 19. Below that 15 digits tell it exactly
    /// and read as the sender wrote it. SQLite's own `quote()` guesses this wrong once in 100,000 values.
    static let longValue: Int64 = 1 << 8
    /// The key is a text that JSON escapes: the view takes its JSON from the dictionary of texts.
    static let escapedKey: Int64 = 1 << 9
    /// The newest change of the row found one of its key and part: an update, and no insert. No content.
    static let wasThere: Int64 = 1 << 10
    /// Four bits each: the raw values of `Grain` and `MergeRule`, 0 for samples with keys of their own.
    static let grainShift = 12
    static let ruleShift = 16

    static func column(
        _ spelled: SpelledMembers, value: Double?, isKeyEscaped: Bool, grain: Grain = .raw, rule: MergeRule = .replace
    ) -> Int64 {
        Int64(spelled.rawValue) | (value.map(needsLongForm) == true ? longValue : 0) | (isKeyEscaped ? escapedKey : 0)
            | Int64(grain.rawValue) << Int64(grainShift) | Int64(rule.rawValue) << Int64(ruleShift)
    }

    package static func grain(ofColumn column: Int64) -> Grain {
        Grain(rawValue: UInt8(truncatingIfNeeded: column >> Int64(grainShift) & 15)) ?? .raw
    }

    package static func rule(ofColumn column: Int64) -> MergeRule {
        MergeRule(rawValue: UInt8(truncatingIfNeeded: column >> Int64(ruleShift) & 15)) ?? .replace
    }

    static func needsLongForm(_ value: Double) -> Bool {
        // A quotient of two exact doubles is the double nearest to that decimal: up to six decimals are settled here.
        let millionths = (value * 1e6).rounded()
        if abs(millionths) < 1e15 && millionths / 1e6 == value { return false }
        // The shortest decimal that reads back as this value; leading zeros and the exponent don't count.
        var digits = 0
        for character in value.description.utf8 {
            if character == UInt8(ascii: "e") { break }
            guard character >= UInt8(ascii: "0") && character <= UInt8(ascii: "9") else { continue }
            if digits > 0 || character != UInt8(ascii: "0") { digits += 1 }
        }
        return digits > 15
    }
}
