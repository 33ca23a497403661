/// What this format asks of the catalog beside its names.
extension Catalog {
    /// Of a duration; nil when the unit is none of time.
    func minutes(_ number: Double, unit: [UInt8]) -> Double? { convert(number, unit, like: "apple_exercise_time") }

    func kilocalories(_ number: Double, unit: [UInt8]) -> Double? {
        convert(number, unit, like: "active_energy_burned")
    }

    func metres(_ number: Double, unit: [UInt8]) -> Double? { convert(number, unit, like: "distance_walking_running") }

    /// To the unit of a type; nil when the unit is none of its family, or the number is not finite.
    private func convert(_ number: Double, _ unit: [UInt8], like type: StaticString) -> Double? {
        guard let type = self.type(named: Array("\(type)".utf8)),
            let value = conversion(fromHealthAutoExport: unit, to: type)?(number)
        else { return nil }
        return value.isFinite ? value : nil
    }

    /// From a metric's unit to the one that numbers of the type are stored in here.
    func healthAutoExportConversion(from unit: [UInt8], to type: CatalogType) -> UnitConversion? {
        guard type.kind == .category else { return conversion(fromHealthAutoExport: unit, to: type) }
        return conversion(from: unit, to: Array(type.healthAutoExportUnit?.utf8 ?? "".utf8))
    }
}

extension CatalogType {
    /// The unit that numbers of the type are stored in. This format counts categories, or tells how long they last.
    var healthAutoExportUnit: String? {
        guard kind == .category else { return unit }
        return switch name {
        case "mindful_session", "sleep_analysis": "min"
        case "handwashing_event", "toothbrushing_event": "s"
        default: "count"
        }
    }
}
