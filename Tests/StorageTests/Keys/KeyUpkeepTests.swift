import Foundation
import Samples
import Synchronization
import Testing

@testable import Storage

/// Entries of rows that are gone go too; a damaged index is made anew.
@Suite struct KeyUpkeepTests {
    let folder = TestFolder()

    private func entries() throws -> Int { try Int(rows(folder, "SELECT entries FROM key_state")[0]) ?? -1 }

    private func stale() throws -> Int { try Int(rows(folder, "SELECT stale FROM key_state")[0]) ?? -1 }

    // MARK: Stale entries

    @Test func manyDeletedSamplesAreForgottenAtOnce() throws {
        var tuning = KeyRuleTests.small
        tuning.staleEntries = 20
        let store = try Store.open(directory: folder.path, options: KeyRuleTests.options(tuning))
        defer { store.close() }
        #expect(store.outcome(KeyRuleTests.samples(0..<200)) == "200/0/0/0")
        KeyRuleTests.settle(store)
        #expect(store.outcome([], deleting: (0..<24).map(Sent.uuid)) == "0/0/0/24")
        KeyRuleTests.settle(store)
        // Fewer than an eighth.
        #expect(try entries() == 200)
        #expect(try stale() == 24)
        // One moves, one goes.
        #expect(store.outcome(KeyRuleTests.samples(50..<51, start: 2), deleting: [Sent.uuid(60)]) == "0/1/0/1")
        KeyRuleTests.settle(store)
        #expect(try entries() == 175)
        #expect(try stale() == 0)
        #expect(try IdentityTests.keysMatchRows(folder, tuning))
    }

    @Test func aDeletedSampleIsForgottenAMonthLater() throws {
        var options = KeyRuleTests.options()
        let clock = Clock(1_800_000_000_000_000)
        options.now = { Timestamp(microseconds: clock.now) }
        let store = try Store.open(directory: folder.path, options: options)
        defer { store.close() }
        #expect(store.outcome(KeyRuleTests.samples(0..<100)) == "100/0/0/0")
        #expect(store.outcome([], deleting: [Sent.uuid(7)]) == "0/0/0/1")
        clock.advance(days: 29)
        #expect(store.outcome([], deleting: [Sent.uuid(8)]) == "0/0/0/1")
        KeyRuleTests.settle(store)
        #expect(try entries() == 100)
        clock.advance(days: 1)
        // Also when nothing comes any more.
        _ = store.onWriter { writer in writer?.keys.rest() }
        KeyRuleTests.settle(store)
        #expect(try entries() == 98)
        #expect(try stale() == 0)
        // A clock that was set back makes it earlier.
        #expect(store.outcome([], deleting: [Sent.uuid(9)]) == "0/0/0/1")
        KeyRuleTests.settle(store)
        #expect(try entries() == 98)
        clock.advance(days: -10)
        KeyRuleTests.settle(store)
        #expect(try entries() == 97)
    }

    private final class Clock: Sendable {
        private let time: Mutex<Int64>
        var now: Int64 { time.withLock { $0 } }
        init(_ start: Int64) { time = Mutex(start) }
        func advance(days: Int64) { time.withLock { $0 += days * 86_400_000_000 } }
    }

    /// `remove --purge` without a server leaves no entry; beside one, the server takes them away.
    @Test(arguments: [false, true])
    func aPurgeLeavesNoEntry(isServed: Bool) throws {
        var options = KeyRuleTests.options(isServer: isServed)
        options.now = { Timestamp(microseconds: 1_800_000_000_000_000) }
        let store = try Store.open(directory: folder.path, options: options)
        defer { store.close() }
        let lock = isServed ? try ServeLock(DataFolder(existing: folder.path)) : nil
        defer { withExtendedLifetime(lock) {} }
        #expect(store.outcome(KeyRuleTests.samples(0..<100)) == "100/0/0/0")
        let other = Submission(SampleBatch(KeyRuleTests.samples(0..<80)), endpoint: "old", device: "d_2")
        #expect(Store.text(store.write(other)) == "80/0/0/0")
        KeyRuleTests.settle(store)
        #expect(try Purge.run(directory: folder.path, endpoint: "old", options: options).samples == 80)
        if isServed {
            // As the server does it once it has had nothing to do for a while.
            _ = store.onWriter { writer in writer?.keys.rest() }
            KeyRuleTests.settle(store)
        }
        #expect(try entries() == 100)
        #expect(try stale() == 0)
        #expect(try IdentityTests.keysMatchRows(folder, KeyRuleTests.small))
        #expect(store.outcome(KeyRuleTests.samples(0..<100, start: 4)) == "0/100/0/0")
    }

    // MARK: Damage

    static let changes = [
        "DELETE FROM key_page", "DELETE FROM key_page WHERE id = (SELECT min(id) FROM key_page)",
        "DELETE FROM key_page WHERE id = (SELECT max(id) FROM key_page)",
        "DELETE FROM key_page WHERE id = (SELECT id FROM key_page ORDER BY id LIMIT 1 OFFSET 2)",
        "UPDATE key_page SET entries = x'00'", "UPDATE key_page SET entries = x''",
        "UPDATE key_page SET entries = zeroblob(length(entries))",
        "UPDATE key_page SET entries = CAST(x'01' || substr(entries, 2) AS BLOB)", "UPDATE key_page SET id = id + 1",
        "DELETE FROM key_filter", "UPDATE key_filter SET blocks = x'0102'",
        "UPDATE key_filter SET blocks = zeroblob(length(blocks))", "UPDATE key_run SET blocks = 0",
        "UPDATE key_run SET blocks = 9223372036854775807", "UPDATE key_run SET blocks = 2",
        "UPDATE key_run SET state = 7", "UPDATE key_run SET entries = -1", "UPDATE key_run SET entries = entries + 1",
        "UPDATE key_run SET id = -5 WHERE id = 1", "UPDATE key_run SET id = 9223372036854775807 WHERE id = 1",
        "DELETE FROM key_run", "DELETE FROM key_run WHERE id = (SELECT max(id) FROM key_run)", "DELETE FROM key_state",
        "UPDATE key_state SET revision = 9223372036854775807", "UPDATE key_state SET seed = seed + 1",
        "UPDATE key_state SET revision = 1000, next_run = 9223372036854775807",
        "UPDATE key_state SET revision = 1000, next_run = -1", "UPDATE key_state SET entries = 3",
        "INSERT INTO key_log VALUES (1000, x'00')", "DELETE FROM key_log", "UPDATE key_state SET next_run = 1",
        "UPDATE key_state SET revision = 1", "UPDATE key_state SET clean_run = 4000000",
        "UPDATE key_state SET clean_log = 9223372036854775807", "UPDATE key_state SET clean_run = -1",
        "UPDATE key_run SET level = 9223372036854775807", "UPDATE key_run SET level = 0",
        "UPDATE key_run SET entries = entries + 1000000; UPDATE key_state SET entries = entries + (SELECT count(*) FROM key_run) * 1000000",
        "UPDATE key_log SET entries = CAST(x'FF' || substr(entries, 2) AS BLOB)", "UPDATE key_log SET id = id + 100",
    ]

    /// What no program wrote is noticed at the latest where it matters, and made anew from the samples: none is lost, none
    /// is there twice.
    @Test(arguments: changes)
    func aDamagedIndexIsMadeAnew(_ change: String) throws {
        var tuning = KeyRuleTests.small
        tuning.rebuiltRows = 20
        tuning.slicePages = 3
        let options = KeyRuleTests.options(tuning)
        do {
            let first = try Store.open(directory: folder.path, options: options)
            defer { first.close() }
            #expect(first.outcome(KeyRuleTests.samples(0..<50)) == "50/0/0/0")
            #expect(first.outcome(KeyRuleTests.samples(50..<53, part: 2)) == "3/0/0/0")
            #expect(first.outcome([Sent(key: "text", start: 1)]) == "1/0/0/0")
        }
        do {
            let connection = try Connection(
                path: DataFolder(existing: folder.path).database, access: .readWrite, busyMilliseconds: 1_000)
            try connection.execute(change)
        }
        let moved = KeyRuleTests.samples(0..<50, start: 2) + KeyRuleTests.samples(50..<53, start: 2, part: 2)
        var answers: [String] = []
        var isOpenedAnew = false
        var store = try Store.open(directory: folder.path, options: options)
        defer { store.close() }
        for _ in 0..<1_000 where answers.last?.contains("/") != true {
            answers.append(store.outcome(moved))
            if answers.last == "rebuilding" && !isOpenedAnew {
                // Another process goes on where the first one was.
                isOpenedAnew = true
                store.close()
                store = try Store.open(directory: folder.path, options: options)
            }
            usleep(500)
        }
        #expect(
            Set(answers.dropLast()).isSubset(of: ["rebuilding"]) && answers.last == "0/53/0/0", "\(answers.suffix(3))")
        KeyRuleTests.settle(store)
        #expect(store.outcome(moved) == "0/0/53/0")
        #expect(store.condition.state == .ok)
        #expect(try rows(folder, "SELECT count(*) FROM sample") == ["54"])
        #expect(try rows(folder, "SELECT count(*) FROM key_rebuild") == ["0"])
        #expect(try IdentityTests.keysMatchRows(folder, tuning))
        #expect(store.outcome([], deleting: (0..<53).map(Sent.uuid)) == "0/0/0/53")
    }

    /// While the index is made anew: what needs no uuid is stored, all else is refused, and everyone is told.
    @Test func nothingIsStoredByAUUIDThatCannotBeLookedUp() throws {
        var tuning = KeyRuleTests.small
        tuning.rebuiltRows = 5
        let options = KeyRuleTests.options(tuning)
        let data = try DataFolder.prepare(folder.path)
        let writer = try Writer(data, options, create: true)
        func store(_ samples: [Sent]) throws(StoreError) {
            try writer.alone { () throws(StoreError) in _ = try writer.apply(Submission(samples)) }
        }
        try store(KeyRuleTests.samples(0..<40))
        let reader = try StoreReader(directory: folder.path)
        #expect(try !reader.isRebuildingKeys())
        try writer.connection.execute("UPDATE key_filter SET blocks = x''")
        writer.keys.index.unload()
        func refused() -> Bool {
            do throws(StoreError) { try store(KeyRuleTests.samples(60..<61)) } catch {
                return error.reason == .rebuilding
            }
            return false
        }
        #expect(refused())
        var slices = 0
        repeat {
            #expect(refused())
            try store([Sent(key: "text \(slices)", start: 1)])
            slices += 1
            // A process that was killed here: another one reads all from the disk.
            writer.keys.index.unload()
            writer.keys.looksAgain = true
            _ = try writer.tendKeys(entries: 10)
        } while try reader.isRebuildingKeys() && slices < 1_000
        #expect(slices > 10 && slices < 1_000)
        try store(KeyRuleTests.samples(0..<61, start: 7))
        #expect(
            try rows(folder, "SELECT count(*), count(DISTINCT uuid) FROM samples WHERE start_us = 7") == ["61|61"])
        #expect(try IdentityTests.keysMatchRows(folder, tuning))
    }
}
