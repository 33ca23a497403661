/// What a sender's `automation-aggregation` says about the length of its buckets.
enum HAEAggregation: Equatable {
    case grain(Grain)
    /// The app's own choice: heart rate by second, everything else by minute.
    case byMetric

    /// nil for a text that is not understood: the points tell then.
    init?(_ text: String?) {
        guard let text else { return nil }
        switch String(decoding: HAEText.fold(text.utf8), as: UTF8.self) {
        case "none", "false", "no", "off", "raw": self = .grain(.raw)
        case "second", "seconds": self = .grain(.second)
        case "minute", "minutes": self = .grain(.minute)
        case "hour", "hours": self = .grain(.hour)
        case "day", "days": self = .grain(.day)
        case "week", "weeks": self = .grain(.week)
        case "month", "months": self = .grain(.month)
        case "year", "years": self = .grain(.year)
        case "default": self = .byMetric
        default: return nil
        }
    }
}

extension Grain {
    /// Whether a slot is a local date, so that the same day with another offset is the same slot.
    var isOfDays: Bool { rawValue >= Grain.day.rawValue }

    /// What names a bucket: whole seconds since 1970 in UTC, from a day on days since 1970 on the local calendar.
    func slot(_ date: HAEDate) -> Int64 { isOfDays ? Int64(date.day) : date.seconds }

    /// Where a bucket ends that begins at `date`; from a day on at a local midnight.
    ///
    /// - Parameter zone: the endpoint's zone. Where its offset at `date` is the one written there, it tells how long the
    ///   day is when the clocks change; the written offset alone can't.
    func end(of date: HAEDate, zone: (_ localSeconds: Int64) -> Int16) -> Timestamp {
        switch self {
        case .raw: return date.timestamp
        case .second: return Timestamp(microseconds: date.timestamp.microseconds + 1_000_000)
        case .minute: return Timestamp(microseconds: date.timestamp.microseconds + 60_000_000)
        case .hour: return Timestamp(microseconds: date.timestamp.microseconds + 3_600_000_000)
        default: break
        }
        var end = CivilDate(daysSince1970: date.day)
        switch self {
        case .week: end = CivilDate(daysSince1970: date.day + 7)
        case .month:
            end.month = end.month % 12 + 1
            if end.month == 1 { end.year += 1 }
        case .year: end.year += 1
        default: end = CivilDate(daysSince1970: date.day + 1)
        }
        end.day = min(end.day, CivilDate.days(inMonth: end.month, year: end.year))
        let local = Int64(end.daysSince1970) * 86_400
        let offset = zone(date.localSeconds) == date.offsetMinutes ? zone(local) : date.offsetMinutes
        return Timestamp(microseconds: (local - Int64(offset) * 60) * 1_000_000)
    }
}

/// What the dates of a metric's points say about its grain when the header says nothing that is understood.
struct HAEGrainEvidence {
    private var count = 0
    private var isMidnight = true
    private var isOnTheHour = true
    /// Of the intervals; nil when they differ or are of no grain.
    private var interval: Grain?
    private var hasIntervals = true

    mutating func add(_ date: HAEDate, start: HAEDate?, end: HAEDate?) {
        isMidnight = isMidnight && date.isMidnight
        isOnTheHour = isOnTheHour && date.localSeconds % 3_600 == 0
        if let end {
            let grain = Self.grain(from: start ?? date, to: end)
            if count == 0 { interval = grain } else if grain != interval { interval = nil }
        } else {
            hasIntervals = false
        }
        count += 1
    }

    /// Whether no further point can change the grain.
    var isSettled: Bool { !hasIntervals && !isMidnight && !isOnTheHour }

    var grain: Grain {
        guard count > 0 else { return .raw }
        if hasIntervals { return interval ?? .raw }
        if isMidnight { return .day }
        return isOnTheHour ? .hour : .raw
    }

    private static func grain(from start: HAEDate, to end: HAEDate) -> Grain? {
        let length = end.localSeconds - start.localSeconds
        switch length {
        case 1: return .second
        case 60: return .minute
        case 3_600: return .hour
        default: break
        }
        // Some senders end a bucket with its last second.
        guard start.isMidnight, length % 86_400 == 0 || length % 86_400 == 86_399 else { return nil }
        switch (length + 1) / 86_400 {
        case 1: return .day
        case 7: return .week
        case 28...31 where CivilDate(daysSince1970: start.day).day == 1: return .month
        case 365, 366: return .year
        default: return nil
        }
    }
}
