package final class Catalog: Sendable {
    package static let builtIn = Catalog()
    func type(named name: some Collection<UInt8>) -> CatalogType? {
        CatalogType.all[String(decoding: name, as: UTF8.self)]
    }
    func type(healthAutoExport name: some Collection<UInt8>) -> CatalogType? {
        let n = String(decoding: name, as: UTF8.self)
        return CatalogType.all[
            [
                "step_count": "steps", "active_energy": "active_energy_burned",
                "blood_oxygen_saturation": "oxygen_saturation", "protein": "dietary_protein",
            ][n] ?? n]
    }
    func categoryValue(type: some Collection<UInt8>, name: some Collection<UInt8>) -> Double? {
        HealthCatalog.categoryValue(type: type, name: name)
    }
    func activity(healthAutoExport name: some Collection<UInt8>) -> String? {
        ["running": "running"][String(decoding: name, as: UTF8.self)]
    }
    func conversion(from unit: some Collection<UInt8>, family: String?) -> UnitConversion? {
        let u = String(decoding: unit, as: UTF8.self)
        return [
            "kJ": UnitConversion(f: 1 / 4.184), "hr": UnitConversion(f: 60), "mi": UnitConversion(f: 1609.344),
            "bpm": UnitConversion(f: 1),
        ][u]
    }
}
struct UnitConversion { var f: Double; func apply(_ d: Double) -> Double { d * f } }
struct CatalogType: Sendable {
    enum Kind { case quantity, category }
    enum Aggregation { case cumulative, discrete }
    var name: String, kind = Kind.quantity, unit: String?, family: String? = nil, aggregation = Aggregation.cumulative,
        isPercent = false
    static let all: [String: CatalogType] = [
        "steps": .init(name: "steps", unit: "count"),
        "active_energy_burned": .init(name: "active_energy_burned", unit: "kcal"),
        "apple_exercise_time": .init(name: "apple_exercise_time", unit: "min"),
        "distance_walking_running": .init(name: "distance_walking_running", unit: "m"),
        "heart_rate": .init(name: "heart_rate", unit: "count/min", aggregation: .discrete),
        "oxygen_saturation": .init(name: "oxygen_saturation", unit: "%", aggregation: .discrete, isPercent: true),
        "sleep_analysis": .init(name: "sleep_analysis", kind: .category, unit: nil),
        "headache": .init(name: "headache", kind: .category, unit: nil),
        "dietary_protein": .init(name: "dietary_protein", unit: "g"),
    ]
}
extension DecodeContext { var catalog: Catalog { .builtIn } }
