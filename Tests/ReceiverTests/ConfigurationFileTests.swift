import Foundation
import Signing
import Testing

@testable import Receiver

/// A folder that does not exist yet, inside of one that goes away with this object.
final class TemporaryFolder {
    let root = FileManager.default.temporaryDirectory.appending(path: "receiver-test-\(UUID().uuidString)").path
    var path: String { root + "/data/receiver" }
    var file: ConfigurationFile { ConfigurationFile(directory: path) }

    deinit {
        _ = try? FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: path)
        try? FileManager.default.removeItem(atPath: root)
    }

    func mode(_ path: String) throws -> Int? {
        try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
    }

    func names() throws -> [String] { try FileManager.default.contentsOfDirectory(atPath: path).sorted() }

    func write(_ text: String, mode: Int = 0o600) throws {
        try Data(text.utf8).write(to: URL(filePath: file.path))
        try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: file.path)
    }
}

private func kind(_ body: () throws -> Void) -> ConfigurationError.Kind? {
    do { try body() } catch { return (error as? ConfigurationError)?.kind }
    return nil
}

@Suite struct ConfigurationFileRules {
    let folder = TemporaryFolder()

    @Test func createdForItsOwnerOnly() throws {
        #expect(kind { _ = try folder.file.load() } == .missing)
        #expect(kind { try folder.file.update { _ in } } == .missing)
        #expect(folder.file.fingerprint() == nil)
        #expect(!FileManager.default.fileExists(atPath: folder.root))

        try folder.file.create(exampleConfiguration())
        let loaded = try folder.file.load()
        #expect(loaded.configuration == exampleConfiguration())
        #expect(loaded.warnings.map(\.code) == ["open_endpoint"])
        #expect(loaded.fingerprint == folder.file.fingerprint())
        #expect(try folder.mode(folder.path) == 0o700 && folder.mode(folder.root + "/data") == 0o700)
        #expect(try folder.mode(folder.file.path) == 0o600)
        #expect(try folder.names() == ["receiver.json", "receiver.lock"])
        #expect(try folder.mode(folder.path + "/receiver.lock") == 0o600)
    }

    @Test func notOverwritten() throws {
        try folder.file.create(exampleConfiguration())
        let before = try Data(contentsOf: URL(filePath: folder.file.path))
        #expect(kind { try folder.file.create(Configuration()) } == .exists)
        #expect(try Data(contentsOf: URL(filePath: folder.file.path)) == before)
        // A link that leads nowhere is something, too: writing through it would put secrets in an unknown place.
        let other = TemporaryFolder()
        try other.file.makeDirectory()
        try FileManager.default.createSymbolicLink(atPath: other.file.path, withDestinationPath: "/nonexistent/x")
        #expect(kind { try other.file.create(Configuration()) } == .exists)
    }

    @Test func updated() throws {
        try folder.file.create(exampleConfiguration())
        let before = try #require(folder.file.fingerprint())
        let result = try folder.file.update { configuration -> Int in
            configuration.endpoints["open"] = nil
            return 7
        }
        #expect(result == 7)
        #expect(try folder.file.load().configuration.names == ["a-2", "key", "phone"])
        #expect(folder.file.fingerprint() != before)
        #expect(try folder.mode(folder.file.path) == 0o600)
        #expect(try folder.names() == ["receiver.json", "receiver.lock"])
    }

    @Test func unchangedWhenRefused() throws {
        struct Refusal: Error {}
        try folder.file.create(exampleConfiguration())
        let before = folder.file.fingerprint()
        #expect(throws: Refusal.self) {
            try folder.file.update { configuration in
                configuration.port = 1
                throw Refusal()
            }
        }
        #expect(kind { try folder.file.update { $0.port = 0 } } == .invalid)
        try folder.file.update { $0.port = 9000 }  // what it is already
        #expect(folder.file.fingerprint() == before)
        #expect(try folder.file.load().configuration == exampleConfiguration())
        // No lock is left behind.
        try folder.file.update { $0.port = 9001 }
    }

    /// Commands that change the file at once lose none of each other's changes, and readers always see a whole one.
    @Test func updatedByManyAtOnce() async throws {
        try folder.file.create(exampleConfiguration())
        let file = folder.file
        let failures = await withTaskGroup(of: Int.self) { group in
            for writer in 0..<2 {
                group.addTask {
                    (0..<20).count { number in
                        kind {
                            try file.update { configuration in
                                var endpoint = configuration.endpoints["phone"]
                                endpoint?.name = "w\(writer)-\(number)"
                                configuration.endpoints["w\(writer)-\(number)"] = endpoint
                            }
                        } != nil
                    }
                }
            }
            group.addTask { (0..<50).count { _ in kind { _ = try file.load() } != nil } }
            return await group.reduce(0, +)
        }
        #expect(failures == 0)
        #expect(try file.load().configuration.endpoints.count == 44)
    }

    @Test func aTemporaryFileOfACrashIsInNobodysWay() throws {
        try folder.file.create(exampleConfiguration())
        let temporary = folder.path + "/.receiver.json.new"
        try FileManager.default.createSymbolicLink(atPath: temporary, withDestinationPath: folder.root + "/elsewhere")
        try folder.file.update { $0.port = 1 }
        #expect(!FileManager.default.fileExists(atPath: folder.root + "/elsewhere"))
        #expect(try folder.names() == ["receiver.json", "receiver.lock"])
    }

    @Test func aLockThatIsALinkIsNotFollowed() throws {
        try folder.file.create(exampleConfiguration())
        let lock = folder.path + "/receiver.lock"
        try FileManager.default.removeItem(atPath: lock)
        try FileManager.default.createSymbolicLink(atPath: lock, withDestinationPath: folder.root + "/elsewhere")
        #expect(kind { try folder.file.update { $0.port = 1 } } == .unwritable)
        #expect(!FileManager.default.fileExists(atPath: folder.root + "/elsewhere"))
    }

    /// A replacement that fails leaves the old text: here the temporary file can't be made, since a folder has its name.
    @Test func aFailedWriteKeepsTheOldText() throws {
        try folder.file.create(exampleConfiguration())
        try FileManager.default.createDirectory(
            atPath: folder.path + "/.receiver.json.new/full", withIntermediateDirectories: true)
        do {
            try folder.file.update { $0.port = 1 }
            Issue.record("the write did not fail")
        } catch let error as ConfigurationError {
            #expect(error.kind == .unwritable)
            #expect(error.message == "\(folder.file.path) can't be written: File exists")
        }
        #expect(try folder.file.load().configuration == exampleConfiguration())
    }

    @Test func badFiles() throws {
        try folder.file.makeDirectory()
        try folder.write("{\"schema\": 1,\n \"port\": }")
        #expect(
            throws: ConfigurationError(.notJSON, "\(folder.file.path): line 2, column 10: a value is expected here")
        ) { try folder.file.load() }
        try folder.write("{\"schema\": 1, \"prot\": 7}")
        #expect(
            throws: ConfigurationError(.invalid, "\(folder.file.path): the text has no member called prot")
        ) { try folder.file.load() }
        try folder.write("")
        #expect(kind { _ = try folder.file.load() } == .notJSON)
        try folder.write(String(repeating: " ", count: 4 << 20) + "{\"schema\":1}")
        #expect(kind { _ = try folder.file.load() } == .unreadable)
        // A bad file is not repaired by a change to it.
        #expect(kind { try folder.file.update { $0.port = 1 } } == .unreadable)
        try FileManager.default.removeItem(atPath: folder.file.path)
        try FileManager.default.createDirectory(atPath: folder.file.path, withIntermediateDirectories: false)
        #expect(throws: ConfigurationError(.unreadable, "\(folder.file.path) is not a file")) {
            try folder.file.load()
        }
    }

    @Test func aPipeDoesNotBlock() throws {
        try folder.file.makeDirectory()
        #expect(mkfifo(folder.file.path, 0o600) == 0)
        #expect(kind { _ = try folder.file.load() } == .unreadable)
    }

    @Test func othersCanOpenIt() throws {
        try folder.file.create(Configuration())
        try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: folder.file.path)
        try FileManager.default.setAttributes([.posixPermissions: 0o750], ofItemAtPath: folder.path)
        #expect(try folder.file.load().warnings.map(\.code) == ["file_mode", "folder_mode"])
        // A change brings the file's rights back.
        try folder.file.update { $0.port = 1 }
        #expect(try folder.file.load().warnings.map(\.code) == ["folder_mode"])
    }

    @Test func theFolderIsAFile() throws {
        try FileManager.default.createDirectory(atPath: folder.root, withIntermediateDirectories: true)
        try Data().write(to: URL(filePath: folder.root + "/data"))
        #expect(kind { try folder.file.create(Configuration()) } == .unwritable)
        #expect(kind { _ = try folder.file.load() } == .unreadable)
    }
}
