/// A value's name and HealthKit's number for it.
package struct CatalogValue: Equatable, Sendable {
    package var name: String
    package var raw: Int
    /// Other names of the same value.
    package var aliases: [String]
    /// Whether the guide prints the name; else it is our reading.
    package var isFromGuide: Bool

    func isNamed(_ name: some Collection<UInt8>) -> Bool {
        self.name.utf8.elementsEqual(name) || aliases.contains { $0.utf8.elementsEqual(name) }
    }
}

/// A quantity or category type.
package struct CatalogType: Equatable, Sendable {
    package enum Kind: String, Sendable { case quantity, category }

    /// What several numbers of a stretch of time become.
    package enum Aggregation: String, Sendable {
        /// Added up.
        case cumulative
        /// Averaged, each as much as the others.
        case arithmetic = "discrete_arithmetic"
        /// Averaged by how long each holds.
        case temporallyWeighted = "discrete_temporally_weighted"
        /// Averaged as levels of sound are.
        case equivalentContinuousLevel = "discrete_equivalent_continuous_level"
    }

    /// Syncky's name, `^[a-z][a-z0-9_]{1,63}$`.
    package var name: String
    package var kind: Kind
    /// HealthKit's identifier.
    package var hk: String
    /// Of quantities: the unit that values are stored in when we convert them.
    package var unit: String?
    /// Of quantities: the family of `unit`.
    package var family: String?
    /// Of quantities.
    package var aggregation: Aggregation?
    /// Whether an app may write it; nil when that is not known.
    package var isWritable: Bool?
    /// In `unit`, inclusive; nil when nothing is known. Generous: what no sensor tells, not what no body does.
    package var minimum: Double?
    package var maximum: Double?
    /// Of categories.
    package var values: [CatalogValue]
    /// Names that Health Auto Export has for it, the usual one first.
    package var healthAutoExport: [String]
    package var aliases: [String]
    /// The first iOS that has it, such as `13.6`.
    package var since: String?
    /// Whether the guide prints the name; else it is our reading.
    package var isFromGuide: Bool

    /// A fraction from 0 to 1 in HealthKit and here, a hundred times that in Health Auto Export.
    package var isPercent: Bool { unit == "%" }

    /// HealthKit's number for one of its values; nil when it has none of that name.
    package func raw(of name: some Collection<UInt8>) -> Double? {
        values.first { $0.isNamed(name) }.map { Double($0.raw) }
    }
}

/// A sort of workout.
package struct CatalogActivity: Equatable, Sendable {
    package var name: String
    package var raw: Int
    /// HealthKit's constant.
    package var hk: String
    package var isDeprecated: Bool
    /// Names that Health Auto Export shows for it, folded.
    package var aliases: [String]
    /// Whether the guide prints the name; else it is our reading.
    package var isFromGuide: Bool
}

package struct CatalogCharacteristic: Equatable, Sendable {
    package var name: String
    package var hk: String
    package var values: [CatalogValue]
}

/// Why a catalog can't be used.
package struct CatalogFault: Error, Equatable, Sendable {
    /// `types.json` or `units.json`.
    package var file: String
    /// From 1; nil when unknown.
    package var line: Int?
    /// One sentence without a full stop.
    package var message: String

    /// `types.json:12: …`
    package var sentence: String { file + (line.map { ":\($0)" } ?? "") + ": " + message }
}
