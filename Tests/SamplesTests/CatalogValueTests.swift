import Samples
import Testing

struct CatalogValueTests {
    @Test(
        arguments: [
            ("sleep_analysis", "asleep_core", 3.0), ("sleep_analysis", "in_bed", 0), ("sleep_analysis", "asleep", 1),
            ("headache", "severe", 4), ("wheezing", "unspecified", 0), ("mindful_session", "not_applicable", 0),
            ("mindful_minutes", "not_applicable", 0), ("menstrual_flow", "none", 5), ("contraceptive", "patch", 7),
            ("ovulation_test_result", "positive", 2), ("apple_stand_hour", "idle", 1), ("headache", "asleep_core", nil),
            ("steps", "severe", nil), ("", "", nil), ("sleep_analysis", "", nil), ("SLEEP_ANALYSIS", "in_bed", nil),
        ] as [(String, String, Double?)])
    func category(type: String, name: String, raw: Double?) {
        #expect(Catalog.builtIn.categoryValue(type: type.utf8, name: name.utf8) == raw)
    }

    @Test(
        arguments: [
            ("blood_type", "a_positive", 1.0), ("blood_type", "o_negative", 8), ("biological_sex", "not_set", 0),
            ("fitzpatrick_skin_type", "type_vi", 6), ("wheelchair_use", "yes", 2),
            ("activity_move_mode", "active_energy", 1),
            ("date_of_birth", "1980-05-17", nil), ("handedness", "left", nil), ("blood_type", "yes", nil),
        ] as [(String, String, Double?)])
    func characteristic(characteristic: String, name: String, raw: Double?) {
        #expect(Catalog.builtIn.characteristicValue(characteristic: characteristic.utf8, name: name.utf8) == raw)
    }
}
