import Foundation
import TestSupport
import Testing

@testable import server

struct TypesCommandTests {
    private let harness = CommandHarness()

    @Test func aPartOfAName() {
        let result = harness.run("types", "blood_type")
        #expect(result.status == .success && result.errors.isEmpty)
        let lines = result.output.split(separator: "\n")
        #expect(lines.count == 2 && lines[0].hasPrefix("NAME        KIND"))
        #expect(lines[1].hasPrefix("blood_type  characteristic  -     no     -     -   not_set 0, a_positive 1, "))
    }

    /// By HealthKit's identifier in any case, by a name of Health Auto Export, and as a glob over the whole name.
    @Test(
        arguments: [
            ("hkquantitytypeidentifierstepcount", ["steps"]), ("step_count", ["steps"]),
            ("weight_body_mass", ["body_mass"]),
            (
                "dietary_fat_*",
                [
                    "dietary_fat_monounsaturated", "dietary_fat_polyunsaturated", "dietary_fat_saturated",
                    "dietary_fat_total",
                ]
            ),
            ("hi?ing", ["hiking"]), ("tai_chi", ["tai_chi"]),
        ])
    func found(pattern: String, names: [String]) {
        let lines = harness.run("types", pattern).output.split(separator: "\n").dropFirst()
        #expect(lines.map { $0.prefix { $0 != " " && $0 != "*" } } == names.map { $0[...] })
    }

    @Test func nothingFound() {
        let result = harness.run("types", "stepz")
        #expect(result.status == .data && result.output.isEmpty)
        #expect(result.errors == "server: Nothing in the catalog matches stepz; did you mean steps?\n")
        #expect(harness.run("types", "stepz", "--json") == .init(status: .success, output: "[]\n", errors: ""))
        #expect(harness.run("types", "--kind", "odd").status == .usage)
    }

    @Test func forMachines() throws {
        let result = harness.run("types", "--json", "--kind", "activity")
        let entries = try #require(JSONSerialization.jsonObject(with: Data(result.output.utf8)) as? [[String: Any]])
        #expect(entries.count == 86)
        let running = try #require(entries.first { $0["name"] as? String == "running" })
        #expect(running["raw"] as? Int == 37 && running["source"] as? String == "guide")
    }

    @Test func aCatalogOfOnesOwn() throws {
        let folder = URL(filePath: harness.folder)
        try RepositoryRoot.contents(of: "schemas/units.json").write(to: folder.appending(path: "units.json"))
        let types = """
            {"v":1,"types":[{"name":"mood_of_the_cat","kind":"category","hk":"x","values":[{"name":"asleep","raw":7}]}],
            "activities":[],"characteristics":[]}
            """
        try Data(types.utf8).write(to: folder.appending(path: "types.json"))
        for result in [
            harness.run("types", "--catalog", harness.folder),
            harness.run("types") { $0.environment["SYNCKY_CATALOG"] = self.harness.folder },
        ] {
            #expect(result.output.contains("mood_of_the_cat*  category  -     ?      -     -   asleep 7"))
            #expect(result.output.split(separator: "\n").count == 2)
        }
        try Data("{\"v\":1,\n\"types\":7".utf8).write(to: folder.appending(path: "types.json"))
        let bad = harness.run("types", "--catalog", harness.folder)
        #expect(bad.status == .data && bad.errors.contains("types.json:2: "))
        #expect(harness.run("types", "--catalog", "/nowhere").status == .inputOutput)
    }
}
