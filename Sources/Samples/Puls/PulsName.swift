import Wire

/// The member names that a rule of ours knows, spelled as the sender does.
///
/// Source: specs, sections 3.3 to 5.7.
enum PulsName: String, Sendable {
    // Header.
    case schemaVersion, clientVersion, timeZoneID, batchID, deviceID, type, reason, exportedAt, sampleCount
    case deletionCount, routeCount, seriesCount, aggregateCount, activitySummaryCount, profileCount
    // Wrappers.
    case deleted, route, series, aggregate, activitySummary, profile
    // Samples.
    case uuid, kind, start, end, startContext, endContext, value, unit, category, sourceName, sourceBundleID
    case sourceVersion, device, metadata, workout, heartbeats, ecg, stateOfMind, medicationDose
    // Members of ours in `rest` and in the view's body, which the sender's own must not be taken for.
    case source, part, activity
    case durationSeconds = "duration_s"
    case energyKcal = "energy_kcal"
    case distanceMetres = "distance_m"
    // Contexts.
    case utcOffsetSeconds, confidence, tzdbVersion
    // Workouts.
    case activityType, duration, totalEnergyKcal, totalDistanceMeters, statistics, statisticsDetail, events
    case activities, min, avg, max, sum
    // Electrocardiograms, states of mind, doses.
    case classification, averageHeartRateBpm, samplingFrequencyHz, symptomsStatus, voltagesUV, valence
    case valenceClassification, labels, associations, medication, status, scheduledAt, scheduledAtContext
    case doseQuantity, doseUnit
    // Points.
    case workoutUUID, points, t, lat, lon, alt, hAcc, vAcc, speed, course, temporalContext
    // Aggregates.
    case `func`, intervalValue, intervalUnit, deviceFilter, bucketStart, bucketEnd, bucketStartContext
    case bucketEndContext
    // Rings and the profile.
    case date, localDate, moveKcal, moveGoalKcal, exerciseMin, exerciseGoalMin, standHours, standGoalHours
    case moveTimeMin, moveTimeGoalMin, moveMode, name, email, dateOfBirth, biologicalSex
    /// Any other.
    case other

    /// The name that has these bytes: told by its length and its words of eight bytes, the first letter lowest.
    init(_ name: Span<UInt8>) {
        let word = name.partialWord(at: 0)
        let found: PulsName =
            switch name.count {
            case 1:
                switch word {
                case 0x74: .t
                default: .other
                }
            case 3:
                switch word {
                case 0x64_6E65: .end
                case 0x67_6365: .ecg
                case 0x6E_696D: .min
                case 0x67_7661: .avg
                case 0x78_616D: .max
                case 0x6D_7573: .sum
                case 0x74_616C: .lat
                case 0x6E_6F6C: .lon
                case 0x74_6C61: .alt
                default: .other
                }
            case 4:
                switch word {
                case 0x6570_7974: .type
                case 0x6469_7575: .uuid
                case 0x646E_696B: .kind
                case 0x7469_6E75: .unit
                case 0x7472_6170: .part
                case 0x6363_4168: .hAcc
                case 0x6363_4176: .vAcc
                case 0x636E_7566: .`func`
                case 0x6574_6164: .date
                case 0x656D_616E: .name
                default: .other
                }
            case 5:
                switch word {
                case 0x65_7475_6F72: .route
                case 0x74_7261_7473: .start
                case 0x65_756C_6176: .value
                case 0x64_6565_7073: .speed
                case 0x6C_6961_6D65: .email
                default: .other
                }
            case 6:
                switch word {
                case 0x6E6F_7361_6572: .reason
                case 0x7365_6972_6573: .series
                case 0x6563_6976_6564: .device
                case 0x6563_7275_6F73: .source
                case 0x7374_6E65_7665: .events
                case 0x736C_6562_616C: .labels
                case 0x7375_7461_7473: .status
                case 0x7374_6E69_6F70: .points
                case 0x6573_7275_6F63: .course
                default: .other
                }
            case 7:
                switch word {
                case 0x44_4968_6374_6162: .batchID
                case 0x64_6574_656C_6564: .deleted
                case 0x65_6C69_666F_7270: .profile
                case 0x74_756F_6B72_6F77: .workout
                case 0x65_636E_656C_6176: .valence
                default: .other
                }
            case 8:
                switch word {
                case 0x4449_6563_6976_6564: .deviceID
                case 0x7972_6F67_6574_6163: .category
                case 0x6174_6164_6174_656D: .metadata
                case 0x7974_6976_6974_6361: .activity
                case 0x6E6F_6974_6172_7564: .duration
                case 0x7469_6E55_6573_6F64: .doseUnit
                case 0x6C61_634B_6576_6F6D: .moveKcal
                case 0x6564_6F4D_6576_6F6D: .moveMode
                default: .other
                }
            case 9:
                switch word {
                case 0x7461_6765_7267_6761: .aggregate
                case 0x6E45_7465_6B63_7562: .bucketEnd
                case 0x7461_446C_6163_6F6C: .localDate
                default: .other
                }
            case 10:
                switch word {
                case 0x656E_6F5A_656D_6974: .timeZoneID
                case 0x6465_7472_6F70_7865: .exportedAt
                case 0x756F_4365_7475_6F72: .routeCount
                case 0x6574_6E6F_4364_6E65: .endContext
                case 0x614E_6563_7275_6F73: .sourceName
                case 0x6165_6274_7261_6568: .heartbeats
                case 0x6E6F_6974_6172_7564: .durationSeconds
                case 0x6563_6E61_7473_6964: .distanceMetres
                case 0x6E65_6469_666E_6F63: .confidence
                case 0x6974_7369_7461_7473: .statistics
                case 0x6974_6976_6974_6361: .activities
                case 0x7365_6761_746C_6F76: .voltagesUV
                case 0x6974_6163_6964_656D: .medication
                case 0x756F_4864_6E61_7473: .standHours
                default: .other
                }
            case 11:
                switch word {
                case 0x6F43_656C_706D_6173: .sampleCount
                case 0x6F43_7365_6972_6573: .seriesCount
                case 0x4D66_4F65_7461_7473: .stateOfMind
                case 0x6B5F_7967_7265_6E65: .energyKcal
                case 0x7372_6556_6264_7A74: .tzdbVersion
                case 0x656C_7564_6568_6373: .scheduledAt
                case 0x5574_756F_6B72_6F77: .workoutUUID
                case 0x7453_7465_6B63_7562: .bucketStart
                case 0x6573_6963_7265_7865: .exerciseMin
                case 0x656D_6954_6576_6F6D: .moveTimeMin
                case 0x6942_664F_6574_6164: .dateOfBirth
                default: .other
                }
            case 12:
                switch word {
                case 0x4365_6C69_666F_7270: .profileCount
                case 0x6E6F_4374_7261_7473: .startContext
                case 0x7974_6976_6974_6361: .activityType
                case 0x7461_6963_6F73_7361: .associations
                case 0x6E61_7551_6573_6F64: .doseQuantity
                case 0x6C61_7672_6574_6E69: .intervalUnit
                case 0x6946_6563_6976_6564: .deviceFilter
                case 0x6C61_6F47_6576_6F6D: .moveGoalKcal
                default: .other
                }
            case 13:
                switch word {
                case 0x6556_616D_6568_6373: .schemaVersion
                case 0x6556_746E_6569_6C63: .clientVersion
                case 0x6E6F_6974_656C_6564: .deletionCount
                case 0x6556_6563_7275_6F73: .sourceVersion
                case 0x6C61_7672_6574_6E69: .intervalValue
                case 0x6369_676F_6C6F_6962: .biologicalSex
                default: .other
                }
            case 14:
                switch word {
                case 0x7461_6765_7267_6761: .aggregateCount
                case 0x7542_6563_7275_6F73: .sourceBundleID
                case 0x6974_6163_6964_656D: .medicationDose
                case 0x6966_6973_7361_6C63: .classification
                case 0x736D_6F74_706D_7973: .symptomsStatus
                case 0x616F_4764_6E61_7473: .standGoalHours
                default: .other
                }
            case 15:
                switch word {
                case 0x7974_6976_6974_6361: .activitySummary
                case 0x656E_456C_6174_6F74: .totalEnergyKcal
                case 0x6C61_726F_706D_6574: .temporalContext
                case 0x6573_6963_7265_7865: .exerciseGoalMin
                case 0x656D_6954_6576_6F6D: .moveTimeGoalMin
                default: .other
                }
            case 16:
                switch word {
                case 0x6573_6666_4F63_7475: .utcOffsetSeconds
                case 0x6974_7369_7461_7473: .statisticsDetail
                case 0x6E45_7465_6B63_7562: .bucketEndContext
                default: .other
                }
            case 18:
                switch word {
                case 0x656C_7564_6568_6373: .scheduledAtContext
                case 0x7453_7465_6B63_7562: .bucketStartContext
                default: .other
                }
            case 19:
                switch word {
                case 0x7369_446C_6174_6F74: .totalDistanceMeters
                case 0x4865_6761_7265_7661: .averageHeartRateBpm
                case 0x676E_696C_706D_6173: .samplingFrequencyHz
                default: .other
                }
            case 20:
                switch word {
                case 0x7974_6976_6974_6361: .activitySummaryCount
                default: .other
                }
            case 21:
                switch word {
                case 0x4365_636E_656C_6176: .valenceClassification
                default: .other
                }
            default: .other
            }
        // The words behind the first, where the name has any.
        self = name.count <= 8 || found.isTail(of: name) ? found : .other
    }

    private func isTail(of name: Span<UInt8>) -> Bool {
        let (second, third): (UInt64, UInt64) =
            switch self {
            case .schemaVersion: (0x6E_6F69_7372, 0)
            case .clientVersion: (0x6E_6F69_7372, 0)
            case .timeZoneID: (0x4449, 0)
            case .exportedAt: (0x7441, 0)
            case .sampleCount: (0x74_6E75, 0)
            case .deletionCount: (0x74_6E75_6F43, 0)
            case .routeCount: (0x746E, 0)
            case .seriesCount: (0x74_6E75, 0)
            case .aggregateCount: (0x746E_756F_4365, 0)
            case .activitySummaryCount: (0x4379_7261_6D6D_7553, 0x746E_756F)
            case .profileCount: (0x746E_756F, 0)
            case .aggregate: (0x65, 0)
            case .activitySummary: (0x79_7261_6D6D_7553, 0)
            case .startContext: (0x7478_6574, 0)
            case .endContext: (0x7478, 0)
            case .sourceName: (0x656D, 0)
            case .sourceBundleID: (0x4449_656C_646E, 0)
            case .sourceVersion: (0x6E_6F69_7372, 0)
            case .heartbeats: (0x7374, 0)
            case .stateOfMind: (0x64_6E69, 0)
            case .medicationDose: (0x6573_6F44_6E6F, 0)
            case .durationSeconds: (0x735F, 0)
            case .energyKcal: (0x6C_6163, 0)
            case .distanceMetres: (0x6D5F, 0)
            case .utcOffsetSeconds: (0x7364_6E6F_6365_5374, 0)
            case .confidence: (0x6563, 0)
            case .tzdbVersion: (0x6E_6F69, 0)
            case .activityType: (0x6570_7954, 0)
            case .totalEnergyKcal: (0x6C_6163_4B79_6772, 0)
            case .totalDistanceMeters: (0x7465_4D65_636E_6174, 0x73_7265)
            case .statistics: (0x7363, 0)
            case .statisticsDetail: (0x6C69_6174_6544_7363, 0)
            case .activities: (0x7365, 0)
            case .classification: (0x6E6F_6974_6163, 0)
            case .averageHeartRateBpm: (0x6574_6152_7472_6165, 0x6D_7042)
            case .samplingFrequencyHz: (0x636E_6575_7165_7246, 0x7A_4879)
            case .symptomsStatus: (0x7375_7461_7453, 0)
            case .voltagesUV: (0x5655, 0)
            case .valenceClassification: (0x6369_6669_7373_616C, 0x6E_6F69_7461)
            case .associations: (0x736E_6F69, 0)
            case .medication: (0x6E6F, 0)
            case .scheduledAt: (0x74_4164, 0)
            case .scheduledAtContext: (0x6574_6E6F_4374_4164, 0x7478)
            case .doseQuantity: (0x7974_6974, 0)
            case .workoutUUID: (0x44_4955, 0)
            case .temporalContext: (0x74_7865_746E_6F43, 0)
            case .intervalValue: (0x65_756C_6156, 0)
            case .intervalUnit: (0x7469_6E55, 0)
            case .deviceFilter: (0x7265_746C, 0)
            case .bucketStart: (0x74_7261, 0)
            case .bucketEnd: (0x64, 0)
            case .bucketStartContext: (0x6574_6E6F_4374_7261, 0x7478)
            case .bucketEndContext: (0x7478_6574_6E6F_4364, 0)
            case .localDate: (0x65, 0)
            case .moveGoalKcal: (0x6C61_634B, 0)
            case .exerciseMin: (0x6E_694D, 0)
            case .exerciseGoalMin: (0x6E_694D_6C61_6F47, 0)
            case .standHours: (0x7372, 0)
            case .standGoalHours: (0x7372_756F_486C, 0)
            case .moveTimeMin: (0x6E_694D, 0)
            case .moveTimeGoalMin: (0x6E_694D_6C61_6F47, 0)
            case .dateOfBirth: (0x68_7472, 0)
            case .biologicalSex: (0x78_6553_6C61, 0)
            default: (0, 0)
            }
        return name.partialWord(at: 8) == second && name.partialWord(at: 16) == third
    }

    /// Whether a column or a member of ours has the name, so that the sender's of that name is renamed in `rest`.
    var isReserved: Bool {
        switch self {
        case .uuid, .type, .value, .unit, .start, .end, .source, .part, .activity, .durationSeconds, .energyKcal,
            .distanceMetres:
            true
        default: false
        }
    }
}
