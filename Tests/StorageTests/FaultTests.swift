import Foundation
import Samples
import Testing
import Threads

@testable import Storage

@Suite struct FaultTests {
    let folder = TestFolder()
    static func one(_ number: Int, _ rest: String) -> Sent { WriterTests.one(number, rest: rest) }

    static var quick: StoreOptions {
        var options = StoreOptions()
        options.busyMilliseconds = 30
        return options
    }

    private func openError(_ options: StoreOptions = quick) -> StoreError? {
        do throws(StoreError) {
            try Store.open(directory: folder.path, options: options).close()
            return nil
        } catch {
            return error
        }
    }

    private func mode(_ name: String) -> Int {
        var status = stat()
        return stat("\(folder.path)/\(name)", &status) == 0 ? Int(status.st_mode & 0o777) : -1
    }

    @Test func everythingIsOwnerOnly() throws {
        let store = try Store.open(directory: folder.path + "/a/b/")
        defer { store.close() }
        _ = store.write(Submission([Self.one(1, "")]))
        for name in ["", "a", "a/b"] { #expect(mode(name) == 0o700, "\(name)") }
        for name in ["health.db", "health.db-wal", "health.db-shm", "turnstile", "unclean"] {
            #expect(mode("a/b/\(name)") == 0o600, "\(name)")
        }
    }

    @Test func foldersOfOthersKeepTheirMode() throws {
        for (name, content, expected) in [
            ("empty", nil, 0o700), ("ours", "receiver.json", 0o700), ("foreign", "x", 0o755),
        ] {
            let path = "\(folder.path)/\(name)"
            try FileManager.default.createDirectory(
                atPath: path, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o755])
            if let content { #expect(FileManager.default.createFile(atPath: "\(path)/\(content)", contents: nil)) }
            try Store.open(directory: path).close()
            #expect(mode(name) == expected, "\(name)")
        }
    }

    @Test func connectionsAreSetUpAsPromised() throws {
        let store = try Store.open(directory: folder.path)
        defer { store.close() }
        let pragmas = [
            "journal_mode": "wal", "synchronous": "2", "foreign_keys": "1", "trusted_schema": "0",
            "cell_size_check": "1",
            "mmap_size": "0", "secure_delete": "1", "journal_size_limit": "67108864", "temp_store": "2",
        ]
        let found = store.onWriter { writer in
            pragmas.keys.sorted().map { "\($0) \((try? writer?.connection.text("PRAGMA \($0)")) ?? "-")" }
        }
        #expect(found == pragmas.keys.sorted().map { "\($0) \(pragmas[$0]!)" })
        let reader = try Connection(
            path: DataFolder(existing: folder.path).database, access: .readOnly, busyMilliseconds: 1)
        #expect(throws: StoreError.self) { try reader.execute("DELETE FROM sample") }
    }

    @Test func fullDiskIsSaidAndRecovers() throws {
        let store = try Store.open(directory: folder.path)
        defer { store.close() }
        func limit(_ pages: Int) {
            _ = store.onWriter { try? $0?.connection.execute("PRAGMA max_page_count=\(pages)") }
        }
        #expect(store.outcome([Self.one(1, "")]) == "1/0/0/0")
        limit(1)  // as many as there are
        let many = (100..<1_100).map { Self.one($0, "\"x\":\"\($0)\"") }
        #expect(store.outcome(many) == "full")
        #expect(store.condition.state == .full)
        #expect(store.condition.sentence?.contains("free some") == true)
        // What fits is stored although its neighbour is not.
        let both = WriterTests.together(
            store, [Submission([Self.one(1, "")]), Submission(many), Submission([Self.one(1, "")])])
        #expect(both == ["0/0/1/0", "full", "0/0/1/0"])
        limit(1 << 30)
        #expect(store.outcome(many) == "1000/0/0/0")
        #expect(store.condition.state == .ok)
        #expect(try IdentityTests.keysMatchRows(folder))
        #expect(try rows(folder, "PRAGMA integrity_check") == ["ok"])
    }

    @Test func lockedIsSaidAndRecovers() throws {
        let store = try Store.open(directory: folder.path, options: Self.quick)
        defer { store.close() }
        let other = try Connection(
            path: DataFolder(existing: folder.path).database, access: .readWrite, busyMilliseconds: 30)
        try other.execute("BEGIN IMMEDIATE")
        #expect(store.outcome([Self.one(1, "")]) == "locked")
        #expect(store.condition.state == .locked)
        #expect(store.probe().state == .locked)
        try other.execute("COMMIT")
        #expect(store.outcome([Self.one(1, "")]) == "1/0/0/0")
        #expect(store.condition.state == .ok)
    }

    /// No phone sends anything, but somebody asks `readyz`.
    @Test func probingAloneRecovers() throws {
        let store = try Store.open(directory: folder.path, options: Self.quick)
        defer { store.close() }
        _ = store.onWriter { try? $0?.connection.execute("PRAGMA query_only=ON") }
        #expect(store.outcome([Self.one(1, "")]) == "readOnly")
        #expect(store.condition.state == .readOnly)
        _ = store.probe()
        _ = store.onWriter { _ in 0 }  // behind the try
        #expect(store.condition.state == .ok)
        #expect(store.outcome([Self.one(1, "")]) == "1/0/0/0")
    }

    @Test func aNewConnectionIsTriedAfterReadOnly() throws {
        let store = try Store.open(directory: folder.path, options: Self.quick)
        defer { store.close() }
        _ = store.onWriter { try? $0?.connection.execute("PRAGMA query_only=ON") }
        #expect(store.outcome([Self.one(1, "")]) == "readOnly")
        #expect(store.outcome([Self.one(1, "")]) == "1/0/0/0")
        #expect(store.condition.state == .ok)
    }

    @Test func lowSpaceShowsInTheProbe() throws {
        var options = StoreOptions()
        options.minimumFreeBytes = .max
        let store = try Store.open(directory: folder.path, options: options)
        defer { store.close() }
        #expect(store.probe().state == .full)
        #expect(store.condition.state == .ok)
        #expect(store.outcome([Self.one(1, "")]) == "1/0/0/0")
    }

    /// A success must never be told about rows that went into a file without a name.
    @Test func aFileThatIsTakenAwayIsNoticed() throws {
        let store = try Store.open(directory: folder.path, options: Self.quick)
        defer { store.close() }
        #expect(store.outcome([Self.one(1, "")]) == "1/0/0/0")
        for suffix in ["", "-wal", "-shm"] {
            try FileManager.default.moveItem(atPath: folder.database + suffix, toPath: folder.path + "/old" + suffix)
        }
        #expect(store.outcome([Self.one(2, "")]) == "readOnly")
        #expect(store.probe().state != .ok)
        for suffix in ["-shm", "-wal", ""] {  // the probe's try may open it the moment it is there
            try FileManager.default.moveItem(atPath: folder.path + "/old" + suffix, toPath: folder.database + suffix)
        }
        #expect(store.outcome([Self.one(2, "")]) == "1/0/0/0")
        #expect(try rows(folder, "SELECT count(*) FROM samples") == ["2"])
    }

    @Test func garbageIsDamaged() throws {
        try FileManager.default.createDirectory(atPath: folder.path, withIntermediateDirectories: true)
        try Data(repeating: 0x41, count: 20_000).write(to: URL(fileURLWithPath: folder.database))
        #expect(openError()?.reason == .damaged)
    }

    /// Whole pages overwritten behind a stopped server: found by the check after an unclean stop, or by a statement.
    @Test func damagedPagesStopTheWriting() throws {
        let store = try Store.open(directory: folder.path)
        _ = store.outcome((0..<5_000).map { Self.one($0, "") })
        store.close()
        #expect(FileManager.default.createFile(atPath: folder.path + "/unclean", contents: nil))
        var content = try Data(contentsOf: URL(fileURLWithPath: folder.database))
        // The first pages hold the schema and small tables: from the middle on it is samples and keys.
        content.replaceSubrange(
            content.count / 2..<content.count, with: Data(repeating: 0x5A, count: content.count - content.count / 2))
        try content.write(to: URL(fileURLWithPath: folder.database))
        let damaged = try Store.open(directory: folder.path)
        defer { damaged.close() }
        let seen = damaged.core.condition.wait(milliseconds: 20_000) { $0.state == .damaged ? true : nil }
        #expect(seen == true)
        #expect(damaged.probe().state == .damaged)
        #expect(damaged.condition.sentence?.contains(".recover") == true)
        #expect(damaged.outcome([Self.one(1, "")]) == "damaged")
        damaged.close()
        #expect(FileManager.default.fileExists(atPath: folder.path + "/unclean"))
    }

    @Test func damageMetByAStatementStopsTheWriting() throws {
        let store = try Store.open(directory: folder.path)
        _ = store.outcome((0..<5_000).map { Self.one($0, "") })
        store.close()
        let file = try FileHandle(forUpdating: URL(fileURLWithPath: folder.database))
        let size = try file.seekToEnd()
        try file.seek(toOffset: size / 2)
        try file.write(contentsOf: Data(repeating: 0x5A, count: Int(size - size / 2)))
        try file.close()
        let damaged = try Store.open(directory: folder.path)
        defer { damaged.close() }
        #expect(damaged.outcome((0..<5_000).map { Self.one($0, "\"x\":1") }) == "damaged")
        #expect(damaged.condition.state == .damaged)
        #expect(damaged.outcome([Self.one(9_000, "")]) == "damaged")
    }

    @Test func anUncleanStopIsCheckedAndForgotten() throws {
        try Store.open(directory: folder.path).close()
        #expect(FileManager.default.createFile(atPath: folder.path + "/unclean", contents: nil))
        let store = try Store.open(directory: folder.path)
        #expect(store.outcome([Self.one(1, "")]) == "1/0/0/0")
        for _ in 0..<5_000 where !store.damageCheck.isFinished { usleep(1_000) }
        store.close()
        #expect(!FileManager.default.fileExists(atPath: folder.path + "/unclean"))
    }

    @Test func otherSchemasAreRefused() throws {
        try Store.open(directory: folder.path).close()
        func execute(_ sql: String) throws {
            try Connection(path: DataFolder(existing: folder.path).database, access: .readWrite, busyMilliseconds: 100)
                .execute(sql)
        }
        try execute("PRAGMA user_version=99")
        #expect(openError()?.reason == .tooNew(found: 99, known: Migrations.newest))
        #expect(openError()?.sentence.contains("newer program") == true)
        #expect(throws: StoreError.self) { try StoreReader(directory: folder.path) }
        try execute("PRAGMA user_version=\(Migrations.newest); PRAGMA application_id=7")
        #expect(openError()?.reason == .foreign)
        try execute("PRAGMA user_version=0; PRAGMA application_id=0")
        #expect(openError()?.reason == .foreign)
    }

    @Test func linksAreNotFollowed() throws {
        try Store.open(directory: folder.path + "/real").close()
        try FileManager.default.createDirectory(atPath: folder.path + "/trap", withIntermediateDirectories: true)
        try FileManager.default.createSymbolicLink(
            atPath: folder.path + "/trap/health.db", withDestinationPath: folder.path + "/real/health.db")
        do throws(StoreError) {
            try Store.open(directory: folder.path + "/trap").close()
            Issue.record("opened through a link")
        } catch {
            #expect(error.reason == .readOnly)
        }
        // The folder itself may be reached through one: `/var/run` is a link on every Debian.
        try FileManager.default.createSymbolicLink(
            atPath: folder.path + "/alias", withDestinationPath: folder.path + "/real")
        try Store.open(directory: folder.path + "/alias").close()
    }

    @Test func whatCannotBeAFolder() throws {
        try FileManager.default.createDirectory(atPath: folder.path + "/d/health.db", withIntermediateDirectories: true)
        #expect(FileManager.default.createFile(atPath: folder.path + "/file", contents: nil))
        for path in ["\(folder.path)/file", "\(folder.path)/file/below", "\(folder.path)/d", "", "/proc/none/below"] {
            #expect(throws: StoreError.self, "\(path)") { try Store.open(directory: path, options: Self.quick) }
        }
        do throws(StoreError) {
            _ = try StoreReader(directory: folder.path + "/absent")
            Issue.record("read what is not there")
        } catch {
            #expect(error.reason == .missing)
        }
    }
}
