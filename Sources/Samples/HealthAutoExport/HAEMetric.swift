import Wire

/// What is known of the metric whose points are read.
struct HAEMetric {
    /// The type of its records.
    var type: [UInt8]
    /// nil when the catalog doesn't know the name.
    var known: CatalogType?
    /// The metric's `units`, as they came; empty when there are none.
    var units: [UInt8] = []
    var grain = Grain.raw
    /// The name has no numbers of its own, but nights and stages.
    var isSleep: Bool { type.elementsEqual("sleep_analysis".utf8) }
    /// What the metric's own `units` do to its numbers; a point may have units of its own.
    private(set) var measure = HAEMeasure(unit: nil, isKnown: false, scale: .none)

    private let catalog: Catalog

    init(type: [UInt8], known: CatalogType?, units: [UInt8], in catalog: Catalog) {
        self.type = type
        self.known = known
        self.units = units
        self.catalog = catalog
        measure = HAEMeasure(units: units, type: known, in: catalog)
    }

    /// How the store merges what stands in a slot of this metric.
    var merge: MergeRule {
        guard let known else { return .slot }
        // How often, or how long: sums as well.
        if known.kind == .category { return .slotSum }
        return switch known.aggregation {
        case .cumulative: .slotSum
        case .some: .slotMean
        case nil: .slot
        }
    }

    /// What the units of a point do.
    func measure(_ pointUnits: [UInt8]?) -> HAEMeasure {
        guard let pointUnits, pointUnits != units else { return measure }
        return HAEMeasure(units: pointUnits, type: known, in: catalog)
    }
}

/// From a number and its unit as sent to those that are stored.
struct HAEMeasure {
    enum Scale {
        case none
        /// Percent are sent times 100. The flag: a number up to 1 is a fraction already, which some senders write for the
        /// saturation of blood, where that can't be a percentage.
        case percent(canBeFraction: Bool)
        case conversion(UnitConversion)
    }

    /// The stored unit; nil when none is known.
    var unit: [UInt8]?
    /// Whether numbers get to the type's own unit, or the type has none that we know.
    var isKnown: Bool
    var scale: Scale

    init(unit: [UInt8]?, isKnown: Bool, scale: Scale) {
        self.unit = unit
        self.isKnown = isKnown
        self.scale = scale
    }

    init(units: [UInt8], type: CatalogType?, in catalog: Catalog) {
        let isPercent = units.elementsEqual("%".utf8)
        guard let type, let canonical = type.healthAutoExportUnit else {
            // A metric that nobody knows: percent are times 100 in all of this format.
            self.init(
                unit: units.isEmpty ? nil : units, isKnown: true,
                scale: isPercent ? .percent(canBeFraction: false) : .none)
            return
        }
        let own = Array(canonical.utf8)
        if isPercent && type.isPercent {
            self.init(unit: own, isKnown: true, scale: .percent(canBeFraction: type.name == "oxygen_saturation"))
        } else if units == own || units.isEmpty && canonical == "count" {
            self.init(unit: own, isKnown: true, scale: .none)
        } else if !units.isEmpty, let conversion = catalog.healthAutoExportConversion(from: units, to: type) {
            self.init(unit: own, isKnown: true, scale: .conversion(conversion))
        } else {
            self.init(unit: units.isEmpty ? nil : units, isKnown: false, scale: .none)
        }
    }

    /// Whether every number is stored as it was sent.
    var keepsNumbers: Bool { if case .none = scale { true } else { false } }

    /// The stored number; nil when it is not finite.
    func value(_ number: Double) -> Double? {
        let value: Double =
            switch scale {
            case .none: number
            case .percent(let canBeFraction): canBeFraction && 0...1 ~= number ? number : number / 100
            case .conversion(let conversion): conversion(number)
            }
        return value.isFinite ? value : nil
    }
}
