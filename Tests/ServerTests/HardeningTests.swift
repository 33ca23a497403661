import Foundation
import Glibc
import TestSupport
import Testing

/// What the process gives up before it does anything, and what the unit takes from it.
struct HardeningTests {
    private func status(_ process: Int32) throws -> [String: String] {
        let text = try String(contentsOfFile: "/proc/\(process)/status", encoding: .utf8)
        return Dictionary(
            text.split(separator: "\n").map { line in
                let parts = line.split(separator: ":", maxSplits: 1)
                return (String(parts[0]), parts[1].trimmingCharacters(in: .whitespaces))
            }, uniquingKeysWith: { first, _ in first })
    }

    @Test func aRunningServerLeavesNoCoreAndMakesFilesForItsOwnerAlone() throws {
        let folder = try TemporaryFolder()
        let data = folder.path("data")
        #expect(try spawn(["init"], environment: ["SYNCKY_DATA": data]).status == 0)
        let server = try ServingProcess(data: data, log: folder.path("log"), environment: [:])
        #expect(try status(server.processIdentifier)["Umask"] == "0077")
        let limits = try String(contentsOfFile: "/proc/\(server.processIdentifier)/limits", encoding: .utf8)
        let core = limits.split(separator: "\n").first { $0.hasPrefix("Max core file size") }
        #expect(core?.split(separator: " ").dropFirst(4).prefix(2) == ["0", "0"])
        // Of a process that can't be dumped the files in /proc are root's, whoever runs it.
        var info = stat()
        #expect(stat("/proc/\(server.processIdentifier)/environ", &info) == 0 && info.st_uid == 0)
        let files = try FileManager.default.subpathsOfDirectory(atPath: data)
        #expect(files.contains("health.db") && files.contains("receiver.json"))
        for file in files {
            let attributes = try FileManager.default.attributesOfItem(atPath: data + "/" + file)
            let mode = try #require(attributes[.posixPermissions] as? Int)
            #expect(mode & 0o077 == 0, "\(file)")
        }
        #expect(server.stop() == 0)
    }

    /// No capability, no user of its own: what it needs is a folder and a port above 1023.
    @Test(.enabled(if: getuid() == 0)) func aServerNeedsNoPrivilege() throws {
        let folder = try TemporaryFolder()
        #expect(chmod(folder.url.path, 0o755) == 0)
        let data = folder.path("data"), program = folder.path("server")
        try FileManager.default.copyItem(atPath: serverProgram().path, toPath: program)
        #expect(mkdir(data, 0o700) == 0 && chown(data, 65_534, 65_534) == 0)
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/setpriv")
        process.arguments = [
            "--reuid", "65534", "--regid", "65534", "--clear-groups", "--bounding-set=-all", "--inh-caps=-all",
            "--no-new-privs", program, "init",
        ]
        process.environment = ["SYNCKY_DATA": data]
        let output = Pipe()
        process.standardOutput = output
        process.standardError = output
        try process.run()
        let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        #expect(process.terminationStatus == 0, "\(text)")
        // And it serves.
        let serving = try ServingProcess(
            data: data, log: folder.path("log"), environment: [:],
            launcher: ["/usr/bin/setpriv"] + process.arguments!.dropLast(2), program: program)
        #expect(
            try FileManager.default.attributesOfItem(atPath: "\(data)/health.db")[.ownerAccountID] as? Int == 65_534)
        #expect(serving.stop() == 0)
    }

    /// The unit says what SECURITY.md says that it does.
    @Test func theUnitTakesAwayWhatTheServerDoesNotNeed() throws {
        let unit = String(
            decoding: try RepositoryRoot.contents(of: "examples/systemd/syncky-receiver.service"), as: UTF8.self)
        let lines = Set(unit.split(separator: "\n").map(String.init))
        for line in [
            "DynamicUser=yes", "UMask=0077", "NoNewPrivileges=yes", "CapabilityBoundingSet=", "ProtectSystem=strict",
            "ProtectHome=yes", "PrivateTmp=yes", "PrivateDevices=yes", "ProtectProc=invisible", "ProcSubset=pid",
            "MemoryDenyWriteExecute=yes", "RestrictNamespaces=yes", "SystemCallArchitectures=native",
            "SystemCallFilter=@system-service", "SystemCallFilter=~@privileged @resources", "LimitCORE=0",
            "RestrictAddressFamilies=AF_INET AF_INET6", "PrivateUsers=yes", "DevicePolicy=closed",
        ] {
            #expect(lines.contains(line), "\(line)")
        }
        #expect(!lines.contains { $0.hasPrefix("User=root") })
    }
}
