package import Samples
package import Storage
import Wire

/// A record that somebody wants in Apple Health, in the words of a command line, and what becomes of it.
package struct WriteRequest: Sendable {
    package var type: String
    /// A number, or the name of a category's value.
    package var value: String
    package var unit: String?
    package var start: Timestamp
    package var end: Timestamp?
    package var id: String?

    package init(
        type: String, value: String, unit: String? = nil, start: Timestamp, end: Timestamp? = nil, id: String? = nil
    ) {
        self.type = type
        self.value = value
        self.unit = unit
        self.start = start
        self.end = end
        self.id = id
    }

    /// A command for the queue, which checks its grammar, and what the app will perhaps not take.
    package struct Checked: Equatable, Sendable {
        package var draft: CommandDraft
        /// Parts of a sentence, without a value in them.
        package var doubts: [String]
    }

    /// - Parameter facts: of the type; nil when the catalog doesn't have it.
    /// - Parameter guess: what follows where the catalog doesn't have the type, such as ` (did you mean steps?)`.
    /// - Throws: what can't become a command at all.
    package func checked(facts: TypeFacts?, guess: String = "", now: Timestamp) throws(WriteFault) -> Checked {
        var draft = CommandDraft(id: id, type: type, unit: unit, start: start, end: end ?? start)
        var doubts: [String] = []
        let number = Self.number(value)
        switch facts?.kind {
        case .category:
            guard unit == nil else { throw .categoryUnit }
            draft.value = .name(try categoryName(number, facts?.values ?? [], &doubts))
        case .other: throw .otherKind
        case .quantity:
            guard let number else { throw .notANumber }
            draft.value = .number(number, text: value)
            draft.unit = unit ?? facts?.unit
            guard let unit = draft.unit else { throw .unitMissing }
            if let facts { Self.weigh(number, unit, facts, &doubts) }
        case nil:
            doubts.append("its type is not in the catalog\(guess)")
            if let number {
                guard unit != nil else { throw .unitMissing }
                draft.value = .number(number, text: value)
            } else {
                guard !Self.looksLikeNumber(value) else { throw .notANumber }
                guard unit == nil else { throw .notANumber }
                draft.value = .name(value)
            }
        }
        if let facts, !facts.isWritable {
            doubts.append("apps can't write this type as far as the catalog knows")
        }
        // A day ahead is more than any two clocks or zones differ.
        let last = max(start.microseconds, end?.microseconds ?? start.microseconds)
        if last > now.microseconds.addingReportingOverflow(86_400_000_000).partialValue {
            doubts.append("its time is more than a day ahead")
        }
        return Checked(draft: draft, doubts: doubts)
    }

    private func categoryName(
        _ number: Double?, _ values: [CatalogValue], _ doubts: inout [String]
    ) throws(WriteFault) -> String {
        let names = values.map(\.name)
        if let number {
            guard let value = values.first(where: { Double($0.raw) == number }) else {
                throw .unknownNumber(known: names)
            }
            return value.name
        }
        guard !Self.looksLikeNumber(value) else { throw .unknownNumber(known: names) }
        if !names.contains(value) {
            if let other = values.first(where: { $0.aliases.contains(value) }) { return other.name }
            doubts.append("its value is none of those that the catalog has for this type\(Self.list(names))")
        }
        return value
    }

    private static func weigh(_ number: Double, _ unit: String, _ facts: TypeFacts, _ doubts: inout [String]) {
        guard let converted = facts.converted(number, unit) else {
            doubts.append("its unit is none of those that the catalog has for this type\(list(facts.units))")
            return
        }
        let isBelow = facts.minimum.map { converted < $0 } ?? false
        let isAbove = facts.maximum.map { converted > $0 } ?? false
        let bound = isBelow ? facts.minimum : isAbove ? facts.maximum : nil
        if let bound {
            doubts.append("its value is \(isBelow ? "below" : "above") \(short(bound)) \(facts.unit ?? "")")
        }
    }

    /// What there is instead, behind a sentence; nothing when that is too much to read.
    private static func list(_ names: [String]) -> String {
        1...16 ~= names.count ? " (\(names.joined(separator: ", ")))" : ""
    }

    /// Without `.0` at a whole number.
    private static func short(_ value: Double) -> String {
        let text = "\(value)"
        return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
    }

    private static func looksLikeNumber(_ text: String) -> Bool {
        guard let first = text.utf8.first else { return true }
        return UInt8(ascii: "0")...UInt8(ascii: "9") ~= first || "+-.,".utf8.contains(first)
    }

    /// The double nearest to a JSON number that is the whole text, as the queue reads it; nil for anything else.
    private static func number(_ text: String) -> Double? {
        guard looksLikeNumber(text), 1...64 ~= text.utf8.count else { return nil }
        do {
            var json = try JSONScanner(PaddedBytes(Array(text.utf8)))
            let number = try json.number()
            guard number.range == 0..<text.utf8.count else { return nil }
            try json.finish()
            return number.value
        } catch { return nil }
    }
}

/// Why a record can't be asked for. No sentence holds its value.
package enum WriteFault: Error, Equatable, Sendable {
    case notANumber
    /// A workout, a characteristic and their like.
    case otherKind
    case unitMissing
    case categoryUnit
    case unknownNumber(known: [String])

    package var sentence: String {
        switch self {
        case .notANumber: "VALUE must be a number such as 0.25, with a point and without a sign + or separators"
        case .otherKind: "commands write quantities and categories, and this type is neither"
        case .unitMissing: "the catalog has no unit for this type, so UNIT must be given"
        case .categoryUnit: "the value of a category has no unit"
        case .unknownNumber(let known):
            "this type has no value of that number"
                + (known.isEmpty ? ": give the value's name" : "; its values are \(known.joined(separator: ", "))")
        }
    }
}
