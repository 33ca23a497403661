import CSQLite
import Foundation
import Samples
import Testing
import Threads

@testable import Storage

/// What a store does behind faults of its file, and beside other programs.
@Suite struct DiskFaultTests {
    let folder = TestFolder()

    private func connection() throws -> Connection {
        try Connection(path: folder.database, access: .readWrite, busyMilliseconds: 1_000)
    }

    /// A newer program may bring the schema on while this one runs: its number stays, or it would do its steps again.
    @Test func tryingToWriteLeavesANewerSchemasNumber() throws {
        let store = try Store.open(directory: folder.path, options: FaultTests.quick)
        defer { store.close() }
        #expect(store.outcome([WriterTests.one(1)]) == "1/0/0/0")
        let other = try connection()
        for version in [Migrations.newest, Migrations.newest + 1] {
            try other.execute("PRAGMA user_version=\(version)")
            store.core.note(StoreError(.locked))
            _ = store.probe()
            _ = store.onWriter { _ in true }
            #expect(try other.integer("PRAGMA user_version") == Int64(version))
        }
        #expect(store.condition.state != .ok)
    }

    /// Behind an error of the disk nothing is acknowledged before the log, of which nobody knows what is on the disk, is in the
    /// database as a whole.
    @Test func afterAnErrorOfTheDiskTheLogIsLeftBehindFirst() throws {
        let store = try Store.open(directory: folder.path, options: FaultTests.quick)
        defer { store.close() }
        #expect(store.outcome([WriterTests.one(1)]) == "1/0/0/0")
        let reader = try connection()
        try reader.execute("BEGIN; SELECT count(*) FROM sample")
        #expect(store.outcome([WriterTests.one(2)]) == "1/0/0/0")
        store.core.note(StoreError(.failed, code: SQLITE_IOERR | 4 << 8))
        // The reader's state of the database is older than the log's end.
        #expect(store.outcome([WriterTests.one(3)]) == "locked")
        #expect(store.outcome([WriterTests.one(3)]) == "locked")
        try reader.execute("COMMIT")
        #expect(store.outcome([WriterTests.one(3)]) == "1/0/0/0")
        #expect(store.condition.state == .ok)
        #expect(try rows(folder, "SELECT count(*) FROM samples") == ["3"])
    }

    /// The log of a database that was put in the place of another is moved into that database, and doesn't grow for ever.
    @Test func theLogOfARestoredDatabaseIsMovedToo() throws {
        var options = FaultTests.quick
        options.checkpointBytes = 64 << 10
        options.restartBytes = 128 << 10
        let store = try Store.open(directory: folder.path, options: options)
        defer { store.close() }
        var number = 0
        func write() {
            for _ in 0..<100 { number += 1; _ = store.outcome((0..<20).map { WriterTests.one(number * 20 + $0) }) }
        }
        write()
        let before = try #require(
            store.core.checkpointer.state.wait(milliseconds: 10_000) { $0.done > 0 ? $0.done : nil })
        let other = TestFolder()
        try Store.open(directory: other.path).close()
        for suffix in ["", "-wal", "-shm"] {
            try FileManager.default.moveItem(atPath: folder.database + suffix, toPath: folder.path + "/old" + suffix)
        }
        try FileManager.default.moveItem(atPath: other.database, toPath: folder.database)
        let database = URL(fileURLWithPath: folder.database)
        var isMoved = false
        for _ in 0..<50 where !isMoved {
            write()
            let done = store.core.checkpointer.state.wait(milliseconds: 1_000) { $0.done > before ? $0.done : nil }
            isMoved = done != nil && Self.isLogMoved(database)
        }
        #expect(isMoved)
    }

    /// Whether the database file itself has grown: only a checkpoint writes to it.
    private static func isLogMoved(_ database: URL) -> Bool {
        let size = (try? FileManager.default.attributesOfItem(atPath: database.path)[.size] as? Int) ?? 0
        return size > 2_000_000
    }

    /// Texts come before uuids in a plan: a body that also deletes a text that it has leaves nothing when it is repeated.
    @Test func aTextAmongUUIDsThatTheSameBodyDeletesIsNotStored() throws {
        let store = try Store.open(directory: folder.path)
        defer { store.close() }
        let samples =
            (0..<40).map { Sent(key: Sent.uuid($0), start: Int64($0)) } + [Sent(key: "characteristic:x", start: 1)]
        #expect(store.outcome(samples, deleting: ["characteristic:x"]) == "41/0/0/1")
        #expect(store.outcome(samples, deleting: ["characteristic:x"]) == "0/0/41/0")
    }

    /// A savepoint that is rolled back takes back the announcement that was made in it: else changes that another process makes
    /// under the same number would not be seen.
    @Test func aRolledBackAnnouncementIsNone() throws {
        let writer = try Writer(DataFolder.prepare(folder.path), StoreOptions(), create: true)
        let stored = try writer.alone { () throws(StoreError) in
            try writer.apply(Submission([WriterTests.one(1)])).stored
        }
        #expect(stored == 1)
        try writer.begin()
        _ = try writer.apply(Submission([WriterTests.one(2)]))
        let before = writer.keys.index.state.revision
        try writer.connection.execute("SAVEPOINT one")
        let mark = writer.keys.mark()
        try writer.keys.index.announce()
        #expect(writer.keys.index.state.revision == before + 1)
        try writer.connection.execute("ROLLBACK TO one; RELEASE one")
        writer.keys.truncate(to: mark)
        #expect(writer.keys.index.state.revision == before)
        #expect(try writer.keys.index.tables.revision() == before)
        try writer.commit()
    }
}
