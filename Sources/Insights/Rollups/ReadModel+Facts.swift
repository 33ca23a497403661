import Storage

/// What is known of the rows of series: looked over once, and again where they were touched.
extension ReadModel {
    /// Rows that are looked over in one step.
    private static let stepRows = 250_000

    /// Adds what is known of the rows; looks over those of which nothing is, a step's worth.
    ///
    /// - Returns: the flags that the series have or had; nil when a step's worth was not all.
    func addFacts(
        _ rollups: Rollups, _ point: ChangePoint, to type: inout TypeSeries, withWeeks: Bool
    ) throws(RollupFault) -> WeekFacts.Flags? {
        var flags: WeekFacts.Flags = []
        for index in type.series.indices {
            let id = type.series[index].id
            var known = try read(rollups, point) { () throws(StoreError) in
                (facts: try rollups.facts(id, withWeeks: withWeeks), stale: try rollups.stale(id))
            }
            let knownBefore = known.facts?.knownBefore ?? .min
            if knownBefore != .max {
                guard try lookOver(rollups, point, id, from: knownBefore) else { return nil }
            }
            let touched = known.stale.filter { !$0.hasFacts }
            if !touched.isEmpty && knownBefore == .max { try lookOverAgain(rollups, point, id, touched) }
            if !touched.isEmpty || knownBefore != .max {
                known = try read(rollups, point) { () throws(StoreError) in
                    (facts: try rollups.facts(id, withWeeks: withWeeks), stale: [])
                }
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
                return rows < Self.stepRows
            }
        }
        let isAll = rows < Self.stepRows
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

    private func lookOverAgain(
        _ rollups: Rollups, _ point: ChangePoint, _ series: Int64, _ stale: [Rollups.Stale]
    ) throws(RollupFault) {
        for one in stale {
            let range = WeekFacts.week(of: one.low)...WeekFacts.week(of: max(one.low, one.high))
            if range.upperBound - range.lowerBound > 104 {
                // So much is looked over as if it were new.
                let next = range.lowerBound
                try rollups.write(at: point) { () throws(StoreError) in
                    try rollups.replaceWeeks(series, next...WeekFacts.week(of: .max), by: [], knownBefore: next)
                    try rollups.setHasFacts(stale)
                }
                return
            }
        }
        for one in stale {
            let range = WeekFacts.week(of: one.low)...WeekFacts.week(of: max(one.low, one.high))
            var weeks: [WeekFacts] = []
            let starts =
                WeekFacts.starts(of: range.lowerBound).lowerBound...WeekFacts.starts(of: range.upperBound).upperBound
            try fromStore { () throws(StoreError) in
                try WeekFactsReader(store.connection).read(series: series, starts: starts, goesOn: goesOn) { week in
                    weeks.append(week)
                    return true
                }
            }
            try rollups.write(at: point) { () throws(StoreError) in
                try rollups.replaceWeeks(series, range, by: weeks, knownBefore: nil)
                try rollups.setHasFacts([one])
            }
        }
    }
}
