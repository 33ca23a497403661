import Foundation
import Samples
import Testing

@testable import Storage

/// Tens of thousands of random steps on the uuid index, in transactions that are rolled back, by processes that take turns, die
/// and merge, against a dictionary.
@Suite struct KeyModelTests {
    static let real = KeyTuning(
        recentEntries: 200, fanIn: 2, pageBytes: 55, sliceEntries: 100, slicePages: 8, staleEntries: 300)
    /// Seven hashes for all.
    static let colliding = KeyTuning(
        hash: { KeyHash.hash($0, $1, $2, $3) % 7 &* (.max / 7) }, recentEntries: 16, fanIn: 3, pageBytes: 44,
        sliceEntries: 8, slicePages: 3)
    /// One hash for all.
    static let equal = KeyTuning(
        hash: { _, _, _, _ in 5 << 24 }, recentEntries: 24, fanIn: 2, pageBytes: 22, sliceEntries: 32, slicePages: 1)
    /// Devices don't count, and eight neighbours share a hash.
    static let close = KeyTuning(
        hash: { _, _, _, low in (low >> 3) << 24 }, recentEntries: 90, fanIn: 4, pageBytes: 55, sliceEntries: 40,
        slicePages: 9)

    /// 100,000 steps in all; few of those whose every look-up compares hundreds of rows.
    @Test(arguments: [
        ("real", real, 85_000, 134), ("close", close, 13_700, 60), ("colliding", colliding, 1_000, 24),
        ("equal", equal, 300, 8),
    ])
    func randomStepsEndAsInTheModel(_ name: String, _ tuning: KeyTuning, _ steps: Int, _ uuids: Int) throws {
        let seed = UInt64.random(in: .min ... .max)
        print("key model \(name) seed \(seed)")
        var model = try KeyModel(tuning, uuids: uuids, seed: seed)
        try model.run(steps: steps)
        if let fault = model.fault { Issue.record("\(name), seed \(seed): \(fault)") }
    }
}

/// The database of one run, and what must be in it.
struct KeyModel {
    struct Key: Hashable { var device: Int64, number: Int, part: Int64 }

    /// Some uuids and a few texts, by number.
    private static let names = (0..<134).map(Sent.uuid) + (134..<140).map { "key \($0)" }
    private static let keys = names.map { name in
        var batch = SampleBatch()
        let key = batch.key(name)
        return KeyBytes(key, in: batch)
    }
    private static let parts: [Int64] = [0, 1, 2, 10, 11, 12]

    /// One process.
    final class Process {
        let connection: Connection
        let keys: SampleKeys
        let path: String
        private var statements: [String: Statement] = [:]

        func statement(_ sql: String) throws -> Statement {
            if let known = statements[sql] { return known }
            let new = try connection.prepare(sql)
            statements[sql] = new
            return new
        }

        init(_ path: String, _ tuning: KeyTuning, isTended: Bool) throws {
            self.path = path
            connection = try Connection(path: path, access: .readWrite, busyMilliseconds: 0)
            try connection.execute("PRAGMA synchronous=OFF")
            keys = try SampleKeys(connection, tuning)
            keys.index.isTended = isTended
        }
    }

    private let tuning: KeyTuning
    private let uuids: Int
    private var random: SeededGenerator
    private var folder = TestFolder()
    private var server: Process
    private var other: Process
    private var rows: [Key: SamplePlace] = [:]
    private var linked: Set<Key> = []
    private let faults = Faults()
    var fault: String? { faults.first }
    private var step = 0

    init(_ tuning: KeyTuning, uuids: Int, seed: UInt64) throws {
        self.tuning = tuning
        self.uuids = uuids
        random = SeededGenerator(seed: seed)
        let data = try DataFolder.prepare(folder.path)
        try data.createDatabase()
        do {
            let connection = try Connection(path: data.database, access: .readWrite, busyMilliseconds: 0)
            try Migrations.run(on: connection)
            try connection.execute("INSERT INTO person VALUES (1, 'me'); INSERT INTO endpoint VALUES (1, 'phone')")
            try connection.execute("INSERT INTO text VALUES (1, 't', '\"t\"'), (2, 'u', '\"u\"'), (3, 'v', '\"v\"')")
            for device in 1...3 {
                try connection.execute("INSERT INTO device VALUES (\(device), 1, 'd\(device)')")
                for type in 1...3 {
                    try connection.execute(
                        "INSERT INTO series VALUES (\(device * 10 + type), \(device), \(type), NULL)")
                }
            }
        }
        server = try Process(data.database, tuning, isTended: true)
        other = try Process(data.database, tuning, isTended: false)
    }

    private mutating func chance(_ one: Int) -> Bool { Int.random(in: 0..<one, using: &random) == 0 }

    /// The first thing that was not as it should be.
    private final class Faults { var first: String? }

    private func expect(_ isTrue: Bool, _ what: @autoclosure () -> String) {
        if !isTrue && fault == nil { faults.first = "step \(step): \(what())" }
    }

    mutating func run(steps: Int) throws {
        while step < steps && fault == nil {
            try transaction(chance(5) ? other : server)
            try tend()
            if chance(20) { server.keys.index.unload() }
            if chance(20) { try reopen() }
            if chance(20) { try crash() }
            if chance(8) { try check(one: 8) }
        }
        try check(one: 1)
        var left = 20_000
        while left > 0, try server.keys.hasWork() {
            try tend(isDisturbed: false)
            left -= 1
        }
        expect(left > 0, "upkeep has no end")
        try check(one: 1)
    }

    // MARK: Transactions

    private mutating func transaction(_ process: Process) throws {
        let before = (rows, linked)
        try process.connection.execute("BEGIN IMMEDIATE")
        for _ in 0..<Int.random(in: 0...4, using: &random) {
            guard chance(2) else {
                try steps(process)
                continue
            }
            let inner = (rows, linked)
            try process.connection.execute("SAVEPOINT submission")
            let mark = process.keys.mark()
            try steps(process)
            if chance(4) {
                process.keys.truncate(to: mark)
                try process.connection.execute("ROLLBACK TO submission")
                (rows, linked) = inner
            } else {
                process.keys.release()
            }
            try process.connection.execute("RELEASE submission")
        }
        if !chance(8) {
            try process.keys.flush()
            if !chance(20) {
                try process.connection.execute("COMMIT")
                process.keys.committed()
                return
            }
        }
        process.connection.rollback()
        process.keys.rolledBack()
        (rows, linked) = before
    }

    /// - Parameter isDisturbed: whether slices are rolled back and cleanings asked for, so that it may have no end.
    private mutating func tend(isDisturbed: Bool = true) throws {
        for _ in 0..<Int.random(in: 1...4, using: &random) {
            if isDisturbed && chance(100) {
                try server.connection.execute("BEGIN IMMEDIATE")
                try server.keys.requestCleaning()
                try server.connection.execute("COMMIT")
                server.keys.committed()
            }
            guard try server.keys.hasWork() else { return }
            try server.connection.execute("BEGIN IMMEDIATE")
            try server.keys.tend(entries: tuning.sliceEntries)
            if isDisturbed && chance(15) {
                server.connection.rollback()
                server.keys.rolledBack()
                continue
            }
            try server.keys.flush()
            try server.connection.execute("COMMIT")
            server.keys.committed()
        }
    }

    // MARK: Steps

    private mutating func randomKey() -> Key {
        Key(
            device: Int64.random(in: 1...3, using: &random),
            number: chance(20) ? Int.random(in: 134..<140, using: &random) : Int.random(in: 0..<uuids, using: &random),
            part: max(0, Int64.random(in: -2...2, using: &random)))
    }

    private mutating func randomPlace(_ device: Int64) -> SamplePlace {
        SamplePlace(
            series: device * 10 + Int64.random(in: 1...3, using: &random),
            start: chance(6) ? .min : Int64.random(in: -1...2, using: &random) * 1_000_000)
    }

    private func withKey<Result>(_ key: Key, _ body: (BoundKey) throws(StoreError) -> Result) throws -> Result {
        try Self.keys[key.number].withBound(body)
    }

    private mutating func steps(_ process: Process) throws {
        for _ in 0..<Int.random(in: 1...60, using: &random) {
            step += 1
            let key = randomKey()
            switch Int.random(in: 0..<20, using: &random) {
            case 0..<11: try put(key, at: randomPlace(key.device), process)
            case 11..<13: if let place = rows[key] { try put(key, at: place, process) }
            case 13..<16: try delete(key, process)
            case 16: try movePart(key, process)
            case 17: if chance(20) { try link(key, process) }
            default:
                let found = try withKey(key) { (bound) throws(StoreError) in
                    try process.keys.find(device: key.device, bound, part: key.part)
                }
                expect(
                    found == rows[key],
                    "found \(String(describing: found)) for \(key), not \(String(describing: rows[key]))")
            }
        }
    }

    private func sql(_ process: Process, _ text: String, _ place: SamplePlace, _ key: Key, extra: Int64 = 0) throws {
        let statement = try process.statement(text)
        try withKey(key) { (bound) throws(StoreError) in
            statement.bind(1, place.series)
            statement.bind(2, place.start)
            bound.bind(statement, 3)
            statement.bind(4, key.part)
            if text.contains("?5") { statement.bind(5, extra) }
            try statement.run()
        }
    }

    private static let insert = """
        INSERT INTO sample (series, start, uuid, part, kind, dialect, spelled, endpoint, delivery)
        VALUES (?1, ?2, ?3, ?4, 1, 1, 0, 1, 1)
        """
    private static let delete = "DELETE FROM sample WHERE series = ?1 AND start = ?2 AND uuid = ?3 AND part = ?4"

    /// As `SampleStore` does it: a repeat never comes to the keys.
    private mutating func put(_ key: Key, at place: SamplePlace, _ process: Process) throws {
        if rows[key] == place { return }
        try sql(process, Self.insert, place, key)
        let old = try withKey(key) { (bound) throws(StoreError) in
            try process.keys.put(device: key.device, bound, part: key.part, at: place)
        }
        expect(old == rows[key], "\(key) was at \(String(describing: old)), not \(String(describing: rows[key]))")
        if let old { try sql(process, Self.delete, old, key) }
        rows[key] = place
    }

    private mutating func delete(_ key: Key, _ process: Process) throws {
        let found = try withKey(key) { (bound) throws(StoreError) in
            try process.keys.parts(device: key.device, bound)
        }
        let expected = stored(key)
        expect(
            found.map(\.part) == expected.map(\.part) && found.map(\.place) == expected.map(\.place),
            "parts of \(key): \(found), not \(expected)")
        for (part, place) in found {
            let one = Key(device: key.device, number: key.number, part: part)
            try withKey(one) { (bound) throws(StoreError) in
                try process.keys.remove(device: key.device, bound, part: part)
            }
            try sql(process, Self.delete, place, one)
            rows[one] = nil
        }
    }

    private mutating func movePart(_ key: Key, _ process: Process) throws {
        let target = key.part + 10
        let moved = Key(device: key.device, number: key.number, part: target)
        guard let place = rows[key], rows[moved] == nil else { return }
        try sql(
            process, "UPDATE sample SET part = ?5 WHERE series = ?1 AND start = ?2 AND uuid = ?3 AND part = ?4", place,
            key,
            extra: target)
        try withKey(key) { (bound) throws(StoreError) in
            try process.keys.move(device: key.device, bound, from: key.part, to: target)
        }
        rows[key] = nil
        rows[moved] = place
    }

    /// A command came back as this sample, whether it is stored by now or not.
    private mutating func link(_ key: Key, _ process: Process) throws {
        let statement = try process.connection.prepare(
            """
            INSERT INTO command (endpoint, name, version, op, type, body, state, sent, queued_at, link_device, link_uuid)
            VALUES (1, ?1, 1, 'write', 't', '', 'waiting', 1, 1, ?2, ?3) ON CONFLICT DO NOTHING
            """)
        try withKey(key) { (bound) throws(StoreError) in
            statement.bind(1, text: "\(key.device) \(Self.names[key.number])")
            statement.bind(2, key.device)
            bound.bind(statement, 3)
            try statement.run()
            try process.keys.link(device: key.device, bound)
        }
        linked.insert(Key(device: key.device, number: key.number, part: 0))
    }

    /// The parts of a key that must be there.
    private func stored(_ key: Key) -> [(part: Int64, place: SamplePlace)] {
        Self.parts.compactMap { part in
            rows[Key(device: key.device, number: key.number, part: part)].map { (part, $0) }
        }
    }

    // MARK: Ends and beginnings

    private mutating func reopen() throws {
        if chance(2) { try writeAsOlderProgram() }
        server = try Process(server.path, tuning, isTended: true)
        other = try Process(server.path, tuning, isTended: false)
    }

    /// One that knew `sample_key` alone, while none of this one ran.
    private mutating func writeAsOlderProgram() throws {
        let old = "INSERT INTO sample_key (series, start, uuid, part, device) VALUES (?1, ?2, ?3, ?4, ?5)"
        for _ in 0..<20 {
            let key = randomKey(), place = randomPlace(key.device)
            if !stored(key).isEmpty { continue }
            if linked.contains(Key(device: key.device, number: key.number, part: 0)) { continue }
            try sql(server, Self.insert, place, key)
            try sql(server, old, place, key, extra: key.device)
            rows[key] = place
        }
    }

    /// Goes on with a copy of the files as they are, which is all that a killed process leaves.
    private mutating func crash() throws {
        let next = TestFolder()
        let data = try DataFolder.prepare(next.path)
        for suffix in ["", "-wal"] where FileManager.default.fileExists(atPath: folder.database + suffix) {
            try FileManager.default.copyItem(atPath: folder.database + suffix, toPath: next.database + suffix)
        }
        server = try Process(data.database, tuning, isTended: true)
        other = try Process(data.database, tuning, isTended: false)
        folder = next
    }

    /// Looks at one of so many keys.
    private mutating func check(one: Int) throws {
        let count = try server.connection.integer("SELECT count(*) FROM sample") ?? 0
        expect(Int(count) == rows.count, "\(count) rows, not \(rows.count)")
        let process = chance(2) ? server : try Process(server.path, tuning, isTended: false)
        try process.connection.execute("BEGIN")
        for (key, place) in rows where chance(one) {
            let found = try withKey(key) { (bound) throws(StoreError) in
                try process.keys.find(device: key.device, bound, part: key.part)
            }
            expect(found == place, "\(key) is at \(String(describing: found)), not \(place)")
        }
        process.connection.rollback()
        process.keys.rolledBack()
        let shown = try texts(
            process.connection,
            """
            SELECT DISTINCT name FROM command AS c WHERE \(Views.isLinked(schema: 3)) ORDER BY name
            """)
        let wanted = linked.filter { !stored($0).isEmpty }.map { "\($0.device) \(Self.names[$0.number])" }.sorted()
        expect(shown == wanted, "linked samples: \(shown), not \(wanted)")
    }

    private func texts(_ connection: Connection, _ sql: String) throws -> [String] {
        let statement = try connection.prepare(sql)
        var found: [String] = []
        while try statement.step() { found.append(statement.text(0) ?? "-") }
        return found
    }
}
