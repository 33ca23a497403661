import Foundation
import Samples
import Testing

@testable import Storage

/// Runs on the disk: written, searched, merged, damaged; and a file of schema 2.
@Suite struct KeyRunTests {
    let folder = TestFolder()

    private func database(schema: Int = Migrations.newest) throws -> Connection {
        let data = try DataFolder.prepare(folder.path)
        try data.createDatabase()
        let connection = try Connection(path: data.database, access: .readWrite, busyMilliseconds: 1_000)
        _ = try connection.text("PRAGMA journal_mode=WAL")
        for step in Migrations.steps[..<schema] { for statement in step { try connection.execute(statement) } }
        try connection.execute("PRAGMA application_id=\(Migrations.applicationID)")
        try connection.execute("PRAGMA user_version=\(schema)")
        return connection
    }

    private static func run(_ id: Int64, _ entries: [KeyEntry], _ tables: KeyTables, page: Int) throws -> KeyRun {
        try tables.add(
            KeyTables.Run(
                id: id, level: 1, entries: entries.count, blocks: KeyFilter(entries: entries.count).blocks,
                state: .ready))
        var writer = KeyRunWriter(id, capacity: entries.count, pageBytes: page)
        for entry in entries.sorted(by: KeyEntry.precedes) { try writer.add(entry, tables) }
        try writer.finish(tables)
        return KeyRun(id: id, level: 1, entries: entries.count, filter: writer.filter)
    }

    private static func places(_ run: Int64, _ hash: UInt64, _ tables: KeyTables) throws -> [SamplePlace] {
        var found: [SamplePlace] = []
        try tables.search(run, for: hash, found: &found)
        return found
    }

    @Test func runsAreFoundAndMerged() throws {
        let connection = try database()
        let tables = try KeyTables(connection)
        // Neighbours, many of one hash, and both ends.
        let last: UInt64 = 1 << 40 - 1
        let numbers: [UInt64] = [0, 1, 1, 1, 1, 1, 2, 7, 8, 0x50000, 0x50000, last - 1, last, last]
        let hashes = numbers.map { $0 << 24 }
        var runs: [KeyRun] = []
        for id in Int64(1)...3 {
            let entries = hashes.enumerated().map {
                KeyEntry(hash: $1, start: Int64($0), series: $1 == 1 << 24 ? UInt32(id) : 1)
            }
            runs.append(try Self.run(id, entries, tables, page: 20))
        }
        runs.append(try Self.run(4, [], tables, page: 20))
        for hash in Set(hashes + [3 << 24, 1 << 63]) {
            #expect(try Self.places(2, hash, tables).count == hashes.count { $0 == hash }, "\(hash)")
            #expect(try Self.places(4, hash, tables).isEmpty)
        }
        for limit in [1, 3, 1_000] {
            let id = Int64(10 + limit)
            var merge = KeyMerge(of: runs, to: id, level: 2, isCleaning: false, pageBytes: 20)
            var asked: Set<UInt64> = [], slices = 1
            while try !merge.slice(
                limit, tables,
                isLive: { entry in
                    asked.insert(entry.hash)
                    return entry.series != 2
                })
            { slices += 1 }
            #expect(limit == 1_000 ? slices == 1 : slices > 10)
            // Those that are alone under their hash are believed.
            #expect(asked == [1 << 24, 5 << 40, KeyHash.mask])
            #expect(merge.writer.entries == hashes.count + 5)
            #expect(try Self.places(id, 1 << 24, tables).map(\.series).sorted() == [1, 1, 1, 1, 1, 3, 3, 3, 3, 3])
            for hash in Set(hashes) where hash != 1 << 24 {
                #expect(try Self.places(id, hash, tables) == Self.places(1, hash, tables))
            }
            for hash in hashes { #expect(merge.writer.filter.mayContain(hash)) }
            let stored = try tables.filter(
                of: KeyTables.Run(id: id, level: 2, entries: 0, blocks: merge.writer.filter.blocks, state: .ready))
            #expect((0..<stored.pieces).allSatisfy { stored.piece($0) == merge.writer.filter.piece($0) })
        }
        var cleaning = KeyMerge(of: runs, to: 9, level: 1, isCleaning: true, pageBytes: 20)
        let isDone = try cleaning.slice(1_000, tables) { _ in false }
        #expect(isDone)
        #expect(cleaning.writer.entries == 0)
        #expect(try Self.places(9, 5, tables).isEmpty)
        var slices = 1
        while try !tables.removeSlice(of: 1, limit: 2) { slices += 1 }
        #expect(slices > 2)
        #expect(try connection.integer("SELECT count(*) FROM key_page WHERE id >> 40 = 1") == 0)
        #expect(try Self.places(2, 0, tables).count == 1)
    }

    // MARK: Schema 2

    /// A file of an older program: its uuids are found at once, and moved a slice at a time, also when that is cut short.
    @Test func aFileOfSchema2() throws {
        do {
            let old = try database(schema: 2)
            for statement in [
                "INSERT INTO text VALUES (1, 'mass', '\"mass\"')", "INSERT INTO person VALUES (1, 'me')",
                "INSERT INTO endpoint VALUES (1, 'phone')",
                "INSERT INTO device VALUES (1, 1, 'd_1'), (2, 1, 'd_2')",
                "INSERT INTO series VALUES (1, 1, 1, NULL), (2, 2, 1, NULL)",
                """
                INSERT INTO delivery VALUES (1, 5, 1, 'd', 'data', 'native', 601, 0, 0, 0, 0, 9, 204, NULL, 601, NULL, NULL)
                """,
                "INSERT INTO endpoint_count VALUES (1, 601, 5)",
                """
                INSERT INTO command (endpoint, name, version, op, type, body, state, sent, queued_at, link_device, link_uuid)
                VALUES (1, 'c', 1, 'write', 'mass', '', 'waiting', 1, 1, 2, x'00000000000040008000000000000007')
                """,
                "INSERT INTO sample VALUES (1, 9, 'text', 0, NULL, 9, NULL, NULL, 1, 1, 0, NULL, 1, 1, NULL)",
                "INSERT INTO sample_key VALUES (1, 'text', 0, 1, 9)",
            ] { try old.execute(statement) }
            for sql in [
                "INSERT INTO sample_key (device, uuid, part, series, start) VALUES (?1, ?3, 0, ?1, ?2)",
                """
                INSERT INTO sample (series, start, uuid, part, value, kind, dialect, spelled, endpoint, delivery)
                VALUES (?1, ?2, ?3, 0, 1, 1, 1, 0, 1, 1)
                """,
            ] {
                let insert = try old.prepare(sql)
                for device in Int64(1)...2 {
                    for number in 0..<300 {
                        var batch = SampleBatch()
                        insert.bind(1, device)
                        insert.bind(2, number)
                        KeyBytes(batch.key(Sent.uuid(number)), in: batch).bind(insert, 3)
                        try insert.run()
                    }
                }
            }
            #expect(try rows(old, "SELECT count(*) FROM sample_key") == ["601"])
        }
        var options = StoreOptions()
        options.keys = KeyTuning(recentEntries: 64, fanIn: 2, pageBytes: 80, sliceEntries: 80, slicePages: 3)
        func sent(_ number: Int, _ device: String, _ value: Double) -> Submission {
            Submission(
                SampleBatch([Sent(key: Sent.uuid(number), type: "mass", start: 1_000, value: value)]), device: device)
        }
        for round in 0..<4 {
            let store = try Store.open(directory: folder.path, options: options)
            // Moved from where the older program had it, whether its key is moved by now or not.
            for number in [round, 299 - round] {
                #expect(Store.text(store.write(sent(number, "d_1", 1))) == "0/1/0/0", "\(round)")
                #expect(Store.text(store.write(sent(number, "d_1", 1))) == "0/0/1/0")
            }
            #expect(
                store.outcome([], deleting: [Sent.uuid(100 + round), Sent.uuid(200)]) == "0/0/0/\(round == 0 ? 2 : 1)")
            store.close()
            #expect(try IdentityTests.keysMatchRows(folder, options.keys))
        }
        #expect(try rows(folder, "SELECT sample_uuid FROM commands") == [Sent.uuid(7)])
        let store = try Store.open(directory: folder.path, options: options)
        defer { store.close() }
        var left = ["?"]
        for _ in 0..<2_000 where left != ["0"] {
            _ = store.onWriter { _ in true }
            left = try rows(folder, "SELECT count(*) FROM sample_key WHERE typeof(uuid) = 'blob'")
        }
        #expect(left == ["0"])
        #expect(try IdentityTests.keysMatchRows(folder, options.keys))
        #expect(
            Store.text(store.write(Submission(SampleBatch([], deleting: [Sent.uuid(7)]), device: "d_2"))) == "0/0/0/1")
        #expect(try rows(folder, "SELECT sample_uuid FROM commands") == ["-"])
        #expect(Store.text(store.write(sent(7, "d_2", 3))) == "1/0/0/0")
        #expect(try rows(folder, "SELECT sample_uuid FROM commands") == [Sent.uuid(7)])
        #expect(store.outcome([Sent(key: "text", type: "mass", start: 10, value: 9)]) == "0/1/0/0")
    }

    // MARK: Schema 5

    /// An index with the longer entries of schema 5 is not read but made anew; where there is none, nothing is to be made.
    @Test(arguments: [0, 10, 100]) func aFileOfSchema5(samples: Int) throws {
        let options = KeyRuleTests.options()
        let older = try Store.open(directory: folder.path, options: options)
        if samples > 0 { #expect(older.outcome(KeyRuleTests.samples(0..<samples)) == "\(samples)/0/0/0") }
        KeyRuleTests.settle(older)
        older.close()
        do {
            let connection = try database(at: folder.path)
            for table in ["key_page", "key_log"] {
                try connection.execute("UPDATE \(table) SET entries = zeroblob(40)")
            }
            try connection.execute("PRAGMA user_version=5")
            #expect(try connection.integer("SELECT count(*) > 0 FROM key_run") == (samples == 100 ? 1 : 0))
        }
        // Opened and nothing more: what is to be done is written down.
        do {
            let writer = try Writer(try DataFolder(existing: folder.path), options, create: false)
            let reason = try writer.keys.index.rebuild.reason()
            #expect(reason == (samples > 0 ? "once, by this version" : nil))
        }
        let store = try Store.open(directory: folder.path, options: options)
        defer { store.close() }
        KeyRuleTests.settle(store)
        #expect(store.condition.state == .ok)
        #expect(store.outcome(KeyRuleTests.samples(0..<samples + 5, start: 7)) == "5/\(samples)/0/0")
        KeyRuleTests.settle(store)
        #expect(try rows(folder, "SELECT count(*) FROM samples WHERE start_us = 7") == ["\(samples + 5)"])
        #expect(try IdentityTests.keysMatchRows(folder, options.keys))
    }

    /// An import makes the index anew itself, before it looks a uuid up, also beside a process that knew the old one.
    @Test(arguments: [false, true]) func anImportIntoAFileOfSchema5(isBesideAnother: Bool) throws {
        let options = KeyRuleTests.options()
        let older = try Store.open(directory: folder.path, options: options)
        #expect(older.outcome(KeyRuleTests.samples(0..<100)) == "100/0/0/0")
        if !isBesideAnother { older.close() }
        try database(at: folder.path).execute("UPDATE key_log SET entries = zeroblob(40); PRAGMA user_version=5")
        let history = try HistoryImport(
            directory: folder.path, target: HistoryImport.Target(endpoint: "phone", person: "me"),
            file: ImportedFile(size: 1, digest: [1]), options: options)
        var batch = SampleBatch((200..<210).map { Sent(key: Sent.uuid($0), start: 9, value: Double($0)) })
        batch.extras = .imported
        try history.store(batch, dialect: .apple, device: Array("d_1".utf8), elements: 10)
        #expect(history.outcome.stored == 10)
        #expect(try rows(folder, "SELECT count(*) FROM key_rebuild") == ["0"])
        #expect(try IdentityTests.keysMatchRows(folder, options.keys))
        if !isBesideAnother { return }
        #expect(older.outcome(KeyRuleTests.samples(0..<101, start: 7)) == "1/100/0/0")
        older.close()
        #expect(try IdentityTests.keysMatchRows(folder, options.keys))
    }

    private func database(at path: String) throws -> Connection {
        try Connection(path: try DataFolder(existing: path).database, access: .readWrite, busyMilliseconds: 1_000)
    }
}
