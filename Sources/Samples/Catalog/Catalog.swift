/// What is known of Apple Health's types, units, workouts and characteristics: `schemas/types.json` and
/// `schemas/units.json`, compiled in or read from a folder.
///
/// Nothing is refused for what it doesn't know: it names, converts and warns. All names are compared as bytes.
package final class Catalog: Sendable {
    /// As it was when this program was built.
    package static let builtIn: Catalog = {
        do throws(CatalogFault) {
            return try Catalog(types: Array(CatalogTexts.types.utf8), units: Array(CatalogTexts.units.utf8))
        } catch {
            fatalError("the catalog that was built in can't be read: \(error)")  // a test reads it
        }
    }()

    /// Quantity and category types, by name.
    package let types: [CatalogType]
    package let activities: [CatalogActivity]
    package let characteristics: [CatalogCharacteristic]
    package let families: [UnitFamily]

    private typealias Indices = [[UInt8]: Int]
    private let typesByName: Indices
    private let typesByHealthAutoExport: Indices
    private let typesByHealthKit: Indices
    private let activitiesByName: Indices
    private let characteristicsByName: Indices
    private let familiesByName: [String: Int]
    /// What Health Auto Export means by a unit that means something else elsewhere.
    private let healthAutoExportUnits: [[UInt8]: [UInt8]]

    /// Reads the texts of `types.json` and `units.json`.
    package init(types typesText: [UInt8], units unitsText: [UInt8]) throws(CatalogFault) {
        let units = try CatalogReader.units(unitsText)
        let facts = try CatalogReader.types(typesText, families: units.families)
        (types, activities, characteristics) = (facts.types, facts.activities, facts.characteristics)
        families = units.families
        healthAutoExportUnits = units.healthAutoExport
        familiesByName = Dictionary(
            uniqueKeysWithValues: families.indices.map { (units.families[$0].name, $0) })

        // A type's own name goes before another's alias.
        var byName: Indices = [:], byHealthAutoExport: Indices = [:], byHealthKit: Indices = [:]
        for index in facts.types.indices {
            let type = facts.types[index]
            byName[Array(type.name.utf8)] = index
            byHealthKit[Array(type.hk.utf8)] = index
            for name in type.healthAutoExport { byHealthAutoExport[Array(name.utf8)] = index }
        }
        for index in facts.types.indices {
            let type = facts.types[index]
            for name in type.aliases + type.healthAutoExport where byName[Array(name.utf8)] == nil {
                byName[Array(name.utf8)] = index
            }
        }
        for (name, index) in byName where byHealthAutoExport[name] == nil { byHealthAutoExport[name] = index }
        typesByName = byName
        typesByHealthAutoExport = byHealthAutoExport
        typesByHealthKit = byHealthKit
        var activityNames: Indices = [:]
        for index in facts.activities.indices { activityNames[Array(facts.activities[index].name.utf8)] = index }
        for index in facts.activities.indices {
            for alias in facts.activities[index].aliases where activityNames[Array(alias.utf8)] == nil {
                activityNames[Array(alias.utf8)] = index
            }
        }
        activitiesByName = activityNames
        characteristicsByName = Dictionary(
            uniqueKeysWithValues: facts.characteristics.indices.map {
                (Array(facts.characteristics[$0].name.utf8), $0)
            })
    }

    // MARK: Types

    /// By Syncky's name, else by another that it is known under.
    package func type(named name: some Collection<UInt8>) -> CatalogType? {
        typesByName[Array(name)].map { types[$0] }
    }

    /// By the name of a Health Auto Export metric, folded: lower case, one `_` for spaces, `-` and `:`.
    package func type(healthAutoExport name: some Collection<UInt8>) -> CatalogType? {
        typesByHealthAutoExport[Array(name)].map { types[$0] }
    }

    /// By HealthKit's identifier.
    package func type(healthKit identifier: some Collection<UInt8>) -> CatalogType? {
        typesByHealthKit[Array(identifier)].map { types[$0] }
    }

    /// HealthKit's number for a category type's value, such as 3 for `sleep_analysis`, `asleep_core`; nil when the type
    /// or the name is not known.
    package func categoryValue(type: some Collection<UInt8>, name: some Collection<UInt8>) -> Double? {
        self.type(named: type)?.raw(of: name)
    }

    /// The name of a category type's value; nil when the type or the number is not known.
    package func categoryName(type: some Collection<UInt8>, raw: Int) -> String? {
        self.type(named: type)?.values.first { $0.raw == raw }?.name
    }

    // MARK: Workouts and characteristics

    /// By Syncky's name.
    package func activity(named name: some Collection<UInt8>) -> CatalogActivity? {
        guard let index = activitiesByName[Array(name)] else { return nil }
        return activities[index].name.utf8.elementsEqual(name) ? activities[index] : nil
    }

    /// Syncky's name of a workout that Health Auto Export names in English, folded as a metric's name; nil when it is
    /// not known, as of translated ones.
    package func activity(healthAutoExport name: some Collection<UInt8>) -> String? {
        let folded = Array(name)
        if let index = activitiesByName[folded] { return activities[index].name }
        for place: StaticString in ["outdoor_", "indoor_", "pool_", "open_water_"] {
            let prefix = Array("\(place)".utf8)
            if folded.starts(with: prefix), let index = activitiesByName[Array(folded.dropFirst(prefix.count))] {
                return activities[index].name
            }
        }
        return nil
    }

    /// HealthKit's number for a characteristic's value, such as 1 for `blood_type`, `a_positive`; nil when either is not
    /// known.
    package func characteristicValue(characteristic: some Collection<UInt8>, name: some Collection<UInt8>) -> Double? {
        characteristicsByName[Array(characteristic)].flatMap { index in
            characteristics[index].values.first { $0.isNamed(name) }.map { Double($0.raw) }
        }
    }

    // MARK: Units

    package func family(_ name: String) -> UnitFamily? { familiesByName[name].map { families[$0] } }

    /// From one unit to another of the same family; nil when no family has both.
    package func conversion(from unit: some Collection<UInt8>, to target: some Collection<UInt8>) -> UnitConversion? {
        for family in families {
            if let conversion = family.conversion(from: unit, to: target) { return conversion }
        }
        return nil
    }

    /// From a unit to that of a type; nil when the unit doesn't measure what the type does.
    package func conversion(from unit: some Collection<UInt8>, to type: CatalogType) -> UnitConversion? {
        guard let family = type.family.flatMap(family), let own = type.unit else { return nil }
        return family.conversion(from: unit, to: own.utf8)
    }

    /// As `conversion(from:to:)`, for a unit as Health Auto Export writes it: its `cal` is a kilocalorie.
    package func conversion(fromHealthAutoExport unit: some Collection<UInt8>, to type: CatalogType) -> UnitConversion?
    {
        let unit = Array(unit)
        return conversion(from: healthAutoExportUnits[unit] ?? unit, to: type)
    }
}
