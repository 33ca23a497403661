import Samples
import Storage

/// Why what was worked out before is of no help now.
enum RollupFault: Error {
    /// Another process went ahead meanwhile: look again.
    case outdated
    /// `insights.db` can't be read or written; answers come from the samples alone.
    case unusable(StoreError)
    /// The samples can't be read, or the question was given up.
    case store(StoreError)
}

/// What is kept in `insights.db`, and the statements on it.
final class Rollups {
    /// Starts and latest end of rows that were touched, in microseconds.
    struct Stale {
        var id: Int64
        var series: Int64
        var low: Int64
        var high: Int64
        var reach: Int64
        var hasFacts: Bool
    }

    /// More than this many stretches of a series that nobody asked about since become one.
    private static let maximumStale = 32

    let file: RollupFile
    private var connection: Connection { file.connection }

    init(_ file: RollupFile) { self.file = file }

    // MARK: Transactions

    /// Reads several tables as they are at one moment, if that is the moment meant.
    func read<Result>(
        at point: ChangePoint, _ body: () throws(StoreError) -> Result
    ) throws(RollupFault) -> Result {
        try transaction("BEGIN", at: point, body)
    }

    /// Writes what was worked out at a point of `health.db`, unless another process went on to a later one.
    func write<Result>(
        at point: ChangePoint, _ body: () throws(StoreError) -> Result
    ) throws(RollupFault) -> Result {
        try transaction("BEGIN IMMEDIATE", at: point, body)
    }

    private func transaction<Result>(
        _ begin: String, at expected: ChangePoint, _ body: () throws(StoreError) -> Result
    ) throws(RollupFault) -> Result {
        let result: Result?
        do throws(StoreError) {
            try connection.execute(begin)
            result = try point() == expected ? body() : nil
            try connection.execute("COMMIT")
        } catch {
            connection.rollback()
            throw .unusable(error)
        }
        guard let result else { throw .outdated }
        return result
    }

    func point() throws(StoreError) -> ChangePoint {
        let statement = try connection.prepare("SELECT epoch, number FROM state")
        guard try statement.step() else { throw Self.damaged }
        return ChangePoint(epoch: statement.integer(0), number: statement.integer(1))
    }

    private static var damaged: StoreError { StoreError(.damaged, detail: "insights.db can't be read") }

    // MARK: What was touched

    /// Notes what was touched since the last time, and goes on to the newest commit.
    ///
    /// - Returns: the point of the snapshot that `store` has open.
    func advance(_ store: StoreReader) throws(RollupFault) -> ChangePoint {
        let newest: ChangePoint, last: ChangePoint
        do throws(StoreError) { newest = try store.newestChange() } catch { throw .store(error) }
        do throws(StoreError) { last = try point() } catch { throw .unusable(error) }
        if last == newest { return newest }
        if last.epoch == newest.epoch && last.number > newest.number { throw .outdated }
        let touched: TouchedRanges
        do throws(StoreError) { touched = try store.touched(since: last).ranges } catch { throw .store(error) }
        try write(at: last) { () throws(StoreError) in
            switch touched {
            case .everything: try self.clear()
            case .ranges(let ranges): for range in ranges { try self.note(range) }
            }
            let statement = try self.connection.prepare("UPDATE state SET epoch = ?1, number = ?2")
            statement.bind(1, newest.epoch)
            statement.bind(2, newest.number)
            try statement.run()
        }
        // What a purge took away is not to stay in the log.
        if touched == .everything { try? connection.execute("PRAGMA wal_checkpoint(TRUNCATE)") }
        return newest
    }

    private func clear() throws(StoreError) {
        for table in ["series", "week", "stale", "figure_set", "month", "day"] {
            try connection.execute("DELETE FROM \(table)")
        }
    }

    private func note(_ range: TouchedRange) throws(StoreError) {
        let known = try connection.prepare("SELECT 1 FROM series WHERE id = ?1")
        known.bind(1, range.series)
        // Of what nothing is known all is read anyway.
        guard try known.step() else { return }
        known.reset()
        var new = Stale(
            id: 0, series: range.series, low: range.low.microseconds, high: range.high.microseconds,
            reach: range.reach.microseconds, hasFacts: false)
        let all = try stale(range.series)
        let day: Int64 = 24 * LocalCalendar.hour
        // Rows without a time stand for no day, so they are never joined with those that have one.
        let near = all.filter { old in
            (new.low == .min) == (old.low == .min)
                && (all.count >= Self.maximumStale || new.low == .min
                    || (new.low / 2 - old.high / 2 <= day / 2 && old.low / 2 - new.high / 2 <= day / 2))
        }
        for old in near {
            new.low = min(new.low, old.low)
            new.high = max(new.high, old.high)
            new.reach = max(new.reach, old.reach)
        }
        try removeStale(near)
        try add(new)
    }

    func add(_ stale: Stale) throws(StoreError) {
        let statement = try connection.prepare(
            "INSERT INTO stale (series, low, high, reach, has_facts) VALUES (?1, ?2, ?3, ?4, ?5)")
        statement.bind(1, stale.series)
        statement.bind(2, stale.low)
        statement.bind(3, stale.high)
        statement.bind(4, stale.reach)
        statement.bind(5, stale.hasFacts ? 1 : 0)
        try statement.run()
    }

    func stale(_ series: Int64) throws(StoreError) -> [Stale] {
        let statement = try connection.prepare(
            "SELECT id, series, low, high, reach, has_facts FROM stale WHERE series = ?1 ORDER BY id")
        statement.bind(1, series)
        var found: [Stale] = []
        while try statement.step() {
            found.append(
                Stale(
                    id: statement.integer(0), series: statement.integer(1), low: statement.integer(2),
                    high: statement.integer(3), reach: statement.integer(4), hasFacts: statement.integer(5) != 0))
        }
        return found
    }

    func removeStale(_ stale: [Stale]) throws(StoreError) {
        let statement = try connection.prepare("DELETE FROM stale WHERE id = ?1")
        for one in stale {
            statement.bind(1, one.id)
            try statement.run()
            statement.reset()
        }
    }

    func setHasFacts(_ stale: [Stale]) throws(StoreError) {
        let statement = try connection.prepare("UPDATE stale SET has_facts = 1 WHERE id = ?1")
        for one in stale {
            statement.bind(1, one.id)
            try statement.run()
            statement.reset()
        }
    }

    // MARK: Facts

    /// What is known of a series, and before which week; nil when nothing is.
    ///
    /// - Parameter withWeeks: false leaves `weeks` empty.
    func facts(
        _ series: Int64, withWeeks: Bool
    ) throws(StoreError) -> (facts: SeriesFacts, knownBefore: Int64, flagsEver: WeekFacts.Flags)? {
        let statement = try connection.prepare(
            "SELECT known_before, rows, quantities, kinds, flags, sources FROM series WHERE id = ?1")
        statement.bind(1, series)
        guard try statement.step() else { return nil }
        var facts = SeriesFacts()
        if withWeeks {
            facts = SeriesFacts(try weeks(series))
        } else {
            facts.rows = Int(statement.integer(1))
            facts.quantities = Int(statement.integer(2))
            facts.kinds = statement.integer(3)
            facts.flags = WeekFacts.Flags(rawValue: statement.integer(4))
            let bytes = FigureSeal.opened(
                statement.bytes(5), series, statement.integer(0), statement.integer(1), statement.integer(2),
                statement.integer(3), statement.integer(4))
            guard let bytes, let sources = FigureBytes.decodeCounts(bytes) else { throw Self.damaged }
            facts.sources = sources
        }
        return (facts, statement.integer(0), WeekFacts.Flags(rawValue: statement.integer(4)))
    }

    private func weeks(_ series: Int64) throws(StoreError) -> [WeekFacts] {
        let statement = try connection.prepare(
            """
            SELECT week, rows, quantities, kinds, flags, latest_end, sources FROM week WHERE series = ?1 ORDER BY week
            """)
        statement.bind(1, series)
        var weeks: [WeekFacts] = []
        while try statement.step() {
            var week = WeekFacts(week: statement.integer(0))
            week.rows = Int(statement.integer(1))
            week.quantities = Int(statement.integer(2))
            week.kinds = statement.integer(3)
            week.flags = WeekFacts.Flags(rawValue: statement.integer(4))
            week.latestEnd = statement.integer(5)
            let bytes = FigureSeal.opened(
                statement.bytes(6), series, week.week, Int64(week.rows), Int64(week.quantities), week.kinds,
                week.flags.rawValue, week.latestEnd)
            guard let bytes, let sources = FigureBytes.decodeCounts(bytes) else { throw Self.damaged }
            week.sources = sources
            weeks.append(week)
        }
        return weeks
    }

    /// Puts weeks in the place of all that were known from one to another.
    ///
    /// - Parameter knownBefore: nil leaves it.
    func replaceWeeks(
        _ series: Int64, _ range: ClosedRange<Int64>, by weeks: [WeekFacts], knownBefore: Int64?
    ) throws(StoreError) {
        let old = try facts(series, withWeeks: false)
        let delete = try connection.prepare("DELETE FROM week WHERE series = ?1 AND week BETWEEN ?2 AND ?3")
        delete.bind(1, series)
        delete.bind(2, range.lowerBound)
        delete.bind(3, range.upperBound)
        try delete.run()
        let insert = try connection.prepare("INSERT OR REPLACE INTO week VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)")
        for week in weeks {
            insert.bind(1, series)
            insert.bind(2, week.week)
            insert.bind(3, week.rows)
            insert.bind(4, week.quantities)
            insert.bind(5, week.kinds)
            insert.bind(6, week.flags.rawValue)
            insert.bind(7, week.latestEnd)
            insert.bind(
                8,
                blob: FigureSeal.sealed(
                    FigureBytes.encode(week.sources), series, week.week, Int64(week.rows), Int64(week.quantities),
                    week.kinds, week.flags.rawValue, week.latestEnd))
            try insert.run()
            insert.reset()
        }
        let all = SeriesFacts(try self.weeks(series))
        let write = try connection.prepare("INSERT OR REPLACE INTO series VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)")
        write.bind(1, series)
        let known = knownBefore ?? old?.knownBefore ?? .min
        let flags = all.flags.union(old?.flagsEver ?? []).rawValue
        write.bind(2, known)
        write.bind(3, all.rows)
        write.bind(4, all.quantities)
        write.bind(5, all.kinds)
        write.bind(6, flags)
        write.bind(
            7,
            blob: FigureSeal.sealed(
                FigureBytes.encode(all.sources), series, known, Int64(all.rows), Int64(all.quantities), all.kinds, flags
            ))
        try write.run()
    }
}
