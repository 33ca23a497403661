import Samples
package import Storage

extension ReadModel {
    /// Numbers of a type, bucket by bucket: each bucket that the asked time touches, whole, those without data left out.
    ///
    /// How they come about: docs/totals.md.
    package func buckets(_ query: BucketQuery) throws(StoreError) -> BucketSeries {
        let person = person(named: query.person)
        return try withDayFigures(person, query.type, { days(of: query, $0) }) {
            (context, figures) throws(StoreError) in
            var series = BucketSeries(
                query: query, zoneName: person.zoneName, unit: nil, unconverted: 0, aggregation: nil, buckets: [])
            guard let context else { return series }
            series.unit = context.plan.unitText
            series.aggregation = context.plan.aggregation
            if query.size == .hour {
                try addHours(to: &series, context, figures)
            } else {
                addDays(to: &series, context, figures)
            }
            return series
        }
    }

    /// The days to work out: those of the buckets that the query touches, as far as there are rows.
    private func days(of query: BucketQuery, _ context: TypeContext) -> ClosedRange<Int>? {
        let times = LocalCalendar.times
        let from = max(times.lowerBound, min(times.upperBound, query.from.microseconds))
        let to = max(times.lowerBound, min(times.upperBound, query.to.microseconds))
        guard from < to, let known = context.days else { return nil }
        let first = LocalCalendar.days(query.size, of: context.calendar.day(at: from)).lowerBound
        let last = LocalCalendar.days(query.size, of: context.calendar.day(at: to - 1)).upperBound - 1
        let range = max(first, known.lowerBound)...max(max(first, known.lowerBound), min(last, known.upperBound))
        return min(last, known.upperBound) < range.lowerBound ? nil : range
    }

    private func addDays(
        to series: inout BucketSeries, _ context: TypeContext, _ days: [(day: Int, figures: BucketFigures)]
    ) {
        let query = series.query
        var index = 0
        while index < days.count {
            let range = LocalCalendar.days(query.size, of: days[index].day)
            var sum = BucketFigures()
            while index < days.count, range.contains(days[index].day) {
                var figures = days[index].figures
                if query.rule == .highestSource && context.plan.kind == .sum {
                    figures.choose(figures.highest.map { figures.shares[$0].source })
                }
                sum.append(figures, isFirst: days[index].day == range.lowerBound, ranks: context.ranking.ranks)
                index += 1
            }
            add(
                sum, context.calendar.start(ofDay: range.lowerBound), context.calendar.start(ofDay: range.upperBound),
                to: &series, context)
        }
    }

    private func addHours(
        to series: inout BucketSeries, _ context: TypeContext,
        _ figures: [(day: Int, figures: BucketFigures)]
    ) throws(StoreError) {
        let query = series.query
        var chosen: [Int: Int64] = [:]
        for day in figures { chosen[day.day] = day.figures.highest.map { day.figures.shares[$0].source } }
        // Only days with data, a month of them at a time.
        var index = 0
        while index < figures.count {
            let first = figures[index].day
            var last = first
            while index < figures.count, figures[index].day <= last + 1, figures[index].day - first < 31 {
                last = figures[index].day
                index += 1
            }
            var run = BucketRun(
                context, days: first...last, isByHour: true, store.connection, goesOn: goesOn)
            let hours = try run.run()
            for start in hours.keys.sorted() {
                let hour = context.calendar.hour(at: start)
                guard hour.end > query.from.microseconds, hour.start < query.to.microseconds else { continue }
                var figures = hours[start]!
                if query.rule == .highestSource && context.plan.kind == .sum {
                    figures.choose(chosen[context.calendar.day(at: start)])
                }
                add(figures, hour.start, hour.end, to: &series, context)
            }
        }
    }

    private func add(
        _ figures: BucketFigures, _ start: Int64, _ end: Int64, to series: inout BucketSeries, _ context: TypeContext
    ) {
        series.unconverted += figures.unconverted
        let kind = context.plan.kind
        let samples = figures.shares.reduce(0) { $0 + $1.touching }
        guard samples > 0, end > series.query.from.microseconds, start < series.query.to.microseconds else { return }
        var bucket = Bucket(
            start: Timestamp(microseconds: start), end: Timestamp(microseconds: end),
            offsetMinutes: context.calendar.zone.offsetMinutes(at: Timestamp(microseconds: start)), samples: samples,
            figures: figures.figures(kind))
        if series.query.withSources {
            for share in figures.shares where share.touching > 0 {
                guard let rank = context.ranking.ranks[share.source] else { continue }
                let value = figures.value(of: share, kind)
                bucket.sources.append(
                    SourceShare(
                        source: context.ranking.entries[rank].rank.source, value: value,
                        counted: kind == .sum ? share.counted.value : value, samples: share.touching))
            }
        }
        series.buckets.append(bucket)
    }

    // MARK: From rows

    /// Figures of days in order, without those that have none.
    func dayFigures(
        _ context: TypeContext, _ days: ClosedRange<Int>
    ) throws(StoreError) -> [(day: Int, figures: BucketFigures)] {
        var found: [(day: Int, figures: BucketFigures)] = []
        var first = days.lowerBound
        while first <= days.upperBound {
            let last = min(days.upperBound, LocalCalendar.days(.month, of: first).upperBound - 1)
            if context.hasRows(first...last) {
                var run = BucketRun(context, days: first...last, isByHour: false, store.connection, goesOn: goesOn)
                let figures = try run.run()
                found += figures.keys.sorted().map { (Int($0), figures[$0]!) }
            }
            first = last + 1
        }
        return found
    }

    // MARK: What they depend on

    /// Nil when the person has no rows of the type.
    func context(_ person: Person, _ type: String) throws(StoreError) -> TypeContext? {
        guard var found = try series(of: person, type: type).first else { return nil }
        try addFacts(to: &found)
        found.series.removeAll { $0.facts.rows == 0 }
        if found.series.isEmpty { return nil }
        return TypeContext(
            type: found, plan: FigurePlan(found, setup.catalog),
            ranking: try ranking(person, found.rowsOfSources), calendar: LocalCalendar(person.zone))
    }

    func addFacts(to type: inout TypeSeries) throws(StoreError) {
        let reader = try WeekFactsReader(store.connection)
        for index in type.series.indices {
            var weeks: [WeekFacts] = []
            try reader.read(series: type.series[index].id, starts: .min ... .max, goesOn: goesOn) { week in
                weeks.append(week)
                return true
            }
            type.series[index].facts = SeriesFacts(weeks)
        }
    }

    func ranking(_ person: Person, _ rows: [Int64: Int]) throws(StoreError) -> SourceRanking {
        var counts: [(id: Int64, source: SourceName, samples: Int)] = []
        for (id, rows) in rows { counts.append((id, try sourceName(id), rows)) }
        return SourceRanking(counts, order: setup.sourceOrder[person.name] ?? [])
    }

    /// - Parameter id: a row of `source`, 0 for none.
    func sourceName(_ id: Int64) throws(StoreError) -> SourceName {
        if id == 0 { return SourceName(app: nil, device: nil) }
        let source = try texts.source(id)
        return SourceName(
            app: source.app.map { String(decoding: $0.bytes, as: UTF8.self) },
            device: source.device.map { String(decoding: $0.bytes, as: UTF8.self) })
    }

    /// Runs what reads several tables on one snapshot.
    func inTransaction<Result>(_ body: () throws(StoreError) -> Result) throws(StoreError) -> Result {
        if store.connection.isInTransaction { return try body() }
        try store.connection.execute("BEGIN")
        defer { store.connection.rollback() }
        return try body()
    }
}

extension TypeContext {
    /// A hash of what figures depend on beside rows and the order of sources: kind, unit, conversions, clock.
    func key(_ catalog: Catalog) -> Int64 {
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        func add(_ number: UInt64) { hash = (hash ^ number) &* 0x100_0000_01B3 }
        add(UInt64(plan.kind.rawValue))
        for byte in plan.unit ?? [] { add(UInt64(byte)) }
        add(calendar.zone.fingerprint)
        if let unit = plan.unit {
            for family in catalog.families where family.hasUnit(unit) {
                for other in family.units {
                    guard let conversion = family.conversion(from: other.name.utf8, to: unit) else { continue }
                    add(conversion(0).bitPattern)
                    add(conversion(1_000).bitPattern)
                }
            }
        }
        return Int64(bitPattern: hash)
    }

    /// Whether rows may touch those days.
    func hasRows(_ days: ClosedRange<Int>) -> Bool {
        let reach = 26 * LocalCalendar.hour
        let from = calendar.start(ofDay: days.lowerBound) - reach,
            to = calendar.start(ofDay: days.upperBound + 1) + reach
        let last = WeekFacts.week(of: to)
        return type.series.contains { series in
            series.facts.weeks.contains { week in
                week.week <= last && (week.latestEnd >= from || WeekFacts.starts(of: week.week).upperBound >= from)
            }
        }
    }
}
