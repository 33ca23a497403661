import Samples

/// What a source says of a stretch of sleep.
struct SleepRow: Equatable {
    /// Microseconds, half open.
    var start: Int64
    var end: Int64
    var stage: SleepStage
    /// A number of the caller's for the source.
    var source: Int
    /// Minutes east of UTC, when the row tells.
    var offset: Int16?

    /// Longest row that counts: looking for rows that began before a night has to end somewhere.
    static let maximumMicroseconds: Int64 = 86_400_000_000

    /// Whether it lasts some time and no more than a day.
    var isUsable: Bool {
        guard end > start else { return false }
        let (length, isOver) = end.subtractingReportingOverflow(start)
        return !isOver && length <= Self.maximumMicroseconds
    }
}

extension SleepStage {
    /// - Parameters:
    ///   - name: HealthKit's name of the value; those from before stages (`asleep`) too.
    ///   - number: HealthKit's number, looked at where there is no name.
    /// - Returns: nil for a name that is none of them.
    init?(name: String?, number: Double?) {
        if let name {
            if name == "asleep" { self = .asleep } else { self.init(rawValue: name) }
            return
        }
        switch number {
        case 0: self = .inBed
        case 1: self = .asleep
        case 2: self = .awake
        case 3: self = .core
        case 4: self = .deep
        case 5: self = .rem
        default: return nil
        }
    }

    /// 0 for the one that counts first.
    var rank: Int { Self.allCases.firstIndex(of: self) ?? Self.allCases.count }

    /// Asleep and how deeply.
    var isStaged: Bool { self == .rem || self == .deep || self == .core }
}
