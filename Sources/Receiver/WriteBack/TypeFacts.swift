package import Samples

/// What the catalog says of a type that is to be written: our reading of Apple Health, which the app may know better.
package struct TypeFacts: Sendable {
    package enum Kind: Sendable {
        case quantity
        case category
        /// A workout, a characteristic and their like, which no command can write.
        case other
    }

    package var kind: Kind
    /// Whether Apple Health takes it from an app; what isn't known counts as so.
    package var isWritable = true
    /// What a quantity is given in without a unit.
    package var unit: String?
    /// What a quantity may be, in `unit`, inclusive; nil when nothing is known.
    package var minimum: Double?
    package var maximum: Double?
    /// A value of the given unit in `unit`; nil when Apple Health doesn't know the unit, or it doesn't measure the same.
    package var converted: @Sendable (_ value: Double, _ unit: String) -> Double? = { _, _ in nil }
    /// The units of its family, as Apple Health spells them.
    package var units: [String] = []
    /// Of a category, with HealthKit's numbers.
    package var values: [CatalogValue] = []

    package init(kind: Kind) { self.kind = kind }

    /// nil when the catalog has no type of exactly this name.
    package init?(_ name: String, in catalog: Catalog) {
        guard let type = catalog.type(named: name.utf8), type.name == name else {
            let isOther =
                SampleKind.allCases.contains { $0.name == name }
                || catalog.characteristics.contains { $0.name == name }
            guard isOther else { return nil }
            self.init(kind: .other)
            return
        }
        self.init(kind: type.kind == .quantity ? .quantity : .category)
        isWritable = type.isWritable ?? true
        (unit, minimum, maximum, values) = (type.unit, type.minimum, type.maximum, type.values)
        let units = type.family.flatMap(catalog.family)?.units.filter { !$0.isAlternate }.map(\.name) ?? []
        self.units = units
        converted = { value, unit in
            guard units.contains(unit) else { return nil }
            return catalog.conversion(from: unit.utf8, to: type)?(value)
        }
    }
}
