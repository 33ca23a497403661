import Wire

/// A column that the CSV format has.
enum CSVColumn: Int, CaseIterable {
    case type, uuid, start, end, value, unit, valueName, source, device, userEntered

    var name: StaticString {
        switch self {
        case .type: "type"
        case .uuid: "uuid"
        case .start: "start"
        case .end: "end"
        case .value: "value"
        case .unit: "unit"
        case .valueName: "value_name"
        case .source: "source"
        case .device: "device"
        case .userEntered: "user_entered"
        }
    }
}

/// Which field of a row is which, as the header row has it.
struct CSVColumns {
    /// More than any sender has, and few enough that repeated names are found by looking at each.
    static let maximumCount = 256

    /// A column that the format does not have.
    struct Extra {
        var field: Int
        var name: [UInt8]
        /// Its name is one that a sample's own members have, so it goes into the member `columns`.
        var isNested: Bool
    }

    /// The field of each column, by its raw value.
    private(set) var fields = [Int](repeating: -1, count: CSVColumn.allCases.count)
    private(set) var extras: [Extra] = []
    /// The column of each field; nil for an extra one.
    private(set) var known: [CSVColumn?] = []

    /// Members of a sample's body that do not come from the column of their name.
    private static let taken: [StaticString] = [
        "activity", "duration_s", "name", "part", "parts", "date", "day", "raw_value", "columns",
    ]

    /// Adds the next name of the header row.
    ///
    /// - Returns: false when the name was there before.
    mutating func add(_ name: [UInt8]) -> Bool {
        let field = known.count
        if let column = CSVColumn.allCases.first(where: { name.span.equals($0.name) }) {
            guard fields[column.rawValue] < 0 else { return false }
            fields[column.rawValue] = field
            known.append(column)
            return true
        }
        guard !extras.contains(where: { $0.name == name }) else { return false }
        let isNested = Self.taken.contains { name.span.equals($0) }
        extras.append(Extra(field: field, name: name, isNested: isNested))
        known.append(nil)
        return true
    }

    /// The first column that the header row lacks.
    var missing: CSVColumn? { CSVColumn.allCases.first { fields[$0.rawValue] < 0 } }
}
