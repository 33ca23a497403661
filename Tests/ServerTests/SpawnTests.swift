import Foundation
import TestSupport
import Testing

@Test func theProgramItself() throws {
    let folder = try TemporaryFolder()
    let data = folder.path("data")
    let environment = ["SYNCKY_DATA": data]
    func run(_ words: String..., input: String? = nil) throws -> (status: Int32, output: String, errors: String) {
        try spawn(words, input: input, environment: environment)
    }
    #expect(try run("init", "--token", "-", "--hmac", "-", input: "first\r\nsecond\n").status == 0)
    let link = try run("link", "--host", "10.0.0.1")
    #expect(link.status == 0 && link.output.hasSuffix("&auth=bearer&token=first&hmac=second\n"))
    #expect(try run("init").status == 73)
    #expect(try run("lnk").status == 64)
    #expect(try run("link", "--host", "a b").errors == "server: The host is neither a name nor an address.\n")
    #expect(try run("--version").output.hasPrefix("syncky-receiver 0.1.0\nOpenSSL "))
    #expect(try run("rotate", "phone", "--token", "-", input: "").status == 65)
    #expect(try run("rotate", "phone", "--token", "-", input: "no end").status == 0)
    #expect(try run("link", "--host", "10.0.0.1").output.contains("&token=no%20end&"))
    // No user, no home.
    #expect(try spawn(["list"], environment: ["LANG": "C"]).status == 64)
    for (path, mode) in [(data, 0o700), (data + "/receiver.json", 0o600)] {
        #expect(try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int == mode)
    }
}

@Test func outputThatCannotBeWritten() throws {
    let here = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
    let process = Process()
    process.executableURL = URL(fileURLWithPath: here).deletingLastPathComponent().appendingPathComponent("server")
    process.arguments = ["--help"]
    process.standardOutput = try FileHandle(forWritingTo: URL(fileURLWithPath: "/dev/full"))
    let errors = Pipe()
    process.standardError = errors
    try process.run()
    let text = String(decoding: errors.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    #expect(process.terminationStatus == 74)
    #expect(text == "server: Standard output can't be written: No space left on device.\n")
}

@Test func aWordThatIsNotText() throws {
    let here = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
    let program = URL(fileURLWithPath: here).deletingLastPathComponent().appendingPathComponent("server").path
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/bin/sh")
    process.arguments = ["-c", "exec \"$1\" list --data \"$(printf 'a\\377b')\"", "sh", program]
    let errors = Pipe()
    process.standardError = errors
    try process.run()
    let text = String(decoding: errors.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    #expect(process.terminationStatus == 64 && text == "server: A word of the command line is not UTF-8.\n")
}
