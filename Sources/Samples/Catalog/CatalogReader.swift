import Wire

/// Reads the two files of a catalog. Members that it doesn't know are skipped, so that later files can say more.
struct CatalogReader: ~Copyable {
    private var json: JSONScanner
    private let file: String
    private let text: PaddedBytes

    private init(_ text: [UInt8], file: String) throws(CatalogFault) {
        self.file = file
        self.text = PaddedBytes(text)
        do throws(JSONFault) {
            json = try JSONScanner(self.text)
        } catch {
            throw CatalogFault(file: file, line: 1, message: error.message)
        }
    }

    // MARK: Files

    static func units(_ text: [UInt8]) throws(CatalogFault) -> (
        families: [UnitFamily], healthAutoExport: [[UInt8]: [UInt8]]
    ) {
        var reader = try CatalogReader(text, file: "units.json")
        var families: [UnitFamily] = [], healthAutoExport: [[UInt8]: [UInt8]] = [:]
        try reader.file(["families"]) { (reader, list) throws(CatalogFault) in
            switch list {
            case "families": families.append(try reader.family(known: families))
            case "hae":
                let start = reader.json.position
                let entry = try reader.entry(["unit", "means"])
                let means = Array(entry.text("means").utf8)
                guard families.contains(where: { $0.hasUnit(means) }) else {
                    throw reader.fault("`means` is a unit of no family above", at: start)
                }
                healthAutoExport[Array(entry.text("unit").utf8)] = means
            default: return false
            }
            return true
        }
        return (families, healthAutoExport)
    }

    typealias Facts = (types: [CatalogType], activities: [CatalogActivity], characteristics: [CatalogCharacteristic])

    static func types(_ text: [UInt8], families: [UnitFamily]) throws(CatalogFault) -> Facts {
        var reader = try CatalogReader(text, file: "types.json")
        var facts: Facts = ([], [], [])
        var names: Set<String> = [], activityNames: Set<String> = [], characteristicNames: Set<String> = []
        var identifiers: Set<String> = []
        try reader.file(["types", "activities", "characteristics"]) { (reader, list) throws(CatalogFault) in
            switch list {
            case "types":
                let type = try reader.type(families: families)
                try reader.insert(type.name, into: &names)
                guard identifiers.insert(type.hk).inserted else { throw reader.fault("`hk` is another type's, too") }
                facts.types.append(type)
            case "activities":
                let entry = try reader.entry(["name"], wholeNumbers: ["raw"])
                try reader.insert(entry.text("name"), into: &activityNames)
                facts.activities.append(
                    CatalogActivity(
                        name: entry.text("name"), raw: entry.raw, hk: entry.text("hk"),
                        isDeprecated: entry.flags["deprecated"] == true, aliases: entry.lists["aliases"] ?? [],
                        isFromGuide: entry.texts["source"] == "guide"))
            case "characteristics":
                let entry = try reader.entry(["name"])
                try reader.insert(entry.text("name"), into: &characteristicNames)
                facts.characteristics.append(
                    CatalogCharacteristic(name: entry.text("name"), hk: entry.text("hk"), values: entry.values))
            default: return false
            }
            return true
        }
        facts.types.sort { $0.name < $1.name }
        return facts
    }

    // MARK: Entries

    private mutating func type(families: [UnitFamily]) throws(CatalogFault) -> CatalogType {
        let start = json.position
        let entry = try entry(["name", "kind", "hk"])
        guard let kind = CatalogType.Kind(rawValue: entry.text("kind")) else {
            throw fault("`kind` is neither quantity nor category", at: start)
        }
        if let minimum = entry.numbers["min"], let maximum = entry.numbers["max"], minimum > maximum {
            throw fault("`min` is more than `max`", at: start)
        }
        let (unit, family) = (entry.texts["unit"], entry.texts["family"])
        var aggregation: CatalogType.Aggregation?
        if kind == .quantity {
            guard let unit, let family, families.first(where: { $0.name == family })?.hasUnit(unit.utf8) == true else {
                throw fault("a quantity needs a `family` of units.json and a `unit` of it", at: start)
            }
            aggregation = CatalogType.Aggregation(rawValue: entry.text("aggregation"))
            if aggregation == nil { throw fault("`aggregation` is none that is known", at: start) }
        }
        return CatalogType(
            name: entry.text("name"), kind: kind, hk: entry.text("hk"), unit: unit, family: family,
            aggregation: aggregation, isWritable: entry.flags["write"], minimum: entry.numbers["min"],
            maximum: entry.numbers["max"], values: entry.values, healthAutoExport: entry.lists["hae"] ?? [],
            aliases: entry.lists["aliases"] ?? [], since: entry.texts["since"],
            isFromGuide: entry.texts["source"] == "guide")
    }

    private mutating func family(known: [UnitFamily]) throws(CatalogFault) -> UnitFamily {
        let start = json.position
        let entry = try entry(["name", "unit"])
        if known.contains(where: { $0.name == entry.text("name") }) { throw fault("a family comes twice", at: start) }
        let family = UnitFamily(name: entry.text("name"), unit: entry.text("unit"), units: entry.units)
        guard family.hasUnit(family.unit.utf8) else { throw fault("the family doesn't list its own `unit`", at: start) }
        guard Set(family.units.map { Array($0.name.utf8) }).count == family.units.count else {
            throw fault("the family lists a unit twice", at: start)
        }
        return family
    }

    private func insert(_ name: String, into names: inout Set<String>) throws(CatalogFault) {
        guard Self.isName(name) else { throw fault("a name is not of the form [a-z][a-z0-9_]{1,63}") }
        guard names.insert(name).inserted else { throw fault("`\(name)` comes twice") }
    }

    /// `^[a-z][a-z0-9_]{1,63}$`, as the guide has it.
    private static func isName(_ name: String) -> Bool {
        let bytes = name.utf8
        guard 2...64 ~= bytes.count, let first = bytes.first, UInt8(ascii: "a")...UInt8(ascii: "z") ~= first else {
            return false
        }
        return bytes.allSatisfy {
            UInt8(ascii: "a")...UInt8(ascii: "z") ~= $0 || UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0
                || $0 == UInt8(ascii: "_")
        }
    }

    /// The members of one object by what they are; null is as good as absent.
    private struct Entry {
        var texts: [String: String] = [:]
        var numbers: [String: Double] = [:]
        var flags: [String: Bool] = [:]
        var lists: [String: [String]] = [:]
        var values: [CatalogValue] = []
        var units: [UnitFamily.Unit] = []

        func text(_ name: String) -> String { texts[name] ?? "" }
        var raw: Int { numbers["raw"].flatMap { Int(exactly: $0) } ?? 0 }
    }

    /// - Parameters: the members that must be there, as texts and as whole numbers.
    private mutating func entry(
        _ requiredTexts: [String], wholeNumbers: [String] = []
    ) throws(CatalogFault) -> Entry {
        let start = json.position
        var entry = Entry()
        do throws(JSONFault) {
            try json.enterObject()
            while let member = try json.nextMember() {
                let name = String(decoding: json.bytes(of: member), as: UTF8.self)
                switch try json.kind() {
                case .string: entry.texts[name] = String(decoding: json.bytes(of: try json.text()), as: UTF8.self)
                case .number: entry.numbers[name] = try json.number().value
                case .bool: entry.flags[name] = try json.bool()
                case .null, .object: _ = try json.skip()
                case .array: try list(name, into: &entry)
                }
            }
        } catch {
            throw fault(error)
        }
        for name in requiredTexts where entry.text(name).isEmpty {
            throw fault("`\(name)` is missing or no text", at: start)
        }
        for name in wholeNumbers where entry.numbers[name].flatMap({ Int(exactly: $0) }) == nil {
            throw fault("`\(name)` is missing or no whole number", at: start)
        }
        if entry.units.contains(where: { $0.name.isEmpty }) || entry.values.contains(where: { $0.name.isEmpty }) {
            throw fault("an entry of a list is not complete", at: start)
        }
        guard entry.values.allSatisfy({ Self.isName($0.name) }) else {
            throw fault("a value's name is not of the form [a-z][a-z0-9_]{1,63}", at: start)
        }
        guard Set(entry.values.map(\.name)).count == entry.values.count,
            Set(entry.values.map(\.raw)).count == entry.values.count
        else { throw fault("a value comes twice", at: start) }
        return entry
    }

    /// A list of texts, of values or of units.
    private mutating func list(_ name: String, into entry: inout Entry) throws(JSONFault) {
        var texts: [String] = []
        try json.enterArray()
        while try json.nextElement() {
            if try json.kind() == .string {
                texts.append(String(decoding: json.bytes(of: try json.text()), as: UTF8.self))
                continue
            }
            guard name == "values" || name == "units" else {
                _ = try json.skip()
                continue
            }
            var item = Entry()
            try json.enterObject()
            while let member = try json.nextMember() {
                let name = String(decoding: json.bytes(of: member), as: UTF8.self)
                switch try json.kind() {
                case .string: item.texts[name] = String(decoding: json.bytes(of: try json.text()), as: UTF8.self)
                case .number: item.numbers[name] = try json.number().value
                case .bool: item.flags[name] = try json.bool()
                case .array where name == "aliases":
                    try json.enterArray()
                    while try json.nextElement() {
                        let alias = String(decoding: json.bytes(of: try json.text()), as: UTF8.self)
                        item.lists[name, default: []].append(alias)
                    }
                case .null, .object, .array: _ = try json.skip()
                }
            }
            if name == "values" {
                let isWhole = item.numbers["raw"].flatMap { Int(exactly: $0) } != nil
                entry.values.append(
                    CatalogValue(
                        name: isWhole ? item.text("name") : "", raw: item.raw, aliases: item.lists["aliases"] ?? [],
                        isFromGuide: item.texts["source"] == "guide"))
            } else if name == "units" {
                let conversion = ExactConversion(factor: item.text("factor"), offset: item.texts["offset"] ?? "0")
                entry.units.append(
                    UnitFamily.Unit(
                        name: conversion == nil ? "" : item.text("unit"), conversion: conversion ?? .identity,
                        isAlternate: item.flags["alternate"] == true))
            }
        }
        entry.lists[name] = texts
    }

    // MARK: The whole

    /// Reads `{"v":1, "LIST": [entries], …}`; `read` takes the entry at the scanner's place, or returns false for a list
    /// that it doesn't know.
    private mutating func file(
        _ required: Set<String>,
        _ read: (inout CatalogReader, _ list: String) throws(CatalogFault) -> Bool
    ) throws(CatalogFault) {
        var missing = required, version: Double?
        do {
            try json.enterObject()
            while let member = try json.nextMember() {
                let name = String(decoding: json.bytes(of: member), as: UTF8.self)
                if name == "v", try json.kind() == .number {
                    version = try json.number().value
                } else if try json.kind() == .array {
                    missing.remove(name)
                    try json.enterArray()
                    while try json.nextElement() {
                        if try !read(&self, name) { _ = try json.skip() }
                    }
                } else {
                    _ = try json.skip()
                }
            }
            try json.finish()
        } catch let error as JSONFault {
            throw fault(error)
        } catch let error as CatalogFault {
            throw error
        } catch {
            throw fault("it can't be read")
        }
        guard version == 1 else { throw CatalogFault(file: file, message: "its `v` is not the number 1") }
        if let name = missing.sorted().first { throw CatalogFault(file: file, message: "it has no list `\(name)`") }
    }

    private func fault(_ fault: JSONFault) -> CatalogFault { self.fault(fault.message, at: fault.offset) }

    private func fault(_ message: String, at offset: Int? = nil) -> CatalogFault {
        let read = text.content.prefix(offset ?? json.position)
        let line = 1 + read.count { $0 == UInt8(ascii: "\n") }
        return CatalogFault(
            file: file, line: line, message: message.hasSuffix(".") ? String(message.dropLast()) : message)
    }
}

extension ExactConversion {
    fileprivate static var identity: ExactConversion { ExactConversion(multiplier: 1, addend: 0, divisor: 1) }

    fileprivate init(multiplier: Int128, addend: Int128, divisor: Int128) {
        (self.multiplier, self.addend, self.divisor) = (multiplier, addend, divisor)
    }
}
