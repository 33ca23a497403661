import Storage

/// What is known of the rows of series: looked over once, and again where they were touched.
extension ReadModel {
    /// Weeks of one stretch that are looked over again in one step.
    private static let stepWeeks: Int64 = 104

    /// Adds what is known of the rows; looks over those of which nothing is, a step's worth.
    ///
    /// - Returns: the flags that the series have or had; nil when a step's worth was not all.
    func addFacts(
        _ rollups: Rollups, _ point: ChangePoint, to type: inout TypeSeries, withWeeks: Bool
    ) throws(RollupFault) -> WeekFacts.Flags? {
        var flags: WeekFacts.Flags = []
        for index in type.series.indices {
            let id = type.series[index].id
            func read() throws(RollupFault) -> Known {
                try self.read(rollups, point) { () throws(StoreError) in
                    (facts: try rollups.facts(id, withWeeks: withWeeks), stale: try rollups.stale(id))
                }
            }
            var known = try read()
            // Before the rest is looked over, which marks as known what lies behind it.
            let touched = known.stale.filter { !$0.hasFacts }
            if !touched.isEmpty {
                try lookOverAgain(rollups, point, id, touched, knownBefore: known.facts?.knownBefore ?? .min)
                known = try read()
            }
            let knownBefore = known.facts?.knownBefore ?? .min
            if knownBefore != .max {
                guard try lookOver(rollups, point, id, from: knownBefore) else { return nil }
                known = try read()
            }
            guard let facts = known.facts, facts.knownBefore == .max else { return nil }
            type.series[index].facts = facts.facts
            flags.formUnion(facts.flagsEver)
        }
        return flags
    }

    /// - Returns: whether all is known now.
    private func lookOver(
        _ rollups: Rollups, _ point: ChangePoint, _ series: Int64, from knownBefore: Int64
    ) throws(RollupFault) -> Bool {
        let low = knownBefore == .min ? Int64.min : WeekFacts.starts(of: knownBefore).lowerBound
        var weeks: [WeekFacts] = [], rows = 0
        try fromStore { () throws(StoreError) in
            try WeekFactsReader(store.connection).read(series: series, starts: low...Int64.max, goesOn: goesOn) {
                week in
                weeks.append(week)
                rows += week.rows
                return rows < stepRows
            }
        }
        let isAll = rows < stepRows
        let next = isAll ? Int64.max : (weeks.last?.week ?? 0) + 1
        try rollups.write(at: point) { () throws(StoreError) in
            let first = knownBefore == .min ? WeekFacts.week(of: .min) : knownBefore
            try rollups.replaceWeeks(series, first...WeekFacts.week(of: .max), by: weeks, knownBefore: next)
            guard isAll else { return }
            // Days that were worked out without these rows.
            let all = try rollups.facts(series, withWeeks: true)?.facts.weeks ?? []
            let timed = all.filter { $0.week >= WeekFacts.week(of: LocalCalendar.times.lowerBound) }
            guard let first = timed.first, let last = timed.last else { return }
            let high = WeekFacts.starts(of: last.week).upperBound
            try rollups.add(
                Rollups.Stale(
                    id: 0, series: series, low: WeekFacts.starts(of: first.week).lowerBound, high: high,
                    reach: timed.reduce(high) { max($0, $1.latestEnd) }, hasFacts: true))
        }
        return isAll
    }

    /// Looks again at those weeks of touched stretches that lie before `knownBefore`; what lies behind is still to be
    /// looked over, and where a stretch is too wide for one step that begins earlier.
    private func lookOverAgain(
        _ rollups: Rollups, _ point: ChangePoint, _ series: Int64, _ touched: [Rollups.Stale], knownBefore: Int64
    ) throws(RollupFault) {
        var stretches: [(stale: Rollups.Stale, first: Int64, last: Int64)] = []
        for one in touched {
            let last = WeekFacts.week(of: max(one.low, one.high))
            stretches.append(
                (one, WeekFacts.week(of: one.low), knownBefore == .max ? last : min(last, knownBefore - 1)))
        }
        if knownBefore == .min {
            // Nothing is known yet.
            return try rollups.write(at: point) { () throws(StoreError) in try rollups.setHasFacts(touched) }
        }
        if stretches.contains(where: { $0.last - $0.first > Self.stepWeeks }) {
            // From the first week of any of them on: each is marked as looked at.
            let next = stretches.reduce(knownBefore) { min($0, $1.first) }
            return try rollups.write(at: point) { () throws(StoreError) in
                try rollups.replaceWeeks(series, next...WeekFacts.week(of: .max), by: [], knownBefore: next)
                try rollups.setHasFacts(touched)
            }
        }
        for (one, first, last) in stretches {
            var weeks: [WeekFacts] = []
            if first <= last {
                let starts = WeekFacts.starts(of: first).lowerBound...WeekFacts.starts(of: last).upperBound
                try fromStore { () throws(StoreError) in
                    try WeekFactsReader(store.connection).read(series: series, starts: starts, goesOn: goesOn) { week in
                        weeks.append(week)
                        return true
                    }
                }
            }
            try rollups.write(at: point) { () throws(StoreError) in
                if first <= last { try rollups.replaceWeeks(series, first...last, by: weeks, knownBefore: nil) }
                try rollups.setHasFacts([one])
            }
        }
    }

    private typealias Known = (
        facts: (facts: SeriesFacts, knownBefore: Int64, flagsEver: WeekFacts.Flags)?, stale: [Rollups.Stale]
    )
}
