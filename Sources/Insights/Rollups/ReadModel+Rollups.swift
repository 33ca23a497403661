import Samples
package import Storage

extension ReadModel {
    /// Days that were touched and are worked out in one step.
    private static let stepDays = 62

    /// Hands `then` the figures of the days that `wanted` names, in order and without days that have none, while a snapshot of
    /// the samples is open; the context is nil when the person has no such rows.
    ///
    /// What is missing is worked out a month a step and kept; each step has a snapshot of its own, so that a long question
    /// holds up no checkpoint and no other question. What `then` reads is of one snapshot.
    func withDayFigures<Result>(
        _ person: Person, _ type: String, _ wanted: (TypeContext) -> ClosedRange<Int>?,
        then: (TypeContext?, [(day: Int, figures: BucketFigures)]) throws(StoreError) -> Result
    ) throws(StoreError) -> Result {
        var attempts = 0
        let firstTaken = setsTaken
        // Two configurations at once would take each other's days away for ever.
        // Whoever has a transaction open asks within it: there, days are worked out from rows.
        while !store.connection.isInTransaction, let rollups = openRollups(), attempts < 20, setsTaken - firstTaken < 4
        {
            do throws(RollupFault) {
                try begin()
                defer { store.connection.rollback() }
                switch try step(rollups, person, type, wanted) {
                case .again: attempts = 0
                case .ready(let context, let days):
                    do throws(StoreError) { return try then(context, days) } catch { throw .store(error) }
                }
            } catch {
                switch error {
                case .outdated: attempts += 1
                case .store(let fault): throw fault
                case .unusable(let fault):
                    closeRollups(fault)
                    attempts = .max
                }
            }
        }
        return try inTransaction { () throws(StoreError) in
            guard let context = try context(person, type) else { return try then(nil, []) }
            return try then(
                context,
                try wanted(context).map { (days) throws(StoreError) in
                    try dayFigures(context, days)
                } ?? [])
        }
    }

    /// The series of a person with what is known of their rows, without weeks.
    func seriesWithFacts(of person: Person, type: String?) throws(StoreError) -> [TypeSeries] {
        var attempts = 0
        // Whoever has a transaction open asks within it: there, days are worked out from rows.
        while !store.connection.isInTransaction, let rollups = openRollups(), attempts < 20 {
            do throws(RollupFault) {
                try begin()
                defer { store.connection.rollback() }
                let point = try rollups.advance(store)
                var all = try fromStore { () throws(StoreError) in try series(of: person, type: type) }
                var isComplete = true
                for index in all.indices where isComplete {
                    isComplete = try addFacts(rollups, point, to: &all[index], withWeeks: false) != nil
                }
                if isComplete { return all }
                attempts = 0
            } catch {
                switch error {
                case .outdated: attempts += 1
                case .store(let fault): throw fault
                case .unusable(let fault):
                    closeRollups(fault)
                    attempts = .max
                }
            }
        }
        return try inTransaction { () throws(StoreError) in
            var all = try series(of: person, type: type)
            for index in all.indices { try addFacts(to: &all[index]) }
            return all
        }
    }

    /// Works out something that no question has asked for yet, for a thread that has time.
    ///
    /// One step is a month of a type, or as much of the first look over its rows: a second at most on a slow machine.
    ///
    /// - Returns: false when there is nothing left to do.
    package func workAhead() throws(StoreError) -> Bool {
        for person in try persons() {
            for type in try seriesWithFacts(of: person, type: nil) where type.rows > 0 {
                guard let rollups = openRollups() else { return false }
                do throws(RollupFault) {
                    try begin()
                    defer { store.connection.rollback() }
                    if case .again = try step(rollups, person, type.type, { $0.days }, isAhead: true) { return true }
                } catch {
                    switch error {
                    case .outdated: return true
                    case .store(let fault): throw fault
                    case .unusable(let fault):
                        closeRollups(fault)
                        return false
                    }
                }
            }
        }
        return false
    }

    // MARK: One step

    private enum Step {
        case again
        case ready(TypeContext?, [(day: Int, figures: BucketFigures)])
    }

    /// Brings things forward in the open snapshot, or finds that all is there.
    ///
    /// - Parameter isAhead: true ends the step behind what was worked out, and reads no days.
    private func step(
        _ rollups: Rollups, _ person: Person, _ typeName: String, _ wanted: (TypeContext) -> ClosedRange<Int>?,
        isAhead: Bool = false
    ) throws(RollupFault) -> Step {
        let point = try rollups.advance(store)
        let all = try fromStore { () throws(StoreError) in try series(of: person, type: typeName).first }
        guard var type = all else { return .ready(nil, []) }
        guard let flagsEver = try addFacts(rollups, point, to: &type, withWeeks: true) else { return .again }
        type.series.removeAll { $0.facts.rows == 0 }
        let context = TypeContext(
            type: type, plan: FigurePlan(type, setup.catalog),
            ranking: try fromStore { () throws(StoreError) in try ranking(person, type.rowsOfSources) },
            calendar: LocalCalendar(person.zone))
        let set = try figureSet(rollups, point, context)
        if try workOutTouched(rollups, point, all?.series.map(\.id) ?? [], context, set, flagsEver) { return .again }
        guard !type.series.isEmpty, let days = wanted(context) else {
            return .ready(type.series.isEmpty ? nil : context, [])
        }
        let months = try read(rollups, point) { () throws(StoreError) in try rollups.months(set) }
        // The newest first: most likely that is what is asked for next.
        var missing: [(month: Int, days: ClosedRange<Int>)] = []
        var last = days.upperBound
        while last >= days.lowerBound {
            let month = Self.month(of: last)
            let range = LocalCalendar.days(.month, of: last)
            let ofMonth = range.lowerBound...range.upperBound - 1
            if !months.contains(month) && context.hasRows(ofMonth) { missing.append((month, ofMonth)) }
            last = range.lowerBound - 1
        }
        if let first = missing.first {
            try workOut(rollups, point, context, set, [first.days], month: first.month)
            if missing.count > 1 || isAhead { return .again }
        }
        if isAhead { return .ready(context, []) }
        // Another process with another configuration may have made the set its own since.
        let first = missing.first?.month
        let found: [(day: Int, figures: BucketFigures)]? = try read(rollups, point) { () throws(StoreError) in
            guard try rollups.figureSet(person: person.name, type: typeName) == set else { return nil }
            let now = try rollups.months(set)
            guard months.isSubset(of: now), first.map(now.contains) ?? true else { return nil }
            return try rollups.days(set, days, context.plan.kind)
        }
        guard let found else { throw .outdated }
        return .ready(context, found)
    }

    /// - Parameter month: as `month(of:)` counts them.
    private static func days(ofMonth month: Int) -> Range<Int> {
        let year = month.floor(12)
        return LocalCalendar.days(.month, of: CivilDate(year: year, month: month - year * 12 + 1, day: 1).daysSince1970)
    }

    static func month(of day: Int) -> Int {
        let date = CivilDate(daysSince1970: Int32(clamping: day))
        return date.year * 12 + date.month - 1
    }

    /// Works out days and keeps them.
    ///
    /// - Parameters:
    ///   - month: the one that is complete with them.
    ///   - stale: what they are up to date with then.
    private func workOut(
        _ rollups: Rollups, _ point: ChangePoint, _ context: TypeContext, _ set: FigureSet, _ runs: [ClosedRange<Int>],
        month: Int? = nil, stale: [Rollups.Stale] = [], dropping dropped: [Int] = []
    ) throws(RollupFault) {
        var worked: [(days: ClosedRange<Int>, figures: [Int64: BucketFigures])] = []
        for days in runs {
            worked.append(
                (
                    days,
                    try fromStore { () throws(StoreError) in
                        var run = BucketRun(context, days: days, isByHour: false, store.connection, goesOn: goesOn)
                        return try run.run()
                    }
                ))
            workedOut(days)
        }
        try rollups.write(at: point) { () throws(StoreError) in
            for (days, figures) in worked { try rollups.replace(set, days, by: figures, context.plan.kind) }
            if let month { try rollups.add(month: month, to: set) }
            for month in dropped { try rollups.remove(month: month, days: Self.days(ofMonth: month), of: set) }
            try rollups.removeStale(stale)
        }
    }

    /// Works out the days again whose rows were touched, as far as they were worked out before.
    ///
    /// - Returns: whether there was anything.
    private func workOutTouched(
        _ rollups: Rollups, _ point: ChangePoint, _ series: [Int64], _ context: TypeContext, _ set: FigureSet,
        _ flags: WeekFacts.Flags
    ) throws(RollupFault) -> Bool {
        let (stale, months) = try read(rollups, point) { () throws(StoreError) in
            var stale: [Rollups.Stale] = []
            for id in series { stale += try rollups.stale(id).filter(\.hasFacts) }
            // A row that went, or came, may have stood for one of the same uuid in another series that lasts longer.
            if series.count > 1 { for index in stale.indices { try widen(&stale[index], series) } }
            return (stale, stale.isEmpty ? [] : try rollups.months(set))
        }
        if stale.isEmpty { return false }
        let reach = BucketRun.reach(flags)
        var days: Set<Int> = []
        var dropped: Set<Int> = []
        for one in stale where one.reach >= LocalCalendar.times.lowerBound {
            // Clamped before anything is added: the file may have any number.
            let times = LocalCalendar.times
            let begin = max(times.lowerBound, min(times.upperBound, one.low))
            let end = max(begin, min(times.upperBound, max(one.reach, one.high)))
            let low = context.calendar.day(at: max(times.lowerBound, begin - reach))
            let high = context.calendar.day(at: min(times.upperBound, end + reach))
            for month in months {
                let touched = Self.days(ofMonth: month).clamped(to: min(low, high)..<high + 1)
                if touched.isEmpty { continue }
                if days.count + touched.count > Self.stepDays { dropped.insert(month) } else { days.formUnion(touched) }
            }
        }
        days = days.filter { !dropped.contains(Self.month(of: $0)) }
        try workOut(
            rollups, point, context, set, Self.runs(days), stale: stale, dropping: dropped.sorted())
        return true
    }

    private func widen(_ stale: inout Rollups.Stale, _ series: [Int64]) throws(StoreError) {
        let times = LocalCalendar.times
        guard times.contains(stale.low), stale.low <= stale.high else { return }
        let statement = try store.connection.prepare(
            "SELECT max(\"end\") FROM sample WHERE series = ?1 AND start BETWEEN ?2 AND ?3")
        for id in series where id != stale.series {
            statement.bind(1, id)
            statement.bind(2, stale.low)
            statement.bind(3, min(stale.high, times.upperBound))
            if try statement.step() { stale.reach = max(stale.reach, statement.optionalInteger(0) ?? stale.reach) }
            statement.reset()
        }
    }

    /// Days that follow each other, a month at most together.
    private static func runs(_ days: Set<Int>) -> [ClosedRange<Int>] {
        var runs: [ClosedRange<Int>] = []
        for day in days.sorted() {
            if let last = runs.last, last.upperBound == day - 1, last.count < 31 {
                runs[runs.count - 1] = last.lowerBound...day
            } else {
                runs.append(day...day)
            }
        }
        return runs
    }

    private func figureSet(
        _ rollups: Rollups, _ point: ChangePoint, _ context: TypeContext
    ) throws(RollupFault) -> FigureSet {
        let person = context.type.person.name, type = context.type.type
        let key = context.key(setup.catalog), order = context.ranking.entries.map(\.id)
        let known = try read(rollups, point) { () throws(StoreError) in
            try rollups.figureSet(person: person, type: type)
        }
        if let known, known.key == key, known.order == order { return known }
        // A source more or less changes nothing for days on which it has no rows; another order does.
        let keepsDays =
            known.map { known in
                known.key == key && known.order.filter(order.contains) == order.filter(known.order.contains)
            } ?? true
        if !keepsDays { setsTaken += 1 }
        return try rollups.write(at: point) { () throws(StoreError) in
            try rollups.putFigureSet(person: person, type: type, key: key, order: order, keepsDays: keepsDays)
            guard let set = try rollups.figureSet(person: person, type: type) else {
                throw StoreError(.damaged, detail: "insights.db can't be read")
            }
            return set
        }
    }

    // MARK: The file

    private func openRollups() -> Rollups? {
        if !keepsRollups { return nil }
        let directory = store.folder.path
        if let rollups, rollupIdentity == RollupFile.identity(directory: directory) { return rollups }
        rollups = (try? RollupFile(directory: directory)).map(Rollups.init)
        rollupIdentity = RollupFile.identity(directory: directory)
        return rollups
    }

    /// After a failure: a damaged file goes, so that it is made anew.
    private func closeRollups(_ fault: StoreError) {
        rollups = nil
        if fault.reason == .damaged { RollupFile.discard(directory: store.folder.path) }
    }

    private func begin() throws(RollupFault) {
        if !goesOn() { throw .store(StoreError(.givenUp)) }
        try fromStore { () throws(StoreError) in try store.connection.execute("BEGIN") }
    }

    func fromStore<Result>(_ body: () throws(StoreError) -> Result) throws(RollupFault) -> Result {
        do throws(StoreError) { return try body() } catch { throw .store(error) }
    }

    func read<Result>(
        _ rollups: Rollups, _ point: ChangePoint, _ body: () throws(StoreError) -> Result
    ) throws(RollupFault) -> Result {
        try rollups.read(at: point, body)
    }
}

extension Int {
    fileprivate func floor(_ divisor: Int) -> Int { Int(LocalCalendar.floor(Int64(self), Int64(divisor))) }
}
