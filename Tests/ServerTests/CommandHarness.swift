import Foundation
import Receiver
import Samples
import Synchronization
import Testing
import Transport

@testable import server

/// Swift Testing has one of that name, too.
typealias ExitStatus = server.ExitStatus

/// Runs commands in this process, with everything they reach in the test's hands.
final class CommandHarness: Sendable {
    struct Result: Equatable {
        var status: ExitStatus
        var output: String
        var errors: String
    }

    private struct State {
        var output = ""
        var errors = ""
        var input: [String] = []
        var paused = 0
    }

    private let state = Mutex(State())
    /// A folder of this harness's own; `DIR` below it doesn't exist until a command makes it.
    let folder: String
    var data: String { folder + "/data" }

    init() {
        folder = NSTemporaryDirectory() + "syncky-cli-" + UUID().uuidString
        try? FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(atPath: folder) }

    /// - Parameter input: the lines of standard input.
    @discardableResult
    func run(
        _ words: String..., input: [String] = [], seconds: Int64 = 1_791_961_500,
        change: (inout CommandContext) -> Void = { _ in }
    ) -> Result {
        run(words: words, input: input, seconds: seconds, change: change)
    }

    @discardableResult
    func run(
        words: [String], input: [String] = [], seconds: Int64 = 1_791_961_500,
        change: (inout CommandContext) -> Void = { _ in }
    ) -> Result {
        state.withLock { $0 = State(input: input) }
        var context = CommandContext(
            print: { text in self.state.withLock { $0.output += text } },
            printError: { text in self.state.withLock { $0.errors += text } },
            readLine: { self.state.withLock { $0.input.isEmpty ? nil : $0.input.removeFirst() } },
            environment: ["SYNCKY_DATA": data, "TZ": "UTC"], now: { Timestamp(microseconds: seconds * 1_000_000) },
            isTerminal: false, terminalColumns: nil, hostName: "myserver", network: .nothing,
            pause: { milliseconds in self.state.withLock { $0.paused += milliseconds } }, isClockSynchronized: { true })
        change(&context)
        let status = dispatch(words, context: context)
        return state.withLock { Result(status: status, output: $0.output, errors: $0.errors) }
    }

    var configuration: Configuration {
        get throws { try ConfigurationFile(directory: data).load().configuration }
    }

    func endpoint(_ name: String = "phone") throws -> Endpoint {
        try #require(try configuration.endpoints[name])
    }

    /// Milliseconds that the last command waited.
    var paused: Int { state.withLock { $0.paused } }

    /// The permission bits of a file below the data folder.
    func mode(_ name: String) throws -> Int {
        let attributes = try FileManager.default.attributesOfItem(atPath: "\(data)/\(name)")
        return try #require(attributes[.posixPermissions] as? Int)
    }
}

extension ProbeNetwork {
    /// A machine with no network at all.
    static let nothing = ProbeNetwork(
        probe: { (_, _, _, _) throws(ProbeError) in throw .refused }, resolve: { _, _ in [] }, interfaces: { [] },
        listenError: { _ in nil })
}
