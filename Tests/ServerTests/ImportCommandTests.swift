import Foundation
import Samples
import Synchronization
import Testing

@testable import server

@Suite struct ImportCommandTests {
    static let xml = """
        <?xml version="1.0"?>
        <HealthData locale="en_SE">
         <Record type="HKQuantityTypeIdentifierStepCount" sourceName="Phone" unit="count" startDate="2026-10-14 07:05:00 +0200" \
        endDate="2026-10-14 07:06:00 +0200" value="412"/>
         <ClinicalRecord type="x"/>
        </HealthData>

        """

    private func harness(_ text: String = Self.xml) throws -> (harness: CommandHarness, file: String) {
        let harness = CommandHarness()
        #expect(harness.run("init").status == .success)
        let file = harness.folder + "/history"
        try Data(text.utf8).write(to: URL(filePath: file))
        return (harness, file)
    }

    @Test func aFileIsStoredAndSaysWhatWasFound() throws {
        let (harness, file) = try harness()
        let counted = harness.run("import", file, "--dry-run")
        #expect(counted.status == .success && counted.output == "steps  1  2026-10-14 to 2026-10-14\n")
        #expect(counted.errors == "1 sample in the file. Nothing was stored.\nLeft out: 1 clinical records.\n")
        let stored = harness.run("import", file)
        #expect(stored.status == .success && stored.output == counted.output)
        #expect(stored.errors == "Read 1 sample: 1 stored, 0 changed, 0 known before.\nLeft out: 1 clinical records.\n")
        #expect(harness.run("import", file).errors.hasPrefix("Read 1 sample: 0 stored, 0 changed, 1 known before.\n"))
        #expect(harness.run("status", "--json").output.contains("\"samples\": 1"))
    }

    @Test func severalEndpointsMustBeTold() throws {
        let (harness, file) = try harness()
        harness.run("add", "anna")
        let result = harness.run("import", file)
        #expect(result.status == .usage && result.errors.contains("name one with --to: anna, phone"))
        #expect(harness.run("import", file, "--to", "anna").status == .success)
        #expect(harness.run("status", "--json").output.contains("\"samples\": 1"))
    }

    @Test func whatIsWrongHasItsStatusAndSentence() throws {
        let (harness, file) = try harness(String(Self.xml.dropLast(20)))
        let cut = harness.run("import", file)
        #expect(cut.status == .data && cut.errors.contains("ends in the middle"))
        let none = harness.run("import", harness.folder + "/nothing")
        #expect(none.status == .inputOutput && none.errors.contains("can't be opened"))
        try Data("hello".utf8).write(to: URL(filePath: file))
        #expect(harness.run("import", file).status == .data)
        #expect(harness.run("import").status == .usage)
    }

    @Test func interruptedItSaysHowToGoOn() throws {
        let (harness, file) = try harness()
        let result = harness.run("import", file) { $0.watchInterrupts = { { true } } }
        #expect(result.status == .interrupted && result.errors.contains("The same command goes on from there."))
        #expect(harness.run("import", file).status == .success)
    }

    @Test func aTerminalSeesHowFarItIs() throws {
        let (harness, file) = try harness()
        let clock = ImportClock()
        let result = harness.run("import", file) { context in
            context.isErrorTerminal = true
            context.now = { clock.next() }
        }
        #expect(result.errors.contains("100%, ") && result.errors.contains(" samples, 0 s left"))
    }
}

/// Each look at it is a second later.
private final class ImportClock: Sendable {
    private let seconds = Mutex<Int64>(1_791_961_500)
    func next() -> Timestamp {
        seconds.withLock { seconds in
            seconds += 1
            return Timestamp(microseconds: seconds * 1_000_000)
        }
    }
}
