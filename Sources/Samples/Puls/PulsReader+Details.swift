import Wire

/// Members of ours that a workout's record has beside the sender's: where their numbers stand in the body.
struct PulsExtraMembers {
    var members: [(name: StaticString, number: Range<Int>)] = []
}

/// The objects that belong to one kind each. All of them stay in `rest` as they were written; here they are only checked.
extension PulsReader {
    /// Goes to the detail object of the kind.
    private mutating func goToDetail(_ name: PulsName) throws(JSONFault) {
        guard let range = draft.value(of: name) else { throw missing(name) }
        json.restart(at: range.lowerBound)
    }

    mutating func checkDetail(of kind: PulsKind) throws(JSONFault) {
        guard let name = kind.detail else { return }
        try goToDetail(name)
        switch kind {
        case .quantity, .category, .workout: break
        case .heartbeatSeries: try checkHeartbeats()
        case .ecg: try checkElectrocardiogram()
        case .stateOfMind: try checkStateOfMind()
        case .medicationDose: try checkDose()
        }
    }

    /// Opens the object at hand; false for null.
    private mutating func enterObject(_ name: PulsName) throws(JSONFault) -> Bool {
        guard try !isNull() else { return false }
        guard try json.kind() == .object else { throw invalid(name, "is no object", at: json.position) }
        try json.enterObject()
        return true
    }

    /// Opens the array at hand; false for null.
    private mutating func enterArray(_ name: PulsName) throws(JSONFault) -> Bool {
        guard try !isNull() else { return false }
        guard try json.kind() == .array else { throw invalid(name, "is no array", at: json.position) }
        try json.enterArray()
        return true
    }

    private mutating func nextName() throws(JSONFault) -> PulsName? {
        guard let name = try json.nextMember() else { return nil }
        return json.withBytes(of: name) { PulsName($0) }
    }

    // MARK: Workouts

    /// Checks the workout and fills in its columns.
    mutating func takeWorkout(_ record: inout SampleRecord, type: Int) throws(JSONFault) -> PulsExtraMembers {
        try goToDetail(.workout)
        guard try enterObject(.workout) else { throw missing(.workout) }
        var activity: JSONText?
        var energy: JSONNumber?, distance: JSONNumber?
        while let name = try nextName() {
            switch name {
            case .activityType: activity = try readText(name)
            case .duration: record.value = try readNumber(name)?.value
            case .totalEnergyKcal: energy = try readNumber(name)
            case .totalDistanceMeters: distance = try readNumber(name)
            case .statistics: try checkNumbers(name)
            case .statisticsDetail: try checkStatistics(name)
            case .events: try checkParts(name)
            case .activities: try checkParts(name)
            default: _ = try json.skip()
            }
        }
        record.series = batch.series(type: typeIndex(type), unit: batch.intern("s".utf8))
        if let activity { record.valueName = activityName(activity) }
        var extra = PulsExtraMembers()
        if let energy { extra.members.append(("energy_kcal", energy.range)) }
        if let distance { extra.members.append(("distance_m", distance.range)) }
        return extra
    }

    /// Syncky's name of the activity where it has another one, else the sender's; -1 when no column holds it.
    private mutating func activityName(_ text: JSONText) -> BatchIndex {
        let other = json.withBytes(of: text) { bytes in
            PulsTypes.activities.first { bytes.equals(Array($0.puls.utf8).span) }?.name
        }
        if let other, context.catalog.activity(named: other.utf8) != nil { return batch.intern(other.utf8) }
        return column(text) ?? -1
    }

    /// An object whose members are numbers or null.
    private mutating func checkNumbers(_ name: PulsName) throws(JSONFault) {
        guard try enterObject(name) else { return }
        while try json.nextMember() != nil { _ = try readNumber(name) }
    }

    /// An object of objects of `min`, `avg`, `max` and `sum`.
    private mutating func checkStatistics(_ name: PulsName) throws(JSONFault) {
        guard try enterObject(name) else { return }
        while try json.nextMember() != nil {
            guard try enterObject(name) else { continue }
            while let member = try nextName() {
                switch member {
                case .min, .avg, .max, .sum: _ = try readNumber(member)
                default: _ = try json.skip()
                }
            }
        }
    }

    /// Events or activities: their contexts are not looked at, as the reference doesn't.
    private mutating func checkParts(_ name: PulsName) throws(JSONFault) {
        guard try enterArray(name) else { return }
        while try json.nextElement() {
            guard try enterObject(name) else {
                throw invalid(name, "has an element that is no object", at: json.position)
            }
            while let member = try nextName() {
                switch member {
                case .type, .activityType: _ = try readText(member)
                case .start, .end: _ = try readTime(member)
                case .duration: _ = try readNumber(member)
                case .statistics: try checkStatistics(member)
                default: _ = try json.skip()
                }
            }
        }
    }

    // MARK: The others

    private mutating func checkHeartbeats() throws(JSONFault) {
        guard try enterArray(.heartbeats) else { throw missing(.heartbeats) }
        while try json.nextElement() {
            let at = json.position
            guard try json.kind() == .array else { throw notABeat(at) }
            try json.enterArray()
            guard try json.nextElement(), try json.kind() == .number else { throw notABeat(at) }
            _ = try json.number()
            guard try json.nextElement(), try json.kind() == .bool else { throw notABeat(at) }
            _ = try json.bool()
            guard try !json.nextElement() else { throw notABeat(at) }
        }
    }

    private mutating func notABeat(_ offset: Int) -> JSONFault {
        invalid(.heartbeats, "has an element that is not [seconds, preceded by gap]", at: offset)
    }

    private mutating func checkElectrocardiogram() throws(JSONFault) {
        guard try enterObject(.ecg) else { throw missing(.ecg) }
        while let name = try nextName() {
            switch name {
            case .classification, .symptomsStatus: _ = try readText(name)
            case .averageHeartRateBpm, .samplingFrequencyHz: _ = try readNumber(name)
            case .voltagesUV:
                guard try enterArray(name) else { continue }
                while try json.nextElement() {
                    guard try json.kind() == .number else {
                        throw invalid(name, "has an element that is no number", at: json.position)
                    }
                    _ = try json.skip()
                }
            default: _ = try json.skip()
            }
        }
    }

    private mutating func checkStateOfMind() throws(JSONFault) {
        guard try enterObject(.stateOfMind) else { throw missing(.stateOfMind) }
        while let name = try nextName() {
            switch name {
            case .kind, .valenceClassification: _ = try readText(name)
            case .valence: _ = try readNumber(name)
            case .labels, .associations:
                guard try enterArray(name) else { continue }
                while try json.nextElement() {
                    guard try json.kind() == .string else {
                        throw invalid(name, "has an element that is no text", at: json.position)
                    }
                    _ = try json.text()
                }
            default: _ = try json.skip()
            }
        }
    }

    private mutating func checkDose() throws(JSONFault) {
        guard try enterObject(.medicationDose) else { throw missing(.medicationDose) }
        while let name = try nextName() {
            switch name {
            case .medication, .status, .doseUnit: _ = try readText(name)
            case .doseQuantity: _ = try readNumber(name)
            case .scheduledAt: _ = try readTime(name)
            case .scheduledAtContext: _ = try readContext(name)
            default: _ = try json.skip()
            }
        }
    }
}
