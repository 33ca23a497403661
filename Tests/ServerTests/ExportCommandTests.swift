import Foundation
import Receiver
import Samples
import Storage
import Synchronization
import Wire
import Testing

@testable import server

/// Half a second goes by with each look.
final class TickingClock: Sendable {
    private let microseconds = Atomic<Int64>(1_791_961_500_000_000)
    func next() -> Timestamp {
        Timestamp(microseconds: microseconds.add(500_000, ordering: .relaxed).newValue)
    }
}

/// Stores a native body for the endpoint `phone`, as `serve` would.
func storeBody(
    _ body: String, in folder: String, person: String = "Anna", endpoint: String = "phone", dialect: Dialect = .native
) throws {
    let decoded = try NativeDecoder.decode(.init(Array(body.utf8)))
    let store = try Store.open(directory: folder)
    defer { store.close() }
    let done = DispatchSemaphore(value: 0)
    store.submit(
        Submission(
            receivedAt: Timestamp(microseconds: 1_791_961_000_000_000), endpoint: endpoint, person: person,
            device: decoded.device ?? [], kind: .data, dialect: dialect, bodyBytes: 1, status: 204,
            content: .batch(decoded.batch))
    ) { result in
        if case .failure(let fault) = result { Issue.record("\(fault)") }
        done.signal()
    }
    try #require(done.wait(timeout: .now() + 60) == .success)
}

@discardableResult
func queueCommand(in folder: String) throws -> String {
    let draft = CommandDraft(
        op: .write, type: "dietary_water", value: .number(0.25, text: "0.25"), unit: "L",
        start: Timestamp(microseconds: 0))
    return try CommandQueue(directory: folder).add(draft, endpoint: "phone", now: Timestamp(microseconds: 0)).id
}

@Suite struct ExportCommandTests {
    let harness = CommandHarness()
    static let samples = (1...3).map {
        #"{"uuid":"k\#($0)","type":"steps","value":\#($0),"unit":"count","start":"2026-10-1\#($0)T00:00:00Z"}"#
    }

    init() throws {
        harness.run("init")
        try storeBody(
            #"{"v":1,"type":"sync","device":"d_1","samples":[\#(Self.samples.joined(separator: ",")),{"uuid":"a","type":"audiogram"}]}"#,
            in: harness.data)
    }

    /// Runs an export and gives what standard output got.
    private func export(
        _ words: String..., change: (inout CommandContext) -> Void = { _ in }
    ) -> (result: CommandHarness.Result, bytes: String) {
        let output = Mutex<[UInt8]>([])
        let result = harness.run(words: ["export"] + words) { context in
            context.writeBytes = { bytes in
                output.withLock { $0 += bytes }
                return true
            }
            change(&context)
        }
        return (result, output.withLock { String(decoding: $0, as: UTF8.self) })
    }

    @Test func standardOutput() {
        let (result, bytes) = export("--format", "csv")
        #expect(
            bytes == """
                type,uuid,start,end,value,unit,value_name,source,device,user_entered\r
                steps,k1,2026-10-11T00:00:00Z,,1,count,,,,false\r
                steps,k2,2026-10-12T00:00:00Z,,2,count,,,,false\r
                steps,k3,2026-10-13T00:00:00Z,,3,count,,,,false\r

                """)
        #expect(
            result
                == .init(
                    status: .success, output: "",
                    errors: "server: Left out 1 sample that csv has no place for: 1 audiogram.\n"))
        #expect(export("--format", "influx").bytes.hasPrefix("steps,unit=count value=1 1791676800000000000\n"))
        #expect(export("--format", "native").bytes.hasPrefix(#"{"v":1,"type":"sync","device":"d_1","samples":["#))
        #expect(export().bytes.split(separator: "\n").count == 4 && export("--output", "-").bytes == export().bytes)
    }

    @Test func ranges() {
        func keys(_ words: String...) -> String {
            let lines = harness.run(words: ["export"] + words).status
            #expect(lines == .success)
            let output = Mutex("")
            harness.run(words: ["export", "--format", "csv"] + words) { context in
                context.writeBytes = { bytes in
                    output.withLock { $0 += String(decoding: bytes, as: UTF8.self) }; return true
                }
            }
            return output.withLock { $0 }.split(separator: "\r\n").dropFirst().map { $0.split(separator: ",")[1] }
                .joined(separator: " ")
        }
        #expect(keys() == "k1 k2 k3")
        #expect(keys("--from", "2026-10-12") == "k2 k3" && keys("--to", "2026-10-12") == "k1")
        #expect(keys("--from", "2026-10-12", "--to", "2026-10-13") == "k2")
        #expect(keys("--from", "2026-10-12T02:00:00+02:00", "--to", "2026-10-12T00:00:00.000001Z") == "k2")
        #expect(
            keys("--type", "steps,heart_rate", "--endpoint", "phone", "--person", "Anna", "--device", "d_1")
                == "k1 k2 k3")
        #expect(keys("--type", "steps", "--type", "heart_rate", "--person", "me") == "")
    }

    @Test func files() throws {
        let path = harness.folder + "/out.csv"
        let (result, bytes) = export("--format", "csv", "--output", path)
        #expect(bytes == "" && result.status == .success)
        #expect(result.errors.hasPrefix("Wrote 3 samples to \(path).\nserver: Left out 1 sample"))
        #expect(try String(contentsOfFile: path, encoding: .utf8) == export("--format", "csv").bytes)
        #expect(try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int == 0o600)
        #expect(
            export("--format", "csv", "--output", path).result
                == .init(
                    status: .cannotCreate, output: "", errors: "server: \(path) is there already and is not replaced.\n"
                ))
        let split = export("--format", "native", "--output", path, "--split", "65536").result
        #expect(split.errors == "Wrote 4 samples to 1 file.\n")
        #expect(export("--format", "csv", "--output", harness.folder + "/no/out").result.status == .cannotCreate)
        #expect(
            try FileManager.default.contentsOfDirectory(atPath: harness.folder).sorted() == [
                "data", "out.0001.csv", "out.csv",
            ])
    }

    /// When one of several can't be written, none is left.
    @Test func allFilesOrNone() throws {
        let samples = (0..<4_000).map { #"{"uuid":"n\#($0)","type":"steps","value":\#($0),"unit":"count"}"# }
        try storeBody(
            #"{"v":1,"type":"sync","device":"d_1","samples":[\#(samples.joined(separator: ","))]}"#, in: harness.data)
        let words = ["--format", "csv", "--split", "65536", "--output", harness.folder + "/out"]
        try Data("mine".utf8).write(to: URL(fileURLWithPath: harness.folder + "/out.0002"))
        #expect(harness.run(words: ["export"] + words).status == .cannotCreate)
        #expect(try FileManager.default.contentsOfDirectory(atPath: harness.folder).sorted() == ["data", "out.0002"])
        try FileManager.default.removeItem(atPath: harness.folder + "/out.0002")
        #expect(harness.run(words: ["export"] + words).errors.hasPrefix("Wrote 4003 samples to 3 files.\n"))
        let names = try FileManager.default.contentsOfDirectory(atPath: harness.folder).sorted()
        #expect(names == ["data", "out.0001", "out.0002", "out.0003"])
    }

    @Test func usage() {
        for words in [
            ["--format", "xml"], ["--from", "yesterday"], ["--to", "2026-13-01"], ["--split", "65536"],
            ["--output", "x", "--split", "65535"], ["--type", "a,,b"], ["--from", "2026-10-12", "--to", "2026-10-11"],
            ["--output="], ["operand"],
        ] {
            #expect(harness.run(words: ["export"] + words).status == .usage, "\(words)")
        }
        #expect(export("--type", "nothing").result.errors == "server: Nothing of the type nothing is stored.\n")
        let empty = harness.folder + "/empty"
        harness.run("init", "--data", empty)
        let none = harness.run("export", "--data", empty)
        #expect(none.status == .inputOutput && none.errors.hasPrefix("server: There is no health.db"))
    }

    @Test func mixtures() throws {
        let body = #"{"v":1,"type":"sync","device":"d_2","samples":[{"uuid":"k","type":"steps","value":1}]}"#
        try storeBody(body, in: harness.data)
        #expect(export("--format", "native").result.errors == "")
        #expect(
            export("--format", "influx").result.errors.hasPrefix(
                "server: This is the data of 2 devices, and influx doesn't name them"))
        #expect(export("--format", "influx", "--device", "d_2").result.errors.hasPrefix("server: Left out 1 sample"))
        try storeBody(body, in: harness.data, person: "me")
        #expect(export("--format", "native").result.errors.hasPrefix("server: This is the data of 2 persons"))
        #expect(export("--format", "native", "--person", "me").result.errors == "" && export().result.errors == "")
    }

    @Test func aReaderThatHasEnough() {
        let result = harness.run("export") { $0.writeBytes = { _ in false } }
        #expect(result == .init(status: .success, output: "", errors: ""))
    }

    @Test func progressOnATerminal() {
        let clock = TickingClock()
        let (result, _) = export { context in
            context.isErrorTerminal = true
            context.now = { clock.next() }
        }
        #expect(result.errors.contains("\r4 samples, "))
        #expect(result.errors.contains(" samples/s") && result.errors.hasSuffix(" \r"))
    }

    @Test(arguments: [(0, "0"), (999, "999"), (1_000, "1,000"), (1_234_567, "1,234,567"), (-1_000, "-1,000")])
    func numbers(value: Int, expected: String) { #expect(grouped(value) == expected) }

    @Test(arguments: [
        (0, "0 bytes"), (999, "999 bytes"), (1_000, "1 kB"), (1_250_000, "1.2 MB"), (3_100_000_000, "3.1 GB"),
    ])
    func sizes(value: Int, expected: String) { #expect(sizeText(value) == expected) }
}

/// The program itself: pipes and signals.
@Suite struct ReadingBackSpawnTests {
    private func start(_ words: [String], output: Any, errors: Any) throws -> Process {
        let here = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
        let process = Process()
        process.executableURL = URL(fileURLWithPath: here).deletingLastPathComponent().appendingPathComponent("server")
        process.arguments = words
        process.standardOutput = output
        process.standardError = errors
        try process.run()
        return process
    }

    /// `export | head` ends without a word, though much more would follow.
    @Test func aPipeThatCloses() throws {
        let harness = CommandHarness()
        harness.run("init")
        let samples = (0..<4_000).map { #"{"uuid":"k\#($0)","type":"steps","value":\#($0),"unit":"count"}"# }
        try storeBody(
            #"{"v":1,"type":"sync","device":"d_1","samples":[\#(samples.joined(separator: ","))]}"#, in: harness.data)
        let output = Pipe(), errors = Pipe()
        let process = try start(["export", "--data", harness.data], output: output, errors: errors)
        #expect(try output.fileHandleForReading.read(upToCount: 10)?.count == 10)
        try output.fileHandleForReading.close()
        #expect(errors.fileHandleForReading.readDataToEndOfFile() == Data())
        process.waitUntilExit()
        #expect(process.terminationStatus == 0)
        let full = try start(
            ["export", "--data", harness.data], output: FileHandle(forWritingTo: URL(fileURLWithPath: "/dev/full")),
            errors: FileHandle.nullDevice)
        full.waitUntilExit()
        #expect(full.terminationStatus == 74)
    }

    /// A signal ends an export into files with nothing left, and a killed one leaves nothing under the final name.
    @Test func signals() throws {
        let harness = CommandHarness()
        harness.run("init")
        let samples = (0..<40_000).map { #"{"uuid":"k\#($0)","type":"steps","value":\#($0),"unit":"count"}"# }
        try storeBody(
            #"{"v":1,"type":"sync","device":"d_1","samples":[\#(samples.joined(separator: ","))]}"#, in: harness.data)
        func names() throws -> [String] {
            try FileManager.default.contentsOfDirectory(atPath: harness.folder).sorted().filter { $0 != "data" }
        }
        for (signal, isClean) in [(SIGTERM, true), (SIGINT, true), (SIGKILL, false)] {
            let file = harness.folder + "/out"
            let process = try start(
                ["backup", file, "--data", harness.data], output: FileHandle.nullDevice, errors: FileHandle.nullDevice)
            // The signal comes when the copy has begun.
            while process.isRunning, try names().isEmpty { usleep(200) }
            kill(process.processIdentifier, signal)
            process.waitUntilExit()
            let left = try names()
            // It may have been quicker than the signal.
            if left.contains("out") {
                #expect(StoredFigures.read(folder: harness.data).error == nil)
                try FileManager.default.removeItem(atPath: file)
            } else if isClean {
                #expect(left == [] && process.terminationStatus == 130)
            }
        }
        #expect(harness.run("backup", harness.folder + "/out").status == .success)
        #expect(try names() == ["out"])
    }
}
