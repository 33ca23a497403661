package import Samples

/// One line of `server types`.
package struct CatalogEntry: Equatable, Sendable {
    package static let kinds = ["quantity", "category", "activity", "characteristic"]
    package static let heading = ["NAME", "KIND", "UNIT", "WRITE", "FROM", "TO", "VALUES"]

    package var name: String
    package var kind: String
    package var unit: String?
    /// nil when not known; of activities and characteristics false: no command writes them.
    package var isWritable: Bool?
    package var minimum: Double?
    package var maximum: Double?
    package var values: [CatalogValue] = []
    /// HealthKit's number of an activity.
    package var raw: Int?
    package var hk: String
    package var isFromGuide: Bool
    /// Other names it is found under.
    package var otherNames: [String]

    /// Everything that a catalog has: types, then activities, then characteristics, each by name.
    package static func all(of catalog: Catalog) -> [CatalogEntry] {
        let types = catalog.types.map { type in
            CatalogEntry(
                name: type.name, kind: type.kind.rawValue, unit: type.unit, isWritable: type.isWritable,
                minimum: type.minimum, maximum: type.maximum, values: type.values, hk: type.hk,
                isFromGuide: type.isFromGuide, otherNames: type.healthAutoExport + type.aliases)
        }
        let activities = catalog.activities.sorted { $0.name < $1.name }.map { activity in
            CatalogEntry(
                name: activity.name, kind: "activity", isWritable: false, raw: activity.raw, hk: activity.hk,
                isFromGuide: activity.isFromGuide, otherNames: activity.aliases)
        }
        let characteristics = catalog.characteristics.map { characteristic in
            CatalogEntry(
                name: characteristic.name, kind: "characteristic", isWritable: false, values: characteristic.values,
                hk: characteristic.hk, isFromGuide: characteristic.values.contains(where: \.isFromGuide),
                otherNames: [])
        }
        return types + activities + characteristics
    }

    // MARK: Finding

    /// A part of a name in either case, or with `*` and `?` the whole of one.
    package func matches(_ pattern: String) -> Bool {
        let pattern = Array(pattern.lowercased().utf8)
        let isGlob = pattern.contains(UInt8(ascii: "*")) || pattern.contains(UInt8(ascii: "?"))
        let star = [UInt8(ascii: "*")]
        let glob = isGlob ? pattern : star + pattern + star
        return ([name, hk] + otherNames).contains { Self.matches(Array($0.lowercased().utf8), glob) }
    }

    /// Goes back to the last `*` alone, so the time is the product of both lengths at most.
    private static func matches(_ text: [UInt8], _ glob: [UInt8]) -> Bool {
        var at = 0, part = 0
        var retry: (at: Int, part: Int)?
        while at < text.count {
            if part < glob.count, glob[part] == UInt8(ascii: "*") {
                part += 1
                retry = (at, part)
            } else if part < glob.count, glob[part] == UInt8(ascii: "?") || glob[part] == text[at] {
                at += 1
                part += 1
            } else if let last = retry {
                (at, part) = (last.at + 1, last.part)
                retry = (at, part)
            } else {
                return false
            }
        }
        return glob[part...].allSatisfy { $0 == UInt8(ascii: "*") }
    }

    // MARK: Printing

    private static func number(_ value: Double?) -> JSONTree { value == nil ? .null : .number(text(value)) }

    /// As `heading`.
    package var row: [String] {
        let number = raw.map { "raw \($0)" }
        let list = values.sorted { $0.raw < $1.raw }.map { "\($0.name) \($0.raw)" }.joined(separator: ", ")
        return [
            name + (isFromGuide ? "" : "*"), kind, unit ?? "-", isWritable.map { $0 ? "yes" : "no" } ?? "?",
            Self.text(minimum), Self.text(maximum), number ?? (list.isEmpty ? "-" : list),
        ]
    }

    private static func text(_ number: Double?) -> String {
        number.map { number in Int(exactly: number).map(String.init) ?? "\(number)" } ?? "-"
    }

    /// An array of objects, with a line feed at its end.
    package static func json(_ entries: [CatalogEntry]) -> String {
        func texts(_ list: [String]) -> JSONTree { .array(list.map { .text($0) }) }
        return JSONTree.array(
            entries.map { entry in
                var members: [JSONTree.Member] = [
                    .init(name: "name", value: .text(entry.name)), .init(name: "kind", value: .text(entry.kind)),
                    .init(name: "hk", value: .text(entry.hk)),
                    .init(name: "unit", value: entry.unit.map { .text($0) } ?? .null),
                    .init(name: "write", value: entry.isWritable.map { .bool($0) } ?? .null),
                    .init(name: "min", value: number(entry.minimum)), .init(name: "max", value: number(entry.maximum)),
                    .init(name: "source", value: .text(entry.isFromGuide ? "guide" : "inferred")),
                ]
                if let raw = entry.raw { members.append(.init(name: "raw", value: .integer(Int64(raw)))) }
                members.append(
                    .init(
                        name: "values",
                        value: .array(
                            entry.values.map { value in
                                .object([
                                    .init(name: "name", value: .text(value.name)),
                                    .init(name: "raw", value: .integer(Int64(value.raw))),
                                ])
                            })))
                members.append(.init(name: "aliases", value: texts(entry.otherNames)))
                return .object(members)
            }
        ).written()
    }
}
