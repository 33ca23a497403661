import Foundation
import Samples
import TestSupport
import Testing

struct UnitConversionTests {
    private static let catalog = Catalog.builtIn

    @Test(
        arguments: [
            ("kJ", "kcal", 418.4, 100), ("kcal", "kJ", 100, 418.4), ("J", "kcal", 4184, 1), ("Cal", "kcal", 7, 7),
            ("L", "mL", 0.25, 250), ("mL", "L", 250, 0.25), ("cup_us", "L", 1, 0.2365882365),
            ("fl_oz_us", "mL", 1, 29.5735295625), ("degF", "degC", 98.6, 37), ("degC", "degF", 37, 98.6),
            ("ºF", "degC", -40, -40), ("K", "degC", 310.15, 37), ("degC", "K", 0, 273.15), ("mi", "m", 1, 1609.344),
            ("mi", "km", 1, 1.609344), ("km", "mi", 1.609344, 1), ("yd", "m", 50, 45.72), ("ft", "cm", 1, 30.48),
            ("lb", "kg", 1, 0.45359237), ("kg", "lb", 0.45359237, 1), ("st", "kg", 1, 6.35029318),
            ("oz", "g", 1, 28.349523125),
            ("µg", "mg", 400, 0.4), ("μg", "mcg", 3, 3), ("min", "s", 1.5, 90), ("hr", "min", 7.1, 426),
            ("ms", "s", 1, 0.001),
            ("count/s", "count/min", 1, 60), ("bpm", "count/min", 72, 72), ("km/hr", "m/s", 3.6, 1),
            ("mph", "m/s", 1, 0.44704),
            ("mmol/L", "mg/dL", 5.5, 99.085734000029744), ("mmol<180.1558800000541>/L", "mmol/L", 5.5, 5.5),
            ("kPa", "mmHg", 101.325, 759.9998917256113), ("inHg", "mmHg", 1, 25.4), ("mcS", "S", 1, 0.000001),
            ("MET", "kcal/(kg*hr)", 3, 3), ("kcal/hr·kg", "MET", 3, 3), ("mL/min·kg", "ml/(kg·min)", 41.2, 41.2),
            ("L/s", "L/min", 1, 60), ("percent_points", "%", 96, 0.96), ("kW", "W", 0.2, 200), ("d", "hr", 1, 24),
        ] as [(String, String, Double, Double)])
    func isExact(from: String, to: String, value: Double, expected: Double) throws {
        let conversion = try #require(Self.catalog.conversion(from: from.utf8, to: to.utf8))
        #expect(conversion(value) == expected)
    }

    /// Section 6.2 of what is known of that shape, with all three dots, by the family's own unit.
    @Test(
        arguments: [
            ("count", "count steps falls times"), ("count/min", "count/min bpm breaths/min spm"),
            ("kcal", "kcal Cal kJ"), ("m", "km m cm mi ft yd in"), ("m/s", "km/hr km/h kmph mi/hr mph m/s ft/s"),
            ("g", "kg g lb lbs st oz mg mcg \u{B5}g \u{3BC}g"), ("L", "L mL fl_oz_us fl.~oz. cup_us"),
            ("degC", "degC degF °C °F ºC ºF"), ("%", "%"), ("s", "ms s sec min hr h hours"), ("mmHg", "mmHg"),
            ("mg/dL", "mg/dL mmol/L"), ("IU", "IU"), ("W", "W watts"), ("dBASPL", "dBASPL"), ("L/min", "L/min"),
            ("S", "S mcS"),
            ("ml/(kg*min)", "ml/(kg·min) ml/(kg*min) ml/(kg⋅min) mL/min·kg mL/min⋅kg ml/kg·min ml/kg*min ml/kg⋅min"),
            ("kcal/(kg*hr)", "kcal/hr·kg kcal/hr⋅kg kcal/hr*kg MET kcal/(kg·hr) kcal/(kg⋅hr) kcal/(kg*hr)"),
        ])
    func spellingsOfHealthAutoExport(unit: String, spellings: String) {
        for spelling in spellings.split(separator: " ").map({ $0.replacing("~", with: " ") }) {
            #expect(Self.catalog.conversion(from: spelling.utf8, to: unit.utf8) != nil, "\(spelling)")
        }
    }

    /// A product that no double holds, of a quotient that one does; and what is beyond all stays so.
    @Test func hugeNumbers() throws {
        let energy = try #require(Self.catalog.conversion(from: "kJ".utf8, to: "kcal".utf8))
        #expect(abs(energy(1e308) / 2.390057361376673e307 - 1) < 1e-15)
        #expect(energy(-1e308) == -energy(1e308) && energy(.infinity) == .infinity)
        let volume = try #require(Self.catalog.conversion(from: "L".utf8, to: "mL".utf8))
        #expect(volume(1e308) == .infinity)
    }

    @Test func noFamilyHasBoth() {
        #expect(Self.catalog.conversion(from: "kg".utf8, to: "m".utf8) == nil)
        #expect(Self.catalog.conversion(from: "".utf8, to: "m".utf8) == nil)
        #expect(Self.catalog.conversion(from: "KG".utf8, to: "g".utf8) == nil)
    }

    /// Health Auto Export's `cal` is a kilocalorie; elsewhere it is a thousandth of one.
    @Test func caloriesOfHealthAutoExport() throws {
        let energy = try #require(Self.catalog.type(healthAutoExport: "active_energy".utf8))
        #expect(energy.name == "active_energy_burned")
        #expect(Self.catalog.conversion(fromHealthAutoExport: "cal".utf8, to: energy)?(250) == 250)
        #expect(Self.catalog.conversion(from: "cal".utf8, to: energy)?(250) == 0.25)
        #expect(Self.catalog.conversion(fromHealthAutoExport: "kJ".utf8, to: energy)?(418.4) == 100)
    }

    @Test func identityKeepsEveryBit() throws {
        let same = try #require(Self.catalog.conversion(from: "bpm".utf8, to: "count/min".utf8))
        for value in [0.1 + 0.2, -0.0, 1e300, 1e-300] { #expect(same(value).bitPattern == value.bitPattern) }
    }

    /// Against decimals of 38 digits: never off by more than two units in the last place, there and back.
    @Test func everyUnitBothWays() throws {
        for family in Self.catalog.families {
            for unit in family.units {
                let there = try #require(family.conversion(from: unit.name.utf8, to: family.unit.utf8))
                let back = try #require(family.conversion(from: family.unit.utf8, to: unit.name.utf8))
                for value in [0.1, 1, 3.7, 72, 98.6, 1234.5678, 1e6] {
                    let returned = back(there(value))
                    // An offset costs what its own size costs.
                    let size = max(abs(value), abs(there(value)), abs(back(0)), abs(there(0)))
                    #expect(abs(returned - value) <= 4 * size.ulp, "\(unit.name) of \(family.name)")
                }
            }
        }
    }

    @Test func againstLongDecimals() throws {
        var generator = SeededGenerator(seed: 7)
        for family in Self.catalog.families {
            for unit in family.units {
                let conversion = try #require(family.conversion(from: unit.name.utf8, to: family.unit.utf8))
                let exact = try #require(Self.facts[family.name]?[unit.name])
                for _ in 0..<5 {
                    let hundredths = Int.random(in: 1...10_000_000, using: &generator)
                    let value = Double(hundredths) / 100
                    let expected = Decimal(hundredths) / 100 * exact.factor + exact.offset
                    let double = try #require(Double("\(expected)"))
                    let slack = 4 * max(abs(double), abs(try #require(Double("\(exact.offset)")))).ulp
                    #expect(abs(conversion(value) - double) <= slack, "\(value) \(unit.name)")
                }
            }
        }
    }

    /// `schemas/units.json` read by Foundation.
    private static let facts: [String: [String: (factor: Decimal, offset: Decimal)]] = {
        struct File: Decodable {
            struct Family: Decodable {
                struct Unit: Decodable {
                    var unit: String
                    var factor: String
                    var offset: String?
                }
                var name: String
                var units: [Unit]
            }
            var families: [Family]
        }
        func decimal(_ text: String) -> Decimal {
            let parts = text.split(separator: "/").map { Decimal(string: String($0))! }
            return parts.count == 2 ? parts[0] / parts[1] : parts[0]
        }
        let file = try! JSONDecoder().decode(
            File.self, from: Data(contentsOf: RepositoryRoot.url.appending(path: "schemas/units.json")))
        var facts: [String: [String: (factor: Decimal, offset: Decimal)]] = [:]
        for family in file.families {
            for unit in family.units {
                facts[family.name, default: [:]][unit.unit] = (decimal(unit.factor), decimal(unit.offset ?? "0"))
            }
        }
        return facts
    }()
}
