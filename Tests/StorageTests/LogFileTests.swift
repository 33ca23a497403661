import Foundation
import TestSupport
import Testing

@testable import Storage

/// Writes to the log that are gathered: the same frames as SQLite writes by itself, at the same time.
@Suite struct LogFileTests {
    /// A database whose log only grows, and its one connection.
    private final class Side {
        let folder = TestFolder()
        let connection: Connection
        let isGathered: Bool
        private let commitStatement: Statement

        init(isGathered: Bool, cachePages: Int) throws {
            try FileManager.default.createDirectory(atPath: folder.path, withIntermediateDirectories: true)
            #expect(FileManager.default.createFile(atPath: folder.database, contents: nil))
            connection = try Connection(
                path: folder.realDatabase, access: .readWrite, busyMilliseconds: 0, joinsLogWrites: isGathered)
            self.isGathered = isGathered
            for pragma in [
                "journal_mode=WAL", "wal_autocheckpoint=0", "cache_size=\(cachePages)", "cache_spill=\(cachePages)",
            ] { try connection.execute("PRAGMA \(pragma)") }
            try connection.execute("CREATE TABLE t (id INTEGER PRIMARY KEY, text BLOB NOT NULL)")
            commitStatement = try connection.prepare("COMMIT")
        }

        func commit() throws { try connection.commitSynced(commitStatement) }

        /// The log's frames up to the first that isn't of the log's present life: page, size of the database, content.
        func frames() throws -> [(page: UInt32, size: UInt32, content: Data)] {
            let log = try Data(contentsOf: URL(fileURLWithPath: folder.database + "-wal"))
            if log.count < 32 { return [] }
            let salts = log[16..<24]
            func number(_ offset: Int) -> UInt32 { log[offset..<offset + 4].reduce(0) { $0 << 8 | UInt32($1) } }
            return stride(from: 32, to: log.count - 4_119, by: 4_120).prefix { log[$0 + 8..<$0 + 16] == salts }.map {
                (number($0), number($0 + 4), log[$0 + 24..<$0 + 4_120])
            }
        }

        /// What a process finds that opens the files as they are now, by SQLite's rules after a crash.
        func afterCrash() throws -> String? {
            let copy = TestFolder()
            try FileManager.default.createDirectory(atPath: copy.path, withIntermediateDirectories: true)
            for suffix in ["", "-wal"] {
                try FileManager.default.copyItem(
                    atPath: folder.database + suffix, toPath: copy.database + suffix)
            }
            let reader = try Connection(path: copy.realDatabase, access: .readWrite, busyMilliseconds: 0)
            #expect(try reader.text("PRAGMA integrity_check") == "ok")
            return try reader.text(Self.sum)
        }

        static let sum = "SELECT count(*) || ' ' || ifnull(sum(id * length(text)), 0) FROM t"
    }

    /// Random transactions on both: small ones, some past the buffer, some of more pages than the cache holds, which are
    /// written before their time, written over in the log and get new check numbers; some rolled back; the
    /// log begun anew.
    @Test(arguments: [4, 40, 4_000])
    func theFramesAreThoseOfSQLite(cachePages: Int) throws {
        let plain = try Side(isGathered: false, cachePages: cachePages)
        let gathered = try Side(isGathered: true, cachePages: cachePages)
        var random = SeededGenerator(seed: UInt64(cachePages))
        for step in 0..<60 {
            let changes = [1, 3, 12, 90, 400].randomElement(using: &random)!
            var statements = ["BEGIN IMMEDIATE"]
            for _ in 0..<changes {
                let id = Int.random(in: 1...2_000, using: &random), bytes = Int.random(in: 1...900, using: &random)
                statements.append("INSERT OR REPLACE INTO t VALUES (\(id), zeroblob(\(bytes)))")
                if Int.random(in: 0..<40, using: &random) == 0 {
                    statements.append("DELETE FROM t WHERE id BETWEEN \(id) AND \(id + 50)")
                }
            }
            let isRolledBack = Int.random(in: 0..<8, using: &random) == 0
            for side in [plain, gathered] {
                for statement in statements { try side.connection.execute(statement) }
                if isRolledBack { side.connection.rollback() } else { try side.commit() }
                if step % 20 == 19 { _ = try side.connection.checkpoint(.restart) }
            }
            let expected = try plain.frames(), found = try gathered.frames()
            if isRolledBack { continue }  // what was written of it is in nobody's way
            #expect(found.count == expected.count, "step \(step)")
            let isSame = zip(expected, found).allSatisfy { $0 == $1 }
            #expect(isSame, "step \(step)")
            #expect(try gathered.connection.text(Side.sum) == plain.connection.text(Side.sum), "step \(step)")
            if step % 5 == 0 {
                #expect(try gathered.afterCrash() == plain.connection.text(Side.sum), "step \(step)")
            }
        }
    }

    /// The place of frames that a failed commit leaves is another process's as soon as the lock is gone.
    @Test func whatAFailedCommitLeavesIsNotWritten() throws {
        let side = try Side(isGathered: true, cachePages: 4)
        try side.connection.execute("INSERT INTO t VALUES (1, zeroblob(100))")
        let log = URL(fileURLWithPath: side.folder.database + "-wal")
        let before = try Data(contentsOf: log)
        try side.connection.execute("BEGIN IMMEDIATE")
        try side.connection.gatheringLog { () throws(StoreError) in
            for id in 2..<20 { try side.connection.execute("INSERT INTO t VALUES (\(id), zeroblob(3000))") }
        }
        side.connection.rollback()
        #expect(try Data(contentsOf: log) == before, "pages past the cache were gathered, then given up")
        let other = try Connection(path: side.folder.realDatabase, access: .readWrite, busyMilliseconds: 0)
        for id in 30..<40 { try other.execute("INSERT INTO t VALUES (\(id), zeroblob(3000))") }
        try side.connection.execute("BEGIN IMMEDIATE")
        try side.connection.execute("INSERT INTO t VALUES (50, zeroblob(10))")
        try side.commit()
        #expect(try other.text("SELECT group_concat(id) FROM t") == "1,30,31,32,33,34,35,36,37,38,39,50")
        #expect(try other.text("PRAGMA integrity_check") == "ok")
        #expect(try side.afterCrash() == other.text("SELECT count(*) || ' ' || sum(id * length(text)) FROM t"))
    }

    /// A read in the middle of a commit finds what waits: SQLite asks for pages that it wrote before their time.
    @Test func aReadFindsWhatWaits() throws {
        let side = try Side(isGathered: true, cachePages: 4)
        try side.connection.execute("BEGIN IMMEDIATE")
        try side.connection.gatheringLog { () throws(StoreError) in
            for id in 0..<40 { try side.connection.execute("INSERT INTO t VALUES (\(id), zeroblob(\(id + 2000)))") }
            let sum = try side.connection.integer("SELECT sum(length(text)) FROM t")
            #expect(sum == 80_780)
        }
        side.connection.rollback()
        #expect(try side.connection.integer("SELECT count(*) FROM t") == 0)
    }
}

extension TestFolder {
    /// Without symbolic links, as `Connection` wants it.
    fileprivate var realDatabase: String { URL(fileURLWithPath: database).resolvingSymlinksInPath().path }
}
