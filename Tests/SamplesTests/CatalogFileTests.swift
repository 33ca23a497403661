import Foundation
import TestSupport
import Testing
import Wire

@testable import Samples

struct CatalogFileTests {
    private static let types = try! Array(RepositoryRoot.contents(of: "schemas/types.json"))
    private static let units = try! Array(RepositoryRoot.contents(of: "schemas/units.json"))

    /// What is compiled in is what is published.
    @Test func builtInIsTheFile() throws {
        #expect(Array(CatalogTexts.types.utf8) == Self.types)
        #expect(Array(CatalogTexts.units.utf8) == Self.units)
        let read = try Catalog(types: Self.types, units: Self.units)
        #expect(read.types == Catalog.builtIn.types)
        #expect(read.activities == Catalog.builtIn.activities)
        #expect(read.characteristics == Catalog.builtIn.characteristics)
        #expect(read.families == Catalog.builtIn.families)
        #expect(read.types.count == 192 && read.activities.count == 86 && read.characteristics.count == 6)
    }

    @Test func namesAreUniqueAndWellFormed() {
        let catalog = Catalog.builtIn
        let names = catalog.types.map(\.name)
        #expect(Set(names).count == names.count)
        #expect(Set(catalog.types.map(\.hk)).count == names.count)
        let others = catalog.types.flatMap { Set($0.aliases + $0.healthAutoExport).subtracting([$0.name]) }
        #expect(Set(others).count == others.count)
        #expect(Set(others).isDisjoint(with: names))
        for name in names + others { #expect(name.wholeMatch(of: #/[a-z][a-z0-9_]{1,63}/#) != nil, "\(name)") }
        for type in catalog.types {
            #expect(Set(type.values.map(\.raw)).count == type.values.count, "\(type.name)")
            #expect((type.kind == .quantity) == (type.unit != nil && type.family != nil && type.aggregation != nil))
            #expect((type.kind == .category) == !type.values.isEmpty)
            if let minimum = type.minimum, let maximum = type.maximum { #expect(minimum < maximum) }
        }
        #expect(Set(catalog.activities.map(\.raw)).count == catalog.activities.count)
    }

    /// What the guide prints.
    @Test func theGuidesNames() throws {
        for name in ["steps", "heart_rate", "dietary_water", "body_mass", "apple_exercise_time", "sleep_analysis"] {
            #expect(try #require(Catalog.builtIn.type(named: name.utf8)).isFromGuide)
        }
        let exercise = try #require(Catalog.builtIn.type(named: "apple_exercise_time".utf8))
        #expect(exercise.isWritable == false && exercise.unit == "min")
        let water = try #require(Catalog.builtIn.type(named: "dietary_water".utf8))
        #expect(water.isWritable == true && Catalog.builtIn.conversion(from: "L".utf8, to: water) != nil)
        #expect(Catalog.builtIn.activity(named: "running".utf8)?.raw == 37)
    }

    @Test(
        arguments: [
            ("running", "running"), ("outdoor_run", "running"), ("indoor_cycling", "cycling"),
            ("pool_swim", "swimming"),
            ("open_water_swim", "swimming"), ("hiit", "high_intensity_interval_training"), ("yoga", "yoga"),
            ("traditional_strength_training", "traditional_strength_training"), ("outdoor_ausfuhren", nil), ("", nil),
            ("outdoor_", nil), ("other", "other"),
        ] as [(String, String?)])
    func workoutsOfHealthAutoExport(shown: String, activity: String?) {
        #expect(Catalog.builtIn.activity(healthAutoExport: shown.utf8) == activity)
    }

    /// The tables that the files were made from: not part of this repository, so nil elsewhere.
    private static let tables: URL? = {
        let named = ProcessInfo.processInfo.environment["CATALOG_TABLES"].map { URL(filePath: $0) }
        let folder = named ?? RepositoryRoot.url.appending(path: "../shared/data")
        let file = folder.appending(path: "healthkit/units.csv").path(percentEncoded: false)
        return FileManager.default.fileExists(atPath: file) ? folder : nil
    }()

    @Test(.enabled(if: tables != nil)) func theScriptMakesTheFiles() throws {
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = [
            "python3", RepositoryRoot.url.appending(path: "scripts/make-catalog.py").path(percentEncoded: false),
            "--check", try #require(Self.tables).path(percentEncoded: false),
        ]
        try process.run()
        process.waitUntilExit()
        #expect(process.terminationStatus == 0)
    }

    @Test(.enabled(if: tables != nil)) func rawValuesOfTheTables() throws {
        func rows(_ file: String) throws -> [[String]] {
            let url = try #require(Self.tables).appending(path: "healthkit/\(file)")
            return try String(contentsOf: url, encoding: .utf8).split(separator: "\n").dropFirst().map { line in
                line.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
            }
        }
        let catalog = Catalog.builtIn
        for row in try rows("workout-activities.csv") {
            #expect(catalog.activity(named: row[1].utf8)?.raw == Int(row[0]), "\(row[1])")
        }
        for row in try rows("characteristics.csv") where !row[2].isEmpty {
            #expect(catalog.characteristicValue(characteristic: row[1].utf8, name: row[3].utf8) == Double(row[2]))
        }
        let values = Dictionary(grouping: try rows("category-values.csv")) { $0[0] }
        for row in try rows("category-types.csv") {
            for value in values[row[3].isEmpty ? "HKCategoryValue" : row[3]] ?? [] {
                #expect(catalog.categoryValue(type: row[1].utf8, name: value[2].utf8) == Double(value[1]), "\(row[1])")
                #expect(catalog.categoryName(type: row[1].utf8, raw: Int(value[1]) ?? -1) == value[2])
            }
        }
        for row in try rows("quantity-types.csv") {
            let type = try #require(catalog.type(healthKit: row[0].utf8))
            #expect(type.name == row[1] && type.unit == row[4] && type.family == row[5])
        }
    }

    @Test(
        arguments: [
            (#"{"v":1,"types":[],"activities":[]}"#, "types.json: it has no list `characteristics`"),
            (#"{"v":2,"types":[],"activities":[],"characteristics":[]}"#, "types.json: its `v` is not the number 1"),
            (#"{"types":[],"activities":[],"characteristics":[]}"#, "types.json: its `v` is not the number 1"),
            ("[]", "types.json:1: "), ("", "types.json:1: "),
            ("{\"v\":1,\n\"types\":[{}]}", "types.json:2: `name` is missing"),
            (
                "{\"v\":1,\"types\":[\n{\"name\":\"a_b\",\"kind\":\"quantity\",\"hk\":\"x\",\"unit\":\"kg\",\"family\":\"length\"}]}",
                "types.json:2: a quantity needs a `family`"
            ),
            (
                "{\"v\":1,\"types\":[\n{\"name\":\"a_b\",\"kind\":\"odd\",\"hk\":\"x\"}]}",
                "types.json:2: `kind` is neither"
            ),
            (
                "{\"v\":1,\"types\":[\n{\"name\":\"a_b\",\"kind\":\"category\",\"hk\":\"x\"},\n{\"name\":\"a_b\",\"kind\":\"category\",\"hk\":\"y\"}]}",
                "types.json:3: `a_b` comes twice"
            ),
            (
                "{\"v\":1,\"types\":[\n{\"name\":\"a_b\",\"kind\":\"category\",\"hk\":\"x\"},\n{\"name\":\"a_c\",\"kind\":\"category\",\"hk\":\"x\"}]}",
                "types.json:3: `hk` is another type's, too"
            ),
            (#"{"v":1,"types":[{"name":7,"kind":"category","hk":"x"}]}"#, "types.json:1: `name` is missing or no text"),
            (
                #"{"v":1,"types":[{"name":"a_b","kind":"category","hk":"x","min":2,"max":1}]}"#,
                "types.json:1: `min` is more than `max`"
            ),
            (
                #"{"v":1,"types":[{"name":"a_b","kind":"category","hk":"x","values":[{"name":"in_it","raw":1.5}]}]}"#,
                "types.json:1: an entry of a list is not complete"
            ),
            (
                #"{"v":1,"types":[{"name":"a_b","kind":"category","hk":"x","values":[{"name":"\u001b[2J","raw":1}]}]}"#,
                "types.json:1: a value's name is not of the form"
            ),
            (
                #"{"v":1,"types":[{"name":"a_b","kind":"category","hk":"x","values":[{"name":"aa","raw":1},{"name":"bb","raw":1}]}]}"#,
                "types.json:1: a value comes twice"
            ),
            (#"{"v":1,"activities":[{"name":"ab","raw":"1"}]}"#, "types.json:1: `raw` is missing or no whole number"),
            (#"{"v":1,"activities":[{"name":"ab","raw":1e300}]}"#, "types.json:1: `raw` is missing or no whole number"),
            (
                "{\"v\":1,\"types\":[{\"name\":\"A b\",\"kind\":\"category\",\"hk\":\"x\"}]}",
                "types.json:1: a name is not of the form"
            ),
        ])
    func badFiles(text: String, sentence: String) {
        do throws(CatalogFault) {
            _ = try Catalog(types: Array(text.utf8), units: Self.units)
            Issue.record("accepted: \(text)")
        } catch {
            #expect(error.sentence.hasPrefix(sentence), "\(error.sentence)")
        }
    }

    @Test(
        arguments: [
            #"{"name":"x","unit":"m","units":[]}"#, #"{"name":"x","unit":"m","units":[{"unit":"m"}]}"#,
            #"{"name":"x","unit":"m","units":[{"unit":"m","factor":"1/0"}]}"#,
            #"{"name":"x","unit":"m","units":[{"unit":"m","factor":"-1"}]}"#,
            #"{"name":"x","unit":"m","units":[{"unit":"m","factor":"1e3"}]}"#,
            #"{"name":"x","unit":"m","units":[{"unit":"m","factor":1}]}"#,
            #"{"name":"x","unit":"m","units":[{"unit":"m","factor":"1.2.3"}]}"#,
            #"{"name":"x","unit":"m","units":[{"unit":"m","factor":"9999999999999999999"}]}"#,
            #"{"name":"x","unit":"m","units":[{"unit":"m","factor":"1"},{"unit":"m","factor":"2"}]}"#,
            #"{"name":"x","unit":"m","units":["m"]}"#, #"{"unit":"m","units":[]}"#, "7",
        ])
    func badFamilies(family: String) {
        #expect(throws: CatalogFault.self) {
            try Catalog(types: Self.types, units: Array("{\"v\":1,\"families\":[\(family)]}".utf8))
        }
    }

    /// Cut at every position of a small catalog, and at many of the real one: refused with a place, never trapped.
    @Test func cutFiles() {
        let small = Array(
            #"{"v":1,"families":[{"name":"x","unit":"m","units":[{"unit":"m","factor":"1"}]}],"hae":[{"unit":"m","means":"m"}]}"#
                .utf8)
        for end in small.indices {
            #expect(throws: CatalogFault.self) { try Catalog(types: Self.types, units: Array(small[..<end])) }
        }
        for end in stride(from: 0, to: Self.types.count - 2, by: 997) {
            #expect(throws: CatalogFault.self) { try Catalog(types: Array(Self.types[..<end]), units: Self.units) }
        }
    }

    /// What is not known is skipped, so that this program reads the files of a later one.
    @Test func unknownMembers() throws {
        let types = #"""
            {"v":1,"later":[1,{"a":[2]},null],"types":[{"name":"a_b","kind":"category","hk":"x","later":[1,[2],{"k":3}],
            "more":{"m":1},"min":null,"values":[{"name":"aa","raw":-1,"later":[[]]}],"aliases":["c_d"]}],"activities":[],
            "characteristics":[],"last":{"types":[7]}}
            """#
        let catalog = try Catalog(types: Array(types.utf8), units: Self.units)
        #expect(catalog.types.map(\.name) == ["a_b"] && catalog.types.first?.values.first?.raw == -1)
        #expect(catalog.type(named: "c_d".utf8)?.name == "a_b")
    }

    /// Bytes changed, left out, doubled and swapped for others: refused or read, never trapped.
    @Test func changedFiles() {
        let types = Array(
            #"{"v":1,"types":[{"name":"a_b","kind":"quantity","hk":"x","unit":"m","family":"x","aggregation":"cumulative","min":-1e2,"max":7.5,"write":null,"hae":["q_r"],"since":"8.0"},{"name":"c_d","kind":"category","hk":"y","values":[{"name":"in_bed","raw":0,"aliases":["ib"]}]}],"activities":[{"name":"run","raw":37,"hk":"z","deprecated":true}],"characteristics":[{"name":"blood","hk":"b","values":[]}]}"#
                .utf8)
        let units = Array(
            #"{"v":1,"families":[{"name":"x","unit":"m","units":[{"unit":"m","factor":"1"},{"unit":"F","factor":"5/9","offset":"-160/9"}]}],"hae":[{"unit":"c","means":"m"}]}"#
                .utf8)
        var generator = SeededGenerator(seed: 11), accepted = 0
        let marks = Array(#"{}[]",:0719eE.-+\/ntul"#.utf8) + [0, 0x80, 0xFF]
        for round in 0..<6_000 {
            var text = round % 2 == 0 ? types : units
            for _ in 0...Int.random(in: 0...2, using: &generator) {
                let at = Int.random(in: text.indices, using: &generator)
                switch Int.random(in: 0...2, using: &generator) {
                case 0: text[at] = marks.randomElement(using: &generator)!
                case 1: text.remove(at: at)
                default: text.insert(text[Int.random(in: text.indices, using: &generator)], at: at)
                }
            }
            let catalog =
                round % 2 == 0 ? try? Catalog(types: text, units: units) : try? Catalog(types: types, units: text)
            accepted += catalog == nil ? 0 : 1
            // A factor of 0 is refused, so what is left converts.
            if let conversion = catalog?.conversion(from: "F".utf8, to: "m".utf8) { #expect(!conversion(1).isNaN) }
        }
        #expect(accepted > 100)  // else the changes were too large to come far
    }

    /// What decodes a body uses the catalog that it is given.
    @Test func decodingWithAnother() throws {
        let types = #"""
            {"v":1,"types":[{"name":"mood_of_the_cat","kind":"category","hk":"x","values":[{"name":"asleep","raw":7}]}],
            "activities":[],"characteristics":[]}
            """#
        let body = #"""
            {"v":1,"type":"sync","device":"d_invented","samples":[
            {"uuid":"a","type":"mood_of_the_cat","value":"asleep"},{"uuid":"b","type":"sleep_analysis","value":"asleep_core"}]}
            """#
        let catalog = try Catalog(types: Array(types.utf8), units: Self.units)
        let batch = try NativeDecoder.decode(PaddedBytes(Array(body.utf8)), catalog: catalog).batch
        #expect(batch.samples.map(\.value) == [7, nil])
        #expect(batch.samples.map { batch.string($0.valueName) } == ["asleep", "asleep_core"])
    }
}
