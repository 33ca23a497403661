import Samples
import Wire

/// Small numbers for repeated texts, by way of the dictionary tables and a bounded memory of them.
///
/// Rows are never deleted, so what is remembered stays true whatever other processes do. Only a rollback can take rows
/// away that were remembered: then everything is forgotten.
final class Dictionaries {
    /// Entries of one kind that are remembered; past it all of that kind are forgotten. Texts of a phone are hundreds.
    private static let capacity = 8_192

    /// Numbers of names, found without a copy of the name: each batch asks for each of its texts.
    private struct Names {
        private var table = InternTable()
        private var bytes: [UInt8] = []
        private var entries: [(owner: Int64, name: Range<Int>, id: Int64)] = []

        func find(_ name: Span<UInt8>, of owner: Int64) -> Int64? {
            let found = table.find(hash: ByteHash.process.hash(name)) {
                entries[Int($0)].owner == owner && bytes.span.extracting(entries[Int($0)].name).equals(name)
            }
            return found.map { entries[Int($0)].id }
        }

        mutating func remember(_ name: [UInt8], of owner: Int64, _ id: Int64) {
            if entries.count >= Dictionaries.capacity { self = Names() }
            table.append(hash: ByteHash.process.hash(name.span))
            entries.append((owner, bytes.count..<bytes.count + name.count, id))
            bytes += name
        }
    }
    private struct Triple: Hashable { var first, second, third: Int64 }

    private let connection: Connection
    private let texts, persons, endpoints, devices, series, sources: Table
    private var textIDs = Names()
    private var nameIDs = Names()
    private var endpointIDs = Names()
    private var deviceIDs = Names()
    private var seriesIDs: [Triple: Int64] = [:]
    private var sourceIDs: [Triple: Int64] = [:]

    private struct Table {
        let find, insert: Statement
        init(_ connection: Connection, find: String, insert: String) throws(StoreError) {
            self.find = try connection.prepare(find)
            self.insert = try connection.prepare(insert)
        }
    }

    init(_ connection: Connection) throws(StoreError) {
        self.connection = connection
        texts = try Table(
            connection, find: "SELECT id FROM text WHERE text = ?1",
            insert: "INSERT INTO text (text, json) VALUES (?1, ?2)")
        persons = try Table(
            connection, find: "SELECT id FROM person WHERE name = ?1", insert: "INSERT INTO person (name) VALUES (?1)")
        endpoints = try Table(
            connection, find: "SELECT id FROM endpoint WHERE name = ?1",
            insert: "INSERT INTO endpoint (name) VALUES (?1)")
        devices = try Table(
            connection, find: "SELECT id FROM device WHERE person = ?1 AND name = ?2",
            insert: "INSERT INTO device (person, name) VALUES (?1, ?2)")
        series = try Table(
            connection, find: "SELECT id FROM series WHERE device = ?1 AND type = ?2 AND ifnull(unit, 0) = ?3",
            insert: "INSERT INTO series (device, type, unit) VALUES (?1, ?2, nullif(?3, 0))")
        sources = try Table(
            connection, find: "SELECT id FROM source WHERE ifnull(app, 0) = ?1 AND ifnull(device, 0) = ?2",
            insert: "INSERT INTO source (app, device) VALUES (nullif(?1, 0), nullif(?2, 0))")
    }

    /// After a rollback: the numbers may be gone.
    func forget() {
        textIDs = Names()
        nameIDs = Names()
        endpointIDs = Names()
        deviceIDs = Names()
        seriesIDs = [:]
        sourceIDs = [:]
    }

    func text(_ bytes: [UInt8]) throws(StoreError) -> Int64 { try text(bytes.span) }

    func text(_ name: Span<UInt8>) throws(StoreError) -> Int64 {
        try remembered(name, in: &textIDs, texts, bind: { $0.bind(1, text: $1) }) {
            $0.bind(2, text: JSONText.quoted($1))
        }
    }

    func endpoint(_ name: String) throws(StoreError) -> Int64 {
        try remembered(name.utf8.span, in: &endpointIDs, endpoints) { $0.bind(1, text: $1) }
    }

    func device(person: String, name: [UInt8]) throws(StoreError) -> Int64 {
        let owner = try remembered(person.utf8.span, in: &nameIDs, persons) { $0.bind(1, text: $1) }
        return try remembered(name.span, of: owner, in: &deviceIDs, devices) {
            $0.bind(1, owner)
            $0.bind(2, text: $1)
        }
    }

    /// - Parameter unit: 0 for none.
    func series(device: Int64, type: Int64, unit: Int64) throws(StoreError) -> Int64 {
        try remembered(Triple(first: device, second: type, third: unit), in: &seriesIDs, series) {
            $0.bind(1, device)
            $0.bind(2, type)
            $0.bind(3, unit)
        }
    }

    /// - Parameters: 0 for none.
    func source(app: Int64, device: Int64) throws(StoreError) -> Int64 {
        try remembered(Triple(first: app, second: device, third: 0), in: &sourceIDs, sources) {
            $0.bind(1, app)
            $0.bind(2, device)
        }
    }

    private func remembered(
        _ name: Span<UInt8>, of owner: Int64 = 0, in memory: inout Names, _ table: Table,
        bind: (Statement, [UInt8]) -> Void, more: (Statement, [UInt8]) -> Void = { _, _ in }
    ) throws(StoreError) -> Int64 {
        if let id = memory.find(name, of: owner) { return id }
        var copy: [UInt8] = []
        copy.append(copying: name)
        let id = try look(in: table, bind: { bind($0, copy) }, more: { more($0, copy) })
        memory.remember(copy, of: owner, id)
        return id
    }

    private func remembered(
        _ key: Triple, in memory: inout [Triple: Int64], _ table: Table, bind: (Statement) -> Void
    ) throws(StoreError) -> Int64 {
        if let id = memory[key] { return id }
        let id = try look(in: table, bind: bind)
        if memory.count >= Self.capacity { memory.removeAll(keepingCapacity: true) }
        memory[key] = id
        return id
    }

    /// The number of a row, which is made where there is none.
    ///
    /// - Parameter more: what only a new row needs.
    private func look(
        in table: Table, bind: (Statement) -> Void, more: (Statement) -> Void = { _ in }
    ) throws(StoreError) -> Int64 {
        bind(table.find)
        if try table.find.step() {
            defer { table.find.reset() }
            return table.find.integer(0)
        }
        bind(table.insert)
        more(table.insert)
        try table.insert.run()
        return connection.lastInsertedID
    }
}
