import Foundation
import Synchronization

/// A certificate and key made by the `openssl` command.
package struct TestCertificate: Sendable {
    /// PEM files in a temporary folder that lives as long as this value.
    package let certificateFile: String, keyFile: String
    private let folder: TemporaryFolder

    package enum Key: String, Sendable { case p256, rsa2048, rsa1024 }

    package struct CommandFailed: Error {
        package let output: String
    }

    /// For `localhost`, 127.0.0.1 and ::1, valid for 30 days, signed by itself.
    package init(key: Key = .p256) throws {
        folder = try TemporaryFolder()
        certificateFile = folder.path("cert.pem")
        keyFile = folder.path("key.pem")
        let algorithm =
            switch key {
            case .p256: ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256"]
            case .rsa2048: ["-newkey", "rsa:2048"]
            case .rsa1024: ["-newkey", "rsa:1024"]
            }
        try Self.openssl(
            ["req", "-x509", "-nodes", "-days", "30", "-subj", "/CN=localhost"] + algorithm + [
                "-addext", "subjectAltName=DNS:localhost,DNS:receiver.local,IP:127.0.0.1,IP:::1", "-keyout", keyFile,
                "-out", certificateFile,
            ])
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: keyFile)
    }

    /// Runs the `openssl` command to its end.
    package static func openssl(_ arguments: [String]) throws {
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = ["openssl"] + arguments
        let output = Pipe()
        process.standardOutput = output
        process.standardError = output
        process.standardInput = FileHandle.nullDevice
        try process.run()
        let text = output.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else {
            throw CommandFailed(output: String(decoding: text, as: UTF8.self))
        }
    }

    /// One for all tests that don't care about its contents, removed at the end of the run.
    package static let shared = makeShared(.p256)
    /// The same with an RSA key of 2048 bits.
    package static let sharedRSA = makeShared(.rsa2048)

    private static let sharedFolders = Mutex<[TemporaryFolder]>([])

    private static func makeShared(_ key: Key) -> Result<TestCertificate, any Error> {
        Result {
            let made = try TestCertificate(key: key)
            sharedFolders.withLock {
                if $0.isEmpty { atexit { TestCertificate.sharedFolders.withLock { $0.forEach { $0.remove() } } } }
                $0.append(made.folder)
            }
            return made
        }
    }
}
