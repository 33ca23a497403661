import Samples

/// Sessions of sleep out of rows of several sources. No database, no clock.
///
/// 1. Rows of all sources that lie less than 4 hours apart are one cluster.
/// 2. The cluster's best source is chosen; what it says is cut into sessions wherever it is silent for 4 hours.
/// 3. What other sources have within 4 hours of these sessions adds nothing; what is left of them is clustered again, so that a
///    nap that only the phone saw isn't lost.
struct SleepNights {
    /// From a gap of this length on it is another session.
    static let gapMicroseconds: Int64 = 4 * 3_600_000_000
    /// A session with as much sleep is no nap.
    static let napSeconds: Double = 3 * 3_600

    /// One session, its source still a number.
    struct Found: Equatable {
        var source: Int
        var segments: [SleepSegment]
        /// Of the row that ended last; nil when it doesn't tell.
        var offset: Int16?

        var start: Int64 { segments[0].start.microseconds }
        var end: Int64 { segments[segments.count - 1].end.microseconds }
    }

    /// What is known of each source, by its number.
    struct Source: Equatable {
        /// In the person's order; nil when it isn't in there.
        var place: Int?
        var sourceClass: SourceClass
        var name: SourceName
    }

    let sources: [Source]

    /// - Parameter rows: in any order; those that last no time or more than a day are left out.
    /// - Returns: by start. A session of nothing but lying awake is none.
    func sessions(_ rows: [SleepRow]) -> [Found] {
        var pool = rows.filter(\.isUsable).sorted { ($0.start, $0.end) < ($1.start, $1.end) }
        var found: [Found] = []
        // Each round takes a source away from each cluster.
        while !pool.isEmpty {
            var left: [SleepRow] = []
            for cluster in Self.clusters(pool) {
                let chosen = best(of: cluster)
                let sessions = Self.cut(cluster.filter { $0.source == chosen }, source: chosen)
                left += Self.outside(sessions, cluster.filter { $0.source != chosen })
                found += sessions
            }
            pool = left
        }
        return found.sorted { $0.start < $1.start }
    }

    /// - Parameter rows: by start.
    private static func clusters(_ rows: [SleepRow]) -> [ArraySlice<SleepRow>] {
        var clusters: [ArraySlice<SleepRow>] = []
        var first = 0, end = Int64.min
        for index in rows.indices {
            if index > first, isApart(end, rows[index].start) {
                clusters.append(rows[first..<index])
                first = index
            }
            end = max(end, rows[index].end)
        }
        if first < rows.count { clusters.append(rows[first...]) }
        return clusters
    }

    private static func isApart(_ end: Int64, _ start: Int64) -> Bool {
        let (gap, isOver) = start.subtractingReportingOverflow(end)
        return isOver ? start > end : gap >= gapMicroseconds
    }

    /// The first in the person's order; then one with stages, one that tells sleep from lying, the rest; then watch, phone, rest; then the one
    /// that covers most; then the name.
    private func best(of cluster: ArraySlice<SleepRow>) -> Int {
        struct Standing {
            var detail = 2
            var covered: Int64 = 0
            var end = Int64.min
        }
        var standings: [Int: Standing] = [:]
        for row in cluster {
            var standing = standings[row.source] ?? Standing()
            standing.detail = min(standing.detail, row.stage.isStaged ? 0 : row.stage.isAsleep ? 1 : 2)
            // By start: what is new of each row lies behind all before it.
            standing.covered += max(0, row.end - max(row.start, standing.end))
            standing.end = max(standing.end, row.end)
            standings[row.source] = standing
        }
        let best = standings.min { left, right in
            let (one, other) = (sources[left.key], sources[right.key])
            let (onePlace, otherPlace) = (one.place ?? .max, other.place ?? .max)
            if onePlace != otherPlace { return onePlace < otherPlace }
            if left.value.detail != right.value.detail { return left.value.detail < right.value.detail }
            if one.sourceClass != other.sourceClass { return one.sourceClass < other.sourceClass }
            if left.value.covered != right.value.covered { return left.value.covered > right.value.covered }
            let (oneName, otherName) = (one.name.sortKey, other.name.sortKey)
            return oneName == otherName ? left.key < right.key : oneName.lexicographicallyPrecedes(otherName)
        }
        return best?.key ?? 0
    }

    /// - Parameter rows: of one source, by start.
    private static func cut(_ rows: [SleepRow], source: Int) -> [Found] {
        clusters(rows).compactMap { part in
            guard part.contains(where: { $0.stage != .awake }) else { return nil }
            var last = part[part.startIndex]
            for row in part where row.end > last.end || row.end == last.end && last.offset == nil { last = row }
            return Found(source: source, segments: SleepSweep.segments(part), offset: last.offset)
        }
    }

    /// Rows that lie 4 hours or more from each session.
    ///
    /// - Parameters: both by start.
    private static func outside(_ sessions: [Found], _ rows: [SleepRow]) -> [SleepRow] {
        var first = 0
        return rows.filter { row in
            while first < sessions.count, isApart(sessions[first].end, row.start) { first += 1 }
            return first == sessions.count || isApart(row.end, sessions[first].start)
        }
    }
}

extension SourceName {
    /// Bytes that order sources by app, then device.
    var sortKey: [UInt8] { Array((app ?? "").utf8) + [0] + Array((device ?? "").utf8) }
}

// MARK: Days

extension SleepNights {
    /// Dates sessions by the local day on which they ended, and tells naps from nights.
    ///
    /// - Parameter zone: for sessions that don't tell their offset.
    func dated(_ found: [Found], zone: ZoneRules) -> [SleepSession] {
        var sessions = found.map { one in
            let end = Timestamp(microseconds: one.end)
            let offset = one.offset ?? zone.offsetMinutes(at: end)
            return SleepSession(
                date: Self.date(at: end, offsetMinutes: offset), start: Timestamp(microseconds: one.start), end: end,
                offsetMinutes: offset, isNap: false, source: sources[one.source].name, segments: one.segments)
        }
        var longest: [CivilDate: Int] = [:]
        for index in sessions.indices {
            guard let known = longest[sessions[index].date] else {
                longest[sessions[index].date] = index
                continue
            }
            if Self.isLonger(sessions[index], sessions[known]) { longest[sessions[index].date] = index }
        }
        for index in sessions.indices where longest[sessions[index].date] != index {
            sessions[index].isNap = Self.weight(sessions[index]) < Self.napSeconds
        }
        return sessions
    }

    /// The seconds by which sessions of a day are compared: of sleep, and where only lying in bed is known, of that. Else a
    /// nap that a watch saw would be the night, and the night that only a phone saw the nap.
    private static func weight(_ session: SleepSession) -> Double {
        let asleep = session.secondsAsleep
        return asleep > 0 ? asleep : session.seconds(.inBed)
    }

    /// More weight, else longer; of equal ones the first stays.
    private static func isLonger(_ one: SleepSession, _ other: SleepSession) -> Bool {
        let (weight, otherWeight) = (weight(one), weight(other))
        if weight != otherWeight { return weight > otherWeight }
        return one.end.microseconds - one.start.microseconds > other.end.microseconds - other.start.microseconds
    }

    /// The day that a clock so far east of UTC shows.
    static func date(at time: Timestamp, offsetMinutes: Int16) -> CivilDate {
        let (seconds, fraction) = time.microseconds.quotientAndRemainder(dividingBy: 1_000_000)
        // At most 9.3e12 in magnitude: no sum comes near an overflow.
        let local = seconds - (fraction < 0 ? 1 : 0) + Int64(offsetMinutes) * 60
        let (days, rest) = local.quotientAndRemainder(dividingBy: 86_400)
        return CivilDate(daysSince1970: Int32(clamping: rest < 0 ? days - 1 : days))
    }
}
