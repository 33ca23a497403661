/// Names of this format in English and in those translations that were met; compared folded (`HAEText.fold`).
enum HAEWords {
    /// HealthKit's name of a sleep stage; nil for a text that is not known.
    static func sleepStage(_ folded: [UInt8]) -> StaticString? {
        var word = String(decoding: folded, as: UTF8.self)
        if word.hasPrefix("hkcategoryvaluesleepanalysis") { word.removeFirst("hkcategoryvaluesleepanalysis".count) }
        return sleepStages[word]
    }

    private static let sleepStages: [String: StaticString] = table([
        ("in_bed", "in_bed inbed im_bett au_lit a_letto en_la_cama en_cama na_cama in_bett"),
        ("asleep_core", "core asleep_core asleepcore kern nucleo esencial essentiel"),
        ("asleep_deep", "deep asleep_deep asleepdeep tief profond profondo profundo"),
        ("asleep_rem", "rem asleep_rem asleeprem paradoxal"),
        ("asleep_unspecified", "asleep unspecified asleep_unspecified asleepunspecified dormido schlafend endormi"),
        ("awake", "awake wach eveille sveglio despierto desperto acordado"),
    ])

    /// A type of a symptom, or of the cycle, that English names have in another form than Syncky.
    static func typeAlias(_ folded: [UInt8]) -> StaticString? { typeAliases[String(decoding: folded, as: UTF8.self)] }

    private static let typeAliases: [String: StaticString] = table([
        ("menstrual_flow", "menstruation period flow flujo_menstrual"),
        ("intermenstrual_bleeding", "spotting"),
        ("cervical_mucus_quality", "cervical_mucus"),
        ("ovulation_test_result", "ovulation ovulation_test"),
        ("pregnancy_test_result", "pregnancy_test"),
        ("progesterone_test_result", "progesterone_test progesterone"),
        ("contraceptive", "contraception contraceptive_use"),
        ("basal_body_temperature", "basal_temperature"),
        ("abdominal_cramps", "cramps"),
        ("chest_tightness_or_pain", "chest_pain chest_tightness"),
        ("generalized_body_ache", "body_ache body_and_muscle_ache body_aches"),
        ("rapid_pounding_or_fluttering_heartbeat", "rapid_heartbeat rapid,_pounding_or_fluttering_heartbeat"),
        ("hot_flashes", "hot_flash"), ("coughing", "cough"), ("sinus_congestion", "congestion"),
        ("memory_lapse", "memory_lapses"), ("skipped_heartbeat", "skipped_heartbeats"), ("chills", "chill"),
    ])

    /// A value of the cycle in the form that HealthKit's names have here.
    static func valueAlias(_ folded: [UInt8]) -> StaticString? { valueAliases[String(decoding: folded, as: UTF8.self)] }

    private static let valueAliases: [String: StaticString] = table([
        ("light", "ligero"), ("medium", "medio"), ("heavy", "pesado"), ("luteinizing_hormone_surge", "lh_surge"),
        ("egg_white", "eggwhite"), ("intrauterine_device", "iud"),
    ])

    /// The type of a heart notification's name.
    static func heartEvent(_ folded: [UInt8]) -> StaticString? { heartEvents[String(decoding: folded, as: UTF8.self)] }

    private static let heartEvents: [String: StaticString] = table([
        ("low_heart_rate_event", "low_heart_rate_notification low_heart_rate low_heart_rate_event low"),
        ("high_heart_rate_event", "high_heart_rate_notification high_heart_rate high_heart_rate_event high"),
        (
            "irregular_heart_rhythm_event",
            "irregular_rhythm_notification irregular_heart_rate_notification irregular_heart_rhythm_event irregular_rhythm irregular"
        ),
    ])

    /// What became of a dose; "unknown" for a text that is not known, which is never counted as taken.
    static func doseStatus(_ folded: [UInt8]) -> StaticString {
        doseStatuses[String(decoding: folded, as: UTF8.self)] ?? "unknown"
    }

    private static let doseStatuses: [String: StaticString] = table([
        ("taken", "taken tomado genommen eingenommen pris preso"),
        ("skipped", "skipped omitido ubersprungen ignore saltato"),
        ("snoozed", "snoozed"),
        ("not_interacted", "not_interacted no_interactuado"),
        ("notification_not_sent", "notification_not_sent"),
        ("not_logged", "not_logged"),
        ("unspecified", "unspecified"),
    ])

    private static func table(_ entries: [(StaticString, String)]) -> [String: StaticString] {
        var table: [String: StaticString] = [:]
        for (name, words) in entries {
            table["\(name)"] = name
            for word in words.split(separator: " ") { table[String(word)] = name }
        }
        return table
    }
}
