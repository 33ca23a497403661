import Samples
import Storage

/// A series of one person and type, and where its rows come from.
struct HeldSeries: Equatable {
    var id: Int64
    /// A row of `device`.
    var device: Int64
    var deviceName: String
    var unit: String?
}

extension ReadModel {
    /// Those of a person and type, by number.
    func heldSeries(of person: String, type: String) throws(StoreError) -> [HeldSeries] {
        let statement = try store.connection.prepare(
            """
            SELECT r.id, d.id, d.name, u.text FROM person AS p JOIN device AS d ON d.person = p.id
              JOIN series AS r ON r.device = d.id AND r.type = (SELECT id FROM text WHERE text = ?2)
              LEFT JOIN text AS u ON u.id = r.unit
            WHERE p.name = ?1 ORDER BY r.id
            """)
        statement.bind(1, text: person)
        statement.bind(2, text: type)
        var found: [HeldSeries] = []
        while try statement.step() {
            found.append(
                HeldSeries(
                    id: statement.integer(0), device: statement.integer(1), deviceName: statement.text(2) ?? "",
                    unit: statement.text(3)))
        }
        return found
    }

    /// A number's text.
    func textName(_ id: Int64) throws(StoreError) -> String {
        String(decoding: try texts.text(id).bytes, as: UTF8.self)
    }
}

extension SourceName {
    /// Whether `other` is what this one asks for: a part that is nil asks for nothing.
    func matches(_ other: SourceName) -> Bool {
        (app == nil || app == other.app) && (device == nil || device == other.device)
    }
}

/// Names of sources as numbers from 0, so that rows are small.
struct SourceNumbers {
    private(set) var names: [SourceName] = []
    private var numbers: [SourceName: Int] = [:]
    private var byRow: [Int64: Int] = [:]

    mutating func number(of name: SourceName) -> Int {
        if let known = numbers[name] { return known }
        let number = names.count
        names.append(name)
        numbers[name] = number
        return number
    }

    /// - Parameter row: of `source`, 0 for none.
    mutating func number(ofRow row: Int64, in model: ReadModel) throws(StoreError) -> Int {
        if let known = byRow[row] { return known }
        let number = number(of: try model.sourceName(row))
        byRow[row] = number
        return number
    }
}
