import Receiver
import Samples
import Storage
import Testing

private let now = Timestamp(microseconds: 1_791_961_923_000_000)

private func facts(_ type: String) -> TypeFacts? { TypeFacts(type, in: .builtIn) }

private let water = facts("dietary_water"), exercise = facts("apple_exercise_time"), sleep = facts("sleep_analysis")

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
        #expect(outcome("0.25", "L", facts: water) == (.number(0.25, "0.25", unit: "L"), []))
        #expect(outcome("250", facts: water) == (.number(250, "250", unit: "mL"), []))
        #expect(outcome("1e1", facts: water) == (.number(10, "1e1", unit: "mL"), []))
        #expect(outcome("0.250", facts: water) == (.number(0.25, "0.250", unit: "mL"), []))
        #expect(outcome("-0", facts: water) == (.number(0, "-0", unit: "mL"), []))
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

    @Test("a category's value goes out as its name; a number or another name of it becomes that")
    func categories() {
        for text in ["asleep_core", "3", "3.0", "3e0"] {
            #expect(outcome(text, facts: sleep) == (.name("asleep_core"), []))
        }
        #expect(outcome("0", facts: sleep) == (.name("in_bed"), []))
        #expect(outcome("asleep", facts: sleep) == (.name("asleep_unspecified"), []))
        let names = ["in_bed", "asleep_unspecified", "awake", "asleep_core", "asleep_deep", "asleep_rem"]
        let known = WriteFault.unknownNumber(known: names)
        for text in ["9", "3.5", "0,3", "-", ""] { #expect(outcome(text, facts: sleep) == (.refused(known), [])) }
        #expect(outcome("3", "count", facts: sleep) == (.refused(.categoryUnit), []))
        #expect(
            known.sentence.hasSuffix(
                "its values are in_bed, asleep_unspecified, awake, asleep_core, asleep_deep, asleep_rem"))
        #expect(
            outcome("snoring", facts: sleep)
                == (
                    .name("snoring"),
                    ["its value is none of those that the catalog has for this type (\(names.joined(separator: ", ")))"]
                ))
    }

    @Test("a type that is neither quantity nor category is refused", arguments: ["workout", "blood_type", "audiogram"])
    func otherKinds(type: String) { #expect(outcome("1", "x", facts: facts(type)) == (.refused(.otherKind), [])) }

    @Test("what the catalog only guesses is a doubt, one for each")
    func doubts() {
        let unknown = "its type is not in the catalog (did you mean b_type?)"
        #expect([facts("a_type"), facts("step_count"), facts("")].allSatisfy { $0 == nil }, "not by another name")
        #expect(outcome("5", "furlong", facts: nil) == (.number(5, "5", unit: "furlong"), [unknown]))
        #expect(outcome("5", facts: nil) == (.refused(.unitMissing), []))
        #expect(outcome("some_name", facts: nil) == (.name("some_name"), [unknown]))
        // Of another family, and a spelling that Apple Health doesn't read.
        let foreign =
            "its unit is none of those that the catalog has for this type (L, l, dL, cL, mL, mcL, dl, cl, ml, fl_oz_us, "
            + "fl_oz_imp, pt_us, pt_imp, cup_us, cup_imp)"
        for unit in ["kg", "millilitres", "fl. oz."] {
            #expect(outcome("5", unit, facts: water) == (.number(5, "5", unit: unit), [foreign]))
        }
        #expect(outcome("30", "L", facts: water) == (.number(30, "30", unit: "L"), []))
        #expect(outcome("30.001", "L", facts: water).doubts == ["its value is above 30000 mL"])
        #expect(outcome("30.001", "L", facts: water).outcome == .number(30.001, "30.001", unit: "L"))
        #expect(outcome("-0.1", facts: water).doubts == ["its value is below 0 mL"])
        #expect(outcome("0.1", facts: facts("body_mass")).doubts == ["its value is below 0.2 kg"])
        #expect(
            outcome("1441", facts: exercise).doubts
                == ["its value is above 1440 min", "apps can't write this type as far as the catalog knows"])
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
