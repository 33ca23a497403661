import Foundation
import Glibc
import Storage
import TestSupport
import Testing

/// The program that was built beside these tests.
func serverProgram() throws -> URL {
    let here = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
    return URL(fileURLWithPath: here).deletingLastPathComponent().appendingPathComponent("server")
}

/// Runs the program to its end.
func spawn(
    _ words: [String], input: String? = nil, environment: [String: String]
) throws -> (status: Int32, output: String, errors: String) {
    let process = Process()
    process.executableURL = try serverProgram()
    process.arguments = words
    process.environment = environment
    let output = Pipe(), errors = Pipe(), standardInput = Pipe()
    (process.standardOutput, process.standardError, process.standardInput) = (output, errors, standardInput)
    try process.run()
    if let input { try standardInput.fileHandleForWriting.write(contentsOf: Data(input.utf8)) }
    try standardInput.fileHandleForWriting.close()
    let texts = [output, errors].map { String(decoding: $0.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self) }
    process.waitUntilExit()
    return (process.terminationStatus, texts[0], texts[1])
}

/// A `serve` of its own process on a free port of 127.0.0.1, killed when the last reference goes.
final class ServingProcess {
    private let process = Process()
    let port: UInt16
    var processIdentifier: Int32 { process.processIdentifier }
    private let folder: DataFolder

    /// Returns once it listens.
    ///
    /// - Parameters:
    ///   - log: a file for its standard error.
    ///   - api: where it answers questions, such as `127.0.0.1:0`.
    ///   - launcher: a program and its words that become the server, another copy of which `program` is then.
    init(
        data: String, log: String, environment: [String: String], api: String = "off", launcher: [String] = [],
        program: String? = nil
    ) throws {
        _ = FileManager.default.createFile(atPath: log, contents: nil)
        let words = try launcher + [program ?? serverProgram().path]
        process.executableURL = URL(fileURLWithPath: words[0])
        process.arguments = words.dropFirst() + ["serve", "--bind", "127.0.0.1", "--port", "0", "--api-bind", api]
        process.environment = environment.merging(["SYNCKY_DATA": data]) { first, _ in first }
        process.standardOutput = FileHandle.nullDevice
        process.standardError = try FileHandle(forWritingTo: URL(fileURLWithPath: log))
        try process.run()
        folder = try DataFolder(existing: data)
        // Up to a minute in steps of a hundredth: only a broken server needs more than a few.
        for _ in 0..<6_000 {
            if ServeLock.holder(of: folder) == process.processIdentifier, let address = ServeLock.address(of: folder) {
                port = address.port
                return
            }
            guard process.isRunning else { break }
            usleep(10_000)
        }
        process.terminate()
        throw ServingFailure(log: (try? String(contentsOfFile: log, encoding: .utf8)) ?? "")
    }

    /// As a power cut does it.
    func kill() {
        _ = Glibc.kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
    }

    /// - Returns: its exit status.
    func stop() -> Int32 {
        process.terminate()
        process.waitUntilExit()
        return process.terminationStatus
    }

    deinit { if process.isRunning { kill() } }
}

struct ServingFailure: Error { var log: String }
