import Wire

/// The member names that a rule of ours knows; the raw value is the name as it is written into `rest`.
enum HAEName: String, CaseIterable {
    // Points.
    case date, startDate, endDate, start, end, qty, value, source, units, unit, metadata
    case minimum = "Min"
    case average = "Avg"
    case maximum = "Max"
    case systolic, diastolic
    case counterUnspecified = "Unspecified"
    case counterProtected = "Protection Used"
    case counterUnprotected = "Protection Not Used"
    // Nights.
    case sleepStart, sleepEnd, totalSleep, asleep, core, deep, rem, inBed, inBedStart, inBedEnd, sleepSource
    // Metrics.
    case name, data
    // Workouts.
    case id, duration, activeEnergyBurned, activeEnergy, totalEnergy, distance
    case heartRateData, heartRateRecovery, avgHeartRate, maxHeartRate, heartRate
    // The other sections.
    case kind, valence, severity, menstrualFlow, cervicalMucusQuality, ovulationTestResult, heartNotification, threshold
    case hr, displayText, scheduledDate, status
    // What a column or a member of ours stands for: never the sender's own in `rest`.
    case uuid, type, part, activity
    case durationSeconds = "duration_s"
    case grain
    case zoneAssumed = "zone_assumed"
    case unconverted
    case unitsSuspect = "units_suspect"
    case energyKcal = "energy_kcal"
    case distanceMetres = "distance_m"
    case recoveryMisfiled = "recovery_misfiled"
    case statusCode = "status_code"
    case valenceClassification = "valence_classification"
    /// Any other, and one that means the same as another of its object.
    case other

    /// Whether `rest` has the name with a meaning of its own, so that the sender's member of that name is renamed there.
    var isReserved: Bool {
        switch self {
        case .uuid, .type, .value, .unit, .start, .end, .source, .part, .activity, .durationSeconds, .grain,
            .zoneAssumed,
            .unconverted, .unitsSuspect, .energyKcal, .distanceMetres, .recoveryMisfiled, .statusCode,
            .valenceClassification:
            true
        default: false
        }
    }

    /// The known spellings of each length in bytes.
    private static let byLength: [[(spelling: [UInt8], name: HAEName)]] = {
        var table = [[(spelling: [UInt8], name: HAEName)]](repeating: [], count: 32)
        for name in allCases where name != .other {
            var spellings = [name.rawValue]
            // The statistics come in any case.
            if [.minimum, .average, .maximum].contains(name) {
                spellings += [name.rawValue.lowercased(), name.rawValue.uppercased()]
            }
            for spelling in spellings { table[spelling.utf8.count].append((Array(spelling.utf8), name)) }
        }
        return table
    }()

    /// Those of at most eight bytes, as `Span.partialWord` has them, in the order of `byLength`: what almost all names of
    /// points are. And where each length begins in it; one more for the end.
    private static let short: (names: [(spelling: UInt64, name: HAEName)], starts: [Int]) = (
        byLength[...8].flatMap { $0.map { ($0.spelling.span.partialWord(at: 0), $0.name) } },
        byLength[...8].reduce(into: [0]) { $0.append($0[$0.count - 1] + $1.count) }
    )

    /// The name that has these bytes.
    init(_ bytes: Span<UInt8>) {
        self = .other
        if bytes.count <= 8 {
            let spelling = bytes.partialWord(at: 0), short = Self.short
            for index in short.starts[bytes.count]..<short.starts[bytes.count + 1]
            where short.names[index].spelling == spelling {
                self = short.names[index].name
                return
            }
            return
        }
        guard bytes.count < Self.byLength.count else { return }
        for entry in Self.byLength[bytes.count] where entry.spelling.span.equals(bytes) {
            self = entry.name
            return
        }
    }
}
