import Foundation
import Glibc
import Samples
import Synchronization
import Testing

@testable import Storage

@Suite struct BackupTests {
    let folder = TestFolder()
    let place: TestFolder

    init() throws {
        place = TestFolder()
        try FileManager.default.createDirectory(atPath: place.path, withIntermediateDirectories: true)
    }

    var file: String { "\(place.path)/copy" }
    static let note = BackupNote(madeAt: "2026-10-14T07:05:00Z", program: "1", hasSecrets: false, configuration: nil)

    /// Names in the folder of the backup.
    private func names(_ path: String? = nil) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: path ?? place.path).sorted()
    }

    /// Writes a file in the backup's place.
    private func put(_ text: String) { try? Data(text.utf8).write(to: URL(fileURLWithPath: file)) }

    private func mode(_ path: String) throws -> Int {
        try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int ?? 0
    }

    private func fill(_ count: Int) throws {
        let store = try Store.open(directory: folder.path)
        let samples = (0..<count).map {
            Sent(key: Sent.uuid($0), start: Int64($0), value: Double($0), unit: "u", rest: "\"x\":\($0)")
        }
        #expect(store.outcome(samples, deleting: [Sent.uuid(0)]) == "\(count)/0/0/1")
        store.close()
    }

    private func restore(_ file: String, to target: TestFolder) throws {
        let restore = try Restore(of: file, into: target.path) { _ in true }
        try restore.finish()
    }

    static let everything = "SELECT * FROM samples ORDER BY uuid"

    @Test func thereAndBack() throws {
        try fill(500)
        let summary = try Backup.make(of: folder.path, at: file, note: Self.note) { _ in true }
        #expect(summary.samples == 499 && summary.deliveries == 1 && summary.isCompared)
        #expect(try names() == ["copy"] && mode(file) == 0o600)
        let target = TestFolder()
        try restore(file, to: target)
        #expect(try names(target.path) == ["health.db"] && mode(target.database) == 0o600 && mode(target.path) == 0o700)
        #expect(try rows(target, Self.everything) == rows(folder, Self.everything))
        #expect(try rows(target, "SELECT uuid FROM deletions") == rows(folder, "SELECT uuid FROM deletions"))
        #expect(try rows(target, "SELECT count(*) FROM sqlite_schema WHERE name = 'backup'") == ["0"])
        // It is a store like any other.
        let store = try Store.open(directory: target.path)
        #expect(store.outcome([Sent(key: Sent.uuid(1), start: 1, value: 1, unit: "u", rest: "\"x\":1")]) == "0/0/1/0")
        store.close()
    }

    /// A copy beside a busy writer is one state: whole requests, each of ten samples.
    @Test func besideAWriter() throws {
        let store = try Store.open(directory: folder.path)
        defer { store.close() }
        let stop = Atomic(false), written = Atomic(0)
        let writer = Thread {
            var number = 0
            while !stop.load(ordering: .relaxed) {
                let batch = (0..<10).map { Sent(key: Sent.uuid(number * 10 + $0), start: Int64(number), value: 1) }
                guard store.outcome(batch) == "10/0/0/0" else { break }
                number += 1
                written.store(number, ordering: .relaxed)
            }
            stop.store(false, ordering: .relaxed)
        }
        writer.start()
        var last = 0
        for round in 0..<4 {
            while written.load(ordering: .relaxed) <= last { usleep(1_000) }
            let file = "\(file)\(round)"
            let before = written.load(ordering: .relaxed)
            let summary = try Backup.make(of: folder.path, at: file, note: Self.note) { _ in true }
            last = written.load(ordering: .relaxed)
            #expect(summary.isCompared && summary.samples.isMultiple(of: 10))
            #expect((before * 10...(last + 1) * 10).contains(summary.samples))
            let copy = try Connection(path: "\(realPath(file))", access: .readOnly, busyMilliseconds: 0)
            #expect(
                try rows(copy, "SELECT (SELECT count(*) FROM sample), sum(samples) FROM endpoint_count") == [
                    "\(summary.samples)|\(summary.samples)"
                ])
        }
        stop.store(true, ordering: .relaxed)
        while stop.load(ordering: .relaxed) { usleep(1_000) }
        #expect(try names() == ["copy0", "copy1", "copy2", "copy3"])
    }

    private func realPath(_ path: String) -> String { URL(fileURLWithPath: path).resolvingSymlinksInPath().path }

    /// Stopped at any moment it leaves nothing.
    @Test func interruptedAnywhere() throws {
        try fill(20_000)
        let calls = Mutex(0)
        _ = try Backup.make(of: folder.path, at: file, note: Self.note) { _ in
            calls.withLock { $0 += 1 }; return true
        }
        let all = calls.withLock { $0 }
        #expect(all > 3)
        for stop in Set([1, 2, 3, all / 2, all - 1, all]) {
            calls.withLock { $0 = 0 }
            #expect(throws: BackupError.interrupted) {
                _ = try Backup.make(of: folder.path, at: "\(file)-2", note: Self.note) { _ in
                    calls.withLock {
                        $0 += 1; return $0 < stop
                    }
                }
            }
            #expect(try names() == ["copy"])
        }
        let target = TestFolder()
        for stop in [1, 2, all / 2] {
            calls.withLock { $0 = 0 }
            #expect(throws: BackupError.interrupted) {
                _ = try Restore(of: file, into: target.path) { _ in
                    calls.withLock {
                        $0 += 1; return $0 < stop
                    }
                }
            }
            #expect(!FileManager.default.fileExists(atPath: target.path))
        }
    }

    /// What a killed process left goes with the next run; what a living one has stays.
    @Test func leftovers() throws {
        try fill(1)
        let dead = "\(place.path)/.copy.4194305.partial"
        try FileManager.default.createDirectory(atPath: dead, withIntermediateDirectories: true)
        try Data([1]).write(to: URL(fileURLWithPath: "\(dead)/file"))
        let other = try PartialFile("\(place.path)/other")
        let living = "\(place.path)/.copy.4194306.partial"
        try FileManager.default.createDirectory(atPath: living, withIntermediateDirectories: true)
        let lock = open(living, O_RDONLY | O_DIRECTORY)
        #expect(flock(lock, LOCK_EX) == 0)
        defer { close(lock) }
        _ = try Backup.make(of: folder.path, at: file, note: Self.note) { _ in true }
        #expect(try names() == [".copy.4194306.partial", ".other.\(getpid()).partial", "copy"])
        withExtendedLifetime(other) {}
    }

    @Test func nothingIsReplaced() throws {
        try fill(1)
        try Data("mine".utf8).write(to: URL(fileURLWithPath: file))
        #expect(throws: BackupError.file(.exists)) {
            _ = try Backup.make(of: folder.path, at: file, note: Self.note) { _ in true }
        }
        try FileManager.default.removeItem(atPath: file)
        // Something may take the name while the copy is made.
        #expect(throws: BackupError.file(.exists)) {
            _ = try Backup.make(of: folder.path, at: file, note: Self.note) { _ in
                put("mine")
                return true
            }
        }
        #expect(try String(contentsOfFile: file, encoding: .utf8) == "mine" && names() == ["copy"])
        try FileManager.default.removeItem(atPath: file)
        try FileManager.default.createSymbolicLink(atPath: file, withDestinationPath: "\(place.path)/elsewhere")
        #expect(throws: BackupError.file(.exists)) {
            _ = try Backup.make(of: folder.path, at: file, note: Self.note) { _ in true }
        }
        #expect(throws: BackupError.file(.system(ENOENT))) {
            _ = try Backup.make(of: folder.path, at: "\(place.path)/no/copy", note: Self.note) { _ in true }
        }
        #expect(throws: BackupError.store(StoreError(.missing))) {
            _ = try Backup.make(of: place.path, at: "\(place.path)/b", note: Self.note) { _ in true }
        }
    }

    @Test func theNoteComesBack() throws {
        try fill(1)
        let note = BackupNote(madeAt: "t", program: "p", hasSecrets: true, configuration: "{\"secret\":\"FINDME\"}")
        _ = try Backup.make(of: folder.path, at: file, note: note) { _ in true }
        let target = TestFolder()
        let restore = try Restore(of: file, into: target.path) { _ in true }
        #expect(restore.summary.note == note && restore.summary.endpoints == [])
        try restore.finish()
        // Not a byte of it is left in the database.
        let bytes = try Data(contentsOf: URL(fileURLWithPath: target.database))
        #expect(bytes.range(of: Data("FINDME".utf8)) == nil)
        #expect(try Data(contentsOf: URL(fileURLWithPath: file)).range(of: Data("FINDME".utf8)) != nil)
    }

    /// A copy of `health.db` made by other means has no note: the endpoints are those that stored something.
    @Test func aPlainCopy() throws {
        let store = try Store.open(directory: folder.path)
        let one = SampleBatch([Sent(key: Sent.uuid(1), start: 1, value: 1)])
        _ = store.write(Submission(one, endpoint: "anna", person: "Anna"))
        _ = store.write(Submission(nil, endpoint: "phone", dialect: .csv))
        store.close()
        let target = TestFolder()
        let restore = try Restore(of: folder.database, into: target.path) { _ in true }
        #expect(restore.summary.note == nil)
        #expect(
            restore.summary.endpoints == [
                .init(name: "anna", person: "Anna", dialect: "native"),
                .init(name: "phone", person: "me", dialect: "csv"),
            ])
    }

    @Test func anOlderSchema() throws {
        try FileManager.default.createDirectory(atPath: folder.path, withIntermediateDirectories: true)
        _ = FileManager.default.createFile(atPath: folder.database, contents: nil)
        do {
            let old = try Connection(path: realPath(folder.database), access: .readWrite, busyMilliseconds: 0)
            for statement in Migrations.steps[0] { try old.execute(statement) }
            for statement in [
                "INSERT INTO text VALUES (1, 'steps', '\"steps\"')", "INSERT INTO person VALUES (1, 'me')",
                "INSERT INTO endpoint VALUES (1, 'phone')", "INSERT INTO device VALUES (1, 1, 'd_1')",
                "INSERT INTO series VALUES (1, 1, 1, NULL)",
                "INSERT INTO sample VALUES (1, 5, 'k', 0, 6, 412.0, NULL, NULL, 1, 0, 0, NULL, 1, 1, NULL)",
                "INSERT INTO sample_key VALUES (1, 'k', 0, 1, 5)", "PRAGMA application_id=\(Migrations.applicationID)",
                "PRAGMA user_version=1",
            ] { try old.execute(statement) }
        }
        let target = TestFolder()
        let restore = try Restore(of: folder.database, into: target.path) { _ in true }
        #expect(restore.summary.schemaFound == 1 && restore.summary.schema == Migrations.newest)
        try restore.finish()
        #expect(
            try rows(target, "SELECT uuid, value, body FROM samples") == [
                #"k|412.0|{"uuid":"k","type":"steps","value":412,"start":"1970-01-01T00:00:00.000005Z","end":"1970-01-01T00:00:00.000006Z"}"#
            ])
    }

    // MARK: Files that are none

    private func refusal(_ path: String, into target: TestFolder = TestFolder()) -> BackupError? {
        do throws(BackupError) {
            _ = try Restore(of: path, into: target.path) { _ in true }
            return nil
        } catch {
            #expect(!FileManager.default.fileExists(atPath: target.path), "something was left behind")
            return error
        }
    }

    @Test func cutAnywhere() throws {
        try fill(2_000)
        _ = try Backup.make(of: folder.path, at: file, note: Self.note) { _ in true }
        let whole = try Data(contentsOf: URL(fileURLWithPath: file))
        let cut = "\(place.path)/cut"
        var lengths = Array(stride(from: 4_096, to: whole.count, by: 4_096 * 7))
        lengths += [
            0, 1, 15, 16, 99, 100, 511, 512, 4_095, 4_097, whole.count / 2 + 1, whole.count - 4_096, whole.count - 1,
        ]
        for length in lengths {
            try whole.prefix(length).write(to: URL(fileURLWithPath: cut))
            let error = refusal(cut)
            #expect(error == .damaged || error == .notABackup, "\(length) bytes: \(String(describing: error))")
        }
    }

    @Test func foreignFiles() throws {
        try fill(10)
        let path = "\(place.path)/foreign"
        for bytes in [
            Data("text".utf8), Data(repeating: 0, count: 8_192),
            Data("SQLite format 3\0".utf8 + Array(repeating: 7, count: 5_000)),
        ] {
            try bytes.write(to: URL(fileURLWithPath: path))
            #expect(refusal(path) == .notABackup)
        }
        for change in [
            "PRAGMA application_id=0", "PRAGMA user_version=0", "DROP TABLE sample_key", "DROP TABLE text",
            "ALTER TABLE sample DROP COLUMN rest",
        ] {
            try? FileManager.default.removeItem(atPath: path)
            _ = try Backup.make(of: folder.path, at: path, note: Self.note) { _ in true }
            do {
                let connection = try Connection(path: realPath(path), access: .readWrite, busyMilliseconds: 0)
                try connection.execute("PRAGMA foreign_keys=OFF")
                for view in [
                    "samples", "deletions", "deliveries", "series_sets", "workouts", "sleep_stages", "commands",
                ] {
                    try connection.execute("DROP VIEW IF EXISTS \(view)")
                }
                try connection.execute(change)
            }
            #expect(refusal(path) == .notABackup, "\(change)")
        }
        try? FileManager.default.removeItem(atPath: path)
        _ = try Backup.make(of: folder.path, at: path, note: Self.note) { _ in true }
        do {
            let connection = try Connection(path: realPath(path), access: .readWrite, busyMilliseconds: 0)
            try connection.execute("PRAGMA user_version=99")
        }
        #expect(refusal(path) == .store(StoreError(.tooNew(found: 99, known: Migrations.newest))))
        #expect(refusal("\(place.path)/none") == .file(.system(ENOENT)))
        #expect(refusal(place.path) == .notABackup)
    }

    @Test(arguments: ["receiver.json", "health.db", "health.db-wal", "health.db-shm", "health.db-journal"])
    func aFolderWithDataIsLeftAlone(name: String) throws {
        try fill(1)
        let target = TestFolder()
        try FileManager.default.createDirectory(atPath: target.path, withIntermediateDirectories: true)
        try Data("mine".utf8).write(to: URL(fileURLWithPath: "\(target.path)/\(name)"))
        #expect(throws: BackupError.occupied(name)) { try restore(folder.database, to: target) }
        #expect(try names(target.path) == [name])
        // An empty folder stays when the restore fails, and so does what else is in it.
        try FileManager.default.removeItem(atPath: "\(target.path)/\(name)")
        try Data("mine".utf8).write(to: URL(fileURLWithPath: "\(target.path)/other"))
        #expect(throws: BackupError.interrupted) {
            _ = try Restore(of: folder.database, into: target.path) { _ in false }
        }
        #expect(try names(target.path) == ["other"])
        try Data().write(to: URL(fileURLWithPath: "\(target.path)/unclean"))
        try restore(folder.database, to: target)
        #expect(try names(target.path) == ["health.db", "other"])
    }

    /// The server's own log beside the file is part of what is copied.
    @Test func aCopyOfARunningServersFolder() throws {
        let store = try Store.open(directory: folder.path)
        defer { store.close() }
        #expect(store.outcome([Sent(key: Sent.uuid(1), start: 1, value: 1)]) == "1/0/0/0")
        let target = TestFolder()
        try restore(folder.database, to: target)
        #expect(try rows(target, "SELECT count(*) FROM samples") == ["1"])
    }
}
