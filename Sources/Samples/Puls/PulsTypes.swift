/// HealthKit's identifiers, as PulsHealth sends them, and the names that samples of that sender are stored under.
///
/// A type of the catalog has Syncky's name, any other keeps its own spelling; one that could be taken for a name of ours has
/// `puls:` in front. So no two identifiers have one name, and each name leads back.
extension Catalog {
    /// The name that samples of an identifier are stored under.
    package func pulsType(ofIdentifier identifier: some Collection<UInt8>) -> [UInt8] {
        if let known = knownPulsType(identifier) { return Array(known.utf8) }
        let own = Array(identifier)
        return isPulsName(own) || own.starts(with: PulsTypes.prefix) ? PulsTypes.prefix + own : own
    }

    /// All names that samples of an identifier may be stored under: the one of now first, then its own spelling, which
    /// it had while the catalog didn't know it. To be asked for by every query.
    package func pulsTypes(ofIdentifier identifier: some Collection<UInt8>) -> [[UInt8]] {
        let name = pulsType(ofIdentifier: identifier)
        return name.starts(with: PulsTypes.prefix) || name.elementsEqual(identifier)
            ? [name] : [name, Array(identifier)]
    }

    /// The identifier whose samples are stored under a name, for answers to the app.
    package func pulsIdentifier(ofType name: some Collection<UInt8>) -> [UInt8] {
        if name.starts(with: PulsTypes.prefix) { return Array(name.dropFirst(PulsTypes.prefix.count)) }
        if let kind = PulsTypes.kinds.first(where: { $0.name.utf8.elementsEqual(name) }) { return Array(kind.hk.utf8) }
        if let type = type(named: name), type.name.utf8.elementsEqual(name) { return Array(type.hk.utf8) }
        return Array(name)
    }

    private func knownPulsType(_ identifier: some Collection<UInt8>) -> String? {
        if let kind = PulsTypes.kinds.first(where: { $0.hk.utf8.elementsEqual(identifier) }) { return kind.name }
        return type(healthKit: identifier)?.name
    }

    /// Whether samples of another identifier, or rows of ours, have the name.
    private func isPulsName(_ name: [UInt8]) -> Bool {
        PulsTypes.kinds.contains { $0.name.utf8.elementsEqual(name) } || PulsTypes.profile.utf8.elementsEqual(name)
            || type(named: name)?.name.utf8.elementsEqual(name) == true
    }
}

enum PulsTypes {
    static let prefix = Array("puls:".utf8)
    /// The type of the row that holds the person's profile.
    static let profile = "profile"
    /// Of the rows that hold rings.
    static let activitySummary = "activity_summary"

    /// Those that are no quantity and no category. Source: specs, section 5.8, and `kinds` of `schemas/types.json`; the last
    /// two have the names that they have in the Health Auto Export format.
    static let kinds: [(hk: String, name: String)] = [
        ("HKWorkoutTypeIdentifier", "workout"),
        ("HKActivitySummaryTypeIdentifier", activitySummary),
        ("HKDataTypeIdentifierHeartbeatSeries", "heartbeat_series"),
        ("HKDataTypeIdentifierStateOfMind", "state_of_mind"),
        ("HKDataTypeIdentifierAudiogram", "audiogram"),
        ("HKScoredAssessmentTypeIdentifierGAD7", "gad7_assessment"),
        ("HKScoredAssessmentTypeIdentifierPHQ9", "phq9_assessment"),
        ("HKWorkoutRouteTypeIdentifier", "workout_route"),
        ("HKDataTypeIdentifierElectrocardiogram", "electrocardiogram"),
        ("HKMedicationDoseEventTypeIdentifierMedicationDoseEvent", "medication_dose_event"),
    ]

    /// Puls' names of workouts that Syncky has others for; those that it has the same for are in the catalog.
    static let activities: [(puls: String, name: String)] = [
        ("hiit", "high_intensity_interval_training"),
        ("skating", "skating_sports"),
        ("strength_training", "traditional_strength_training"),
        ("surfing", "surfing_sports"),
    ]
}
