import Wire

/// Small numbers for repeated texts, by way of the dictionary tables and a bounded memory of them.
///
/// Rows are never deleted, so what is remembered stays true whatever other processes do. Only a rollback can take rows
/// away that were remembered: then everything is forgotten.
final class Dictionaries {
    /// Entries of one kind that are remembered; past it all of that kind are forgotten. Texts of a phone are hundreds.
    private static let capacity = 8_192

    private struct Name: Hashable {
        var bytes: [UInt8]
        /// Eight bytes at a time, which `Array` doesn't.
        func hash(into hasher: inout Hasher) { hasher.combine(ByteHash.process.hash(bytes.span)) }
    }
    private struct Pair: Hashable {
        var owner: Int64
        var name: Name
    }
    private struct Triple: Hashable { var first, second, third: Int64 }

    private let connection: Connection
    private let texts, persons, endpoints, devices, series, sources: Table
    private var textIDs: [Name: Int64] = [:]
    private var nameIDs: [Name: Int64] = [:]
    private var endpointIDs: [Name: Int64] = [:]
    private var deviceIDs: [Pair: Int64] = [:]
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
        textIDs = [:]
        nameIDs = [:]
        endpointIDs = [:]
        deviceIDs = [:]
        seriesIDs = [:]
        sourceIDs = [:]
    }

    func text(_ bytes: [UInt8]) throws(StoreError) -> Int64 {
        try remembered(Name(bytes: bytes), in: &textIDs, texts, bind: { $0.bind(1, text: bytes) }) {
            $0.bind(2, text: JSONText.quoted(bytes))
        }
    }

    func endpoint(_ name: String) throws(StoreError) -> Int64 {
        let bytes = Array(name.utf8)
        return try remembered(Name(bytes: bytes), in: &endpointIDs, endpoints) { $0.bind(1, text: bytes) }
    }

    func device(person: String, name: [UInt8]) throws(StoreError) -> Int64 {
        let bytes = Array(person.utf8)
        let owner = try remembered(Name(bytes: bytes), in: &nameIDs, persons) { $0.bind(1, text: bytes) }
        return try remembered(Pair(owner: owner, name: Name(bytes: name)), in: &deviceIDs, devices) {
            $0.bind(1, owner)
            $0.bind(2, text: name)
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

    private func remembered<Key: Hashable>(
        _ key: Key, in memory: inout [Key: Int64], _ table: Table, bind: (Statement) -> Void,
        more: (Statement) -> Void = { _ in }
    ) throws(StoreError) -> Int64 {
        if let id = memory[key] { return id }
        let id: Int64
        bind(table.find)
        if try table.find.step() {
            id = table.find.integer(0)
            table.find.reset()
        } else {
            bind(table.insert)
            more(table.insert)
            try table.insert.run()
            id = connection.lastInsertedID
        }
        if memory.count >= Self.capacity { memory.removeAll(keepingCapacity: true) }
        memory[key] = id
        return id
    }
}
