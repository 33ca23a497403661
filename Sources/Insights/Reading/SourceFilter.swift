import Storage

/// Samples of one app, whatever its device, or of one device, whatever the app.
package enum SourceFilter: Equatable, Sendable {
    case app(String)
    case device(String)

    /// `APP`, or `@DEVICE`; nil for nothing behind it.
    package init?(_ text: String) {
        let isDevice = text.utf8.first == UInt8(ascii: "@")
        let name = isDevice ? String(text.unicodeScalars.dropFirst()) : text
        guard !name.isEmpty else { return nil }
        self = isDevice ? .device(name) : .app(name)
    }

    /// Whether a source is of it; names are compared as bytes.
    package func matches(_ source: SourceName) -> Bool {
        switch self {
        case .app(let name): source.app?.utf8.elementsEqual(name.utf8) ?? false
        case .device(let name): source.device?.utf8.elementsEqual(name.utf8) ?? false
        }
    }

    /// The numbers that the column `source` has for it.
    func identifiers(in connection: Connection) throws(StoreError) -> Set<Int64> {
        let column: String, name: String
        switch self {
        case .app(let text): (column, name) = ("app", text)
        case .device(let text): (column, name) = ("device", text)
        }
        let statement = try connection.prepare(
            "SELECT id FROM source WHERE \(column) = (SELECT id FROM text WHERE text = ?1)")
        statement.bind(1, text: name)
        var found: Set<Int64> = []
        while try statement.step() { found.insert(statement.integer(0)) }
        return found
    }
}
