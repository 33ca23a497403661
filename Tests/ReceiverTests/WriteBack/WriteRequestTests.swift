import Receiver
import Samples
import Storage
import Testing

private let now = Timestamp(microseconds: 1_791_961_923_000_000)

private let water = TypeFacts(
    kind: .quantity, isWritable: true, unit: "L", bounds: 0...10,
    converted: { value, unit in ["L": value, "mL": value / 1_000][unit] })
private let exercise = TypeFacts(
    kind: .quantity, isWritable: false, unit: "min", bounds: 0...1_440, converted: { $1 == "min" ? $0 : nil })
private let sleep = TypeFacts(
    kind: .category, isWritable: true, values: ["in_bed": 0, "asleep_core": 3, "asleep_deep": 4])
private let workout = TypeFacts(kind: .other, isWritable: true)

/// What became of `VALUE [UNIT]`.
private enum Outcome: Equatable {
    case number(Double, String, unit: String)
    case name(String)
    case refused(WriteFault)
}

private func outcome(
    _ value: String, _ unit: String? = nil, facts: TypeFacts?, at start: Timestamp = now
) -> (outcome: Outcome, doubts: [String]) {
    do {
        let checked = try WriteRequest(type: "a_type", value: value, unit: unit, start: start)
            .checked(facts: facts, guess: " (did you mean b_type?)", now: now)
        switch checked.draft.value {
        case .number(let number, let text):
            return (.number(number, text, unit: checked.draft.unit ?? ""), checked.doubts)
        case .name(let name): return (.name(name), checked.doubts + (checked.draft.unit == nil ? [] : ["a unit"]))
        case nil: return (.name(""), ["no value"])
        }
    } catch { return (.refused(error), []) }
}

@Suite struct WriteRequestTests {
    @Test("a number goes out as it was typed, its unit is the catalog's unless given")
    func quantities() {
        #expect(outcome("0.25", facts: water) == (.number(0.25, "0.25", unit: "L"), []))
        #expect(outcome("250", "mL", facts: water) == (.number(250, "250", unit: "mL"), []))
        #expect(outcome("1e1", facts: water) == (.number(10, "1e1", unit: "L"), []))
        #expect(outcome("0.250", facts: water) == (.number(0.25, "0.250", unit: "L"), []))
        #expect(outcome("-0", facts: water) == (.number(0, "-0", unit: "L"), []))
    }

    @Test(
        "what is no JSON number is no number",
        arguments: [
            "", "0,25", ".25", "+1", "1.", "01", "1e", "1e999", "NaN", "inf", "0x10", "1 ", " 1", "1_000", "--1", "١",
            "ten",
            String(repeating: "1", count: 65),
        ])
    func notNumbers(text: String) {
        #expect(outcome(text, facts: water) == (.refused(.notANumber), []))
        // A word may be a category's value where the type is unknown; what looks like a number may not.
        #expect(outcome(text, "L", facts: nil) == (.refused(.notANumber), []))
    }

    @Test("a category's value goes out as its name; a number that has a name becomes it")
    func categories() {
        #expect(outcome("asleep_core", facts: sleep) == (.name("asleep_core"), []))
        #expect(outcome("3", facts: sleep) == (.name("asleep_core"), []))
        #expect(outcome("0.0", facts: sleep) == (.name("in_bed"), []))
        let known = WriteFault.unknownNumber(known: ["in_bed", "asleep_core", "asleep_deep"])
        for text in ["9", "3.5", "0,3", "-", ""] { #expect(outcome(text, facts: sleep) == (.refused(known), [])) }
        #expect(outcome("3", "count", facts: sleep) == (.refused(.categoryUnit), []))
        #expect(known.sentence.hasSuffix("its values are in_bed, asleep_core, asleep_deep"))
        #expect(outcome("x", facts: workout) == (.refused(.otherKind), []))
    }

    @Test("what the catalog only guesses is a doubt, one for each")
    func doubts() {
        let unknown = "its type is not in the catalog (did you mean b_type?)"
        #expect(outcome("5", "furlong", facts: nil) == (.number(5, "5", unit: "furlong"), [unknown]))
        #expect(outcome("5", facts: nil) == (.refused(.unitMissing), []))
        #expect(outcome("some_name", facts: nil) == (.name("some_name"), [unknown]))
        #expect(
            outcome("5", "kg", facts: water)
                == (.number(5, "5", unit: "kg"), ["its unit is none that the catalog has for this type, but L"]))
        #expect(
            outcome("10001", "mL", facts: water)
                == (.number(10_001, "10001", unit: "mL"), ["its value is outside of 0 to 10 L"]))
        #expect(outcome("10000", "mL", facts: water).doubts.isEmpty)
        #expect(outcome("-0.1", facts: water).doubts.count == 1)
        #expect(
            outcome("awake", facts: sleep)
                == (
                    .name("awake"),
                    ["the catalog has no such value for this type, but in_bed, asleep_core, asleep_deep"]
                ))
        #expect(
            outcome("1441", facts: exercise).doubts
                == ["its value is outside of 0 to 1440 min", "apps can't write this type as far as the catalog knows"])
        #expect(
            outcome("1441", facts: exercise).outcome == .number(1_441, "1441", unit: "min"))
    }

    @Test("a time more than a day ahead is a doubt")
    func ahead() {
        func doubts(_ microseconds: Int64) -> [String] {
            outcome("1", facts: water, at: Timestamp(microseconds: now.microseconds + microseconds)).doubts
        }
        #expect(doubts(86_400_000_000) == [])
        #expect(doubts(86_400_000_001) == ["its time is more than a day ahead"])
    }
}
