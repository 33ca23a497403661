import Foundation
import Samples
import TestSupport
import Testing

@Suite struct PulsTypesTests {
    let catalog = Catalog.builtIn

    private func type(_ identifier: String) -> String {
        String(decoding: catalog.pulsType(ofIdentifier: identifier.utf8), as: UTF8.self)
    }

    private func identifier(_ type: String) -> String {
        String(decoding: catalog.pulsIdentifier(ofType: type.utf8), as: UTF8.self)
    }

    @Test func noTwoIdentifiersHaveOneNameAndEachLeadsBack() {
        let kinds = [
            "HKWorkoutTypeIdentifier", "HKActivitySummaryTypeIdentifier", "HKDataTypeIdentifierHeartbeatSeries",
            "HKDataTypeIdentifierStateOfMind", "HKDataTypeIdentifierElectrocardiogram",
            "HKMedicationDoseEventTypeIdentifierMedicationDoseEvent", "HKWorkoutRouteTypeIdentifier",
            "HKDataTypeIdentifierAudiogram",
        ]
        let known = catalog.types.map(\.hk) + kinds
        let names = known.map(type)
        // What a sender could make of our names, too.
        let own = names + ["profile", "puls:x", "puls:", "", "unknown", "HKNew", "puls:heart_rate", "puls:puls:x"]
        let all = known + own
        #expect(Set(all.map(type)).count == Set(all).count)
        for one in all { #expect(identifier(type(one)) == one) }
        #expect(!all.map(type).contains("profile"))
    }

    @Test func namesAreThoseOfSyncky() {
        let pairs = [
            "HKQuantityTypeIdentifierHeartRate": "heart_rate",
            "HKCategoryTypeIdentifierSleepAnalysis": "sleep_analysis",
            "HKWorkoutTypeIdentifier": "workout", "HKDataTypeIdentifierHeartbeatSeries": "heartbeat_series",
            "HKDataTypeIdentifierElectrocardiogram": "electrocardiogram",
            "HKDataTypeIdentifierStateOfMind": "state_of_mind",
            "HKMedicationDoseEventTypeIdentifierMedicationDoseEvent": "medication_dose_event",
            "HKActivitySummaryTypeIdentifier": "activity_summary",
        ]
        for (identifier, name) in pairs { #expect(type(identifier) == name) }
        #expect(type("HKQuantityTypeIdentifierNotInventedYet") == "HKQuantityTypeIdentifierNotInventedYet")
    }

    @Test func aQueryAsksForTheSpellingOfBeforeTheCatalogKnewTheTypeToo() {
        func names(_ identifier: String) -> [String] {
            catalog.pulsTypes(ofIdentifier: identifier.utf8).map { String(decoding: $0, as: UTF8.self) }
        }
        #expect(
            names("HKQuantityTypeIdentifierHeartRate") == ["heart_rate", "HKQuantityTypeIdentifierHeartRate"])
        #expect(names("HKNew") == ["HKNew"])
        #expect(names("heart_rate") == ["puls:heart_rate"])
        #expect(identifier("HKQuantityTypeIdentifierHeartRate") == "HKQuantityTypeIdentifierHeartRate")
    }

    /// Source: the app's own catalog, where it lies beside the checkout.
    @Test(.enabled(if: PulsFixture.exists))
    func everyTypeOfTheAppIsKnown() throws {
        struct File: Decodable {
            struct Entry: Decodable {
                var identifier: String
                var unit: String?
            }
            var types: [Entry]
        }
        let file = try JSONDecoder().decode(File.self, from: Data(contentsOf: PulsFixture.url("catalog.json")))
        #expect(file.types.count >= 80)
        #expect(Set(file.types.map { type($0.identifier) }).count == file.types.count)
        for entry in file.types {
            #expect(type(entry.identifier) != entry.identifier, "\(entry.identifier) is unknown")
            guard let unit = entry.unit, let known = catalog.type(healthKit: entry.identifier.utf8) else { continue }
            #expect(unit == known.unit || catalog.conversion(from: unit.utf8, to: known) != nil, "\(unit)")
        }
    }
}
