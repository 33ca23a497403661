import Foundation
import Samples
import Testing

@testable import Storage

/// That (device, uuid, part) is unique and found, whatever comes: a rule a test.
@Suite struct KeyRuleTests {
    let folder = TestFolder()

    static let small = KeyTuning(recentEntries: 16, fanIn: 2, pageBytes: 44, sliceEntries: 16, slicePages: 4)

    static func options(_ tuning: KeyTuning = small, isServer: Bool = false) -> StoreOptions {
        var options = StoreOptions()
        options.keys = tuning
        options.isServer = isServer
        return options
    }

    static func samples(_ numbers: Range<Int>, start: Int64? = 1, part: Int32 = 0, value: Double = 1) -> [Sent] {
        numbers.map { Sent(key: Sent.uuid($0), start: start, value: value, part: part) }
    }

    /// Does all upkeep that there is.
    static func settle(_ store: Store) {
        let isDone = store.onWriter { writer in
            guard let writer else { return false }
            writer.keys.index.isTended = true
            writer.keys.looksAgain = true
            for _ in 0..<20_000 {
                guard let goesOn = try? writer.tendKeys(entries: 40) else { return false }
                if !goesOn { return true }
            }
            return false
        }
        #expect(isDone == true)
    }

    private func count(_ sql: String) throws -> Int { try Int(rows(folder, "SELECT \(sql)")[0]) ?? -1 }

    // MARK: Keys

    @Test func aUUIDThatMovesToAnotherTimeTypeOrUnitIsOneSample() throws {
        let store = try Store.open(directory: folder.path, options: Self.options())
        defer { store.close() }
        #expect(store.outcome((0..<90).map { Sent(key: Sent.uuid($0), start: 1, value: 1, unit: "kg") }) == "90/0/0/0")
        Self.settle(store)
        for sent in [
            Sent(key: Sent.uuid(7), start: 2, value: 1, unit: "kg"),
            Sent(key: Sent.uuid(7), type: "mass", start: 2, value: 1, unit: "kg"),
            Sent(key: Sent.uuid(7), type: "mass", start: 2, value: 1, unit: "lb"),
            Sent(key: Sent.uuid(7), type: "mass", value: 1), Sent(key: Sent.uuid(7), start: 1, value: 1, unit: "kg"),
        ] {
            #expect(store.outcome([sent]) == "0/1/0/0")
            #expect(store.outcome([sent]) == "0/0/1/0")
            #expect(try count("count(*) FROM sample") == 90)
            Self.settle(store)
        }
        #expect(try IdentityTests.keysMatchRows(folder, Self.small))
    }

    @Test func aBloomFalsePositiveIsNoSample() throws {
        let store = try Store.open(directory: folder.path, options: Self.options())
        defer { store.close() }
        #expect(store.outcome(Self.samples(0..<600)) == "600/0/0/0")
        Self.settle(store)
        let lookalikes =
            store.onWriter { writer -> [Int] in
                guard let index = writer?.keys.index, (try? index.prepare()) != nil else { return [] }
                defer { writer?.keys.rolledBack() }
                return (10_000..<14_000).filter { number in
                    let hash = KeyHash.hash(index.tables.seed, 1, 0x4000, 0x8000_0000_0000_0000 + UInt64(number))
                    var found: [SamplePlace] = []
                    guard index.runs.contains(where: { $0.filter.mayContain(hash) }) else { return false }
                    return (try? index.find(hash, found: &found)) != nil && found.isEmpty
                }
            } ?? []
        #expect(lookalikes.count > 0)
        let sent = lookalikes.map { Sent(key: Sent.uuid($0), start: 5, value: 2) }
        #expect(store.outcome([], deleting: sent.map(\.key)) == "0/0/0/0")
        #expect(store.outcome(sent) == "\(sent.count)/0/0/0")
        #expect(store.outcome(sent) == "0/0/\(sent.count)/0")
        #expect(try count("count(*) FROM sample") == 600 + sent.count)
    }

    @Test func a64BitCollisionMixesNoTwoUUIDs() throws {
        var tuning = Self.small
        tuning.hash = { _, _, _, _ in 5 << 24 }
        let store = try Store.open(directory: folder.path, options: Self.options(tuning))
        defer { store.close() }
        for device in ["d_1", "d_2"] {
            let sent = Submission(SampleBatch(Self.samples(0..<40)), device: device)
            #expect(Store.text(store.write(sent)) == "40/0/0/0")
            Self.settle(store)
        }
        #expect(store.outcome(Self.samples(3..<5, start: 9)) == "0/2/0/0")
        #expect(store.outcome([], deleting: [Sent.uuid(4), Sent.uuid(5), Sent.uuid(77)]) == "0/0/0/2")
        Self.settle(store)
        #expect(try count("count(*) FROM sample") == 78)
        #expect(
            try rows(folder, "SELECT device, count(*) FROM samples GROUP BY 1 ORDER BY 1") == ["d_1|38", "d_2|40"])
        #expect(try IdentityTests.keysMatchRows(folder, tuning))
    }

    /// One uuid may have any number of parts, each at its own time: a body of them takes no time that grows with its square.
    @Test func aUUIDOfManyPartsIsLookedUpOnce() throws {
        let store = try Store.open(directory: folder.path, options: Self.options(KeyTuning()))
        defer { store.close() }
        func parts(at start: Int64) -> [Sent] {
            (0..<3_000).map { Sent(key: Sent.uuid(1), start: start + Int64($0), value: 1, part: Int32($0)) }
        }
        #expect(store.outcome(parts(at: 1)) == "3000/0/0/0")
        #expect(store.outcome(parts(at: 10_001)) == "0/3000/0/0")
        #expect(store.outcome(Array(parts(at: 500).prefix(20))) == "0/20/0/0")
        #expect(try count("count(*) FROM sample") == 3_000)
        #expect(store.outcome([], deleting: [Sent.uuid(1)]) == "0/0/0/3000")
    }

    /// A merge that has found a place empty leaves its entry out; a row that comes there before the merge ends needs another.
    @Test func aPlaceThatIsTakenAgainDuringAMergeIsFound() throws {
        var tuning = Self.small
        tuning.hash = { _, _, _, low in low << 24 }
        let store = try Store.open(directory: folder.path, options: Self.options(tuning))
        defer { store.close() }
        #expect(store.outcome(Self.samples(0..<60)) == "60/0/0/0")
        #expect(store.outcome([], deleting: [Sent.uuid(2)]) == "0/0/0/1")
        Self.settle(store)
        let isUnderWay = store.onWriter { writer -> Bool in
            guard let writer else { return false }
            do {
                try writer.alone { () throws(StoreError) in try writer.keys.requestCleaning() }
                // Past the entry of uuid 2, the third of its run, and not to the end.
                _ = try writer.tendKeys(entries: 8 * 10)
                return writer.keys.index.merges.first?.isCleaning == true
            } catch { return false }
        }
        #expect(isUnderWay == true)
        let parts = Self.samples(2..<3, part: 1) + Self.samples(2..<3, part: 2)
        #expect(store.outcome(parts) == "2/0/0/0")
        Self.settle(store)
        #expect(store.outcome(Self.samples(2..<3, start: 9, part: 1)) == "0/1/0/0")
        #expect(try IdentityTests.keysMatchRows(folder, tuning))
        #expect(store.outcome([], deleting: [Sent.uuid(2)]) == "0/0/0/2")
    }

    // MARK: Files

    @Test func aDatabaseRestoredFromABackupGoesOn() throws {
        let store = try Store.open(directory: folder.path, options: Self.options())
        #expect(store.outcome(Self.samples(0..<100)) == "100/0/0/0")
        Self.settle(store)
        #expect(store.outcome(Self.samples(100..<110)) == "10/0/0/0")
        let file = folder.path + "/backup.db", target = TestFolder()
        let note = BackupTests.note
        _ = try Backup.make(of: folder.path, at: file, note: note) { _ in true }
        // What comes after the backup is lost with the old file, and comes again.
        #expect(store.outcome(Self.samples(0..<120, start: 2)) == "10/110/0/0")
        store.close()
        let restore = try Restore(of: file, into: target.path) { _ in true }
        try restore.finish()
        let next = try Store.open(directory: target.path, options: Self.options())
        defer { next.close() }
        #expect(next.outcome(Self.samples(0..<110)) == "0/0/110/0")
        #expect(next.outcome(Self.samples(0..<120, start: 2)) == "10/110/0/0")
        #expect(next.outcome([], deleting: [Sent.uuid(3), Sent.uuid(115)]) == "0/0/0/2")
        Self.settle(next)
        #expect(try IdentityTests.keysMatchRows(target, Self.small))
        #expect(try rows(target, "SELECT count(*) FROM sample") == ["118"])
    }

    /// A server, another program that stores samples, and the removal of an endpoint, all at once.
    @Test func anotherProcessWritesAtTheSameTime() throws {
        let server = try Store.open(directory: folder.path, options: Self.options(isServer: true))
        defer { server.close() }
        let lock = try ServeLock(DataFolder(existing: folder.path))
        defer { withExtendedLifetime(lock) {} }
        let old = Submission(SampleBatch(Self.samples(500..<700)), endpoint: "old", device: "d_old")
        #expect(Store.text(server.write(old)) == "200/0/0/0")
        let other = try Store.open(directory: folder.path, options: Self.options())
        let path = folder.path
        let purge = Thread { _ = try? Purge.run(directory: path, endpoint: "old", options: Self.options()) }
        let mover = Thread {
            for round in 0..<20 { _ = other.outcome(Self.samples(0..<60, start: Int64(100 + round))) }
            other.close()
        }
        purge.start()
        mover.start()
        for round in 0..<20 {
            let faults = server.outcome(Self.samples(0..<60, start: Int64(round)), deleting: [Sent.uuid(round)])
            #expect(faults.contains("/"))
        }
        for _ in 0..<2_000 where !purge.isFinished || !mover.isFinished { usleep(10_000) }
        #expect(purge.isFinished && mover.isFinished)
        #expect(server.outcome(Self.samples(0..<60, start: 1_000)).hasSuffix("/0/0"))
        #expect(try count("count(*) FROM sample") == 60)
        #expect(try IdentityTests.keysMatchRows(folder, Self.small))
    }

    /// The log cut behind each of its transactions, and inside of some: what is left is whole, and goes on.
    @Test func aCrashBetweenAnyTwoWrites() throws {
        let data = try DataFolder.prepare(folder.path)
        let bodies: [(samples: [Sent], deleted: [String])] = (0..<14).map { round in
            (
                Self.samples(round * 9..<round * 9 + 25, start: Int64(round), value: Double(round)),
                (0..<3).map { Sent.uuid(round * 7 + $0) }
            )
        }
        do {
            let store = try Store.open(directory: folder.path, options: Self.options())
            defer { store.close() }
            _ = store.onWriter { writer in try? writer?.connection.execute("PRAGMA wal_autocheckpoint=0") }
            for (index, body) in bodies.enumerated() {
                _ = store.outcome(body.samples, deleting: body.deleted)
                if index == 9 {
                    _ = store.onWriter { writer -> Bool in
                        guard let writer else { return false }
                        return (try? writer.alone { () throws(StoreError) in try writer.keys.requestCleaning() }) != nil
                    }
                }
                if index % 2 == 1 { Self.settle(store) }
            }
            try FileManager.default.copyItem(atPath: data.database + "-wal", toPath: folder.path + "/log")
            try FileManager.default.copyItem(atPath: data.database, toPath: folder.path + "/base")
        }
        let final = "SELECT uuid, part, start_us, value FROM samples ORDER BY 1, 2"
        let wanted = try rows(folder, final)
        let log = try Data(contentsOf: URL(fileURLWithPath: folder.path + "/log"))
        let frame = 24 + 4_096
        var cuts: [Int] = [], frames = 0
        while 32 + (frames + 1) * frame <= log.count {
            let end = 32 + (frames + 1) * frame
            // The size of the database behind this frame: only the last one of a transaction has it.
            let isCommit = log[(end - frame + 4)..<(end - frame + 8)].contains { $0 != 0 }
            if isCommit { cuts.append(end) }
            if frames % 37 == 5 { cuts.append(end - 1_000) }
            frames += 1
        }
        #expect(cuts.count > 60)
        for (number, cut) in cuts.enumerated() {
            let next = TestFolder()
            let copy = try DataFolder.prepare(next.path)
            try FileManager.default.copyItem(atPath: folder.path + "/base", toPath: copy.database)
            try log.prefix(cut).write(to: URL(fileURLWithPath: copy.database + "-wal"))
            let writer = try Writer(copy, Self.options(), create: false)
            #expect(try IdentityTests.keysMatchRows(writer.connection, Self.small), "cut at \(cut)")
            if number % 9 != 0 { continue }
            for body in bodies {
                try writer.alone { () throws(StoreError) in
                    _ = try writer.apply(Submission(body.samples, deleting: body.deleted))
                }
                _ = try writer.tendKeys(entries: 40)
            }
            #expect(try rows(writer.connection, final) == wanted, "cut at \(cut)")
            #expect(try IdentityTests.keysMatchRows(writer.connection, Self.small), "cut at \(cut)")
        }
    }
}
