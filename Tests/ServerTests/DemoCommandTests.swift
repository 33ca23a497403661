import Foundation
import Samples
import Storage
import Testing

@testable import Receiver
@testable import server

@Suite struct DemoCommandTests {
    private let harness = CommandHarness()
    private static let demo = ["demo", "--days", "3", "--until", "2026-10-14"]

    private func fill() { #expect(harness.run(words: Self.demo).status == .success) }

    @Test func demoSaysHowToLookAtIt() {
        let result = harness.run(words: Self.demo + ["--data", harness.data])
        #expect(result.status == .success && result.errors == "")
        let lines = result.output.split(separator: "\n", omittingEmptySubsequences: false)
        #expect(lines[0].hasPrefix("Made \(harness.data): 3 days of an invented person, "))
        #expect(lines[0].hasSuffix(" requests."))
        for line in ["server token add me", "server serve", "server totals steps", "server status"] {
            #expect(lines.contains("  \(line) --data \(harness.data)"))
        }
        #expect(lines.contains("  http://127.0.0.1:8788/"))
        let configuration = try? ConfigurationFile(directory: harness.data).load().configuration
        #expect(configuration?.names == ["phone"] && configuration?.endpoints["phone"]?.timeZone == "Europe/Berlin")
    }

    @Test func demoIsMadeAnewAndKeepsItsTokens() throws {
        fill()
        #expect(harness.run("token", "add", "me").status == .success)
        let before = try ConfigurationFile(directory: harness.data).load().configuration
        let first = harness.run("totals", "steps", "--from", "2026-10-12", "--csv").output
        fill()
        #expect(try ConfigurationFile(directory: harness.data).load().configuration == before)
        #expect(harness.run("totals", "steps", "--from", "2026-10-12", "--csv").output == first)
        #expect(harness.run("demo", "--days", "3", "--until", "2026-10-14", "--seed", "2").status == .success)
        #expect(harness.run("totals", "steps", "--from", "2026-10-12", "--csv").output != first)
    }

    @Test func demoLeavesOtherFoldersAlone() throws {
        #expect(harness.run("init").status == .success)
        let used = "server: \(harness.data) is in use already: name a new folder for the demo with --data.\n"
        #expect(harness.run(words: Self.demo) == .init(status: .cannotCreate, output: "", errors: used))
        // Nor with a queue and nothing stored.
        #expect(harness.run("write", "body_mass", "72").status == .success)
        #expect(harness.run(words: Self.demo).errors == used)
    }

    @Test func demoThatAPhoneSentToIsNoDemoAnyMore() throws {
        fill()
        let store = try Store.open(directory: harness.data)
        let reply = DispatchSemaphore(value: 0)
        var batch = SampleBatch()
        batch.samples.append(
            SampleRecord(
                key: .uuid(high: 1, low: 2), start: Timestamp(microseconds: 0), end: Timestamp(microseconds: 1),
                value: 1,
                series: batch.series(type: batch.intern("steps".utf8), unit: -1), source: -1, valueName: -1, part: 0,
                kind: .quantity, spelled: [], rest: .empty))
        store.submit(
            Submission(
                receivedAt: Timestamp(microseconds: 1_791_961_500_000_000), endpoint: "phone", person: "me",
                device: Array("d_real".utf8), kind: .data, dialect: .native, bodyBytes: 1, status: 204,
                content: .batch(batch))
        ) { _ in reply.signal() }
        #expect(reply.wait(timeout: .now() + 60) == .success)
        store.close()
        #expect(harness.run(words: Self.demo).status == .cannotCreate)
    }

    @Test func demoLeavesAServerAlone() throws {
        fill()
        let lock = try ServeLock(DataFolder(existing: harness.data))
        let result = harness.run(words: Self.demo)
        #expect(result.status == .cannotCreate)
        #expect(result.errors == "server: A server runs on \(harness.data): stop it first.\n")
        withExtendedLifetime(lock) {}
    }

    @Test(arguments: [
        ["--days", "0"], ["--days", "3651"], ["--seed", "x"], ["--until", "2026-02-30"], ["--until", "now"],
    ])
    func demoRefusesFlags(words: [String]) {
        #expect(harness.run(words: ["demo"] + words).status == .usage)
        #expect(!FileManager.default.fileExists(atPath: harness.data))
    }

    @Test func demoThatWasInterruptedIsMadeAnew() {
        let result = harness.run(words: Self.demo) { $0.watchInterrupts = { { true } } }
        #expect(result.status == .interrupted)
        fill()
    }

    // MARK: Questions

    @Test func totalsArePrintedAsTableAndAsTheAPIHasThem() throws {
        fill()
        let table = harness.run("totals", "steps", "--from", "2026-10-12", "--to", "2026-10-15", "--sources")
        let lines = table.output.split(separator: "\n").map(String.init)
        #expect(table.status == .success && lines[0] == "steps of me in count, by the clock of Europe/Berlin")
        #expect(lines[1].split(separator: " ") == ["BEGIN", "SUM", "SAMPLES"])
        #expect(lines.count { $0.hasPrefix("2026-10-1") } == 3)
        #expect(lines.contains { $0.hasPrefix("  Apple Watch (com.apple.health): ") })
        #expect(lines.contains { $0.hasPrefix("  iPhone (com.apple.health): ") && $0.hasSuffix(" of it count") })
        let json = harness.run("totals", "steps", "--from", "2026-10-12", "--to", "2026-10-15", "--json").output
        #expect(json.hasPrefix(#"{"person":"me","type":"steps","zone":"Europe/Berlin","unit":"count""#))
        #expect(json.contains(#""start":"2026-10-12T00:00:00+02:00""#) && json.hasSuffix("}\n"))
        let csv = harness.run("totals", "steps", "--from", "2026-10-12", "--to", "2026-10-15", "--csv").output
        #expect(csv.hasPrefix("start,end,samples,sum,min,mean,max,last,seconds,unit\r\n"))
        #expect(csv.split(separator: "\r\n").count == 4)
        // The days up to now, when nothing else is said.
        #expect(harness.run("totals", "steps", "--csv").output.split(separator: "\r\n").count == 4)
    }

    @Test(arguments: [
        ("heart_rate", ["BEGIN", "MIN", "MEAN", "MAX", "LAST", "SAMPLES"]),
        ("sleep_analysis", ["BEGIN", "HOURS", "SAMPLES"]),
    ])
    func totalsOfOtherTypes(type: String, header: [String]) {
        fill()
        let lines = harness.run("totals", type, "--by", "month").output.split(separator: "\n").map(String.init)
        #expect(lines.count == 3 && lines[1].split(separator: " ").map(String.init) == header)
    }

    @Test func totalsOfNothing() {
        #expect(harness.run("totals", "steps").status == .inputOutput)
        fill()
        #expect(harness.run("totals", "step").output == "me has no step in that time (did you mean steps?).\n")
        #expect(harness.run("totals", "steps", "--to", "2020-01-01").output == "me has no steps in that time.\n")
        for words in [
            ["--by", "minute"], ["--merge", "sum"], ["--json", "--csv"], ["--from", "yesterday"], ["--person", "kim"],
            ["--from", "2026-10-13", "--to", "2026-10-12"],
        ] {
            #expect(harness.run(words: ["totals", "steps"] + words).status == .usage)
        }
    }

    @Test func sourcesAreListedAndSet() throws {
        fill()
        let rows = harness.run("sources", "steps").output.split(separator: "\n").map(String.init)
        #expect(rows[0].split(separator: " ") == ["DEVICE", "APP", "KIND", "SAMPLES", "SET"])
        #expect(rows[1].hasPrefix("1  Apple Watch  com.apple.health  watch") && rows[1].hasSuffix("no"))
        #expect(rows[2].hasPrefix("2  iPhone       com.apple.health  phone"))
        let before = harness.run("totals", "steps", "--csv").output
        let turned = harness.run("sources", "steps", "--first", "com.apple.health/iPhone").output
        #expect(turned.contains("\n1  iPhone") && turned.contains("yes\n2  Apple Watch"))
        #expect(harness.run("totals", "steps", "--csv").output != before)
        let text = try String(contentsOfFile: harness.data + "/receiver.json", encoding: .utf8)
        #expect(text.contains("\"sources\""))
        #expect(harness.run("sources", "--reset").status == .success)
        #expect(harness.run("totals", "steps", "--csv").output == before)
        let after = try String(contentsOfFile: harness.data + "/receiver.json", encoding: .utf8)
        #expect(!after.contains("\"sources\""))
    }

    @Test func sourcesRefusesWhatItDoesNotKnow() {
        fill()
        let unknown = harness.run("sources", "--first", "Toaster")
        #expect(unknown.status == .data)
        #expect(unknown.errors == "server: No sample of me came from Toaster: server sources lists who did.\n")
        #expect(harness.run("sources", "--first", "iPhone", "--reset").status == .usage)
        #expect(harness.run("sources", "snoring").output == "me has no samples of snoring.\n")
    }
}
